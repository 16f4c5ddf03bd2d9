package workspace

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/store"
)

// A finer answer that was asked for becomes a frame; coarser questions are answered from it, with the same numbers and the
// same rows counted, and say so for each column.
func TestAnswersFromFrames(t *testing.T) {
	dir := shop(t)
	var rows strings.Builder
	rows.WriteString("sale_id,day,region,amount,cost\n")
	for i := range 6000 { // enough that a frame is worth its file
		day := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i%90)
		fmt.Fprintf(&rows, "%d,%s,%s,%d.25,%d\n", i, day.Format(time.DateOnly), []string{"East", "West"}[i%2], i%97, i%13)
	}
	write(t, dir, "data/sales.csv", rows.String())
	w, err := Open(context.Background(), Target{Dir: dir}, Options{
		DataDir: t.TempDir(), Now: func() time.Time { return time.Date(2025, 4, 1, 9, 0, 0, 0, time.UTC) },
		Frames: store.FramesOptions{Quiet: time.Nanosecond, Saves: time.Nanosecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ask := func(query string, noCache bool) *analyst.Answer {
		t.Helper()
		a, err := w.Ask(context.Background(), analyst.Request{FrameQL: query, NoCache: noCache}, nil)
		if err != nil || a.Frame == nil {
			t.Fatalf("%s: %v %+v", query, err, a)
		}
		return a
	}
	ask("SELECT sales.day, sales.region, turnover, COUNT(*) AS n", false)
	if err := w.frames.Settle(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		"SELECT sales.region, turnover",
		"SELECT sales.day.month, turnover, SHARE(turnover) WHERE sales.region = 'East'",
		"SELECT turnover DURING 2025-02 COMPARE TO PREVIOUS MONTH",
		"SELECT sales.region, turnover, COUNT(*) / 2 AS half AT sales.region WHERE sales.region <> 'West'",
	} {
		base, cached := ask(query, true).Frame, ask(query, false).Frame
		if base.ServedFrom != "backend" || cached.ServedFrom != "engine_cache" {
			t.Errorf("%s: served from %s and %s (%+v)", query, base.ServedFrom, cached.ServedFrom, w.FrameCache())
		}
		if fmt.Sprint(base.Rows) != fmt.Sprint(cached.Rows) || base.ID != cached.ID {
			t.Errorf("%s:\nbase   %v\ncached %v", query, base.Rows, cached.Rows)
		}
		if fmt.Sprint(*base.Population) != fmt.Sprint(*cached.Population) {
			t.Errorf("%s: population %+v and %+v", query, *base.Population, *cached.Population)
		}
		for _, c := range cached.Columns {
			if c.Role != frameql.RoleDimension && c.ServedFrom != "engine_cache" {
				t.Errorf("%s: column %s is served from %q", query, c.Name, c.ServedFrom)
			}
		}
	}
	write(t, dir, "data/sales.csv", salesCSV)
	if _, err := w.Import(context.Background(), store.ImportRequest{Path: dir + "/data/sales.csv"}); err != nil {
		t.Fatal(err)
	}
	if f := ask("SELECT sales.region, turnover", false).Frame; f.ServedFrom != "backend" || len(f.Rows) != 2 || fmt.Sprint(f.Rows[0][1]) != "35.5" && fmt.Sprint(f.Rows[0][1]) != "35.50" {
		t.Errorf("after the data changed: %s %v", f.ServedFrom, f.Rows)
	}
}
