package api

import (
	"context"
	"testing"
)

// What is under way is counted by what a person would lose; closing cancels it, waits for its end, and lets nothing new begin.
func TestClosingWaitsForWhatItStops(t *testing.T) {
	r := newRuns()
	var ends []func()
	var contexts []context.Context
	for _, does := range []work{workQuestion, workImport, workImport, workExport, workLook} {
		ctx, done := r.start(t.Context(), does, "")
		contexts, ends = append(contexts, ctx), append(ends, done)
	}
	if got := r.working(); got != (Working{Questions: 1, Imports: 2, Exports: 1}) || !got.Any() {
		t.Errorf("%+v", got)
	}
	stopped := make(chan struct{})
	go func() { r.stop(); close(stopped) }()
	for i, ctx := range contexts {
		<-ctx.Done()
		select {
		case <-stopped:
			t.Fatalf("it did not wait for run %d", i)
		default:
		}
		ends[i]()
	}
	<-stopped
	if late, done := r.start(t.Context(), workQuestion, "late"); late.Err() == nil {
		t.Error("a run begins after the end")
	} else {
		done()
	}
	if got := r.working(); got.Any() {
		t.Errorf("left: %+v", got)
	}
	r.stop() // twice is no harm
}

func TestARunIsCanceledByItsNameAlone(t *testing.T) {
	r := newRuns()
	named, _ := r.start(t.Context(), workQuestion, "a")
	unnamed, _ := r.start(t.Context(), workQuestion, "")
	if r.cancel("") || r.cancel("b") || named.Err() != nil || unnamed.Err() != nil {
		t.Error("what nobody named is canceled")
	}
	if !r.cancel("a") || named.Err() == nil || unnamed.Err() != nil {
		t.Error("what was named is not canceled, or something else is")
	}
}
