package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/semantic"
)

// TestAProposalIsWrittenDown takes what is inferred of bare files, without what was left out, and goes on with it.
func TestAProposalIsWrittenDown(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	for name, rows := range map[string]string{
		"towns.csv":  "town_id,town_name\n1,Bonn\n2,Rome\n3,Oslo\n",
		"visits.csv": "visit_id,town_id,day,fee\n1,1,2026-01-01,2.5\n2,1,2026-01-02,3.5\n3,2,2026-01-03,4.5\n4,3,2026-01-04,1.5\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Open(ctx, Target{Data: []string{filepath.Join(dir, "towns.csv"), filepath.Join(dir, "visits.csv")}}, Options{DataDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	all, err := w.Proposal(nil)
	if err != nil || len(all) == 0 {
		t.Fatalf("nothing is proposed: %v", err)
	}
	m := w.Knowledge().Model
	left := []string{"dimension/visits.fee"}
	for _, x := range m.Metrics {
		if strings.Contains(x.Expr, "fee") {
			left = append(left, "metric/"+x.Name)
		}
	}
	files, err := w.Proposal(left)
	if err != nil {
		t.Fatal(err)
	}
	var edits []ContextEdit
	for _, f := range files {
		if strings.Contains(f.Text, "fee") {
			t.Errorf("%s still has what was left out:\n%s", f.Path, f.Text)
		}
		edits = append(edits, ContextEdit{Path: f.Path, Text: f.Text, Base: f.Hash})
	}
	check, err := w.CheckContext(ctx, edits)
	if err != nil || semantic.Problems(check.Problems).Fault("check") != nil {
		t.Fatalf("what is proposed does not hold: %v %+v", err, check.Problems)
	}
	if err := w.SaveContext(ctx, edits); err != nil {
		t.Fatal(err)
	}
	after := w.Knowledge().Model
	if after.Version == m.Version || after.Entity("visits").Inferred || after.Dimension("visits.fee") != nil || len(after.JoinsFrom("visits")) != len(m.JoinsFrom("visits")) {
		t.Errorf("the model is %+v", after)
	}
	if again, err := w.Proposal(nil); err != nil || len(again) != 0 {
		t.Errorf("%d files are proposed again: %v", len(again), err)
	}
}
