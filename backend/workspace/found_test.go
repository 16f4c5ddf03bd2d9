package workspace

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
)

func foundIn(t *testing.T, w *Workspace, who, session, words string) []TaughtFound {
	t.Helper()
	found, err := w.FindTaught(t.Context(), words, session, "", as(who))
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return found
}

func termsOf(found []TaughtFound) string {
	var all []string
	for _, f := range found {
		all = append(all, f.Term)
	}
	return strings.Join(all, ", ")
}

// TestRecallByEntity: what is about a thing of the model is found by its id and by its other names, whatever its own words are; of nobody else.
func TestRecallByEntity(t *testing.T) {
	w := openShared(t, t.TempDir())
	teach(t, w, "ada", "yield means gross revenue")
	teach(t, w, "ada", "haulage means freight")
	teach(t, w, "ada", "drinks means beverages")
	teach(t, w, "bob", "yield means gross revenue excluding beverages")
	for words, want := range map[string]string{
		"gross_revenue":            "yield",
		"orders.freight_charge":    "",
		"category_name":            "drinks",
		"categories.category_name": "drinks",
		"categories":               "drinks",
	} {
		var named []string
		for _, f := range foundIn(t, w, "ada", "", words) {
			if f.Named {
				named = append(named, f.Term)
			}
			if strings.Contains(f.Means, "excluding") {
				t.Errorf("%q finds what somebody else taught", words)
			}
		}
		if want != "" && !slices.Contains(named, want) || want == "" && len(named) > 1 {
			t.Errorf("%q names %q, want %q", words, named, want)
		}
	}
	if found := foundIn(t, w, "eve", "", "gross_revenue"); len(found) != 0 {
		t.Errorf("who taught nothing finds %+v", found)
	}
}

// TestRecallBySession: of what is as near, that goes first which answers of the session in view were read with; a session of somebody else says nothing.
func TestRecallBySession(t *testing.T) {
	w := openShared(t, t.TempDir())
	teach(t, w, "ada", "takings means gross revenue")
	teach(t, w, "ada", "proceeds means gross revenue")
	alone := foundIn(t, w, "ada", "", "gross revenue")
	if len(alone) != 2 || alone[0].Used || alone[1].Used {
		t.Fatalf("without a session %+v", alone)
	}
	second := alone[1]
	_, a := readAs(t, w, as("ada"), "s", second.Term+" by month in 1997")
	if len(a.Remembered) != 1 || a.Remembered[0].ID != second.ID {
		t.Fatalf("read with %+v", a.Remembered)
	}
	if found := foundIn(t, w, "ada", "s", "gross revenue"); len(found) != 2 || found[0].ID != second.ID || !found[0].Used || found[1].Used {
		t.Errorf("in the session %+v", found)
	}
	if again := foundIn(t, w, "ada", "", "gross revenue"); !slices.Equal(again, alone) {
		t.Errorf("without it %s, and before %s", termsOf(again), termsOf(alone))
	}
	teach(t, w, "bob", "takings means freight")
	for _, session := range []string{"s", "nothing"} {
		if found := foundIn(t, w, "bob", session, "takings"); len(found) != 1 || found[0].Used {
			t.Errorf("bob finds %+v in the session %s", found, session)
		}
	}
}

// TestWorkSaysWhatBelongsTogether: pairs and interests come from a person's own answers, and from nobody else's.
func TestWorkSaysWhatBelongsTogether(t *testing.T) {
	home, at := t.TempDir(), noon()
	w, err := Open(context.Background(), Target{}, Options{DataDir: home, Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	defer func() { _ = w.Close() }()
	for _, question := range []string{"revenue by category in 1997", "revenue by month in Germany", "revenue by category in 1996"} {
		if _, a := readAs(t, w, ada, "s", question); a.Frame == nil {
			t.Fatalf("%q has no answer", question)
		}
	}
	at = at.AddDate(0, 0, 1)
	work, err := w.Work(t.Context(), "", ada)
	if err != nil || work.Answers != 3 {
		t.Fatalf("%+v, %v", work, err)
	}
	has := func(kind knowledge.PairKind, one, other string, times int) bool {
		return slices.ContainsFunc(work.Together, func(p knowledge.Pair) bool {
			return p.Kind == kind && p.One == one && p.Other == other && p.Times == times && p.Last.Equal(noon())
		})
	}
	if !has(knowledge.MetricDimension, "revenue", "categories.category_name", 2) || !has(knowledge.EntityValue, "customers", "customers.country = 'Germany'", 1) {
		t.Errorf("together %+v", work.Together)
	}
	if len(work.Interests) < 2 || work.Interests[1].Name != "revenue" || work.Interests[1].Weight != 1 {
		t.Errorf("interests %+v", work.Interests)
	}
	theirs, err := w.Work(t.Context(), "", bob)
	if err != nil || len(theirs.Together)+len(theirs.Interests) > 0 {
		t.Errorf("somebody else's %+v, %v", theirs, err)
	}
	if _, err := w.Memory().Purge(t.Context(), "s", "ada"); err != nil {
		t.Fatal(fault.Detail(err))
	}
	gone, err := w.Work(t.Context(), "", ada)
	if err != nil || len(gone.Together)+len(gone.Interests) > 0 {
		t.Errorf("what was forgotten is %+v, %v", gone, err)
	}
}
