package timex

import (
	"strconv"
	"time"

	"assay/backend/text"
)

// Sets of the calendar.

func (r *reader) monthSet(m int) expr {
	e := yearly("month", func(y int) (span, bool) { return r.span(Day(y, m, 1), Day(y, m+1, 1), "month"), true })
	return e
}

func (r *reader) monthDaySet(m, d int) expr {
	return yearly("day", func(y int) (span, bool) {
		t := Day(y, m, d)
		return oneDay(t), t.Day() == d
	})
}

// daySet is a day of the month.
func (r *reader) daySet(d int) expr {
	return set("day", "month", func(from, to time.Time) (out []span) {
		for t := Day(from.Year(), int(from.Month()), 1); t.Before(to); t = t.AddDate(0, 1, 0) {
			if at := t.AddDate(0, 0, d-1); at.Month() == t.Month() && !at.Before(from) && at.Before(to) {
				out = append(out, oneDay(at))
			}
		}
		return out
	})
}

func (r *reader) weekdaySet(w int) expr {
	return set("day", "week", func(from, to time.Time) (out []span) {
		for t := from.AddDate(0, 0, (w-isoWeekday(from)+7)%7); t.Before(to); t = t.AddDate(0, 0, 7) {
			out = append(out, oneDay(t))
		}
		return out
	})
}

