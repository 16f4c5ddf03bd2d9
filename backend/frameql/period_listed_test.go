package frameql_test

import (
	"testing"
	"time"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// terms is a calendar of a table: school years of three terms that begin in September, labelled by the table, and a last one of
// which only two are listed.
func terms() *semantic.Model {
	at := func(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }
	c := semantic.Calendar{Name: "school", Table: "days", Units: map[string]string{"fiscal_year": "y", "fiscal_quarter": "q", "term": "t"}, Buckets: map[string][]semantic.CalendarBucket{}}
	add := func(unit, label string, from, to time.Time) {
		c.Buckets[unit] = append(c.Buckets[unit], semantic.CalendarBucket{Label: label, From: from, To: to})
	}
	add("fiscal_year", "2021", at(2020, 9, 1), at(2021, 9, 1))
	add("fiscal_year", "FY2022", at(2021, 9, 1), at(2022, 9, 1))
	add("fiscal_year", "22/23", at(2022, 9, 1), at(2023, 5, 1))
	for _, y := range []int{2020, 2021} {
		add("fiscal_quarter", "", at(y, 9, 1), at(y+1, 1, 1))
		add("fiscal_quarter", "FY2022-Q2", at(y+1, 1, 1), at(y+1, 5, 1))
		add("fiscal_quarter", "", at(y+1, 5, 1), at(y+1, 9, 1))
	}
	add("fiscal_quarter", "", at(2022, 9, 1), at(2023, 1, 1))
	add("fiscal_quarter", "", at(2023, 1, 1), at(2023, 5, 1))
	return &semantic.Model{Name: "school", Workspace: semantic.Settings{Calendar: "school"}, Calendars: []semantic.Calendar{c}}
}

// TestPeriodsOfAListedCalendar: a year is found by the label that its table has, a quarter by its place in the year, and what is not
// listed is refused.
func TestPeriodsOfAListedCalendar(t *testing.T) {
	for text, want := range map[string]string{
		"FY2021":                            "2020-09-01 2021-09-01",
		"FY2022":                            "2021-09-01 2022-09-01",
		"FY2023":                            "INVALID_PERIOD",
		"FY2021-Q3":                         "2021-05-01 2021-09-01",
		"FY2021-Q4":                         "INVALID_PERIOD", // the next quarter is one of the next year
		"FY2022-Q1":                         "2021-09-01 2022-01-01",
		"2021":                              "2021-01-01 2022-01-01", // the common year
		"THIS FISCAL_YEAR":                  "INVALID_PERIOD",        // today is behind the list
		"THIS FISCAL_YEAR TO DATE":          "INVALID_PERIOD",
		"PREVIOUS FISCAL_QUARTER":           "INVALID_PERIOD",
		"LAST 2 FISCAL_QUARTER":             "INVALID_PERIOD",
		"LAST 2 TERM":                       "CALENDAR_UNDEFINED", // whose days could not be read
		"LAST 2 WEEKEND":                    "CALENDAR_UNDEFINED",
		"0001-02":                           "0001-02-01 0001-03-01",
		"BETWEEN 0001-01-01 AND 2021-01-31": "0001-01-01 2021-02-01",
		"FROM 0001-01-01 TO 2021-01-31":     "0001-01-01 2021-01-31",
		"FROM 0001-01-01":                   "INVALID_PERIOD",
		"FROM 2021-01-31 TO 0001-01-01":     "INVALID_PERIOD",
		"FROM 2021-01-31 TO 2021-01-31":     "INVALID_PERIOD",
		"BETWEEN 0001-01-01 AND 9999-12-31": "INVALID_PERIOD",
		"9998":                              "9998-01-01 9999-01-01",
	} {
		p, err := ParsePeriod(text)
		if err != nil {
			t.Fatal(text, err)
		}
		use, refused := ResolvePeriod(p, time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC), terms())
		got := use.From.Format(time.DateOnly) + " " + use.To.Format(time.DateOnly)
		if refused != nil {
			got = refused.Code
		}
		if got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	for _, p := range []Period{
		{Kind: "range", From: "yesterday", To: "2021-01-01"}, {Kind: "range", From: "2021-01-01", To: "soon"}, {Kind: "between", From: "2021-01-01"}, {Kind: "decade"},
	} {
		if use, refused := ResolvePeriod(p, time.Now(), nil); refused == nil || refused.Code != "INVALID_PERIOD" {
			t.Errorf("%+v is %+v", p, use)
		}
	}
}

// TestPeriodLabels: a unit is called as DURING would write it; one that DURING cannot write has no name.
func TestPeriodLabels(t *testing.T) {
	for _, x := range []struct {
		day, unit string
		model     *semantic.Model
		want      string
	}{
		{"2021-09-01", "fiscal_year", terms(), "FY2022"},
		{"2020-09-01", "fiscal_year", terms(), ""}, // 2021 is the common year
		{"2022-09-01", "fiscal_year", terms(), ""},
		{"2019-09-01", "fiscal_year", terms(), ""},
		{"2022-01-01", "fiscal_quarter", terms(), "FY2022-Q2"},
		{"2021-09-01", "fiscal_quarter", terms(), ""},
		{"2022-01-01", "fiscal_year", &semantic.Model{}, ""},
		{"2022-01-01", "quarter", terms(), "2022-Q1"},
		{"2022-01-03", "week", terms(), ""},
	} {
		day, _ := time.Parse(time.DateOnly, x.day)
		if got := PeriodLabel(day, x.unit, x.model); got != x.want {
			t.Errorf("the %s from %s is called %q, want %q", x.unit, x.day, got, x.want)
		}
	}
}
