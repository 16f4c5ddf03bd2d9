package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// patchValue is "what about West?", "and in France?", "only Germany", "excluding Beverages": which rows count. A condition
// takes the place of one on the same thing, stands beside it with "and" or "also", and is added otherwise.
func patchValue(p *patch) {
	conds := slices.Clone(frameql.Conjuncts(p.query.Where))
	added := frameql.Conjuncts(p.c.query.Where)
	if len(added) == 0 {
		return
	}
	for _, c := range added {
		c = p.turned(c)
		k := slices.IndexFunc(conds, func(o *frameql.Pred) bool {
			if p.sameMember(c, o) {
				return true
			}
			if p.u.among && !p.u.rest { // "of those, who has no cat?": beside what holds for those
				return clashes(c, o)
			}
			return aboutOf(o) == aboutOf(c) || sameRows(o, c)
		})
		if k >= 0 && c.Quant == "no" && len(p.query.From) > 0 {
			p.broken = true // members without any row cannot be counted through the rows
			return
		}
		switch {
		case k >= 0 && p.u.cues["remove"] && negative(c) && (p.u.removal.filters || opposite(c).String() == conds[k].String()):
			conds = slices.Delete(conds, k, k+1) // "remove the Germany filter"
		case p.u.cues["remove"] && p.u.removal.filters:
			p.broken = true // there is no such filter
		case k < 0:
			conds = append(conds, c)
		case negative(c) && !negative(conds[k]):
			conds[k] = without(conds[k], c)
			p.broken = p.broken || conds[k] == nil
		case p.adds() && !p.u.cues["instead"] && union(conds[k], c) != nil:
			conds[k] = union(conds[k], c)
		case negative(c) && negative(conds[k]) && union(conds[k], c) != nil:
			conds[k] = union(conds[k], c)
		default:
			conds[k] = c
		}
	}
	p.draft.filters = nil
	p.query.Where = frameql.AllOf(conds)
	if p.u.cues["remove"] {
		p.did(PatchRemove)
	} else {
		p.did(PatchValue)
	}
	if p.u.cues["correct"] {
		p.did(PatchCorrect)
	}
}

// sameRows says whether one condition is about rows that the other one asks the existence of.
func sameRows(a, b *frameql.Pred) bool {
	if b.Quant == "" {
		a, b = b, a
	}
	entity, _, _ := cutName(a.Dim)
	return b.Quant != "" && a.Quant == "" && entity == b.Entity
}

// turned makes "remove Germany" the exclusion that it is.
func (p *patch) turned(c *frameql.Pred) *frameql.Pred {
	if !p.u.cues["remove"] {
		return c
	}
	out := *c
	switch c.Op {
	case "eq":
		out.Op = "ne"
	case "in":
		out.Op = "not_in"
	default:
		p.broken = true
	}
	return &out
}

func negative(p *frameql.Pred) bool { return p.Op == "ne" || p.Op == "not_in" }

// literals gives the values of an equality or of a list; ok is false for any other condition.
func literals(p *frameql.Pred) ([]frameql.Value, bool) {
	switch {
	case (p.Op == "eq" || p.Op == "ne") && p.Val != nil:
		return []frameql.Value{*p.Val}, true
	case p.Op == "in" || p.Op == "not_in":
		return p.Vals, true
	}
	return nil, false
}

// listed writes an equality or a list of values.
func listed(p *frameql.Pred, vals []frameql.Value) *frameql.Pred {
	out := &frameql.Pred{Dim: p.Dim, Grain: p.Grain}
	one, many := "eq", "in"
	if negative(p) {
		one, many = "ne", "not_in"
	}
	if len(vals) == 1 {
		out.Op, out.Val = one, &vals[0]
	} else {
		out.Op, out.Vals = many, vals
	}
	return out
}

// union puts the values of two conditions of one kind together; nil when they are no lists of values.
func union(a, b *frameql.Pred) *frameql.Pred {
	x, okX := literals(a)
	y, okY := literals(b)
	if !okX || !okY || negative(a) != negative(b) {
		return nil
	}
	vals := slices.Clone(x)
	for _, v := range y {
		if !slices.Contains(vals, v) {
			vals = append(vals, v)
		}
	}
	return listed(a, vals)
}

