package timex

import (
	"strconv"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/text"
)

// offset is a word and how far it moves.
type offset struct {
	word string
	by   int
}

var (
	dayNames   = []offset{{"today", 0}, {"now", 0}, {"yesterday", -1}, {"tomorrow", 1}, {"minus2", -2}, {"plus2", 2}}
	twoAway    = []offset{{"after", 2}, {"before", -2}}
	directions = []offset{{"from_point", 1}, {"before_point", -1}}
)

// dayNameAt reads today, yesterday, tomorrow and the days beside them.
func (r *reader) dayNameAt(i int) (out []match) {
	for _, name := range dayNames {
		class, offset := name.word, name.by
		j := r.behind(i, class)
		if j == 0 {
			continue
		}
		s := oneDay(r.today.AddDate(0, 0, offset))
		s.relative = true
		l := strict
		switch class {
		case "today", "yesterday":
			s.asked = &frameql.Period{Kind: class}
		case "now": // an everyday word, and an end of a range
			s.asked, l = &frameql.Period{Kind: "today"}, alone
		}
		out = append(out, match{loosely(definite(s), l), j})
	}
	for _, name := range []offset{{"before", -1}, {"after", 1}} { // the day before
		if r.is(i, "day") && r.is(i+1, name.word) {
			s := oneDay(r.today.AddDate(0, 0, name.by))
			s.relative = true
			out = append(out, match{loosely(definite(s), alone), i + 2})
		}
	}
	return out
}

// direction reads where a word points: last -1, this 0, next 1. near says that the nearest one is meant and not the one of the
// unit beside: "past friday", "this coming friday"; exact that whole units are not: "the past 3 months".
type direction struct {
	by    int
	near  bool
	class string
}

func (r *reader) direction(i int) (d direction, end int) {
	if j := r.behind(i, "this"); j > 0 { // this past week, this coming friday
		if inner, end := r.direction(j); end > 0 && inner.by != 0 {
			inner.near = true
			return inner, end
		}
		return direction{class: "this"}, j
	}
	for _, d := range []direction{{-1, false, "last"}, {-1, true, "past"}, {-1, false, "trailing"}, {1, false, "next"}, {1, true, "coming"}} {
		if j := r.behind(i, d.class); j > 0 {
			return d, j
		}
	}
	return d, 0
}

// pointingAt reads last quarter, the past 30 days, next friday, this September, the next few weeks.
func (r *reader) pointingAt(i int) (out []match) {
	d, j := r.direction(i)
	if j == 0 {
		return nil
	}
	j = r.over(j, "full_unit")
	if s, end := r.lastToDate(d, j); end > 0 {
		return []match{{definite(s), end}}
	}
	if n, unit, end := r.countedUnit(j); end > 0 && n > 0 && d.by != 0 {
		if s, ok := r.several(d, n, unit, i, end); ok {
			if d.by < 0 {
				s.back = Stride{N: n, Unit: unit}
			}
			out = append(out, match{definite(s), end})
		}
		return out
	}
	l := strict
	if r.is(j-1, "same") { // the same month as they signed up
		l = alone
	}
	if unit, end := r.named(j, "units"); end > 0 && d.class != "trailing" && !r.plural(end) {
		if s, ok := r.beside(unit, d.by); ok {
			if d.by < 0 {
				s.back = Stride{N: 1, Unit: unit}
			}
			out = append(out, match{loosely(definite(s), l), end})
		}
	}
	for _, m := range r.setsAt(j) {
		if s, ok := r.point(d, m.expr, i, m.end); ok && d.class != "trailing" {
			out = append(out, match{definite(s), m.end})
		}
	}
	return out
}

// plural says whether a unit is written in the plural: "last months" is no period.
func (r *reader) plural(end int) bool {
	return strings.HasSuffix(r.tokens[end-1].text, "s") && r.tokens[end-1].text != "hrs"
}

// setsAt reads a set that has a name: a month, a weekday, a quarter, a holiday, a season.
func (r *reader) setsAt(i int) (out []match) {
	for _, read := range []func(int) []match{r.weekdayAt, r.monthAt, r.partOfYearAt, r.holidayAt, r.seasonAt} {
		for _, m := range read(i) {
			if m.expr.one == nil && m.expr.each != nil && m.expr.day == 0 {
				out = append(out, m)
			}
		}
	}
	return out
}

// point finds the occurrence of a set in the cycle before, at, or behind today: last friday is the one of last week.
func (r *reader) point(d direction, e expr, i, end int) (s span, ok bool) {
	switch {
	case d.near && d.by < 0:
		s, ok = e.upTo(r.today)
		for n := 0; ok && s.to.After(r.today) && n < 2; n++ {
			s, ok = e.upTo(s.from)
		}
	case d.near:
		s, ok = e.onFrom(r.today.AddDate(0, 0, 1))
	default:
		var box span
		if box, ok = r.unitOf(r.today, e.cycle, d.by); ok {
			all := e.each(box.from, box.to)
			s, ok = at(all, boolInt(len(all) == 1))
		}
	}
	s.relative = true
	if ok && e.cycle == "year" {
		s.notes = append(s.notes, r.disclose(s, r.written(i, end)))
	}
	return s, ok
}

