package analyst

import (
	"context"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/knowledge"
	"assay/backend/session"
	"assay/backend/text"
)

// agreedFact names, among the facts of the step of the checks, what was agreed about the rows of the metrics of an answer.
const agreedFact = "agreed_rows"

// checkAgreed looks, where everybody agreed which rows of a metric count, whether the query counts these: it may have been written by hand, or by a model, and then no word of it was read. What is looked at
// stands in the step, and a turn that is asked again is looked at with that.
func (r *run) checkAgreed(ctx context.Context, s *session.Step) error {
	all, err := r.agreedRows(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	if s.Facts == nil {
		s.Facts = map[string]any{}
	}
	s.Facts[agreedFact] = all
	for _, c := range all {
		m, metric := r.aboutRows(c)
		if m == nil {
			continue
		}
		f := Finding{Code: "AGREED_ROWS", Severity: "caution", Status: "passed", Message: text.Say("analyst.check_agreed", "metric", metric, "means", c.Means)}
		if !counts(r.plan.Query, *m) {
			f.Status, f.Message = "finding", text.Say("analyst.agreed_not_applied", "metric", metric, "means", c.Means)
		}
		r.note(f)
	}
	return nil
}

// agreedRows are the meanings that were decided for everybody, reach the person, and say which rows of a metric of the plan count.
func (r *run) agreedRows(ctx context.Context) ([]Remembered, error) {
	if r.knowledge.Index == nil || r.knowledge.Model == nil {
		return nil, nil
	}
	if r.req.again != nil {
		return r.req.again.agreed, nil
	}
	var words []string
	for _, name := range r.plan.Metrics {
		if m := r.knowledge.Model.Metric(name); m != nil {
			words = append(words, append([]string{m.Name, m.Label}, m.Synonyms...)...)
		}
	}
	all, err := r.a.agreed(ctx, r.knowledge, r.actor, words)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(c Remembered) bool { m, _ := r.aboutRows(c); return m == nil }), nil
}

// aboutRows is a meaning that says which rows of a metric of the plan count, and what the metric is called; nil: it says something else.
func (r *run) aboutRows(c Remembered) (*knowledge.Meaning, string) {
	m := r.knowledge.State(knowledge.Correction{Term: c.Term, Means: c.Means}, r.env.Now).meaning
	if m == nil || m.On == "" || m.Keep == nil || m.Period != "" || !slices.Contains(r.plan.Metrics, m.On) {
		return nil, ""
	}
	metric := r.knowledge.Model.Metric(m.On)
	if metric == nil || r.knowledge.Index.KeyOf(metric.Label) != r.knowledge.Index.KeyOf(c.Term) { // another word for some of its rows says nothing of the metric itself
		return nil, ""
	}
	return m, metric.Label
}

// counts says whether a query has a condition on the rows of a metric: in WHERE, or in a FILTER.
func counts(q *frameql.Query, m knowledge.Meaning) bool {
	wanted := knowledge.Meaning{On: m.On, Keep: m.Keep}
	return slices.ContainsFunc(q.Conditions(), func(p *frameql.Pred) bool {
		return knowledge.Relate(wanted, knowledge.Meaning{On: m.On, Keep: p}) == knowledge.Same
	})
}

// agreedBy is what a recorded turn was looked at with. It may come from somebody else's file: what is no meaning is none.
func agreedBy(t session.Turn) []Remembered {
	var all []Remembered
	for _, s := range t.Trace {
		var then []Remembered
		if fact, there := s.Facts[agreedFact]; !there || decoded(fact, &then) != nil {
			continue
		}
		for _, one := range then[:min(len(then), mostRecalled)] {
			c := knowledge.Correction{Term: one.Term, Means: one.Means}
			if c.Check() == nil && strings.TrimSpace(c.Means) != "" {
				all = append(all, one)
			}
		}
	}
	return all
}
