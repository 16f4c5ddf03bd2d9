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

// openEager opens a workspace that keeps every answer as a frame, however little it saves.
func openEager(t *testing.T, dir string) *Workspace {
	t.Helper()
	w, err := Open(context.Background(), Target{Dir: dir}, Options{
		DataDir: t.TempDir(), Now: func() time.Time { return time.Date(2025, 4, 1, 9, 0, 0, 0, time.UTC) },
		Frames: store.FramesOptions{Quiet: time.Nanosecond, Saves: time.Nanosecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

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
	w := openEager(t, dir)
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
		for _, c := range base.Columns {
			if c.ServedFrom != "backend" {
				t.Errorf("%s: column %s without the cache is served from %q", query, c.Name, c.ServedFrom)
			}
		}
		for _, c := range cached.Columns {
			if c.ServedFrom != "engine_cache" {
				t.Errorf("%s: column %s is served from %q", query, c.Name, c.ServedFrom)
			}
		}
	}
	for _, noCache := range []bool{true, false} {
		a, err := w.Ask(context.Background(), analyst.Request{FrameQL: "SELECT sales.day, turnover HAVING turnover > 0", NoCache: noCache, MaxRows: 60}, nil)
		if err != nil || a.Frame == nil || (a.Frame.ServedFrom == "backend") != noCache || a.Frame.Truncated == nil || *a.Frame.Truncated != (frameql.Truncated{Cap: 60, TotalRows: 90}) {
			t.Errorf("cut without the cache %v: %v %+v %+v", noCache, err, a.Frame, a.Refusal)
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

// A level that was measured to follow is answered from frames of the finer one; one that the data contradicts, or that only the
// model says, is not.
func TestCoarserLevelsFromFrames(t *testing.T) {
	dir := shop(t)
	var rows strings.Builder
	rows.WriteString("sale_id,city,country,planet,belt,amount\n")
	for i := range 6000 {
		place := []string{"Paris,FR", "Lyon,FR", "Oslo,NO"}[i%3]
		fmt.Fprintf(&rows, "%d,%s,%s,%d.25\n", i, place, []string{"Earth,north", "Mars,north", "Earth,north"}[i%3], i%97)
	}
	write(t, dir, "data/sales.csv", rows.String())
	write(t, dir, "context/entities/sales.yaml", "entity: sales\nsource: {table: sales}\nkey: [sale_id]\ndimensions:\n"+
		"  - {name: sale_id, type: integer}\n  - {name: city, type: text}\n  - {name: country, type: text}\n  - {name: planet, type: text}\n"+
		"  - {name: belt, type: text}\n  - {name: said, type: text, expr: \"upper(belt)\"}\n  - {name: amount, type: decimal}\n"+
		"hierarchies:\n  - {name: place, path: [city, country, planet, belt]}\n  - {name: words, path: [city, said]}\n")
	w := openEager(t, dir)
	ask := func(query string, noCache bool) *frameql.Frame {
		t.Helper()
		a, err := w.Ask(context.Background(), analyst.Request{FrameQL: query, NoCache: noCache}, nil)
		if err != nil || a.Frame == nil {
			t.Fatalf("%s: %v %+v", query, err, a.Refusal)
		}
		return a.Frame
	}
	settle := func() {
		t.Helper()
		if err := w.frames.Settle(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	ask("SELECT city, turnover", false)
	settle()
	for query, from := range map[string]string{
		"SELECT country, turnover":                                            "engine_cache",
		"SELECT country, city, turnover":                                      "engine_cache",
		"SELECT turnover WHERE country = 'FR'":                                "engine_cache",
		"SELECT city, turnover, (turnover AT country) AS whole AT city":       "engine_cache",
		"SELECT country, AVG(turnover AT city) AS mean":                       "engine_cache",
		"SELECT country, turnover WHERE planet = 'Mars'":                      "backend", // France lies on two planets
		"SELECT planet, turnover":                                             "backend",
		"SELECT belt, turnover":                                               "backend", // above what does not hold
		"SELECT said, turnover":                                               "backend", // computed, so that nobody measured it
		"SELECT country, turnover WHERE country IN ('FR', 'NO') TOTALS":       "engine_cache",
		"SELECT country, turnover, SHARE(turnover) TOP 1 country BY turnover": "engine_cache",
	} {
		base, got := ask(query, true), ask(query, false)
		if got.ServedFrom != from || fmt.Sprint(got.Rows) != fmt.Sprint(base.Rows) {
			t.Errorf("%s: from %s, want %s\ngot  %v\nbase %v", query, got.ServedFrom, from, got.Rows, base.Rows)
		}
		for _, c := range got.Columns {
			if c.ServedFrom != from {
				t.Errorf("%s: column %s from %s", query, c.Name, c.ServedFrom)
			}
		}
		settle()
		w.frames.Clear() // what was learned meanwhile
		ask("SELECT city, turnover", false)
		settle()
	}
	write(t, dir, "data/sales.csv", strings.ReplaceAll(rows.String(), "Lyon,FR", "Lyon,CH"))
	if _, err := w.Import(context.Background(), store.ImportRequest{Path: dir + "/data/sales.csv"}); err != nil {
		t.Fatal(err)
	}
	if f := ask("SELECT country, turnover", false); f.ServedFrom != "backend" || len(f.Rows) != 3 {
		t.Errorf("after a city moved: from %s %v", f.ServedFrom, f.Rows)
	}
}
