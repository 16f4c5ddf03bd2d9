package timex

import "strconv"

// ordinalOf reads which one: first, 3rd, last, second to last, penultimate. The last one is -1.
func (r *reader) ordinalOf(i int) (k, end int) {
	if k, j := r.ordinal(i); j > 0 {
		if r.is(j, "to", "-") && r.is(j+1, "last", "to") || r.is(j, "last") {
			for r.is(j, "to", "-", "last") {
				j++
			}
			return -k, j
		}
		return k, j
	}
	switch {
	case r.is(i, "last") && r.is(i+1, "but") && r.is(i+2, "one"):
		return -2, i + 3
	case r.is(i, "last", "final", "closing"):
		return -1, i + 1
	case r.is(i, "opening", "initial"):
		return 1, i + 1
	case r.is(i, "penultimate"):
		return -2, i + 1
	}
	return 0, 0
}

// nthAt reads the k-th unit or the k-th of a set, which a box must be said for: first week, last friday, third quarter.
func (r *reader) nthAt(i int) (out []match) {
	k, j := r.ordinalOf(i)
	if j == 0 {
		return nil
	}
	if k == -1 && r.is(j, "of") { // the last of May
		return []match{{loosely(r.nthUnit("day", k), alone), j}}
	}
	j = r.separator(j, "-")
	j = r.over(j, "full_unit")
	if unit, end := r.named(j, "units"); end > 0 && end > j {
		if e := r.nthUnit(unit, k); e.pick != nil {
			if unit == "half" { // the first half of the customers
				e.loose = yearish
			}
			out = append(out, match{e, end})
		}
	}
	for _, m := range append(r.weekdayAt(j), r.holidayAt(j)...) {
		e := m.expr
		if e.cycle != "week" || e.day > 0 {
			continue
		}
		e.loose = strict
		nth := r.nthOf(e, k)
		out = append(out, match{nth, m.end})
		if month, ok := r.unitOf(r.today, "month", 0); ok && k > 0 {
			if s, ok := nth.within(month); ok {
				s.relative = true
				out = append(out, match{loosely(definite(s), alone), m.end})
			}
		}
	}
	return out
}

func loosely(e expr, l looseness) expr {
	e.loose = l
	return e
}

// nthUnit is the k-th unit of a box. Quarters and halves without a box are those of a year.
func (r *reader) nthUnit(unit string, k int) expr {
	e := expr{grain: unit, pick: func(box span) (span, bool) {
		if box.from.IsZero() {
			return r.unknownFiscal(box, unit, k)
		}
		s, ok := at(r.unitsIn(box, unit), k)
		if ok && s.grain == "fiscal_quarter" && box.asked != nil && box.asked.Kind == "literal" {
			s = r.fiscalLiteral(box.asked.Value+"-Q"+strconv.Itoa((k+5)%5), "fiscal_quarter")
		}
		return s, ok
	}}
	if unit == "business_day" {
		inner := e.pick
		e.grain, e.pick = "day", func(box span) (span, bool) {
			s, ok := inner(box)
			s.grain = "day"
			return s, ok
		}
	}
	if k > 0 && (unit == "quarter" && k <= 4 || unit == "half" && k <= 2) {
		months := 3
		if unit == "half" {
			months = 6
		}
		e.cycle, e.each = "year", yearly(unit, func(y int) (span, bool) {
			from := Day(y, months*(k-1)+1, 1)
			return r.span(from, from.AddDate(0, months, 0), unit), true
		}).each
	}
	if unit == "half" {
		e.pick, e.parts = r.halfOf(k), true
	}
	return e
}

