package timex

import (
	"time"

	"assay/backend/frameql"
	"assay/backend/text"
)

// span is a half-open range of days, made of a unit.
type span struct {
	from, to time.Time
	grain    string
	asked    *frameql.Period // where Frame-QL has a name for it that the days alone do not tell: THIS MONTH; nil: by the days
	notes    []string
	relative bool
	back     Stride
}

func (r *reader) span(from, to time.Time, grain string) span {
	return span{from: from, to: to, grain: grain}
}

func oneDay(t time.Time) span { return span{from: t, to: t.AddDate(0, 0, 1), grain: "day"} }

// looseness says where an expression may stand in a sentence.
type looseness byte

const (
	strict  looseness = iota
	yearish           // behind "in", "during", "of": 1996 in words
	dayish            // behind "on": the 4th
	alone             // only where nothing else is said: 15
)

// expr is what a phrase means. One of the fields one, each and pick says what: a span, a set, or what can only be found in a
// box. A set may have a pick of its own.
type expr struct {
	one   *span
	each  func(from, to time.Time) []span // the occurrences that begin in [from, to), in order
	cycle string                          // of a set: it has about one occurrence in each such unit
	pick  func(box span) (span, bool)     // how it is found in a box; nil with each: its only occurrence there
	grain string                          // the unit that it is made of
	loose looseness
	vague bool // the one of today, without a word that says so: the week
	parts bool // it may be found in a box of any size: a half
	day   int  // a weekday (1 is Monday) that was said of it, to be checked; 0: none
}

func definite(s span) expr { return expr{one: &s, grain: s.grain} }

// set makes an expression of spans that repeat.
func set(grain, cycle string, each func(from, to time.Time) []span) expr {
	return expr{each: each, grain: grain, cycle: cycle}
}

// yearly is a set with at most one occurrence a year.
func yearly(grain string, in func(year int) (span, bool)) expr {
	return set(grain, "year", func(from, to time.Time) (out []span) {
		for y := from.Year() - 1; y <= to.Year(); y++ {
			if s, ok := in(y); ok && !s.from.Before(from) && s.from.Before(to) {
				out = append(out, s)
			}
		}
		return out
	})
}

// within gives the only occurrence of an expression in a box.
func (e expr) within(box span) (span, bool) {
	if e.one != nil || box.from.IsZero() || box.to.IsZero() {
		return span{}, false
	}
	if e.pick != nil {
		s, ok := e.pick(box)
		s.relative = s.relative || box.relative
		return s, ok
	}
	var found *span
	for _, s := range e.each(box.from, box.to) {
		if s.to.After(box.to) {
			continue
		}
		if found != nil {
			return span{}, false
		}
		found = &s
	}
	if found == nil {
		return span{}, false
	}
	found.relative = box.relative
	return *found, true
}

// place puts what is inner into a box. The box may itself be a set: the first Monday of May.
func (r *reader) place(inner, box expr) (expr, bool) {
	if inner.one != nil || inner.day > 0 && inner.each == nil || box.one == nil && box.each == nil || !inner.parts && !finer(inner.grain, box.grain) {
		return expr{}, false
	}
	if box.one != nil {
		s, ok := inner.within(*box.one)
		if !ok {
			return expr{}, false
		}
		s.notes = append(append([]string{}, box.one.notes...), s.notes...)
		e := definite(s)
		e.day = inner.day
		return e, true
	}
	out := set(inner.grain, box.cycle, func(from, to time.Time) (all []span) {
		for _, b := range box.each(step(from, box.cycle, -1), step(to, box.cycle, 1)) {
			if s, ok := inner.within(b); ok && !s.from.Before(from) && s.from.Before(to) {
				all = append(all, s)
			}
		}
		return all
	})
	out.day = inner.day
	return out, true
}

// reach is how many cycles back a set is looked for: 29 February needs eight years.
const reach = 9

// upTo gives the last occurrence of a set that begins before a day.
func (e expr) upTo(end time.Time) (span, bool) {
	for n := 1; n <= reach; n++ {
		if all := e.each(step(end, e.cycle, -n), end); len(all) > 0 {
			return all[len(all)-1], true
		}
	}
	return span{}, false
}

// onFrom gives the first occurrence of a set that begins on a day or after it.
func (e expr) onFrom(start time.Time) (span, bool) {
	for n := 1; n <= reach; n++ {
		if all := e.each(start, step(start, e.cycle, n).AddDate(0, 0, 1)); len(all) > 0 {
			return all[0], true
		}
	}
	return span{}, false
}

// settle gives the span that an expression means by itself. A set means its last occurrence that has begun; a day of the
// week the last one before today. assumed says that it was a set.
func (r *reader) settle(e expr) (s span, assumed, ok bool) {
	switch {
	case e.one != nil:
		s = *e.one
		if e.day > 0 && isoWeekday(s.from) != e.day {
			s.notes = append(append([]string{}, s.notes...), text.Say("interpret.assume_weekday", "day", s.from.Format("2 January 2006"), "weekday", s.from.Weekday().String()))
		}
		return s, false, true
	case e.each == nil:
		return span{}, false, false
	case e.day > 0:
		return r.settleWeekday(e)
	}
	end := r.today.AddDate(0, 0, 1)
	if e.grain == "day" && e.cycle == "week" {
		end = r.today
	}
	s, ok = e.upTo(end)
	s.relative = true
	return s, true, ok
}

// settleWeekday chooses among the days of a set the nearest one that is the weekday that was said: Friday the 13th. Where
// none is, the last one before today is meant, and the weekday is an error that is disclosed.
func (r *reader) settleWeekday(e expr) (span, bool, bool) {
	end := r.today.AddDate(0, 0, 1)
	past, ok := e.upTo(end)
	if ok && isoWeekday(past.from) == e.day {
		past.relative = true
		return past, true, true
	}
	if next, found := e.onFrom(end); found && isoWeekday(next.from) == e.day {
		next.relative = true
		return next, true, true
	}
	if e.cycle == "month" {
		all := e.each(step(end, "year", -2), end)
		for i := len(all) - 1; i >= 0; i-- {
			if isoWeekday(all[i].from) == e.day {
				all[i].relative = true
				return all[i], true, true
			}
		}
	}
	if !ok {
		return span{}, false, false
	}
	e.one = &past
	past.relative = true
	s, _, _ := r.settle(expr{one: &past, day: e.day})
	return s, true, true
}

// isoWeekday is 1 for Monday to 7 for Sunday.
func isoWeekday(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }
