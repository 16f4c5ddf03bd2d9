package store

import (
	"cmp"
	"context"
	"time"

	"assay/backend/compile"
	"assay/backend/reuse"
)

// want is a branch that was asked for.
type want struct {
	reader Reader
	branch compile.Branch
	rows   int64   // that it gave; 0: not known
	times  int64   // how often it was asked
	saves  float64 // milliseconds each time
	warm   bool    // asked for by the model or a person alone, not by a question
	wished bool    // asked for by the model or a person, whatever questions ask
	at     int64   // times when other frames were worth more; 0: it was not tried
}

// want notes that a branch was asked for.
func (f *Frames) want(r Reader, b compile.Branch, took time.Duration, rows int64, warm bool) {
	identity, ok := r.identity(b)
	if !ok {
		return
	}
	f.s.mu.RLock()
	now := f.s.stamp
	f.s.mu.RUnlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.tried != now {
		f.tried, f.refused, f.declined = now, map[string]error{}, map[string]*want{}
	}
	f.own() // the process that had the cache may be gone
	if f.lock == nil || f.closed || f.refused[identity] != nil || f.holds(identity) || f.givenUp(identity) {
		return
	}
	w := cmp.Or(f.wanted[identity], f.declined[identity])
	if w == nil {
		w = &want{branch: b, warm: true}
	}
	w.reader, w.rows = r, max(w.rows, rows)
	w.times++
	w.saves = max(w.saves, float64(took)/float64(time.Millisecond)-frameMS)
	w.warm, w.wished = w.warm && warm, w.wished || warm
	if w.times < 2*w.at { // it has to be asked twice as often first
		return
	}
	delete(f.declined, identity)
	f.wanted[identity] = w
	f.signal()
}

// identity names what a frame of a branch would be.
func (r Reader) identity(b compile.Branch) (string, bool) {
	s, ok := reuse.Storable(b)
	if !ok {
		return "", false
	}
	return reuse.Identity(s) + "\nunder " + r.model + " " + r.policy, true
}

// holds says whether there is a frame of that identity. The caller holds mu.
func (f *Frames) holds(identity string) bool {
	for _, h := range f.held {
		if h.identity == identity {
			return true
		}
	}
	return false
}

// next gives what is wanted most, as it is wanted now.
func (f *Frames) next() (identity string, as *want) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var w *want
	for _, id := range sortedKeys(f.wanted) {
		x := f.wanted[id]
		if w == nil || x.saves*float64(x.times) > w.saves*float64(w.times) {
			identity, w = id, x
		}
	}
	f.building = identity
	if w == nil {
		return "", nil
	}
	now := *w // questions go on counting while it is made
	return identity, &now
}

// Settle waits until everything that is wanted was made or refused.
func (f *Frames) Settle(ctx context.Context) error {
	f.mu.Lock()
	waiting := make(chan struct{})
	f.waiting = append(f.waiting, waiting)
	f.mu.Unlock()
	f.signal()
	select {
	case <-waiting:
		return nil
	case <-ctx.Done():
		return canceled(ctx, "settle frames")
	case <-f.ended.Done():
		return closedFault()
	}
}

func (f *Frames) settle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.wanted) > 0 && f.lock != nil {
		f.signal()
		return
	}
	for _, w := range f.waiting {
		close(w)
	}
	f.waiting = nil
}
