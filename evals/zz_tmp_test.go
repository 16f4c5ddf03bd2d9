package evals_test

import (
	"context"
	"testing"

	"assay/backend/analyst"
)

func TestZZ(t *testing.T) {
	project := mfProject(t)
	dir := newWorkspace(t, shared(t, "bench", "db", "metricflow", "simple_model.sqlite"))
	importModel(t, project, dir)
	w := openDir(t, dir)
	for _, q := range []string{
		"SELECT year, bookings_month_start_compared_to_1_month_prior AT (year) DURING FROM 2000-01-01 TO 2041-01-01",
		"SELECT week, month, revenue_all_time AT (week, month) DURING FROM 2020-03-25 TO 2020-04-20",
		"SELECT week, month, bookings AT (week, month) DURING FROM 2020-01-01 TO 2020-02-05 COMPARE TO PREVIOUS YEAR",
		"SELECT week, month, CUMULATIVE(bookings) AT (week, month) DURING FROM 2020-01-01 TO 2020-02-05",
		"SELECT week, month, bookings_month_start_compared_to_1_month_prior AT (week, month) TOTALS",
		"SELECT year, bookings_growth_2_weeks AT year",
		"SELECT day, bookings_growth_since_start_of_month AT day LIMIT 5",
		"SELECT listings AT () WHERE (bookings AT listings_latest.listing) > 2",
		"SELECT listings AT () WHERE (bookings AT listings_latest.listing) IN (2, 3)",
		"SELECT listings AT () WHERE (bookings AT listings_latest.listing) IS NULL",
		"SELECT listings AT () WHERE (bookings AT listings_latest.listing) LIKE 'a'",
		"SELECT listings AT () WHERE (bookings AT listings_latest.listing) > (bookings AT ())",
		"SELECT listings FILTER (WHERE (bookings AT listings_latest.listing) > 2) AT ()",
	} {
		a, err := w.Ask(context.Background(), analyst.Request{FrameQL: q, MaxRows: 1000}, nil)
		t.Log(q, err)
		if a != nil && a.Refusal != nil {
			t.Log(a.Refusal.Code, a.Refusal.Message)
		}
		if a != nil && a.Frame != nil {
			for i, r := range a.Frame.Rows {
				if i < 12 {
					t.Log(r)
				}
			}
		}
	}
}
