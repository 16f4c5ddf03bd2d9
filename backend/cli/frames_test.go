package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A workspace of sales in cities, whose cache is made by the command line alone.
const (
	byCity    = "SELECT city, SUM(amount) AS total"
	byCountry = "SELECT country, SUM(amount) AS total"
)

func cachedShop(t *testing.T, home string, rows int) (dir string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("sale_id,day,city,country,amount\n")
	for i := range rows {
		place := []string{"Paris,FR", "Lyon,FR", "Oslo,NO"}[i%3]
		fmt.Fprintf(&b, "%d,2025-%02d-%02d,%s,%d.50\n", i, 1+i%12, 1+i%28, place, i%91)
	}
	dir = filepath.Join(t.TempDir(), "shop")
	run(t, assay(t, home, "import", "--workspace", dir, file(t, "sales.csv", b.String()))).says(t, "rows")
	return dir
}

// framed is what a test reads of an answer.
type framed struct {
	Frame struct {
		Rows       json.RawMessage
		ServedFrom string `json:"served_from"`
		Columns    []struct {
			ServedFrom string `json:"served_from"`
		}
	}
}

func asked(t *testing.T, home, dir, query string) framed {
	t.Helper()
	o := run(t, program(t, "assay-keeps", home, "frame", "--json", "--workspace", dir, query))
	var a framed
	if err := json.Unmarshal([]byte(o.stdout), &a); err != nil || o.status != exitOK || len(a.Frame.Columns) == 0 {
		t.Fatalf("%v: status %d, printed %.300q, complained %q", err, o.status, o.stdout, o.stderr)
	}
	for _, c := range a.Frame.Columns {
		if c.ServedFrom != a.Frame.ServedFrom {
			t.Errorf("%s: a column is served from %s, the frame from %s", query, c.ServedFrom, a.Frame.ServedFrom)
		}
	}
	return a
}

// While another process has the cache the command line answers without it, and says so; then it has it.
func TestCacheOfAnotherProcess(t *testing.T) {
	home := t.TempDir()
	dir := cachedShop(t, home, 300)
	want := asked(t, home, dir, byCity)
	holder := assay(t, home, "ask", "--batch", "--workspace", dir)
	questions, err := holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	answers, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(questions, `{"id":1,"question":"number of sales"}`)
	if _, err := bufio.NewReader(answers).ReadBytes('\n'); err != nil {
		t.Fatal(err)
	}
	got := asked(t, home, dir, byCity)
	if got.Frame.ServedFrom != "backend" || string(got.Frame.Rows) != string(want.Frame.Rows) {
		t.Errorf("beside another process: %s %s, want %s", got.Frame.ServedFrom, got.Frame.Rows, want.Frame.Rows)
	}
	run(t, assay(t, home, "compile", "--explain", "--workspace", dir, byCity)).says(t, "Another Assay process holds the frame cache")
	run(t, assay(t, home, "model", "materialize", "--workspace", dir, byCity)).complains(t, exitFault, "Another Assay process holds the frame cache")
	questions.Close()
	if err := holder.Wait(); err != nil {
		t.Fatal(err)
	}
	got = asked(t, home, dir, byCity)
	if got.Frame.ServedFrom != "engine_cache" || string(got.Frame.Rows) != string(want.Frame.Rows) {
		t.Errorf("afterwards: %s %s, want %s", got.Frame.ServedFrom, got.Frame.Rows, want.Frame.Rows)
	}
}

// In a folder that may be read and not written the frames that are there answer; without any there is no cache. Neither costs
// an answer.
func TestCacheInAFolderThatCannotBeWritten(t *testing.T) {
	home := t.TempDir()
	dir := cachedShop(t, home, 300)
	want := asked(t, home, dir, byCity)
	frames := filepath.Join(dir, ".assay", "frames")
	opened := func(path string, mode os.FileMode) {
		err := filepath.WalkDir(path, func(p string, _ os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			return os.Chmod(p, mode)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{home, dir} {
		opened(path, 0o777)
		for up := filepath.Dir(path); up != os.TempDir() && len(up) > 1; up = filepath.Dir(up) {
			if err := os.Chmod(up, 0o777); err != nil {
				t.Fatal(err)
			}
		}
	}
	nobody := func(args ...string) outcome {
		c := program(t, "assay-keeps", home, args...)
		c.Env, c.Dir = append(c.Env, nobodyEnv+"=1"), dir
		opened(filepath.Dir(c.Path), 0o777)
		return run(t, c)
	}
	for _, from := range []string{"engine_cache", "backend"} {
		opened(frames, 0o555)
		o := nobody("frame", "--json", "--workspace", dir, byCity)
		var got framed
		if err := json.Unmarshal([]byte(o.stdout), &got); err != nil || got.Frame.ServedFrom != from || string(got.Frame.Rows) != string(want.Frame.Rows) {
			t.Errorf("%v: %s %s, want %s; status %d, complained %q", err, got.Frame.ServedFrom, got.Frame.Rows, want.Frame.Rows, o.status, o.stderr)
		}
		opened(frames, 0o777)
		if err := os.RemoveAll(frames); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(frames, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	opened(frames, 0o555)
	defer opened(frames, 0o777)
	nobody("compile", "--explain", "--workspace", dir, byCity).says(t, "cannot be written, so nothing is kept")
	nobody("model", "materialize", "--workspace", dir, byCity).complains(t, exitFault, "cannot be written, so nothing is kept")
}

// A process that is killed while it makes a frame leaves nothing that counts: the next one answers right, and from a frame
// again when it had the time to make it.
func TestKilledWhileAFrameIsMade(t *testing.T) {
	home := t.TempDir()
	dir := cachedShop(t, home, 60_000)
	want := map[string]framed{}
	for _, query := range []string{byCity, byCountry} {
		want[query] = asked(t, home, dir, query)
	}
	frames := filepath.Join(dir, ".assay", "frames")
	caught := 0
	for round := range 4 {
		if err := os.RemoveAll(frames); err != nil {
			t.Fatal(err)
		}
		c := assay(t, home, "model", "materialize", "--workspace", dir, "SELECT city, day, SUM(amount) AS total")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { _ = c.Wait(); close(ended) }()
		if beginsToMake(frames, ended) {
			caught++
			<-time.After(time.Duration(round) * 15 * time.Millisecond) // somewhere within
		}
		_ = c.Process.Kill()
		<-ended
		for _, query := range []string{byCity, byCountry, byCity} {
			if got := asked(t, home, dir, query); string(got.Frame.Rows) != string(want[query].Frame.Rows) {
				t.Errorf("round %d: %s gives %s, want %s", round, query, got.Frame.Rows, want[query].Frame.Rows)
			}
		}
		if got := asked(t, home, dir, byCountry); got.Frame.ServedFrom != "engine_cache" {
			t.Errorf("round %d: nothing was made again", round)
		}
		entries, err := os.ReadDir(frames)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), "tmp-") {
				t.Errorf("round %d: left behind %s", round, e.Name())
			}
		}
	}
	if caught == 0 {
		t.Error("no process was killed while it made a frame")
	}
}

// beginsToMake waits until something is begun in a folder; false: the process ended.
func beginsToMake(frames string, ended <-chan struct{}) bool {
	for {
		if begun, _ := filepath.Glob(filepath.Join(frames, "tmp-*")); len(begun) > 0 {
			return true
		}
		select {
		case <-ended:
			return false
		case <-time.After(time.Millisecond):
		}
	}
}
