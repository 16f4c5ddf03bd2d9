package frameqltest

import (
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

var timeGrains = []string{"hour", "day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year"}

// conjuncts takes a predicate apart at its ANDs.
func conjuncts(p *frameql.Pred) []*frameql.Pred {
	if p == nil {
		return nil
	}
	if len(p.And) == 0 {
		return []*frameql.Pred{p}
	}
	var all []*frameql.Pred
	for _, c := range p.And {
		all = append(all, conjuncts(c)...)
	}
	return all
}

// holds says whether a predicate of WHERE is true of a row; at is the time of the metric there.
func (v *evaluation) holds(p *frameql.Pred, row place, at *target) truth {
	each := func(all []*frameql.Pred) []truth {
		var ts []truth
		for _, c := range all {
			ts = append(ts, v.holds(c, row, at))
		}
		return ts
	}
	switch {
	case len(p.And) > 0:
		return allOf(each(p.And))
	case len(p.Or) > 0:
		return anyOf(each(p.Or))
	case p.Not != nil:
		return v.holds(p.Not, row, at).not()
	case p.Quant != "":
		return v.quantified(p, row)
	}
	left := v.field(p.Dim, p.Grain, row, at)
	switch {
	case p.Op == "in_top":
		return truthOf(v.inTop(p)[identity(left)])
	case p.Expr != nil:
		return compare(sign(p.Op), left, v.operand(p.Expr, row, at))
	case p.ValDim != nil:
		return compare(sign(p.Op), left, v.field(p.ValDim.Name, p.ValDim.Grain, row, at))
	}
	return v.test(p, left, p.Grain != "" || v.cal.isUnit(p.Dim))
}

// field gives the value of a dimension of a row.
func (v *evaluation) field(name, grain string, row place, at *target) any {
	if grain == "" && v.cal.isUnit(name) {
		if at == nil {
			panic(outside{"no metric time"})
		}
		return v.cutCell(v.w.read(row, *at, at.dim), name)
	}
	of, part := datePart(name)
	if part != "" {
		name, grain = of, part
	}
	if name == "" {
		return v.cutCell(v.w.read(row, *at, at.dim), grain)
	}
	t, ok := v.w.reach(row.entity, name)
	if !ok {
		panic(outside{"dimension " + name + " from " + row.entity.Name})
	}
	columns := t.columns()
	if len(columns) != 1 {
		panic(outside{"composite key " + name})
	}
	return v.cutCell(v.w.read(row, t, columns[0]), grain)
}

func (v *evaluation) cutCell(c any, grain string) any {
	if t, ok := c.(time.Time); ok && partUnit(grain) != "" {
		return partOf(t, grain)
	}
	if t, ok := c.(time.Time); ok && grain != "" {
		return v.cal.cut(t, grain)
	}
	return c
}

func sign(op string) string {
	return map[string]string{"eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}[op]
}

// test compares a cell with literals.
func (v *evaluation) test(p *frameql.Pred, left any, isCut bool) truth {
	op, negated := strings.CutPrefix(p.Op, "not_")
	var t truth
	switch {
	case p.Op == "is_null":
		return truthOf(left == nil)
	case p.Op == "not_null":
		return truthOf(left != nil)
	case op == "in":
		var ts []truth
		for _, x := range p.Vals {
			ts = append(ts, compare("=", left, v.literal(x, left, isCut)))
		}
		t = anyOf(ts)
	case op == "between":
		t = allOf([]truth{compare(">=", left, v.literal(p.Vals[0], left, isCut)), compare("<=", left, v.literal(p.Vals[1], left, isCut))})
	case op == "like" || op == "contains" || op == "starts_with":
		s, ok := left.(string)
		if !ok {
			return unknown
		}
		switch op {
		case "like":
			t = truthOf(like([]rune(s), []rune(p.Val.Text)))
		case "contains":
			t = truthOf(strings.Contains(strings.ToLower(s), strings.ToLower(p.Val.Text)))
		default:
			t = truthOf(strings.HasPrefix(strings.ToLower(s), strings.ToLower(p.Val.Text)))
		}
	default:
		return compare(sign(p.Op), left, v.literal(*p.Val, left, isCut))
	}
	if negated {
		return t.not()
	}
	return t
}

// like is the pattern match of SQL: % is any text, _ one character.
func like(s, pattern []rune) bool {
	if len(pattern) == 0 {
		return len(s) == 0
	}
	switch pattern[0] {
	case '%':
		for i := 0; i <= len(s); i++ {
			if like(s[i:], pattern[1:]) {
				return true
			}
		}
		return false
	case '_':
		return len(s) > 0 && like(s[1:], pattern[1:])
	}
	return len(s) > 0 && s[0] == pattern[0] && like(s[1:], pattern[1:])
}

// literal reads a value in the type of the cell that it is compared with.
func (v *evaluation) literal(x frameql.Value, beside any, isCut bool) any {
	switch beside.(type) {
	case nil:
		return nil // nothing equals what is missing
	case Number:
		return Digits(x.Text)
	case bool:
		return x.Text == "true"
	case time.Time:
		if isCut && !strings.Contains(x.Text, ":") {
			s, _ := v.cal.literal(x.Text)
			return s.from
		}
		for _, form := range []string{time.DateOnly, "2006-01-02T15:04:05.999999", "2006-01-02 15:04:05.999999", "2006-01-02T15:04", "2006-01-02 15:04"} {
			if t, err := time.Parse(form, x.Text); err == nil {
				return t
			}
		}
		panic(outside{"time " + x.Text})
	}
	return x.Text
}

// quantified looks at the rows of an entity that are related to a row.
func (v *evaluation) quantified(p *frameql.Pred, row place) truth {
	var found []truth
	for _, r := range v.related(row, v.w.Model.Entity(p.Entity)) {
		t := yes
		if p.Pred != nil {
			t = v.holds(p.Pred, r, v.timeOf(r.entity, ""))
		}
		found = append(found, t)
	}
	switch p.Quant {
	case "any":
		return truthOf(slices.Contains(found, yes))
	case "no":
		return truthOf(!slices.Contains(found, yes))
	default:
		return truthOf(!slices.ContainsFunc(found, func(t truth) bool { return t != yes }))
	}
}

// related gives the rows of an entity that lead to the same row of the nearest common entity as the row does. Where the
// row itself leads to the entity that is the related row.
func (v *evaluation) related(row place, many *semantic.Entity) []place {
	if many == nil {
		panic(outside{"entity of a quantifier"})
	}
	type meeting struct{ mine, theirs []semantic.Join }
	var best []meeting
	length := func(m meeting) int { return len(m.mine) + len(m.theirs) }
	for i := range v.w.Model.Entities {
		common := v.w.Model.Entities[i].Name
		mine, ok1 := v.w.path(row.entity.Name, common)
		theirs, ok2 := v.w.path(many.Name, common)
		if !ok1 || !ok2 {
			continue
		}
		m := meeting{mine, theirs}
		switch {
		case len(best) == 0 || length(m) < length(best[0]):
			best = []meeting{m}
		case length(m) == length(best[0]):
			best = append(best, m)
		}
	}
	if path, ok := v.w.path(row.entity.Name, many.Name); ok {
		best = []meeting{{mine: path}}
	}
	if len(best) == 0 {
		return v.across(row, many)
	}
	if len(best) != 1 {
		panic(outside{"way of a quantifier to " + many.Name})
	}
	at := v.w.follow(row, best[0].mine)
	if at.row < 0 {
		return nil
	}
	var all []place
	for i := range v.w.rows(many) {
		r := place{many, i}
		if v.w.follow(r, best[0].theirs).row == at.row {
			all = append(all, r)
		}
	}
	return all
}

// plain gives the conjuncts that hold no operand and no IN TOP: those under which operands are computed.
func plain(all []*frameql.Pred) []*frameql.Pred {
	var kept []*frameql.Pred
	for _, p := range all {
		if !computed(p) {
			kept = append(kept, p)
		}
	}
	return kept
}

func computed(p *frameql.Pred) bool {
	if p == nil {
		return false
	}
	return p.Expr != nil || computed(p.Not) || computed(p.Pred) || slices.ContainsFunc(p.And, computed) || slices.ContainsFunc(p.Or, computed)
}

// operand computes (x AT g) of WHERE for a row: the value of x, in a query of its own, at the row's values of g. Where that
// query has no row there is no value.
func (v *evaluation) operand(e *frameql.Expr, row place, at *target) any {
	grain, inner := e.At, ungrained(e)
	ctx := v.operandContext(grain)
	sc := scope{ctx: ctx}
	for _, k := range v.keysOf(grain.Dims) {
		sc.keys = append(sc.keys, k)
		sc.vals = append(sc.vals, v.keyOfRow(k, row, at, nil))
	}
	if len(sc.keys) > 0 && !v.anyRows(inner, sc) {
		return nil
	}
	return v.eval(inner, sc)
}

func (v *evaluation) operandContext(g *frameql.Grain) *context {
	ctx := &context{period: v.contexts[0].period, active: plain(v.contexts[0].active)}
	return v.ignoring(ctx, g)
}

// ungrained takes the outer AT off.
func ungrained(e *frameql.Expr) *frameql.Expr {
	if e.Op == "at" {
		return e.Args[0]
	}
	c := *e
	c.At = nil
	return &c
}

// inTop gives the first members of a dimension by a number, as identities.
func (v *evaluation) inTop(p *frameql.Pred) map[string]bool {
	if known := v.tops[p]; known != nil {
		return known
	}
	sc := scope{ctx: v.operandContext(nil), keys: v.keysOf([]frameql.Dim{{Name: p.Dim, Grain: p.Grain}})}
	groups := v.groups(sc.keys, v.usesOf(p.Expr, use{ctx: sc.ctx, adds: true}))
	type ranked struct{ member, by any }
	var all []ranked
	for _, g := range groups {
		sc.vals = g.vals
		all = append(all, ranked{g.vals[0], v.eval(p.Expr, sc)})
	}
	slices.SortFunc(all, func(a, b ranked) int {
		if c := orderSure(a.by, b.by, true); c != 0 {
			return c
		}
		return orderNullsLast(a.member, b.member, false)
	})
	in := map[string]bool{}
	for _, r := range all[:min(p.N, len(all))] {
		in[identity(r.member)] = true
	}
	v.tops[p] = in
	return in
}

// orderSure is orderNullsLast that gives up where the last digits of a floating number would decide.
func orderSure(a, b any, desc bool) int {
	x, ok1 := a.(Number)
	y, ok2 := b.(Number)
	if ok1 && ok2 && (x.Approx || y.Approx) && near(x, y) && !(exactFloat(x) && exactFloat(y)) {
		panic(unsure{})
	}
	return orderNullsLast(a, b, desc)
}
