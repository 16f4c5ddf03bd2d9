package interpret

import (
	"assay/backend/frameql"
	"assay/backend/text"
)

// relativeAt reads phrases that depend on the clock: today, last quarter, the past 30 days, year to date, 3 months ago.
func (r *timeReader) relativeAt(i int) (periodMatch, bool) {
	for _, read := range []func(int) (periodMatch, bool){r.toDateAt, r.dayNameAt, r.agoAt, r.lastAt} {
		if m, ok := read(i); ok {
			m.relative = m.asked.Kind != "all_time"
			return m, true
		}
	}
	return periodMatch{}, false
}

// toDateAt reads YTD, year to date, so far this year, this year so far, this year to date.
func (r *timeReader) toDateAt(i int) (periodMatch, bool) {
	for _, k := range [][2]string{{"year", "ytd"}, {"quarter", "qtd"}, {"month", "mtd"}, {"week", "wtd"}} {
		unit, kind := k[0], k[1]
		n := 0
		switch {
		case r.is(i, kind):
			n = 1
		case r.seq(i, unit, "to", "date"):
			n = 3
		case r.seq(i, "so", "far", "this", unit):
			n = 4
		case r.seq(i, "this", unit, "so", "far"), r.seq(i, "this", unit, "to", "date"):
			n = 4
		}
		if n > 0 {
			p := period{asked: frameql.Period{Kind: kind}, grain: unit, from: r.floor(r.today, unit), to: r.today.AddDate(0, 0, 1)}
			return periodMatch{p, n}, true
		}
	}
	if r.seq(i, "all", "time") || r.seq(i, "of", "all", "time") || r.seq(i, "all", "years") {
		n := 2
		if r.is(i, "of") {
			n = 3
		}
		return periodMatch{period{asked: frameql.Period{Kind: "all_time"}}, n}, true
	}
	return periodMatch{}, false
}

// dayNameAt reads today, yesterday, the day before yesterday, tomorrow, and weekdays with last, this or next.
func (r *timeReader) dayNameAt(i int) (periodMatch, bool) {
	one := func(offset, n int) (periodMatch, bool) {
		return periodMatch{literal("day", r.today.AddDate(0, 0, offset)), n}, true
	}
	switch {
	case r.is(i, "today"):
		return periodMatch{period{asked: frameql.Period{Kind: "today"}, grain: "day", from: r.today, to: r.today.AddDate(0, 0, 1)}, 1}, true
	case r.is(i, "yesterday"):
		return periodMatch{period{asked: frameql.Period{Kind: "yesterday"}, grain: "day", from: r.today.AddDate(0, 0, -1), to: r.today}, 1}, true
	case r.is(i, "tomorrow"):
		return one(1, 1)
	case r.seq(i, "day", "before", "yesterday"):
		return one(-2, 3)
	case r.seq(i, "day", "after", "tomorrow"):
		return one(2, 3)
	}
	j, shift := i, 0
	switch {
	case r.is(i, "last", "previous", "past"):
		j, shift = i+1, -1
	case r.is(i, "next", "coming"):
		j, shift = i+1, 1
	case r.is(i, "this"):
		j = i + 1
	}
	if j >= len(r.tokens) {
		return periodMatch{}, false
	}
	w := r.english.weekdays[r.tokens[j].norm]
	if w == 0 || (j == i && len(r.tokens[j].norm) < 5) {
		return periodMatch{}, false
	}
	inWeek := r.floor(r.today, "week").AddDate(0, 0, w-1)
	if j == i { // a bare weekday is the most recent one before today
		if !inWeek.Before(r.today) {
			inWeek = inWeek.AddDate(0, 0, -7)
		}
		shift = 0
	}
	p := literal("day", inWeek.AddDate(0, 0, 7*shift))
	return periodMatch{p, j - i + 1}, true
}

// agoAt reads "3 months ago", "a year ago": the whole unit that lies so far back.
func (r *timeReader) agoAt(i int) (periodMatch, bool) {
	n, k := r.count(i)
	if k == 0 && r.is(i, "a", "an") {
		n, k = 1, 1
	}
	if k == 0 {
		return periodMatch{}, false
	}
	unit, u := r.unit(i + k)
	if u == 0 || !r.is(i+k+u, "ago", "back", "earlier") {
		return periodMatch{}, false
	}
	return periodMatch{r.unitAt(unit, -n), k + u + 1}, true
}

