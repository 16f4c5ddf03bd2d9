package reuse

import (
	"strings"
	"time"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// moment is how a moment is written.
const moment = "2006-01-02 15:04:05.999999"

// period is clause 6: the frame holds the period of the branch, or the base can add what it lacks, and where the frame holds
// more, the end can be drawn between its buckets. Where no row of the fact lies beyond an end, the end needs no drawing.
func (c *comparison) period() (Reason, bool) {
	b, f := c.branch.of, &c.frame.Branch
	switch {
	case !c.branch.bounded():
		if c.frame.bounded() && !c.without(clauseCovered) { // rows without a time are lacking at least
			return c.refuse(NotCovered), false
		}
		return Reason{}, true
	case c.frame.bounded() && c.frame.time != c.branch.time:
		return c.refuse(OtherTime), false
	}
	known := c.frame.time == c.branch.time && !c.frame.First.IsZero() && !c.frame.Watermark.IsZero()
	nothingBefore := func(t time.Time) bool { return known && !t.After(c.frame.First) }
	nothingFrom := func(t time.Time) bool { return known && t.After(c.frame.Watermark) }

	if !c.without(clauseCovered) {
		if !f.From.IsZero() && (b.From.IsZero() || b.From.Before(f.From)) && !nothingBefore(f.From) {
			c.served.Missing = append(c.served.Missing, compile.Range{From: b.From, To: earlier(f.From, b.To)})
		}
		if !f.To.IsZero() && (b.To.IsZero() || b.To.After(f.To)) && !nothingFrom(f.To) {
			c.served.Missing = append(c.served.Missing, compile.Range{From: later(f.To, b.From), To: b.To})
		}
		if !b.To.IsZero() && !b.To.After(f.From) || !f.To.IsZero() && !b.From.Before(f.To) {
			return c.refuse(NotCovered), false // they have no moment in common
		}
	}
	drawn := false
	draw := func(op string, at time.Time) bool {
		condition := c.boundary(op, at)
		if condition == nil {
			return false
		}
		c.served.Where = append(c.served.Where, condition)
		drawn = true
		return true
	}
	if f.From.Before(b.From) && !nothingBefore(b.From) && !draw(">=", b.From) {
		return c.refuse(NotAligned), false
	}
	if !b.To.IsZero() && (f.To.IsZero() || f.To.After(b.To)) && !nothingFrom(b.To) && !draw("<", b.To) {
		return c.refuse(NotAligned), false
	}
	if !c.frame.bounded() && !drawn && !c.withTime() { // rows without a time lie in no period
		return c.refuse(NotAligned), false
	}
	return Reason{}, true
}

// boundary draws an end of a period between the buckets of a key that is the time, or a cut of it; nil: no key has an edge
// there. The rows of a bucket then lie all on one side of it.
func (c *comparison) boundary(op string, at time.Time) *compile.Scalar {
	for i, k := range c.frame.Branch.Keys {
		wall := at
		switch {
		case c.frame.keys[i] == c.branch.time:
			if k.Expr.Type == semantic.Date && !midnight(at) {
				continue // the engine compares a date with a moment as the midnight that it begins with
			}
		case c.frame.cuts[i] == c.branch.time:
			var ok bool
			if wall, ok = c.wall(k.Expr, at); !ok || !c.without(clauseAligned) && !c.edge(k.Expr, wall) {
				continue
			}
		default:
			continue
		}
		column := c.column(i)
		return &compile.Scalar{Op: op, Args: []*compile.Scalar{column, literalAt(column, wall.Format(moment))}, Type: semantic.Boolean}
	}
	return nil
}

// withTime adds the condition that a row has a time.
func (c *comparison) withTime() bool {
	for i, k := range c.frame.Branch.Keys {
		if c.frame.cuts[i] == c.branch.time && len(k.Expr.Buckets) == 0 || c.frame.keys[i] == c.branch.time {
			c.served.Where = append(c.served.Where, &compile.Scalar{Op: "not_null", Args: []*compile.Scalar{c.column(i)}, Type: semantic.Boolean})
			return true
		}
	}
	return false
}

// wall gives the wall clock of a cut's zone at a moment that is written in the clock of the data. A clock that jumps makes
// no edge.
func (c *comparison) wall(cut *compile.Scalar, at time.Time) (time.Time, bool) {
	if cut.Zone == "" || cut.Zone == utc(cut.From) {
		return at, true
	}
	from, err := time.LoadLocation(utc(cut.From))
	if err != nil || !c.steady(utc(cut.From)) {
		return at, false
	}
	to, err := time.LoadLocation(cut.Zone)
	if err != nil {
		return at, false
	}
	there := time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), from).In(to)
	return time.Date(there.Year(), there.Month(), there.Day(), there.Hour(), there.Minute(), there.Second(), there.Nanosecond(), time.UTC), true
}

// edge says whether a bucket of a cut begins at a moment.
func (c *comparison) edge(cut *compile.Scalar, at time.Time) bool {
	if len(cut.Buckets) > 0 {
		return c.edgeOfBuckets(cut.Buckets, at)
	}
	first := at.Day() == 1 && midnight(at)
	month := int(at.Month()) - 1 + 12*1000 - cut.Shift // of fiscal units: Shift months after those of the calendar
	switch cut.Text {
	case "second":
		return at.Nanosecond() == 0
	case "minute":
		return at.Nanosecond() == 0 && at.Second() == 0
	case "hour":
		return at.Nanosecond() == 0 && at.Second() == 0 && at.Minute() == 0
	case "day":
		return midnight(at)
	case "week": // begins Shift days before Monday
		return midnight(at) && at.AddDate(0, 0, cut.Shift).Weekday() == time.Monday
	case "month":
		return first
	case "quarter", "fiscal_quarter":
		return first && month%3 == 0
	case "year", "fiscal_year":
		return first && month%12 == 0
	default:
		return false
	}
}

// edgeOfBuckets wants a bucket to begin at the moment, or one to end there, and every day of the data to lie in a bucket:
// a day in none has no value in the column and would be lost.
func (c *comparison) edgeOfBuckets(all []compile.Bucket, at time.Time) bool {
	if c.frame.Watermark.IsZero() || all[0].From.After(c.frame.First) || !all[len(all)-1].To.After(c.frame.Watermark) {
		return false
	}
	found := false
	for i, k := range all {
		if i > 0 && !k.From.Equal(all[i-1].To) {
			return false
		}
		found = found || k.From.Equal(at) || k.To.Equal(at)
	}
	return found
}

// sameRange says whether both have the same period, or none. Those of two times were refused.
func (c *comparison) sameRange() bool {
	b, f := c.branch.of, &c.frame.Branch
	return b.From.Equal(f.From) && b.To.Equal(f.To)
}

// missingShare is the part of the data that the base must add, by time; 1 when that is not known.
func (c *comparison) missingShare() float64 {
	if len(c.served.Missing) == 0 {
		return 0
	}
	first, last := c.frame.First, c.frame.Watermark
	if first.IsZero() || !last.After(first) {
		return 1
	}
	var missing time.Duration
	for _, r := range c.served.Missing {
		from, to := later(r.From, first), earlier(r.To, last)
		if to.After(from) {
			missing += to.Sub(from)
		}
	}
	return float64(missing) / float64(last.Sub(first))
}

func midnight(t time.Time) bool {
	return t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 && t.Nanosecond() == 0
}

// earlier and later take the zero time for no bound.
func earlier(a, b time.Time) time.Time {
	if b.IsZero() || !a.IsZero() && a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// over says whether a signature speaks of a time.
func over(signature, time string) bool { return strings.Contains(signature, time) }
