package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// rowsOf gives the entity whose rows a query is made of; nil when it is not plain.
func (s *scene) rowsOf(q *frameql.Query) *semantic.Entity {
	for _, item := range q.Select {
		if item.Expr == nil {
			continue
		}
		if len(q.From) == 1 {
			return s.ix.entities[q.From[0]]
		}
		t := s.operand(item.Expr)
		if t.metric != nil {
			return s.ix.base(t.metric)
		}
		return t.entity
	}
	if q.At != nil && len(q.At.Dims) == 1 {
		return s.ix.entities[q.At.Dims[0].Name]
	}
	if len(q.Select) > 0 && q.At == nil {
		return s.dimension(q.Select[0].Dim.Name).entity
	}
	return nil
}

// theirs says whether a query is about rows of another entity than the members that the scene lists, where those are kept by
// what they have: "which courses do they teach?" behind teachers of a course. Such a condition says nothing of the other rows.
func (s *scene) theirs(q *frameql.Query) bool {
	rows := s.rowsOf(q)
	if !s.lists() || len(s.members) != 1 || rows == nil || rows == s.members[0] {
		return false
	}
	return slices.ContainsFunc(s.conditions(), func(c *frameql.Pred) bool { return c.Dim == "" })
}

// lift lets conditions on the members of the scene hold for rows that belong to several of them: the pets that one of the students
// owns. A query that resolves as it is stays.
func (s *scene) lift(q *frameql.Query, carried []*frameql.Pred) *frameql.Query {
	rows := s.rowsOf(q)
	if rows == nil || len(carried) == 0 || frameql.Try(q, s.env) != nil {
		return q
	}
	var through *semantic.Entity
	var inside, conds []*frameql.Pred
	for _, c := range frameql.Conjuncts(q.Where) {
		entity, _, _ := cutName(c.Dim)
		if c.Op == "in_top" && s.ix.entities[c.Dim] != nil {
			entity = c.Dim
		}
		e := s.ix.entities[entity]
		if e == nil || !slices.Contains(carried, c) || s.ix.paths.reaches(rows.Name, e.Name) {
			conds = append(conds, c)
			continue
		}
		by := s.ix.spanning([]*semantic.Entity{rows, e})
		if by == nil || through != nil && by != through {
			return q
		}
		through, inside = by, append(inside, c)
	}
	if through == nil {
		return q
	}
	if out := s.denied(q, conds, inside); out != nil {
		return out
	}
	out := q.Clone()
	out.Where = frameql.AllOf(append([]*frameql.Pred{{Quant: "any", Entity: through.Name, Pred: frameql.AllOf(inside)}}, conds...))
	if frameql.Try(out, s.env) == nil {
		return q
	}
	return out
}

// denied lets conditions hold for the rows that must not exist, where a query denies some: "who did not visit these museums?". nil:
// it denies none, or says already which.
func (s *scene) denied(q *frameql.Query, conds, inside []*frameql.Pred) *frameql.Query {
	for k, c := range conds {
		if c.Quant != "no" || c.Pred != nil {
			continue
		}
		out := q.Clone()
		none := *c
		none.Pred = frameql.AllOf(inside)
		out.Where = frameql.AllOf(slices.Concat(conds[:k:k], []*frameql.Pred{&none}, conds[k+1:]))
		if frameql.Try(out, s.env) != nil {
			return out
		}
	}
	return nil
}
