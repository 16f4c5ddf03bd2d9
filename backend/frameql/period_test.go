package frameql_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

func TestPeriods(t *testing.T) {
	now := time.Date(2026, 3, 31, 23, 30, 0, 0, time.FixedZone("west", -5*3600)) // a Tuesday; the clock's own day counts
	m := &semantic.Model{Calendars: []semantic.Calendar{{Name: "fy", StartMonth: 4, LabelYear: "start"}}}
	for _, c := range []struct{ text, from, to, grain string }{
		{"TODAY", "2026-03-31", "2026-04-01", "day"},
		{"YESTERDAY", "2026-03-30", "2026-03-31", "day"},
		{"YTD", "2026-01-01", "2026-04-01", "year"},
		{"QTD", "2026-01-01", "2026-04-01", "quarter"},
		{"MTD", "2026-03-01", "2026-04-01", "month"},
		{"WTD", "2026-03-30", "2026-04-01", "week"},
		{"ALL TIME", "", "", ""},
		{"2024", "2024-01-01", "2025-01-01", "year"},
		{"2024-Q4", "2024-10-01", "2025-01-01", "quarter"},
		{"2024-02", "2024-02-01", "2024-03-01", "month"},
		{"2024-02-29", "2024-02-29", "2024-03-01", "day"},
		{"FY2025", "2025-04-01", "2026-04-01", "fiscal_year"},
		{"FY2025-Q4", "2026-01-01", "2026-04-01", "fiscal_quarter"},
		{"LAST 3 MONTH", "2025-12-01", "2026-03-01", "month"},
		{"LAST 3 MONTH INCLUDING CURRENT", "2026-01-01", "2026-04-01", "month"},
		{"LAST 7 DAY", "2026-03-24", "2026-03-31", "day"},
		{"LAST 2 WEEK", "2026-03-16", "2026-03-30", "week"},
		{"LAST 1 FISCAL_YEAR", "2024-04-01", "2025-04-01", "fiscal_year"},
		{"THIS WEEK", "2026-03-30", "2026-04-06", "week"},
		{"THIS FISCAL_QUARTER", "2026-01-01", "2026-04-01", "fiscal_quarter"},
		{"THIS YEAR TO DATE", "2026-01-01", "2026-04-01", "year"},
		{"PREVIOUS QUARTER", "2025-10-01", "2026-01-01", "quarter"},
		{"PREVIOUS FISCAL_YEAR", "2024-04-01", "2025-04-01", "fiscal_year"},
		{"FROM 2025-01-31 TO 2025-02-28", "2025-01-31", "2025-02-28", "day"},
		{"FROM 2025-01-31", "2025-01-31", "", "day"},
		{"BETWEEN 2025-01-31 AND 2025-02-28", "2025-01-31", "2025-03-01", "day"},
	} {
		p, err := ParsePeriod(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		use, refused := ResolvePeriod(p, now, m)
		if refused != nil {
			t.Errorf("%s: %s", c.text, refused.Message)
			continue
		}
		day := func(t time.Time) string {
			if t.IsZero() {
				return ""
			}
			return t.Format(time.DateOnly)
		}
		if day(use.From) != c.from || day(use.To) != c.to || use.Grain != c.grain || use.Label != c.text {
			t.Errorf("%s: %s to %s by %s, label %s", c.text, day(use.From), day(use.To), use.Grain, use.Label)
		}
		relative := !strings.ContainsAny(c.text[:1], "2BF") && c.text != "ALL TIME"
		if use.Relative != relative {
			t.Errorf("%s: relative %v", c.text, use.Relative)
		}
		if (use.Calendar == "fy") != strings.Contains(c.grain, "fiscal") {
			t.Errorf("%s: calendar %q", c.text, use.Calendar)
		}
		if grain := use.Grain; grain != "" && grain != "week" && c.text == "2024-Q4" || strings.HasPrefix(c.text, "FY") {
			if label := PeriodLabel(use.From, grain, m); label != c.text {
				t.Errorf("%s is labelled %s", c.text, label)
			}
		}
	}
	for text, code := range map[string]string{
		"FY2025": "CALENDAR_UNDEFINED", "LAST 2 FISCAL_QUARTER": "CALENDAR_UNDEFINED", "LAST 2 sprint": "CALENDAR_UNDEFINED",
		"FROM 2025-02-01 TO 2025-02-01": "INVALID_PERIOD", "LAST 90000 YEAR": "INVALID_PERIOD", "LAST 900000000 DAY": "INVALID_PERIOD",
		"9999": "INVALID_PERIOD", "0001": "INVALID_PERIOD", "FROM 0001-01-01": "INVALID_PERIOD", // an end or a start that is none
	} {
		p, err := ParsePeriod(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, refused := ResolvePeriod(p, now, nil); refused == nil || refused.Code != code || strings.Contains(refused.Message, "[") {
			t.Errorf("%s: %+v", text, refused)
		}
	}
}

// TestUnitsTile: units follow each other without a gap, and a name leads back to its unit.
func TestUnitsTile(t *testing.T) {
	check(t, 500, func(t *rapid.T) {
		m := &semantic.Model{Calendars: []semantic.Calendar{{
			Name: "f", StartMonth: rapid.IntRange(1, 12).Draw(t, "start"),
			LabelYear: rapid.SampledFrom([]string{"start", "end"}).Draw(t, "label"),
		}}}
		now := time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 20_000).Draw(t, "day"))
		unit := rapid.SampledFrom([]string{"day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year"}).Draw(t, "unit")
		this, _ := ResolvePeriod(Period{Kind: "this", Unit: unit}, now, m)
		before, _ := ResolvePeriod(Period{Kind: "previous", Unit: unit}, now, m)
		three, _ := ResolvePeriod(Period{Kind: "last", N: 3, Unit: unit, Incl: true}, now, m)
		if now.Before(this.From) || !now.Before(this.To) || !before.To.Equal(this.From) || !three.To.Equal(this.To) || !three.From.Before(before.From) {
			t.Fatalf("%s around %s: %v %v %v", unit, now, before, this, three)
		}
		label := PeriodLabel(this.From, unit, m)
		if unit == "week" {
			return
		}
		p, err := ParsePeriod(label)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := ResolvePeriod(p, now, m); !again.From.Equal(this.From) || !again.To.Equal(this.To) {
			t.Fatalf("%s is %v, not %v", label, again, this)
		}
	})
}
