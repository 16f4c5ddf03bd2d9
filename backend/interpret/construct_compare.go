package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/interpret/timex"
)

// readCompare reads what something is set beside: "revenue this month vs last month", "compare revenue in 1996 and 1997",
// "Q4 compared to the same quarter last year", "compare Germany and France". Periods become a comparand; members and
// numbers stand in one list.
func readCompare(d *draft) {
	for i := range d.pieces {
		if d.is(i, layerPiece, "peer year", "peer quarter", "peer month", "peer week", "peer day", "peer period") && d.free(i) {
			d.peer(i)
		}
	}
	for i := range d.pieces {
		if !d.is(i, layerPiece, "compare") || !d.free(i) {
			continue
		}
		switch periods := d.periodPieces(); {
		case d.stride != nil: // "compared to the same month last year"
		case len(periods) == 2:
			d.sharedYear(periods[0], periods[1])
			d.comparePeriods(i, periods[0], periods[1])
		case len(periods) == 1 && d.directly(i, periods[0]) && d.strideOf(periods[0]) != nil:
			d.stride = d.strideOf(periods[0])
			d.take(periods[0], "time", d.written(periods[0]))
		default:
			d.versus = true
			if i > 0 {
				d.asAnd(i)
				continue
			}
		}
		d.take(i, "comparison", "compare")
	}
}

// peer reads a comparand that is said by its distance.
func (d *draft) peer(i int) {
	d.stride = &stridden{}
	if unit := d.pieces[i].id[len("peer "):]; unit != "period" {
		d.stride.Stride = timex.Stride{N: 1, Unit: unit}
	}
	d.take(i, "time", d.pieces[i].id)
}

// strideOf gives the distance that a period names: "last month", "the previous 3 years", "the same month last year". nil: it names
// none.
func (d *draft) strideOf(i int) *stridden {
	p := d.pieces[i].period
	if unit, of := d.samePeriod(i); unit != "" {
		return &stridden{Stride: timex.Stride{N: 1, Unit: unit}, of: of}
	}
	if p.Back.Unit == "" {
		return nil
	}
	return &stridden{Stride: p.Back, other: &p}
}

func (d *draft) periodPieces() []int {
	var out []int
	for i := range d.pieces {
		if d.is(i, periodPiece) && d.free(i) {
			out = append(out, i)
		}
	}
	return out
}

// directly says whether only glue stands between two pieces.
func (d *draft) directly(i, j int) bool {
	for i++; d.is(i, gluePiece, "in"); i++ {
	}
	return i == j
}

// asAnd lets "Germany versus France" be a list of both.
func (d *draft) asAnd(i int) {
	d.pieces = slices.Clone(d.pieces)
	and := *d.pieces[i]
	and.kind, and.id = gluePiece, "and"
	if d.is(i-1, gluePiece) || d.is(i+1, gluePiece, "and") {
		d.take(i, connects, "")
		return
	}
	d.pieces[i] = &and
}

// comparePeriods sets the period that is asked about beside the other one: the one before "versus", the later one in a list. One
// that counts back is counted from the other.
func (d *draft) comparePeriods(i, first, second int) {
	main, other := first, second
	a, b := d.pieces[first].period, d.pieces[second].period
	counts := d.strideOf(second) != nil
	if listed := i < first; listed && (b.From.After(a.From) && !counts || !counts && d.strideOf(first) != nil) {
		main, other = second, first
	}
	if d.stride = d.strideOf(other); d.stride == nil {
		d.against = &frameql.Comparand{Kind: "during", Period: &d.pieces[other].period.Asked}
	}
	d.take(other, "time", d.pieces[other].period.Words())
	if between := d.pieces[main].to <= d.pieces[other].from; between && d.is(other-1, gluePiece, "and", "in") {
		d.take(other-1, connects, "")
	}
}

// samePeriod reads "the same month last year": a month, and a year away.
func (d *draft) samePeriod(i int) (distance, of string) {
	p := d.pieces[i]
	same := slices.IndexFunc(d.tokens[p.from:p.to], func(t token) bool { return t.norm == "same" })
	if same < 0 {
		return "", ""
	}
	for _, t := range d.tokens[p.from+same : p.to] {
		if !slices.ContainsFunc(d.ix.english.operators[t.norm], func(o operator) bool { return o.class == "grains" && o.id == t.lemma }) {
			continue
		}
		if of == "" {
			of = t.lemma
		}
		distance = t.lemma
	}
	if distance == of {
		return "", ""
	}
	return distance, of
}

// finishVersus splits by what members that are compared belong to: "compare revenue in Germany and France" has a row for
// each.
func (d *draft) finishVersus() {
	if !d.versus || len(d.measures) == 0 || d.top != nil {
		return
	}
	for k := range d.filters {
		f := &d.filters[k]
		if f.op == "eq" && len(f.values) > 1 && !slices.ContainsFunc(d.groups, func(g slot) bool { return g.piece == f.piece }) {
			d.groups = append(d.groups, slot{piece: f.piece, options: f.options})
			return
		}
	}
	if len(d.measures) < 2 {
		d.invalid = true
	}
}
