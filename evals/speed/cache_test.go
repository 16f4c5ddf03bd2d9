//go:build cgo

package speed

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/semantic"
	"assay/backend/store"
	"assay/backend/workspace"
)

// rolledUp are questions that a finer answer, which was asked before, can answer.
var rolledUp = []struct{ first, then string }{
	{"SELECT month, products.category, lines.channel, revenue", "SELECT products.category, revenue"},
	{"SELECT month, products.category, lines.channel, revenue", "SELECT lines.order_date.quarter, revenue DURING 2025 COMPARE TO SAME PERIOD LAST YEAR"},
	{"SELECT month, products.category, lines.channel, revenue", "SELECT lines.channel, revenue, SHARE(revenue) WHERE products.category = 'category 7'"},
}

// TestRolledUp prints how much faster a coarser question is when the frame of a finer one answers it.
func TestRolledUp(t *testing.T) {
	rows, err := strconv.Atoi(os.Getenv("ASSAY_SPEED_CACHE_ROWS"))
	if err != nil || rows <= 0 {
		t.Skip("a measurement: set ASSAY_SPEED_CACHE_ROWS to the number of order lines, 100000000 for the published figures")
	}
	db := generated(t, rows)
	w := speedWorkspace(t, db, "parquet", store.FramesOptions{})
	db.Close()
	attested(w)
	ask(t, w, rolledUp[0].first, false)
	begin := time.Now()
	framesMade(t, w)
	fmt.Printf("%d order lines; the frame was made in %.1f s, %d rows\n", rows, time.Since(begin).Seconds(), w.FrameCache().Details[0].Rows)
	for _, q := range rolledUp {
		base, cached := []float64{}, []float64{}
		from := ""
		for range 5 {
			base = append(base, ask(t, w, q.then, true).Timings.Execute)
			a := ask(t, w, q.then, false)
			cached, from = append(cached, a.Timings.Execute), a.Frame.ServedFrom
		}
		fmt.Printf("%-100s base %8.1f ms   %s %6.1f ms   %.0f times\n", q.then, median(base), from, median(cached), median(base)/median(cached))
	}
}

// framesMade waits until the frames that were asked for are made, in the background, when nothing else is asked.
func framesMade(t *testing.T, w *workspace.Workspace) {
	t.Helper()
	for begin := time.Now(); w.FrameCache().Frames == 0 || w.FrameCache().Wanted > 0; time.Sleep(100 * time.Millisecond) {
		if time.Since(begin) > 10*time.Minute {
			t.Fatalf("no frame was made: %+v", w.FrameCache())
		}
	}
}

// attested waits until the joins are measured, which is done in the background for large tables.
func attested(w *workspace.Workspace) {
	for {
		model, _ := w.Model()
		if !slices.ContainsFunc(model.Joins, func(j semantic.Join) bool { return j.Attested == nil }) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func ask(t *testing.T, w *workspace.Workspace, query string, noCache bool) *analyst.Answer {
	t.Helper()
	a, err := w.Ask(context.Background(), analyst.Request{FrameQL: query, NoCache: noCache}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Frame == nil {
		t.Fatalf("%s: %+v", query, a.Refusal)
	}
	return a
}

// speedWorkspace imports the star from files of a format into a workspace whose model is declared.
func speedWorkspace(t *testing.T, db *sql.DB, format string, frames store.FramesOptions) *workspace.Workspace {
	t.Helper()
	dir := t.TempDir()
	var files []string
	for _, table := range []string{"lines", "customers", "products"} {
		file := filepath.Join(dir, "data", table+"."+format)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("COPY " + table + " TO '" + file + "' (FORMAT " + format + ")"); err != nil {
			t.Fatal(err)
		}
		files = append(files, "data/"+table+"."+format)
	}
	for name, body := range semantic.WriteYAML(shopModel(t)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := &semantic.WorkspaceFile{Name: "speed", Sources: files}
	if err := os.WriteFile(filepath.Join(dir, "workspace.yaml"), semantic.WriteWorkspaceYAML(file), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := workspace.Open(context.Background(), workspace.Target{Dir: dir}, workspace.Options{Threads: 2, Timeout: 10 * time.Minute, Frames: frames})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}
