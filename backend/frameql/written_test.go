package frameql_test

import (
	"testing"

	"pgregory.net/rapid"

	. "assay/backend/frameql"
)

// What is drawn is planned and written, or refused; the repairs of a refusal can be computed themselves.
func TestWhatCannotBeComputedIsRefused(t *testing.T) {
	uncomputed := 0
	see := func(fail func(string, ...any), q *Query) {
		plan, st, refusals := Written(q, env(), DuckDB)
		switch {
		case plan != nil && (st.SQL == "" || len(refusals) > 0), plan == nil && len(refusals) == 0:
			fail("%s: %v %v", q, st, refusals)
		}
		for _, r := range refusals {
			if r.Code != Uncomputable {
				continue
			}
			uncomputed++
			if len(r.Repairs) == 0 {
				fail("%s: %s without a repair", q, r.Message)
			}
			for _, repair := range r.Repairs {
				if plan, _, refused := Written(repair.Query, env(), DuckDB); plan == nil || plan.Query.String() != repair.FrameQL {
					fail("%s: the repair %s is refused: %v", q, repair.FrameQL, refused)
				}
			}
		}
	}
	metrics := []string{"freight", "revenue", "orders_placed", "planned", "line_count"}
	for _, moved := range metrics { // one column of another time and grain, beside a target
		for _, beside := range metrics {
			for _, target := range metrics {
				q, err := Parse("SELECT AVG(PREV(" + moved + ") AT customers), " + beside + " WHERE customers.country = 'France' DURING 1997 COMPARE TO TARGET " + target)
				if err != nil {
					t.Fatal(err)
				}
				see(t.Fatalf, q)
			}
		}
	}
	if uncomputed == 0 {
		t.Fatal("nothing was refused that cannot be computed: the test sees nothing any more")
	}
	check(t, 200, func(rt *rapid.T) { see(rt.Fatalf, drawShopQuery(rt)) })
}