// beside gives the unit of today, moved by n, as Frame-QL says it.
func (r *reader) beside(unit string, n int) (span, bool) {
	if unit == "business_day" {
		s := oneDay(step(r.today, unit, n))
		s.relative = true
		return s, true
	}
	kind := ""
	switch {
	case n == 0:
		kind = "this"
	case n == -1:
		kind = "previous"
	}
	if !r.knows(unit) {
		if kind == "" {
			return span{}, false
		}
		return span{grain: unit, asked: &frameql.Period{Kind: kind, Unit: unit}, relative: true}, true
	}
	s, ok := r.unitOf(r.today, unit, n)
	s.relative = true
	if kind != "" && inFrameQL(unit) {
		s.asked = &frameql.Period{Kind: kind, Unit: unit}
	}
	if unit == "day" {
		s.asked = nil
	}
	return s, ok
}

// inFrameQL says whether a unit may stand behind LAST, THIS and PREVIOUS.
func inFrameQL(unit string) bool {
	return unit == "day" || unit == "week" || unit == "month" || unit == "quarter" || unit == "year" || strings.HasPrefix(unit, "fiscal_")
}

// several reads n units: the last 3 months are three complete ones, the past 3 months end today, the next 3 begin
// tomorrow.
func (r *reader) several(d direction, n int, unit string, i, end int) (s span, ok bool) {
	if n > 10_000 || unit == "weekend" && n > 1 { // the days between are none of them
		return s, false
	}
	tomorrow := r.today.AddDate(0, 0, 1)
	s = span{grain: unit, relative: true}
	known := r.knows(unit)
	whole := strings.HasPrefix(unit, "fiscal_") || unit == "quarter" || unit == "decade" || unit == "century" || unit == "weekend" || unit == "half"
	switch {
	case d.by < 0 && inFrameQL(unit) && (whole || d.class != "past" || unit == "day"):
		s.asked = &frameql.Period{Kind: "last", N: n, Unit: unit}
		if !known {
			return s, true
		}
		use, refusal := frameql.ResolvePeriod(*s.asked, r.today, r.model)
		if refusal != nil {
			return s, true // the resolver says what is missing
		}
		s.from, s.to = use.From, use.To
		s.notes = append(s.notes, text.Say("interpret.assume_complete", "phrase", r.written(i, end), "from", ISO(s.from), "to", ISO(s.to.AddDate(0, 0, -1))))
	case !known:
		return s, false
	case d.by < 0 && (whole || d.class != "past"):
		first, found := r.unitOf(r.today, unit, -n)
		last, also := r.unitOf(r.today, unit, -1)
		s.from, s.to = first.from, last.to
		return s, found && also
	case d.by < 0:
		s.from, s.to, s.grain = step(r.today, unit, -n), r.today, "day"
		s.notes = append(s.notes, text.Say("interpret.assume_rolling", "phrase", r.written(i, end), "from", ISO(s.from), "to", ISO(s.to.AddDate(0, 0, -1))))
	case whole:
		next, found := r.unitOf(r.today, unit, 1)
		last, also := r.unitOf(r.today, unit, n)
		s.from, s.to = next.from, last.to
		return s, found && also
	default:
		s.from, s.to, s.grain = tomorrow, step(tomorrow, unit, n), "day"
		s.notes = append(s.notes, text.Say("interpret.assume_rolling", "phrase", r.written(i, end), "from", ISO(s.from), "to", ISO(s.to.AddDate(0, 0, -1))))
	}
	return s, true
}

// vagueAt reads the week, my day: the one of today. In a sentence it is a date only as a box.
func (r *reader) vagueAt(i int) []match {
	j := r.behind(i, "vague")
	if j == 0 {
		return nil
	}
	unit, end := r.named(j, "units")
	if end == 0 || r.plural(end) || unit == "business_day" || r.is(j, "date") {
		return nil
	}
	s, ok := r.beside(unit, 0)
	if !ok {
		return nil
	}
	e := loosely(definite(s), alone)
	e.vague = true
	return []match{{e, end}}
}

// afterNextAt reads the month after next, the Sunday before last, the week after the next one.
func (r *reader) afterNextAt(i int) (out []match) {
	behind := func(j int) (by, end int) {
		for _, side := range twoAway {
			word, by := side.word, side.by
			if !r.is(j, word) {
				continue
			}
			k := r.over(j+1, "the")
			if by > 0 && r.is(k, "next", "this", "that") || by < 0 && r.is(k, "last", "previous") {
				if r.is(k+1, "one") {
					k++
				}
				if _, more := r.named(k+1, "units"); more > 0 || len(r.setsAt(k+1)) > 0 {
					return 0, 0 // the day after next friday
				}
				if r.is(k, "this", "that") {
					by = 1
				}
				return by, k + 1
			}
		}
		return 0, 0
	}
	if unit, j := r.named(i, "units"); j > 0 && !r.plural(j) {
		if by, end := behind(j); end > 0 {
			if s, ok := r.beside(unit, by); ok {
				out = append(out, match{definite(s), end})
			}
		}
	}
	for _, m := range r.setsAt(i) {
		if by, end := behind(m.end); end > 0 {
			if s, ok := r.point(direction{by: by}, m.expr, i, end); ok {
				out = append(out, match{definite(s), end})
			}
		}
	}
	return out
}

