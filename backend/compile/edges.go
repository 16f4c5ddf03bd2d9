package compile

import (
	"slices"
	"time"
)

// Edges says in which buckets of the axis an output has all that it looks at.
type Edges struct {
	Axis        int       // the output that shows the axis
	First, Last time.Time // outside of these buckets a number looks at days without data, so that it is missing; zero: open
	Whole       time.Time // before this bucket a window reaches back beyond the start of the data; zero: none does
}

// Edges gives the edges of the outputs, by index; nil: there is no axis, the output is no number of the rows themselves, or nobody
// knows where the data lies.
func (q *Query) Edges() []*Edges {
	c := &compiler{q: q, contexts: slices.Clone(q.Contexts)}
	all := make([]*Edges, len(q.Outputs))
	k, axis := c.finest(q.Grain), -1
	for i, o := range q.Outputs {
		if o.Cell != nil && o.Cell.Op == "key" && o.Cell.Index == k {
			axis = i
		}
	}
	if axis < 0 || c.apart(q.Grain) {
		return all
	}
	cut := q.Keys[k].Cut
	for i, o := range q.Outputs {
		if o.Cell == nil || o.Cell.Op == "key" || o.Cell.any(func(s *Scalar) bool { return s.Op == "at" || s.Op == "reduce" || s.Op == "index" || s.Op == "rank" }) {
			continue
		}
		if e, known := edgesOf(c.looksOf(o.Cell, cut), cut); known {
			e.Axis = axis
			all[i] = &e
		}
	}
	return all
}

func edgesOf(looks []look, cut *Scalar) (e Edges, known bool) {
	for _, l := range looks {
		if l.m.Kind == "same_day" || l.m.Kind == "shift" || l.x.Lag && !exact(cut, l.x.Unit) {
			return e, false
		}
		s, has := l.stretch(cut)
		if !has || s.none {
			return e, false
		}
		e.First = latest(e.First, s.first)
		if !s.last.IsZero() && (e.Last.IsZero() || s.last.Before(e.Last)) {
			e.Last = s.last
		}
		e.Whole = latest(e.Whole, l.whole(cut))
	}
	return e, len(looks) > 0
}

// whole gives the first bucket whose window begins with the data or later; zero: it is no moving window.
func (l look) whole(cut *Scalar) time.Time {
	if l.m.Kind != "window" {
		return time.Time{}
	}
	from := cutTime(&Scalar{Op: "trunc", Text: "day"}, l.leaf.CoverFrom)
	switch {
	case l.m.Cut != nil:
		from = cutTime(l.m.Cut, from)
	case unitDays(l.m.Unit) >= cutDays(cut) || len(cut.Buckets) > 0 && sameUnit(l.m.Unit, cut):
		from = cutTime(cut, from)
	}
	first, _ := firstBucket(cut, from, func(t time.Time) bool {
		start, _ := l.days(cut, t)
		return !start.Before(from)
	})
	return stretch{first: first}.moved(l.x, cut).first
}
