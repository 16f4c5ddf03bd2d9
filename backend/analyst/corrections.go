package analyst

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/mind"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// Remembered is what an answer was read with: a correction of the person who asked, what was agreed for everybody, or a preference that changed how it looks.
type Remembered struct {
	ID     string                   `json:"id"`
	Term   string                   `json:"term"`
	Means  string                   `json:"means"`
	Agreed bool                     `json:"agreed,omitempty" doc:"For everybody: it stands in the context files, or a steward approved it"`
	Kind   knowledge.PreferenceKind `json:"kind,omitempty" doc:"Of a preference: grain scale decimals chart length tone; absent: it is a meaning"`
	Value  string                   `json:"value,omitempty" doc:"Of a preference: one of the values of its kind"`
	// SelfReviewed: its only author approved it. The answer is not graded AAA.
	SelfReviewed bool `json:"self_reviewed,omitempty"`
	// ReadBy: a model read it out of the words of its person, PROVIDER:MODEL, and they have not confirmed it. The answer is not graded AAA.
	ReadBy       string `json:"read_by,omitempty"`
	confidential bool   // its words go to no model elsewhere
}

// Taught is what came of words that correct, or that say how answers are to look.
type Taught struct {
	Correction *knowledge.Correction `json:"correction" doc:"null: no word was given a meaning"`
	Preference *knowledge.Preference `json:"preference" doc:"null: nothing was said of how answers are to look, or they look so already"`
	Before     *Remembered           `json:"before" doc:"What the person had taught of the term, or preferred, until then; null: nothing"`
	Scope      Scope                 `json:"scope,omitempty" enum:"questions,answer" doc:"Of a word; questions: what it means holds in its person's questions of this workspace from now on, and can be narrowed; answer: in the answer that it was said of, and nowhere else"`
	Words      string                `json:"words" doc:"What was done, in a sentence"`
}

// Scope is how far what was taught goes.
type Scope string

// The scopes.
const (
	InQuestions Scope = "questions" // in its person's questions from now on
	InAnswer    Scope = "answer"    // in the answer that it was said of alone
)

// Lesson is what somebody teaches: a sentence, or a term with what it means. A sentence may also say how answers are to look.
type Lesson struct {
	Words     string
	Term      string
	Means     string
	RequestID string // the answer that is corrected; empty: it is said unasked
	Here      bool   // the words are read by no model elsewhere
	Actor     string // who the caller wants to be
	Caller    rules.Caller
}

// corrected is the body of a record of a correction. Its words are not in the log, so that they can be forgotten; those that want to change what people may see are, masked.
type corrected struct {
	What  string         `json:"what"` // taught changed narrowed forgotten refused read
	Sort  knowledge.Sort `json:"sort"`
	Words string         `json:"words,omitempty"`
	By    string         `json:"by,omitempty"`   // the model that read it out of the words
	Sent  *session.Sent  `json:"sent,omitempty"` // what is about to be sent to it
}

// Teach keeps what a person says that a term means, and uses it from then on in that person's questions. What is not understood in the terms of the model is not kept, and what
// people may see is no matter of a correction: that is written into the audit log, for those who keep the rules. How answers are to look is kept as a preference. Words that the rules do not know
// are read by a model, where one is on.
//
// Faults: Invalid (no correction, or not understood), Limit (too long, too many), NotFound (there is no such answer), Unauthorized (it is somebody else's, the actor is no
// person, or it is a matter of the rules).
func (a *Analyst) Teach(ctx context.Context, l Lesson) (*Taught, error) {
	actor, err := a.person(l.Actor, l.Caller)
	if err != nil {
		return nil, err
	}
	c := knowledge.Correction{Author: actor.ID, Term: l.Term, Means: l.Means, Sort: knowledge.Factual, Quote: l.Words, Detection: knowledge.ByDefinition}
	number := ""
	if l.RequestID != "" {
		s, err := a.deps.Memory.Standing(ctx, l.RequestID)
		switch {
		case err != nil:
			return nil, err
		case s.Actor != actor.ID:
			return nil, fault.New(fault.Unauthorized, "correct", text.Say("analyst.not_yours"), text.Say("analyst.not_yours_hint"))
		}
		c.RequestID, c.SessionID, c.Detection = s.RequestID, s.SessionID, knowledge.ByCorrection
		number = a.numberOf(actor, s.FrameQL)
	}
	if l.Term == "" && l.Means == "" {
		if p, ok := knowledge.ReadPreference(l.Words); ok {
			return a.keepPreference(ctx, actor, p, Record{RequestID: c.RequestID, SessionID: c.SessionID})
		}
		if c, err = a.read(ctx, c, l.Words, number); errors.Is(err, errUnclear) {
			return a.teachBy(ctx, actor, c, l, number, err)
		}
		if err != nil {
			return nil, err
		}
	}
	return a.keep(ctx, actor, c)
}

