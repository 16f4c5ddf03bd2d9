package review

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"assay/backend/fault"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Reviewed is a piece of shared knowledge as somebody sees it.
type Reviewed struct {
	knowledge.Item
	Stands     knowledge.Status    `json:"stands" enum:"pending,approved,mandatory,rejected,revoked,expired" doc:"Its status by now"`
	Confidence float64             `json:"confidence" doc:"0 to 1, by its evidence alone"`
	People     int                 `json:"people" doc:"Different people whose word stands behind it"`
	Seniors    int                 `json:"seniors" doc:"Of these, senior ones"`
	Needed     int                 `json:"needed" doc:"How many senior people it takes before a steward can approve; 0: the workspace is one person's, who decides alone"`
	May        []knowledge.Verdict `json:"may" nullable:"false" doc:"What this person can decide about it now"`
	ValidFrom  *time.Time          `json:"valid_from" doc:"From when it holds; null: from its decision on"`
	ValidUntil *time.Time          `json:"valid_until" doc:"Until when; null: without an end"`
	Groups     []string            `json:"groups" nullable:"false" doc:"Whom this person can have it reach, beside everyone; empty also where they cannot say"`
	Conflicts  []Conflict          `json:"conflicts" nullable:"false" doc:"What says otherwise, or the same"`
	Checked    Validation          `json:"checked"`
	Judge      string              `json:"judge" doc:"The model that this person can have it compared by with what else is known about the same: PROVIDER:MODEL; empty: none is on, or it is not theirs to have compared"`
	Judged     *Judged             `json:"judged" doc:"When a model compared it last, for stewards and for who had it done; null: none did since it says what it says"`
}

// Conflict is something that does not go together with a piece of knowledge, or repeats it.
type Conflict struct {
	Item       string             `json:"item" doc:"Empty: it stands in the context files"`
	Term       string             `json:"term"`
	Means      string             `json:"means"`
	Relation   knowledge.Relation `json:"relation" enum:"same,opposite,rival,contrary" doc:"contrary: a model says that not both can hold; the others are found by rules"`
	Severity   string             `json:"severity" enum:",low,medium,high" doc:"Empty: the model gave none"`
	Suggestion string             `json:"suggestion" enum:",keep_this,keep_other,merge,both_valid" doc:"By rules: what is surer is kept; by a model: what it suggests, and empty where it suggests nothing"`
	By         string             `json:"by" doc:"Who found it: rules, or a model as PROVIDER:MODEL"`
	Why        string             `json:"why" doc:"Of a model: why, in its own words; empty: it gave no reason that can be shown"`
}

// Validation says what a piece of knowledge means in the model.
type Validation struct {
	Understood bool         `json:"understood"`
	Says       string       `json:"says" doc:"In Frame-QL; empty: it gives no word a meaning, or is not understood"`
	Notes      []string     `json:"notes" nullable:"false" doc:"What to look at: sentences"`
	Project    *ProjectSays `json:"project" doc:"What the dbt project that was imported says of it, for those who decide; null: none was imported, or they do not"`
}

// mostListed is how many pieces of a kind are listed, of those that wait and of those that were decided about: the latest.
const mostListed = 500

// List gives the shared knowledge that an actor may see: what waits for a decision first, of that what can be approved, then the rest, each the latest first.
func (b *Board) List(ctx context.Context, actor rules.Actor) ([]Reviewed, error) {
	c, err := b.council(ctx, actor.ID)
	if err != nil {
		return nil, err
	}
	all, err := b.deps.Memory.Items(ctx)
	if err != nil {
		return nil, err
	}
	all = b.those(actor, c, all)
	of, err := b.around(ctx, actor, all, "")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(x, y knowledge.Item) int { return cmp.Compare(b.reached(c, y), b.reached(c, x)) })
	var waiting, decided []Reviewed
	for _, i := range all {
		list := &decided
		if i.Status == knowledge.Pending {
			list = &waiting
		}
		if len(*list) < mostListed {
			*list = append(*list, b.view(c, actor, i, of))
		}
	}
	return append(append([]Reviewed{}, waiting...), decided...), nil
}

// reached is 1 for what waits and enough stand behind for a steward to approve it: it is listed first.
func (b *Board) reached(c knowledge.Council, i knowledge.Item) int {
	if i.Status == knowledge.Pending && c.Seniors(i) > c.MoreThan {
		return 1
	}
	return 0
}

// those are the pieces that are an actor's to see.
func (b *Board) those(actor rules.Actor, c knowledge.Council, all []knowledge.Item) []knowledge.Item {
	sight, viewer, now := b.deps.Seen(actor), b.viewer(c, actor), b.deps.Now()
	return slices.DeleteFunc(all, func(i knowledge.Item) bool { return !sight.sees(i, viewer, now) })
}

