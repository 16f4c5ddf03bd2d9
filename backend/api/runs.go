package api

import (
	"context"
	"sync"
	"time"
)

// work is what a run does, as far as a person who closes the window must know.
type work int

const (
	workLook     work = iota // rows, profiles: nothing is lost when it stops
	workQuestion             // a question, a query, what was confirmed
	workImport
	workExport
)

// Working counts what is under way and would be stopped by closing.
type Working struct {
	Questions, Imports, Exports int
}

// Any says whether anything is under way.
func (w Working) Any() bool { return w != Working{} }

// run is one request that may last.
type run struct {
	id     string // what the page calls it; empty: nothing
	does   work
	cancel context.CancelFunc
}

// runs are the requests under way. Those that the page named can be canceled by that name.
type runs struct {
	mu     sync.Mutex
	all    map[*run]bool
	closed bool
	idle   chan struct{} // made by stop, closed when the last run is over
}

// stopWait is how long the end of a server waits for what it canceled.
const stopWait = 5 * time.Second

func newRuns() *runs { return &runs{all: map[*run]bool{}} }

// start gives a context that cancel(id) ends, and the function to call when the run is over. After stop the context has ended already.
func (r *runs) start(ctx context.Context, does work, id string) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	this := &run{id, does, cancel}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		cancel()
	}
	r.all[this] = true
	return ctx, func() {
		cancel()
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.all, this)
		if r.idle != nil && len(r.all) == 0 {
			close(r.idle)
			r.idle = nil
		}
	}
}

func (r *runs) cancel(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := false
	for one := range r.all {
		if id != "" && one.id == id {
			one.cancel()
			found = true
		}
	}
	return found
}

func (r *runs) working() Working {
	r.mu.Lock()
	defer r.mu.Unlock()
	var w Working
	for one := range r.all {
		switch one.does {
		case workQuestion:
			w.Questions++
		case workImport:
			w.Imports++
		case workExport:
			w.Exports++
		case workLook:
		}
	}
	return w
}

// stop cancels every run and waits until all are over, so that each has written down how it ended; stopWait at most.
func (r *runs) stop() {
	r.mu.Lock()
	r.closed = true
	for one := range r.all {
		one.cancel()
	}
	idle := make(chan struct{})
	switch {
	case len(r.all) == 0:
		close(idle)
	case r.idle != nil:
		idle = r.idle
	default:
		r.idle = idle
	}
	r.mu.Unlock()
	select {
	case <-idle:
	case <-time.After(stopWait):
	}
}

// Working says what is under way and would be stopped by closing.
func (s *Server) Working() Working { return s.runs.working() }