// numericAt reads dates in digits: 2016-01-31, 1/31/2016, 31.1.2016, 2016-01, 01/2016, 1/31, 20160131.
func (r *reader) numericAt(i int) []match {
	a, la := r.number(i)
	if la == 0 {
		return nil
	}
	sep := ""
	if i+1 < len(r.tokens) {
		sep = r.tokens[i+1].text
	}
	if la == 4 && !r.glued(i+1) { // 2016 11 07, 2016 7 October
		b, lb := r.number(i + 1)
		if c, lc := r.number(i + 2); lb > 0 && lc > 0 && lb <= 2 && lc <= 2 && r.endsNumber(i+3) {
			if s, ok := calendarDay(a, b, c); ok {
				return []match{{loosely(definite(s), alone), i + 3}}
			}
		}
		if d, j, _ := r.dayNumber(i + 1); j > 0 {
			if m, end := r.month(r.over(j, "of")); end > 0 {
				if s, ok := calendarDay(a, m, d); ok {
					return []match{{definite(s), end}}
				}
			}
		}
	}
	if la == 8 && !r.glued(i+1) {
		if s, ok := calendarDay(a/10000, a/100%100, a%100); ok && a/10000 >= firstYear && a/10000 <= lastYear {
			return []match{{loosely(definite(s), alone), i + 1}}
		}
	}
	if sep != "-" && sep != "/" && sep != "." && sep != `\` {
		return nil
	}
	b, lb := r.number(i + 2)
	if lb == 0 {
		return r.yearMonthName(i, a, la, sep)
	}
	tight := r.glued(i+1) && r.glued(i+2)
	if c, lc := r.number(i + 4); lc > 0 && r.endsNumber(i+5) {
		if r.is(i+3, sep) || sep == "/" && r.is(i+3, ",") {
			if e, ok := r.threeNumbers(i, [3]int{a, b, c}, [3]int{la, lb, lc}, sep); ok {
				if !tight || !r.glued(i+3) || !r.glued(i+4) && !r.is(i+3, ",") {
					e.loose = alone
				}
				return []match{{e, i + 5}}
			}
			if tight && r.glued(i+3) {
				return nil
			}
		}
	}
	if r.glued(i+3) && r.is(i+3, sep, ":", "%") {
		return nil
	}
	return r.twoNumbers(i, a, b, la, lb, sep, tight)
}

// twoNumbers reads a year and a month, or a month and a day.
func (r *reader) twoNumbers(i, a, b, la, lb int, sep string, tight bool) (out []match) {
	l := strict
	if sep == "." || !tight {
		l = alone
	}
	switch {
	case la == 4 && lb <= 2 && b >= 1 && b <= 12 && a > 0:
		return []match{{loosely(definite(r.span(Day(a, b, 1), Day(a, b+1, 1), "month")), l), i + 3}}
	case lb == 4 && la <= 2 && a >= 1 && a <= 12 && b > 0:
		return []match{{loosely(definite(r.span(Day(b, a, 1), Day(b, a+1, 1), "month")), l), i + 3}}
	case la <= 2 && lb <= 2:
		m, d := a, b
		if m > 12 {
			m, d = b, a
		}
		if m < 1 || m > 12 || d < 1 || d > 31 {
			return nil
		}
		l = alone
		if sep == "/" && tight {
			l = dayish
		}
		return []match{{loosely(r.monthDaySet(m, d), l), i + 3}}
	}
	return nil
}

// threeNumbers reads a day, month and year in digits. The year stands where four digits do, else at the end. 3/5/1997 is
// month, day, year unless that is impossible; with dots the day comes first.
func (r *reader) threeNumbers(i int, n, length [3]int, sep string) (expr, bool) {
	y, m, d := n[2], n[0], n[1]
	ambiguous := false
	switch {
	case length[0] == 4:
		y, m, d = n[0], n[1], n[2]
	case length[2] != 4 && length[2] != 2:
		return expr{}, false
	case n[0] > 12 || sep == "." && n[1] <= 12:
		d, m = n[0], n[1]
	default:
		ambiguous = n[1] <= 12 && n[0] != n[1]
	}
	if length[0] != 4 && length[2] == 2 {
		y = fullYear(y)
	}
	s, ok := calendarDay(y, m, d)
	if ok && ambiguous {
		s.notes = append(s.notes, text.Say("interpret.assume_date_order", "phrase", r.written(i, i+5), "day", s.from.Format("2 January 2006")))
	}
	return definite(s), ok
}

// calendarDay is the day of a date that exists.
func calendarDay(y, m, d int) (span, bool) {
	if y < 1 || m < 1 || m > 12 || d < 1 || d > 31 {
		return span{}, false
	}
	t := Day(y, m, d)
	return oneDay(t), t.Day() == d
}

// yearMonthName reads 2019/aug/01, 2019-aug.
func (r *reader) yearMonthName(i, y, length int, sep string) (out []match) {
	m, j := r.month(i + 2)
	if length != 4 || j == 0 {
		return nil
	}
	if r.is(j, sep) {
		if d, end, _ := r.dayNumber(j + 1); end > 0 {
			if s, ok := calendarDay(y, m, d); ok {
				out = append(out, match{definite(s), end})
			}
		}
	}
	return append(out, match{definite(r.span(Day(y, m, 1), Day(y, m+1, 1), "month")), j})
}

// monthAt reads a month's name, with a day and a year of two digits where they stand directly beside it. A year of four
// digits is a box like any other, and is found by placing.
func (r *reader) monthAt(i int) (out []match) {
	if d, j, _ := r.dayNumber(i); j > 0 {
		j = r.separator(r.over(j, "of"), "-", "/", ".")
		if r.is(j, "the") {
			j++
		}
		if m, end := r.month(j); end > 0 {
			out = append(out, r.withYear(m, d, end)...)
		}
	}
	m, end := r.month(i)
	if end == 0 {
		return out
	}
	e := r.monthSet(m)
	e.loose = r.weak(i, end)
	out = append(out, match{e, end})
	j := r.separator(end, "-", "/", ".", ",")
	if r.is(j, "the") {
		j++
	}
	if d, k, _ := r.dayNumber(j); k > 0 {
		found := r.withYear(m, d, k)
		if _, n := r.number(k + 1); n == 2 && j == end && r.is(k, "-") && len(found) > 1 { // sep 3-12 ends on the 12th
			found = found[:1]
		}
		out = append(out, found...)
	}
	if j = r.separator(end, "-", "/", ","); r.is(j, "of") && j == end {
		j++
	}
	if y, k, _ := r.yearAt(j, true); k > 0 && (j == end || r.glued(j)) {
		if v, n := r.number(k - 1); n != 2 || v > 31 || r.is(k-2, "'") || j > end && r.is(end, "-", "/", "of") {
			out = append(out, match{definite(r.span(Day(y, m, 1), Day(y, m+1, 1), "month")), k})
		}
	}
	return out
}

// withYear gives a day of a month, and the same with the year that stands behind it.
func (r *reader) withYear(m, d, end int) (out []match) {
	if m == 2 && d > 29 || d > 30 && (m == 4 || m == 6 || m == 9 || m == 11) {
		return nil
	}
	out = []match{{r.monthDaySet(m, d), end}}
	j := r.separator(end, "-", "/", ",", ".")
	if r.is(j, "of", "in") {
		j++
	}
	if y, k, _ := r.yearAt(j, true); k > 0 {
		if s, ok := calendarDay(y, m, d); ok {
			out = append(out, match{definite(s), k})
		}
	}
	return out
}

// dayAt reads the day of a month without the month: the 12th, the second, 15.
func (r *reader) dayAt(i int) []match {
	d, end, cardinal := r.dayNumber(i)
	if end == 0 {
		return nil
	}
	l := dayish
	if cardinal || r.tokens[i].kind == word {
		l = alone
	}
	return []match{{loosely(r.daySet(d), l), end}}
}

// weekdayAt reads a weekday, alone or with the day that it is: friday, Friday the 13th, Wed, 22 of Jan.
func (r *reader) weekdayAt(i int) (out []match) {
	id, end := r.named(i, "weekdays")
	if end == 0 {
		return nil
	}
	w, _ := strconv.Atoi(id)
	if r.is(end, ".") && r.glued(end) && len(r.tokens[i].text) <= 5 {
		end++
	}
	e := r.weekdaySet(w)
	e.loose = r.weak(i, end)
	out = append(out, match{e, end})
	j := r.separator(end, ",")
	j = r.over(j, "the")
	for _, read := range []func(int) []match{r.numericAt, r.monthAt, r.dayAt} {
		for _, m := range read(j) {
			if m.expr.grain == "day" {
				m.expr.day = w
				if m.expr.loose > dayish {
					m.expr.loose = dayish
				}
				out = append(out, m)
			}
		}
	}
	return out
}

// weak says how loose a name is that is an everyday word as well: with a capital it is none.
func (r *reader) weak(i, end int) looseness {
	if end == i+1 && !r.tokens[i].capital && r.english.classes["weak"][r.tokens[i].text] != "" {
		return yearish
	}
	return strict
}

// yearsAt reads a year, a decade or a century.
func (r *reader) yearsAt(i int) (out []match) {
	if y, end, l := r.yearAt(i, false); end > 0 {
		out = append(out, match{loosely(definite(r.span(Day(y, 1, 1), Day(y+1, 1, 1), "year")), l), end})
	}
	if y, n := r.number(i); n > 0 && n <= 4 && y > 0 && r.behind(i+1, "era") > 0 {
		out = append(out, match{definite(r.span(Day(y, 1, 1), Day(y+1, 1, 1), "year")), r.behind(i+1, "era")})
	}
	if thousands, j := r.below100(i); j > 0 && thousands <= 2 && r.is(j, "thousand") { // two thousand, before anything that could go on
		out = append(out, match{loosely(definite(r.span(Day(1000*thousands, 1, 1), Day(1000*thousands+1, 1, 1), "year")), yearish), j + 1})
	}
	if j := r.over(r.over(i, "the"), "full_year"); r.is(j, "year", "yr") || r.is(j, "calendar") && r.is(j+1, "year") {
		j = r.over(r.behind(j, "units"), "of")
		if y, n := r.number(j); n > 0 && n <= 4 && y > 0 && r.endsNumber(j+1) {
			if n == 2 {
				y = fullYear(y)
			}
			out = append(out, match{definite(r.span(Day(y, 1, 1), Day(y+1, 1, 1), "year")), j + 1})
		}
	}
	if y, end := r.decadeAt(i); end > 0 {
		s := r.span(Day(y, 1, 1), Day(y+10, 1, 1), "decade")
		if y%100 == 0 && y < 2000 { // the 1800s
			s = r.span(Day(y, 1, 1), Day(y+100, 1, 1), "century")
		}
		e := definite(s)
		if _, n := r.number(i); n != 4 { // in their twenties
			e.loose = yearish
		}
		out = append(out, match{e, end})
	}
	if c, j := r.ordinal(i); j > 0 && c <= 99 {
		if id, end := r.named(r.separator(j, "-"), "units"); id == "century" {
			out = append(out, match{definite(r.span(Day(max(100*(c-1), 1), 1, 1), Day(100*c, 1, 1), "century")), end})
		}
	}
	return out
}

// decadeAt reads 1990s, '90s, 90's, nineties, nineteen-nineties, twenty-tens, two thousands.
func (r *reader) decadeAt(i int) (year, end int) {
	start := i
	if r.is(i, "'") && r.glued(i+1) {
		i++
	}
	if y, n := r.number(i); n > 0 {
		j := i + 1
		if r.is(j, "'") && r.glued(j) {
			j++
		}
		if !r.glued(j) || !r.is(j, "s") || y%10 != 0 || n != 4 && n != 2 || n == 4 && i > start {
			return 0, 0
		}
		if n == 2 {
			y = r.fullDecade(y)
		}
		return y, j + 1
	}
	if id, end := r.named(i, "decades"); end > 0 && id != "10" {
		y, _ := strconv.Atoi(id)
		return r.fullDecade(y), end
	}
	if thousands, j := r.below100(i); j > 0 && thousands <= 2 && r.is(j, "thousands") {
		return 1000 * thousands, j + 1
	} else if j > 0 && thousands <= 2 && r.is(j, "thousand") {
		j++
		if r.is(j, "and") {
			j++
		}
		if id, end := r.named(j, "decades"); end > 0 {
			y, _ := strconv.Atoi(id)
			return 1000*thousands + y, end
		}
	}
	hundreds, j := r.tens(i)
	if j == 0 {
		return 0, 0
	}
	if r.is(j, "hundreds") {
		return 100 * hundreds, j + 1
	}
	if id, end := r.named(r.separator(j, "-"), "decades"); end > 0 {
		y, _ := strconv.Atoi(id)
		return 100*hundreds + y, end
	}
	return 0, 0
}

// tens reads the first half of a year in words: nineteen, twenty.
func (r *reader) tens(i int) (hundreds, end int) {
	id, end := r.named(i, "numbers")
	hundreds, _ = strconv.Atoi(id)
	if hundreds < 10 || hundreds > 20 {
		return 0, 0
	}
	return hundreds, end
}

// fullDecade completes a decade of two digits: the latest one that has begun, of this century or the last.
func (r *reader) fullDecade(y int) int {
	if 2000+y <= r.today.Year() {
		return 2000 + y
	}
	return 1900 + y
}
