package timex

import (
	"slices"
	"time"

	"assay/backend/frameql"
	"assay/backend/text"
)

// cut is a part of a box that has no clear borders of its own. ok is false where the box has no such part.
type cut func(r *reader, box span) (from, to time.Time, ok bool)

// The parts. Years are cut in halves by "early" and "late" and in thirds by "the beginning" and "the end", as is the convention
// of TIMEX3; what "earlier" and "later" in a period that is not over means is told by today.
var cuts = []struct {
	class string
	part  cut
}{
	{"early", func(_ *reader, b span) (time.Time, time.Time, bool) { return pieceOf(b, 0) }},
	{"mid", func(_ *reader, b span) (time.Time, time.Time, bool) { return pieceOf(b, 1) }},
	{"late", func(_ *reader, b span) (time.Time, time.Time, bool) { return pieceOf(b, 2) }},
	{"start", func(_ *reader, b span) (time.Time, time.Time, bool) { return thirdOf(b, 0) }},
	{"middle", func(_ *reader, b span) (time.Time, time.Time, bool) { return thirdOf(b, 1) }},
	{"finish", func(_ *reader, b span) (time.Time, time.Time, bool) { return thirdOf(b, 2) }},
	{"whole", func(_ *reader, b span) (time.Time, time.Time, bool) { return b.from, b.to, true }},
	{"rest", func(r *reader, b span) (time.Time, time.Time, bool) { return r.today, b.to, r.inside(b) }},
	{"earlier", func(r *reader, b span) (time.Time, time.Time, bool) {
		if r.inside(b) {
			return b.from, r.today, b.from.Before(r.today)
		}
		return pieceOf(b, 0)
	}},
	{"later", func(r *reader, b span) (time.Time, time.Time, bool) {
		if r.inside(b) {
			return r.today, b.to, true
		}
		return pieceOf(b, 2)
	}},
}

func (r *reader) inside(b span) bool { return !b.from.After(r.today) && r.today.Before(b.to) }

// pieceOf cuts early, mid and late.
func pieceOf(b span, which int) (from, to time.Time, ok bool) {
	at := func(unit string, n int) time.Time { return step(b.from, unit, n) }
	var pieces [3][2]time.Time
	switch b.grain {
	case "year", "fiscal_year":
		pieces = [3][2]time.Time{{b.from, at("month", 6)}, {at("month", 3), at("month", 9)}, {at("month", 6), b.to}}
	case "month", "fiscal_period":
		pieces = [3][2]time.Time{{b.from, at("day", 15)}, {at("day", 9), at("day", 20)}, {at("day", 15), b.to}}
	case "week", "fiscal_week":
		pieces = [3][2]time.Time{{b.from, at("day", 3)}, {at("day", 1), at("day", 5)}, {at("day", 3), b.to}}
	case "quarter", "fiscal_quarter":
		pieces = [3][2]time.Time{{b.from, at("month", 1)}, {at("month", 1), at("month", 2)}, {at("month", 2), b.to}}
	case "half":
		pieces = [3][2]time.Time{{b.from, at("month", 2)}, {at("month", 2), at("month", 4)}, {at("month", 4), b.to}}
	case "decade":
		pieces = [3][2]time.Time{{b.from, at("year", 4)}, {at("year", 4), at("year", 7)}, {at("year", 7), b.to}}
	case "century":
		pieces = [3][2]time.Time{{b.from, at("year", 33)}, {at("year", 33), at("year", 67)}, {at("year", 67), b.to}}
	default:
		return from, to, false
	}
	return pieces[which][0], pieces[which][1], true
}

// thirdOf cuts the beginning, the middle and the end: of a year four months each, of anything else what early, mid and late are.
func thirdOf(b span, which int) (from, to time.Time, ok bool) {
	if b.grain != "year" && b.grain != "fiscal_year" {
		return pieceOf(b, which)
	}
	from = step(b.from, "month", 4*which)
	if which == 2 {
		return from, b.to, true
	}
	return from, step(b.from, "month", 4*which+4), true
}

// cutAt reads a part with its box: early next year, mid-March, the end of 2015, the rest of the week, so far this month.
func (r *reader) cutAt(i int) (out []match) {
	for _, c := range cuts {
		j := r.behind(i, c.class)
		if j == 0 {
			continue
		}
		j = r.over(r.separator(j, "-"), "of")
		for _, box := range r.boxesAt(j) {
			if e, ok := r.cutOf(box.expr, c.part, c.class == "whole"); ok {
				if box.expr.loose == alone && !box.expr.vague {
					e.loose = yearish
				}
				out = append(out, match{e, box.end})
			}
		}
	}
	for _, unit := range []string{"year", "quarter", "month", "week"} {
		if j := r.behind(i, "end_"+unit); j > 0 {
			box, _ := r.beside(unit, 0)
			if e, ok := r.cutOf(definite(box), func(_ *reader, b span) (time.Time, time.Time, bool) { return thirdOf(b, 2) }, false); ok {
				out = append(out, match{e, j})
			}
		}
	}
	if j := r.behind(i, "so_far"); j > 0 {
		for _, box := range r.pointsAt(r.over(j, "of")) {
			if e, ok := r.soFar(box.expr); ok {
				out = append(out, match{e, box.end})
			}
		}
	}
	return out
}

// boxesAt reads what may be cut: a point, or a unit alone, which is that of today (end of year, mid week).
func (r *reader) boxesAt(i int) []match {
	boxes := r.pointsAt(i)
	if unit, end := r.named(i, "units"); end > 0 && !r.plural(end) {
		if s, ok := r.beside(unit, 0); ok {
			boxes = append(slices.Clone(boxes), match{loosely(definite(s), alone), end})
		}
	}
	return boxes
}

