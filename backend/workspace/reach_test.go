package workspace

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/review"
)

// TestWhomItReaches: what was approved holds for whom a steward says, until when, in the place of what else; and what is confidential stands in no context file.
func TestWhomItReaches(t *testing.T) {
	w := openShared(t, t.TempDir())
	approve := func(means string) review.Reviewed {
		t.Helper()
		for _, who := range []string{"ada", "bob", "cyd", "dan"} {
			teach(t, w, who, "turnover means "+means)
		}
		for _, v := range shared(t, w, "gil") {
			if v.Means != means {
				continue
			}
			v, err := w.Decide(t.Context(), v.ID, knowledge.Approve, "", "", as("gil"))
			if err != nil {
				t.Fatal(fault.Detail(err))
			}
			return v
		}
		t.Fatalf("nothing says %s", means)
		return review.Reviewed{}
	}
	direct := func(id string, to knowledge.Reach) review.Reviewed {
		t.Helper()
		v, err := w.DirectItem(t.Context(), id, to, "", "", as("gil"))
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return v
	}
	reads := func(who, want string) {
		t.Helper()
		if got, _ := readAs(t, w, as(who), newID(), "turnover in 1997"); !strings.Contains(got, want) {
			t.Errorf("%s's turnover is read as %s, want %s", who, got, want)
		}
	}
	old := approve("gross revenue")
	reads("eve", "gross_revenue")
	narrow := approve("freight")
	reads("eve", "freight")
	for _, who := range []string{"ada", "bob", "cyd", "dan"} { // what they mean by it themselves goes before
		mine, err := w.Corrections(t.Context(), "", as(who))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range mine {
			if err := w.ForgetCorrection(t.Context(), c.ID, "", as(who)); err != nil {
				t.Fatal(err)
			}
		}
	}
	until := w.opts.Now().Add(time.Hour).UTC()
	narrow = direct(narrow.ID, knowledge.Reach{Audience: "sales", Until: until, Supersedes: old.ID, Sensitivity: knowledge.Confidential})
	if narrow.Stands != knowledge.Approved || !narrow.ValidUntil.Equal(until) || !slices.Contains(narrow.May, knowledge.Directed) || !slices.Equal(narrow.Groups, []string{"sales"}) {
		t.Fatalf("%+v", narrow)
	}
	reads("bob", "freight")
	reads("eve", "gross_revenue")
	if _, err := w.ProposeFile(t.Context(), narrow.ID, false, "", as("gil")); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("it is written for everybody: %v", err)
	}
	if _, err := w.DirectItem(t.Context(), narrow.ID, knowledge.Reach{}, "", "", as("eve")); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("somebody whom it does not reach directs it: %v", err)
	}
	if v, err := w.SharedItem(t.Context(), narrow.ID, "", as("bob")); err != nil || len(v.Groups) > 0 || slices.Contains(v.May, knowledge.Directed) {
		t.Errorf("bob may direct it: %+v, %v", v, err)
	}
	if wide := direct(narrow.ID, knowledge.Reach{}); wide.Stands != knowledge.Pending {
		t.Errorf("it reaches everyone without a decision: %+v", wide)
	}
	reads("bob", "gross_revenue")
}
