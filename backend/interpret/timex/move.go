package timex

import (
	"slices"
	"strconv"
	"time"

	"assay/backend/text"
)

// step of a duration.
type lap struct {
	n    int
	unit string
}

// halves says how long half a unit is, where that is a whole number of smaller ones.
var halves = map[string]lap{"fortnight": {1, "week"}, "month": {15, "day"}, "year": {6, "month"}, "decade": {5, "year"}, "century": {50, "year"}}

// duration reads 3 days, a month, 2 years and 21 days, half a year, two and a half months.
func (r *reader) duration(i int) (laps []lap, end int) {
	for j := i; ; {
		some, after := r.lapsAt(j)
		if after == 0 {
			return laps, end
		}
		laps, end = append(laps, some...), after
		j = after
		for r.is(j, "and", ",") {
			j++
		}
	}
}

// lapsAt reads a number of one unit, with or without a half: 3 days, a month and a half, 2.5 years, half a century.
func (r *reader) lapsAt(i int) ([]lap, int) {
	if r.is(i, "half") && r.is(i+1, "a", "an") {
		unit, end := r.named(i+2, "units")
		if half, ok := halves[unit]; ok {
			return []lap{half}, end
		}
	}
	if n, j := r.andAHalf(i); j > 0 {
		unit, end := r.named(j, "units")
		half, ok := halves[unit]
		if !ok || n > 10_000 {
			return nil, 0
		}
		return []lap{{n, unit}, half}, end
	}
	n, unit, end := r.countedUnit(i)
	if end == 0 && r.is(i, "a", "an") {
		n = 1
		unit, end = r.named(r.over(i+1, "full_unit"), "units")
	}
	if end == 0 || n < 1 || n > 10_000 || !r.knows(unit) || unit == "weekend" {
		return nil, 0
	}
	if !r.is(end, "and") || !r.is(end+1, "a") || !r.is(end+2, "half") {
		return []lap{{n, unit}}, end
	}
	half, ok := halves[unit]
	if !ok {
		return nil, 0
	}
	return []lap{{n, unit}, half}, end + 3
}

// andAHalf reads two and a half, 2.5.
func (r *reader) andAHalf(i int) (n, end int) {
	if n, length := r.number(i); length > 0 && r.is(i+1, ".") && r.glued(i+1) && r.is(i+2, "5") && r.glued(i+2) {
		return n, i + 3
	}
	n, j := r.amount(i)
	if j == 0 && r.is(i, "one") {
		n, j = 1, i+1
	}
	if j == 0 || !r.is(j, "and") || !r.is(j+1, "a") || !r.is(j+2, "half") {
		return 0, 0
	}
	return n, j + 3
}

func travel(t time.Time, laps []lap, sign int) time.Time {
	for _, unit := range []string{"century", "decade", "year", "fiscal_year", "half", "quarter", "fiscal_quarter", "month", "fiscal_period", "fortnight", "week", "fiscal_week", "day", "business_day"} {
		for _, l := range laps {
			if l.unit == unit {
				t = step(t, unit, sign*l.n)
			}
		}
	}
	return t
}

