package frameql_test

import (
	"testing"
	"time"

	. "assay/backend/frameql"
)

func TestCalendarOfWeeks(t *testing.T) {
	for text, want := range map[string]string{
		"FY1996": "1996-01-01 1997-01-06", "FY1997-Q1": "1997-01-06 1997-04-07", "FY1997-Q4": "1997-10-06 1998-01-05",
		"THIS FISCAL_WEEK": "1998-05-04 1998-05-11", "LAST 2 FISCAL_QUARTER": "1997-10-06 1998-04-06", "PREVIOUS FISCAL_YEAR": "1997-01-06 1998-01-05",
		"FY1999": "INVALID_PERIOD", "LAST 9 FISCAL_YEAR": "INVALID_PERIOD", "LAST 1 FISCAL_PERIOD": "CALENDAR_UNDEFINED", "LAST 1 SPRINT": "CALENDAR_UNDEFINED",
	} {
		p, err := ParsePeriod(text)
		if err != nil {
			t.Fatal(err)
		}
		use, refused := ResolvePeriod(p, retail().Now, retail().Model)
		got := ""
		if refused != nil {
			got = refused.Code
		} else {
			got = use.From.Format(time.DateOnly) + " " + use.To.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
