package compile

import (
	"strings"
	"time"
)

// ladderWidth is how many buckets stand in one CASE; more are split in halves, so that a row is compared with few.
const ladderWidth = 24

// ladder writes the bucket of a custom calendar in which a day lies: its start, or with Param "end" its end, or with "ordinal" its
// place. N moves to the bucket that many places later; with Unit "clamp" no further than to the first and the last.
func (w *writer) ladder(s *Scalar, day string) string {
	date := func(t time.Time) string { return w.d.literal("date", t.Format(time.DateOnly)) }
	value := func(i int) string {
		i += s.N
		if s.Unit == "clamp" {
			i = min(max(i, 0), len(s.Buckets)-1)
		}
		switch {
		case i < 0 || i >= len(s.Buckets):
			return "NULL"
		case s.Param == "ordinal":
			return itoa(i)
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

// trimCalendars leaves out the buckets of custom calendars that no period of the query, with what its functions look back on,
// can touch: calendars reach over centuries.
func (c *compiler) trimCalendars() {
	low, high := time.Time{}, time.Time{}
	for i, x := range c.contexts {
		from, to := x.From, x.To
		if from.IsZero() {
			from = x.CoverFrom
		}
		if to.IsZero() {
			to = x.CoverTo
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
	margin := 2
	count := func(s *Scalar) {
		if s != nil {
			s.each(func(p *Scalar) {
				switch {
				case p.Op == "moving" || p.Op == "lag":
					margin += p.N
				case p.Op == "cumulative" && p.Unit != "":
					margin += 54 // the weeks of a year, from whose start is counted
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
	for _, x := range c.contexts {
		margin += max(x.Shift, -x.Shift)
	}
	for i, k := range c.q.Keys {
		if k.Cut == nil || len(k.Cut.Buckets) == 0 || k.Cut.Zone != "" {
			continue
		}
		first, last := len(k.Cut.Buckets), 0
		for n, b := range k.Cut.Buckets {
			if b.To.After(low) && b.From.Before(high) {
				first, last = min(first, n), max(last, n+1)
			}
		}
		if first >= last {
			continue
		}
		cut := *k.Cut
		cut.Buckets = cut.Buckets[max(first-margin, 0):min(last+margin, len(cut.Buckets))]
		c.q.Keys[i].Cut = &cut
	}
}