// halfOf cuts a box in two: years into six months, months behind their 15th day, anything else in its middle.
func (r *reader) halfOf(k int) func(box span) (span, bool) {
	return func(box span) (span, bool) {
		middle := box.from.AddDate(0, 0, int(box.to.Sub(box.from).Hours()/24+1)/2)
		switch box.grain {
		case "year":
			middle = step(box.from, "half", 1)
		case "fiscal_year":
			parts := r.fiscalParts(box, "half")
			if len(parts) != 2 {
				return span{}, false
			}
			middle = parts[0].to
		case "decade", "century":
			middle = step(box.from, "month", 60*(1+9*boolInt(box.grain == "century")))
		case "month":
			middle = box.from.AddDate(0, 0, 15)
		case "day":
			return span{}, false
		}
		if box.from.IsZero() || k < -2 || k == 0 || k > 2 {
			return span{}, false
		}
		if k == 1 || k == -2 {
			return r.span(box.from, middle, "day"), true
		}
		return r.span(middle, box.to, "day"), true
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// unknownFiscal names a quarter of a fiscal year whose days nobody knows, so that the resolver can say what is missing.
func (r *reader) unknownFiscal(box span, unit string, k int) (span, bool) {
	if box.asked == nil || box.asked.Kind != "literal" || unit != "quarter" && unit != "fiscal_quarter" || k < 1 || k > 4 {
		return span{}, false
	}
	return r.fiscalLiteral(box.asked.Value+"-Q"+strconv.Itoa(k), "fiscal_quarter"), true
}

// nthOf is the k-th occurrence of a set in a box.
func (r *reader) nthOf(e expr, k int) expr {
	return expr{grain: e.grain, pick: func(box span) (span, bool) { return at(e.each(box.from, box.to), k) }}
}

// at gives the k-th of a list, counted from its end when k is negative.
func at(all []span, k int) (span, bool) {
	if k < 0 {
		k += len(all) + 1
	}
	if k < 1 || k > len(all) {
		return span{}, false
	}
	return all[k-1], true
}

// countedAt reads the first or the last n units of a box: first three months, last 10 days.
func (r *reader) countedAt(i int) (out []match) {
	first := r.is(i, "first", "initial", "opening")
	if !first && !r.is(i, "last", "final", "closing") {
		return nil
	}
	n, j := r.amount(i + 1)
	if j == 0 || n < 1 {
		return nil
	}
	unit, end := r.named(j, "units")
	if end == 0 {
		return nil
	}
	return []match{{expr{grain: unit, pick: func(box span) (span, bool) {
		all := r.unitsIn(box, unit)
		if n > len(all) {
			return span{}, false
		}
		if first {
			return r.span(all[0].from, all[n-1].to, unit), true
		}
		return r.span(all[len(all)-n].from, all[len(all)-1].to, unit), true
	}}, end}}
}

// countedUnit reads how many of which unit: 3 months, a few full weeks, 30d.
func (r *reader) countedUnit(i int) (n int, unit string, end int) {
	if v, length := r.number(i); length > 0 && r.glued(i+1) && !r.glued(i+2) {
		for _, short := range [][2]string{{"d", "day"}, {"w", "week"}, {"wk", "week"}, {"m", "month"}, {"mo", "month"}, {"y", "year"}, {"yr", "year"}} {
			if r.is(i+1, short[0]) {
				return v, short[1], i + 2
			}
		}
	}
	n, k := r.amount(i)
	if k == 0 {
		return 0, "", 0
	}
	unit, end = r.named(r.separator(r.over(k, "full_unit"), "-"), "units")
	return n, unit, end
}

// amount reads how many: 3, three, a couple of, a few. "A" alone is no amount here.
func (r *reader) amount(i int) (n, end int) {
	if n, end = r.cardinal(i); end > 0 {
		return n, end
	}
	if id, end := r.named(i, "amounts"); end > 0 && id != "1" {
		n, _ = strconv.Atoi(id)
		return n, end
	}
	return 0, 0
}

// partOfYearAt reads Q3, H1, 3Q, quarter 3, half 1, and the same with a year glued to it: Q3'97, 3Q16, 1997Q3, Q1 98.
func (r *reader) partOfYearAt(i int) (out []match) {
	unit, k, end := r.partName(i)
	if end > 0 {
		e := r.nthUnit(unit, k)
		out = append(out, match{e, end})
		if unit == "week" {
			out = append(out, match{loosely(r.weekOfYear(k), alone), end})
		}
		if y, j, _ := r.yearAt(r.separator(end, "-", "/"), true); j > 0 && (r.glued(end) || r.is(end, "'") || r.bareYear(end, j)) {
			if p, ok := r.place(e, definite(r.span(Day(y, 1, 1), Day(y+1, 1, 1), "year"))); ok {
				out = append(out, match{p, j})
			}
		}
	}
	if y, n := r.number(i); n == 4 && y > 0 {
		if unit, k, end := r.partName(r.separator(i+1, "-", "/")); end > 0 && r.glued(i+1) {
			if p, ok := r.place(r.nthUnit(unit, k), definite(r.span(Day(y, 1, 1), Day(y+1, 1, 1), "year"))); ok {
				out = append(out, match{p, end})
			}
		}
	}
	return out
}

// bareYear says whether two digits that stand alone behind a quarter are its year: Q1 98. What could be a number of something is one only at the end.
func (r *reader) bareYear(i, end int) bool {
	y, length := r.number(i)
	return length == 2 && end == i+1 && (y > 31 || end == len(r.tokens))
}

// partName reads the name of a quarter, a half or an ISO week.
func (r *reader) partName(i int) (unit string, k, end int) {
	n, length := r.number(i + 1)
	switch {
	case r.is(i, "q") && r.glued(i+1) && length == 1 && n >= 1 && n <= 4:
		return "quarter", n, i + 2
	case r.is(i, "h") && r.glued(i+1) && length == 1 && (n == 1 || n == 2):
		return "half", n, i + 2
	case r.is(i, "w", "kw", "cw") && length <= 2 && n >= 1 && n <= 53:
		return "week", n, i + 2
	}
	n, length = r.number(i)
	switch {
	case length == 1 && n >= 1 && n <= 4 && r.is(i+1, "q") && r.glued(i+1):
		return "quarter", n, i + 2
	case length == 1 && (n == 1 || n == 2) && r.is(i+1, "h") && r.glued(i+1):
		return "half", n, i + 2
	}
	return "", 0, 0
}

// numberedAt reads a unit with its number: quarter 3, week 10, day 100.
func (r *reader) numberedAt(i int) (out []match) {
	unit, j := r.named(i, "units")
	if j == 0 {
		return nil
	}
	j = r.separator(j, "#")
	if r.is(j, "number", "no", "nr") {
		j = r.separator(j+1, ".")
	}
	k, end := r.cardinal(j)
	if end == 0 || k < 1 || k > 366 {
		return nil
	}
	if to := r.behind(end, "to"); to > 0 || r.is(end, "and") {
		if m, after := r.cardinal(max(to, end+1)); after > 0 && m > k && m <= 366 && unit != "year" {
			out = append(out, match{r.unitsBetween(unit, k, m), after})
		}
	}
	switch unit {
	case "quarter", "half", "fiscal_period", "fiscal_week", "day":
		out = append(out, match{r.nthUnit(unit, k), end})
	case "week":
		out = append(out, match{r.weekOfYear(k), end})
	}
	return out
}

// unitsBetween is a stretch of numbered units: weeks 10 to 12.
func (r *reader) unitsBetween(unit string, k, m int) expr {
	pick := func(box span) (span, bool) {
		all := r.unitsIn(box, unit)
		if m > len(all) {
			return span{}, false
		}
		return r.span(all[k-1].from, all[m-1].to, unit), true
	}
	e := yearly(unit, func(y int) (span, bool) { return pick(r.span(Day(y, 1, 1), Day(y+1, 1, 1), "year")) })
	if unit != "week" && unit != "quarter" {
		e = expr{grain: unit}
	}
	e.pick = pick
	return e
}

// weekOfYear is a week by its number; without a box it is one of this or an earlier year.
func (r *reader) weekOfYear(k int) expr {
	e := r.nthUnit("week", k)
	e.cycle, e.each = "year", yearly("week", func(y int) (span, bool) {
		return e.pick(r.span(Day(y, 1, 1), Day(y+1, 1, 1), "year"))
	}).each
	return e
}
