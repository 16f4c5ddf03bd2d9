package interpret

import (
	"assay/backend/text"
)

// readTime reads "in 1997", "last quarter", "since March", "shipped in March 1997", "where order date is after 1997".
func readTime(d *draft) {
	for i, p := range d.pieces {
		if p.kind != periodPiece || d.uses[i].slot != "" || d.is(i-1, groupPiece, "by") {
			continue // "by 1997" is a deadline and no period
		}
		if d.period != nil {
			d.mergePeriod(i)
			continue
		}
		asked := p.period
		j := i - 1
		for d.is(j, gluePiece, "in", "is", "with") {
			j--
		}
		if d.free(j) && d.is(j, comparePiece) && d.timeBefore(j) {
			var ok bool
			if asked, ok = compared(asked, d.pieces[j].id); !ok {
				continue
			}
			d.take(j, connects, "")
			for j--; d.is(j, gluePiece, "in", "is", "with"); {
				j--
			}
		}
		if ts := d.names(j, isTemporal); len(ts) > 0 && !d.is(j-1, groupPiece) && !d.is(j-1, listPiece) {
			d.on = ts
			d.take(j, "time", ts[0].name())
		}
		d.period = &asked
		d.take(i, "time", asked.words())
		for _, n := range asked.notes {
			d.note(n)
		}
	}
}

// timeBefore says whether a time dimension stands before a comparison: only then does it compare dates.
func (d *draft) timeBefore(j int) bool {
	for j--; d.is(j, gluePiece, "is", "with"); {
		j--
	}
	return len(d.names(j, isTemporal)) > 0
}

// compared turns "> 1997" into the range that it means.
func compared(p period, op string) (period, bool) {
	if p.from.IsZero() || p.to.IsZero() {
		return p, op == "eq"
	}
	out := period{grain: p.grain, notes: p.notes, relative: p.relative, open: true}
	switch op {
	case "gt":
		out.from = p.to
	case "ge":
		out.from = p.from
	case "lt":
		out.to = p.from
	case "le":
		out.to = p.to
	case "eq":
		return p, true
	default:
		return p, false
	}
	return out, true
}

// mergePeriod joins a second period that follows the first one without a gap: "in 1996 and 1997".
func (d *draft) mergePeriod(i int) {
	next := d.pieces[i].period
	before := d.is(i-1, gluePiece, "and", "or") || d.is(i-1, gluePiece, "in") && d.is(i-2, gluePiece, "and", "or")
	if !before || d.period.open || next.open || next.grain != d.period.grain || !d.period.to.Equal(next.from) || next.from.IsZero() {
		return
	}
	merged := spanning(d.period.from, next.to, next.grain)
	merged.notes = append(merged.notes, d.period.notes...)
	d.period = &merged
	d.take(i, "time", merged.words())
	for _, n := range next.notes {
		d.note(n)
	}
}

// words gives a period for a person and for a span.
func (p period) words() string {
	switch {
	case p.open && p.from.IsZero():
		return text.Say("interpret.until", "day", iso(p.to))
	case p.open:
		return text.Say("interpret.since", "day", iso(p.from))
	default:
		return p.asked.String()
	}
}
