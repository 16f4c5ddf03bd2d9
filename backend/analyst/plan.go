package analyst

import (
	"context"
	"errors"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/session"
	"assay/backend/text"
)

// parseQuery reads a query that a person wrote, in its text or in its JSON form. One that cannot be read is refused: the
// person is told where and may try again.
func parseQuery(s string) (*frameql.Query, *Refused) {
	parse := frameql.Parse
	if strings.HasPrefix(strings.TrimSpace(s), "{") {
		parse = func(s string) (*frameql.Query, error) { return frameql.ParseJSON([]byte(s)) }
	}
	q, err := parse(s)
	if err == nil {
		return q, nil
	}
	message := text.Say("analyst.unreadable_query")
	var f *fault.Error
	if errors.As(err, &f) {
		message = f.Error()
	}
	return nil, &Refused{Code: "SYNTAX", Message: message, Repairs: []frameql.Repair{}}
}

// resolve binds the query to the model and writes its SQL. A refusal is an outcome, not an error.
func (r *run) resolve(ctx context.Context, n next) (*Refused, error) {
	var refused *Refused
	took, err := r.step(ctx, "resolve", func(s *session.Step) error {
		s.Input = hash(n.query.String())
		plan, sql, refusals := frameql.Written(n.query, r.env, frameql.DuckDB)
		if len(refusals) > 0 {
			refused = refusedBy(refusals)
			s.Output = session.Hash(refused)
			return nil
		}
		if sql.MaxRows == 0 {
			sql.MaxRows = r.req.MaxRows
		}
		r.plan, r.sql = plan, sql
		if err := r.lookUp(); err != nil {
			return err
		}
		if n.reading != nil {
			r.consider(n.reading)
		}
		r.words = ReadingWords(plan, r.knowledge.Model)
		u := r.answer.Understood
		u.FrameQL, u.Query, u.Reading = plan.Query.String(), plan.Query, r.words
		if r.req.FrameQL != "" && !r.stored.Worded {
			r.answer.Question = u.FrameQL
			certain := 1.0
			r.answer.Confidence = &certain
		}
		for _, assumed := range plan.Assumptions {
			if !slices.Contains(u.Assumptions, assumed) {
				u.Assumptions = append(u.Assumptions, assumed)
			}
		}
		r.assumeClock()
		s.Output = hash(sql.SQL)
		return nil
	})
	r.answer.Timings.Resolve = took
	return refused, err
}

// refusedBy puts the refusals of a query into one: the first one speaks, all of them are there.
func refusedBy(refusals []frameql.Refusal) *Refused {
	first := refusals[0]
	out := &Refused{Code: first.Code, Message: first.Message, Repairs: listOf(first.Repairs)}
	if len(refusals) > 1 {
		out.All = refusals
	}
	return out
}

// estimate asks the engine what the statement will cost and says how far the answer may be trusted.
func (r *run) estimate(ctx context.Context) error {
	took, err := r.step(ctx, "plan", func(s *session.Step) error {
		s.Input = hash(r.sql.SQL)
		cost, err := r.cost(ctx)
		if err != nil {
			return err
		}
		r.answer.Plan = &cost
		r.answer.Verification = r.grade()
		tables, err := r.a.deps.Engine.Tables(ctx, r.sql)
		if err != nil {
			return err
		}
		r.objects = imported(tables)
		r.judge(ctx)
		s.Output = session.Hash(r.answer.Verification.Level)
		s.Note = text.Count("analyst.note_rows_expected", cost.Rows, "rows", frameview.Grouped(cost.Rows))
		return nil
	})
	r.answer.Timings.Plan = took
	return err
}

func (r *run) cost(ctx context.Context) (PlanCost, error) {
	if r.cached != nil {
		if cost, err := r.frames().Cost(ctx, r.cached.sql); err == nil || ctx.Err() != nil {
			return cost, err
		}
	}
	return r.a.deps.Engine.Cost(ctx, r.sql)
}
