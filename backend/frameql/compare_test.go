package frameql_test

import (
	"strings"
	"testing"
	"time"

	. "assay/backend/frameql"
)

// TestDataEndsEarly: a period that is over, and whose data ends before it, is said to be that and not "not over".
func TestDataEndsEarly(t *testing.T) {
	at := func(now string) Env {
		e := env()
		e.Now, _ = time.Parse(time.DateOnly, now)
		return e
	}
	for _, c := range []struct{ now, query, want string }{
		{"1999-03-01", "SELECT revenue DURING 1998 COMPARE TO SAME PERIOD LAST YEAR", "The data of 1998 ends on 1998-05-06: it is compared with the same 126 days, 1997-01-01 to 1997-05-06."},
		{"1998-05-06", "SELECT revenue DURING 1998 COMPARE TO SAME PERIOD LAST YEAR", "1998 is not over: it is compared with the same 126 days, 1997-01-01 to 1997-05-06."},
		{"1999-03-01", "SELECT revenue DURING 1998 COMPARE TO PREVIOUS YEAR OPTIONS (partial = 'error')", "The data has 126 of the 365 days of 1998, so it cannot be compared with a whole one."},
	} {
		q, err := Parse(c.query)
		if err != nil {
			t.Fatal(err)
		}
		plan, refusals := Resolve(q, at(c.now))
		got := ""
		if plan != nil {
			got = strings.Join(plan.Assumptions, " ")
		}
		for _, r := range refusals {
			got += r.Message
		}
		if got != c.want {
			t.Errorf("%s at %s: %q, want %q", c.query, c.now, got, c.want)
		}
	}
}
