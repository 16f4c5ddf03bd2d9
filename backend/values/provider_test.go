package values

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var region = Column{"sales", "region"}

// source is a column whose reading a test holds back and lets go.
type source struct {
	mu     sync.Mutex
	now    time.Time
	values []string
	err    error
	reads  int
	gate   chan struct{} // a reading takes one from it; nil: none waits
}

func (s *source) load(ctx context.Context, _ Column, most int) ([]string, bool, error) {
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	return slices.Clone(s.values[:min(len(s.values), most)]), len(s.values) > most, s.err
}

func (s *source) provider(t *testing.T, log *strings.Builder) *AllowedValuesProvider {
	p := New(Options{
		Load: s.load, TTL: time.Minute, Most: 3, Warn: slog.New(slog.NewTextHandler(log, nil)),
		Now: func() time.Time { s.mu.Lock(); defer s.mu.Unlock(); return s.now },
	})
	t.Cleanup(p.Close)
	return p
}

func (s *source) later(d time.Duration, values ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
	if values != nil {
		s.values = values
	}
}

// settle waits until nothing is being read.
func settle(p *AllowedValuesProvider) { p.readers.Wait() }

func said(l List) string { return fmt.Sprint(l.State, " ", strings.Join(l.Values, " ")) }

func TestAListIsReadOnceAndAgainWhenItIsOld(t *testing.T) {
	s := &source{now: time.Unix(1000, 0), values: []string{"West", "East"}}
	p := s.provider(t, &strings.Builder{})
	steps := []struct {
		pass time.Duration
		data []string
		want string
	}{
		{0, nil, "loading "},
		{0, nil, "fresh East West"},
		{59 * time.Second, []string{"North"}, "fresh East West"},
		{time.Second, nil, "stale East West"}, // and is read again meanwhile
		{0, nil, "fresh North"},
	}
	for i, step := range steps {
		s.later(step.pass, step.data...)
		if got := said(p.Values(region)); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
		settle(p)
	}
	if s.reads != 2 {
		t.Errorf("read %d times", s.reads)
	}
}

func TestNobodyWaitsForASlowSource(t *testing.T) {
	s := &source{now: time.Unix(1000, 0), values: []string{"West"}, gate: make(chan struct{})}
	p := s.provider(t, &strings.Builder{})
	for range 5 {
		if l := p.Values(region); l.State != Loading || l.Exact() {
			t.Errorf("%+v", l)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if l := p.Await(stopped, region); l.State != Loading {
		t.Errorf("%+v", l)
	}
	done := make(chan List)
	go func() { done <- p.Await(context.Background(), region) }()
	s.gate <- struct{}{}
	if l := <-done; said(l) != "fresh West" {
		t.Errorf("%+v", l)
	}
	settle(p)
	if s.reads != 1 {
		t.Errorf("read %d times at once", s.reads)
	}
}

func TestTooManyValuesGiveNoList(t *testing.T) {
	log := &strings.Builder{}
	s := &source{now: time.Unix(1000, 0), values: []string{"a", "b", "c", "d"}}
	p := s.provider(t, log)
	p.Warm([]Column{region})
	settle(p)
	if l := p.Values(region); l.State != Capped || l.Values != nil || l.Exact() {
		t.Errorf("%+v", l)
	}
	if !strings.Contains(log.String(), "too many values") {
		t.Errorf("log %q", log)
	}
	s.later(2*time.Minute, "a", "b", "c")
	p.Values(region)
	settle(p)
	if got := said(p.Values(region)); got != "fresh a b c" {
		t.Errorf("after it shrank: %s", got)
	}
}

func TestASourceThatCannotBeReached(t *testing.T) {
	log := &strings.Builder{}
	s := &source{now: time.Unix(1000, 0), values: []string{"West"}, err: errors.New("no route")}
	p := s.provider(t, log)
	p.Values(region)
	settle(p)
	if got := said(p.Values(region)); got != "failed " { // and the next request tried again
		t.Errorf("%s", got)
	}
	settle(p)
	if s.reads != 2 || !strings.Contains(log.String(), "no route") {
		t.Errorf("read %d times, log %q", s.reads, log)
	}
	s.mu.Lock()
	s.err = nil
	s.mu.Unlock()
	p.Values(region)
	settle(p)
	if got := said(p.Values(region)); got != "fresh West" {
		t.Errorf("%s", got)
	}
	s.mu.Lock()
	s.err = errors.New("gone again")
	s.mu.Unlock()
	s.later(time.Hour)
	for range 2 { // the old list is better than none
		if got := said(p.Values(region)); got != "stale West" {
			t.Errorf("%s", got)
		}
		settle(p)
	}
}

func TestOtherDataAndTheEnd(t *testing.T) {
	s := &source{now: time.Unix(1000, 0), values: []string{"West"}}
	p := s.provider(t, &strings.Builder{})
	p.Await(t.Context(), region)
	p.Forget()
	if l := p.Values(region); l.State != Loading {
		t.Errorf("%+v", l)
	}
	p.Close()
	p.Forget()
	if l := p.Await(t.Context(), region); l.State != Loading {
		t.Errorf("after the end: %+v", l)
	}
}