// moveAt reads a point that lies a duration from another one: 3 days ago, in 2 weeks, two months before March 2012, four days
// from yesterday.
func (r *reader) moveAt(i int) (out []match) {
	if r.is(i, "in") {
		if laps, j := r.duration(i + 1); j > 0 && !r.behindAny(j, "ago", "hence", "future") {
			out = append(out, match{loosely(r.moved(r.todaySpan(), laps, 1), alone), r.over(r.over(j, "in_time"), "hence")})
		}
	}
	out = append(out, r.weekdaysAway(i)...)
	laps, j := r.duration(i)
	if j == 0 {
		return out
	}
	today := r.todaySpan()
	l := strict
	if r.is(j, "later", "earlier", "back") { // than something else, it may be
		l = alone
	}
	if k := r.behind(j, "ago"); k > 0 {
		out = append(out, match{loosely(r.moved(today, laps, -1), l), k})
	}
	if k := r.behind(j, "hence"); k > 0 {
		out = append(out, match{loosely(r.moved(today, laps, 1), l), k})
	}
	if k := r.behind(j, "future"); k > 0 {
		from := r.today.AddDate(0, 0, 1)
		out = append(out, match{r.rolling(from, travel(from, laps, 1)), k})
	}
	if k := r.behind(j, "bygone"); k > 0 {
		out = append(out, match{r.rolling(travel(r.today, laps, -1), r.today), k})
	}
	for _, side := range directions {
		class, sign := side.word, side.by
		k := r.behind(j, class)
		if k == 0 || r.is(i-1, "the") && r.plural(j) && !r.is(j, "from") { // the two weeks after Easter are days: runAt
			continue
		}
		for _, base := range r.instantsAt(k) {
			if s, assumed, ok := r.settle(base.expr); ok && !s.from.IsZero() {
				if assumed {
					s.notes = append(s.notes, r.disclose(s, r.written(k, base.end)))
				}
				out = append(out, match{r.moved(s, laps, sign), base.end})
			}
		}
	}
	return out
}

// weekdaysAway reads two Mondays ago, three Sundays from now.
func (r *reader) weekdaysAway(i int) (out []match) {
	n, j := r.amount(i)
	id, k := r.named(j, "weekday_sets")
	if k == 0 {
		id, k = r.named(j, "weekdays")
	}
	if j == 0 || k == 0 || n < 1 || n > 1000 {
		return nil
	}
	w, _ := strconv.Atoi(id)
	if end := r.behind(k, "ago"); end > 0 {
		if s, ok := r.weekdaySet(w).upTo(r.today); ok {
			out = append(out, match{r.rolling(step(s.from, "week", 1-n), step(s.to, "week", 1-n)), end})
		}
	}
	if end := r.behind(k, "hence"); end > 0 {
		if s, ok := r.weekdaySet(w).onFrom(r.today.AddDate(0, 0, 1)); ok {
			out = append(out, match{r.rolling(step(s.from, "week", n-1), step(s.to, "week", n-1)), end})
		}
	}
	return out
}

func (r *reader) behindAny(i int, classes ...string) bool {
	for _, c := range classes {
		if r.behind(i, c) > 0 {
			return true
		}
	}
	return false
}

func (r *reader) todaySpan() span {
	s := oneDay(r.today)
	s.relative = true
	return s
}

func (r *reader) rolling(from, to time.Time) expr {
	s := r.span(from, to, "day")
	s.relative = true
	return definite(s)
}

// moved gives what lies a duration from a span: the unit itself where the span is such a unit (a month before March is
// February), and where whole units are meant; else a day, counted from the edge of the span that faces it.
func (r *reader) moved(base span, laps []lap, sign int) expr {
	fromToday := base.relative && base.grain == "day" && base.from.Equal(r.today)
	if len(laps) == 1 && laps[0].unit != "business_day" && (laps[0].unit == base.grain || fromToday && sign < 0 && r.manner == Whole) {
		l := laps[0]
		if s, ok := r.unitOf(base.from, l.unit, sign*l.n); ok {
			s.relative, s.notes = base.relative, base.notes
			return definite(s)
		}
	}
	at := base.from
	if sign > 0 {
		at = base.to.AddDate(0, 0, -1)
	}
	s := oneDay(travel(at, laps, sign))
	s.relative, s.notes = base.relative, base.notes
	return definite(s)
}

