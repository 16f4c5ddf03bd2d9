package workspace

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"assay/backend/analyst"
)

// mostRefusals is how many requests that a door turned away are written down in a minute: whoever knocks on must not fill the
// disk. Those above that are counted, and the count stands in the next record.
const mostRefusals = 30

// refusals counts what a door turned away. Its zero value is ready.
type refusals struct {
	mu      sync.Mutex
	minute  time.Time
	written int
	untold  int
}

// next says whether one more is written down now, and how many were not since the last one.
func (r *refusals) next(now time.Time) (untold int, write bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m := now.Truncate(time.Minute); !m.Equal(r.minute) {
		r.minute, r.written = m, 0
	}
	if r.written >= mostRefusals {
		r.untold++
		return 0, false
	}
	r.written++
	untold, r.untold = r.untold, 0
	return untold, true
}

// NoteRefusal writes a request that a door turned away into the audit log, as far as there is room in this minute. what is
// its description as JSON and holds no secret. The door stays shut whether it can be written or not.
func (w *Workspace) NoteRefusal(ctx context.Context, what any) {
	untold, write := w.turnedAway.next(w.opts.Now())
	if !write {
		return
	}
	body, err := json.Marshal(map[string]any{"refused": what, "not_written_before": untold})
	if err != nil {
		return
	}
	_ = w.memory.Record(ctx, analyst.Record{Kind: analyst.AuditRefused, Body: body})
}
