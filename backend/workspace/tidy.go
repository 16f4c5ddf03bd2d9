package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/backend/rules"
)

// What time asks for is done when the workspace opens, and once a day while it is open: what nobody settled in time is settled, sessions that were not used for as
// long as their person keeps them are forgotten, rows of old answers are let go when the memory is too large, and traces of what was removed are overwritten.

const (
	tidyEvery = 24 * time.Hour
	tidyLooks = time.Hour // how often it is looked whether a day has gone by: the machine may have slept
	// tidyAtOnce is how large a memory is, in bytes, whose traces are overwritten before the workspace is open: about a third of a second. A larger one is written
	// anew beside the work.
	tidyAtOnce = 32 << 20
	// memoryLimit is how large the memory may be before rows of old answers are let go, in bytes.
	memoryLimit = 4 << 30
)

// tidier does what time asks for beside the work, until it is stopped.
type tidier struct {
	stop context.CancelFunc
	done chan struct{}
}

func (t *tidier) end() {
	if t != nil {
		t.stop()
		<-t.done
	}
}

// tidyWhileOpen does what time asks for that is quick, and starts what does the rest and looks again every day.
func (w *Workspace) tidyWhileOpen(ctx context.Context) error {
	_ = w.expire(ctx) // a full disk keeps nobody from looking at what is there; it is tried again with the next opening
	w.sweepParts()
	traces, bytes, err := w.memory.Traces(ctx)
	if err != nil {
		return err
	}
	if bytes <= tidyAtOnce && traces {
		_ = w.memory.Scrub(ctx) // another process may read: what is left is done by the next one that opens
		traces = false
	}
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	w.tidier = &tidier{stop, done}
	began := w.opts.Now()
	go func() {
		defer close(done)
		if traces || bytes > w.opts.MemoryLimit {
			w.makeRoom(life)
		}
		looks := time.NewTicker(tidyLooks)
		defer looks.Stop()
		for {
			select {
			case <-life.Done():
				return
			case <-looks.C:
				began = w.tidyAfter(life, began)
				w.lookBackLater()
			}
		}
	}()
	return nil
}

// tidyAfter does what time asks for when a day has gone by since it was done, and gives when it was done last. What cannot be done now is done tomorrow.
func (w *Workspace) tidyAfter(ctx context.Context, last time.Time) time.Time {
	now := w.opts.Now()
	if now.Sub(last) < tidyEvery {
		return last
	}
	if err := w.expire(ctx); err != nil {
		return last
	}
	w.makeRoom(ctx)
	return now
}

// expire settles what nobody settled in time, and forgets the sessions that were not used for as long as their person keeps them.
func (w *Workspace) expire(ctx context.Context) error {
	if _, err := w.analyst.Sweep(ctx); err != nil {
		return err
	}
	_, err := w.memory.Expire(ctx, time.Duration(w.Settings().Keep.HistoryDays)*24*time.Hour)
	return err
}

// makeRoom lets rows go where the memory is too large, and overwrites the traces of what was removed. Both can be stopped, and are gone on with the next time.
func (w *Workspace) makeRoom(ctx context.Context) {
	if _, err := w.memory.Prune(ctx, w.opts.MemoryLimit); err != nil {
		return
	}
	_ = w.memory.Scrub(ctx)
}

// What imports of sessions stage lies beside the memory, under the name of the process that does it: session-INSTANCE-*.part.
const partBegins, partEnds = "session-", ".part"

// partName is the pattern for a file that this process stages.
func (w *Workspace) partName() string { return partBegins + w.memory.Instance() + "-*" + partEnds }

// sweepParts removes what imports of sessions that died had staged. That of a living process is left.
func (w *Workspace) sweepParts() {
	folder := filepath.Join(w.dir, ".assay")
	all, err := os.ReadDir(folder)
	if err != nil { // then nothing is staged there
		return
	}
	for _, entry := range all {
		inner, begins := strings.CutPrefix(entry.Name(), partBegins)
		inner, ends := strings.CutSuffix(inner, partEnds)
		instance, _, _ := strings.Cut(inner, "-")
		if begins && ends && !w.memory.Lives(instance) {
			_ = os.Remove(filepath.Join(folder, entry.Name())) // another process may do so too
		}
	}
}

// PurgeSession removes a session for good, with the results that were opened of its answers, and gives the requests that it had; see memory.Purge. Fault Unauthorized,
// and those of memory.Purge.
func (w *Workspace) PurgeSession(ctx context.Context, id string) (requests []string, err error) {
	me, err := w.Identify("", rules.Caller{})
	if err != nil {
		return nil, err
	}
	p, err := w.memory.Purge(ctx, id, me.ID)
	for _, request := range p.Requests {
		w.made.forget(w.results, request)
	}
	return p.Requests, err
}
