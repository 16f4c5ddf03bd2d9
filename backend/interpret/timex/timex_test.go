package timex

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// dateEnv reads dates on Wednesday, 6 May 1998, with a fiscal year that begins in July.
func dateEnv() frameql.Env {
	m := &semantic.Model{Name: "dates", Version: "sha256:test"}
	m.Workspace = semantic.Settings{Calendar: "fiscal"}
	m.Calendars = []semantic.Calendar{{Name: "fiscal", StartMonth: 7, LabelYear: "end"}}
	return frameql.Env{Model: m, Now: time.Date(1998, 5, 6, 15, 0, 0, 0, time.UTC)}
}

func TestPeriods(t *testing.T) {
	for phrase, want := range map[string]string{
		// absolute
		"1997": "1997", "in 1997": "1997", "the year 1997": "1997", "'97": "1997", "in '97": "1997",
		"Q3 1997": "1997-Q3", "1997-Q3": "1997-Q3", "1997 Q3": "1997-Q3", "1997q3": "1997-Q3", "Q3 of 1997": "1997-Q3", "Q3 '97": "1997-Q3",
		"third quarter of 1997": "1997-Q3", "the 3rd quarter of 1997": "1997-Q3", "quarter 3 of 1997": "1997-Q3",
		"first half of 1997": "FROM 1997-01-01 TO 1997-07-01", "H2 1997": "FROM 1997-07-01 TO 1998-01-01",
		"March 1997": "1997-03", "Mar '97": "1997-03", "Mar. 1997": "1997-03", "march of 1997": "1997-03", "Mar 97": "1997-03", "1997-03": "1997-03",
		"3 March 1997": "1997-03-03", "March 3, 1997": "1997-03-03", "March 3rd, 1997": "1997-03-03", "3rd of March 1997": "1997-03-03", "on 1997-03-05": "1997-03-05",
		"3/5/1997": "1997-03-05", "25/12/1997": "1997-12-25", "25.12.1997": "1997-12-25",
		"the 1990s": "FROM 1990-01-01 TO 2000-01-01", "the 90s": "FROM 1990-01-01 TO 2000-01-01",
		// without a year: the most recent one
		"March": "1998-03", "in June": "1997-06", "Q1": "1998-Q1", "Q3": "1997-Q3", "3 March": "1998-03-03", "24 December": "1997-12-24",
		// ranges
		"between 1996 and 1997":              "FROM 1996-01-01 TO 1998-01-01",
		"between March 1997 and May 1997":    "FROM 1997-03-01 TO 1997-06-01",
		"from March to May 1997":             "FROM 1997-03-01 TO 1997-06-01",
		"from November to February 1998":     "FROM 1997-11-01 TO 1998-03-01",
		"1997-03-01 to 1997-03-15":           "FROM 1997-03-01 TO 1997-03-16",
		"3 to 12 March 1997":                 "FROM 1997-03-03 TO 1997-03-13",
		"Q1 through Q3 1997":                 "FROM 1997-01-01 TO 1997-10-01",
		"from March to May":                  "FROM 1998-03-01 TO 1998-06-01",
		"between 3 March 1997 and yesterday": "FROM 1997-03-03 TO 1998-05-06",
		// relative
		"today": "TODAY", "yesterday": "YESTERDAY", "the day before yesterday": "1998-05-04", "tomorrow": "1998-05-07",
		"this month": "THIS MONTH", "this quarter": "THIS QUARTER", "current year": "THIS YEAR", "this week": "THIS WEEK",
		"last week": "PREVIOUS WEEK", "last month": "PREVIOUS MONTH", "last quarter": "PREVIOUS QUARTER", "the previous quarter": "PREVIOUS QUARTER",
		"last year": "PREVIOUS YEAR", "past year": "PREVIOUS YEAR", "last year's": "PREVIOUS YEAR",
		"last 3 months": "LAST 3 MONTH", "the last three months": "LAST 3 MONTH", "past 30 days": "LAST 30 DAY", "previous 2 quarters": "LAST 2 QUARTER",
		"last twelve months": "LAST 12 MONTH", "over the past two years": "FROM 1996-05-06 TO 1998-05-06",
		"YTD": "YTD", "year to date": "YTD", "this year to date": "YTD", "so far this year": "YTD", "this year so far": "YTD", "QTD": "QTD", "mtd": "MTD",
		"month to date": "MTD", "WTD": "WTD", "all time": "ALL TIME",
		"3 months ago": "1998-02", "a year ago": "1997", "10 days ago": "1998-04-26", "two weeks ago": "FROM 1998-04-20 TO 1998-04-27",
		"last March": "1997-03", "last May": "1997-05", "last Monday": "1998-04-27", "Monday": "1998-05-04", "March of last year": "1997-03", "Q2 last year": "1997-Q2",
		"next month": "1998-06", "next 2 quarters": "FROM 1998-07-01 TO 1999-01-01",
		// anchors
		"since March": "FROM 1998-03-01", "since 1997": "FROM 1997-01-01", "since June": "FROM 1997-06-01", "since last quarter": "FROM 1998-01-01",
		"since the beginning of 1997": "FROM 1997-01-01", "from 1997 on": "FROM 1997-01-01", "1997 onwards": "FROM 1997-01-01",
		"after 1997": "FROM 1998-01-01", "after 3 March 1997": "FROM 1997-03-04", "on or after 3 March 1997": "FROM 1997-03-03",
		"before 1997-05": "FROM 0001-01-01 TO 1997-05-01", "before May 1997": "FROM 0001-01-01 TO 1997-05-01", "prior to 1997": "FROM 0001-01-01 TO 1997-01-01",
		"until March 1997": "FROM 0001-01-01 TO 1997-04-01", "up to 1997": "FROM 0001-01-01 TO 1998-01-01",
		// fiscal
		"FY1997": "FY1997", "FY97": "FY1997", "FY 1997": "FY1997", "fiscal 1997": "FY1997", "fiscal year 1997": "FY1997",
		"fiscal Q2 1997": "FY1997-Q2", "FY1997 Q2": "FY1997-Q2", "FY1997-Q2": "FY1997-Q2", "Q2 FY97": "FY1997-Q2", "Q2 of fiscal 1997": "FY1997-Q2",
		"this fiscal year": "THIS FISCAL_YEAR", "last fiscal quarter": "PREVIOUS FISCAL_QUARTER", "last 2 fiscal years": "LAST 2 FISCAL_YEAR",
		"since FY1997": "FROM 1996-07-01",
	} {
		read, _, ok := Read(phrase, dateEnv(), Whole)
		p := read.Asked
		if got := p.String(); !ok || got != want {
			t.Errorf("%q: %s (%v), want %s", phrase, got, ok, want)
		}
		if ok {
			if _, refusal := frameql.ResolvePeriod(p, dateEnv().Now, dateEnv().Model); refusal != nil {
				t.Errorf("%q: %s", phrase, refusal.Message)
			}
		}
	}
}

