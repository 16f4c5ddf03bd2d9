package analyst

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/session"
	"assay/backend/text"
)

// A sentence at the question field may be no question: "by sales I mean net revenue". What it teaches is kept like every correction, and what is asked back is what to use it for.

// teach keeps what the words teach, where the reader makes no question of them or they say so themselves, and gives what comes of the turn then: something to ask with the word, or why nothing was
// kept. Both nil: they teach nothing.
func (r *run) teach(ctx context.Context, read interpret.Result) (*interpret.Clarification, *Refused, error) {
	explicit := knowledge.SaysSo(r.stored.Question)
	follows := read.Reading != nil && read.Reading.Follow != nil || read.Refusal != nil && read.Refusal.Tied
	switch {
	case r.req.again != nil:
		if r.req.again.taught == nil {
			return nil, nil, nil
		}
		r.answer.Learned = r.req.again.taught
		asked, err := r.askWith(ctx, r.answer.Learned)
		return asked, nil, err
	case r.actor.Kind != rules.Human || r.req.Memo != "":
		return nil, nil, nil
	case !explicit && (certain(read) || follows || knowledge.Asks(r.stored.Question)):
		return nil, nil, nil
	}
	c := knowledge.Correction{Author: r.actor.ID, Detection: knowledge.ByDefinition, RequestID: r.stored.RequestID, SessionID: r.stored.SessionID}
	var t *Taught
	var err error
	switch said := knowledge.ReadWords(r.stored.Question, ""); said.Sort {
	case knowledge.Factual, knowledge.Gotcha, knowledge.Permission:
		if c, err = r.a.read(ctx, c, r.stored.Question, ""); err == nil {
			t, err = r.a.keep(ctx, r.actor, c)
		}
	case knowledge.Unclear:
		if !explicit {
			return nil, nil, nil
		}
		s := r.a.sorter(r.thinker, r.stored.Question, r.sent, nil)
		if s == nil {
			return nil, nil, nil
		}
		var ok bool
		if said, ok = r.a.sorted(ctx, r.actor, s, r.stored.Question, ""); !ok || said.Sort == knowledge.Preferred {
			return nil, nil, nil
		}
		if t, err = r.a.keepSorted(ctx, r.actor, s, c, said); t == nil && err == nil {
			return nil, nil, nil
		}
	default:
		return nil, nil, nil
	}
	switch code := fault.CodeOf(err); {
	case err == nil:
	case code == fault.Canceled || code == fault.Unavailable || code == fault.Internal:
		return nil, nil, err
	case code == fault.Unauthorized || explicit: // it was meant to teach, and cannot
		return nil, &Refused{Code: "not_taught", Message: sentence(err).Error()}, nil
	default:
		return nil, nil, nil // the reader says better what it did not understand
	}
	r.answer.Learned = t
	asked, err := r.askWith(ctx, t)
	return asked, nil, err
}

// askWith asks what a word is to be used for: the question before, where it uses the word, and the nearest others that have an answer. nil: nothing can be asked here.
func (r *run) askWith(ctx context.Context, t *Taught) (*interpret.Clarification, error) {
	turns, err := r.conversation(ctx)
	if err != nil {
		return nil, err
	}
	r.context = nil // nothing of it is gone on from
	c := interpret.Correction{Term: t.Correction.Term, Means: t.Correction.Means}
	with := append(meant(r.known), c)
	asked := &interpret.Clarification{Question: text.Say("analyst.told_what", "term", c.Term), Options: []interpret.Choice{}}
	for _, question := range r.usesOf(c, turns) {
		result := r.knowledge.Index.Read(interpret.Request{Question: r.a.Plain(question), Env: r.env, NowFromData: r.fromData, Asked: r.stored.Asked, Corrections: with, Bare: true})
		if !certain(result) {
			continue
		}
		choice := interpret.Choice{Label: question, Question: question, Value: result.Reading.Query.String()}
		same := func(o interpret.Choice) bool { return o.Value == choice.Value }
		switch {
		case asked.BestGuess == nil:
			asked.BestGuess = &choice
		case len(asked.Options) < 2 && !same(*asked.BestGuess) && !slices.ContainsFunc(asked.Options, same):
			asked.Options = append(asked.Options, choice)
		}
	}
	if asked.BestGuess == nil {
		return nil, nil
	}
	return asked, nil
}

// usesOf proposes questions that use a word by what it means: the question before where it does, then those of its kind.
func (r *run) usesOf(c interpret.Correction, turns []session.Turn) []string {
	var all []string
	for _, before := range slices.Backward(turns) {
		if before.Question != "" && len(r.knowledge.Index.Corrected(before.Question, []interpret.Correction{c})) > 0 {
			all = append(all, before.Question)
			break
		}
	}
	says, _ := r.knowledge.Index.Compile(c, meant(r.known), r.env)
	m := r.knowledge.Model
	number := says.Formula != nil || len(says.Names) > 0 && m.Metric(says.Names[0]) != nil
	switch {
	case number:
		all = append(all, text.Say("analyst.told_by_month", "term", c.Term), c.Term)
	case len(says.Names) > 0 && m.Entity(says.Names[0]) != nil:
		all = append(all, text.Say("analyst.told_count", "term", c.Term))
	}
	for _, x := range plainFirst(m.Metrics, says.Entity) {
		label := strings.ToLower(x.Label)
		switch {
		case number:
		case len(says.Names) > 0:
			all = append(all, text.Say("analyst.told_by", "metric", label, "term", c.Term))
		case says.Period != "":
			all = append(all, text.Say("analyst.told_in", "metric", label, "term", c.Term))
		default:
			all = append(all, text.Say("analyst.told_of", "metric", label, "term", c.Term))
		}
		if len(all) > mostUses {
			break
		}
	}
	return all
}

// plainFirst gives the metrics that people ask for, the count of an entity first, then sums, then the rest.
func plainFirst(all []semantic.Metric, entity string) []semantic.Metric {
	rank := func(x semantic.Metric) int {
		switch {
		case x.Reducer == semantic.Count && x.Entity == entity && x.Filter == "":
			return 0
		case x.Kind == semantic.Leaf && x.Reducer == semantic.Sum:
			return 1
		}
		return 2
	}
	out := slices.DeleteFunc(slices.Clone(all), func(x semantic.Metric) bool { return x.Hidden })
	slices.SortStableFunc(out, func(a, b semantic.Metric) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// mostUses is how many questions are tried for a word.
const mostUses = 12

// taughtBy is what a recorded turn taught by its words alone; nil: nothing. It may come from somebody else's file: it is shown, and kept nowhere.
func taughtBy(t session.Turn) *Taught {
	var a struct {
		Outcome Outcome `json:"outcome"`
		Learned *Taught `json:"learned"`
	}
	if len(t.Answer) == 0 || json.Unmarshal(t.Answer, &a) != nil || a.Outcome != OutcomeClarify || a.Learned == nil || a.Learned.Correction == nil {
		return nil
	}
	if a.Learned.Correction.Check() != nil || strings.TrimSpace(a.Learned.Words) == "" {
		return nil
	}
	return a.Learned
}
