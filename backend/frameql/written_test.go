package frameql

import (
	"testing"

	"pgregory.net/rapid"
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
	for _, known := range []string{
		"SELECT AVG(PREV(freight) AT customers), revenue WHERE customers.country = 'France' DURING 1997 COMPARE TO TARGET planned",
		"SELECT AVG(PREV(freight) AT customers), revenue DURING 1997 COMPARE TO TARGET freight",
	} {
		q, err := Parse(known)
		if err != nil {
			t.Fatal(err)
		}
		see(t.Errorf, q)
	}
	if uncomputed == 0 {
		t.Error("nothing was refused that cannot be computed: the test sees nothing any more")
	}
	check(t, 200, func(rt *rapid.T) { see(rt.Fatalf, drawShopQuery(rt)) })
}
