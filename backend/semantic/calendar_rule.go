package semantic

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// yearEnd is the rule by which a fiscal year of whole weeks ends, once in a calendar year.
//
//	last saturday of january          the last one in the month
//	saturday nearest to january 31    at most three days before or after
type yearEnd struct {
	weekday time.Weekday
	month   time.Month
	day     int // of nearest; 0: the last weekday of the month
}

var (
	lastOfMonth  = regexp.MustCompile(`^last ([a-z]+) of ([a-z]+)$`)
	nearestToDay = regexp.MustCompile(`^([a-z]+) nearest (?:to )?([a-z]+) ([0-9]{1,2})$`)
)

// parseYearEnd reads a rule, in any case and spacing.
func parseYearEnd(s string) (yearEnd, bool) {
	s = strings.Join(strings.Fields(strings.ToLower(s)), " ")
	if p := lastOfMonth.FindStringSubmatch(s); p != nil {
		weekday, ok1 := weekdayNamed(p[1])
		month, ok2 := monthNamed(p[2])
		return yearEnd{weekday: weekday, month: month}, ok1 && ok2
	}
	p := nearestToDay.FindStringSubmatch(s)
	if p == nil {
		return yearEnd{}, false
	}
	weekday, ok1 := weekdayNamed(p[1])
	month, ok2 := monthNamed(p[2])
	day, err := strconv.Atoi(p[3])
	r := yearEnd{weekday: weekday, month: month, day: day}
	// A day that some years lack (29 February) would be another day there.
	exists := ok2 && err == nil && day >= 1 && day <= time.Date(2025, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return r, ok1 && exists
}

func weekdayNamed(s string) (time.Weekday, bool) {
	i := slices.IndexFunc([]time.Weekday{0, 1, 2, 3, 4, 5, 6}, func(d time.Weekday) bool { return strings.EqualFold(d.String(), s) })
	return time.Weekday(i), i >= 0
}

func monthNamed(s string) (time.Month, bool) {
	for m := time.January; m <= time.December; m++ {
		if strings.EqualFold(m.String(), s) {
			return m, true
		}
	}
	return 0, false
}

// nominal is the day that the rule speaks of in a calendar year, on whatever weekday it falls.
func (r yearEnd) nominal(year int) time.Time {
	if r.day == 0 {
		return time.Date(year, r.month+1, 0, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(year, r.month, r.day, 0, 0, 0, 0, time.UTC)
}

// last is the last day of the fiscal year that the rule ends in (or, for a rule near New Year, around) a calendar year.
func (r yearEnd) last(year int) time.Time {
	at := r.nominal(year)
	back := (int(at.Weekday()) - int(r.weekday) + 7) % 7
	if r.day > 0 && back > 3 {
		return at.AddDate(0, 0, 7-back)
	}
	return at.AddDate(0, 0, -back)
}

// label is the number of the fiscal year that ends at last(year). A year that ends around New Year belongs to the year
// that the rule names, also when it ends in the first days of January.
func (r yearEnd) label(year int, by string) int {
	if by == LabelStart {
		return r.nominal(year-1).AddDate(0, 0, 1).Year()
	}
	return year
}
