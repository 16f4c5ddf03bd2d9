package fault

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestCodeOfTellsByType(t *testing.T) {
	missing := New(NotFound, "open file", "There is no file a.csv.", "Check the name.")
	cases := []struct {
		name string
		err  error
		want Code
	}{
		{"nothing", nil, ""},
		{"a fault", missing, NotFound},
		{"a wrapped fault", fmt.Errorf("load model: %w", missing), NotFound},
		{"the outermost of two", Wrap(Unavailable, "import", "No space left.", "", missing), Unavailable},
		{"a canceled context", fmt.Errorf("query: %w", context.Canceled), Canceled},
		{"an expired context", context.DeadlineExceeded, Limit},
		{"anything else", errors.New("there is no file"), Internal},
	}
	for _, c := range cases {
		if got := CodeOf(c.err); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestErrorIsForAPersonAndDetailForTheLog(t *testing.T) {
	cause := errors.New("errno 28")
	err := Wrap(Unavailable, "import file", "No space is left on the disk.", "Free some and try again.", cause)
	if got, want := err.Error(), "No space is left on the disk. Free some and try again."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Detail(fmt.Errorf("outer: %w", err)), "import file [unavailable]: No space is left on the disk.: errno 28"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
}
