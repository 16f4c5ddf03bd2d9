package compile

import (
	"slices"
	"strings"
	"time"

	"assay/backend/semantic"
)

// unitDays is about how long a unit is: units are compared by it.
func unitDays(unit string) float64 {
	switch strings.TrimPrefix(unit, "fiscal_") {
	case "hour":
		return 1.0 / 24
	case "day":
		return 1
	case "week":
		return 7
	case "month", "period":
		return 30.4
	case "quarter":
		return 91
	case "year":
		return 365
	}
	return 0
}

// cutDays is about how long a bucket of an axis is.
func cutDays(cut *Scalar) float64 {
	if n := len(cut.Buckets); n > 0 {
		return cut.Buckets[n-1].To.Sub(cut.Buckets[0].From).Hours() / 24 / float64(n)
	}
	return unitDays(cut.Text)
}

// finest gives the axis key with the shortest buckets of a grain; -1: there is no axis.
func (c *compiler) finest(grain []int) int {
	best := -1
	for _, k := range grain {
		if c.q.Keys[k].Axis && (best < 0 || cutDays(c.q.Keys[k].Cut) < cutDays(c.q.Keys[best].Cut)) {
			best = k
		}
	}
	return best
}

// cutAt cuts a time of a row.
func cutAt(cut, x *Scalar) *Scalar {
	s := *cut
	s.Args = []*Scalar{x}
	s.Type = cutType(cut)
	return &s
}

// recut cuts what is a bucket already, of a finer axis of the same clock.
func recut(cut, x *Scalar) *Scalar {
	s := cutAt(cut, x)
	s.Zone, s.From = "", ""
	return s
}

func cutType(cut *Scalar) semantic.Type {
	if cut.Text == "hour" {
		return semantic.Timestamp
	}
	return semantic.Date
}

func move(x *Scalar, n int, unit string) *Scalar {
	if n == 0 {
		return x
	}
	return &Scalar{Op: "move", Args: []*Scalar{x}, N: n, Unit: unit, Type: x.Type}
}

// axisKey gives the bucket of a time on the axis of the query, where the context moves it to: the finest axis is moved by
// whole buckets, and the coarser ones are cut from it again.
func (c *compiler) axisKey(k int, x *Scalar, ctx Context) *Scalar {
	cut := c.q.Keys[k].Cut
	if !ctx.moved() {
		return cutAt(cut, x)
	}
	base := cut
	if f := c.finest(c.q.Grain); c.apart(c.q.Grain) {
		return recut(cut, ctx.day(c.q.Keys[f].Cut, cutAt(byDay(cut), x)))
	} else if f >= 0 && cutDays(c.q.Keys[f].Cut) < cutDays(cut) {
		base = c.q.Keys[f].Cut
	}
	moved := ctx.bucket(base, cutAt(base, x))
	if base == cut {
		return moved
	}
	return recut(cut, moved)
}

// moved says whether the axis lies elsewhere than the rows.
func (c Context) moved() bool { return c.Shift != 0 || len(c.Peers) > 0 }

// bucket gives the bucket of the query on which a bucket of the context lies.
func (c Context) bucket(cut, bucket *Scalar) *Scalar {
	if len(c.Peers) == 0 {
		return moveBucket(cut, bucket, c.Shift, c.Unit)
	}
	of := bucket // the ladder goes by the time itself where it can
	if bucket.Op == "trunc" && len(bucket.Args) == 1 {
		of = bucket.Args[0]
	}
	peer := &Scalar{Op: "case", Type: semantic.Date}
	for _, p := range c.Peers {
		peer.Args = append(peer.Args, and(within(of, p.From, nextTime(cut, p.From))...), timeLiteral(p.To, nil))
	}
	return peer
}

// exact says whether every bucket that is moved by units is the only one that comes to lie where it does, and everywhere
// lies one: days moved by months are not.
func exact(cut *Scalar, unit string) bool {
	months := unit == "month" || unit == "quarter" || unit == "year"
	name := strings.TrimPrefix(cut.Text, "fiscal_")
	return len(cut.Buckets) > 0 || whole(name, unit) && !(months && (name == "day" || name == "hour"))
}

