package workspace

import (
	"context"
	"testing"
	"time"

	"assay/backend/fault"
)

// TestWorkIsOfTheLastDaysAndOnesOwn: what a person was answered in the last 90 days and today counts, by the metrics and entities that the queries name; nobody else's does, and what is deleted does
// not.
func TestWorkIsOfTheLastDaysAndOnesOwn(t *testing.T) {
	home, at := t.TempDir(), noon()
	open := func(days int) *Workspace {
		t.Helper()
		w, err := Open(context.Background(), Target{}, Options{DataDir: home, Now: func() time.Time { return at.AddDate(0, 0, days) }})
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return w
	}
	w := open(0)
	for session, question := range map[string]string{"kept": "revenue by category in 1997", "gone": "how many customers"} {
		if _, a := readAs(t, w, ada, session, question); a.Frame == nil {
			t.Fatalf("%q has no answer", question)
		}
	}
	if work, err := w.Work(t.Context(), "", ada); err != nil || work.Answers != 2 || work.Metrics["revenue"] != 1 {
		t.Errorf("today it is %+v, %v", work, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	w = open(1)
	work, err := w.Work(t.Context(), "", ada)
	if err != nil || work.Answers != 2 || work.Metrics["revenue"] != 1 || work.Entities["categories"] != 1 || work.Entities["customers"] != 1 {
		t.Errorf("%+v, %v", work, err)
	}
	if work, err := w.Work(t.Context(), "", bob); err != nil || work.Answers != 0 {
		t.Errorf("somebody else's is %+v, %v", work, err)
	}
	if _, err := w.Memory().Purge(t.Context(), "gone", "ada"); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	for days, answers := range map[int]int{2: 1, 90: 1, 92: 0} {
		w := open(days)
		if work, err := w.Work(t.Context(), "", ada); err != nil || work.Answers != answers {
			t.Errorf("after %d days: %+v, %v", days, work, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
