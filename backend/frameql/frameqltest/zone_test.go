//go:build cgo

package frameqltest_test

import (
	"testing"

	"pgregory.net/rapid"

	"assay/backend/frameql"
	. "assay/backend/frameql/frameqltest"
)

// TestAnswerElsewhereIsRight asks over worlds that lie in some time zone, whose facts have moments around midnight and around
// the hours in which clocks change, and whose entities are related many to many.
func TestAnswerElsewhereIsRight(t *testing.T) {
	e := openEngine(t)
	count := newTally()
	check(t, cases(t)/2, func(t *rapid.T) {
		w := DrawElsewhere(t)
		text := ""
		if rapid.Bool().Draw(t, "moment") {
			text = DrawMoment(t, w)
		}
		if text == "" {
			text = DrawQuery(t, w)
		}
		count.queries++
		q := parse(t, text)
		plan, refusals := frameql.Resolve(q, env(w))
		if plan == nil {
			count.refused[refusals[0].Code]++
			return
		}
		if e.isRight(t, w, w, text, q, plan, count) {
			count.note(text)
		}
	})
	count.report(t)
	if 100*count.compared < 50*count.queries {
		t.Errorf("only %d of %d queries were compared", count.compared, count.queries)
	}
}
