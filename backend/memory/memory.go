// Package memory is what survives: sessions, requests and their answers, in one SQLite file.
//
//	Begin ──(durable)──▶ the request is on disk ──▶ Step … Step ──▶ Finish ──(durable)──▶ answer, artifacts, trace
//	  └─ the process dies in between: the turn reads "interrupted" from then on, with the steps that ended
//
// Several processes may hold the same file open. An acknowledged Begin or Finish survives SIGKILL and the loss of
// power: the file is in WAL mode with synchronous=FULL. Of a Step see there. A file that cannot be read is never written to.
package memory

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/text"

	_ "modernc.org/sqlite" // the driver; this package is its home
)

var _ analyst.Memory = (*Memory)(nil)

// Options say where the memory is. Zero values are the defaults in parentheses.
type Options struct {
	Path string           // of the SQLite file; its folder is made when it is missing
	Now  func() time.Time // the wall clock (time.Now)
}

// Memory is one open memory file. It is safe for concurrent use.
type Memory struct {
	path     string
	now      func() time.Time
	presence *presence
	write    *sql.DB       // one connection: writers of this process queue for it and not in SQLite's busy loop
	turn     chan struct{} // held by the one that writes
	quick    bool          // the connection does not wait for the disk; held with turn
	addStep  *sql.Stmt
	read     *sql.DB // a few connections that cannot write
	closed   atomic.Bool
}

// busyWait is how long one process waits for another one's write. Tests shorten it.
var busyWait = 10 * time.Second

const (
	readers     = 4
	keepDeleted = 30 * 24 * time.Hour // a deleted session can be restored for this long
)

// Open opens the memory file, or makes it. It brings the file to the newest layout, marks the requests of dead processes
// as interrupted and forgets sessions that were deleted more than 30 days ago.
//
// Faults: Invalid (no path, a file that is no memory file, a damaged file), Conflict (written by a newer version),
// Unavailable (no space, read-only, cannot be made, another process holds it), Canceled.
func Open(ctx context.Context, o Options) (*Memory, error) {
	if o.Path == "" {
		return nil, fault.New(fault.Invalid, "open memory", text.Say("memory.no_path"), text.Say("memory.no_path_hint"))
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, "open memory", text.Say("memory.no_path"), text.Say("memory.no_path_hint"), err)
	}
	m := &Memory{path: path, now: o.Now, turn: make(chan struct{}, 1)}
	if err := m.open(ctx); err != nil {
		_ = m.Close() // what failed first is what counts
		return nil, err
	}
	return m, nil
}

func (m *Memory) open(ctx context.Context) error {
	if err := touch(m.path); err != nil {
		return fault.Wrap(fault.Unavailable, "open memory", text.Say("memory.cannot_open", "file", m.path), text.Say("memory.cannot_open_hint"), err)
	}
	instance := make([]byte, 8)
	_, _ = rand.Read(instance) // never fails
	var err error
	// One process at a time opens: switching to WAL, migrating and judging who is alive need the file alone.
	m.presence, err = arrive(ctx, m.path+"-running", hex.EncodeToString(instance), m.prepare)
	return m.classify("open memory", err)
}

// prepare opens the connections and brings the file up to date. It runs while this process alone is opening.
func (m *Memory) prepare(ctx context.Context, p *presence) error {
	var err error
	if m.write, err = connect(m.path, 1, "_txlock", "immediate"); err != nil {
		return err
	}
	if err := migrate(ctx, m.write, m.path, m.now()); err != nil {
		return err
	}
	if p.foundDead {
		if err := check(ctx, m.write, "quick_check(1)"); err != nil {
			return err
		}
	}
	if m.addStep, err = m.write.PrepareContext(ctx, `INSERT INTO step (request, position, body) VALUES (?, ?, ?)`); err != nil {
		return err
	}
	if m.read, err = connect(m.path, readers, "_query_only", "true"); err != nil {
		return err
	}
	m.presence = p
	if err := m.settle(ctx); err != nil {
		return err
	}
	if err := m.indexAll(ctx); err != nil {
		return err
	}
	_ = removeBackups(m.path, m.now().Add(-keepBackups)) // what cannot go now goes the next time
	return m.forget(ctx)
}

// Close releases the file and tells other processes that this one is gone. It is safe to call twice.
func (m *Memory) Close() error {
	if m.closed.Swap(true) {
		return nil
	}
	var all []error
	if m.addStep != nil {
		all = append(all, m.addStep.Close())
	}
	for _, db := range []*sql.DB{m.read, m.write} {
		if db != nil {
			all = append(all, db.Close())
		}
	}
	if m.presence != nil {
		all = append(all, m.presence.leave())
	}
	return errors.Join(all...)
}

// Path is the memory file.
func (m *Memory) Path() string { return m.path }

// connect opens a pool. Every connection gets the same settings; extra holds pairs of further driver settings.
func connect(path string, connections int, extra ...string) (*sql.DB, error) {
	settings := url.Values{
		"_busy_timeout": {strconv.FormatInt(busyWait.Milliseconds(), 10)},
		"_journal_mode": {"WAL"},
		"_synchronous":  {"FULL"}, // NORMAL would lose acknowledged commits with the power
		"_foreign_keys": {"true"},
		"_pragma":       {"trusted_schema(0)", "recursive_triggers(1)", "fullfsync(1)", "checkpoint_fullfsync(1)", "secure_delete(1)"},
	}
	for i := 0; i+1 < len(extra); i += 2 {
		settings.Set(extra[i], extra[i+1])
	}
	name := (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()
	db, err := sql.Open("sqlite", "file:"+name+"?"+settings.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// touch makes the folder and the file for this user's eyes only; SQLite's side files inherit the mode.
func touch(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}
