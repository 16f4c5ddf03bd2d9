package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func init() {
	// keep opens the cache, says whether it is its own, and waits to be killed.
	children["keep"] = func(args []string) error {
		s, err := Open(context.Background(), Options{Dir: args[0]})
		if err != nil {
			return err
		}
		f := s.OpenFrames(FramesOptions{Dir: args[1]})
		fmt.Println("owner", f.Stats().Owner)
		select {}
	}
	// frames makes frames for ever, forgets them, and says how many it has made.
	children["frames"] = func(args []string) error {
		s, err := Open(context.Background(), Options{Dir: args[0]})
		if err != nil {
			return err
		}
		f := s.OpenFrames(FramesOptions{Dir: args[1], Quiet: time.Nanosecond, Saves: time.Nanosecond})
		if !f.Stats().Owner {
			return errors.New("the cache is not ours")
		}
		for i := 0; ; i++ {
			f.Reader("m"+strconv.Itoa(1+i%5), "").Observe(sales("", ""), time.Second, 0)
			if err := f.Settle(context.Background()); err != nil {
				return err
			}
			fmt.Println("made", f.Stats().Frames)
			if i%7 == 6 {
				f.Clear()
			}
		}
	}
}

// TestOneOwner: a second process works without a cache and says so, and takes it over when the first is gone.
func TestOneOwner(t *testing.T) {
	dir, frames := t.TempDir(), filepath.Join(t.TempDir(), "frames")
	s := open(t, dir)
	mustImport(t, s, salesCSV(t, t.TempDir(), 20000, 1))
	c := start(t, "keep", dir, frames)
	c.expect(t, "owner true")
	f := cache(t, s, frames)
	ok, reason := answers(t, s, f, sales("", ""))
	if st := f.Stats(); ok || st.Owner || reason != "Another Assay process holds the frame cache of this workspace, so this one works without it." || st.Note != reason {
		t.Errorf("answered %v: %s; %+v", ok, reason, st)
	}
	observed(t, f, sales("", ""))
	c.kill(t)
	observed(t, f, sales("", ""))
	if ok, reason := answers(t, s, f, sales("", "")); !ok {
		t.Errorf("it is not taken over: %s", reason)
	}
}

// TestKilledFrames kills a process that makes frames at random moments: the next one finds whole frames or none, and
// answers from them what the base answers. ASSAY_KILL_ROUNDS sets the number of rounds.
func TestKilledFrames(t *testing.T) {
	count := 6
	if n, err := strconv.Atoi(os.Getenv("ASSAY_KILL_ROUNDS")); err == nil {
		count = n
	}
	random := rand.New(rand.NewSource(11))
	dir, frames := t.TempDir(), filepath.Join(t.TempDir(), "frames")
	s := open(t, dir)
	mustImport(t, s, salesCSV(t, t.TempDir(), 20000, 1))
	found := 0
	for round := range count {
		c := start(t, "frames", dir, frames)
		for range 1 + random.Intn(6) {
			if line, ok := c.line(); !ok {
				t.Fatalf("round %d: the process ended by itself: %s", round, line)
			}
		}
		<-time.After(time.Duration(random.Intn(60)) * time.Millisecond)
		c.kill(t)
		f := cache(t, s, frames)
		if !f.Stats().Owner {
			t.Fatalf("round %d: the lock of a dead process holds", round)
		}
		settle(t, f)
		entries, _ := os.ReadDir(frames)
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), tempPrefix) {
				t.Errorf("round %d: left behind %s", round, e.Name())
			}
		}
		if ok, _ := answers(t, s, f, sales("2022-02-01", "2023-02-01")); ok {
			found++
		}
		f.Close()
	}
	t.Logf("%d of %d rounds found a frame", found, count)
}
