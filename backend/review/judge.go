package review

import (
	"context"
	"slices"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// byRules is who found what the rules find.
const byRules = "rules"

// Judged says how far a model compared a piece of knowledge with others.
type Judged struct {
	By       string    `json:"by" doc:"The model: PROVIDER:MODEL"`
	Actor    string    `json:"actor" doc:"Who had it asked"`
	At       time.Time `json:"at"`
	Compared int       `json:"compared" doc:"Others that it was shown"`
	Left     int       `json:"left" doc:"Others that it was not shown: there were too many, or they are confidential and it is not on this machine"`
	Failed   bool      `json:"failed" doc:"Nothing came of it"`
	Text     string    `json:"text" doc:"The same in words, with what left this machine for it"`
}

// surroundings are what a piece of knowledge is seen beside.
type surroundings struct {
	byTerm func(term string) []knowledge.Item
	byID   map[string]knowledge.Item
	said   map[string][]knowledge.Judgment // by either of their pieces
	asked  map[string]knowledge.Judging
	judge  string // the model that is on
}

// around gathers what pieces are seen beside; with an id for that one alone.
func (b *Board) around(ctx context.Context, actor rules.Actor, all []knowledge.Item, id string) (surroundings, error) {
	of := surroundings{byTerm: b.byTerm(all), byID: map[string]knowledge.Item{}, said: map[string][]knowledge.Judgment{}, asked: map[string]knowledge.Judging{}, judge: b.deps.Judges(ctx, actor)}
	for _, i := range all {
		of.byID[i.ID] = i
	}
	said, asked, err := b.deps.Memory.Judged(ctx, id)
	if err != nil {
		return of, err
	}
	for _, j := range said {
		of.said[j.Item], of.said[j.Other] = append(of.said[j.Item], j), append(of.said[j.Other], j)
	}
	for _, j := range asked {
		of.asked[j.Item] = j
	}
	return of, nil
}

// contrary are the others of which a model says that they cannot hold together with a piece, beside those that the rules found, whose word stands.
func (of surroundings) contrary(viewer knowledge.Viewer, i knowledge.Item, found []Conflict, now time.Time) []Conflict {
	var all []Conflict
	for _, said := range of.said[i.ID] {
		id := said.Other
		if id == i.ID {
			id = said.Item
		}
		o, there := of.byID[id]
		if !there || !o.Visible(viewer, now) || !o.Standing(now) || slices.ContainsFunc(found, func(c Conflict) bool { return c.Item == id }) {
			continue
		}
		if j, holds := said.Seen(i, o); holds && j.Contradicts {
			all = append(all, Conflict{Item: o.ID, Term: o.Term, Means: told(o), Relation: knowledge.Contrary, Severity: j.Severity, Suggestion: j.Suggestion, By: j.Model, Why: j.Why})
		}
	}
	return all
}

// told is what a piece says beside its term.
func told(i knowledge.Item) string {
	if i.Term == "" {
		return i.Content
	}
	return i.Means
}

// judged is when a model compared a piece last, as it is told to stewards and to who had it done; nil: none did since it says what it says.
func (of surroundings) judged(viewer knowledge.Viewer, i knowledge.Item) *Judged {
	j, there := of.asked[i.ID]
	if !there || j.As != i.Revision() || !viewer.Steward && j.Actor != viewer.Actor {
		return nil
	}
	v := Judged{By: j.Model, Actor: j.Actor, At: j.At, Compared: j.Compared, Left: j.Left, Failed: j.Failed != ""}
	switch {
	case v.Failed:
		v.Text = text.Say("review.judge_failed", "model", j.Model, "why", j.Failed)
	default:
		v.Text = text.Count("review.judge_compared", int64(j.Compared), "model", j.Model, "n", j.Compared)
	}
	if j.Left > 0 {
		v.Text += " " + text.Count("review.judge_left", int64(j.Left), "n", j.Left)
	}
	switch {
	case j.Bytes == 0:
	case j.Local:
		v.Text += " " + text.Say("review.judge_here")
	case j.Masked > 0:
		v.Text += " " + text.Say("review.judge_masked", "host", j.Host, "bytes", j.Bytes)
	default:
		v.Text += " " + text.Say("review.judge_sent", "host", j.Host, "bytes", j.Bytes)
	}
	return &v
}

// mayJudge says whether somebody may have a piece compared by the model that they chose: a steward, an admin, who brought it, and who works alone.
func mayJudge(c knowledge.Council, viewer knowledge.Viewer, i knowledge.Item) bool {
	return !i.Personal && (viewer.Steward || c.People == 1 || viewer.Actor != "" && viewer.Actor == i.Contributor)
}

// Judge has the model that an actor chose say, in one request, which others about the same thing cannot hold together with a piece; what it says is kept beside what the rules find. Those that the same model compared
// with it before, and that say the same since, are not sent again, and where there are no others nothing is. What is confidential goes to no model elsewhere. That the model failed is no fault: it stands in what
// is given back, and what the rules find stays.
//
// Faults: NotFound, as of Look; Unauthorized: it is not theirs to have compared; Conflict: no model is on, it neither waits nor holds, or it is confidential and the model is elsewhere; those of the choice of a model.
func (b *Board) Judge(ctx context.Context, actor rules.Actor, id string) (Reviewed, error) {
	item, c, err := b.seen(ctx, actor, id)
	if err != nil {
		return Reviewed{}, err
	}
	viewer, now := b.viewer(c, actor), b.deps.Now()
	refuse := func(code fault.Code, key string, args ...any) (Reviewed, error) {
		return Reviewed{}, fault.New(code, "judge", text.Say(key, args...), text.Say(key+"_hint"))
	}
	switch {
	case !mayJudge(c, viewer, item):
		return refuse(fault.Unauthorized, "review.judge_not_yours")
	case !item.Standing(now):
		return refuse(fault.Conflict, "review.judge_not_standing")
	}
	judge, err := b.deps.Judge(ctx, actor)
	switch {
	case err != nil:
		return Reviewed{}, err
	case judge == nil:
		return refuse(fault.Conflict, "review.judge_none")
	case item.Sensitivity == knowledge.Confidential && !judge.Local:
		return refuse(fault.Conflict, "review.judge_confidential", "model", judge.Name)
	}
	all, err := b.deps.Memory.ItemsAbout(ctx, item.Domain, "")
	if err != nil {
		return Reviewed{}, err
	}
	said, _, err := b.deps.Memory.Judged(ctx, item.ID)
	if err != nil {
		return Reviewed{}, err
	}
	before := func(o knowledge.Item) bool {
		return slices.ContainsFunc(said, func(j knowledge.Judgment) bool {
			_, holds := j.Seen(item, o)
			return holds && j.Model == judge.Name
		})
	}
	candidates, left := item.Candidates(all, viewer, now, !judge.Local, before)
	if len(candidates) == 0 {
		return b.Look(ctx, actor, id)
	}
	ruling, err := judge.Compare(ctx, item, candidates, func(s session.Sent) error {
		r, err := record(actor.ID, kept{What: "judged", Item: item.ID, Status: item.Status, With: len(candidates), Sent: &s})
		if err != nil {
			return err
		}
		return b.deps.Memory.Record(ctx, r)
	})
	if err != nil {
		return Reviewed{}, err
	}
	asked := knowledge.Judging{
		Item: item.ID, As: item.Revision(), Model: judge.Name, Actor: actor.ID, Compared: len(ruling.Compared), Left: left + len(candidates) - len(ruling.Compared),
		Host: judge.Host, Local: judge.Local, Bytes: ruling.Sent.Bytes, Masked: ruling.Sent.Masked, Failed: ruling.Failed,
	}
	var judgments []knowledge.Judgment
	if ruling.Failed == "" {
		judgments, _ = knowledge.Hold(ruling.Said, item, ruling.Compared)
		for n := range judgments {
			judgments[n].Model = judge.Name
		}
	}
	if err := b.deps.Memory.KeepJudging(ctx, asked, judgments); err != nil {
		return Reviewed{}, err
	}
	return b.Look(ctx, actor, id)
}