// runAt reads a stretch of days that begins or ends at a point: for 3 days since July 4, within 3 years, less than 3 days after
// tomorrow, a week starting tomorrow, the two weeks after Easter.
func (r *reader) runAt(i int) (out []match) {
	start := i
	forward := r.is(i, "for")
	if forward {
		i++
	}
	bounded := r.behind(i, "less")
	if bounded > 0 {
		i = r.over(bounded, "the")
		if d, j := r.direction(i); j > 0 && d.by != 0 && r.is(bounded-1, "within") {
			return r.pointingAt(i)
		}
	}
	laps, j := r.duration(i)
	if unit, end := r.named(i, "units"); j == 0 && end > 0 && !r.plural(end) && r.knows(unit) {
		return r.endingAt([]lap{{1, unit}}, r.behind(end, "run_back"))
	}
	if r.is(i, "w", "wk") && r.is(i+1, "/") && r.is(i+2, "e") { // w/e 13 March
		return r.endingAt([]lap{{1, "week"}}, i+3)
	}
	if j == 0 {
		return nil
	}
	if bounded == 0 {
		out = append(out, r.endingAt(laps, r.behind(j, "run_back"))...)
	}
	if bounded > 0 {
		switch k := r.behind(j, "ago"); {
		case k > 0:
			out = append(out, match{r.rolling(travel(r.today, laps, -1), r.today), k})
		case r.is(start, "within") && !r.is(j, "of", "from", "after", "before"):
			out = append(out, match{loosely(r.rolling(r.today, travel(r.today, laps, 1)), alone), r.over(j, "hence")})
		}
	}
	from, before := 0, 0
	if from = r.behind(j, "run"); from == 0 && bounded > 0 && r.is(j, "of") {
		from = j + 1
	}
	known := r.is(start-1, "the") && r.plural(j) && !forward && bounded == 0 // the two weeks after Easter: all of them, and not Easter
	if bounded > 0 || known {
		before = r.behind(j, "before_point")
	}
	if known && r.is(j, "after", "following") {
		for _, base := range r.pointsAt(from) {
			if s, assumed, ok := r.settle(base.expr); ok && !s.to.IsZero() {
				if assumed {
					s.notes = append(slices.Clone(s.notes), r.disclose(s, r.written(from, base.end)))
				}
				e := r.rolling(s.to, travel(s.to, laps, 1))
				e.one.relative, e.one.notes = s.relative, s.notes
				out = append(out, match{e, base.end})
			}
		}
		return out
	}
	if from > 0 && (bounded > 0 || forward || !r.is(j, "from", "after", "following")) {
		for _, base := range r.pointsAt(from) {
			if s, _, ok := r.settle(base.expr); ok && !s.from.IsZero() {
				e := r.rolling(s.from, travel(s.from, laps, 1))
				e.one.relative, e.one.notes = s.relative, s.notes
				out = append(out, match{e, base.end})
			}
		}
	}
	if before > 0 {
		for _, base := range r.pointsAt(before) {
			if s, assumed, ok := r.settle(base.expr); ok && !s.from.IsZero() {
				if assumed {
					s.notes = append(slices.Clone(s.notes), r.disclose(s, r.written(before, base.end)))
				}
				e := r.rolling(travel(s.from, laps, -1), s.from)
				e.one.relative, e.one.notes = s.relative, s.notes
				out = append(out, match{e, base.end})
			}
		}
	}
	return out
}

// endingAt reads the point with which a stretch ends: 12 months ending March 2016, the quarter ended June 30.
func (r *reader) endingAt(laps []lap, k int) (out []match) {
	if k == 0 {
		return nil
	}
	for _, base := range r.pointsAt(k) {
		s, assumed, ok := r.settle(base.expr)
		if !ok || s.to.IsZero() || base.expr.loose == alone || !finer(s.grain, laps[0].unit) && s.grain != laps[0].unit {
			continue
		}
		if assumed {
			s.notes = append(slices.Clone(s.notes), r.disclose(s, r.written(k, base.end)))
		}
		from := travel(s.to, laps, -1)
		if s.to.Day() != 1 && s.to.AddDate(0, 0, -1).Day() == daysIn(Day(s.from.Year(), int(s.from.Month()), 1)) {
			from = Day(from.Year(), int(from.Month())+1, 1) // whole months
		}
		e := r.rolling(from, s.to)
		e.one.relative, e.one.notes = s.relative, s.notes
		out = append(out, match{e, base.end})
	}
	return out
}

