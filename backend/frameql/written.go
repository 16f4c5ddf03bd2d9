package frameql

import (
	"errors"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// Uncomputable is the code of a query that a model can bind and that cannot be computed as one statement.
const Uncomputable = "NOT_COMPUTABLE"

// Written resolves a query and writes its SQL. A query of which either cannot be done is refused, with queries near it of which both can.
func Written(q *Query, env Env, d Dialect) (*Plan, Statement, []Refusal) {
	plan, refusals := Resolve(q, env)
	if len(refusals) > 0 {
		return nil, Statement{}, refusals
	}
	st, err := plan.Statement(d)
	if err != nil {
		return nil, Statement{}, []Refusal{uncomputable(plan, env, d, err)}
	}
	return plan, st, nil
}

func uncomputable(plan *Plan, env Env, d Dialect, err error) Refusal {
	reason := err.Error()
	var f *fault.Error
	if errors.As(err, &f) {
		reason = f.Message
	}
	out := *refusal(Uncomputable, "frameql.uncomputable", "reason", strings.TrimSuffix(reason, "."))
	out.Repairs = []Repair{}
	asked := plan.Query.String()
	for _, less := range withParts(plan.Query) {
		if text := less.Query.String(); text == asked || len(out.Repairs) == mostRepairs {
			continue
		}
		next := Try(less.Query, env)
		if next == nil {
			continue
		}
		if _, err := next.Statement(d); err == nil {
			out.Repairs = append(out.Repairs, Repair{Label: less.Label, FrameQL: next.Query.String(), Query: next.Query})
		}
	}
	return out
}

// mostRepairs stand with a refusal.
const mostRepairs = 3

// withParts gives a query without each of its parts, and last each of its columns alone. What asks for less comes later.
func withParts(q *Query) (all []Repair) {
	without := func(what string, change func(*Query)) {
		c := q.Clone()
		change(c)
		all = append(all, Repair{Label: text.Say("frameql.repair_without", "what", what), Query: c})
	}
	for i := range q.Compare {
		without("COMPARE TO", func(c *Query) { c.Compare = append(c.Compare[:i:i], c.Compare[i+1:]...) })
	}
	clauses := []struct {
		name string
		has  bool
		drop func(*Query)
	}{
		{"TOTALS", len(q.Totals) > 0, func(c *Query) { c.Totals = nil }},
		{"FILL", q.Fill != "", func(c *Query) { c.Fill = "" }},
		{"ORDER BY", len(q.Order) > 0, func(c *Query) { c.Order = nil }},
		{"TOP", q.Top != nil, func(c *Query) { c.Top = nil }},
		{"HAVING", q.Having != nil, func(c *Query) { c.Having = nil }},
	}
	for _, clause := range clauses {
		if clause.has {
			without(clause.name, clause.drop)
		}
	}
	expressions := func(c *Query) (n int) {
		for _, item := range c.Select {
			if item.Expr != nil {
				n++
			}
		}
		return n
	}
	for i, item := range q.Select {
		if item.Expr != nil && expressions(q) > 1 || item.Dim != nil {
			without(itemText(q, i), func(c *Query) { c.Select = append(c.Select[:i:i], c.Select[i+1:]...) })
		}
	}
	if q.At != nil {
		without("AT", func(c *Query) { c.At = nil })
	}
	if q.Where != nil {
		without("WHERE", func(c *Query) { c.Where = nil })
	}
	for i, item := range q.Select {
		if item.Expr == nil {
			continue
		}
		c := q.Clone()
		c.Select, c.Compare, c.Totals, c.Having, c.Top, c.Order, c.Fill = c.Select[i:i+1], nil, nil, nil, nil, nil, ""
		all = append(all, Repair{Label: text.Say("frameql.repair_only", "name", itemText(q, i)), Query: c})
	}
	return all
}

// itemText is a column as it is written.
func itemText(q *Query, i int) string {
	c := &Query{V: q.V, Select: q.Clone().Select[i : i+1]}
	return strings.TrimPrefix(c.String(), "SELECT ")
}
