package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// what a removal may name without naming anything of the model.
var (
	filterWords = oneOf("filter", "filters", "condition", "conditions", "restriction", "restrictions", "constraint", "constraints")
	periodWords = oneOf("period", "date", "dates", "time")
	limitWords  = oneOf("limit", "ranking", "cutoff")
	orderWords  = oneOf("sorting", "order", "sort")
	besideWords = oneOf("comparison", "comparisons")
)

// removal is what "remove ..." names by a word of its own.
type removal struct{ filters, all, period, limit, order, beside bool }

// cutRemoval takes the words that only say what sort of thing is removed.
func (u *utterance) cutRemoval() (r removal) {
	var kept []token
	for _, t := range u.tokens {
		switch {
		case filterWords(t.norm):
			r.filters = true
		case t.norm == "all" || t.norm == "any" || t.norm == "every":
			r.all = true
		case periodWords(t.norm):
			r.period = true
		case limitWords(t.norm):
			r.limit = true
		case orderWords(t.norm):
			r.order = true
		case besideWords(t.norm):
			r.beside = true
		default:
			kept = append(kept, t)
			continue
		}
	}
	if r != (removal{}) {
		u.tokens = kept
	}
	return r
}

// patchRemove is "remove the country filter", "drop the date filter", "without the limit", "leave out freight". A value
// that is removed is an exclusion; see patchValue.
func patchRemove(p *patch) {
	if !p.u.cues["remove"] {
		return
	}
	r, done := p.u.removal, false
	switch {
	case r.period:
		done = p.query.Time != nil
		p.query.Time = nil
	case r.limit:
		done = p.query.Top != nil || p.query.Limit != nil
		p.query.Top, p.query.Limit = nil, nil
	case r.beside:
		done = len(p.query.Compare) > 0
		p.query.Compare = nil
	case r.order:
		done = len(p.query.Order) > 0
		p.query.Order = nil
	}
	var named []target
	for i, piece := range p.draft.pieces {
		for _, t := range piece.names {
			if p.draft.uses[i].slot != "" && (isDimension(t) || isEntity(t) || isMetric(t)) {
				named = append(named, t)
			}
		}
	}
	if len(named) == 0 {
		if r.filters && !r.period && len(p.draft.filters) == 0 {
			if conds := frameql.Conjuncts(p.query.Where); len(conds) == 1 || r.all {
				p.query.Where, done = nil, len(conds) > 0
				if r.all {
					p.query.Time = nil
				}
			}
		}
		if done {
			p.did(PatchRemove)
		} else if len(p.draft.filters) == 0 {
			p.broken = true
		}
		return
	}
	if len(p.draft.filters) > 0 {
		return
	}
	if p.dropCondition(named) || !r.filters && (p.dropNumber(named) || p.dropColumn(named)) {
		p.draft.measures, p.draft.groups, p.draft.columns, p.draft.subject = nil, nil, nil, nil
		p.did(PatchRemove)
		return
	}
	p.broken = true
}

// dropCondition drops the conditions on what was named.
func (p *patch) dropCondition(named []target) bool {
	conds := frameql.Conjuncts(p.query.Where)
	kept := slices.DeleteFunc(slices.Clone(conds), func(c *frameql.Pred) bool {
		return slices.ContainsFunc(named, func(t target) bool {
			entity, _, _ := cutName(aboutOf(c))
			return t.dim != nil && dimensionName(t) == aboutOf(c) || isEntity(t) && entity == t.entity.Name
		})
	})
	p.query.Where = frameql.AllOf(kept)
	return len(kept) < len(conds)
}

// dropNumber drops a number beside which another one stays.
func (p *patch) dropNumber(named []target) bool {
	for _, i := range p.numbers {
		e := p.query.Select[i].Expr
		t := p.operand(e)
		if len(p.numbers) < 2 || !slices.ContainsFunc(named, func(n target) bool { return n.metric != nil && n.metric == t.metric || n.dim != nil && n.dim == t.dim }) {
			continue
		}
		p.query.Select = slices.Delete(p.query.Select, i, i+1)
		return true
	}
	return false
}

// dropColumn drops what the rows are split by, or a column of a listing.
func (p *patch) dropColumn(named []target) bool {
	if p.lists() {
		before := len(p.query.Select)
		p.query.Select = slices.DeleteFunc(p.query.Select, func(i frameql.Item) bool {
			return slices.ContainsFunc(named, func(t target) bool { return t.dim != nil && t.value == nil && dimensionName(t) == i.Dim.Name })
		})
		return len(p.query.Select) > 0 && len(p.query.Select) < before
	}
	splits := p.splits(p.query)
	kept := slices.DeleteFunc(slices.Clone(splits), func(x split) bool {
		return slices.ContainsFunc(named, func(t target) bool {
			return t.entity != nil && (isEntity(t) && t.entity.Name == x.grain.Name || t.dim != nil && dimensionName(t) == x.grain.Name)
		})
	})
	if len(kept) == len(splits) || p.query.Top != nil {
		return false
	}
	p.regroup(kept)
	return true
}
