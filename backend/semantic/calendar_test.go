package semantic

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"

	"pgregory.net/rapid"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// bucketOf finds the bucket of a label.
func bucketOf(t *testing.T, c *Calendar, unit, label string) CalendarBucket {
	t.Helper()
	i := slices.IndexFunc(c.Buckets[unit], func(b CalendarBucket) bool { return b.Label == label })
	if i < 0 {
		t.Fatalf("%s has no %s", c.Name, label)
	}
	return c.Buckets[unit][i]
}

func patternCalendar(pattern, ends, label string) *Calendar {
	c := &Calendar{Name: "c", Pattern: pattern, YearEnds: ends, LabelYear: label}
	c.Buckets = patternBuckets(c)
	return c
}

// The days are those that the owners of these calendars publish.
func TestPatternsOfKnownYears(t *testing.T) {
	retail := patternCalendar("4-5-4", "Saturday nearest to January 31", LabelStart)
	apple := patternCalendar("4-4-5", "last Saturday of September", LabelEnd)
	industrial := patternCalendar("4-4-5", "saturday  nearest december 31", LabelEnd)
	for _, c := range []struct {
		calendar           *Calendar
		unit, label        string
		from, to           string
		ordinal, weeksLong int
	}{
		{retail, UnitFiscalYear, "FY2023", "2023-01-29", "2024-02-04", 1, 53},
		{retail, UnitFiscalYear, "FY2024", "2024-02-04", "2025-02-02", 1, 52},
		{retail, UnitFiscalPeriod, "FY2024-P01", "2024-02-04", "2024-03-03", 1, 4},
		{retail, UnitFiscalPeriod, "FY2024-P02", "2024-03-03", "2024-04-07", 2, 5},
		{retail, UnitFiscalPeriod, "FY2023-P12", "2023-12-31", "2024-02-04", 12, 5},
		{retail, UnitFiscalQuarter, "FY2023-Q4", "2023-10-29", "2024-02-04", 4, 14},
		{retail, UnitFiscalWeek, "FY2023-W53", "2024-01-28", "2024-02-04", 53, 1},
		{apple, UnitFiscalYear, "FY2023", "2022-09-25", "2023-10-01", 1, 53},
		{apple, UnitFiscalYear, "FY2024", "2023-10-01", "2024-09-29", 1, 52},
		{apple, UnitFiscalQuarter, "FY2024-Q1", "2023-10-01", "2023-12-31", 1, 13},
		{industrial, UnitFiscalYear, "FY2020", "2019-12-29", "2021-01-03", 1, 53},
		{industrial, UnitFiscalYear, "FY2021", "2021-01-03", "2022-01-02", 1, 52},
	} {
		b := bucketOf(t, c.calendar, c.unit, c.label)
		want := CalendarBucket{From: day(c.from), To: day(c.to), Label: c.label, Ordinal: c.ordinal}
		if b != want || int(b.To.Sub(b.From).Hours()) != c.weeksLong*7*24 {
			t.Errorf("%s %s: got %v to %v (%d)", c.calendar.YearEnds, c.label, b.From, b.To, b.Ordinal)
		}
	}
}

// However a pattern is chosen, its units tile the days and each other, and years have 52 or 53 weeks.
func TestPatternsTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weekday := time.Weekday(rapid.IntRange(0, 6).Draw(t, "weekday"))
		month := time.Month(rapid.IntRange(1, 12).Draw(t, "month"))
		ends := fmt.Sprintf("last %s of %s", weekday, month)
		if rapid.Bool().Draw(t, "nearest") {
			ends = fmt.Sprintf("%s nearest to %s %d", weekday, month, rapid.IntRange(1, 28).Draw(t, "day"))
		}
		pattern := rapid.SampledFrom(patternNames()).Draw(t, "pattern")
		c := patternCalendar(pattern, ends, rapid.SampledFrom([]string{LabelStart, LabelEnd}).Draw(t, "label"))
		years := c.Buckets[UnitFiscalYear]
		if first, last := years[0].Label, years[len(years)-1].Label; first != "FY1970" || last != "FY2100" || len(years) != 131 {
			t.Fatalf("%s: %s to %s, %d years", ends, first, last, len(years))
		}
		for unit, buckets := range c.Buckets {
			if buckets[0].From != years[0].From || buckets[len(buckets)-1].To != years[len(years)-1].To {
				t.Fatalf("%s of %s do not cover the years", unit, ends)
			}
			for i, b := range buckets {
				if !b.From.Before(b.To) || i > 0 && (b.From != buckets[i-1].To || b.Label == buckets[i-1].Label) {
					t.Fatalf("%s of %s: %v after %v", unit, ends, b, buckets[max(i-1, 0)])
				}
			}
		}
		within := func(unit string, y CalendarBucket) (inside []CalendarBucket) {
			for _, b := range c.Buckets[unit] {
				if !b.From.Before(y.From) && !b.To.After(y.To) {
					inside = append(inside, b)
				}
			}
			return inside
		}
		year := rapid.SampledFrom(years).Draw(t, "year")
		weeks, quarters, periods := within(UnitFiscalWeek, year), within(UnitFiscalQuarter, year), within(UnitFiscalPeriod, year)
		if n := len(weeks); n != 52 && n != 53 || len(quarters) != 4 || len(periods) != 12 {
			t.Fatalf("%s: %d weeks, %d quarters, %d periods", year.Label, n, len(quarters), len(periods))
		}
		for _, set := range [][]CalendarBucket{weeks, quarters, periods} {
			for i, b := range set {
				if b.Ordinal != i+1 || !strings.HasPrefix(b.Label, year.Label+"-") {
					t.Fatalf("%v is not number %d of %s", b, i+1, year.Label)
				}
			}
		}
		extra := len(weeks) - 52
		for i, q := range quarters {
			want := 13
			if i == 3 {
				want += extra
			}
			if n := len(within(UnitFiscalWeek, q)); n != want || len(within(UnitFiscalPeriod, q)) != 3 {
				t.Fatalf("%s has %d weeks", q.Label, n)
			}
		}
		for i, p := range periods {
			want := int(pattern[2*(i%3)] - '0')
			if i == 11 {
				want += extra
			}
			if n := len(within(UnitFiscalWeek, p)); n != want {
				t.Fatalf("%s has %d weeks, not %d", p.Label, n, want)
			}
		}
		if last := year.To.AddDate(0, 0, -1); last.Weekday() != weekday {
			t.Fatalf("%s ends on a %s", year.Label, last.Weekday())
		}
	})
}

