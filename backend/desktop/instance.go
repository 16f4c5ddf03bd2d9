package desktop

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"assay/backend/fault"
	"assay/backend/text"
)

// First is the process whose window a workspace has. It hears of every later one until Close.
type First struct {
	lock   *flock.Flock
	socket net.Listener // nil: the folder has too long a name for one
	heard  func(paths []string)
	done   sync.WaitGroup
}

// call is what a later process hands over, and the bounds of it.
type call struct {
	Paths []string `json:"paths"` // absolute
}

const (
	callBytes = 1 << 20
	callTime  = 2 * time.Second  // for one call, either way
	callWait  = 10 * time.Second // for a first process that is only starting
)

// Claim makes this process the first one of the folder, or hands the paths over to the one that is; then first is nil. heard is called
// in order, one call at a time, with the absolute paths that a later process was started with; none means it was started without.
//
// A socket in the person's own folder carries them: it needs no message bus, and the workspace is not opened to find out. Faults:
// Conflict (the first one does not answer), Unavailable (the folder cannot be written).
func (f Folder) Claim(ctx context.Context, paths []string, heard func(paths []string)) (first *First, err error) {
	lock := flock.New(f.path(".lock"))
	free, err := lock.TryLock()
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, "claim window", text.Say("desktop.cannot_write", "dir", f.dir), text.Say("desktop.cannot_write_hint"), err)
	}
	if !free {
		return nil, f.handOver(ctx, paths)
	}
	p := &First{lock: lock, heard: heard}
	_ = os.Remove(f.path(".sock")) // of a process that was killed: the lock was free
	// Without a socket (the folder has too long a name) a later process says that this one does not answer.
	if socket, err := (&net.ListenConfig{}).Listen(ctx, "unix", f.path(".sock")); err == nil {
		p.socket = socket
		_ = os.Chmod(f.path(".sock"), 0o600)
		p.done.Add(1)
		go p.listen()
	}
	return p, nil
}

// Close gives the folder free.
func (p *First) Close() {
	if p.socket != nil {
		_ = p.socket.Close() // takes the file away too
	}
	p.done.Wait()
	_ = p.lock.Unlock()
}

func (p *First) listen() {
	defer p.done.Done()
	for {
		c, err := p.socket.Accept()
		if err != nil {
			return // closed
		}
		p.take(c)
	}
}

func (p *First) take(c net.Conn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(callTime))
	var heard call
	if err := json.NewDecoder(io.LimitReader(c, callBytes)).Decode(&heard); err != nil {
		return
	}
	if _, err := c.Write([]byte("heard\n")); err == nil {
		p.heard(heard.Paths)
	}
}

func (f Folder) handOver(ctx context.Context, paths []string) error {
	ctx, cancel := context.WithTimeout(ctx, callWait)
	defer cancel()
	here := call{Paths: []string{}}
	for _, path := range paths {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return fault.Wrap(fault.Invalid, "hand over", text.Say("desktop.bad_path", "path", path), "", err)
		}
		here.Paths = append(here.Paths, absolute)
	}
	var err error
	for ctx.Err() == nil {
		if err = f.call(ctx, here); err == nil {
			return nil
		}
		select {
		case <-time.After(50 * time.Millisecond): // it may only be starting
		case <-ctx.Done():
		}
	}
	return fault.Wrap(fault.Conflict, "hand over", text.Say("desktop.silent"), text.Say("desktop.silent_hint"), err)
}

func (f Folder) call(ctx context.Context, here call) error {
	c, err := (&net.Dialer{Timeout: callTime}).DialContext(ctx, "unix", f.path(".sock"))
	if err != nil {
		return err
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(callTime))
	if err := json.NewEncoder(c).Encode(here); err != nil {
		return err
	}
	answer, err := io.ReadAll(io.LimitReader(c, 16))
	if err == nil && string(answer) != "heard\n" {
		err = errors.New("it did not take the call")
	}
	return err
}
