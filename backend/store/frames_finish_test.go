package store

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/reuse"
	"assay/backend/semantic"
)

// brief is how the cache of a process is opened that answers and ends.
func brief(o *FramesOptions) {
	o.Brief, o.Opening, o.Parting, o.Wait = true, time.Nanosecond, time.Minute, time.Minute
}

// TestBriefProcess: a process that ends makes its frames in Finish and not before, and the next one answers from them at once.
func TestBriefProcess(t *testing.T) {
	dir, frames := t.TempDir(), filepath.Join(t.TempDir(), "frames")
	s := open(t, dir)
	mustImport(t, s, salesCSV(t, t.TempDir(), 20000, 1))
	f := cache(t, s, frames, brief)
	f.Reader("m1", "").Observe(sales("", ""), time.Second, 0)
	if ok, reason := answers(t, s, f, sales("", "")); ok || !strings.Contains(reason, "No frame") || f.Stats().Wanted != 1 {
		t.Errorf("before it ends: %v, %s, %+v", ok, reason, f.Stats())
	}
	f.Finish(t.Context())
	s.Close()
	only(t, frames)

	s = open(t, dir)
	f = cache(t, s, frames, brief)
	if ok, reason := answers(t, s, f, sales("2023-02-01", "2023-03-01")); !ok {
		t.Error(reason)
	}
	s.Close()
	s = open(t, dir)
	f = cache(t, s, frames, brief, func(o *FramesOptions) { o.Opening = time.Hour })
	if ok, reason := answers(t, s, f, sales("", "")); ok || !strings.Contains(reason, "Reading the table takes less time") {
		t.Errorf("it opens what saves little: %v, %s", ok, reason)
	}
	if h := f.held[f.Stats().Details[0].ID]; h.hits != 2 {
		t.Errorf("it answered once before, and was asked for once: %d", h.hits)
	}
	f.Reader("m1", "").Observe(sales("", ""), time.Minute, 0)
	if n := f.Stats().Wanted; n != 0 {
		t.Errorf("%d wanted for what takes no time", n)
	}
}

// TestWishedAndAsked: what the model wishes for is opened whatever it saves, also when a question asked for it as well.
func TestWishedAndAsked(t *testing.T) {
	dir, frames := t.TempDir(), filepath.Join(t.TempDir(), "frames")
	s := open(t, dir)
	mustImport(t, s, salesCSV(t, t.TempDir(), 20000, 1))
	f := cache(t, s, frames, brief)
	r := f.Reader("m1", "")
	r.Observe(sales("", ""), time.Second, 0)
	r.Warm([]compile.Branch{sales("", "")})
	f.Finish(t.Context())
	s.Close()

	s = open(t, dir)
	f = cache(t, s, frames, brief, func(o *FramesOptions) { o.Opening = time.Hour })
	if ok, reason := answers(t, s, f, sales("", "")); !ok {
		t.Error(reason)
	}
}

// TestFrameNotWorthOpening: a smaller frame that is not worth opening does not stand before a wished one that answers as well.
func TestFrameNotWorthOpening(t *testing.T) {
	dir, frames := t.TempDir(), filepath.Join(t.TempDir(), "frames")
	s := open(t, dir)
	mustImport(t, s, salesCSV(t, t.TempDir(), 20000, 1))
	coarse := sales("", "")
	coarse.Keys = coarse.Keys[:1]
	f := cache(t, s, frames, brief)
	r := f.Reader("m1", "")
	r.Warm([]compile.Branch{coarse})
	f.Finish(t.Context())
	f.mu.Lock()
	for _, h := range f.held { // as if somebody asked once, and it saved little
		h.wished, h.alone, h.saves = false, false, 1
	}
	f.mu.Unlock()
	r.Warm([]compile.Branch{sales("", "")})
	f.Finish(t.Context())
	f.mu.Lock()
	f.opt.Opening = time.Hour
	f.mu.Unlock()
	if ok, reason := answers(t, s, f, coarse); !ok {
		t.Error(reason)
	}
}

// TestGivenUp: a frame that takes too long is given up and noted; a brief process does not begin it again over the same data,
// and one that goes on does.
func TestGivenUp(t *testing.T) {
	dir, frames := t.TempDir(), filepath.Join(t.TempDir(), "frames")
	s := open(t, dir)
	folder := t.TempDir()
	mustImport(t, s, salesCSV(t, folder, 20000, 1))
	again := func(change ...func(*FramesOptions)) *Frames {
		s.Close()
		s = open(t, dir)
		f := cache(t, s, frames, change...)
		f.Reader("m1", "").Observe(sales("", ""), time.Second, 0)
		return f
	}
	f := again(brief, func(o *FramesOptions) { o.Parting = 500 * time.Millisecond })
	answered := s.foreground() // in whose way nothing is made
	f.Finish(t.Context())
	answered()
	s.Close()
	if notes, _ := filepath.Glob(filepath.Join(frames, laterPrefix+"*")); len(notes) != 1 {
		t.Fatalf("notes %v", notes)
	}
	if begun, _ := filepath.Glob(filepath.Join(frames, tempPrefix+"*")); len(begun) != 0 {
		t.Errorf("left behind %v", begun)
	}
	if f = again(brief); f.Stats().Wanted != 0 {
		t.Error("it begins again what was given up")
	}
	mustImport(t, s, salesCSV(t, folder, 20000, 3))
	if f = again(brief); f.Stats().Wanted != 1 {
		t.Error("other data is not tried")
	}
	if settled := f.awaited(); len(settled) != 0 {
		t.Errorf("notes about other data stay: %v", settled)
	}
	f = again()
	settle(t, f)
	if ok, reason := answers(t, s, f, sales("", "")); !ok {
		t.Error(reason)
	}
}

