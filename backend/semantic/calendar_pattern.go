package semantic

import (
	"fmt"
	"time"
)

// The fiscal years that the calendar of a pattern knows, by their labels.
const (
	firstPatternYear = 1970
	lastPatternYear  = 2100
)

func patternNames() []string { return []string{"4-4-5", "4-5-4", "5-4-4"} }

// patternWeeks gives the weeks of the three periods of a quarter.
func patternWeeks(pattern string) [3]int {
	switch pattern {
	case "4-5-4":
		return [3]int{4, 5, 4}
	case "5-4-4":
		return [3]int{5, 4, 4}
	default:
		return [3]int{4, 4, 5}
	}
}

// patternBuckets computes the weeks, periods, quarters and years of a calendar of whole weeks. A year has 52 weeks, or
// 53: then the last period, and with it the last quarter, has one more.
func patternBuckets(c *Calendar) map[string][]CalendarBucket {
	rule, ok := parseYearEnd(c.YearEnds)
	if !ok {
		return nil
	}
	all := map[string][]CalendarBucket{}
	add := func(unit string, from time.Time, weeks int, label string, ordinal int) {
		all[unit] = append(all[unit], CalendarBucket{From: from, To: from.AddDate(0, 0, 7*weeks), Label: label, Ordinal: ordinal})
	}
	shape := patternWeeks(c.Pattern)
	for ends := firstPatternYear; ; ends++ {
		label := rule.label(ends, c.LabelYear)
		if label < firstPatternYear {
			continue
		}
		if label > lastPatternYear {
			return all
		}
		from, to := rule.last(ends-1).AddDate(0, 0, 1), rule.last(ends).AddDate(0, 0, 1)
		weeks := int(to.Sub(from).Hours()) / (7 * 24)
		name := fmt.Sprintf("FY%d", label)
		add(UnitFiscalYear, from, weeks, name, 1)
		begun := 0
		for q := 1; q <= 4; q++ {
			quarter := begun
			for i, n := range shape {
				period := 3*(q-1) + i + 1
				if period == 12 {
					n = weeks - begun
				}
				add(UnitFiscalPeriod, from.AddDate(0, 0, 7*begun), n, fmt.Sprintf("%s-P%02d", name, period), period)
				begun += n
			}
			add(UnitFiscalQuarter, from.AddDate(0, 0, 7*quarter), begun-quarter, fmt.Sprintf("%s-Q%d", name, q), q)
		}
		for w := range weeks {
			add(UnitFiscalWeek, from.AddDate(0, 0, 7*w), 1, fmt.Sprintf("%s-W%02d", name, w+1), w+1)
		}
	}
}
