//go:build cgo

package reuse_test

import (
	"math/rand"
	"strings"
	"testing"
	"time"

	"assay/backend/reuse"
)

// TestChunks: the parts of a branch, one after the other, are the branch.
func TestChunks(t *testing.T) {
	w := world{rand.New(rand.NewSource(9))}
	b := newBench(t)
	for _, statement := range w.rows("_v1") {
		b.exec(statement)
	}
	apart := 0
	for range 200 {
		branch, ok := reuse.Storable(w.branch())
		if !ok {
			t.Fatal("not storable")
		}
		if w.chance(.7) {
			branch.From, branch.To = time.Time{}, time.Time{}
		}
		parts := reuse.Chunks(branch, date("2023-01-01"), date("2024-12-31"), 1+w.Intn(9))
		var all []string
		for _, p := range parts {
			all = append(all, "("+branchSQL(p, "_v1")+")")
		}
		if len(parts) > 1 {
			apart++
		}
		if n := b.differ(branchSQL(branch, "_v1"), "SELECT * FROM ("+strings.Join(all, " UNION ALL ")+")"); n != 0 {
			t.Fatalf("%d rows differ in %d parts of\n%s\n%s", n, len(parts), branchSQL(branch, "_v1"), strings.Join(all, "\n"))
		}
	}
	if apart < 20 {
		t.Errorf("only %d branches were taken apart", apart)
	}
}

// TestFiner: what is kept after a question answers the question, and more of it first.
func TestFiner(t *testing.T) {
	w := world{rand.New(rand.NewSource(4))}
	b := newBench(t)
	for _, statement := range w.rows("_v1") {
		b.exec(statement)
	}
	served := map[int]int{}
	for range 150 {
		asked := w.branch()
		for i, candidate := range reuse.Finer(asked) {
			frame := b.frame(candidate, "_v1")
			got, _ := reuse.NewIndex(frame).Match(asked, facts("_v1"))
			if got == nil {
				continue
			}
			served[i]++
			if n := b.differ(branchSQL(asked, "_v1"), servedSQL(asked, got, "_v1")); n != 0 {
				t.Fatalf("%d rows differ", n)
			}
		}
	}
	if served[0] < 75 {
		t.Errorf("by candidate: %v", served)
	}
}
