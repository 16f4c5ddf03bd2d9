package workspace

import (
	"context"

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

// attestLater measures the rest in the background and hands out a view with it, unless another was made meanwhile. What
// was found is kept statement by statement, so that a process that ends early has not worked in vain. w.mu is held.
func (w *Workspace) attestLater(kept *statements, v view) {
	ctx, cancel := context.WithCancel(context.Background())
	b := &background{cancel: cancel, done: make(chan struct{})}
	w.measuring = b
	go func() {
		defer close(b.done)
		defer cancel()
		a, _ := w.attest(ctx, kept.measuring(w.store.Query, func() { w.keepStatements(kept) }), v.model)
		w.mu.Lock()
		defer w.mu.Unlock()
		if ctx.Err() == nil && w.measuring == b {
			w.knowledge.Store(v.with(a))
		}
	}()
}

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
}

// with gives the knowledge with an attestation: the model that a request works with says what was measured of its joins
// and hierarchies.
func (v view) with(a attestation) *analyst.Knowledge {
	k := v.base
	k.Model = semantic.WithAttestations(v.model, func(j *semantic.Join) *semantic.Attestation { return a.joins[joinKey(j)] })
	k.Model = semantic.WithDependencies(k.Model, func(e *semantic.Entity, finer, coarser string) *semantic.StepAttestation {
		return a.steps[stepKey(e.Name, finer, coarser)]
	})
	k.Index = interpret.NewIndex(k.Model, v.measured.Values)
	f := facts{attestation: a, values: v.measured.valueSets(), model: v.model}
	k.Rows, k.Distinct, k.Values, k.Unique = f.rowsOf, f.distinctOf, f.valuesOf, f.uniqueOf
	return &k
}