// byTerm finds what gives one word a meaning.
func (b *Board) byTerm(all []knowledge.Item) func(term string) []knowledge.Item {
	k := b.deps.Whole()
	if k.Index == nil {
		return func(string) []knowledge.Item { return nil }
	}
	of := map[string][]knowledge.Item{}
	for _, i := range all {
		if i.Term != "" {
			key := k.Index.KeyOf(i.Term)
			of[key] = append(of[key], i)
		}
	}
	return func(term string) []knowledge.Item { return of[k.Index.KeyOf(term)] }
}

// Look gives one piece. Fault NotFound: there is none that the actor may see.
func (b *Board) Look(ctx context.Context, actor rules.Actor, id string) (Reviewed, error) {
	item, c, err := b.seen(ctx, actor, id)
	if err != nil {
		return Reviewed{}, err
	}
	all, err := b.deps.Memory.ItemsAbout(ctx, item.Domain, item.Term)
	if err != nil {
		return Reviewed{}, err
	}
	of, err := b.around(ctx, actor, b.those(actor, c, all), item.ID)
	if err != nil {
		return Reviewed{}, err
	}
	return b.view(c, actor, item, of), nil
}

// seen reads an item that an actor may see. Fault NotFound, in the same words for what is not theirs to see.
func (b *Board) seen(ctx context.Context, actor rules.Actor, id string) (knowledge.Item, knowledge.Council, error) {
	c, err := b.council(ctx, actor.ID)
	if err != nil {
		return knowledge.Item{}, c, err
	}
	item, err := b.deps.Memory.Item(ctx, id)
	if err == nil && !b.deps.Seen(actor).sees(item, b.viewer(c, actor), b.deps.Now()) {
		err = fault.New(fault.NotFound, "find knowledge", text.Say("knowledge.no_item"), "")
	}
	return item, c, err
}

func (b *Board) view(c knowledge.Council, actor rules.Actor, i knowledge.Item, of surroundings) Reviewed {
	now, viewer, sight := b.deps.Now(), b.viewer(c, actor), b.deps.Seen(actor)
	v := Reviewed{
		Item: i, Stands: i.At(now), People: len(i.Behind()), Seniors: c.Seniors(i), Needed: c.MoreThan + 1, May: []knowledge.Verdict{},
		Confidence: round(b.deps.Rules().Confidence.Confidence(i.Evidence, c.Steward, now)), Conflicts: b.conflicts(c, viewer, sight, i, of.byTerm(i.Term)), Checked: validate(sight, i),
	}
	v.Conflicts = append(v.Conflicts, of.contrary(viewer, i, v.Conflicts, now)...)
	if mayJudge(c, viewer, i) {
		v.Judge, v.Judged = of.judge, of.judged(viewer, i)
	}
	if c.People == 1 {
		v.Needed = 0 // who works alone decides alone
	}
	v.ValidFrom, v.ValidUntil, v.Groups = timeOrNil(i.From), timeOrNil(i.Until), []string{}
	for _, verdict := range []knowledge.Verdict{knowledge.Approve, knowledge.Order, knowledge.Reject, knowledge.Revoke, knowledge.Endorse, knowledge.Hide, knowledge.Offer} {
		if _, err := c.Decide(i, knowledge.Decision{Verdict: verdict, By: actor.ID, Reason: "a reason", At: now}, viewer); err == nil {
			v.May = append(v.May, verdict)
		}
	}
	if _, err := c.Direct(i, i.Reach(), knowledge.Decision{By: actor.ID, At: now}, viewer, nil, []string{i.Audience}); directable(err) {
		v.May, v.Groups = append(v.May, knowledge.Directed), b.groups()
	}
	if _, err := c.Describe(i, knowledge.Description{}, knowledge.Decision{By: actor.ID, At: now}, viewer); fault.CodeOf(err) == fault.Invalid { // nothing said is no description, whoever asks
		v.May = append(v.May, knowledge.Described)
	}
	if i.Forgets(actor.ID, viewer, now) == nil {
		v.May = append(v.May, knowledge.Forgotten)
	}
	if !viewer.Steward && c.People != 1 || !sight.Everything {
		v.Checked.Project = nil
	}
	if viewer.Steward || c.People == 1 {
		return v
	}
	// Who said what in which words is for those who decide; the others, who brought it too, see how many there are, and their own words.
	v.Evidence = slices.DeleteFunc(slices.Clone(i.Evidence), func(e knowledge.Evidence) bool { return e.Actor != actor.ID })
	v.History = slices.DeleteFunc(slices.Clone(i.History), func(d knowledge.Decision) bool { return d.Verdict == knowledge.Endorse && d.By != actor.ID })
	return v
}

