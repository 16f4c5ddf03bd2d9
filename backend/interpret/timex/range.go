package timex

import (
	"slices"

	"assay/backend/text"
)

// pair is the two ends of a range, before they borrowed from each other.
type pair struct {
	first, last expr
	from        int // token of the first end
	joint       int // token behind the first end
	end         int
	said        bool // "from" or "between" introduced it
}

// pairsAt reads "from A to B", "between A and B", "A to B", "A - B", "A through B".
func (r *reader) pairsAt(i int) (out []pair) {
	said := true
	joint := "to"
	switch {
	case r.behind(i, "between") > 0:
		i, joint = r.behind(i, "between"), "and"
	case r.behind(i, "from") > 0:
		i = r.behind(i, "from")
	case r.is(i, "since"): // since 2010 to 2015
		i++
	default:
		said = false
	}
	if r.is(i, "years") || r.is(i, "the") && r.is(i+1, "years") { // the years 2014 to 2018
		i = r.over(i, "the") + 1
	}
	for _, a := range r.pointsAt(i) {
		if a.expr.vague {
			continue // the year to March
		}
		j := r.behind(a.end, joint)
		if joint == "and" && j == 0 { // between 4-22 January
			j = r.behind(a.end, "to")
		}
		if j == 0 && r.is(a.end, "/") && a.expr.one != nil && a.expr.grain == "day" { // 2016-03-01/2016-03-31
			j = a.end + 1
		}
		if j == 0 {
			continue
		}
		if r.is(j, "the") && !said { // 3 to the ...
			j++
		}
		j = r.over(j, "in_on")
		if joint == "to" && r.is(j, "date") && r.is(j-1, "to", "till", "until") && (said || a.expr.one == nil || a.expr.one.back.Unit == "") { // from March to date
			out = append(out, pair{first: a.expr, last: definite(r.todaySpan()), from: i, joint: a.end, end: j + 1, said: said})
		}
		for _, b := range r.pointsAt(j) {
			out = append(out, pair{first: a.expr, last: b.expr, from: i, joint: a.end, end: b.end, said: said})
		}
	}
	return out
}

// rangesAt reads a range: each end borrows from the other what it does not say.
func (r *reader) rangesAt(i int) (out []match) {
	for _, p := range r.pairsAt(i) {
		first, last := p.first.loose, p.last.loose
		if !p.said && p.first.cycle == "month" && p.last.cycle == "month" && first == alone && last == alone {
			continue // 3 to 12
		}
		if first == alone && p.first.grain == "day" && p.last.grain != "day" || last == alone && p.last.grain == "day" && p.first.grain != "day" {
			continue // weeks 10 to 12
		}
		first0, last0, assumed, ok := r.ends(p.first, p.last)
		if !ok {
			continue
		}
		s, ok := r.join(first0, last0)
		if !ok {
			continue
		}
		e := definite(s)
		if assumed {
			e.one.notes = append(e.one.notes, text.Say("interpret.assume_recent", "phrase", r.written(i, p.end), "from", ISO(s.from), "to", ISO(s.to.AddDate(0, 0, -1))))
			e.one.relative = true
		}
		switch {
		case first == alone && last == alone:
			e.loose = alone
		case !p.said && (first == alone && p.last.grain == "day" && !r.dated(p) || last == alone && first != strict):
			e.loose = alone
		case p.first.grain == "year" && (first == yearish || last == yearish):
			e.loose = yearish
		}
		if p.said {
			if e.loose == yearish {
				e.loose = strict
			}
		}
		out = append(out, match{e, p.end})
	}
	return out
}

// dated says whether one end of a range names a month, so that a bare number at the other is a day.
func (r *reader) dated(p pair) bool {
	for i := p.from; i < p.end; i++ {
		if m, _ := r.month(i); m > 0 {
			return true
		}
	}
	return false
}

// ends settles both ends. What is definite, or else what is rarer, is settled first, and the other end is sought from there.
func (r *reader) ends(first, last expr) (a, b span, assumed, ok bool) {
	if first.one == nil && first.each == nil || last.one == nil && last.each == nil {
		return a, b, false, false
	}
	switch {
	case first.one != nil && last.one != nil:
		a, _, _ = r.settle(first)
		b, _, _ = r.settle(last)
		return a, b, false, true
	case first.one != nil:
		a, _, _ = r.settle(first)
		b, ok = last.onFrom(a.from)
		return a, b, false, ok
	case last.one != nil:
		b, _, _ = r.settle(last)
		a, ok = first.upTo(b.from.AddDate(0, 0, 1))
		return a, b, false, ok
	case finer(last.cycle, first.cycle) || last.cycle == first.cycle && !(first.grain == "day" && first.day == 0 && last.day > 0):
		a, assumed, ok = r.settle(expr{one: first.one, each: first.each, cycle: first.cycle, grain: first.grain, day: first.day})
		if !ok {
			return a, b, false, false
		}
		b, ok = last.onFrom(a.from)
		return a, b, assumed, ok
	default:
		b, assumed, ok = r.settle(last)
		if !ok {
			return a, b, false, false
		}
		a, ok = first.upTo(b.from.AddDate(0, 0, 1))
		return a, b, assumed, ok
	}
}

// join makes the range. A last day is part of it; of a coarser unit the manner decides.
func (r *reader) join(a, b span) (span, bool) {
	if a.from.IsZero() || b.from.IsZero() {
		return span{}, false
	}
	s := span{from: a.from, to: b.to, grain: a.grain, relative: a.relative || b.relative, notes: append(slices.Clone(a.notes), b.notes...)}
	if finer(b.grain, s.grain) {
		s.grain = b.grain
	}
	if r.manner == Exact && ranks[b.grain] > ranks["weekend"] && a.from.Before(b.from) {
		s.to = b.from
	}
	if b.from.Equal(r.today) && b.grain == "day" && r.manner == Exact {
		s.to = b.to
	}
	return s, a.from.Before(s.to) && !b.from.Before(a.from)
}

// pairWithin is a range inside a box: last week between Friday and Sunday, March 3 to 12.
func (r *reader) pairWithin(p pair, box expr) (expr, bool) {
	if p.first.one != nil || p.last.one != nil || !finer(p.first.grain, box.grain) || !finer(p.last.grain, box.grain) {
		return expr{}, false
	}
	inner := expr{grain: p.last.grain, pick: func(b span) (span, bool) {
		first, ok := p.first.within(b)
		last, also := p.last.within(b)
		if !ok || !also {
			return span{}, false
		}
		return r.join(first, last)
	}}
	return r.place(inner, box)
}
