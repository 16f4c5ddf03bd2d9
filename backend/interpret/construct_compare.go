package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// readCompare reads what something is set beside: "revenue this month vs last month", "compare revenue in 1996 and 1997",
// "Q4 compared to the same quarter last year", "compare Germany and France". Periods become a comparand; members and
// numbers stand in one list.
func readCompare(d *draft) {
	for i := range d.pieces {
		if d.is(i, layerPiece, "peer year", "peer month", "peer quarter", "peer period") && d.free(i) {
			d.peer(i)
		}
	}
	for i := range d.pieces {
		if !d.is(i, layerPiece, "compare") || !d.free(i) {
			continue
		}
		switch periods := d.periodPieces(); {
		case d.against != nil: // "compared to the same month last year"
		case len(periods) == 2:
			d.sharedYear(periods[0], periods[1])
			d.comparePeriods(i, periods[0], periods[1])
		case len(periods) == 1 && d.directly(i, periods[0]):
			d.compareWithLast(periods[0])
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
	unit := d.pieces[i].id[len("peer "):]
	d.against = &frameql.Comparand{Kind: "same_period_last", Unit: unit}
	if unit == "period" {
		d.against = &frameql.Comparand{Kind: "previous_period"}
	}
	d.take(i, "time", d.pieces[i].id)
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

// comparePeriods sets the period that is asked about beside the other one: the one before "versus", the later one in a list.
func (d *draft) comparePeriods(i, first, second int) {
	main, other := first, second
	a, b := d.pieces[first].period, d.pieces[second].period
	if listed := i < first; listed && b.From.After(a.From) {
		main, other = second, first
	}
	d.against = &frameql.Comparand{Kind: "during", Period: &d.pieces[other].period.Asked}
	if unit, _ := d.samePeriod(other); unit != "" {
		d.against = &frameql.Comparand{Kind: "same_period_last", Unit: unit}
	} else if back := d.pieces[other].period.Asked; back.Kind == "previous" && back.Unit != "" {
		switch m := d.pieces[main].period; {
		case m.Asked.Kind == "this" && m.Asked.Unit == back.Unit:
			d.against = &frameql.Comparand{Kind: "previous", Unit: back.Unit}
		case m.Grain != "" && m.Grain != back.Unit && back.Unit == "year":
			d.against = &frameql.Comparand{Kind: "same_period_last", Unit: "year"}
		}
	}
	d.take(other, "time", d.pieces[other].period.Words())
	if d.is(other-1, gluePiece, "and", "in") {
		d.take(other-1, connects, "")
	}
}

// compareWithLast reads "revenue vs last year" without a period of its own: the present unit so far.
func (d *draft) compareWithLast(i int) {
	back := d.pieces[i].period.Asked
	unit := back.Unit
	if distance, of := d.samePeriod(i); distance != "" {
		back, unit = frameql.Period{Kind: "previous", Unit: of}, distance
	}
	if back.Kind != "previous" || back.Unit == "" {
		return
	}
	now := *d.pieces[i]
	now.period.Asked = frameql.Period{Kind: "this", Unit: back.Unit, ToDay: true}
	now.period.Notes = nil
	now.period.From, now.period.To, now.period.Relative = now.period.To, d.env.Now.AddDate(0, 0, 1), true
	d.pieces = slices.Clone(d.pieces)
	d.pieces[i] = &now
	d.against = &frameql.Comparand{Kind: "same_period_last", Unit: unit}
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
