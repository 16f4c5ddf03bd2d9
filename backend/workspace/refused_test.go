package workspace

import (
	"testing"
	"time"
)

// TestRefusalsAreBounded: a flood of refused requests is counted, and not written one by one.
func TestRefusalsAreBounded(t *testing.T) {
	var r refusals
	written := 0
	for range 1000 {
		if _, write := r.next(noon()); write {
			written++
		}
	}
	if written != mostRefusals {
		t.Errorf("%d of a minute are written", written)
	}
	untold, write := r.next(noon().Add(time.Minute))
	if !write || untold != 1000-mostRefusals {
		t.Errorf("%v after %d", write, untold)
	}
	if untold, write := r.next(noon().Add(-time.Hour)); !write || untold != 0 { // the clock was set back
		t.Errorf("%v after %d", write, untold)
	}
}