// person is who teaches, or has something forgotten: nobody does it for them.
func (a *Analyst) person(id string, caller rules.Caller) (rules.Actor, error) {
	actor, err := a.rules().Identify(id, caller)
	if err == nil && actor.Kind != rules.Human {
		err = fault.New(fault.Unauthorized, "correct", text.Say("analyst.teaches_no_person"), text.Say("analyst.teaches_no_person_hint"))
	}
	return actor, err
}

// read reads the words of a lesson into a correction.
func (a *Analyst) read(ctx context.Context, c knowledge.Correction, words, number string) (knowledge.Correction, error) {
	said := knowledge.ReadWords(words, number)
	switch said.Sort {
	case knowledge.Permission:
		return c, a.refusePermission(ctx, c, said.Quote)
	case knowledge.Preferred:
		return c, fault.New(fault.Invalid, "correct", text.Say("analyst.teaches_looks"), text.Say("knowledge.preference_hint"))
	case knowledge.Unclear:
		return c, fault.Wrap(fault.Invalid, "correct", text.Say("analyst.teaches_nothing"), text.Say("knowledge.correction_hint"), errUnclear)
	}
	c.Term, c.Means, c.Sort, c.Quote = said.Term, said.Means, said.Sort, said.Quote
	return c, nil
}

// errUnclear is that words are none that the rules know.
var errUnclear = errors.New("the words are no sentence that is known")

// refusePermission writes down that words want to change what people may see, and tells those who keep the rules: every role that decides about what is shared. Fault Unauthorized: that is no matter of a
// correction.
func (a *Analyst) refusePermission(ctx context.Context, c knowledge.Correction, words string) error {
	safe := a.mask(quoted.ReplaceAllString(words, "'<VALUE>'"))
	body, err := json.Marshal(corrected{What: "refused", Sort: knowledge.Permission, Words: safe})
	if err != nil {
		return err
	}
	var notices []Notice
	for _, role := range a.rules().Roles {
		if role.Admin || role.Steward {
			notices = append(notices, Notice{Kind: NoticeSecurity, Role: role.Name, Words: text.Say("analyst.notice_security", "actor", c.Author, "words", safe)})
		}
	}
	if err := a.deps.Memory.Warn(ctx, Record{Kind: AuditSecurity, RequestID: c.RequestID, SessionID: c.SessionID, Actor: c.Author, Body: body}, notices); err != nil {
		return err
	}
	return fault.New(fault.Unauthorized, "correct", text.Say("analyst.teaches_rules"), text.Say("analyst.teaches_rules_hint"))
}

// keep keeps a correction that the model has a meaning for.
func (a *Analyst) keep(ctx context.Context, actor rules.Actor, c knowledge.Correction) (*Taught, error) {
	if err := a.understood(ctx, actor, &c); err != nil {
		return nil, err
	}
	record, err := recordOf(c, "taught")
	if err != nil {
		return nil, err
	}
	before, err := a.deps.Memory.KeepCorrection(ctx, &c, record)
	if err != nil {
		return nil, err
	}
	a.tell(c)
	t := Taught{Correction: &c, Scope: InQuestions, Words: text.Say("analyst.taught", "term", c.Term, "means", c.Means)}
	if before != nil && before.Means != c.Means {
		it := own(*before)
		t.Before = &it
		t.Words = text.Say("analyst.taught_anew", "term", c.Term, "means", c.Means, "before", before.Means)
	}
	return &t, nil
}

