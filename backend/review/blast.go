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
	FrameQL  string // empty: it is answered in SQL, or with values that nobody knows yet
	Actor    string // who asked; empty: everybody's
}

// Blast is what would come of a piece of knowledge: how the questions whose answers are relied on would be read and answered. It is worked out here, and nothing of it is kept.
type Blast struct {
	Looked  int     `json:"looked" doc:"Questions that were looked at"`
	Changed []Moved `json:"changed" nullable:"false" doc:"Those that would be answered otherwise, of which this person may know"`
	Others  int     `json:"others" doc:"How many answers would be others that are not this person's to know: of other people, whose questions are their own, and of what this person's role does not see"`
	Left    int     `json:"left" doc:"Questions that would be read otherwise and were not run: there are too many"`
	Apart   int     `json:"apart" doc:"Questions that are relied on as their words alone are not read: they go on from others, are answered in SQL, or a model read them. What would come of them is not known"`
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
	said := interpret.Correction{Term: item.Term, Means: item.Means, Agreed: true}
	now, then, err := b.standing(ctx, k, item)
	if err != nil {
		return out, err
	}
	env, sight, ran := b.deps.Env(), b.deps.Seen(actor), 0
	read := func(question string, with []interpret.Correction) string {
		result := k.Index.Read(interpret.Request{Question: b.deps.Plain(question), Env: env, Corrections: with, Bare: true})
		if result.Reading == nil {
			return ""
		}
		return result.Reading.Query.String()
	}
	for _, r := range relied {
		if err := ctx.Err(); err != nil {
			return out, fault.Wrap(fault.Canceled, "look ahead", text.Say("analyst.canceled"), "", err)
		}
		out.Looked++
		if len(k.Index.Corrected(r.Question, []interpret.Correction{said})) == 0 || b.ownMeaning(ctx, r.Actor, item.Term) {
			continue
		}
		if r.FrameQL == "" {
			out.Apart++
			continue
		}
		alone, after := read(r.Question, now), read(r.Question, append(slices.Clone(then), said))
		if alone == after {
			if alone == "" {
				out.Apart++
			}
			continue
		}
		if ran++; ran > mostRun {
			out.Left++
			continue
		}
		if alone != r.FrameQL {
			stands, err := b.changed(ctx, env, r.FrameQL, alone)
			if err != nil {
				return out, err
			}
			if stands == nil || !stands.Same {
				out.Apart++
				continue
			}
		}
		m := Moved{Kind: r.Kind, ID: r.ID, Question: r.Question, Before: r.FrameQL, After: after}
		if m.Change, err = b.changed(ctx, env, m.Before, m.After); err != nil {
			return out, err
		}
		switch {
		case m.After == "":
			m.Words = text.Say("review.unanswered")
		case m.Change == nil:
			m.Words = text.Say("review.does_not_run")
		default:
			m.Words = m.Change.Words()
		}
		switch {
		case m.Change != nil && m.Change.Same: // written otherwise, and the same rows
		case r.Actor != "" && r.Actor != actor.ID, !sight.Everything && !(sight.resolves(m.Before) && (m.After == "" || sight.resolves(m.After))):
			out.Others++
		default:
			out.Changed = append(out.Changed, m)
		}
	}
	return out, nil
}

// resolves says whether a query speaks only of what somebody sees.
func (s Sight) resolves(query string) bool {
	q, err := frameql.Parse(query)
	return err == nil && s.Knowledge.Model != nil && frameql.Try(q, s.Env) != nil
}

// standing are the meanings that hold for everybody without a piece of knowledge, and those of them that would hold beside it.
func (b *Board) standing(ctx context.Context, k analyst.Knowledge, item knowledge.Item) (now, beside []interpret.Correction, err error) {
	holds := func(term, means string) {
		if knowledge.Key(term) != knowledge.Key(item.Term) || !knowledge.SameMeaning(means, item.Means) { // else it is the piece itself, in a file or once more
			now = append(now, interpret.Correction{Term: term, Means: means, Agreed: true})
		}
	}
	for _, t := range k.Model.Terms {
		holds(t.Term, t.Means)
	}
	items, err := b.deps.Memory.Items(ctx, knowledge.Approved, knowledge.Mandatory)
	superseded := ""
	for _, i := range items {
		if i.ID == item.ID || i.Term == "" || i.Audience != "" || !i.Counts(b.deps.Now()) {
			continue
		}
		if i.ID == item.Supersedes {
			superseded = knowledge.Key(i.Term)
		}
		holds(i.Term, i.Means)
	}
	gone := []string{knowledge.Key(item.Term), superseded}
	beside = slices.DeleteFunc(slices.Clone(now), func(c interpret.Correction) bool { return slices.Contains(gone, knowledge.Key(c.Term)) })
	return now, beside, err
}

// ownMeaning says whether somebody gave a term a meaning of their own, which goes before what is agreed.
func (b *Board) ownMeaning(ctx context.Context, actor, term string) bool {
	if actor == "" {
		return false
	}
	mine, err := b.deps.Memory.Corrections(ctx, actor)
	return err == nil && slices.ContainsFunc(mine, func(c knowledge.Correction) bool { return knowledge.Key(c.Term) == knowledge.Key(term) })
}

// changed compares the rows of two queries; nil: one of the two has none. Columns are compared by their place: they may be called otherwise.
func (b *Board) changed(ctx context.Context, env frameql.Env, was, is string) (*session.FrameChange, error) {
	before, err := b.run(ctx, env, was)
	if err != nil || before == nil {
		return nil, err
	}
	after, err := b.run(ctx, env, is)
	if err != nil || after == nil {
		return nil, err
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
	return &change, nil
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
