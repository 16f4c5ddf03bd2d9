package desktop

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
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
	heard  func(Opening)
	done   sync.WaitGroup
}

// The bounds of a call.
const (
	callBytes = 1 << 20
	callTime  = 2 * time.Second  // for one call, either way
	callWait  = 10 * time.Second // for a first process that is only starting
)

// Claim makes this process the first one of the folder, or hands what it was started to open over to the one that is; then first is
// nil. heard is called in order, one call at a time, with what a later process was started to open, which may be nothing.
//
// A socket in the person's own folder carries them: it needs no message bus, and the workspace is not opened to find out. Faults:
// Conflict (the first one does not answer), Unavailable (the folder cannot be written).
func (f Folder) Claim(ctx context.Context, here Opening, heard func(Opening)) (first *First, err error) {
	lock := flock.New(f.path(".lock"))
	free, err := lock.TryLock()
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, "claim window", text.Say("desktop.cannot_write", "dir", f.dir), text.Say("desktop.cannot_write_hint"), err)
	}
	if !free {
		return nil, f.handOver(ctx, here)
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
	var heard Opening
	if err := json.NewDecoder(io.LimitReader(c, callBytes)).Decode(&heard); err != nil || !heard.formed() {
		return
	}
	if _, err := c.Write([]byte("heard\n")); err == nil {
		p.heard(heard)
	}
}

func (f Folder) handOver(ctx context.Context, here Opening) error {
	ctx, cancel := context.WithTimeout(ctx, callWait)
	defer cancel()
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

func (f Folder) call(ctx context.Context, here Opening) error {
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
