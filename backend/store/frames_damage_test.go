package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/reuse"
)

// TestDamagedFrames: whatever is done to the folder, answers are right and nothing fails; what is damaged goes.
func TestDamagedFrames(t *testing.T) {
	dir, frames := t.TempDir(), filepath.Join(t.TempDir(), "frames")
	s := open(t, dir)
	mustImport(t, s, salesCSV(t, t.TempDir(), 20000, 1))
	f := cache(t, s, frames)
	observed(t, f, sales("", ""))
	s.Close()
	file := only(t, frames)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewSource(5))
	flipped := func(at int) []byte {
		b := slices.Clone(whole)
		b[at] ^= 0x40
		return b
	}
	damages := map[string]func(){
		"cut":             func() { writeBytes(t, file, whole[:len(whole)/2]) },
		"empty":           func() { writeBytes(t, file, nil) },
		"not a database":  func() { writeBytes(t, file, []byte("DUCK is a bird")) },
		"longer":          func() { writeBytes(t, file, append(slices.Clone(whole), 'x')) },
		"no table":        func() { emptyDatabase(t, file) },
		"gone":            func() { os.Remove(file) },
		"folder gone":     func() { os.RemoveAll(frames) },
		"folder a file":   func() { os.RemoveAll(frames); writeBytes(t, frames, []byte("x")) },
		"half written":    func() { os.Mkdir(filepath.Join(frames, tempPrefix+"1"), 0o700) },
		"another version": func() { otherVersion(t, file, whole) },
	}
	for i := range 4 {
		damages[fmt.Sprintf("bit %d", i)] = func() { writeBytes(t, file, flipped(random.Intn(len(whole)))) }
	}
	for _, name := range sortedKeys(damages) {
		t.Run(name, func(t *testing.T) {
			os.RemoveAll(frames)
			os.MkdirAll(frames, 0o700)
			writeBytes(t, file, whole)
			damages[name]()
			s := open(t, dir)
			f := cache(t, s, frames)
			if !f.Stats().Owner {
				_, reason := answers(t, s, f, sales("", ""))
				if name != "folder a file" || !strings.Contains(reason, "cannot be written") {
					t.Errorf("the cache is not ours: %s", reason)
				}
				return
			}
			settle(t, f)
			ok, reason := answers(t, s, f, sales("", ""))
			if ok != (name == "half written") {
				t.Errorf("answered from a frame: %v, %s", ok, reason)
			}
			observed(t, f, sales("", ""))
			if ok, reason := answers(t, s, f, sales("", "")); !ok {
				t.Errorf("it is not made again: %s", reason)
			}
			only(t, frames)
		})
	}
}

