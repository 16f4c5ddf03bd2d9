package analyst

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"assay/backend/chart"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// Preferences lists how a person wants answers to look, in the order of the kinds. Fault Unauthorized.
func (a *Analyst) Preferences(ctx context.Context, actor string, caller rules.Caller) ([]knowledge.Preference, error) {
	who, err := a.rules().Identify(actor, caller)
	if err != nil {
		return nil, err
	}
	all, err := a.deps.Memory.Preferences(ctx, who.ID)
	slices.SortFunc(all, func(p, q knowledge.Preference) int {
		return slices.Index(knowledge.PreferenceKinds, p.Kind) - slices.Index(knowledge.PreferenceKinds, q.Kind)
	})
	return all, err
}

// Prefer keeps how a person wants answers to look, in place of what they preferred of that kind before. It holds in that person's answers from then on. Faults: Invalid (there is no such kind, or
// it has no such value), Unauthorized (the actor is no person), and those of the memory.
func (a *Analyst) Prefer(ctx context.Context, kind knowledge.PreferenceKind, value, actor string, caller rules.Caller) (*Taught, error) {
	who, err := a.person(actor, caller)
	if err != nil {
		return nil, err
	}
	return a.keepPreference(ctx, who, knowledge.Preference{Kind: kind, Value: value}, Record{})
}

// ForgetPreference removes how a person wants answers to look, so that nothing of it can be read in the memory afterwards. Faults: NotFound, also of somebody else's; Unauthorized, Unavailable.
func (a *Analyst) ForgetPreference(ctx context.Context, id, actor string, caller rules.Caller) error {
	who, err := a.person(actor, caller)
	if err != nil {
		return err
	}
	record, err := preferenceRecord(who.ID, "forgotten", Record{})
	if err != nil {
		return err
	}
	return a.deps.Memory.ForgetPreference(ctx, who.ID, id, record)
}

// preferenceRecord is what the audit log says of a preference: that there was one, and not what. about names the answer that it was said of.
func preferenceRecord(actor, what string, about Record) (Record, error) {
	body, err := json.Marshal(corrected{What: what, Sort: knowledge.Preferred})
	return Record{Kind: AuditCorrection, RequestID: about.RequestID, SessionID: about.SessionID, Actor: actor, Body: body}, err
}

// keepPreference keeps what a person prefers. A currency is never kept: what the data has is said.
func (a *Analyst) keepPreference(ctx context.Context, actor rules.Actor, p knowledge.Preference, about Record) (*Taught, error) {
	if there, err := a.settles(actor, &p); there != nil || err != nil {
		return there, err
	}
	p.Author = actor.ID
	record, err := preferenceRecord(actor.ID, "taught", about)
	if err != nil {
		return nil, err
	}
	before, err := a.deps.Memory.KeepPreference(ctx, &p, record)
	if err != nil {
		return nil, err
	}
	noted := text.Say("analyst.prefers_"+string(p.Kind), "how", p.Says())
	t := Taught{Preference: &p, Words: text.Say("analyst.preferred", "noted", noted)}
	if before != nil && before.Value != p.Value {
		was := rememberedPreference(*before)
		t.Before, t.Words = &was, text.Say("analyst.preferred_anew", "noted", noted, "before", before.Says())
	}
	return &t, nil
}

// settles says what comes of a preference that is not kept; both nil: it can be.
func (a *Analyst) settles(actor rules.Actor, p *knowledge.Preference) (*Taught, error) {
	if p.Kind == knowledge.Currency {
		return a.currency(actor, p.Value)
	}
	return nil, p.Check()
}

