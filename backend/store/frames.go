package store

import (
	"context"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/reuse"
	"assay/backend/text"
)

// FramesOptions of OpenFrames. The zero values are the defaults named.
type FramesOptions struct {
	Dir     string        // the folder of the cache; required. It may be deleted at any time
	Budget  int64         // bytes on disk (512 MB)
	Most    int           // frames (128): each is a file that the engine holds open
	MaxRows int64         // rows of a frame (2 million)
	Quiet   time.Duration // how long nothing must be asked before frames are made (300 ms)
	Saves   time.Duration // what a frame must save of a question to be made (10 ms)
	Wait    time.Duration // how long the first questions wait for the frames on disk, from the opening on (500 ms)
	Brief   bool          // the process answers and ends: it makes frames in Finish only, and uses those that save more than Opening
	Opening time.Duration // what it takes to open frames (20 ms)
	Parting time.Duration // how long Finish may take (2 s)
}

func (o FramesOptions) withDefaults() FramesOptions {
	if o.Budget == 0 {
		o.Budget = 512 << 20
	}
	if o.Most == 0 {
		o.Most = 128
	}
	if o.MaxRows == 0 {
		o.MaxRows = 2_000_000
	}
	if o.Quiet == 0 {
		o.Quiet = 300 * time.Millisecond
	}
	if o.Saves == 0 {
		o.Saves = 10 * time.Millisecond
	}
	if o.Wait == 0 {
		o.Wait = 500 * time.Millisecond
	}
	if o.Opening == 0 {
		o.Opening = 20 * time.Millisecond
	}
	if o.Parting == 0 {
		o.Parting = 2 * time.Second
	}
	return o
}

// Frames is the frame cache: results of branches, kept in files of their own, that answer other branches.
//
//	Observe ──▶ wanted ──idle──▶ builder: an engine of its own ──▶ tmp-…/ ──rename──▶ f_1a2b3c4d-<checksum>.duckdb
//	                                                                                       │ attached READ_ONLY
//	Serve ──▶ reuse.Index ──▶ Query ──▶ frame engine (every source and every frame, locked) ◀──┘
//	                            └── on any failure ──▶ query engine over the sources alone
//
// A frame is one file that is never changed. DuckDB does not notice when two engines of a process open one file for
// writing, and an engine that is locked down can neither write nor attach; so frames are written by an engine of their own
// and become visible when the frame engine is opened again, beside the query engine, which keeps its warm buffers.
//
// The folder belongs to the process that holds its lock; another one works without a cache. Whatever happens to the files,
// an answer is never lost: a statement that fails on the frame engine runs over the sources.
type Frames struct {
	s    *Store
	opt  FramesOptions
	host *host // of the frame engine and the builder

	opened    time.Time
	adopted   chan struct{}  // closed when the frames on disk answer, or when they are another process's
	wake      chan struct{}  // something is wanted, or nothing runs any more
	done      sync.WaitGroup // the builder
	opening   sync.Mutex     // held while the frame engine is opened
	chunkRows int64          // of a base that is read part by part

	mu       sync.Mutex // guards what follows
	lock     *flock.Flock
	locked   fs.FileInfo // the lock's file, as it was locked
	why      string      // there is no cache here; empty: there is
	held     map[string]*heldFrame
	wanted   map[string]*want
	refused  map[string]error // by identity, why no frame was made
	declined map[string]*want // by identity, what others were worth more than
	tried    stamp            // the state of the data for which refused holds
	index    *reuse.Index     // of the frames that are decided on
	engine   *frameEngine
	level    float64 // of the last eviction: what a new frame's worth is counted from
	hit      bool    // a frame answered: there is something to remember
	active   int     // questions that run
	turn     int64   // statements that were run
	quiet    time.Time
	building string             // the identity of what is being made
	hurry    bool               // the process is ending: make frames at once
	stop     context.CancelFunc // of the statement that builds; nil: none
	ended    context.Context    // done when the cache is closed
	end      context.CancelFunc
	closed   bool
	retired  sync.WaitGroup // engines that run their last queries
	served   int64
	missed   int64
	waiting  []chan struct{} // of Settle
}

