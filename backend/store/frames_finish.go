package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/reuse"
	"assay/backend/text"
)

// laterPrefix begins the names of empty files, each of which says that a process gave up a frame when it ended.
const laterPrefix = "later-"

// Finish lets what is wanted be made before the process ends: at once, with all threads, and for no longer than Parting. What
// is not finished by then is given up: nothing of it stays but a note, so that the next brief process does not begin it in
// vain. A process that goes on makes its frames when nothing is asked, and needs no Finish.
func (f *Frames) Finish(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, f.opt.Parting)
	defer cancel()
	f.mu.Lock()
	f.hurry = true
	idle := len(f.wanted) == 0 || f.lock == nil
	f.mu.Unlock()
	if idle || f.Settle(ctx) == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.building != "" && errors.Is(ctx.Err(), context.DeadlineExceeded) && f.stillOwn() {
		_ = os.WriteFile(f.laterFile(f.building), nil, 0o600) // without it the next one tries again
	}
}

// givenUp says whether a brief process gave up a frame over the data of now, and this one is brief as well.
func (f *Frames) givenUp(identity string) bool {
	if !f.opt.Brief {
		return false
	}
	_, err := os.Stat(f.laterFile(identity))
	return err == nil
}

// laterFile is the note that a frame was given up over the data of now.
func (f *Frames) laterFile(identity string) string {
	of := sha256.Sum256([]byte(identity))
	return filepath.Join(f.opt.Dir, laterPrefix+f.s.dataMark()+"-"+hex.EncodeToString(of[:8]))
}

// dataMark is short and another one for other data.
func (s *Store) dataMark() string {
	epochs := s.Epochs()
	h := sha256.New()
	for _, table := range sortedKeys(epochs) {
		fmt.Fprintf(h, "%q %q\n", table, epochs[table])
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Kept says what became of a branch that was to be kept.
type Kept struct {
	Branch compile.Branch
	Frame  string // that answers it; empty: none
	Rows   int64
	Bytes  int64
	Why    string // why it is not kept, or from which frame it is answered: a sentence
}

// Materialize makes frames of branches now, and waits for them. Faults: Unavailable (the folder cannot be written), Conflict
// (another process has the cache), Canceled.
func (r Reader) Materialize(ctx context.Context, branches []compile.Branch) ([]Kept, error) {
	f := r.f
	f.mu.Lock()
	f.own()
	f.hurry = true
	owner, why := f.stillOwn(), f.why
	f.mu.Unlock()
	if !owner {
		code := fault.Unavailable
		if why == text.Say("store.frames_elsewhere") {
			code = fault.Conflict
		}
		return nil, fault.New(code, "materialize", why, "")
	}
	if err := f.Settle(ctx); err != nil { // what is on disk
		return nil, err
	}
	var missing []compile.Branch
	for _, b := range branches {
		if served, _ := r.Serve(b); served == nil {
			missing = append(missing, b)
		}
	}
	r.Warm(missing)
	if err := f.Settle(ctx); err != nil {
		return nil, err
	}
	var all []Kept
	for _, b := range branches {
		k := Kept{Branch: b}
		var served *compile.Served
		if served, k.Why = r.Serve(b); served != nil {
			k.Frame, k.Rows = served.Frame, served.Rows
		} else if reason := r.refusal(b); reason != "" {
			k.Why = reason
		}
		f.mu.Lock()
		if h := f.held[k.Frame]; h != nil {
			k.Bytes = h.Bytes
		}
		f.mu.Unlock()
		all = append(all, k)
	}
	return all, nil
}

// refusal says why no frame was made of a branch; empty: none was tried.
func (r Reader) refusal(b compile.Branch) string {
	if _, ok := reuse.Storable(b); !ok {
		return text.Say("store.frame_not_storable")
	}
	identity, _ := r.identity(b)
	r.f.mu.Lock()
	defer r.f.mu.Unlock()
	if r.f.declined[identity] != nil {
		return text.Say("store.frame_no_room")
	}
	switch err := r.f.refused[identity]; {
	case err == nil:
		return ""
	case errors.Is(err, errNotWorth):
		return text.Say("store.frame_not_worth")
	default:
		return text.Say("store.frame_failed", "problem", strings.TrimSuffix(err.Error(), "."))
	}
}