// tell says what was taught to whoever looks whether others said the same.
func (a *Analyst) tell(c knowledge.Correction) {
	if a.deps.Taught != nil {
		a.deps.Taught(c)
	}
}

func recordOf(c knowledge.Correction, what string) (Record, error) {
	body, err := json.Marshal(corrected{What: what, Sort: c.Sort, By: c.ReadBy})
	return Record{Kind: AuditCorrection, RequestID: c.RequestID, SessionID: c.SessionID, Actor: c.Author, Body: body}, err
}

// understood tidies a correction and looks that what its person may see of the model has a meaning for it, which names its domain.
func (a *Analyst) understood(ctx context.Context, actor rules.Actor, c *knowledge.Correction) error {
	if err := c.Check(); err != nil {
		return err
	}
	k := a.deps.Knowledge(actor)
	if k.Model == nil || k.Index == nil {
		return fault.New(fault.NotFound, "correct", text.Say("analyst.no_data"), text.Say("analyst.no_data_hint"))
	}
	all, err := a.meanings(ctx, k, actor, c.Term, c.Means)
	if err != nil {
		return err
	}
	for _, o := range all { // what a term means stays, and loses more rows
		if rows, less := strings.CutPrefix(c.Means, c.Term+" excluding "); less && c.ID == "" && knowledge.Key(o.Term) == knowledge.Key(c.Term) {
			c.Means = o.Means + " excluding " + rows
		}
	}
	all = slices.DeleteFunc(all, func(o Remembered) bool {
		return o.ID == c.ID || knowledge.Key(o.Term) == knowledge.Key(c.Term)
	})
	for waited := false; ; waited = true {
		now, _ := anchor(k, a.deps.Now())
		says, ok := k.Index.Compile(interpret.Correction{Term: c.Term, Means: c.Means}, meant(all), k.Env(now, 0))
		if ok {
			c.Domain = says.Entity
			return nil
		}
		if waited || k.Await == nil || !k.Await(ctx) { // it may speak of values that are still being read
			return fault.New(fault.Invalid, "correct", text.Say("analyst.teaches_unknown", "term", c.Term, "means", c.Means), text.Say("analyst.teaches_unknown_hint"))
		}
		k = a.deps.Knowledge(actor)
	}
}

// numberOf is what the one number of a query is called; empty: it has several, or none.
func (a *Analyst) numberOf(actor rules.Actor, query string) string {
	q, refused := parseQuery(query)
	k := a.deps.Knowledge(actor)
	if refused != nil || k.Model == nil {
		return ""
	}
	now, _ := anchor(k, a.deps.Now())
	plan := frameql.Try(q, k.Env(now, 0))
	if plan == nil {
		return ""
	}
	name := ""
	for _, s := range plan.Query.Select {
		switch {
		case s.Expr == nil:
		case name != "" || s.Expr.Metric == "":
			return ""
		default:
			name = s.Expr.Metric
		}
	}
	if x := k.Model.Metric(name); x != nil {
		return strings.ToLower(x.Label)
	}
	return ""
}

// Corrections lists what a person taught, by term. Fault Unauthorized.
func (a *Analyst) Corrections(ctx context.Context, actor string, caller rules.Caller) ([]knowledge.Correction, error) {
	who, err := a.rules().Identify(actor, caller)
	if err != nil {
		return nil, err
	}
	return a.deps.Memory.Corrections(ctx, who.ID)
}

