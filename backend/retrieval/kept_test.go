package retrieval

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestWhatIsTakenOutIsNotPutBack takes a record out, and its file away, while the store is written: what is written after it has the record no more.
func TestWhatIsTakenOutIsNotPutBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	s, _ := open(t, Options{Path: path, Records: desk})
	for n := range 300 {
		id := fmt.Sprint("passing", n)
		if err := s.Put(ctx, golden(id, "what passes by")); err != nil {
			t.Fatal(err)
		}
		var writing sync.WaitGroup
		writing.Go(func() {
			if err := s.Save(); err != nil {
				t.Error(err)
			}
		})
		for range n % 50 { // at another moment each time
			_ = s.Len()
		}
		if put, removed, err := s.Bring(ctx, nil, Golden, []string{id, "unknown"}); err != nil || put != 0 || removed != 1 {
			t.Fatal(put, removed, err)
		}
		_ = os.Remove(path)
		writing.Wait()
		if _, back := Load(BuiltIn(), path).owners[keyOf(Golden, id)]; back {
			t.Fatalf("the file has what was taken out, in round %d", n)
		}
	}
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	if n := Load(BuiltIn(), path).Len(); n != len(desk) {
		t.Errorf("%d are left of %d", n, len(desk))
	}
	left, err := filepath.Glob(path + ".new-*")
	if err != nil || len(left) != 0 {
		t.Errorf("%v lies beside, %v", left, err)
	}
}

// TestBringChangesWhatItNames: records that are the same cost nothing, others stay.
func TestBringChangesWhatItNames(t *testing.T) {
	s, _ := open(t, Options{Records: desk})
	put, removed, err := s.Bring(ctx, []Record{desk[0], golden("orders", "orders of each customer")}, Golden, []string{"freight"})
	if err != nil || put != 1 || removed != 1 || s.Len() != 2 {
		t.Fatal(put, removed, s.Len(), err)
	}
	if got := ids(nearest(t, s, Query{Kind: Golden, Question: "orders of each customer"}, 1)); got != "orders" {
		t.Error(got)
	}
}
