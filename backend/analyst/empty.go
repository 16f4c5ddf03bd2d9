package analyst

import (
	"context"
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/text"
)

const (
	mostRelaxed  = 6 // conditions that are left out to find the one that emptied the answer
	relaxAtMost  = 2 * time.Second
	relaxedShown = 2
)

// relaxed is the question without one of its conditions, which has rows where the question itself has none.
type relaxed struct {
	without string // the condition in words
	query   *frameql.Query
	rows    int64 // that pass; 0: not counted
}

// relax leaves out one condition at a time and keeps those without which there are rows. What is asked is bounded in number and in time, and is asked
// through the same gate as the answer.
func (r *run) relax(ctx context.Context, f *frameql.Frame) []relaxed {
	if !empty(f) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, relaxAtMost)
	defer cancel()
	var out []relaxed
	for _, c := range r.conditions() {
		plan := frameql.Try(c.query, r.env)
		if plan == nil || ctx.Err() != nil {
			continue
		}
		if rows, some := r.rowsOf(ctx, plan); some {
			c.query, c.rows = plan.Query, rows
			out = append(out, c)
		}
	}
	return out
}

// conditions gives the question without each of its conditions: those of WHERE, the period, those on the result.
func (r *run) conditions() []relaxed {
	q := r.plan.Query
	var all []relaxed
	where := frameql.Conjuncts(q.Where)
	for i, p := range where {
		fallback := ""
		if i < len(r.plan.Filters) {
			fallback = r.plan.Filters[i].Text
		}
		rest := *q
		rest.Where = frameql.AllOf(slices.Delete(slices.Clone(where), i, i+1))
		all = append(all, relaxed{without: inText(filterWords(p, fallback, r.knowledge.Model)), query: &rest})
	}
	if q.Time != nil && q.Time.Period.Kind != "all_time" {
		rest := *q
		rest.Time = nil
		all = append(all, relaxed{without: strings.TrimSpace(periodWords(q.Time.Period, nil)), query: &rest})
	}
	having := frameql.Conjuncts(q.Having)
	for i, p := range having {
		rest := *q
		rest.Having = frameql.AllOf(slices.Delete(slices.Clone(having), i, i+1))
		all = append(all, relaxed{without: havingWords(p, r.plan), query: &rest})
	}
	if len(all) > mostRelaxed {
		all = all[:mostRelaxed]
	}
	return all
}

// rowsOf says whether a plan has rows, and how many pass its filters where that can be counted.
func (r *run) rowsOf(ctx context.Context, plan *frameql.Plan) (rows int64, some bool) {
	if counted, ok := plan.PopulationStatement(r.sql.Dialect); ok && plan.Query.Having == nil {
		frame, err := r.a.deps.Engine.Aside(ctx, counted)
		if err != nil {
			return 0, false
		}
		p := populationOf(frame, plan)
		return keptOf(p), p != nil && p.Kept > 0
	}
	st, err := plan.Statement(r.sql.Dialect)
	if err != nil {
		return 0, false
	}
	st.MaxRows = 1
	frame, err := r.a.deps.Engine.Aside(ctx, st)
	return 0, err == nil && len(frame.Rows) > 0
}

func keptOf(p *frameql.Population) int64 {
	if p == nil {
		return 0
	}
	return p.Kept
}

// relaxedQuestions proposes the question without the condition that emptied it.
func (r *run) relaxedQuestions() []proposal {
	var all []proposal
	for _, c := range r.relaxations {
		all = append(all, proposal{title: text.Say("analyst.next_without", "condition", c.without), query: c.query})
	}
	return all
}

// withoutWords says which single conditions emptied the answer.
func (r *run) withoutWords() string {
	var all []string
	for _, c := range r.relaxations[:min(len(r.relaxations), relaxedShown)] {
		if c.rows > 0 {
			all = append(all, text.Count("analyst.empty_without_rows", c.rows, "condition", c.without, "rows", frameview.Grouped(c.rows)))
			continue
		}
		all = append(all, text.Say("analyst.empty_without", "condition", c.without))
	}
	return strings.Join(all, " ")
}
