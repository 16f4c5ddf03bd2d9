package memory

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// presence tells the processes that share a memory file which of them are alive.
//
// Every open Memory holds an exclusive lock on a file of its own for as long as it lives. The operating system lets go of
// the lock when the process ends, however it ends: a lock that can be taken belongs to the dead. No process id can be
// reused, no clock is read and no heartbeat is missed.
type presence struct {
	dir       string
	instance  string
	lock      *flock.Flock
	foundDead bool // somebody died here since the last opening
}

const lockSuffix = ".lock"

// arrive takes this instance's lock and runs prepare while no other process is opening the same memory file.
func arrive(ctx context.Context, dir, instance string, prepare func(context.Context, *presence) error) (*presence, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	opening := flock.New(filepath.Join(dir, "opening"), flock.SetPermissions(0o600))
	wait, stop := context.WithTimeout(ctx, busyWait)
	defer stop()
	held, err := opening.TryLock() // what is free is taken, however late it is
	if err == nil && !held {
		_, err = opening.TryLockContext(wait, busyWait/1000)
	}
	if err != nil {
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			return nil, errHeld
		}
		return nil, err
	}
	defer func() { _ = opening.Close() }()

	p := &presence{dir: dir, instance: instance}
	p.lock = flock.New(p.file(instance), flock.SetPermissions(0o600))
	if held, err := p.lock.TryLock(); err != nil || !held {
		return nil, errors.Join(errHeld, err)
	}
	p.foundDead = p.sweep()
	if err := prepare(ctx, p); err != nil {
		return nil, errors.Join(err, p.leave())
	}
	return p, nil
}

var errHeld = errors.New("the memory file is held by another process")

func (p *presence) file(instance string) string { return filepath.Join(p.dir, instance+lockSuffix) }

// alive says whether an instance still runs. An instance whose file is gone has left.
func (p *presence) alive(instance string) bool {
	if instance == p.instance {
		return true
	}
	if _, err := os.Stat(p.file(instance)); errors.Is(err, fs.ErrNotExist) {
		return false
	}
	other := flock.New(p.file(instance), flock.SetFlag(os.O_RDWR))
	held, err := other.TryLock()
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) // in doubt it lives: a wrong "interrupted" would be a lie
	}
	if held {
		_ = other.Close()
	}
	return !held
}

// Instance names this opening of the memory among all that there were.
func (m *Memory) Instance() string { return m.presence.instance }

// Lives says whether the process of an instance still has the memory open.
func (m *Memory) Lives(instance string) bool { return m.presence.alive(instance) }

// sweep removes the files of the dead and says whether there were any. Only an opening process calls it, so nobody can be
// between making a file and locking it.
func (p *presence) sweep() bool {
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		return false
	}
	dead := false
	for _, e := range entries {
		instance, isLock := strings.CutSuffix(e.Name(), lockSuffix)
		if isLock && !p.alive(instance) {
			dead = true
			_ = os.Remove(p.file(instance)) // a file that stays is found again by the next opening
		}
	}
	return dead
}

// leave gives the lock back and removes its file.
func (p *presence) leave() error {
	err := p.lock.Close()
	if gone := os.Remove(p.file(p.instance)); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