// OpenFrames opens the frame cache of the store; it is closed with it. It never fails: where the folder cannot be had there
// is no cache, and Stats says why.
func (s *Store) OpenFrames(opt FramesOptions) *Frames {
	f := &Frames{
		s: s, opt: opt.withDefaults(), wake: make(chan struct{}, 1), held: map[string]*heldFrame{}, wanted: map[string]*want{},
		refused: map[string]error{}, declined: map[string]*want{}, index: reuse.NewIndex(), chunkRows: chunkRows, opened: time.Now(), adopted: make(chan struct{}),
	}
	if abs, err := filepath.Abs(f.opt.Dir); err == nil {
		f.opt.Dir = abs
	}
	f.host = newHost(s.opt, roleCache, 2, f.opt.Dir)
	f.ended, f.end = context.WithCancel(context.Background())
	f.mu.Lock()
	f.own()
	if f.lock == nil {
		close(f.adopted)
	}
	f.mu.Unlock()
	f.done.Add(1)
	go func() {
		defer f.done.Done()
		f.work()
	}()
	s.frames.Store(f)
	return f
}

// Close stops building, waits for running statements and gives up the lock. A second call does nothing.
func (f *Frames) Close() {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return
	}
	f.closed = true
	f.end()
	f.retire()
	f.index = reuse.NewIndex()
	f.mu.Unlock()
	f.done.Wait()
	f.retired.Wait()
	f.host.close()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lock != nil {
		f.remember()
	}
	if f.lock != nil {
		_ = f.lock.Unlock()
		f.lock = nil
	}
}

// Reader is the cache as one reader with one set of definitions sees it.
type Reader struct {
	f      *Frames
	model  string
	policy string
	levels reuse.Levels
}

// Reader gives the cache for the definitions of a model, by its version, and for a policy, which names the rows that the
// reader may see; empty: all.
func (f *Frames) Reader(model, policy string) Reader {
	return Reader{f: f, model: model, policy: policy}
}

// Climbing is the reader whose frames carry the coarser levels of hierarchies beside the finer ones.
func (r Reader) Climbing(levels reuse.Levels) Reader {
	r.levels = levels
	return r
}

// Serve says which frame answers a branch, and why or why not. It is what compile.Options.Serve wants.
func (r Reader) Serve(b compile.Branch) (*compile.Served, string) {
	r.f.awaitAdopted()
	r.f.mu.Lock()
	index, why := r.f.index, r.f.why
	r.f.mu.Unlock()
	if why != "" {
		return nil, why
	}
	facts := reuse.Facts{Model: r.model, Policy: r.policy, Epochs: r.f.s.Epochs()}
	served, reason := index.Match(b, facts)
	r.f.mu.Lock()
	defer r.f.mu.Unlock()
	if served != nil && !r.f.opens(r.f.held[served.Frame]) {
		closed := served.Frame
		served, _ = index.Without(func(x reuse.Frame) bool { return !r.f.opens(r.f.held[x.ID]) }).Match(b, facts)
		if served == nil {
			r.f.missed++
			return nil, text.Say("store.frame_not_opened", "frame", closed)
		}
	}
	if served != nil {
		r.f.served++
	} else {
		r.f.missed++
	}
	return served, reason.String()
}

// Observe tells the cache that a branch was answered from the base, how long that took and how many rows it gave. What is
// asked often and takes long is kept: one step finer where that is small enough, so that the next question finds it too.
func (r Reader) Observe(b compile.Branch, took time.Duration, rows int64) {
	least := r.f.opt.Saves
	if r.f.opt.Brief {
		least = max(least, r.f.opt.Opening)
	}
	if took >= least {
		r.f.want(r, b, took, rows, false)
	}
}