// awaited gives the notes once the folder was read.
func (f *Frames) awaited() []string {
	<-f.adopted
	notes, _ := filepath.Glob(filepath.Join(f.opt.Dir, laterPrefix+"*"))
	return notes
}

// TestMaterialize: frames are made on purpose, each once, and what is not kept says why.
func TestMaterialize(t *testing.T) {
	dir, frames := t.TempDir(), filepath.Join(t.TempDir(), "frames")
	s := open(t, dir)
	mustImport(t, s, salesCSV(t, t.TempDir(), 20000, 1))
	f := cache(t, s, frames, brief, func(o *FramesOptions) { o.Opening = time.Hour })
	r := f.Reader("m1", "")
	large := sales("", "")
	large.Keys = append(slices.Clone(large.Keys), compile.BranchKey{Expr: column("id", semantic.Integer), Name: "id"})
	kept, err := r.Materialize(t.Context(), []compile.Branch{sales("", ""), large})
	if err != nil || len(kept) != 2 {
		t.Fatal(kept, err)
	}
	if k := kept[0]; k.Frame == "" || k.Rows == 0 || k.Bytes == 0 {
		t.Errorf("not kept: %+v", k)
	}
	if k := kept[1]; k.Frame != "" || !strings.Contains(k.Why, "nearly as large") {
		t.Errorf("kept: %+v", k)
	}
	if again, err := r.Materialize(t.Context(), []compile.Branch{sales("", "")}); err != nil || again[0].Frame != kept[0].Frame {
		t.Errorf("made twice: %+v, %v", again, err)
	}
	if ok, reason := answers(t, s, f, sales("", "")); !ok {
		t.Errorf("what was asked for by name is not opened: %s", reason)
	}
	other := cache(t, open(t, dir), frames)
	if _, err := other.Reader("m1", "").Materialize(t.Context(), nil); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("the cache of another: %v", err)
	}
	other.Close()
}

// TestCarriedLevels: a frame holds what its keys determine, in as many rows, and answers by it.
func TestCarriedLevels(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, salesCSV(t, t.TempDir(), 20000, 1))
	f := cache(t, s, filepath.Join(t.TempDir(), "frames"))
	r := f.Reader("m1", "").Climbing(func(entity, name string) []*compile.Scalar {
		if entity == "sales" && name == "region" { // which it does not in truth: then there are more rows, and they are right
			return []*compile.Scalar{column("product", semantic.Text)}
		}
		return nil
	})
	r.Observe(sales("", ""), time.Second, 0)
	settle(t, f)
	by := sales("", "")
	by.Keys = []compile.BranchKey{{Expr: column("product", semantic.Text), Name: "product"}}
	for name, b := range map[string]compile.Branch{"finer": sales("", ""), "carried": by} {
		if ok, reason := answers(t, s, f, b); !ok {
			t.Errorf("%s: %s", name, reason)
		}
	}
	if n := len(f.Stats().Details); n != 1 {
		t.Errorf("%d frames", n)
	}
}

// TestDeclinedIsAskedMore: what others were worth more than is tried again when it was asked twice as often.
func TestDeclinedIsAskedMore(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, salesCSV(t, t.TempDir(), 20000, 1))
	f := cache(t, s, filepath.Join(t.TempDir(), "frames"), func(o *FramesOptions) { o.Most = 1 })
	first, second := sales("", ""), sales("", "")
	second.Keys = []compile.BranchKey{{Expr: column("customer", semantic.Integer), Name: "customer"}}
	f.Reader("m1", "").Observe(first, time.Second, 0)
	settle(t, f)
	asks := func(times int) (frames string) {
		for range times {
			f.Reader("m1", "").Observe(second, 600*time.Millisecond, 0)
			settle(t, f)
		}
		for _, d := range f.Stats().Details {
			frames += reuse.Identity(f.held[d.ID].Branch)
		}
		return frames
	}
	if got := asks(1); !strings.Contains(got, "region") {
		t.Errorf("what is worth less drives another out: %s", got)
	}
	if got := asks(40); !strings.Contains(got, "customer") {
		t.Errorf("what is asked again and again has no place: %s", got)
	}
}
