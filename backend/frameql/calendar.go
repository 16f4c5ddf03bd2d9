package frameql

import (
	"slices"
	"strings"
	"time"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// calendar knows where weeks, months, fiscal years and the units of a calendar of one's own begin.
type calendar struct {
	weekStart int // days by which the week begins before Monday: 1 is Sunday
	fiscal    semantic.Calendar
	hasFiscal bool // fiscal is by month offset
	name      string
}

func calendarOf(m *semantic.Model) calendar {
	if m == nil {
		return calendar{}
	}
	c := calendar{}
	if shift, ok := weekShift(m.Workspace.WeekStart); ok {
		c.weekStart = shift
	}
	for _, f := range m.Calendars {
		if strings.EqualFold(f.Name, m.Workspace.Calendar) || m.Workspace.Calendar == "" && len(m.Calendars) == 1 {
			c.use(f)
		}
	}
	return c
}

func (c *calendar) use(f semantic.Calendar) {
	c.fiscal, c.name = f, f.Name
	c.hasFiscal = f.StartMonth >= 1 && f.StartMonth <= 12
}

// weekShift reads mon, monday, sun, ... as the days by which the week begins before Monday.
func weekShift(name string) (int, bool) {
	days := []string{"monday", "sunday", "saturday", "friday", "thursday", "wednesday", "tuesday"}
	name = strings.ToLower(name)
	for i, d := range days {
		if name == d || name == d[:3] {
			return i, true
		}
	}
	return 0, false
}

// commonUnits are the units of the common calendar, from fine to coarse.
var commonUnits = []string{"hour", "day", "week", "month", "quarter", "year"}

// knows says whether a unit exists: one of the common calendar, or of the fiscal one.
func (c calendar) knows(unit string) bool {
	switch {
	case slices.Contains(commonUnits, unit):
		return true
	case unit == "fiscal_quarter" || unit == "fiscal_year":
		return c.hasFiscal || c.own(unit)
	}
	return c.own(unit)
}

// own says whether a unit is listed bucket by bucket, by a pattern of weeks or by a table.
func (c calendar) own(unit string) bool { return len(c.fiscal.Buckets[unit]) > 0 }

// mentions says whether a name is a unit of some calendar, be it defined here or not.
func (c calendar) mentions(unit string) bool {
	_, listed := c.fiscal.Units[unit]
	return timeGrains[strings.ToUpper(unit)] || unit == "fiscal_week" || unit == "fiscal_period" || listed || c.own(unit)
}

// offset is the number of months by which the fiscal year begins after January.
func (c calendar) offset() int {
	if !c.hasFiscal {
		return 0
	}
	return c.fiscal.StartMonth - 1
}

// bucket gives the index of the bucket of a unit that holds a day; -1 when there is none.
func (c calendar) bucket(day time.Time, unit string) int {
	all := c.fiscal.Buckets[unit]
	i, _ := slices.BinarySearchFunc(all, day, func(b semantic.CalendarBucket, t time.Time) int {
		if !b.To.After(t) {
			return -1
		}
		return 1
	})
	if i < len(all) && !all[i].From.After(day) {
		return i
	}
	return -1
}

// start gives the first moment of the unit that holds a moment; the zero time where the calendar has no such unit.
func (c calendar) start(at time.Time, unit string) time.Time {
	day := dayOf(at)
	if c.own(unit) {
		if i := c.bucket(day, unit); i >= 0 {
			return c.fiscal.Buckets[unit][i].From
		}
		return time.Time{}
	}
	y, m := day.Year(), int(day.Month())-1
	first := func(y, m int) time.Time { return time.Date(y, time.Month(m+1), 1, 0, 0, 0, 0, time.UTC) }
	off := c.offset()
	switch unit {
	case "week":
		back := (int(day.Weekday()) + 6 + c.weekStart) % 7
		return day.AddDate(0, 0, -back)
	case "month":
		return first(y, m)
	case "quarter":
		return first(y, m-m%3)
	case "year":
		return first(y, 0)
	case "fiscal_quarter":
		return first(y, m-((m-off)%3+3)%3)
	case "fiscal_year":
		if m < off {
			y--
		}
		return first(y, off)
	case "hour":
		return at.Truncate(time.Hour)
	default:
		return day
	}
}

// step moves a start of a unit by n units; the zero time where the calendar ends.
func (c calendar) step(start time.Time, unit string, n int) time.Time {
	if all := c.fiscal.Buckets[unit]; len(all) > 0 {
		i := c.bucket(start, unit)
		if i < 0 && start.Equal(all[len(all)-1].To) {
			i = len(all)
		}
		switch i += n; {
		case i == len(all) && n != 0:
			return all[i-1].To
		case i < 0 || i >= len(all) || start.IsZero():
			return time.Time{}
		}
		return all[i].From
	}
	switch months := monthsOf(unit); {
	case unit == "week":
		return start.AddDate(0, 0, 7*n)
	case months > 0:
		return start.AddDate(0, months*n, 0)
	case unit == "hour":
		return start.Add(time.Duration(n) * time.Hour)
	default:
		return start.AddDate(0, 0, n)
	}
}

// monthsOf gives the months of a unit; 0 for those that are not made of months.
func monthsOf(unit string) int {
	switch unit {
	case "month":
		return 1
	case "quarter", "fiscal_quarter":
		return 3
	case "year", "fiscal_year":
		return 12
	}
	return 0
}

// back moves any day by n units, which is not only a start: the day of the month is kept, or the last one of a shorter
// month is taken. In a unit of the calendar's own it keeps its place, or is the last one of a shorter unit.
func (c calendar) back(day time.Time, unit string, n int) time.Time {
	if c.own(unit) {
		from := c.start(day, unit)
		moved := c.step(from, unit, -n)
		if moved.IsZero() {
			return moved
		}
		at, end := moved.Add(day.Sub(from)), c.fiscal.Buckets[unit][c.bucket(moved, unit)].To
		switch {
		case at.Before(end):
			return at
		case day.Equal(dayOf(day)):
			return end.AddDate(0, 0, -1)
		}
		return end // of a range that ends within a day
	}
	months := monthsOf(unit)
	if months == 0 {
		return c.step(day, unit, -n)
	}
	moved := day.AddDate(0, -months*n, 0)
	if moved.Day() != day.Day() {
		moved = moved.AddDate(0, 0, -moved.Day())
	}
	return moved
}

// between counts the units from one start to another.
func (c calendar) between(a, b time.Time, unit string) int {
	switch {
	case c.own(unit):
		return c.bucket(b, unit) - c.bucket(a, unit)
	case unit == "hour":
		return int(b.Sub(a).Hours())
	case unit == "week":
		return daysBetween(a, b) / 7
	}
	if months := monthsOf(unit); months > 0 {
		return ((b.Year()-a.Year())*12 + int(b.Month()) - int(a.Month())) / months
	}
	return daysBetween(a, b)
}

func daysBetween(a, b time.Time) int { return int(b.Sub(a).Hours() / 24) }

// whole says whether a range begins and ends where a unit does.
func (c calendar) whole(from, to time.Time, unit string) bool {
	if from.IsZero() || to.IsZero() {
		return false
	}
	if c.own(unit) {
		last := c.bucket(to.AddDate(0, 0, -1), unit)
		return c.start(from, unit).Equal(from) && last >= 0 && c.fiscal.Buckets[unit][last].To.Equal(to)
	}
	return c.start(from, unit).Equal(from) && c.start(to, unit).Equal(to)
}

// coarsens says whether a time cut by one unit determines the same time cut by the other. The empty unit is no cut.
func (c calendar) coarsens(fine, coarse string) bool {
	switch {
	case fine == coarse || fine == "" || fine == "hour":
		return true
	case fine == "day":
		return coarse != "" && coarse != "hour"
	case c.own(fine) || c.own(coarse):
		return c.own(coarse) && c.nested(fine, coarse)
	}
	a, b := monthsOf(fine), monthsOf(coarse)
	switch {
	case a == 0 || b%a != 0 || b == 0:
		return false
	case a == 12: // the year and the fiscal year
		return c.offset() == 0
	}
	if a == 1 {
		return true
	}
	aligned := c.offset()%3 == 0 // quarters of the common and of the fiscal year are the same months
	fiscalFine, fiscalCoarse := strings.HasPrefix(fine, "fiscal"), strings.HasPrefix(coarse, "fiscal")
	return fiscalFine == fiscalCoarse || aligned
}

// nested says whether every bucket of the coarse unit begins where one of the fine unit does.
func (c calendar) nested(fine, coarse string) bool {
	small := c.fiscal.Buckets[fine]
	i := 0
	for _, b := range c.fiscal.Buckets[coarse] {
		for i < len(small) && small[i].From.Before(b.From) {
			i++
		}
		if i == len(small) || !small[i].From.Equal(b.From) {
			return false
		}
	}
	return true
}

// days is about how long a unit is; it only orders units.
func (c calendar) days(unit string) float64 {
	if all := c.fiscal.Buckets[unit]; len(all) > 0 {
		return all[len(all)-1].To.Sub(all[0].From).Hours() / 24 / float64(len(all))
	}
	switch unit {
	case "hour":
		return 1.0 / 24
	case "week":
		return 7
	}
	if months := monthsOf(unit); months > 0 {
		return float64(months) * 365.25 / 12
	}
	return 1
}

// bounds gives the buckets of a unit as the compiler takes them.
func (c calendar) bounds(unit string) []compile.Bucket {
	all := make([]compile.Bucket, len(c.fiscal.Buckets[unit]))
	for i, b := range c.fiscal.Buckets[unit] {
		all[i] = compile.Bucket{From: b.From, To: b.To}
	}
	return all
}