// saysLook says whether a question is none, but a sentence that says how answers are to look. What the reader understands is a question, and so is what names anything of the model: "show revenue in
// millions" asks for revenue. A unit of time is left to the reader: behind an answer it changes that one.
func (r *run) saysLook(read interpret.Result) (knowledge.Preference, bool) {
	p, ok := knowledge.ReadPreference(r.stored.Question)
	named := slices.ContainsFunc(read.Spans, func(s interpret.Span) bool { return len(s.Text) > longestPreposition })
	return p, ok && p.Kind != knowledge.Grain && r.actor.Kind == rules.Human && !certain(read) && !named
}

// longestPreposition is how many bytes a word has that may stand for something of the model and names nothing by itself: the "to" of "round to two decimals".
const longestPreposition = 2

// lookAgain keeps how answers are to look, and gives the query of the answer before, which is shown so. A turn that is asked again keeps nothing.
func (r *run) lookAgain(ctx context.Context, p knowledge.Preference) (*frameql.Query, *Refused, error) {
	var t *Taught
	var err error
	if r.req.again != nil {
		t, err = r.a.settles(r.actor, &p)
	} else if t, err = r.a.keepPreference(ctx, r.actor, p, Record{RequestID: r.stored.RequestID, SessionID: r.stored.SessionID}); err == nil && t.Preference != nil {
		r.answer.Learned = t
		err = r.recallPreferences(ctx)
	}
	switch code := fault.CodeOf(err); {
	case code == fault.Invalid:
		return nil, &Refused{Code: "not_preferred", Message: sentence(err).Error(), Repairs: []frameql.Repair{}}, nil
	case err != nil:
		return nil, nil, err
	case t != nil && t.Preference == nil: // it looks so already
		return r.before(ctx, t.Words, t.Words)
	}
	return r.before(ctx, text.Say("analyst.looked_again"), text.Say("analyst.nothing_to_look"))
}

// currency answers a wish for a currency: amounts are as the data has them. Fault Invalid: it has another one, or none.
func (a *Analyst) currency(actor rules.Actor, wanted string) (*Taught, error) {
	k := a.deps.Knowledge(actor)
	if k.Model == nil {
		return nil, fault.New(fault.NotFound, "prefer", text.Say("analyst.no_data"), text.Say("analyst.no_data_hint"))
	}
	var there []string
	add := func(unit string) {
		if frameview.Money(unit) && !slices.Contains(there, unit) {
			there = append(there, unit)
		}
	}
	for _, m := range k.Model.Metrics {
		add(m.Unit)
	}
	for _, e := range k.Model.Entities {
		for _, d := range e.Dimensions {
			add(d.Unit)
		}
	}
	slices.Sort(there)
	switch {
	case slices.Equal(there, []string{wanted}):
		return &Taught{Words: text.Say("analyst.currency_already", "currency", wanted)}, nil
	case len(there) == 0:
		return nil, fault.New(fault.Invalid, "prefer", text.Say("analyst.no_currency", "currency", wanted), text.Say("analyst.currency_hint"))
	}
	return nil, fault.New(fault.Invalid, "prefer", text.Say("analyst.other_currency", "currency", wanted, "there", strings.Join(there, ", ")), text.Say("analyst.currency_hint"))
}

func rememberedPreference(p knowledge.Preference) Remembered {
	return Remembered{ID: p.ID, Term: p.Subject(), Means: p.Says(), Kind: p.Kind, Value: p.Value}
}

// amendPreference gives a preference another value: one of its kind, or a sentence that says one.
func (a *Analyst) amendPreference(ctx context.Context, actor rules.Actor, id, value string) (*Taught, error) {
	all, err := a.deps.Memory.Preferences(ctx, actor.ID)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(p knowledge.Preference) bool { return p.ID == id })
	if i < 0 { // whoever else has one of that name
		return nil, fault.New(fault.NotFound, "find correction", text.Say("memory.no_correction"), text.Say("memory.no_correction_hint"))
	}
	p := knowledge.Preference{Kind: all[i].Kind, Value: strings.ToLower(knowledge.Line(value))}
	if said, ok := knowledge.ReadPreference(value); ok && said.Kind == p.Kind {
		p.Value, p.Quote = said.Value, said.Quote
	}
	return a.keepPreference(ctx, actor, p, Record{})
}

