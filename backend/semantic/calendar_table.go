package semantic

import (
	"sort"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

// CalendarDay is one row of a calendar's table.
type CalendarDay struct {
	Day    time.Time // midnight, UTC
	Values []*string // one for each of Calendar.TableUnits, as text; nil: missing
}

// TableBuckets makes the buckets of a calendar of a table from its rows, in the order of their days: consecutive days
// of equal value are one bucket, and a value that comes again later begins a new one. Ordinal counts within the fiscal
// year in which a bucket begins, or from the start of the table when the calendar has no fiscal_year.
//
// fault.Invalid names the day of which the table has two rows, that it leaves out, or that has no value for a unit.
func TableBuckets(c *Calendar, days []CalendarDay) (map[string][]CalendarBucket, error) {
	units := c.TableUnits()
	all := map[string][]CalendarBucket{}
	for i, d := range days {
		if i > 0 {
			if err := follows(c, days[i-1].Day, d.Day); err != nil {
				return nil, err
			}
		}
		for u, unit := range units {
			if u >= len(d.Values) || d.Values[u] == nil {
				return nil, calendarFault(text.Say("semantic.calendar_no_value", "calendar", c.Name, "table", c.Table, "column", c.Units[unit], "day", d.Day.Format(time.DateOnly)))
			}
			value, known := *d.Values[u], all[unit]
			if n := len(known); n == 0 || known[n-1].Label != value {
				all[unit] = append(known, CalendarBucket{From: d.Day, Label: value})
			}
			all[unit][len(all[unit])-1].To = d.Day.AddDate(0, 0, 1)
		}
	}
	for _, unit := range units {
		number(all[unit], all[UnitFiscalYear])
	}
	return all, nil
}

// follows checks that a row is of the day after that of the row before it.
func follows(c *Calendar, before, day time.Time) error {
	next := before.AddDate(0, 0, 1)
	switch {
	case day.Equal(next):
		return nil
	case day.Before(next):
		return calendarFault(text.Say("semantic.calendar_day_twice", "calendar", c.Name, "table", c.Table, "day", day.Format(time.DateOnly)))
	default:
		return calendarFault(text.Say("semantic.calendar_gap", "calendar", c.Name, "table", c.Table, "day", next.Format(time.DateOnly)))
	}
}

func calendarFault(message string) error {
	return fault.New(fault.Invalid, "read calendar", message, text.Say("semantic.calendar_table_hint"))
}

// number gives buckets their places in the years.
func number(buckets, years []CalendarBucket) {
	ordinal, year := 0, -1
	for i := range buckets {
		from := buckets[i].From
		// The years cover the same days, so that one of them holds every bucket's first day.
		in := sort.Search(len(years), func(y int) bool { return years[y].To.After(from) })
		if in != year {
			ordinal, year = 0, in
		}
		ordinal++
		buckets[i].Ordinal = ordinal
	}
}
