package secret

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/zalando/go-keyring"
)

// Ring is a keyring. Get, Set and Delete may ask a person, and may hang for good.
type Ring interface {
	// Reach says without asking anybody whether a call is worth it: nil, ErrLocked (it would ask a person first), or ErrUnavailable.
	Reach(ctx context.Context) error
	Get(service, user string) (string, error) // keyring.ErrNotFound: it is not there
	Set(service, user, secret string) error
	Delete(service, user string) error
}

// System is the keyring of the operating system.
type System struct{}

// Get implements Ring.
func (System) Get(service, user string) (string, error) { return keyring.Get(service, user) }

// Set implements Ring.
func (System) Set(service, user, secret string) error { return keyring.Set(service, user, secret) }

// Delete implements Ring.
func (System) Delete(service, user string) error { return keyring.Delete(service, user) }

// Reach implements Ring.
func (System) Reach(ctx context.Context) error { return reach(ctx) }

// patient calls a ring: one call at a time, each with a deadline. A call that hangs keeps its goroutine, and no other one is started before it
// has come back; after a deadline has passed the keyring is left alone for a while, so that nobody waits for it again and again.
type patient struct {
	ring  Ring
	wait  time.Duration // for a call that asks nobody
	ask   time.Duration // for one that may ask a person
	rest  time.Duration // after a deadline
	after func(time.Duration) <-chan time.Time
	now   func() time.Time

	turn  chan struct{} // held by the call under way
	mu    sync.Mutex
	until time.Time // no call before
}

// reach says what Ring.Reach says, within the deadline.
func (p *patient) reach(ctx context.Context) error {
	if p.resting() {
		return ErrTimeout
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- p.ring.Reach(ctx) }()
	select {
	case err := <-done:
		return err
	case <-p.after(p.wait):
		p.pause()
		return ErrTimeout
	case <-ctx.Done():
		return ctx.Err()
	}
}

// do calls, when the ring can be reached. What a call gets it must hand over by itself: one that ends too late is not waited for. The error is
// one of ErrNotFound, ErrLocked, ErrUnavailable, ErrTimeout and ErrTooBig, or the end of ctx.
func (p *patient) do(ctx context.Context, call func() error) error {
	limit, locked := p.wait, false
	switch err := p.reach(ctx); {
	case errors.Is(err, ErrLocked):
		limit, locked = p.ask, true
	case err != nil:
		return err
	}
	deadline := p.after(limit)
	select {
	case p.turn <- struct{}{}:
	case <-deadline:
		p.pause()
		return ErrTimeout
	case <-ctx.Done():
		return ctx.Err()
	}
	done := make(chan error, 1)
	go func() {
		err := call()
		<-p.turn
		p.awake()
		done <- err
	}()
	select {
	case err := <-done:
		return sorted(err, locked)
	case <-deadline:
		p.pause()
		return ErrTimeout
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sorted tells errors of a ring apart, by type alone: what a locked one that could not be unlocked says has none.
func sorted(err error, locked bool) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNotFound
	case errors.Is(err, keyring.ErrSetDataTooBig):
		return errors.Join(ErrTooBig, err)
	case locked || isLocked(err):
		return errors.Join(ErrLocked, err)
	default:
		return errors.Join(ErrUnavailable, err)
	}
}

func (p *patient) resting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now().Before(p.until)
}

func (p *patient) pause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.until = p.now().Add(p.rest)
}

// awake ends the rest: the call that hung has come back.
func (p *patient) awake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.until = time.Time{}
}

// Nowhere is a keyring that is not there.
type Nowhere struct{}

// Reach implements Ring.
func (Nowhere) Reach(context.Context) error { return ErrUnavailable }

// Get implements Ring.
func (Nowhere) Get(string, string) (string, error) { return "", ErrUnavailable }

// Set implements Ring.
func (Nowhere) Set(string, string, string) error { return ErrUnavailable }

// Delete implements Ring.
func (Nowhere) Delete(string, string) error { return ErrUnavailable }
