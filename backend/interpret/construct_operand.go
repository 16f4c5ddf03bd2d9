package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// bound is what a condition compares with: numbers that were said, another attribute of the same row, or a number that the
// model computes ("above average", "more than the maximum of X", "cheaper than Chai").
type bound struct {
	nums    []frameql.Value
	column  *slot
	operand *measure
	same    bool   // operand is of the very thing that is compared
	members bool   // operand is the value of some members: "than Chai", "than that of all instructors"
	each    bool   // operand is over members, one number each: "than the average customer"
	pieces  []int  // that it took
	sub     *draft // that read the operand; nil: it is taken piece by piece
	from    int
	to      int
	at      int // piece of the comparison; 0: none
}

func (b bound) empty() bool { return len(b.nums) == 0 && b.column == nil && b.operand == nil }

// take marks the pieces of an operand as used.
func (b bound) take(d *draft) {
	if b.sub != nil {
		d.adopt(b.sub, b.from, b.to)
	}
	for _, i := range b.pieces {
		if d.uses[i].slot == "" {
			d.take(i, "comparison", d.pieces[i].label())
		}
	}
}

// comparedBy gives what is compared when nothing but the operand names it: "with greater than average budget".
func (d *draft) comparedBy(b bound) *slot {
	if b.same || b.operand == nil || len(b.operand.only) > 0 {
		return nil
	}
	s := b.operand.slot
	if named := d.comparable(s.piece); named != nil {
		s.options = named.options // a number of the rows has the same name as one that adds them up
	}
	s.near, b.operand.options = nil, s.options
	return &s
}

// of binds an operand to what is compared: left is an attribute of the rows, or with a member a number of each of them. It
// says whether the comparison makes sense.
func (b *bound) of(left measure, member *slot) bool {
	switch {
	case b.column != nil:
		return member == nil
	case b.operand == nil:
		return true
	}
	m := *b.operand
	shared := b.same
	if !b.same && slices.ContainsFunc(m.options, func(o target) bool {
		return slices.ContainsFunc(left.options, func(l target) bool { return l.name() == o.name() })
	}) {
		shared = true
	}
	switch {
	case shared && member == nil: // one attribute of the rows with a statistic of it
		m.slot = left.slot
	case shared && b.members: // one number of a member with that of another one
		only := m.only
		m = left
		m.only = only
	case shared && left.reduce != "" && left.reduce != "count" && !left.assumed: // an average of each member with that of all
		m.slot = left.slot
	case shared || b.each: // one number of each member with a statistic over the members
		if len(member.options) == 0 && member.grain == "" {
			return false
		}
		reduce := m.reduce
		m.slot, m.star, m.distinct, m.reduce, m.assumed = left.slot, left.star, left.distinct, reduce, false
		m.per = []slot{*member}
	case len(m.options) == 0:
		return false
	}
	b.operand = &m
	return true
}

// operandBehind reads the operand of a comparison that is no literal, and gives the piece behind it.
func (d *draft) operandBehind(i int) (bound, int) {
	op := d.pieces[i].id
	if op == "eq" || op == "ne" || op == "between" {
		return bound{}, i + 1
	}
	j := i + 1
	for d.is(j, degreePiece, "than") {
		j++
	}
	for _, read := range []func(at int, greater bool) (bound, int){d.statisticOperand, d.memberOperand, d.valueOperand, d.columnOperand} {
		if b, end := read(j, op[0] == 'g'); !b.empty() {
			for k := i + 1; k < j; k++ {
				b.pieces = append(b.pieces, k)
			}
			return b, end
		}
	}
	return bound{}, i + 1
}

// statistic gives the reducer that a word stands for: "average", "highest".
func (d *draft) statistic(i int) string {
	switch {
	case !d.free(i):
	case d.is(i, aggregatePiece, "avg", "max", "min", "median", "sum"):
		return d.pieces[i].id
	case d.is(i, rankPiece, "high"):
		return "max"
	case d.is(i, rankPiece, "low"):
		return "min"
	}
	return ""
}