// Amend gives what a person taught another term or meaning, and what a person prefers another value. Faults: NotFound, Conflict, Unauthorized, and those of Teach.
func (a *Analyst) Amend(ctx context.Context, id string, l Lesson) (*Taught, error) {
	actor, err := a.person(l.Actor, l.Caller)
	if err != nil {
		return nil, err
	}
	all, err := a.deps.Memory.Corrections(ctx, actor.ID)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(c knowledge.Correction) bool { return c.ID == id })
	if i < 0 {
		return a.amendPreference(ctx, actor, id, l.Means)
	}
	c, before := all[i], own(all[i])
	c.Term, c.Means, c.ReadBy = cmp.Or(l.Term, c.Term), cmp.Or(l.Means, c.Means), "" // its person wrote it now
	if err := a.understood(ctx, actor, &c); err != nil {
		return nil, err
	}
	record, err := recordOf(c, "changed")
	if err != nil {
		return nil, err
	}
	if err := a.deps.Memory.ChangeCorrection(ctx, &c, record); err != nil {
		return nil, err
	}
	a.tell(c)
	return &Taught{Correction: &c, Before: &before, Scope: InQuestions, Words: text.Say("analyst.taught_anew", "term", c.Term, "means", c.Means, "before", before.Means)}, nil
}

// Forget removes what a person taught or prefers, so that nothing of it can be read in the memory afterwards. Answers that were read with it keep that in their sessions, until those go. Faults: NotFound, also of what
// somebody else taught; Unauthorized, Unavailable.
func (a *Analyst) Forget(ctx context.Context, id, actor string, caller rules.Caller) error {
	who, err := a.person(actor, caller)
	if err != nil {
		return err
	}
	record, err := recordOf(knowledge.Correction{Author: who.ID}, "forgotten")
	if err != nil {
		return err
	}
	if err = a.deps.Memory.ForgetCorrection(ctx, who.ID, id, record); fault.CodeOf(err) == fault.NotFound {
		return a.ForgetPreference(ctx, id, actor, caller)
	}
	return err
}

// Narrow has what a person taught hold in the answer that it was said of alone: that stands, and other questions are read as they were before. What it took the place of holds again, and is the correction
// that is given; nil: nothing was. Faults: NotFound, also of what somebody else taught; Unauthorized, Unavailable.
func (a *Analyst) Narrow(ctx context.Context, id, actor string, caller rules.Caller) (*Taught, error) {
	who, err := a.person(actor, caller)
	if err != nil {
		return nil, err
	}
	all, err := a.deps.Memory.Corrections(ctx, who.ID)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(c knowledge.Correction) bool { return c.ID == id })
	if i < 0 {
		return nil, fault.New(fault.NotFound, "find correction", text.Say("memory.no_correction"), text.Say("memory.no_correction_hint"))
	}
	record, err := recordOf(knowledge.Correction{Author: who.ID}, "narrowed")
	if err != nil {
		return nil, err
	}
	back, err := a.deps.Memory.TakeBackCorrection(ctx, who.ID, id, record)
	if err != nil {
		return nil, err
	}
	was := own(all[i])
	t := &Taught{Correction: back, Before: &was, Scope: InAnswer, Words: text.Say("analyst.narrowed", "term", was.Term, "means", was.Means)}
	if back != nil {
		t.Words = text.Say("analyst.narrowed_back", "term", was.Term, "means", was.Means, "back", back.Means)
	}
	return t, nil
}

// own is what a person taught, as an answer was read with it.
func own(c knowledge.Correction) Remembered {
	r := Remembered{ID: c.ID, Term: c.Term, Means: c.Means}
	if c.Unconfirmed() {
		r.ReadBy = c.ReadBy
	}
	return r
}

// meant is what terms mean, as the reader wants it.
func meant(all []Remembered) []interpret.Correction {
	out := make([]interpret.Correction, len(all))
	for i, c := range all {
		out[i] = interpret.Correction{Term: c.Term, Means: c.Means, Agreed: c.Agreed}
	}
	return out
}

