package semantic

import "strings"

// DatePart is a part of a date that repeats: the Mondays of all weeks, the Januaries of all years. It is read off a time as
// its last segment, order_date.day_of_week, and is a whole number.
type DatePart struct {
	Name     string
	Function string // of the expression grammar, of one argument
	Unit     string // the coarsest unit of time that determines it
	Size     int    // how many values it has
}

var dateParts = []DatePart{
	{Name: "hour_of_day", Function: "hour", Unit: "hour", Size: 24},
	{Name: "day_of_week", Function: "weekday", Unit: "day", Size: 7}, // 1 is Monday
	{Name: "day_of_month", Function: "day", Unit: "day", Size: 31},
	{Name: "day_of_year", Function: "day_of_year", Unit: "day", Size: 366},
	{Name: "week_of_year", Function: "week_of_year", Unit: "day", Size: 53}, // of ISO 8601
	{Name: "month_of_year", Function: "month", Unit: "month", Size: 12},
	{Name: "quarter_of_year", Function: "quarter", Unit: "quarter", Size: 4},
}

// DateParts gives every part of a date, from fine to coarse.
func DateParts() []DatePart { return append([]DatePart(nil), dateParts...) }

// DatePartNamed finds a part of a date, in any case; nil when there is none.
func DatePartNamed(name string) *DatePart {
	for i := range dateParts {
		if strings.EqualFold(dateParts[i].Name, name) {
			return &dateParts[i]
		}
	}
	return nil
}