// moveBucket moves a bucket by units. Where the units are not whole buckets the result is cut again.
func moveBucket(cut, bucket *Scalar, n int, unit string) *Scalar {
	if n == 0 {
		return bucket
	}
	if len(cut.Buckets) > 0 {
		s := recut(cut, bucket)
		if bucket.Op == "trunc" && len(bucket.Buckets) > 0 {
			s = cutAt(cut, bucket.Args[0])
		}
		s.N = n
		return s
	}
	moved := move(bucket, n, unit)
	if whole(strings.TrimPrefix(cut.Text, "fiscal_"), unit) {
		return moved
	}
	return recut(cut, moved)
}

// whole says whether a bucket moved by units is a bucket again.
func whole(bucket, unit string) bool {
	months := []string{"month", "quarter", "year"}
	switch bucket {
	case "hour", "day":
		return true
	case "week":
		return unit == "week"
	}
	return slices.Contains(months[slices.Index(months, bucket):], unit)
}

// cutTime gives the start of the bucket of a day; of a day outside of a custom calendar that of its first or last bucket.
func cutTime(cut *Scalar, t time.Time) time.Time {
	if n := len(cut.Buckets); n > 0 {
		for _, b := range cut.Buckets {
			if t.Before(b.To) {
				return b.From
			}
		}
		return cut.Buckets[n-1].From
	}
	y, m, d := t.Date()
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	switch cut.Text {
	case "hour":
		return time.Date(y, m, d, t.Hour(), 0, 0, 0, time.UTC)
	case "week":
		back := (int(t.Weekday()) + 6 + cut.Shift) % 7 // days since the week's first
		return day(y, m, d-back)
	case "month", "fiscal_month":
		return day(y, m, 1)
	case "quarter", "year", "fiscal_quarter", "fiscal_year":
		n := 3
		if strings.HasSuffix(cut.Text, "year") {
			n = 12
		}
		back := ((int(m)-1-cut.Shift)%n + n) % n
		if !strings.HasPrefix(cut.Text, "fiscal_") {
			back = (int(m) - 1) % n
		}
		return day(y, m-time.Month(back), 1)
	}
	return day(y, m, d)
}

// nextTime gives the start of the bucket after the one that starts at t.
func nextTime(cut *Scalar, t time.Time) time.Time {
	for _, b := range cut.Buckets {
		if b.From.Equal(t) {
			return b.To
		}
	}
	return addUnits(t, 1, strings.TrimPrefix(cut.Text, "fiscal_"))
}

// monthsOf gives the months of a unit; 0 for those that are not made of months.
func monthsOf(unit string) int {
	return map[string]int{"month": 1, "quarter": 3, "year": 12}[strings.TrimPrefix(unit, "fiscal_")]
}

// addUnits moves a time as SQL does: month ends are clamped.
func addUnits(t time.Time, n int, unit string) time.Time {
	switch unit {
	case "hour":
		return t.Add(time.Duration(n) * time.Hour)
	case "week":
		return t.AddDate(0, 0, 7*n)
	case "month", "quarter", "year":
		first := time.Date(t.Year(), t.Month(), 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC).AddDate(0, n*monthsOf(unit), 0)
		last := first.AddDate(0, 1, -1).Day()
		return first.AddDate(0, 0, min(t.Day(), last)-1)
	}
	return t.AddDate(0, 0, n)
}

// timeLiteral writes a time as a literal that compares with x: a date unless x has hours.
func timeLiteral(t time.Time, x *Scalar) *Scalar {
	if x != nil && x.Type == semantic.Date || t.Equal(t.Truncate(24*time.Hour)) && (x == nil || x.Type != semantic.Timestamp) {
		return &Scalar{Op: "date", Text: t.Format(time.DateOnly), Type: semantic.Date}
	}
	return &Scalar{Op: "timestamp", Text: t.Format(time.DateTime + ".999999"), Type: semantic.Timestamp}
}

// lastMoment is the last moment before an end.
func lastMoment(end time.Time) time.Time { return end.Add(-time.Microsecond) }

// within gives the conditions for from <= x < to; a zero bound is open.
func within(x *Scalar, from, to time.Time) []*Scalar {
	var all []*Scalar
	if !from.IsZero() {
		all = append(all, compare(">=", x, timeLiteral(from, x)))
	}
	if !to.IsZero() {
		all = append(all, compare("<", x, timeLiteral(to, x)))
	}
	return all
}
