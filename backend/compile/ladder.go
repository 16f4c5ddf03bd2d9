package compile

import (
	"math"
	"slices"
	"strings"
	"time"

	"assay/backend/semantic"
)

// ladderWidth is how many buckets stand in one CASE; more are split in halves, so that a row is compared with few.
const ladderWidth = 24

// ladder writes the bucket of a custom calendar in which a day lies: its start, or with Param "end" its end, or with "ordinal" its
// place. N moves to the bucket that many places later; with Unit "clamp" no further than to the first and the last. With "place"
// it is the day at the same place of that bucket, in a shorter one its last day, and with "place_end" the end of a range moved so.
func (w *writer) ladder(s *Scalar, day string) string {
	date := func(t time.Time) string { return w.d.literal("date", t.Format(time.DateOnly)) }
	value := func(of int) string {
		i := of + s.N
		if s.Unit == "clamp" {
			i = min(max(i, 0), len(s.Buckets)-1)
		}
		switch {
		case i < 0 || i >= len(s.Buckets):
			return "NULL"
		case s.Param == "ordinal":
			return itoa(i)
		case strings.HasPrefix(s.Param, "place") && of+s.N < 0:
			return date(beforeAll(s.Buckets, s.Param == "place_end"))
		case s.Param == "place" || s.Param == "place_end":
			return w.samePlace(s, day, of, i)
		case s.Param == "end":
			return date(s.Buckets[i].To)
		}
		return date(s.Buckets[i].From)
	}
	var part func(from, to int) string
	part = func(from, to int) string {
		if to-from > ladderWidth {
			middle := (from + to) / 2
			return "CASE WHEN " + day + " < " + date(s.Buckets[middle].From) + " THEN " + part(from, middle) + " ELSE " + part(middle, to) + " END"
		}
		var sql strings.Builder
		sql.WriteString("CASE")
		for i := from; i < to; i++ {
			if i == from || !s.Buckets[i].From.Equal(s.Buckets[i-1].To) { // before the first, or in no bucket
				sql.WriteString(" WHEN " + day + " < " + date(s.Buckets[i].From) + " THEN NULL")
			}
			sql.WriteString(" WHEN " + day + " < " + date(s.Buckets[i].To) + " THEN " + value(i))
		}
		return sql.String() + " END"
	}
	return part(0, len(s.Buckets))
}

// samePlace moves a day from one bucket into another. What would lie beyond that one is its last day.
func (w *writer) samePlace(s *Scalar, day string, from, to int) string {
	a, b := s.Buckets[from], s.Buckets[to]
	moved := w.d.move(operand{day, rankAtom, semantic.Date}, daysBetween(a.From, b.From), "day", semantic.Date)
	if !a.To.After(a.From.Add(b.To.Sub(b.From))) {
		return moved
	}
	last := b.To
	if s.Param == "place" {
		last = last.AddDate(0, 0, -1)
	}
	return w.d.least(moved, w.d.literal("date", last.Format(time.DateOnly)))
}

func daysBetween(a, b time.Time) int { return int(b.Sub(a).Hours() / 24) }

// trimCalendars leaves out the buckets of custom calendars that neither a period of the query nor the data, where it has none,
// with what its functions look back on, can touch: calendars reach over centuries.
func (c *compiler) trimCalendars() {
	low, high := time.Time{}, time.Time{}
	for i, x := range c.contexts {
		from, to := x.From, x.To
		if from.IsZero() {
			from = c.q.First
		}
		if to.IsZero() && !c.q.Last.IsZero() {
			to = c.q.Last.AddDate(0, 0, 1)
		}
		if from.IsZero() || to.IsZero() {
			return
		}
		if i == 0 || from.Before(low) {
			low = from
		}
		if to.After(high) {
			high = to
		}
	}
	margin, days := 2, 0.0
	count := func(s *Scalar) {
		if s != nil {
			s.each(func(p *Scalar) {
				switch {
				case p.Op == "moving" && p.Unit != "":
					days += float64(p.N+1) * cutDays(resetCut(p))
				case p.Op == "moving" || p.Op == "lag":
					margin += p.N
				case p.Op == "cumulative" && p.Unit != "":
					days += 400 // a year, from whose start is counted
				}
			})
		}
	}
	for _, o := range c.q.Outputs {
		count(o.Cell)
	}
	for _, o := range c.q.Order {
		count(o.Cell)
	}
	count(c.q.Having)
	if c.q.Top != nil {
		count(c.q.Top.By)
	}
	for _, l := range c.q.Leaves {
		switch m := l.Map; {
		case m.Kind == "window":
			days += float64(m.N+1) * cutDays(m.start())
		case m.Kind != "":
			days += 400
		}
		days += math.Abs(float64(l.Map.Offset+1)) * unitDays(l.Map.OffsetUnit)
	}
	for _, x := range c.contexts {
		margin += max(x.Shift, -x.Shift)
	}
	c.trim = func(cut *Scalar) *Scalar {
		if cut == nil || len(cut.Buckets) == 0 || cut.Zone != "" {
			return cut
		}
		first, last := len(cut.Buckets), 0
		for n, b := range cut.Buckets {
			if b.To.After(low) && b.From.Before(high) {
				first, last = min(first, n), max(last, n+1)
			}
		}
		if first >= last {
			return cut
		}
		trimmed, more := *cut, margin+int(days/cutDays(cut))+1
		trimmed.Buckets = cut.Buckets[max(first-more, 0):min(last+more, len(cut.Buckets))]
		return &trimmed
	}
	for i, k := range c.q.Keys {
		c.q.Keys[i].Cut = c.trimmed(k.Cut)
	}
	for i, l := range c.q.Leaves {
		c.q.Leaves[i].Map.Cut = c.trimmed(l.Map.Cut)
	}
	if axis := c.finest(c.q.Grain); axis >= 0 && len(c.key(axis).Cut.Buckets) > 0 {
		all := c.key(axis).Cut.Buckets
		for i, x := range c.contexts {
			c.contexts[i].Peers = slices.DeleteFunc(slices.Clone(x.Peers), func(p Bucket) bool {
				return p.From.Before(all[0].From) || !p.From.Before(all[len(all)-1].To)
			})
		}
	}
}

// trimmed gives a cut without the buckets that cannot matter.
func (c *compiler) trimmed(cut *Scalar) *Scalar {
	if c.trim == nil {
		return cut
	}
	return c.trim(cut)
}
