//go:build cgo

package frameql_test

import (
	"testing"

	. "assay/backend/frameql"
)

// TestGarbledAnswers runs the garbled queries that resolve: what stands besides a frame is about the same rows, and the second
// path, without rewrites, gives the same numbers.
func TestGarbledAnswers(t *testing.T) {
	db := openShop(t)
	g, _ := newGarbler(t)
	ran := 0
	for range int(setting("ASSAY_CASES", 2000)) {
		source := g.query()
		q, err := Parse(source)
		if err != nil {
			continue
		}
		if plan, _ := Resolve(q, env()); plan != nil {
			ran++
			besides(t, func(format string, args ...any) { t.Helper(); t.Errorf(source+": "+format, args...) }, db, plan)
		}
	}
	t.Logf("%d queries ran", ran)
}
