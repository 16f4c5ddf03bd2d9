package interpret

import "slices"

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
		if len(d.on) == 0 {
			d.readDated(i)
		}
		d.period, d.periodAt = &asked, i
		d.take(i, "time", asked.Words())
		for _, n := range asked.Notes {
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
	if p.From.IsZero() || p.To.IsZero() {
		return p, op == "eq"
	}
	out := period{Grain: p.Grain, Notes: p.Notes, Relative: p.Relative, Open: true}
	switch op {
	case "gt":
		out.From = p.To
	case "ge":
		out.From = p.From
	case "lt":
		out.To = p.From
	case "le":
		out.To = p.To
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
	j := i - 1
	for d.is(j, gluePiece, "in") {
		j--
	}
	denied := d.denies(j)                                                // "who ordered in 1996 but not in 1997"
	if denied || d.clauseOf(i) != nil && d.clauseOf(d.periodAt) == nil { // "with orders in 1996 but no orders in 1997"
		d.never = append(d.never, absent{next, i})
		d.take(i, "time", next.Words())
		if denied {
			d.take(j, connects, "")
		}
		return
	}
	before := d.is(j, gluePiece, "and", "or")
	if d.is(j, gluePiece, "and") && d.eachPeriod(next, j) {
		d.take(i, "time", next.Words())
		return
	}
	if !before || d.period.Open || next.Open || next.Grain != d.period.Grain || !d.period.To.Equal(next.From) || next.From.IsZero() {
		return
	}
	merged := spanning(d.period.From, next.To, next.Grain)
	merged.Notes = append(merged.Notes, d.period.Notes...)
	if d.is(j, gluePiece, "and") && len(d.periods) == 0 {
		d.periods = []period{*d.period}
	}
	if len(d.periods) > 0 {
		d.periods = append(d.periods, next)
	}
	if d.is(j, gluePiece, "and") && d.saidBoth() {
		d.separate = true
	}
	d.period = &merged
	d.take(i, "time", merged.Words())
	for _, n := range next.Notes {
		d.note(n)
	}
}

// eachPeriod keeps a second period apart from the first one, where something must be in each: "in both 2014 and 2015", "in 2014
// and 2016". and is the piece that joins them.
func (d *draft) eachPeriod(next period, and int) bool {
	both := d.is(d.periodAt-1, gluePiece, "and") || d.is(d.periodAt-1, gluePiece, "in") && d.is(d.periodAt-2, gluePiece, "and")
	adjacent := d.period.To.Equal(next.From) && !d.period.Open && !next.Open && d.period.Grain == next.Grain
	if both && d.saysBoth(d.periodAt) || d.saysBothIn() || !adjacent && d.tokens[d.pieces[and].from].norm != "," {
		if len(d.periods) == 0 {
			d.periods = []period{*d.period}
		}
		d.periods, d.separate = append(d.periods, next), true
		return true
	}
	return false
}

// saysBoth says whether "both" stands before a piece, over words that only connect.
func (d *draft) saysBoth(i int) bool {
	for i--; d.is(i, gluePiece); i-- {
		if d.tokens[d.pieces[i].from].norm == "both" {
			return true
		}
	}
	return false
}

// saysBothIn says whether "both" stands in the words between the last name before the first period and that period: "had a
// race both in the year 2001 and 2002".
func (d *draft) saysBothIn() bool {
	from := 0
	if k := d.subjectBefore(d.periodAt); k >= 0 {
		from = d.pieces[k].to
		if d.is(k, namePiece) && d.tokens[d.pieces[k].to-1].lemma == "year" && k > 0 {
			from = d.pieces[k-1].to
		}
	}
	return slices.ContainsFunc(d.tokens[from:max(from, d.pieces[d.periodAt].from)], func(t token) bool { return t.norm == "both" })
}

// saidBoth says whether "both" stands before the first period: something must be in each of them, and not in one of them.
func (d *draft) saidBoth() bool {
	for i := d.periodAt - 1; i >= 0 && (d.pieces[i].kind == gluePiece || d.pieces[i].kind == stopPiece); i-- {
		for _, t := range d.tokens[d.pieces[i].from:d.pieces[i].to] {
			if t.norm == "both" {
				return true
			}
		}
	}
	return false
}
