package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
)

// fragment is what stands alone in a follow-up and gets its other half from the query before: "the maximum", "top 3", "over
// 4000", "how about 5".
type fragment struct {
	reduce    string // an aggregate without an operand
	beside    string // a second one: "the maximum and the minimum"
	direction string // a ranking without a member
	n         int    // of the ranking; 0: none was said
	op        string // a comparison without a left side
	low, high string // its numbers
	number    string // a number without anything
	noun      int    // piece behind a comparison that says what is compared: "more than 100 flights"; 0: none
	hints     string // what an adjective ranks by, when it made the ranking: "the youngest"
}

// readBare takes the pieces of a follow-up that no construct has used, when they are of a kind that may stand alone.
func readBare(d *draft) {
	b := fragment{}
	for i := range d.pieces {
		if d.is(i, groupPiece, "by") && d.free(i) && i+1 < len(d.pieces) && d.uses[i+1].slot == "metric" {
			d.take(i, connects, "") // "by units sold instead"
		}
	}
	for i, p := range d.pieces {
		if !d.free(i) {
			continue
		}
		switch p.kind {
		case comparePiece:
			with, first, last := d.operands(i)
			if len(with.nums) == 0 || b.op != "" || strings.Contains(p.id, " ") {
				continue
			}
			b.op, b.low = p.id, with.nums[0].Text
			if len(with.nums) > 1 {
				b.high = with.nums[1].Text
			}
			d.take(i, "comparison", p.id)
			if d.free(last+1) && d.is(last+1, namePiece) && len(d.values(last+1)) == 0 {
				b.noun = last + 1
				d.take(last+1, "metric", d.pieces[last+1].label())
			}
			for k := first; k <= last; k++ {
				if d.is(k, numberPiece) {
					d.take(k, "comparison", d.pieces[k].number)
				}
			}
		case modePiece: // "the least common?"
			if b.direction == "" {
				b.direction = p.id
				d.take(i, "top", p.id)
			}
		case rankPiece, adjectivePiece:
			if b.direction != "" {
				continue
			}
			b.direction, b.hints, _ = strings.Cut(p.id, " ")
			d.take(i, "top", p.id)
			for _, k := range []int{i - 1, i + 1} {
				if d.free(k) && d.is(k, numberPiece) && b.n == 0 {
					b.n = numeric(d.pieces[k].number)
					d.take(k, "top", d.pieces[k].number)
				}
			}
		case aggregatePiece:
			switch {
			case p.id == "distinct" || b.beside != "" || b.reduce == p.id:
				continue
			case b.reduce == "":
				b.reduce = p.id
			default:
				b.beside = p.id
			}
			d.take(i, "aggregate", p.id)
		}
	}
	d.exactlyColumns()
	for i, p := range d.pieces {
		if d.free(i) && p.kind == numberPiece && b.number == "" && b.op == "" {
			b.number = p.number
			d.take(i, "value", p.number)
		}
	}
	d.bare = &b
}

// exactlyColumns reads "those with 8 cylinders" as the condition that it is: a number directly before an attribute.
func (d *draft) exactlyColumns() {
	exact := func(at int) bool {
		i := at - 1
		if at <= 0 || !d.is(i, numberPiece) || !d.free(i) || !d.is(i-1, gluePiece, "with") || d.pieces[i].to != d.pieces[at].from {
			return false
		}
		own := slices.DeleteFunc(slices.Clone(d.pieces[at].names), func(t target) bool { return !isNumeric(t) })
		if len(own) == 0 {
			return false
		}
		v := frameql.Value{Kind: frameql.Number, Text: d.pieces[i].number}
		d.filters = append(d.filters, filter{slot: slot{piece: at, options: own}, named: -1, op: "eq", texts: []frameql.Value{v}})
		d.take(i, "comparison", v.Text)
		return true
	}
	d.columns = slices.DeleteFunc(slices.Clone(d.columns), func(s slot) bool { return exact(s.piece) })
	d.measures = slices.DeleteFunc(slices.Clone(d.measures), func(m measure) bool { return exact(m.piece) })
}