// adjacentAt reads the unit or the set that lies directly beside a point: the day after Christmas, the month before March 2012, the
// friday before Easter.
func (r *reader) adjacentAt(i int) (out []match) {
	each := func(j int, find func(s span, sign int) (span, bool)) {
		for _, side := range directions {
			class, sign := side.word, side.by
			k := r.behind(j, class)
			if k == 0 || r.is(j, "from") {
				continue
			}
			for _, base := range r.pointsAt(k) {
				s, assumed, ok := r.settle(base.expr)
				if !ok || s.from.IsZero() {
					continue
				}
				if found, ok := find(s, sign); ok {
					found.relative, found.notes = s.relative, append([]string{}, s.notes...)
					if assumed {
						found.notes = append(found.notes, r.disclose(s, r.written(k, base.end)))
					}
					out = append(out, match{definite(found), base.end})
				}
			}
		}
	}
	if unit, j := r.named(i, "units"); j > 0 && !r.plural(j) && unit != "business_day" && r.knows(unit) {
		each(j, func(s span, sign int) (span, bool) {
			if sign > 0 {
				return r.unitOf(s.to.AddDate(0, 0, -1), unit, 1)
			}
			return r.unitOf(s.from, unit, -1)
		})
	}
	k, start := r.ordinal(i) // first monday after july 4
	if r.is(i, "last") {     // the last tuesday before christmas
		k, start = 1, i+1
	}
	for _, m := range r.setsAt(max(i, start)) {
		e := m.expr
		each(m.end, func(s span, sign int) (found span, ok bool) {
			for n := max(k, 1); n > 0; n-- {
				if sign > 0 {
					found, ok = e.onFrom(s.to)
				} else {
					found, ok = e.upTo(s.from)
				}
				if !ok || found.to.After(s.from) && sign < 0 {
					return span{}, false
				}
				s = found
			}
			return found, true
		})
	}
	return out
}

// weekOfAt reads the week of a day, and a unit that says its own name: the week of the 12th, the month of May, the weekend of July 4.
func (r *reader) weekOfAt(i int) (out []match) {
	i = r.over(i, "the")
	if r.is(i, "a", "an") {
		return nil
	}
	unit, j := r.named(i, "units")
	k := r.behind(j, "week_of")
	if r.is(i, "w", "wk") && r.is(i+1, "/") && r.is(i+2, "c") { // w/c 7 March
		unit, j, k = "week", i+3, i+3
	}
	if j == 0 || r.plural(j) {
		return nil
	}
	of := k > 0
	if k == 0 {
		k = j
	}
	if unit == "week" && of && r.is(k, "month", "year") {
		return nil
	}
	for _, base := range r.pointsAt(r.over(k, "the")) {
		e := base.expr
		switch {
		case e.grain == unit && e.loose != alone && (unit == "month" || unit == "year" || unit == "quarter" || unit == "decade" || unit == "day"):
			out = append(out, match{loosely(e, strict), base.end})
		case of && (unit == "week" || unit == "weekend") && e.grain == "day":
			s, assumed, ok := r.settle(e)
			if !ok {
				continue
			}
			notes := s.notes
			if assumed {
				notes = append(notes, r.disclose(s, r.written(k, base.end)))
			}
			if s, ok = r.unitOf(s.from, unit, 0); ok {
				s.relative, s.notes = true, append(slices.Clone(notes), text.Say("interpret.assume_week_of", "from", ISO(s.from), "to", ISO(s.to.AddDate(0, 0, -1))))
				out = append(out, match{definite(s), base.end})
			}
		}
	}
	return out
}
