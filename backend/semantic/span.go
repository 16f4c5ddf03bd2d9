package semantic

import (
	"slices"
	"strconv"
	"strings"
)

// maxSpan bounds a number of units: more is a slip of the pen, and would overflow a date.
const maxSpan = 100_000

// timeUnits are the units of the common calendar, from fine to coarse.
func timeUnits() []string { return []string{"hour", "day", "week", "month", "quarter", "year"} }

// fiscalUnits are the units that fiscal calendars have, from fine to coarse. One by month offset has quarter and year.
func fiscalUnits() []string {
	return []string{UnitFiscalWeek, UnitFiscalPeriod, UnitFiscalQuarter, UnitFiscalYear}
}

// String gives the text of a span: "7 day".
func (s Span) String() string { return strconv.Itoa(s.N) + " " + s.Unit }

// parseSpan reads "7 day", "1 month", "3 months".
func parseSpan(s string) (Span, bool) {
	number, unit, ok := strings.Cut(strings.TrimSpace(s), " ")
	n, err := strconv.Atoi(number)
	unit = strings.ToLower(strings.TrimSpace(unit))
	if one, plural := strings.CutSuffix(unit, "s"); plural && slices.Contains(append(timeUnits(), "minute", UnitFiscalWeek, UnitFiscalPeriod, UnitFiscalQuarter, UnitFiscalYear), one) {
		unit = one
	}
	return Span{N: n, Unit: unit}, ok && err == nil && n >= 1 && n <= maxSpan && IsName(unit)
}

// units gives every unit that the model's calendars know: those of the common calendar, and those of its own.
func (c *checker) units() []string {
	all := timeUnits()
	for i := range c.m.Calendars {
		for _, u := range c.m.Calendars[i].units() {
			if !slices.Contains(all, u) {
				all = append(all, u)
			}
		}
	}
	return all
}
