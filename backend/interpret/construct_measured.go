package interpret

import (
	"slices"
	"strings"

	"assay/backend/text"
)

// readMeasured reads comparisons that name the attribute they compare: "cheaper than 10", "priced over 50", "longer than
// 300000". What the words stand for is looked up among the attributes of the members before them, and disclosed.
func readMeasured(d *draft) {
	for i, p := range d.pieces {
		op, hints, measured := strings.Cut(p.id, " ")
		if p.kind != comparePiece || !measured || d.uses[i].slot != "" {
			continue
		}
		b, first, last := d.operands(i)
		if left := d.before(min(i, first)); len(d.names(left, isNumeric)) > 0 && len(d.entities(left)) == 0 { // "whose weight is heavier than 10" names it
			plain := *p
			plain.id = op
			d.pieces[i] = &plain
			continue
		}
		b.at = i
		head := d.head(min(i, first))
		if b.empty() || head < 0 || len(d.owners(head)) == 0 {
			continue
		}
		t, ok := d.attribute(strings.Split(hints, "/"), d.owners(head))
		if amounts, adds := strings.CutPrefix(hints, "@amount/"); !ok && adds {
			d.measuredNumber(i, head, op, strings.Split(amounts, "/"), b, first, last)
		}
		if !ok {
			continue
		}
		f := filter{slot: slot{piece: i, options: []target{t}}, named: -1, op: op, texts: b.nums, bound: b}
		if !f.bound.of(measure{slot: f.slot}, nil) {
			continue
		}
		d.filters = append(d.filters, f)
		if d.is(i-1, namePiece, saidOtherwise) && d.free(i-1) {
			d.take(i-1, connects, "")
		}
		d.note(text.Say("interpret.assume_measured", "word", d.written(i), "meaning", labelOf(t.dim.Label, t.dim.Name)))
		d.takeComparison(i, first, last, b)
		d.take(i, "comparison", dimensionName(t))
		d.compared(max(i, last), head)
	}
}

// measuredNumber reads a comparison whose words name a number of each member and no attribute: "customers who spent more than 10000".
func (d *draft) measuredNumber(i, head int, op string, hints []string, b bound, first, last int) {
	owner := d.owners(head)[0].entity
	for _, hint := range hints {
		metrics := slices.DeleteFunc(slices.Clone(d.hinted(hint, nil)), func(t target) bool {
			base := d.ix.rowsOf(t)
			return t.metric == nil || t.metric.Hidden || base == nil || base == owner || !d.ix.paths.reaches(base.Name, owner.Name)
		})
		if len(metrics) == 0 {
			continue
		}
		if unclear(metrics) {
			return
		}
		h := having{measure: measure{slot: slot{piece: i, options: metrics[:1]}}, op: op, bound: b}
		for _, n := range b.nums {
			h.nums = append(h.nums, n.Text)
		}
		if d.keepMembers(h, head) {
			d.takeComparison(i, first, last, b)
			d.compared(max(i, last), head)
			d.note(text.Say("interpret.assume_measured", "word", d.written(i), "meaning", labelOf(metrics[0].metric.Label, metrics[0].metric.Name)))
		}
		return
	}
}

// attribute gives the first of the hinted attributes that an entity has as a number of its own, else one of what each of its
// members has one of, where only one thing is called so.
func (d *draft) attribute(hints []string, owners []target) (target, bool) {
	t, _, ok := d.ranksBy(hints, owners[:1], isNumeric)
	return target{entity: t.entity, dim: t.dim, owned: true}, ok
}

// before gives the piece before another one, over words that only connect.
func (d *draft) before(i int) int {
	for i--; d.is(i, gluePiece, "is", "in"); i-- {
	}
	return i
}

// owners gives the entities that a piece names, whether or not it is used already.
func (d *draft) owners(i int) []target {
	var out []target
	for _, t := range d.pieces[i].names {
		if isEntity(t) {
			out = append(out, t)
		}
	}
	return out
}
