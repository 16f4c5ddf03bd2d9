package timex

import "slices"

// edge is how an opening word uses the point behind it.
type edge struct {
	class string
	build func(s span) Period
}

var (
	fromStart = func(s span) Period { return Period{From: s.from, Open: true} }
	fromEnd   = func(s span) Period { return Period{From: s.to, Open: true} }
	toStart   = func(s span) Period { return Period{To: s.from, Open: true} }
	toEnd     = func(s span) Period { return Period{To: s.to, Open: true} }
)

// edges in the order in which they are tried: longer words have their own class.
var edges = []edge{{"on_or_after", fromStart}, {"on_or_before", toEnd}, {"since", fromStart}, {"after", fromEnd}, {"before", toStart}}

// openAt reads ranges with one open end: since March, before 1990, no later than Friday, from May on, 2015 or earlier; and
// two of them together: after March but before July.
func (r *reader) openAt(i int) (out []phrase) {
	for _, p := range append(r.edgeAt(i), r.trailingAt(i)...) {
		out = append(out, p)
		j := p.end
		for r.is(j, "and", "but", ",") {
			j++
		}
		if !p.From.IsZero() {
			for _, q := range r.edgeAt(j) {
				if q.From.IsZero() && p.From.Before(q.To) {
					both := Spanning(p.From, q.To, p.Grain)
					both.Notes, both.Relative = append(slices.Clone(p.Notes), q.Notes...), p.Relative || q.Relative
					out = append(out, phrase{both, q.end, strict})
				}
			}
		}
	}
	return out
}

// edgeAt reads an opening word and its point.
func (r *reader) edgeAt(i int) (out []phrase) {
	for _, e := range edges {
		j := r.behind(i, e.class)
		if j == 0 {
			continue
		}
		l := strict
		if r.is(i, "by", "past", "ending", "effective", "preceding") {
			l = alone // everyday words
		}
		j = r.over(r.separator(j, "-"), "in_on")
		build := e.build
		if e.class == "before" && r.behind(j, "finish") > 0 { // before the end of March: its last day too
			build = toEnd
		}
		for _, m := range r.instantsAt(j) {
			out = r.opened(out, m, j, build, l)
		}
	}
	if j := r.behind(i, "more"); j > 0 { // more than 3 days ago
		if laps, k := r.duration(j); k > 0 {
			if end := r.behind(k, "ago"); end > 0 {
				out = append(out, phrase{Period{To: travel(r.today, laps, -1), Open: true, Grain: "day", Relative: true}, end, strict})
			}
		}
	}
	return out
}

// trailingAt reads a point and an opening word behind it: from March on, 1997 or later, 1990 and before.
func (r *reader) trailingAt(i int) (out []phrase) {
	from := r.is(i, "from")
	if from || r.is(i, "in") {
		i++
	}
	for _, m := range r.pointsAt(i) {
		if j := r.behind(m.end, "onward"); j > 0 && (from || !r.is(m.end, "on") || j > m.end+1) {
			out = r.opened(out, match{m.expr, m.end}, i, fromStart, strict)
			if n := len(out); n > 0 && out[n-1].end == m.end {
				out[n-1].end = j
			}
		}
		if j := r.behind(m.end, "backward"); j > 0 {
			out = r.opened(out, match{m.expr, m.end}, i, toEnd, strict)
			if n := len(out); n > 0 && out[n-1].end == m.end {
				out[n-1].end = j
			}
		}
	}
	return out
}

// opened finishes an open range.
func (r *reader) opened(out []phrase, m match, at int, build func(span) Period, l looseness) []phrase {
	s, assumed, ok := r.settle(m.expr)
	if !ok || s.from.IsZero() {
		return out
	}
	p := build(s)
	p.Grain, p.Relative, p.Notes = s.grain, s.relative, slices.Clone(s.notes)
	if assumed {
		p.Notes = append(p.Notes, r.disclose(s, r.written(at, m.end)))
	}
	if m.expr.loose == alone && l == strict && m.expr.one == nil {
		l = alone
	}
	return append(out, phrase{p, m.end, l})
}