func TestNoPeriods(t *testing.T) {
	for _, phrase := range []string{
		"", "revenue", "5 customers", "last", "last customer", "31 February 1997", "Q5 1997", "between 1997 and 1996", "may be", "13/13/1997",
		"1997 revenue", "march forward", "10248", "in 3 boxes", "99 1997",
	} {
		if p, _, ok := Read(phrase, dateEnv(), Whole); ok {
			t.Errorf("%q was read as %s", phrase, p.Asked)
		}
	}
}

// A month without a year is never one that has not begun.
func TestMonthsWithoutAYearHaveBegun(t *testing.T) {
	for m := time.January; m <= time.December; m++ {
		env := dateEnv()
		for d := range 24 {
			env.Now = time.Date(1998, time.Month(1+d/2), 1+13*(d%2), 0, 0, 0, 0, time.UTC)
			read, _, ok := Read("in "+m.String(), env, Whole)
			p, notes := read.Asked, read.Notes
			use, refusal := frameql.ResolvePeriod(p, env.Now, env.Model)
			if !ok || refusal != nil || use.From.After(env.Now) || env.Now.Sub(use.From) > 366*24*time.Hour || len(notes) == 0 {
				t.Fatalf("%s on %s: %s %v", m, env.Now, p, notes)
			}
		}
	}
}

