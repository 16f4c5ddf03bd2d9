package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/gofrs/flock"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// ResultsOptions of OpenResults. The zero values are the defaults named.
type ResultsOptions struct {
	Dir    string // where the files of results stand, in a folder of this process; required
	Budget int64  // bytes that all results take on disk, and one alone at most (8 GiB)
	Most   int    // results that are kept (24)
}

// Results keeps whole results on disk, to be looked at window by window.
//
//	statement ──gate──▶ maker: the sources READ_ONLY, one new file ──▶ s_1a2b….duckdb ◀── reader: the file READ_ONLY ──▶ rows, sums, a cell
//	                                                                        └──────────▶ maker of views: sorted, filtered ──▶ s_3c4d….duckdb
//
// A result is one file with one table, in the order in which the statement gave its rows, so that a window is a range of
// row numbers wherever it lies. A view of a result (sorted, filtered) is a result too: a copy in its own order, because rows
// that lie far apart take a hundred times as long to be collected. Files belong to the process that made them. Those that were looked
// at longest ago go when there are too many or they take too much; those that a process left behind go when the next
// one opens.
//
// The statements run in a child that may write nowhere but in the folder of the results, on an engine that reaches no file
// beside those attached; views and windows, which are SQL of our own, run in another one.
type Results struct {
	s       *Store
	opt     ResultsOptions
	making  *host
	reading *host
	turn    chan struct{} // held by the one that is being made

	mu     sync.Mutex // guards what follows
	folder string     // of this process; empty: none could be had yet
	lock   *flock.Flock
	held   map[string]*Result
	looks  int64 // that were taken at results
	closed bool
}

// Result is a whole result on disk, or a view of one.
type Result struct {
	ID      string
	Rows    int64
	Columns []frameql.Column
	Tables  []string // that its statement reads
	Of      string   // the result that it is a view of; empty: none
	Changed bool     // the data was imported again since it was made

	epochs    map[string]string
	types     []string // of its columns, as DuckDB writes them
	file      string   // base name
	bytes     int64
	look      int64   // when it was looked at last
	engine    *engine // that reads it; nil: none does now
	users     int     // that look at it now: it stays
	forgotten bool    // it is to be forgotten: it goes with the last one that looks at it
}

const (
	resultPrefix = "s_"
	resultTable  = "result"
)

// readersOpen is how many results are open at once; each takes some memory for what was read last.
const readersOpen = 6

// OpenResults makes a place for results. Nothing is written before the first one is made, but what processes left behind that
// ended is deleted.
func (s *Store) OpenResults(opt ResultsOptions) *Results {
	if opt.Budget == 0 {
		opt.Budget = 8 << 30
	}
	if opt.Most == 0 {
		opt.Most = 24
	}
	r := &Results{s: s, opt: opt, turn: make(chan struct{}, 1), held: map[string]*Result{}}
	r.making = newHost(s.opt, roleResult, 1, opt.Dir)
	r.reading = newHost(s.opt, roleWindow, 2, opt.Dir)
	r.sweep()
	return r
}

// sweep deletes the folders of processes that ended.
func (r *Results) sweep() {
	all, err := os.ReadDir(r.opt.Dir)
	if err != nil {
		return
	}
	for _, folder := range all {
		if unlock, ok := tryLock(filepath.Join(r.opt.Dir, folder.Name())); ok {
			os.RemoveAll(filepath.Join(r.opt.Dir, folder.Name()))
			unlock()
		}
	}
}

// own makes the folder of this process. The caller holds mu.
func (r *Results) own() error {
	if r.closed {
		return closedFault()
	}
	if r.folder != "" {
		return nil
	}
	var name [8]byte
	_, _ = rand.Read(name[:]) // it never fails
	folder := filepath.Join(r.opt.Dir, hex.EncodeToString(name[:]))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return writeFault("open result", r.opt.Dir, err)
	}
	l := flock.New(filepath.Join(folder, lockFile))
	if ok, err := l.TryLock(); err != nil || !ok {
		return writeFault("open result", folder, err)
	}
	r.making.renew() // a child may write in the folder that was there when it began
	r.reading.renew()
	r.folder, r.lock = folder, l
	return nil
}

// Close ends what is being made and deletes every result.
func (r *Results) Close() {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return
	}
	r.closed = true
	r.mu.Unlock()
	r.making.close()
	r.reading.close()
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range r.held {
		r.drop(id)
	}
	if r.folder != "" {
		os.RemoveAll(r.folder)
		_ = r.lock.Unlock()
	}
}

// Find gives what is known of a result. Fault NotFound.
func (r *Results) Find(id string) (Result, error) {
	now := r.s.Epochs()
	r.mu.Lock()
	defer r.mu.Unlock()
	x := r.held[id]
	if x == nil {
		return Result{}, goneFault()
	}
	return x.known(now), nil
}

