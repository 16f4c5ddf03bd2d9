package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/session"
)

// TestAnswersThatMove changes data and definitions under two answers that somebody relies on and one that nobody does.
func TestAnswersThatMove(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const sales = "region,amount,fee,day\nNorth,10.50,1,2025-01-01\nSouth,20.25,2,2025-01-02\nNorth,5.00,3,2025-02-01\n"
	write("workspace.yaml", "workspace: shop\nsources: [sales.csv]\n")
	write("sales.csv", sales)
	opened := func() *Workspace {
		t.Helper()
		w, err := Open(t.Context(), Target{Dir: dir}, Options{DataDir: t.TempDir(), Now: noon})
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
		return w
	}
	w := opened()
	id := conversed(t, w, "total amount by region", "total fee by region", "number of sales")
	d, err := w.Memory().Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	amount, fee := d.Turns[0].RequestID, d.Turns[1].RequestID
	for _, r := range []string{amount, fee} {
		if err := w.SaveView(t.Context(), r, session.View{Show: "table", Pinned: true}); err != nil {
			t.Fatal(err)
		}
	}
	unsettled := func(w *Workspace, want int) []Unsettled {
		t.Helper()
		all, err := w.Unsettled(t.Context(), "")
		if err != nil || len(all) != want {
			t.Fatalf("%d answers are unsettled, want %d: %+v, %v", len(all), want, all, err)
		}
		return all
	}
	unsettled(w, 0)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	write("sales.csv", strings.Replace(sales, "20.25", "22.25", 1))
	w = opened()
	t.Cleanup(func() { _ = w.Close() })
	for _, u := range unsettled(w, 2) {
		if len(u.Because) != 1 || !strings.Contains(u.Because[0], "sales") || u.Holding != nil {
			t.Errorf("%+v", u)
		}
	}
	moved, err := w.AskAgain(t.Context(), amount)
	if err != nil || moved.Stands != session.HoldingMoved || moved.Comparison == nil || !strings.Contains(moved.Words, "+9.9 %") {
		t.Errorf("%+v, %v", moved, fault.Detail(err))
	}
	if holds, err := w.AskAgain(t.Context(), fee); err != nil || holds.Stands != session.HoldingHolds {
		t.Errorf("%+v, %v", holds, fault.Detail(err))
	}
	for _, u := range unsettled(w, 2) {
		if u.Holding == nil || u.Holding.Comparison != nil || (u.RequestID == amount) != (u.Holding.Stands == session.HoldingMoved) {
			t.Errorf("%+v", u)
		}
	}
	whole, err := w.Memory().Holding(t.Context(), amount)
	if err != nil || whole.Comparison == nil {
		t.Errorf("%+v, %v", whole, err)
	}

	// The column of one of them is called something else now: what was asked again before counts no more.
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write("sales.csv", strings.ReplaceAll(sales, "amount", "sum"))
	w = opened()
	for _, u := range unsettled(w, 2) {
		if u.Holding != nil {
			t.Errorf("%+v", u)
		}
	}
	if gone, err := w.AskAgain(t.Context(), amount); err != nil || gone.Stands != session.HoldingCannot || gone.Words == "" {
		t.Errorf("%+v, %v", gone, fault.Detail(err))
	}
}
