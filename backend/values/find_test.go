package values

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestBeginning looks a value up in the list where that is exact, and asks the source once where it is not.
func TestBeginning(t *testing.T) {
	s := &source{now: time.Unix(1000, 0), values: []string{"Ober", "Oslo", "Paris", "Rome"}}
	log := &strings.Builder{}
	asked := 0
	var fails error
	p := New(Options{
		Load: s.load, TTL: time.Minute, Most: 3, Warn: slog.New(slog.NewTextHandler(log, nil)),
		Now: func() time.Time { s.mu.Lock(); defer s.mu.Unlock(); return s.now },
		Find: func(context.Context, Column, string, int) ([]string, error) {
			asked++
			return []string{"Ober", "Oslo", "Rome"}, fails
		},
	})
	t.Cleanup(p.Close)
	look := func(begin string) string { return strings.Join(p.Beginning(t.Context(), region, begin, 2), " ") }
	p.Warm([]Column{region})
	settle(p)
	for range 2 { // four values are too many for a list
		if got := look("O"); got != "Ober Oslo" || asked != 1 {
			t.Errorf("%q after asking %d times", got, asked)
		}
	}
	s.later(2 * time.Minute)
	if got := look("o"); got != "Ober Oslo" || asked != 2 {
		t.Errorf("an old answer: %q after asking %d times", got, asked)
	}
	fails = errors.New("no route")
	if got := look("R"); got != "" || !strings.Contains(log.String(), "no route") {
		t.Errorf("a source that fails: %q, log %q", got, log)
	}
	s.later(0, "Oslo", "Rome")
	p.Values(region)
	settle(p)
	if got := look("r"); got != "Rome" || asked != 3 {
		t.Errorf("an exact list: %q after asking %d times", got, asked)
	}
}