// recallPreferences finds how the person who asks wants answers to look. A turn that is asked again looks as it did then.
func (r *run) recallPreferences(ctx context.Context) error {
	if r.req.again != nil {
		r.prefers = r.req.again.prefers
		return nil
	}
	var err error
	r.prefers, err = r.a.deps.Memory.Preferences(ctx, r.actor.ID)
	return err
}

// wants gives the value of a kind that the person prefers; empty: none.
func (r *run) wants(kind knowledge.PreferenceKind) string {
	for _, p := range r.prefers {
		if p.Kind == kind {
			return p.Value
		}
	}
	return ""
}

// preferred is what a trace says of a preference that changed something.
type preferred struct {
	ID    string                   `json:"id"`
	Kind  knowledge.PreferenceKind `json:"kind"`
	Value string                   `json:"value"`
}

// preferredFact is the name of the preferences among the facts of a step that they changed something of.
const preferredFact = "preferences"

// followed notes that a preference changed something: on the answer, and in the step that it did in.
func (r *run) followed(s *session.Step, kind knowledge.PreferenceKind) {
	i := slices.IndexFunc(r.prefers, func(p knowledge.Preference) bool { return p.Kind == kind })
	if i < 0 {
		return
	}
	p := r.prefers[i]
	if c := rememberedPreference(p); !slices.Contains(r.answer.Remembered, c) {
		r.answer.Remembered = append(r.answer.Remembered, c)
		if u := r.answer.Understood; u != nil && kind != knowledge.Grain { // of which the reader says more
			u.Assumptions = append(u.Assumptions, text.Say("analyst.as_preferred", "how", capital(text.Say("analyst.prefers_"+string(kind), "how", p.Says()))))
		}
	}
	if s == nil {
		return
	}
	if s.Facts == nil {
		s.Facts = map[string]any{}
	}
	all, _ := s.Facts[preferredFact].([]preferred)
	s.Facts[preferredFact] = append(all, preferred{p.ID, p.Kind, p.Value})
}

// preferredBy are the preferences that changed something of a recorded turn. It may come from somebody else's file: what is none is left out, and of two of a kind the second.
func preferredBy(t session.Turn) []knowledge.Preference {
	var all []knowledge.Preference
	for _, s := range t.Trace {
		var then []preferred
		if fact, there := s.Facts[preferredFact]; !there || decoded(fact, &then) != nil {
			continue
		}
		for _, one := range then[:min(len(then), len(knowledge.PreferenceKinds))] {
			p := knowledge.Preference{ID: one.ID, Kind: one.Kind, Value: one.Value}
			if p.Check() == nil && !slices.ContainsFunc(all, func(o knowledge.Preference) bool { return o.Kind == p.Kind }) {
				all = append(all, p)
			}
		}
	}
	return all
}

// dressed is a frame with the look that the person prefers; what of it changed anything is noted in the step, which may be nil.
func (r *run) dressed(f *frameql.Frame, s *session.Step) *frameql.Frame {
	look := frameview.Look{Scale: r.wants(knowledge.Scale)}
	if n, err := strconv.Atoi(r.wants(knowledge.Decimals)); err == nil {
		look.Decimals = &n
	}
	out, scaled, rounded := frameview.Dressed(f, look)
	if s != nil && scaled {
		r.followed(s, knowledge.Scale)
	}
	if s != nil && rounded {
		r.followed(s, knowledge.Decimals)
	}
	return out
}

// chosen is the chart of the answer.
func (r *run) chosen(s *session.Step) session.Chart {
	drawn, preferred := chart.ForWith(r.answer.Frame, r.drawn, r.wants(knowledge.Chart))
	if preferred {
		r.followed(s, knowledge.Chart)
	}
	return drawn
}
