package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

// Options of Open. The zero values are the defaults named.
type Options struct {
	Dir         string           // the folder of the store, made when it is not there; required
	Home        string           // the folder that the store belongs to: files in it are still known when it was moved
	MemoryLimit string           // of the query engine, as DuckDB writes it (2GB); an import may use the same again
	Threads     int              // of each engine (all cores)
	Timeout     time.Duration    // of a statement (60 s)
	MaxRows     int              // rows of a frame when the statement names no number (10,000)
	LockWait    time.Duration    // how long an import waits for another process (30 s)
	Now         func() time.Time // wall clock, for the time of an import (time.Now)
	Program     []string         // what starts a worker, which has to call Work first (this program)
	InProcess   bool             // no workers: for tests that open thousands of stores, and trust what they run
}

func (o Options) withDefaults() Options {
	if o.MemoryLimit == "" {
		o.MemoryLimit = "2GB"
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	if o.MaxRows == 0 {
		o.MaxRows = 10_000
	}
	if o.LockWait == 0 {
		o.LockWait = 30 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Store is the data of one workspace. Its methods may be called from any goroutine; imports take turns.
type Store struct {
	opt     Options
	timeout atomic.Int64 // of a statement, in nanoseconds
	gate    *gate

	querying  *host // of the query engine
	importing *host
	strangers *host // of frames in session files

	turn chan struct{} // held by the one import or removal of this process

	mu      sync.RWMutex // guards what follows
	catalog catalog
	stamp   stamp
	engine  *engine
	removed map[string]removed // by source
	retired sync.WaitGroup     // engines that run their last queries
	closed  bool
	unread  map[string]bool // database files in which a statement met something unreadable

	frames atomic.Pointer[Frames] // the frame cache; nil: none
	speed  throughput             // of statements on this machine

	touched    memo[State] // files that were touched since their import: whether that changed them
	completing completers  // what an editor completes statements with
}

// Open opens the store in a folder and makes it when it is not there. What an import left behind that was killed is
// removed, unless another process is importing now.
//
// Faults: Unavailable (the folder cannot be made or read), Invalid (its path has a question mark, which DuckDB takes for
// something else), Internal (the catalogue is damaged).
func Open(ctx context.Context, opt Options) (*Store, error) {
	opt = opt.withDefaults()
	if abs, err := filepath.Abs(opt.Dir); err == nil {
		opt.Dir = abs
	}
	if opt.Home != "" {
		opt.Home = absolute(opt.Home)
	}
	if strings.Contains(opt.Dir, "?") { // the engine would look for its log elsewhere
		return nil, fault.New(fault.Invalid, "open store", text.Say("store.dir_question_mark", "dir", opt.Dir), text.Say("store.dir_question_mark_hint"))
	}
	if err := os.MkdirAll(opt.Dir, 0o700); err != nil {
		return nil, fault.Wrap(fault.Unavailable, "open store", text.Say("store.dir_unwritable", "dir", opt.Dir), text.Say("store.dir_unwritable_hint"), err)
	}
	g, err := openGate()
	if err != nil {
		return nil, err
	}
	s := &Store{
		opt: opt, gate: g, turn: make(chan struct{}, 1), removed: map[string]removed{}, unread: map[string]bool{},
		querying:  newHost(opt, roleQuery, 1),
		importing: newHost(opt, roleImport, 2, opt.Dir),
		strangers: &host{role: roleRows, opt: opt, memory: RowsMemory},
	}
	s.SetTimeout(opt.Timeout)
	s.sweep()
	if err := s.refresh(ctx); err != nil {
		s.querying.close()
		_ = g.close()
		return nil, err
	}
	return s, nil
}

// SetTimeout changes how long a statement may take, for those that begin from now on.
func (s *Store) SetTimeout(d time.Duration) { s.timeout.Store(int64(d)) }

// Close waits for a running import and running queries and releases everything. A second call does nothing.
func (s *Store) Close() error {
	if f := s.frames.Swap(nil); f != nil {
		f.Close()
	}
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.retire(s.engine)
	s.engine = nil
	s.mu.Unlock()
	s.retired.Wait()
	for _, gone := range s.removed {
		s.delete(gone)
	}
	s.querying.close()
	s.importing.close()
	s.strangers.close()
	s.completing.close()
	return s.gate.close()
}

// Sources lists what has been imported, in the order of the first import.
func (s *Store) Sources() []Source {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := make([]Source, len(s.catalog.Entries))
	for i, e := range s.catalog.Entries {
		all[i] = e.Source
	}
	return all
}

// Epochs gives the epoch of every table: table -> sha256:….
func (s *Store) Epochs() map[string]string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.catalog.epochs()
}

// Present gives the epochs as Epochs does, of the data as it is now: another process may have imported.
func (s *Store) Present(ctx context.Context) (map[string]string, error) {
	if err := s.refresh(ctx); err != nil {
		return nil, err
	}
	return s.Epochs(), nil
}

// refresh takes over the catalogue when it has changed, by this process or another, and puts a query engine over it.
func (s *Store) refresh(ctx context.Context) error {
	now := stampOf(s.opt.Dir)
	s.mu.RLock()
	same := s.engine != nil && !s.engine.lost() && now == s.stamp
	s.mu.RUnlock()
	if same {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return closedFault()
	}
	// A file may be replaced between reading the catalogue and attaching it; then the catalogue has changed again.
	for range 5 {
		before := stampOf(s.opt.Dir)
		if s.engine != nil && !s.engine.lost() && before == s.stamp {
			return nil
		}
		c, err := readCatalog(s.opt.Dir, s.opt.Home)
		if err != nil {
			return err
		}
		e, err := openEngine(ctx, s.querying, &c, nil)
		if err != nil {
			return err
		}
		if stampOf(s.opt.Dir) != before {
			e.close()
			continue
		}
		s.retire(s.engine)
		s.engine, s.catalog, s.stamp = e, c, before
		return nil
	}
	return fault.New(fault.Conflict, "open store", text.Say("store.changing"), text.Say("store.changing_hint"))
}

// retire closes an engine when its last query is done.
func (s *Store) retire(e *engine) {
	if e == nil {
		return
	}
	s.retired.Add(1)
	go func() {
		defer s.retired.Done()
		e.users.Wait()
		e.close()
	}()
}

// acquire gives the engine over the present catalogue; the caller releases it with users.Done.
func (s *Store) acquire(ctx context.Context) (*engine, error) {
	if err := s.refresh(ctx); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return nil, closedFault()
	}
	s.engine.users.Add(1)
	return s.engine, nil
}

func closedFault() error {
	return fault.New(fault.Unavailable, "query", text.Say("store.closed"), "")
}
