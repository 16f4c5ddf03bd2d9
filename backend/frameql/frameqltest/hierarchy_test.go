//go:build cgo

package frameqltest_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/backend/frameql"
	. "assay/backend/frameql/frameqltest"
)

// TestHierarchiesAreDependencies: what hierarchies that hold determine gives the rows that the definitions give; one that was
// measured not to hold is refused with its counter-example.
func TestHierarchiesAreDependencies(t *testing.T) {
	e := openEngine(t)
	count := newTally()
	explained := 0
	check(t, cases(t)/2, func(t *rapid.T) {
		w := DrawWorld(t)
		text := DrawClimb(t, w)
		if text == "" {
			return
		}
		count.queries++
		q := parse(t, text)
		plan, refusals := frameql.Resolve(q, env(w))
		if plan == nil {
			count.refused[refusals[0].Code]++
			if strings.Contains(refusals[0].Message, "does not determine") {
				explained++
			}
			return
		}
		if e.isRight(t, w, w, text, q, plan, count) {
			count.compared++
		}
	})
	count.report(t)
	if t.Failed() || cases(t) < 1000 {
		return
	}
	if 100*count.compared < 40*count.queries || count.queries < cases(t)/10 {
		t.Errorf("only %d of %d queries were compared", count.compared, count.queries)
	}
	if explained == 0 {
		t.Error("no hierarchy was refused with a counter-example")
	}
}