// without takes values out of a list; nil when nothing is left or it is no list.
func without(a, b *frameql.Pred) *frameql.Pred {
	x, okX := literals(a)
	y, okY := literals(b)
	if !okX || !okY {
		return nil
	}
	vals := slices.DeleteFunc(slices.Clone(x), func(v frameql.Value) bool { return slices.Contains(y, v) })
	if len(vals) == 0 || len(vals) == len(x) {
		return nil
	}
	return listed(a, vals)
}

// patchNumber is "how about 5?" and "over 4000?": another number where there is exactly one of the kind.
func patchNumber(p *patch) {
	b := p.draft.bare
	if b == nil || b.number == "" && b.op == "" {
		return
	}
	op, low, high, number := b.op, b.low, b.high, b.number
	if b.noun > 0 && !p.compares(b.noun) {
		p.broken = true
		return
	}
	b.noun = 0
	places := slices.DeleteFunc(slices.Clone(frameql.Conjuncts(p.query.Having)), func(c *frameql.Pred) bool { return !comparesNumber(c) })
	kept := len(places) > 0
	if !kept {
		places = slices.DeleteFunc(slices.Clone(frameql.Conjuncts(p.query.Where)), func(c *frameql.Pred) bool { return !comparesNumber(c) })
	}
	top := p.query.Top != nil || p.query.Limit != nil
	switch {
	case number != "" && top && len(places) == 0 && p.c.query.Time == nil && !yearLike(number):
		b.number = ""
		p.resize(numeric(number))
		p.did(PatchTop)
		return
	case len(places) == 1 && (kept || p.u.cues["open"]) && (!top || op != ""):
	case (len(places) == 0 || !kept && !p.u.cues["open"]) && op != "" && len(p.numbers) == 1 && len(p.columns) > 0 && p.query.Top == nil:
		c := &frameql.Pred{Left: p.query.Select[p.numbers[0]].Expr, Op: op}
		setNumbers(c, low, high)
		p.query.Having = c
		b.op, b.low, b.high = "", "", ""
		p.did(PatchValue)
		return
	case len(places) == 1 && (!top || op != ""):
	default:
		p.broken = true
		return
	}
	c := places[0]
	if op != "" {
		c.Op = op
		setNumbers(c, low, high)
	} else {
		if c.Op == "between" {
			p.broken = true
			return
		}
		setNumbers(c, number, "")
	}
	b.op, b.low, b.high, b.number = "", "", "", ""
	p.did(PatchNumber)
}

// yearLike says whether a number looks like a year, and so is hardly how many are wanted.
func yearLike(number string) bool {
	n := numeric(number)
	return n >= 1900 && n < 2100
}

// compares says whether a piece names the number that the query shows or has a condition on.
func (p *patch) compares(i int) bool {
	if len(p.numbers) != 1 {
		return false
	}
	t := p.operand(p.query.Select[p.numbers[0]].Expr)
	return slices.ContainsFunc(p.draft.pieces[i].names, func(n target) bool {
		switch {
		case n.metric != nil:
			return n.metric == t.metric
		case isEntity(n):
			return t.metric != nil && p.ix.counter(n.entity) == t.metric || t.metric == nil && t.dim == nil && t.entity == n.entity
		}
		return n.dim == t.dim && n.entity == t.entity
	})
}

func setNumbers(c *frameql.Pred, low, high string) {
	c.Val, c.Vals = nil, nil
	if high != "" {
		c.Vals = []frameql.Value{{Kind: frameql.Number, Text: low}, {Kind: frameql.Number, Text: high}}
		return
	}
	c.Val = &frameql.Value{Kind: frameql.Number, Text: low}
}

// patchHaving is "only those with more than 300 orders" behind a number for each member.
func patchHaving(p *patch) {
	added := frameql.Conjuncts(p.c.query.Having)
	if len(added) == 0 {
		return
	}
	if len(p.numbers) == 0 || len(p.columns) == 0 || p.query.Top != nil {
		p.broken = true
		return
	}
	conds := slices.Clone(frameql.Conjuncts(p.query.Having))
	for _, c := range added {
		if k := slices.IndexFunc(conds, func(o *frameql.Pred) bool { return aboutOf(o) == aboutOf(c) }); k >= 0 {
			conds[k] = c
		} else {
			conds = append(conds, c)
		}
	}
	p.draft.having, p.draft.measures = nil, nil
	p.query.Having = frameql.AllOf(conds)
	p.did(PatchValue)
}