// instantsAt reads what something is counted from or lies before or behind. There the beginning and the end of a period are its
// first and its last day, and no stretch: 3 days before the end of March.
func (r *reader) instantsAt(i int) (out []match) {
	for _, edge := range []struct {
		class string
		day   cut
	}{{"start", firstDay}, {"finish", lastDay}} {
		j := r.behind(i, edge.class)
		if j == 0 {
			continue
		}
		for _, box := range r.boxesAt(j) {
			if e, ok := r.cutOf(box.expr, edge.day, false); ok {
				out = append(out, match{e, box.end})
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	return r.pointsAt(i)
}

func firstDay(_ *reader, b span) (from, to time.Time, ok bool) {
	return b.from, b.from.AddDate(0, 0, 1), true
}

func lastDay(_ *reader, b span) (from, to time.Time, ok bool) {
	return b.to.AddDate(0, 0, -1), b.to, !b.to.IsZero()
}

// cutOf cuts an expression, or each occurrence of a set.
func (r *reader) cutOf(box expr, part cut, whole bool) (expr, bool) {
	if whole {
		if box.one != nil || box.each != nil {
			return loosely(box, strict), ranks[box.grain] >= ranks["week"]
		}
		return expr{}, false
	}
	apply := func(b span) (span, bool) {
		from, to, ok := part(r, b)
		if !ok || b.from.IsZero() {
			return span{}, false
		}
		return span{from: from, to: to, grain: "day", relative: b.relative, notes: b.notes}, true
	}
	switch {
	case box.one != nil:
		s, ok := apply(*box.one)
		return definite(s), ok
	case box.each == nil:
		return expr{}, false
	}
	return set("day", box.cycle, func(from, to time.Time) (out []span) {
		for _, b := range box.each(step(from, box.cycle, -1), to) {
			if s, ok := apply(b); ok && !s.from.Before(from) && s.from.Before(to) {
				out = append(out, s)
			}
		}
		return out
	}), true
}

// soFar is a period that is not over, up to today.
func (r *reader) soFar(box expr) (expr, bool) {
	if box.one == nil || !r.inside(*box.one) || box.one.grain == "day" {
		return expr{}, false
	}
	s := *box.one
	s.to, s.relative = r.today.AddDate(0, 0, 1), true
	if a := s.asked; a != nil && a.Kind == "this" {
		to := frameql.Period{Kind: "this", Unit: a.Unit, ToDay: true}
		for _, d := range toDates {
			if d.unit == a.Unit {
				to = frameql.Period{Kind: d.kind}
			}
		}
		s.asked = &to
	} else {
		s.asked = nil
		s.grain = "day"
	}
	return definite(s), true
}

// toDates are the periods up to today that have a name.
var toDates = []struct{ kind, unit string }{{"ytd", "year"}, {"qtd", "quarter"}, {"mtd", "month"}, {"wtd", "week"}}

// lastToDate reads "year to date" and "ytd" behind a word that points back: "last year to date", "the prior ytd". end is 0 where
// that is not said.
func (r *reader) lastToDate(d direction, i int) (s span, end int) {
	if d.by >= 0 {
		return span{}, 0
	}
	for _, to := range toDates {
		if j := r.behind(i, to.kind); j > 0 {
			if s, ok := r.toDateBefore(to.unit); ok {
				return s, j
			}
		}
	}
	return span{}, 0
}

// toDateBefore is as much of the unit before the present one as is over of that.
func (r *reader) toDateBefore(unit string) (span, bool) {
	now, known := r.unitOf(r.today, unit, 0)
	before, listed := r.unitOf(r.today, unit, -1)
	if !known || !listed {
		return span{}, false
	}
	s := r.span(before.from, before.from.Add(r.today.AddDate(0, 0, 1).Sub(now.from)), "day")
	if s.to.After(before.to) {
		s.to = before.to
	}
	s.relative, s.back = true, Stride{N: 1, Unit: unit, ToDate: true}
	s.notes = []string{text.Say("interpret.assume_same_days", "unit", unit, "from", ISO(s.from), "to", ISO(s.to.AddDate(0, 0, -1)))}
	return s, true
}

// Step moves a day by calendar units; of a month that is too short it takes the last day.
func Step(t time.Time, unit string, n int) time.Time { return step(t, unit, n) }

// toDateAt reads YTD and its like, and all time.
func (r *reader) toDateAt(i int) (out []match) {
	for _, d := range toDates {
		if j := r.behind(i, d.kind); j > 0 {
			s := span{from: r.floor(r.today, d.unit), to: r.today.AddDate(0, 0, 1), grain: d.unit, asked: &frameql.Period{Kind: d.kind}, relative: true}
			out = append(out, match{definite(s), j})
			for _, box := range r.pointsAt(r.over(j, "of")) { // year to date last year
				if last, ok := r.toDateBefore(d.unit); ok && box.expr.one != nil && box.expr.one.back == (Stride{N: 1, Unit: d.unit}) {
					out = append(out, match{definite(last), box.end})
				}
			}
		}
	}
	if j := r.behind(i, "ttm"); j > 0 { // twelve complete months
		if s, ok := r.several(direction{by: -1, class: "trailing"}, 12, "month", i, j); ok {
			out = append(out, match{definite(s), j})
		}
	}
	if j := r.behind(i, "all_time"); j > 0 {
		out = append(out, match{definite(span{asked: &frameql.Period{Kind: "all_time"}}), j})
	}
	return out
}