// only gives the one frame file in a folder that has nothing else but the lock.
func only(t testing.TB, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, e := range entries {
		if e.Name() != lockFile {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if len(files) != 1 {
		t.Fatalf("the folder has %v", files)
	}
	return files[0]
}

func emptyDatabase(t testing.TB, file string) {
	t.Helper()
	os.Remove(file)
	e, err := openScratch(t.Context(), &host{opt: Options{InProcess: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	for _, s := range []string{"ATTACH " + literal(file) + " AS x", "DETACH x"} {
		if err := e.exec(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	renameToSum(t, file)
}

// otherVersion writes a frame that another version of the program would have written.
func otherVersion(t testing.TB, file string, whole []byte) {
	t.Helper()
	e, err := openScratch(t.Context(), &host{opt: Options{InProcess: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	writeBytes(t, file, whole)
	for _, s := range []string{"ATTACH " + literal(file) + " AS x", fmt.Sprintf(`UPDATE x.main.about SET content = replace(content, '"Version":%d', '"Version":%d')`, frameVersion, frameVersion+1), "CHECKPOINT x", "DETACH x"} {
		if err := e.exec(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	renameToSum(t, file)
}

// renameToSum gives a file the name that fits its bytes.
func renameToSum(t testing.TB, file string) {
	t.Helper()
	sum, _, err := checksum(file)
	if err != nil {
		t.Fatal(err)
	}
	id, _, _ := strings.Cut(filepath.Base(file), "-")
	if err := os.Rename(file, filepath.Join(filepath.Dir(file), id+"-"+sum+databaseSuffix)); err != nil {
		t.Fatal(err)
	}
}

// TestFolderOfFramesIsGone deletes the folder under a running cache: answers stay right, and it comes back.
func TestFolderOfFramesIsGone(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, salesCSV(t, t.TempDir(), 20000, 1))
	frames := filepath.Join(t.TempDir(), "frames")
	f := cache(t, s, frames)
	observed(t, f, sales("", ""))
	os.RemoveAll(frames)
	answers(t, s, f, sales("", ""))
	if err := f.reopen(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ok, _ := answers(t, s, f, sales("", "")); ok {
		t.Error("answered from a deleted frame after the engine was opened again")
	}
	observed(t, f, sales("", ""))
	if ok, reason := answers(t, s, f, sales("", "")); !ok {
		t.Error(reason)
	}
}

// TestBrokenFrame: a statement that fails on the frame engine runs over the sources, and the frame goes.
func TestBrokenFrame(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, salesCSV(t, t.TempDir(), 20000, 1))
	f := cache(t, s, filepath.Join(t.TempDir(), "frames"))
	observed(t, f, sales("", ""))
	id := f.Stats().Details[0].ID
	base := baseStatement(t, sales("", ""))
	got, used, err := f.Query(t.Context(), frameql.Statement{SQL: "SELECT no_such_column FROM frames." + id}, base)
	if err != nil || len(used) > 0 || got.ServedFrom != "backend" || got.SQL != base.SQL {
		t.Errorf("used %v, error %v", used, err)
	}
	if st := f.Stats(); st.Frames != 0 {
		t.Errorf("the frame is still there: %+v", st)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := f.Query(ctx, base, base); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("canceled gives %v", err)
	}
	if _, _, err := f.Query(t.Context(), frameql.Statement{SQL: "SELECT * FROM read_blob('/etc/hostname')"}, base); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("a file: %v", err)
	}
}

// TestFrameEngineIsLocked: the frame engine reaches neither files nor settings, and writes nothing.
func TestFrameEngineIsLocked(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, salesCSV(t, t.TempDir(), 20000, 1))
	f := cache(t, s, filepath.Join(t.TempDir(), "frames"))
	observed(t, f, sales("", ""))
	e, err := f.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer e.users.Done()
	held := f.held[f.Stats().Details[0].ID]
	for _, statement := range []string{
		"SELECT * FROM read_blob(" + literal(filepath.Join(f.opt.Dir, held.file)) + ")", "SET threads=1", "ATTACH '/tmp/x.duckdb' AS x",
		"INSERT INTO frame_0.main.frame SELECT * FROM frame_0.main.frame", "COPY sales TO '/tmp/x.csv'",
	} {
		if _, err := e.db.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("it runs: %s", statement)
		}
	}
}

// TestAboutIsWhole: what a file says of its frame comes back as it was.
func TestAboutIsWhole(t *testing.T) {
	limit := 3
	x := reuse.Frame{ID: "f_1", Branch: sales("2023-01-01", "2024-01-01"), First: date("2022-01-01"), Epochs: map[string]string{"sales": "e"}}
	x.Branch.Filters = []*compile.Scalar{{Op: "in_top", Sub: &compile.Sub{Lookup: &compile.Lookup{Query: &compile.Query{Limit: &limit, Contexts: []compile.Context{{From: date("2023-01-01")}}}, Keys: []*compile.Scalar{column("region", "text")}}}}}
	raw, err := json.Marshal(about{Frame: x})
	if err != nil {
		t.Fatal(err)
	}
	var back about
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	if reuse.Identity(back.Frame.Branch) != reuse.Identity(x.Branch) || !reflect.DeepEqual(back.Frame.Branch, x.Branch) {
		t.Errorf("%+v comes back as %+v", x, back.Frame)
	}
}
