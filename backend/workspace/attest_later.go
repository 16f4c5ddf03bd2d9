package workspace

import (
	"context"
	"time"

	"assay/backend/analyst"
	"assay/backend/interpret"
	"assay/backend/semantic"
)

// background is a measurement that runs while questions are answered.
type background struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// attestNow measures what can be measured at once: what is kept from before, and everything when the data is small. later
// is what remains to be measured; nil: nothing. w.mu is held.
func (w *Workspace) attestNow(ctx context.Context, m *semantic.Model) (a attestation, later *statements) {
	kept := w.keptStatements()
	a, open := w.attest(ctx, kept.known, m)
	if open == 0 {
		return a, nil
	}
	if w.storedRows() <= attestAtOnce {
		a, open = w.attest(ctx, kept.measuring(w.store.Query, func() {}), m)
		w.keepStatements(kept)
	}
	if open == 0 {
		return a, nil
	}
	return a, kept
}

// measureLater hands out a view, and measures in the background what is missing in it: the values of the data, which
// questions miss the most, then what is open of the attestation. Each hands out the view again. w.mu is held.
func (w *Workspace) measureLater(v view, attested attestation, values bool, later *statements) {
	if values {
		v.values = interpret.NewValues(v.model, nil)
		v.base.Await = w.inBackground(func(ctx context.Context, publish func(func())) {
			if found, err := w.readValues(ctx, v.model); err == nil {
				v.measured.Values = found
				v.values = interpret.NewValues(v.model, found)
			}
			publish(func() {
				v.base.Await = nil
				w.show(v, attested)
				if later != nil {
					w.attestLater(later, v)
				}
			})
		})
	}
	w.show(v, attested)
	if later != nil && !values {
		w.attestLater(later, v)
	}
}

// attestLater measures the rest in the background and hands out a view with it, unless another was made meanwhile. What
// was found is kept statement by statement, so that a process that ends early has not worked in vain. w.mu is held.
func (w *Workspace) attestLater(kept *statements, v view) {
	w.inBackground(func(ctx context.Context, publish func(func())) {
		a, _ := w.attest(ctx, kept.measuring(w.store.Query, func() { w.keepStatements(kept) }), v.model)
		publish(func() { w.show(v, a) })
	})
}

// inBackground works while questions are answered. What it found is published under w.mu, and only while nothing else was
// begun in its place. The result waits for the end as long as is worth it, and says whether it came. w.mu is held.
func (w *Workspace) inBackground(work func(ctx context.Context, publish func(func()))) (await func(context.Context) bool) {
	ctx, cancel := context.WithCancel(context.Background())
	b := &background{cancel: cancel, done: make(chan struct{})}
	w.measuring = b
	go func() {
		defer close(b.done)
		defer cancel()
		work(ctx, func(f func()) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if ctx.Err() == nil && w.measuring == b {
				f()
			}
		})
	}()
	return func(ctx context.Context) bool {
		enough, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		select {
		case <-b.done:
			return true
		case <-enough.Done():
			return false
		}
	}
}

// patience is how long a question waits for the values of large data when it has words that may be among them.
const patience = 2500 * time.Millisecond

// stopMeasuring ends a measurement in the background and gives what is closed when it has ended; nil when there is
// none. w.mu is held.
func (w *Workspace) stopMeasuring() <-chan struct{} {
	b := w.measuring
	w.measuring = nil
	if b == nil {
		return nil
	}
	b.cancel()
	return b.done
}

// view is the part of the knowledge that does not depend on attestations.
type view struct {
	model    *semantic.Model
	base     analyst.Knowledge
	measured measured
	values   *interpret.Values // indexed; nil: those that were measured, and nobody indexed them yet
}

// with gives the knowledge with an attestation: the model that a request works with says what was measured of its joins
// and hierarchies.
func (v view) with(a attestation) *analyst.Knowledge {
	k := v.base
	k.Model = semantic.WithAttestations(v.model, func(j *semantic.Join) *semantic.Attestation { return a.joins[joinKey(j)] })
	k.Model = semantic.WithDependencies(k.Model, func(e *semantic.Entity, finer, coarser string) *semantic.StepAttestation {
		return a.steps[stepKey(e.Name, finer, coarser)]
	})
	k.Model = semantic.WithChecks(k.Model, func(g *semantic.Gotcha) *string {
		if gave, ok := a.checks[g.Name]; ok {
			return &gave
		}
		return nil
	})
	if v.values == nil {
		v.values = interpret.NewValues(k.Model, v.measured.Values)
	}
	k.Index = interpret.NewIndexOver(k.Model, v.values).WholeMembers()
	f := facts{attestation: a, values: v.measured.valueSets(), model: v.model}
	k.Rows, k.Distinct, k.Values, k.Unique = f.rowsOf, f.distinctOf, f.valuesOf, f.uniqueOf
	return &k
}
