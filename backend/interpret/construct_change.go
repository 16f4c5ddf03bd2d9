package interpret

import (
	"strings"

	"assay/backend/frameql"
	"assay/backend/interpret/timex"
)

// change is a difference over time that is asked for.
type change struct {
	fn      string // pct_change delta
	step    string // calendar unit between the two times; empty: not said
	between bool   // the period names the two times, whatever word leads to it
}

// readChange reads "revenue growth by month", "yoy change in orders", "how much did revenue fall in 1997". What it is
// measured against shows when the question was read to its end.
func readChange(d *draft) {
	for i := range d.pieces {
		if !d.free(i) || !d.is(i, layerPiece) {
			continue
		}
		id := d.pieces[i].id
		step, stepped := strings.CutPrefix(id, "step ")
		if !stepped && id != "growth" && id != "delta" || d.transitive(i) {
			continue
		}
		if d.change == nil {
			d.change = &change{}
		}
		switch {
		case stepped:
			d.change.step = step
		case id == "growth":
			d.change.fn = "pct_change"
		case d.change.fn == "":
			d.change.fn = "delta"
		}
		d.take(i, "comparison", id)
	}
}

// transitive says whether somebody is to change a number: "how can we increase revenue".
func (d *draft) transitive(i int) bool {
	p := d.pieces[i]
	switch d.tokens[p.from].norm {
	case "increase", "decrease", "change", "grow", "drop", "decline":
	default:
		return false
	}
	return p.to == p.from+1 && i+1 < len(d.pieces) && d.pieces[i+1].from == p.to && len(d.metrics(i+1)) > 0
}

// finishChange writes what numbers are measured against: the comparand that was named, the time before in the rows of the
// result, or the period before.
func (d *draft) finishChange() {
	if d.change == nil && d.against == nil && d.stride == nil {
		return
	}
	if len(d.measures) == 0 || d.top != nil || d.listing || len(d.having) > 0 || len(d.later) > 0 {
		d.invalid = true
		return
	}
	if d.stride != nil {
		d.finishStride()
		return
	}
	ch := change{}
	if d.change != nil {
		ch = *d.change
	}
	if ch.fn == "" {
		ch.fn = "pct_change"
	}
	if d.against == nil && d.bridge() {
		d.setBeside(ch.fn)
		return
	}
	grain := d.timeGrain()
	switch {
	case d.against != nil:
		d.setBeside("")
	case d.period != nil && d.period.Open && grain == "" && ch.step == "": // "how has revenue changed since 2011"
		d.trend = true
		d.alongRows(ch, "")
	case grain != "" || d.trend:
		d.alongRows(ch, grain)
	case d.period != nil && steps[d.period.Grain][ch.step] > 1: // "month over month growth in 1997"
		d.groups = append(d.groups, slot{piece: -1, grain: ch.step})
		d.alongRows(ch, ch.step)
	case d.period != nil:
		d.against = &frameql.Comparand{Kind: "previous_period"}
		if ch.step != "" && ch.step != d.period.Grain {
			d.against = &frameql.Comparand{Kind: "same_period_last", Unit: ch.step}
		}
		d.setBeside(ch.fn)
	case ch.step != "":
		d.groups = append(d.groups, slot{piece: -1, grain: ch.step})
		d.alongRows(ch, ch.step)
	default:
		d.trend = true
		d.alongRows(ch, "")
	}
}

// timeGrain gives the calendar unit that the rows are split by.
func (d *draft) timeGrain() string {
	for _, g := range d.groups {
		if g.grain != "" {
			return g.grain
		}
	}
	return ""
}

// steps is how many units of the finer kind the coarser one has, where that is a whole number.
var steps = map[string]map[string]int{"year": {"month": 12, "quarter": 4, "year": 1}, "quarter": {"month": 3, "quarter": 1}, "month": {"month": 1}, "week": {"day": 7, "week": 1}, "day": {"day": 1}}

// alongRows measures against an earlier row of the result.
func (d *draft) alongRows(ch change, grain string) {
	n := 0
	if ch.step != "" && ch.step != grain {
		if n = steps[ch.step][grain]; n == 0 {
			d.invalid = true
			return
		}
	}
	d.layered(layer{fn: ch.fn, n: n})
}

// layered sets a function of each number beside the number.
func (d *draft) layered(l layer) {
	var out []measure
	for _, m := range d.measures {
		with := m
		with.layer = &l
		out = append(out, m, with)
	}
	d.measures = out
}

// setBeside shows each number with the one that it is compared with and with the difference; fn is the one that was asked
// for, empty: both.
func (d *draft) setBeside(fn string) {
	fns := []string{"prev", "delta", "pct_change"}
	if fn != "" {
		fns = []string{"prev", fn}
	}
	if len(d.measures) > 1 {
		fns = []string{"prev", "pct_change"}
	}
	var out []measure
	for _, m := range d.measures {
		out = append(out, m)
		for _, f := range fns {
			with := m
			with.layer = &layer{fn: f}
			out = append(out, with)
		}
	}
	d.measures = out
}

// bridge reads "growth from 1996 to 1997": the last unit of the range against the first, not both together against those
// before.
func (d *draft) bridge() bool {
	p := d.period
	if p == nil || p.Open || p.From.IsZero() || p.To.IsZero() || d.timeGrain() != "" || d.trend {
		return false
	}
	at := -1
	for i := range d.pieces {
		if d.is(i, periodPiece) {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	head := d.tokens[d.pieces[at].from].norm
	if at > 0 && (head != "from" && head != "between") {
		head = d.tokens[d.pieces[at].from-1].norm
	}
	months := map[string]int{"year": 12, "quarter": 3, "month": 1}[p.Grain]
	if head != "from" && head != "between" && (d.change == nil || !d.change.between) || months == 0 {
		return false
	}
	last, first := p.To.AddDate(0, -months, 0), p.From.AddDate(0, months, 0)
	if !first.Before(p.To) || last.Before(first) {
		return false
	}
	main, other := timex.Spanning(last, p.To, p.Grain), timex.Spanning(p.From, first, p.Grain)
	main.Notes, main.Relative = p.Notes, p.Relative
	d.period, d.against = &main, &frameql.Comparand{Kind: "during", Period: &other.Asked}
	return true
}