// statisticOperand reads "average", "the average price of all products", "the maximum salary in the Biology department",
// "the average customer".
func (d *draft) statisticOperand(j int, _ bool) (bound, int) {
	reduce := d.statistic(j)
	if reduce == "" {
		return bound{}, j
	}
	if es := d.entities(j + 1); len(es) > 0 && reduce != "sum" && len(d.metrics(j+1)) == 0 || len(es) > 0 && !d.plural(j+1) && reduce == "avg" {
		return bound{operand: &measure{slot: slot{piece: -1}, reduce: reduce}, each: true, same: true, pieces: []int{j, j + 1}}, j + 2
	}
	for end := d.phraseEnd(j + 1); end > j+1; end-- {
		m, sub := d.numberIn(j, end)
		if m == nil || m.star || len(m.per) > 0 {
			continue
		}
		if m.reduce == "" && m.options[0].metric != nil {
			m.reduce = reduce
		}
		return bound{operand: m, sub: sub, from: j, to: end}, end
	}
	b := bound{operand: &measure{slot: slot{piece: -1}, reduce: reduce}, same: true, pieces: []int{j}}
	if d.is(j+1, gluePiece, "in") && len(d.entities(j+2)) > 0 && d.plural(j+2) { // "the average of all products"
		b.pieces = append(b.pieces, j+2)
		return b, j + 3
	}
	return b, j + 1
}

// phraseEnd gives the piece at which a phrase that begins at i ends at the latest: a grouping, an order, a list word, or a
// further condition.
func (d *draft) phraseEnd(i int) int {
	for ; i < len(d.pieces); i++ {
		p := d.pieces[i]
		switch p.kind {
		case groupPiece, orderPiece, listPiece, comparePiece, rankPiece, wallPiece, periodPiece, degreePiece:
			return i
		case gluePiece:
			if p.id == "and" || p.id == "with" {
				return i
			}
		}
	}
	return len(d.pieces)
}

// memberOperand reads "that of all instructors in the Biology department", "the salary of some instructor". Several members
// need a word that says which of them: all or some.
func (d *draft) memberOperand(j int, greater bool) (bound, int) {
	start := j
	named := d.names(j, func(t target) bool { return isNumeric(t) || isMetric(t) })
	if slices.ContainsFunc(named, isStatistic) {
		return bound{}, start // "the average revenue of all makers" is one number, not the largest of many
	}
	if len(named) > 0 {
		j++
	}
	if !d.is(j, gluePiece, "in") || d.tokens[d.pieces[j].from].norm != "of" {
		if j > start || !d.quantified(j) {
			return bound{}, start
		}
		j-- // "than any of the instructors", "than all clerks"
	}
	for end := d.phraseEnd(j + 1); end > j+1; end-- {
		sub := d.apart(j+1, end)
		if sub.subject == nil && len(sub.filters) == 0 || len(sub.filters) == 0 && !d.quantified(j+1) || len(sub.measures) > 0 ||
			len(sub.columns) > 0 || len(sub.having)+len(sub.groups)+len(sub.later)+len(sub.clauses)+len(sub.tallies) > 0 || sub.top != nil || sub.period != nil || sub.doubt != "" {
			continue
		}
		if slices.ContainsFunc(sub.pieces[j+1:end], func(p *piece) bool { return sub.unread(slices.Index(sub.pieces, p)) }) {
			continue
		}
		reduce, ok := d.membersMeant(start, end, greater, sub)
		if !ok {
			return bound{}, start
		}
		m := &measure{slot: slot{piece: -1}, reduce: reduce, only: sub.filters}
		b := bound{operand: m, same: true, members: true, sub: sub, from: j + 1, to: end}
		if len(named) > 0 {
			m.slot, b.same = slot{piece: start, options: named}, false
			b.pieces = append(b.pieces, start)
		}
		return b, end
	}
	return bound{}, start
}

// isStatistic says whether a metric is an average or an extreme over rows already.
func isStatistic(t target) bool {
	return t.metric != nil && t.metric.Leaf() && slices.Contains([]semantic.Reducer{semantic.Avg, semantic.Max, semantic.Min, semantic.Median}, t.metric.Reducer)
}

// quantified says whether "all", "any" or "some" stands at a piece or directly before it.
func (d *draft) quantified(i int) bool {
	if i <= 0 || i >= len(d.pieces) {
		return false
	}
	return d.says("all", i-1, i) || d.says("any", i-1, i) || d.says("some", i-1, i) || d.says("every", i-1, i)
}

