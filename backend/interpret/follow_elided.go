package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// patchElided reads what leaves out its noun because the last turn said it: "which ones have at least one?" behind the countries
// without airports, and "what about customers without an order?" behind a count of customers who have one.
func patchElided(p *patch) {
	if !p.countAgain() {
		p.howMany()
	}
}

// howMany puts a number of related rows in the place of a condition that there are some, or none.
func (p *patch) howMany() {
	b := p.draft.bare
	if b == nil || b.op == "" || b.noun > 0 || b.high != "" || len(p.numbers) > 0 || len(p.members) != 1 || p.cut() {
		return
	}
	conds := slices.Clone(p.conditions())
	k := slices.IndexFunc(conds, func(c *frameql.Pred) bool { return c.Quant != "" && c.Pred == nil })
	if k < 0 || slices.ContainsFunc(conds, comparesNumber) {
		return
	}
	rows, at := p.ix.entities[conds[k].Entity], p.grain()
	if rows == nil {
		return
	}
	count := p.ix.number(measure{star: true}, target{entity: rows}, &at)
	if p.ix.counter(rows) == nil {
		if len(rows.Key) != 1 {
			return
		}
		count = &frameql.Expr{Reduce: "count", Dist: true, Of: &frameql.Expr{Metric: rows.Name + "." + rows.Key[0]}, At: &at}
	}
	conds[k] = &frameql.Pred{Left: count, Op: b.op}
	setNumbers(conds[k], b.low, "")
	b.op, b.low = "", ""
	p.query.Where = frameql.AllOf(conds)
	p.did(PatchValue)
}

// comparesNumber says whether a condition compares with one number or lies between two.
func comparesNumber(c *frameql.Pred) bool {
	return c.Quant == "" && c.Val != nil && c.Val.Kind == frameql.Number || len(c.Vals) > 0 && c.Op == "between"
}

// countAgain counts the members of the last count that meet another condition. It starts from all of them, because what they
// were counted through may be just what the new condition denies them.
func (p *patch) countAgain() bool {
	s, added := p.draft.subject, frameql.Conjuncts(p.c.query.Where)
	if s == nil || !p.u.cues["open"] || len(added) == 0 || len(p.query.From) == 0 || len(p.numbers) != 1 || len(p.columns) > 0 || len(p.draft.measures)+len(p.draft.groups)+len(p.draft.columns)+len(p.draft.having) > 0 {
		return false
	}
	e, t := p.query.Select[p.numbers[0]].Expr, p.operand(p.query.Select[p.numbers[0]].Expr)
	said, ok := p.c.pick(*s)
	if !ok || !e.Dist || t.dim == nil || said.entity != t.entity || !slices.Equal(t.entity.Key, []string{t.dim.Name}) || p.query.From[0] == t.entity.Name {
		return false
	}
	for _, c := range p.conditions() {
		entity, _, _ := cutName(aboutOf(c))
		if entity == t.entity.Name && !slices.ContainsFunc(added, func(o *frameql.Pred) bool { return aboutOf(o) == aboutOf(c) }) {
			added = append(added, c)
		}
	}
	count := p.ix.number(measure{star: true}, target{entity: t.entity}, nil)
	p.query = &frameql.Query{V: 1, Select: []frameql.Item{{Expr: count}}, Where: frameql.AllOf(added), Time: p.query.Time}
	if count.Star {
		p.query.From = []string{t.entity.Name}
	}
	p.draft.filters, p.draft.subject, p.draft.listing = nil, nil, false
	p.c.query.Where = nil
	p.did(PatchValue)
	return true
}