// meanings are those that terms have for a person: what the person taught, all of it, and what was agreed for everybody of the words of some texts, which stands behind it.
func (a *Analyst) meanings(ctx context.Context, k Knowledge, actor rules.Actor, texts ...string) ([]Remembered, error) {
	taught, err := a.deps.Memory.Corrections(ctx, actor.ID)
	if err != nil {
		return nil, err
	}
	mine := map[string]bool{}
	for _, c := range taught {
		mine[knowledge.Key(c.Term)] = true
		texts = append(texts, c.Means)
	}
	agreed, err := a.agreed(ctx, k, actor, texts)
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(agreed, func(c Remembered) bool { return mine[knowledge.Key(c.Term)] })
	for _, c := range taught {
		all = append(all, own(c))
	}
	return all, nil
}

// recallMeanings finds what the words of the question mean by the person who asks, or by what was agreed. It stands in the trace, and a turn that is asked again is read with what held then.
func (r *run) recallMeanings(ctx context.Context, s *session.Step) error {
	var all []Remembered
	if r.req.again != nil {
		all = r.req.again.meant
	} else {
		recent, err := r.a.deps.Memory.Recent(ctx, r.answer.SessionID, r.place, 1) // it may go on from a word that is not in its own words
		if err != nil {
			return err
		}
		if all, err = r.a.meanings(ctx, r.knowledge, r.actor, slices.Concat(recent, []string{r.question})...); err != nil {
			return err
		}
	}
	partly := !r.a.rules().Whitelist(r.actor).Everything()
	r.known, r.recalled = all, nil
	for _, i := range r.knowledge.Index.Corrected(r.question, meant(all)) {
		if c := all[i]; partly && c.Agreed { // it may speak of what this person does not see
			if _, ok := r.knowledge.Index.Compile(meant(all[i : i+1])[0], meant(all), r.env); !ok {
				continue
			}
		}
		r.recalled = append(r.recalled, all[i])
	}
	if len(r.recalled) > 0 && s != nil {
		s.Facts = map[string]any{recalledFact: r.recalled}
	}
	return nil
}

// recalledFact is the name of the meanings of a question among the facts of the step that reads it.
const recalledFact = "corrections"

// mostRecalled is how many meanings a recorded question is read with at most.
const mostRecalled = 100

// recalledBy are the meanings with which a recorded turn was read. It may come from somebody else's file: what is no correction is none.
func recalledBy(t session.Turn) []Remembered {
	var all []Remembered
	for _, s := range t.Trace {
		var asked []Remembered
		if fact, there := s.Facts[recalledFact]; !there || decoded(fact, &asked) != nil {
			continue
		}
		for _, one := range asked[:min(len(asked), mostRecalled)] {
			c := knowledge.Correction{Term: one.Term, Means: one.Means}
			if c.Check() == nil {
				one.Term, one.Means = c.Term, c.Means
				all = append(all, one)
			}
		}
	}
	return all
}

// taught is what the words of the question mean, for a language model; elsewhere: it does not run on this machine, and is not told what is confidential.
func (r *run) taught(elsewhere bool) []mind.Taught {
	var all []mind.Taught
	for _, c := range r.recalled {
		if elsewhere && c.confidential {
			continue
		}
		all = append(all, mind.Taught{Term: c.Term, Means: c.Means})
	}
	return all
}

// noteMeanings notes with which meanings the question was read, in its own words or in those that it goes on from, and says whether a memo defined a word of it beside them.
func (r *run) noteMeanings(reading *interpret.Reading) (others bool) {
	terms := slices.Clone(reading.Defined)
	for _, c := range r.known {
		if name := r.knowledge.Index.NameOf(c.Term); slices.ContainsFunc(reading.Query.With, func(d frameql.Def) bool { return d.Name == name }) {
			terms = append(terms, c.Term)
		}
	}
	for _, term := range terms {
		i := slices.IndexFunc(r.known, func(c Remembered) bool { return c.Term == term })
		if i < 0 {
			others = true
			continue
		}
		if !slices.Contains(r.answer.Remembered, r.known[i]) {
			r.answer.Remembered = append(r.answer.Remembered, r.known[i])
			if by := r.known[i].ReadBy; by != "" {
				u := r.answer.Understood
				u.Assumptions = append(u.Assumptions, text.Say("analyst.assume_read_by", "term", term, "model", by))
			}
		}
	}
	return others
}
