package store

import (
	"fmt"
	"testing"

	"assay/backend/reuse"
)

// TestEviction: the least worth goes first, by what it saves for its size; what answered a moment ago stays; what
// other definitions made goes; and what was popular once ages.
func TestEviction(t *testing.T) {
	make := func(id string, bytes int64, saves float64, hits int64) *heldFrame {
		return &heldFrame{Frame: reuse.Frame{ID: id, Bytes: bytes}, saves: saves, hits: hits}
	}
	fill := func(f *Frames, all ...*heldFrame) {
		for _, h := range all {
			h.worth = f.worth(h)
			f.held[h.ID] = h
		}
	}
	newCache := func() *Frames {
		return &Frames{opt: FramesOptions{Budget: 100 << 20, Most: 4}, held: map[string]*heldFrame{}}
	}
	f := newCache()
	fill(f, make("slow", 40<<20, 1000, 3), make("small", 1<<20, 50, 2), make("fat", 50<<20, 60, 1))
	if !f.makeRoom(make("new", 20<<20, 500, 1)) || f.held["fat"] != nil || f.held["slow"] == nil || f.held["small"] == nil {
		t.Errorf("held %v", sortedKeys(f.held))
	}
	if f.level <= 0 {
		t.Error("the level did not rise")
	}
	f = newCache()
	recent := make("fat", 90<<20, 1, 1)
	recent.turn, f.turn = 7, 7+recently-1
	fill(f, recent)
	if f.makeRoom(make("new", 20<<20, 500, 1)) || f.held["fat"] == nil {
		t.Error("a frame went that the conversation uses")
	}
	f.turn++
	if !f.makeRoom(make("new", 20<<20, 500, 1)) || f.held["fat"] != nil {
		t.Error("a frame stays for ever")
	}
	f = newCache()
	stale := make("stale", 90<<20, 1e6, 100)
	stale.Model, stale.turn = "of yesterday", f.turn
	fill(f, stale)
	wished := make("wished", 20<<20, 1, 1)
	wished.wished, wished.alone = true, true
	if !f.makeRoom(wished) || f.held["stale"] != nil || f.level != 0 {
		t.Error("a frame of other definitions keeps its place")
	}
	f = newCache()
	fill(f, make("useful", 90<<20, 1000, 9))
	if f.makeRoom(make("new", 20<<20, 1, 1)) || f.held["useful"] == nil {
		t.Error("a useful frame went for a useless one")
	}
	if f.makeRoom(make("huge", 200<<20, 1e9, 9)) {
		t.Error("a frame larger than the budget fits")
	}
	wished.saves = 1e6
	if f.makeRoom(wished) {
		t.Error("a frame that nobody asked for drives another out")
	}
	f = newCache()
	fill(f, make("a", 1<<20, 1, 1), make("b", 1<<20, 2, 1), make("c", 1<<20, 3, 1), make("d", 1<<20, 4, 1))
	if !f.makeRoom(make("e", 1<<20, 10, 1)) || len(f.held) != 3 || f.held["a"] != nil {
		t.Errorf("too many files: %v", sortedKeys(f.held))
	}
	old := make("once popular", 90<<20, 100, 40)
	f = newCache()
	fill(f, old)
	for i := range 200 {
		fresh := make(fmt.Sprint(i), 60<<20, 100, 30)
		f.level += 5 // as other evictions do
		if f.makeRoom(fresh) {
			break
		}
		if i == 199 {
			t.Error("it never ages")
		}
	}
}