// Warm asks for frames of branches before they are asked for, such as those that materialize_at of a metric names. They are
// made when nothing else runs, and nothing is evicted for them.
func (r Reader) Warm(branches []compile.Branch) {
	for _, b := range branches {
		r.f.want(r, b, 0, 0, true)
	}
}

// Query runs a statement that reads frames. When that fails for any reason but the person's or time's, the frames that it
// names are given up and base runs instead, a statement with the same result that reads none; SQL and ServedFrom of the
// result say which one it was. used are the frames that were read. Faults as of Store.Query.
func (f *Frames) Query(ctx context.Context, st, base frameql.Statement) (frame *frameql.Frame, used []string, err error) {
	defer f.s.foreground()()
	tables, err := f.s.Tables(ctx, st.SQL)
	if err != nil {
		return nil, nil, err
	}
	frame, err = f.s.query(ctx, st, f.acquire)
	if err != nil {
		if code := fault.CodeOf(err); ctx.Err() != nil || code == fault.Canceled || code == fault.Limit {
			return nil, nil, err
		}
		f.giveUp(tables)
		frame, err = f.s.query(ctx, base, f.s.acquire)
		return frame, nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range tables {
		x, ok := f.index.Frame(t)
		if !ok {
			continue
		}
		used = append(used, t)
		maps.Copy(frame.SourceEpochs, x.Epochs)
		if h := f.held[t]; h != nil {
			h.hits++
			h.turn = f.turn
			h.worth, f.hit = f.worth(h), true
		}
	}
	frame.ServedFrom = "engine_cache"
	return frame, used, nil
}

// Cost is Store.Cost for a statement that reads frames.
func (f *Frames) Cost(ctx context.Context, st frameql.Statement) (rows, bytes int64, ms float64, basis string, err error) {
	return f.s.cost(ctx, st, f.acquire)
}

// Clear deletes all frames.
func (f *Frames) Clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for id := range f.held {
		f.drop(id)
	}
	f.wanted, f.refused, f.declined = map[string]*want{}, map[string]error{}, map[string]*want{}
	f.index = reuse.NewIndex()
	f.retire()
}

// FrameStats is the state of the cache.
type FrameStats struct {
	Owner   bool   // this process has the cache
	Note    string // why it has not
	Frames  int    // that answer now
	Bytes   int64  // on disk
	Budget  int64
	Wanted  int   // that may be made when nothing else runs
	Served  int64 // decisions for a frame, since it was opened
	Missed  int64
	Details []FrameStat
}

// FrameStat is the state of one frame.
type FrameStat struct {
	ID          string
	Rows, Bytes int64
	Hits        int64
	Epochs      map[string]string
}

// Stats gives the state of the cache.
func (f *Frames) Stats() FrameStats {
	f.mu.Lock()
	defer f.mu.Unlock()
	st := FrameStats{Owner: f.lock != nil, Frames: f.index.Len(), Budget: f.opt.Budget, Wanted: len(f.wanted), Served: f.served, Missed: f.missed, Note: f.why}
	for _, id := range sortedKeys(f.held) {
		h := f.held[id]
		st.Bytes += h.Bytes
		st.Details = append(st.Details, FrameStat{ID: id, Rows: h.Rows, Bytes: h.Bytes, Hits: h.hits, Epochs: h.Epochs})
	}
	return st
}

// foreground tells the cache that a question runs, so that building stops, until the function that it gives is called.
func (s *Store) foreground() func() {
	f := s.frames.Load()
	if f == nil {
		return func() {}
	}
	f.mu.Lock()
	f.active++
	f.turn++
	if f.stop != nil {
		f.stop()
	}
	f.mu.Unlock()
	return func() {
		f.mu.Lock()
		f.active--
		f.quiet = time.Now()
		f.mu.Unlock()
		f.signal()
	}
}

func (f *Frames) signal() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// frameName says whether a name may be that of a frame.
func frameName(table string) bool { return strings.HasPrefix(table, framePrefix) }
