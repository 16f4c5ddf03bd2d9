package review

import (
	"context"
	"slices"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// Relied is a question whose answer is relied on.
type Relied struct {
	Kind     string // golden accepted
	ID       string
	Question string
	FrameQL  string
	Actor    string // who asked; empty: everybody's
}

// Blast is what would come of a piece of knowledge: how the questions whose answers are relied on would be read and answered. It is worked out here, and nothing of it is kept.
type Blast struct {
	Looked  int     `json:"looked" doc:"Questions that were looked at"`
	Changed []Moved `json:"changed" nullable:"false" doc:"Those that would be answered otherwise, of which this person may know"`
	Others  int     `json:"others" doc:"How many answers of other people would be others: their questions are their own"`
	Left    int     `json:"left" doc:"Questions that would be read otherwise and were not run: there are too many"`
}

// Moved is a question that would be answered otherwise.
type Moved struct {
	Kind     string `json:"kind" enum:"golden,accepted"`
	ID       string `json:"id"`
	Question string `json:"question"`
	Before   string `json:"before" doc:"Frame-QL of now"`
	After    string `json:"after" doc:"Frame-QL of then; empty: it would not be answered"`
	Words    string `json:"words" doc:"What would change, in a sentence"`
	// Change compares the rows; null: one of the two does not run.
	Change *session.FrameChange `json:"change"`
}

// mostRun is how many questions are run on both sides.
const mostRun = 50

// Blast works out what would come of a piece of knowledge. Faults: NotFound, as of Look; Canceled.
func (b *Board) Blast(ctx context.Context, actor rules.Actor, id string) (Blast, error) {
	item, _, err := b.seen(ctx, actor, id)
	if err != nil {
		return Blast{}, err
	}
	out := Blast{Changed: []Moved{}}
	k := b.deps.Whole()
	relied, err := b.deps.Relied(ctx)
	if err != nil || item.Term == "" || k.Index == nil {
		return out, err
	}
	said := []interpret.Correction{{Term: item.Term, Means: item.Means, Agreed: true}}
	others, err := b.standing(ctx, k, item)
	if err != nil {
		return out, err
	}
	env, ran := b.deps.Env(), 0
	for _, r := range relied {
		if err := ctx.Err(); err != nil {
			return out, fault.Wrap(fault.Canceled, "look ahead", text.Say("analyst.canceled"), "", err)
		}
		out.Looked++
		if len(k.Index.Corrected(r.Question, said)) == 0 || b.ownMeaning(ctx, r.Actor, item.Term) {
			continue
		}
		result := k.Index.Read(interpret.Request{Question: r.Question, Env: env, Corrections: append(slices.Clone(others), said...), Bare: true})
		m := Moved{Kind: r.Kind, ID: r.ID, Question: r.Question, Before: r.FrameQL}
		if result.Reading != nil {
			m.After = result.Reading.Query.String()
		}
		if m.After == m.Before {
			continue
		}
		if ran++; ran > mostRun {
			out.Left++
			continue
		}
		if err := b.compare(ctx, env, &m); err != nil {
			return out, err
		}
		switch {
		case m.Change != nil && m.Change.Same: // written otherwise, and the same rows
		case r.Actor != "" && r.Actor != actor.ID:
			out.Others++
		default:
			out.Changed = append(out.Changed, m)
		}
	}
	return out, nil
}

// standing are the meanings that hold for everybody beside a piece of knowledge.
func (b *Board) standing(ctx context.Context, k analyst.Knowledge, item knowledge.Item) ([]interpret.Correction, error) {
	var all []interpret.Correction
	for _, t := range k.Model.Terms {
		all = append(all, interpret.Correction{Term: t.Term, Means: t.Means, Agreed: true})
	}
	items, err := b.deps.Memory.Items(ctx, knowledge.Approved, knowledge.Mandatory)
	for _, i := range items {
		if i.ID != item.ID && i.ID != item.Supersedes && i.Term != "" && i.Audience == "" && i.Counts(b.deps.Now()) {
			all = append(all, interpret.Correction{Term: i.Term, Means: i.Means, Agreed: true})
		}
	}
	return slices.DeleteFunc(all, func(c interpret.Correction) bool { return knowledge.Key(c.Term) == knowledge.Key(item.Term) }), err
}

// ownMeaning says whether somebody gave a term a meaning of their own, which goes before what is agreed.
func (b *Board) ownMeaning(ctx context.Context, actor, term string) bool {
	if actor == "" {
		return false
	}
	mine, err := b.deps.Memory.Corrections(ctx, actor)
	return err == nil && slices.ContainsFunc(mine, func(c knowledge.Correction) bool { return knowledge.Key(c.Term) == knowledge.Key(term) })
}

// compare runs a question as it is read now and as it would be, and says what would change. Columns are compared by their place: they may be called otherwise.
func (b *Board) compare(ctx context.Context, env frameql.Env, m *Moved) error {
	before, err := b.run(ctx, env, m.Before)
	if err != nil {
		return err
	}
	if m.After == "" {
		m.Words = text.Say("review.unanswered")
		return nil
	}
	after, err := b.run(ctx, env, m.After)
	switch {
	case err != nil:
		return err
	case before == nil || after == nil:
		m.Words = text.Say("review.does_not_run")
		return nil
	}
	if len(before.Columns) == len(after.Columns) {
		renamed := *after
		renamed.Columns = slices.Clone(after.Columns)
		for i := range renamed.Columns {
			renamed.Columns[i].Name = before.Columns[i].Name
		}
		after = &renamed
	}
	change := session.ChangeOf(before, after)
	m.Change, m.Words = &change, change.Words()
	return nil
}

// run computes a query; nil: it has no answer.
func (b *Board) run(ctx context.Context, env frameql.Env, query string) (*frameql.Frame, error) {
	var plan *frameql.Plan
	if q, err := frameql.Parse(query); err == nil { // else it is of a statement, or of older grammar
		plan = frameql.Try(q, env)
	}
	if plan == nil {
		return nil, nil
	}
	f, err := b.deps.Run(ctx, plan)
	if err != nil && fault.CodeOf(err) != fault.Canceled {
		return nil, nil
	}
	return f, err
}
