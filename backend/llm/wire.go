package llm

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Limits bound one exchange over a wire. What is 0 gets its default.
type Limits struct {
	First time.Duration // until the reply begins: a model that is not loaded yet takes long; default 2 minutes
	Idle  time.Duration // between two pieces of it; default 30 s
	Total time.Duration // for all of it; default 5 minutes
	Bytes int64         // of it; default 8 MiB
	// After calls f when d is over, on another goroutine, unless stop is called before. nil: the clock of the machine.
	After func(d time.Duration, f func()) (stop func())
}

func (l Limits) orDefault() Limits {
	if l.First == 0 {
		l.First = 2 * time.Minute
	}
	if l.Idle == 0 {
		l.Idle = 30 * time.Second
	}
	if l.Total == 0 {
		l.Total = 5 * time.Minute
	}
	if l.Bytes == 0 {
		l.Bytes = 8 << 20
	}
	if l.After == nil {
		l.After = func(d time.Duration, f func()) func() {
			t := time.AfterFunc(d, f)
			return func() { t.Stop() }
		}
	}
	return l
}

// Seen is what an adapter gets to know of an exchange beside what its library tells: it decides from it, and not from the words of an error.
type Seen struct {
	Status int
	Header http.Header
	Bytes  int64
	Ended  bool   // the body came to its end as HTTP has it
	Tail   []byte // its last bytes, at least 16 KiB of them
	Err    error  // why it did not: libraries may make something else of it
}

const tailBytes = 16 << 10

// keep remembers the end of what came.
func (s *Seen) keep(p []byte) {
	s.Bytes += int64(len(p))
	if len(p) > tailBytes {
		p = p[len(p)-tailBytes:]
	}
	s.Tail = append(s.Tail, p...)
	if over := len(s.Tail) - tailBytes; over > tailBytes { // now and then, and not for every piece
		s.Tail = append(s.Tail[:0], s.Tail[over:]...)
	}
}

// After gives how long the provider wants to be left alone; 0: it did not say. A date counts from the date of the reply itself.
func (s *Seen) After() time.Duration {
	if s.Header == nil {
		return 0
	}
	if ms, err := strconv.ParseFloat(s.Header.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	said := s.Header.Get("Retry-After")
	if n, err := strconv.ParseFloat(said, 64); err == nil && n > 0 && n < 1e6 {
		return time.Duration(n * float64(time.Second))
	}
	until, err := http.ParseTime(said)
	now, errNow := http.ParseTime(s.Header.Get("Date"))
	if err == nil && errNow == nil && until.After(now) {
		return until.Sub(now)
	}
	return 0
}

type seenKey struct{}

// Observe makes the exchange of a request that is sent with the context fill in s. It is for one exchange at a time.
func Observe(ctx context.Context, s *Seen) context.Context {
	return context.WithValue(ctx, seenKey{}, s)
}

// wire is an exchange within its limits. Its errors are *Failure, but for those of the context that it was called with.
type wire struct {
	next   http.RoundTripper
	limits Limits
	guard  *Guard
}

// RoundTrip is that of http.RoundTripper.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := w.guard.allow(r.URL.Hostname()); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // a RoundTripper has to, even when it sends nothing
		}
		return nil, err
	}
	seen, _ := r.Context().Value(seenKey{}).(*Seen)
	if seen == nil {
		seen = &Seen{}
	}
	*seen = Seen{}
	ctx, cancel := context.WithCancelCause(r.Context())
	b := &body{limits: w.limits, caller: r.Context(), ctx: ctx, cancel: cancel, seen: seen}
	b.stopTotal = w.limits.After(w.limits.Total, func() { cancel(&Failure{Trouble: TooSlow}) })
	b.stopIdle = w.limits.After(w.limits.First, func() { cancel(&Failure{Trouble: Silent}) })
	res, err := w.next.RoundTrip(r.WithContext(ctx))
	b.stopIdle()
	if err != nil {
		err = b.failed(err, NoConnection)
		b.end()
		return nil, err
	}
	seen.Status, seen.Header = res.StatusCode, res.Header
	b.ReadCloser = res.Body
	res.Body = b
	return res, nil
}

// body is a reply as it comes.
type body struct {
	io.ReadCloser
	limits              Limits
	caller, ctx         context.Context
	cancel              context.CancelCauseFunc
	stopTotal, stopIdle func()
	seen                *Seen
	err                 error
}

func (b *body) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	stop := b.limits.After(b.limits.Idle, func() { b.cancel(&Failure{Trouble: Silent}) })
	n, err := b.ReadCloser.Read(p)
	stop()
	b.seen.keep(p[:n])
	switch {
	case b.seen.Bytes > b.limits.Bytes:
		b.err = &Failure{Trouble: TooLarge}
		b.seen.Err = b.err
		b.end()
		return 0, b.err
	case errors.Is(err, io.EOF) && context.Cause(b.ctx) == nil: // one that was given up may end as if it were whole
		b.seen.Ended, b.err = true, io.EOF
		b.end()
	case err != nil:
		b.err = b.failed(err, Broken)
		b.seen.Err = b.err
		b.end()
	}
	return n, b.err
}

func (b *body) Close() error {
	b.end()
	return b.ReadCloser.Close()
}

func (b *body) end() {
	b.stopTotal()
	b.stopIdle()
	b.cancel(nil)
}

// failed says what an error of the exchange was: ours, the caller's, or that of the network.
func (b *body) failed(err error, other Trouble) error {
	var ours *Failure
	if errors.As(context.Cause(b.ctx), &ours) || errors.As(err, &ours) {
		return ours
	}
	if b.caller.Err() != nil {
		return b.caller.Err()
	}
	return &Failure{Trouble: other, Err: err}
}
