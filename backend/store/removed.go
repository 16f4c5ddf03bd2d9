package store

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gofrs/flock"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// keptSuffix names the file beside a database file that is locked by the process that may still bring it back.
const keptSuffix = ".kept"

// removed is a source that was removed and may come back.
type removed struct {
	entry entry
	at    int // its place among the sources
	keep  *flock.Flock
}

// Remove takes a source and its tables out of the store. Restore brings it back as long as this store is open; then its data
// is deleted. Where another process ended without that, the next one to open the store deletes it.
//
// Faults: NotFound, Conflict, Unavailable, Canceled.
func (s *Store) Remove(ctx context.Context, id string) error {
	c, at, unlock, err := s.hold(ctx, "remove source", id)
	if err != nil {
		return err
	}
	defer unlock()
	gone := removed{entry: c.Entries[at], at: at, keep: flock.New(filepath.Join(s.opt.Dir, c.Entries[at].File+keptSuffix))}
	if ok, err := gone.keep.TryLock(); err != nil || !ok {
		return writeFault("remove source", s.opt.Dir, err)
	}
	c.Entries = slices.Delete(c.Entries, at, at+1)
	if err := c.write(s.opt.Dir); err != nil {
		s.release(gone)
		return writeFault("remove source", s.opt.Dir, err)
	}
	s.mu.Lock()
	former, again := s.removed[id]
	s.removed[id] = gone
	s.mu.Unlock()
	if again {
		s.delete(former)
	}
	return s.refresh(context.WithoutCancel(ctx))
}

// Restore brings back a source that this store removed, as it was. Faults: NotFound (it was not removed here, or not since the
// store was opened), Conflict (the same file or other tables of the same names were imported since), Unavailable, Canceled.
func (s *Store) Restore(ctx context.Context, id string) (*Source, error) {
	const op = "restore source"
	unlock, err := s.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	s.mu.RLock()
	gone, ok := s.removed[id]
	s.mu.RUnlock()
	if !ok {
		return nil, noSource(op, id)
	}
	c, err := readCatalog(s.opt.Dir, s.opt.Home)
	if err != nil {
		return nil, err
	}
	if c.find(id) >= 0 {
		return nil, fault.New(fault.Conflict, op, text.Say("store.restore_again", "name", gone.entry.Name), text.Say("store.restore_again_hint"))
	}
	for _, e := range c.Entries {
		for name := range e.Stored {
			for own := range gone.entry.Stored {
				if strings.EqualFold(own, name) {
					return nil, fault.New(fault.Conflict, op, text.Say("store.restore_taken", "name", gone.entry.Name, "table", own, "other", e.Name), text.Say("store.restore_taken_hint"))
				}
			}
		}
	}
	c.Entries = slices.Insert(c.Entries, min(gone.at, len(c.Entries)), gone.entry)
	if err := c.write(s.opt.Dir); err != nil {
		return nil, writeFault(op, s.opt.Dir, err)
	}
	s.mu.Lock()
	delete(s.removed, id)
	s.mu.Unlock()
	s.release(gone)
	if err := s.refresh(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	source := gone.entry.Source
	return &source, nil
}

// Rename gives a source another name for people. Faults: Invalid, NotFound, Conflict, Unavailable, Canceled.
func (s *Store) Rename(ctx context.Context, id, name string) error {
	const op = "rename source"
	name = strings.TrimSpace(name)
	if name == "" || len(name) > 300 || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }) {
		return fault.New(fault.Invalid, op, text.Say("store.source_name"), text.Say("store.source_name_hint"))
	}
	c, at, unlock, err := s.hold(ctx, op, id)
	if err != nil {
		return err
	}
	defer unlock()
	c.Entries[at].Name = name
	if err := c.write(s.opt.Dir); err != nil {
		return writeFault(op, s.opt.Dir, err)
	}
	return s.refresh(context.WithoutCancel(ctx))
}

// hold takes the turn of imports and finds a source in the catalogue, to change it. The turn lasts until unlock. Faults: NotFound,
// Conflict, Unavailable, Canceled.
func (s *Store) hold(ctx context.Context, op, id string) (c catalog, at int, unlock func(), err error) {
	if unlock, err = s.lock(ctx); err != nil {
		return c, 0, nil, err
	}
	if c, err = readCatalog(s.opt.Dir, s.opt.Home); err == nil {
		if at = c.find(id); at < 0 {
			err = noSource(op, id)
		}
	}
	if err != nil {
		unlock()
		return c, 0, nil, err
	}
	return c, at, unlock, nil
}

// release gives up the right to bring a source back; its file belongs to the catalogue again.
func (s *Store) release(gone removed) {
	os.Remove(gone.keep.Path())
	_ = gone.keep.Unlock()
}

// delete takes the data of a removed source off the disk.
func (s *Store) delete(gone removed) {
	os.Remove(filepath.Join(s.opt.Dir, gone.entry.File)) // where an open file cannot go, sweep does it later
	s.release(gone)
}

// keptBySomebody says whether a database file that no source has may still be brought back by the process that removed it.
func keptBySomebody(dir, file string) bool {
	path := filepath.Join(dir, file+keptSuffix)
	if _, err := os.Stat(path); err != nil {
		return false
	}
	l := flock.New(path)
	if ok, err := l.TryLock(); err != nil || !ok {
		return true
	}
	os.Remove(path)
	_ = l.Unlock()
	return false
}

func noSource(op, id string) error {
	return notFound(op, text.Say("store.no_source", "id", id), text.Say("store.no_source_hint"))
}

func notFound(op, message, hint string) error { return fault.New(fault.NotFound, op, message, hint) }

func selectRejected(table string, most int) frameql.Statement {
	return frameql.Statement{SQL: `SELECT line, "column", reason, raw FROM ` + ident(table) + ` ORDER BY line`, MaxRows: most}
}

// State says how a source's file stands to what was imported.
type State string

// The states of a file.
const (
	Same    State = "same"
	Changed State = "changed"
	Missing State = "missing" // gone, or out of reach
)

// StateOf says how the file of a source is now. A file of the same size that was only touched is read to the end; what was
// found is kept until it is touched again. Fault: NotFound (no such source).
func (s *Store) StateOf(ctx context.Context, id string) (State, error) {
	var src *Source
	for _, one := range s.Sources() {
		if one.ID == id {
			src = &one
			break
		}
	}
	if src == nil {
		return "", noSource("look at file", id)
	}
	info, err := os.Stat(src.Path)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return Missing, nil
	case info.Size() != src.Bytes:
		return Changed, nil
	case info.ModTime().Equal(src.Modified):
		return Same, nil
	}
	seen := touched{src.Epoch, info.ModTime().UnixNano()}
	if same, ok := s.touched.get(src.Path + "\x00" + seen.String()); ok {
		return same, nil
	}
	state := Missing // out of reach
	if epoch, _, err := digest(ctx, src.Path, nil); err == nil {
		state = Changed
		if epoch == src.Epoch {
			state = Same
		}
		s.touched.put(src.Path+"\x00"+seen.String(), state)
	}
	return state, nil
}

// touched is a file as it was looked at.
type touched struct {
	epoch    string
	modified int64 // Unix nanoseconds
}

func (t touched) String() string { return t.epoch + " " + strconv.FormatInt(t.modified, 10) }