// membersMeant gives the reducer over the members that an operand names: a condition that holds beside all of them is one
// beside the largest or the smallest.
func (d *draft) membersMeant(from, to int, greater bool, sub *draft) (string, bool) {
	said := func(words ...string) bool {
		return slices.ContainsFunc(d.tokens[d.pieces[from-1].to:d.pieces[to-1].to], func(t token) bool { return slices.Contains(words, t.norm) })
	}
	most := map[bool]string{true: "max", false: "min"}
	switch {
	case said("some", "one"):
		return most[!greater], true
	case said("all", "any", "every", "each"):
		return most[greater], true
	}
	single := len(sub.filters) == 1 && len(sub.filters[0].values) == 1 && slices.ContainsFunc(sub.filters[0].options, d.identifies)
	return most[greater], single
}

// valueOperand reads a member by its name: "cheaper than Chai", "older than Nancy".
func (d *draft) valueOperand(j int, greater bool) (bound, int) {
	ts := d.values(j)
	if len(ts) == 0 {
		return bound{}, j
	}
	reduce := "min"
	if greater {
		reduce = "max"
	}
	f := filter{slot: slot{piece: j, options: ts}, named: -1, op: "eq", values: []*piece{d.valuePiece(j)}}
	m := &measure{slot: slot{piece: -1}, reduce: reduce, only: []filter{f}}
	return bound{operand: m, same: true, members: true, pieces: []int{j}}, j + 1
}

// columnOperand reads another attribute of the same rows: "budget higher than cost".
func (d *draft) columnOperand(j int, _ bool) (bound, int) {
	ts := d.names(j, isNumeric)
	if len(ts) == 0 || len(d.entities(j)) > 0 {
		return bound{}, j
	}
	s := slot{piece: j, options: ts, near: d.neighborAfter(j)}
	return bound{column: &s, pieces: []int{j}}, j + 1
}

// readDegrees turns "a higher price than average" into "price higher than average": the comparison stands behind what it
// compares, in the place of "than".
func readDegrees(d *draft) {
	for i := 0; i+2 < len(d.pieces); i++ {
		if !d.is(i, degreePiece, "gt", "lt") || !d.free(i) || !d.is(i+2, degreePiece, "than") {
			continue
		}
		if d.comparable(i+1) == nil || len(d.entities(i+1)) > 0 && !d.ranksCount(i) {
			continue // "smaller colleges than average" are not fewer of them
		}
		pieces := slices.Clone(d.pieces)
		compare := *pieces[i+2]
		compare.kind, compare.id = comparePiece, pieces[i].id
		pieces[i+2] = &compare
		d.take(i, "comparison", compare.id)
		d.pieces = pieces
	}
}

// between gives the tokens between two pieces.
func (d *draft) between(i, j int) []token { return d.tokens[d.pieces[i].to:d.pieces[j].from] }

// slots gives the slots of an operand.
func (b *bound) slots() []*slot {
	var out []*slot
	if b.column != nil {
		out = append(out, b.column)
	}
	if b.operand != nil {
		out = append(out, b.operand.slots()...)
	}
	return out
}

// slots gives the slots of a number.
func (m *measure) slots() []*slot {
	out := []*slot{&m.slot}
	for i := range m.per {
		out = append(out, &m.per[i])
	}
	for i := range m.only {
		out = append(out, &m.only[i].slot)
	}
	if m.sides != nil {
		out = append(out, m.sides.right.slots()...)
	}
	return out
}

// compareWith writes the right side of a condition. An average over all rows is one of all rows, whatever the other
// conditions are.
func (c *composer) compareWith(p *frameql.Pred, b bound) bool {
	switch {
	case b.column != nil:
		t, _ := c.pick(*b.column)
		if t.dim == nil || dimensionName(t) == p.Dim {
			return false
		}
		p.ValDim = &frameql.Dim{Name: dimensionName(t)}
		return true
	case b.operand == nil:
		return false
	}
	e := c.expr(*b.operand)
	if e == nil || e.At != nil || e.Fn != "" || e.Op != "" {
		return false
	}
	whole := *e
	whole.At = &frameql.Grain{Dims: []frameql.Dim{}}
	if p.Dim != "" && c.filters > 1 {
		whole.At.IgnoreFilters = true
		if !b.members && len(b.operand.only) == 0 {
			c.notes = append(c.notes, text.Say("interpret.assume_all_rows"))
		}
	}
	p.Expr = &whole
	return true
}
