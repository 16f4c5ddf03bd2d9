package llm

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"assay/backend/fault"
)

// Patience says how a model is asked again. What is 0 or nil gets its default.
type Patience struct {
	Times  int           // asked at most, the first time too; default 3
	First  time.Duration // about how long the first pause is; each next one is twice as long; default 400 ms
	Most   time.Duration // the longest pause; a provider that wants a longer one is not asked again; default 20 s
	Sleep  func(ctx context.Context, d time.Duration) error
	Random func() float64 // 0 to 1; spreads those who were refused together
}

// WithRetries asks a model again where it was unavailable: it could not be reached, was overloaded, was asked too often, or broke off. It is
// not asked again when a piece of the reply was heard already, which cannot be taken back, or when it went silent, which took long enough.
func WithRetries(m Model, p Patience) Model {
	if p.Times == 0 {
		p.Times = 3
	}
	if p.First == 0 {
		p.First = 400 * time.Millisecond
	}
	if p.Most == 0 {
		p.Most = 20 * time.Second
	}
	if p.Sleep == nil {
		p.Sleep = sleep
	}
	if p.Random == nil {
		p.Random = rand.Float64
	}
	return &patient{Model: m, p: p}
}

type patient struct {
	Model
	p Patience
}

// Send is that of Model.
func (m *patient) Send(ctx context.Context, r Request, hear func(Chunk)) (Response, error) {
	heard := false
	listen := hear
	if hear != nil {
		listen = func(c Chunk) {
			heard = true
			hear(c)
		}
	}
	pause := m.p.First
	for n := 1; ; n++ {
		res, err := m.Model.Send(ctx, r, listen)
		if n >= m.p.Times || heard || !again(err) {
			return res, err
		}
		wait := time.Duration(float64(pause) * (0.5 + m.p.Random())) // half to one and a half
		var f *Failure
		if errors.As(err, &f) && f.After > 0 {
			if f.After > m.p.Most {
				return res, err
			}
			wait = f.After + time.Duration(float64(pause)*m.p.Random()) // never earlier than it asked for
		}
		if m.p.Sleep(ctx, min(wait, m.p.Most+pause)) != nil {
			return res, Canceled(context.Cause(ctx))
		}
		pause = min(2*pause, m.p.Most)
	}
}

func again(err error) bool {
	if fault.CodeOf(err) != fault.Unavailable {
		return false
	}
	t := TroubleOf(err)
	return t != Silent && t != TooSlow
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