// known is the result as it is told to others. The caller holds mu.
func (x *Result) known(now map[string]string) Result {
	out := *x
	out.engine, out.users = nil, 0
	out.Changed = !current(x.epochs, now)
	return out
}

func goneFault() error {
	return fault.New(fault.NotFound, "read result", text.Say("store.result_gone"), text.Say("store.result_gone_hint"))
}

// take marks a result as used; the caller gives it back. The caller holds mu.
func (r *Results) take(id string) *Result {
	x := r.held[id]
	if x != nil {
		r.looks++
		x.look = r.looks
		x.users++
	}
	return x
}

func (r *Results) giveBack(x *Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if x.users--; x.users == 0 && x.forgotten && r.held[x.ID] == x {
		r.drop(x.ID)
	}
}

// Forget deletes a result and the views of it; one that somebody looks at goes when they are done. One that is not there is forgotten already.
func (r *Results) Forget(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for also := []string{id}; len(also) > 0; also = also[1:] {
		for _, x := range r.held {
			if x.Of == also[0] && !x.forgotten {
				also = append(also, x.ID)
			}
		}
		x := r.held[also[0]]
		switch {
		case x == nil:
		case x.users > 0:
			x.forgotten = true
		default:
			r.drop(x.ID)
		}
	}
}

// publish makes a finished file a result that can be found, and lets go of those that there is no room for any more.
func (r *Results) publish(temporary string, x *Result) error {
	info, err := os.Stat(temporary)
	if err != nil {
		return writeFault("open result", r.opt.Dir, err)
	}
	x.bytes, x.file = info.Size(), x.ID+databaseSuffix
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return closedFault()
	}
	if err := os.Rename(temporary, filepath.Join(r.folder, x.file)); err != nil {
		return writeFault("open result", r.opt.Dir, err)
	}
	r.held[x.ID] = x
	r.looks++
	x.look = r.looks
	r.makeRoom(x)
	return nil
}

// makeRoom lets results go until the rest fits. The caller holds mu.
func (r *Results) makeRoom(newest *Result) {
	for {
		var bytes int64
		var oldest *Result
		for _, x := range r.held {
			bytes += x.bytes
			if x != newest && x.users == 0 && x.ID != newest.Of && (oldest == nil || x.look < oldest.look) {
				oldest = x
			}
		}
		if oldest == nil || bytes <= r.opt.Budget && len(r.held) <= r.opt.Most {
			return
		}
		r.drop(oldest.ID)
	}
}

// drop deletes a result. The caller holds mu, and nobody looks at it.
func (r *Results) drop(id string) {
	x := r.held[id]
	delete(r.held, id)
	if x.engine != nil {
		x.engine.close()
		x.engine = nil
	}
	os.Remove(filepath.Join(r.folder, x.file))
}

// reader gives the engine that reads a result. The caller has taken the result.
func (r *Results) reader(ctx context.Context, x *Result) (*engine, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, closedFault()
	}
	if x.engine != nil && !x.engine.lost() {
		return x.engine, nil
	}
	r.closeOldest()
	e, err := openResultEngine(ctx, r.reading, readerMemory, func(run run) error {
		return run("ATTACH %s AS %s (READ_ONLY)", literal(filepath.Join(r.folder, x.file)), resultTable)
	})
	if err != nil {
		return nil, resultFault(ctx, err)
	}
	x.engine = e
	return e, nil
}

// readerMemory is what a reader may take, as DuckDB writes it: windows are small, and sums go block by block.
const readerMemory = "256MB"

// closeOldest closes engines until there is room for one more. The caller holds mu.
func (r *Results) closeOldest() {
	for {
		var oldest *Result
		open := 0
		for _, x := range r.held {
			if x.engine == nil {
				continue
			}
			open++
			if x.users == 0 && (oldest == nil || x.look < oldest.look) {
				oldest = x
			}
		}
		if open < readersOpen || oldest == nil {
			return
		}
		oldest.engine.close()
		oldest.engine = nil
	}
}

// resultLockdown is what an engine over results keeps to once its files are attached. It may write the new file and what does
// not fit into its memory; the rest of the disk stays out of reach.
var resultLockdown = []struct{ name, value string }{
	{"allow_community_extensions", "false"},
	{"autoinstall_known_extensions", "false"},
	{"autoload_known_extensions", "false"},
	{"allow_persistent_secrets", "false"},
	{"allow_unredacted_secrets", "false"},
	{"enable_external_access", "false"},
	{"lock_configuration", "true"},
}

// resultFault classifies what was not classified yet.
func resultFault(ctx context.Context, err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	return statementFault(ctx, err)
}

// resultID tells results apart.
func resultID(sum [32]byte) string { return resultPrefix + hex.EncodeToString(sum[:12]) }