// The public date phrases are a measure and not a gate: how many agree is logged.
func TestDatesOfTheBench(t *testing.T) {
	shared := os.Getenv("ASSAY_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "..", "shared")
	}
	f, err := os.Open(filepath.Join(shared, "bench", "dates.jsonl"))
	if err != nil {
		t.Skip("no public date phrases: set ASSAY_SHARED")
	}
	defer f.Close()
	count := map[string]int{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		text, now, want := dateCase(t, lines.Bytes())
		if len(want) == 0 {
			continue
		}
		read, _, ok := Read(text, frameql.Env{Now: now}, Exact)
		p := read.Asked
		use, refusal := frameql.ResolvePeriod(p, now, nil)
		switch got := ISO(use.From) + " " + ISO(use.To); {
		case !ok || refusal != nil:
			count["declined"]++
		case want[got]:
			count["correct"]++
		default:
			count["wrong"]++
		}
	}
	t.Logf("date phrases: %d correct, %d wrong, %d declined", count["correct"], count["wrong"], count["declined"])
}

// dateCase gives the phrase of one public case, its clock and the ranges that are right: "from to", the end exclusive.
func dateCase(t *testing.T, line []byte) (phrase string, now time.Time, want map[string]bool) {
	t.Helper()
	type values struct{ Start, End, StartDate, EndDate, Date, Value string }
	var c struct {
		Input   string
		Context struct{ ReferenceDateTime string }
		Results []struct {
			Text, Type, TypeName string
			Value                map[string]json.RawMessage
			Resolution           struct{ Values []values }
		}
	}
	if err := json.Unmarshal(line, &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Results) != 1 {
		return "", now, nil
	}
	r := c.Results[0]
	kind := r.TypeName
	if kind == "" {
		kind = r.Type
	}
	if kind = kind[strings.LastIndex(kind, ".")+1:]; kind != "daterange" && kind != "date" {
		return "", now, nil
	}
	all := r.Resolution.Values
	for _, k := range []string{"PastResolution", "FutureResolution"} {
		var v values
		if json.Unmarshal(r.Value[k], &v) == nil {
			all = append(all, v)
		}
	}
	want = map[string]bool{}
	inclusive := strings.ContainsAny(c.Input, "-") || strings.Contains(c.Input, "from") || strings.Contains(c.Input, "between") || strings.Contains(c.Input, " to ") || strings.Contains(c.Input, "till") ||
		strings.Contains(c.Input, "until") || strings.Contains(c.Input, "through")
	for _, v := range all {
		start, end, one := v.Start+v.StartDate, v.End+v.EndDate, v.Date+v.Value
		from, err1 := time.Parse(time.DateOnly, start)
		to, err2 := time.Parse(time.DateOnly, end)
		if err1 == nil && err2 == nil {
			want[ISO(from)+" "+ISO(to)] = true
			if inclusive {
				want[ISO(from)+" "+ISO(to.AddDate(0, 0, 1))] = true
			}
		} else if d, err := time.Parse(time.DateOnly, one); err == nil {
			want[ISO(d)+" "+ISO(d.AddDate(0, 0, 1))] = true
		}
	}
	now, err := time.Parse("2006-01-02T15:04:05", c.Context.ReferenceDateTime)
	if err != nil {
		now = time.Date(2016, 11, 7, 0, 0, 0, 0, time.UTC)
	}
	return r.Text, now, want
}