// sameAt reads the same month last year, this day in 2015, this time last year: the unit of today, moved into another year.
func (r *reader) sameAt(i int) (out []match) {
	j := r.behind(i, "this")
	if j == 0 && !r.is(i, "today") {
		return nil
	}
	unit, end := r.named(j, "units")
	if r.is(j, "time", "date") {
		unit, end = "day", j+1
	}
	if j == 0 && r.is(i, "today") { // today last year
		unit, end = "day", i+1
	}
	if end == 0 || ranks[unit] >= ranks["year"] || strings.HasPrefix(unit, "fiscal_") {
		return nil
	}
	for _, k := range r.joints(end) {
		for _, box := range r.pointsAt(k) {
			if box.expr.one == nil || box.expr.one.grain != "year" || box.expr.one.from.IsZero() {
				continue
			}
			t := step(r.today, "year", box.expr.one.from.Year()-r.today.Year())
			if unit == "week" {
				t = r.today.AddDate(0, 0, 364*(box.expr.one.from.Year()-r.today.Year()))
			}
			if s, ok := r.unitOf(t, unit, 0); ok {
				s.relative = true
				out = append(out, match{definite(s), box.end})
			}
		}
	}
	return out
}

// seasonAt reads a season. Seasons are those of the northern hemisphere, by whole months.
func (r *reader) seasonAt(i int) []match {
	id, end := r.named(i, "seasons")
	if end == 0 {
		return nil
	}
	first, _ := strconv.Atoi(id)
	e := yearly("season", func(y int) (span, bool) {
		s := r.span(Day(y, first, 1), Day(y, first+3, 1), "season")
		s.notes = []string{text.Say("interpret.assume_season", "season", r.tokens[i].text, "from", s.from.Format("2 January 2006"), "to", s.to.AddDate(0, 0, -1).Format("2 January 2006"))}
		return s, true
	})
	e.pick = func(box span) (span, bool) { // winter of 2016 begins in 2016
		all := e.each(box.from, box.to)
		return at(all, boolInt(len(all) == 1))
	}
	e.loose = yearish
	out := []match{{e, end}}
	if y, j, _ := r.yearAt(r.over(end, "of"), true); j > 0 && first+3 > 12 && r.is(j, "-", "/") { // winter 2015/16
		next, after, _ := r.yearAt(j+1, true)
		if s, ok := e.pick(r.span(Day(y, 1, 1), Day(y+1, 1, 1), "year")); ok && after > 0 && next%100 == (y+1)%100 {
			out = append(out, match{definite(s), after})
		}
	}
	return out
}

// holidayAt reads a day with a name. The rule of each stands in the lexicon.
func (r *reader) holidayAt(i int) []match {
	rule, end := r.named(i, "holidays")
	if end == 0 {
		return nil
	}
	e := yearly("day", func(y int) (span, bool) {
		t, ok := holiday(rule, y)
		s := oneDay(t)
		return s, ok
	})
	e.loose = r.weak(i, end)
	return []match{{e, end}}
}

// holiday computes a rule of the lexicon for a year.
func holiday(rule string, year int) (time.Time, bool) {
	fields := strings.Fields(rule)
	offset := 0
	if last := fields[len(fields)-1]; len(fields) > 1 && len(fields) != 3 {
		n, err := strconv.Atoi(last)
		if err != nil {
			return time.Time{}, false
		}
		offset, fields = n, fields[:len(fields)-1]
	}
	switch len(fields) {
	case 3: // month, weekday, which one
		month, _ := strconv.Atoi(fields[0])
		w, _ := strconv.Atoi(english().classes["weekdays"][fields[1]])
		k, _ := strconv.Atoi(fields[2])
		t := Day(year, month, 1)
		t = t.AddDate(0, 0, (w-isoWeekday(t)+7)%7+7*(k-1))
		if k < 0 {
			t = Day(year, month+1, 0)
			t = t.AddDate(0, 0, -((isoWeekday(t) - w + 7) % 7))
		}
		return t.AddDate(0, 0, offset), true
	case 1:
		if fields[0] == "easter" {
			return easter(year).AddDate(0, 0, offset), true
		}
		t, err := time.Parse("2006-01-02", pad(year)+"-"+fields[0])
		return t.AddDate(0, 0, offset), err == nil
	}
	return time.Time{}, false
}

func pad(year int) string {
	s := strconv.Itoa(year)
	return strings.Repeat("0", max(0, 4-len(s))) + s
}

// easter gives Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher).
func easter(y int) time.Time {
	a, b, c := y%19, y/100, y%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	j, k := c/4, c%4
	m := (a + 11*h) / 319
	n := (2*e + 2*j - k - h + m + 32) % 7
	month := (h - m + n + 90) / 25
	return Day(y, month, (h-m+n+month+19)%32)
}
