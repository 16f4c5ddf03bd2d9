package workspace

import (
	"testing"

	"assay/backend/analyst"
	"assay/backend/memory"
	"assay/backend/session"
)

// TestContentsAreExact counts, before a file is written, everything that stands in it beside questions, tables and queries.
func TestContentsAreExact(t *testing.T) {
	w := openTarget(t, Target{}, t.TempDir())
	id := told(t, w)
	look := func(id string, frames session.Frames) SessionContents {
		t.Helper()
		c, err := w.SessionContents(t.Context(), id, SessionChoice{Frames: frames})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := look(id, "")
	if c.Feedback != 1 || c.Versions != 1 || c.Corrections != 1 || c.Sentences < 6 || c.Memos+c.Cleared+c.Replies+c.Terms+c.SharedTerms+c.Preferences != 0 || c.Origin != "" {
		t.Errorf("%+v", c)
	}
	d := imported(t, w, exported(t, w, id, SessionChoice{}))
	frames := 0
	for _, turn := range d.Turns {
		for _, a := range turn.Artifacts {
			if a.Kind == session.KindFrame {
				frames++
			}
		}
	}
	if c.Frames != frames {
		t.Errorf("%d frames of %d", c.Frames, frames)
	}
	if _, err := w.memory.Clear(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if c = look(id, ""); c.Cleared != 12 || c.Corrections != 1 {
		t.Errorf("cleared: %+v", c)
	}
	for _, r := range []analyst.Request{
		{Question: "gmv means revenue"},
		{Question: "gmv by category in 1997", Memo: "turnover means revenue"},
		{Question: "show numbers in thousands"},
		{Question: "gmv by country in 1997"},
	} {
		r.SessionID = "taught"
		if _, err := w.Ask(t.Context(), r, nil); err != nil {
			t.Fatal(err)
		}
	}
	if c = look("taught", ""); c.Memos != 1 || c.Terms != 1 || c.Preferences != 1 || c.SharedTerms != 0 {
		t.Errorf("taught: %+v", c)
	}
	fork, err := w.Fork(t.Context(), "taught", memory.ForkAt{Turn: 2})
	if err != nil {
		t.Fatal(err)
	}
	if c = look(fork.SessionID, session.FramesNone); c.Origin != "gmv means revenue" || c.Frames != 0 || c.Sentences == 0 {
		t.Errorf("forked: %+v", c)
	}
	nest := (&canaries{t: t}).hatch(w)
	if c = look(nest, ""); c.Replies != 6 {
		t.Errorf("replies: %+v", c)
	}
	if c = look(nest, session.FramesNone); c.Replies != 0 || len(c.Personal) == 0 {
		t.Errorf("replies without rows: %+v", c)
	}
}