// directable says whether somebody may say whom an item reaches, going by what came of its saying the same again: that its time is over, or that what it replaces is gone, is no matter of who asks.
func directable(err error) bool {
	return err == nil || fault.CodeOf(err) == fault.Invalid || fault.CodeOf(err) == fault.NotFound
}

func timeOrNil(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

func round(x float64) float64 { return math.Round(x*1000) / 1000 }

// validate says what an item means in the model that somebody sees, and what in the model it stands beside.
func validate(sight Sight, i knowledge.Item) Validation {
	v := Validation{Notes: []string{}}
	k := sight.Knowledge
	if i.Term == "" || k.Index == nil {
		return v
	}
	says, ok := k.Index.Compile(interpret.Correction{Term: i.Term, Means: i.Means}, nil, sight.Env)
	v.Project = project(k.Model, i, says, ok)
	if !ok {
		v.Notes = append(v.Notes, text.Say("review.not_understood", "term", i.Term, "means", i.Means))
		return v
	}
	v.Understood, v.Says = true, saysOf(says)
	for n := range k.Model.Metrics {
		x := &k.Model.Metrics[n]
		if slices.Contains(says.Names, x.Name) { // it stays what it is
			continue
		}
		if !sameWord(i.Term, x.Name, x.Label) && !slices.ContainsFunc(x.Synonyms, func(s string) bool { return sameWord(i.Term, s) }) {
			continue
		}
		v.Notes = append(v.Notes, text.Say("review.redefines", "term", i.Term, "metric", x.Label))
		if from := k.Model.Registry.GeneratedFrom; v.Project == nil && from != "" && from != semantic.FromInference {
			v.Notes = append(v.Notes, text.Say("review.from_dbt", "metric", x.Label, "from", from))
		}
	}
	return v
}

func sameWord(term string, names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return n != "" && knowledge.Key(n) == knowledge.Key(term) })
}

// saysOf writes what a meaning compiles to.
func saysOf(c interpret.Compiled) string {
	var says string
	switch {
	case c.Names != nil:
		says = c.Names[0]
	case len(c.Keep) > 0:
		for n, p := range c.Keep {
			if n > 0 {
				says += " OR "
			}
			says += p.String()
		}
	case c.Formula != nil:
		says = c.Formula.String()
	}
	if c.Period != "" {
		if says != "" {
			says += " DURING "
		}
		says += c.Period
	}
	return says
}

// conflicts finds what of the same term says otherwise or the same, among others that the viewer may see and what the context files say.
func (b *Board) conflicts(c knowledge.Council, viewer knowledge.Viewer, sight Sight, i knowledge.Item, others []knowledge.Item) []Conflict {
	out := []Conflict{}
	k, now := sight.Knowledge, b.deps.Now()
	if i.Term == "" || k.Index == nil {
		return out
	}
	at := sight.Env.Now
	stated, key := k.State(i.Teaches(), at), k.Index.KeyOf(i.Term)
	table := b.deps.Rules().Confidence
	sure := table.Confidence(i.Evidence, c.Steward, now)
	for _, o := range others {
		if o.ID == i.ID || !o.Visible(viewer, now) || !o.Standing(now) {
			continue
		}
		r := stated.Relate(k.State(o.Teaches(), at))
		if r == knowledge.Unrelated {
			continue
		}
		conflict := Conflict{Item: o.ID, Term: o.Term, Means: o.Means, Relation: r, Severity: severity(r), Suggestion: suggestion(r, i, o, sure, table.Confidence(o.Evidence, c.Steward, now)), By: byRules}
		out = append(out, conflict)
	}
	for _, t := range k.Model.Terms {
		if k.Index.KeyOf(t.Term) != key || i.Merged != nil || !sight.Everything && !k.Understands(knowledge.Item{Term: t.Term, Means: t.Means}, sight.Env) {
			continue
		}
		r := stated.Relate(k.State(knowledge.Correction{Term: t.Term, Means: t.Means}, at))
		if r != knowledge.Unrelated {
			out = append(out, Conflict{Term: t.Term, Means: t.Means, Relation: r, Severity: severity(r), Suggestion: "keep_other", By: byRules})
		}
	}
	return out
}

func severity(r knowledge.Relation) string {
	switch r {
	case knowledge.Opposite:
		return "high"
	case knowledge.Rival:
		return "medium"
	}
	return "low"
}

// suggestion says by rules what may be done about two pieces of knowledge: of the same one is enough, what reaches different people may both hold, and of others the surer one is kept.
func suggestion(r knowledge.Relation, i, o knowledge.Item, sure, other float64) string {
	switch {
	case r == knowledge.Same:
		return "merge"
	case i.Audience != o.Audience && i.Audience != "" && o.Audience != "":
		return "both_valid"
	case sure > other:
		return "keep_this"
	}
	return "keep_other"
}
