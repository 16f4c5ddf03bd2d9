package store

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"assay/backend/fault"
	"assay/backend/text"
)

// lockFile is locked by the process that changes the store. Readers never touch it.
const lockFile = "lock"

// tryLock takes the lock if it is free.
func tryLock(dir string) (unlock func(), ok bool) {
	l := flock.New(filepath.Join(dir, lockFile))
	if ok, err := l.TryLock(); err != nil || !ok {
		return nil, false
	}
	return func() { _ = l.Unlock() }, true
}

// lock waits its turn among the imports of this process, then for other processes, Options.LockWait at most.
// Faults: Conflict (another process keeps it), Canceled, Unavailable (the folder cannot be written).
func (s *Store) lock(ctx context.Context) (unlock func(), err error) {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, canceled(ctx, "lock store")
	}
	release := func() { <-s.turn }
	s.mu.RLock()
	closed := s.closed
	s.mu.RUnlock()
	if closed {
		release()
		return nil, closedFault()
	}
	wait, cancel := context.WithTimeout(ctx, s.opt.LockWait)
	defer cancel()
	l := flock.New(filepath.Join(s.opt.Dir, lockFile))
	ok, err := l.TryLockContext(wait, 20*time.Millisecond)
	switch {
	case ok:
		return func() { _ = l.Unlock(); release() }, nil
	case ctx.Err() != nil:
		err = canceled(ctx, "lock store")
	case wait.Err() != nil:
		err = fault.Wrap(fault.Conflict, "lock store", text.Say("store.busy"), text.Say("store.busy_hint"), err)
	default:
		err = writeFault("lock store", s.opt.Dir, err)
	}
	release()
	return nil, err
}

// writeFault classifies a failure to write into the store's folder.
func writeFault(op, dir string, err error) error {
	switch {
	case noSpace(err):
		return fault.Wrap(fault.Unavailable, op, text.Say("store.no_space", "dir", dir), text.Say("store.no_space_hint"), err)
	case os.IsPermission(err) || readOnly(err):
		return fault.Wrap(fault.Unavailable, op, text.Say("store.dir_unwritable", "dir", dir), text.Say("store.dir_unwritable_hint"), err)
	default:
		return fault.Wrap(fault.Unavailable, op, text.Say("store.write_failed", "dir", dir), text.Say("store.write_failed_hint"), err)
	}
}