// unitAt gives the calendar unit that lies n units from now.
func (r *timeReader) unitAt(unit string, n int) period {
	from := step(r.floor(r.today, unit), unit, n)
	if unit == "week" || unit == "fiscal_year" || unit == "fiscal_quarter" {
		return spanning(from, step(from, unit, 1), unit)
	}
	return literal(unit, from)
}

// lastAt reads last quarter, the previous 3 months, the past 30 days, this month, next year, last March.
func (r *timeReader) lastAt(i int) (periodMatch, bool) {
	direction := 0
	switch {
	case r.is(i, "last", "previous", "past", "prior", "preceding", "trailing", "latest", "recent"):
		direction = -1
	case r.is(i, "this", "current"):
	case r.is(i, "next", "coming", "following", "upcoming"):
		direction = 1
	default:
		return periodMatch{}, false
	}
	j := i + 1
	if m, n := r.month(j); n > 0 { // last March: the most recent one that is over; next March: the next one
		p := literal("month", day(r.today.Year(), m, 1))
		this := r.floor(r.today, "month")
		switch {
		case direction < 0 && !p.from.Before(this):
			p = literal("month", day(r.today.Year()-1, m, 1))
		case direction > 0 && !p.from.After(this):
			p = literal("month", day(r.today.Year()+1, m, 1))
		}
		return periodMatch{p, 1 + n}, true
	}
	n, k := r.count(j)
	if k == 0 && r.is(j, "few", "couple") {
		return periodMatch{}, false
	}
	unit, u := r.unit(j + k)
	if u == 0 {
		return periodMatch{}, false
	}
	length := 1 + k + u
	if k == 0 && r.is(i, "latest", "recent", "trailing") {
		return periodMatch{}, false
	}
	switch {
	case direction < 0 && (k > 0):
		this := r.floor(r.today, unit)
		p := period{asked: frameql.Period{Kind: "last", N: n, Unit: unit}, grain: unit, from: step(this, unit, -n), to: this}
		p.notes = append(p.notes, text.Say("interpret.assume_complete", "phrase", r.written(i, length), "from", iso(p.from), "to", iso(p.to.AddDate(0, 0, -1))))
		return periodMatch{p, length}, true
	case direction < 0:
		p := period{asked: frameql.Period{Kind: "previous", Unit: unit}, grain: unit}
		p.to = r.floor(r.today, unit)
		p.from = step(p.to, unit, -1)
		return periodMatch{p, length}, true
	case direction == 0 && k == 0:
		p := period{asked: frameql.Period{Kind: "this", Unit: unit}, grain: unit, from: r.floor(r.today, unit)}
		p.to = step(p.from, unit, 1)
		return periodMatch{p, length}, true
	case direction > 0:
		if k == 0 {
			return periodMatch{r.unitAt(unit, 1), length}, true
		}
		from := step(r.floor(r.today, unit), unit, 1)
		return periodMatch{spanning(from, step(from, unit, n), unit), length}, true
	}
	return periodMatch{}, false
}

// count reads a whole number in digits or in words; n tokens.
func (r *timeReader) count(i int) (value, n int) {
	v, n := r.english.number(r.tokens, i)
	if n == 0 {
		return 0, 0
	}
	c := numeric(v)
	if c < 1 || c > 10000 {
		return 0, 0
	}
	return c, n
}

// unit reads a calendar unit in singular or plural.
func (r *timeReader) unit(i int) (unit string, n int) {
	fiscal := ""
	if r.is(i, "fiscal", "financial") {
		fiscal, i, n = "fiscal_", i+1, 1
	} else if r.is(i, "calendar", "full", "complete", "whole") {
		i, n = i+1, 1
	}
	switch {
	case r.is(i, "day", "days") && fiscal == "":
		return "day", n + 1
	case r.is(i, "week", "weeks") && fiscal == "":
		return "week", n + 1
	case r.is(i, "month", "months") && fiscal == "":
		return "month", n + 1
	case r.is(i, "quarter", "quarters", "qtr"):
		return fiscal + "quarter", n + 1
	case r.is(i, "year", "years"):
		return fiscal + "year", n + 1
	}
	return "", 0
}