func calendarDays(from string, rows ...[]string) []CalendarDay {
	var days []CalendarDay
	for i, row := range rows {
		d := CalendarDay{Day: day(from).AddDate(0, 0, i)}
		for _, v := range row {
			if v == "" {
				d.Values = append(d.Values, nil)
			} else {
				d.Values = append(d.Values, &v)
			}
		}
		days = append(days, d)
	}
	return days
}

func TestTableBuckets(t *testing.T) {
	c := &Calendar{Name: "school", Table: "days", DateColumn: "day", Units: map[string]string{"term": "t", UnitFiscalYear: "y"}}
	// units in the order of their names: fiscal_year, term
	days := calendarDays("2024-12-30", []string{"24", "B"}, []string{"24", "B"}, []string{"25", "A"}, []string{"25", "B"}, []string{"25", "A"}, []string{"25", "A"})
	got, err := TableBuckets(c, days)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]CalendarBucket{
		UnitFiscalYear: {{day("2024-12-30"), day("2025-01-01"), "24", 1}, {day("2025-01-01"), day("2025-01-05"), "25", 1}},
		"term": {
			{day("2024-12-30"), day("2025-01-01"), "B", 1},
			{day("2025-01-01"), day("2025-01-02"), "A", 1},
			{day("2025-01-02"), day("2025-01-03"), "B", 2},
			{day("2025-01-03"), day("2025-01-05"), "A", 3},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	delete(c.Units, UnitFiscalYear)
	plain, err := TableBuckets(c, calendarDays("2025-01-01", []string{"A"}, []string{"B"}, []string{"A"}))
	if err != nil || plain["term"][2].Ordinal != 3 {
		t.Errorf("without years: %v %v", plain, err)
	}
	if none, err := TableBuckets(c, nil); err != nil || len(none["term"]) != 0 {
		t.Errorf("an empty table: %v %v", none, err)
	}
}

func TestTableBucketsNameTheDay(t *testing.T) {
	c := &Calendar{Name: "school", Table: "days", DateColumn: "day", Units: map[string]string{"term": "t"}}
	good := calendarDays("2025-01-30", []string{"A"}, []string{"A"}, []string{"B"}, []string{"B"})
	for name, broken := range map[string]struct {
		days []CalendarDay
		day  string
	}{
		"gap":     {slices.Delete(slices.Clone(good), 2, 3), "2025-02-01"},
		"twice":   {slices.Insert(slices.Clone(good), 2, good[1]), "2025-01-31"},
		"missing": {calendarDays("2025-01-30", []string{"A"}, []string{""}), "2025-01-31"},
	} {
		b, err := TableBuckets(c, broken.days)
		if b != nil || fault.CodeOf(err) != fault.Invalid || !strings.Contains(err.Error(), broken.day) || !strings.Contains(err.Error(), "days") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestYearEndRules(t *testing.T) {
	for rule, ok := range map[string]bool{
		"last saturday of january": true, "Last  Friday of FEBRUARY": true, "sunday nearest to june 30": true, "sunday nearest june 30": true,
		"": false, "saturday of january": false, "last caturday of january": false, "last saturday of jan": false,
		"sunday nearest to june 31": false, "sunday nearest to february 29": false, "sunday nearest to june 0": false, "first sunday of june": false,
	} {
		if _, got := parseYearEnd(rule); got != ok {
			t.Errorf("%q: %v", rule, got)
		}
	}
}
