package workspace

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/session"
)

const margin = "metric: margin\nlabel: Margin\nkind: leaf\nentity: sales\nreducer: sum\nexpr: amount - cost\n"

// shopSession is the file of a session of the shop that asks for a number of its own, with the model.
func shopSession(t *testing.T) string {
	t.Helper()
	dir := shop(t)
	write(t, dir, "context/metrics/margin.yaml", margin)
	w := openTarget(t, Target{Dir: dir}, t.TempDir())
	a, err := w.Ask(t.Context(), analyst.Request{Question: "margin by region", SessionID: "s"}, nil)
	if err != nil || a.Frame == nil || rowsOf(a.Frame) != "East|25.50\nWest|15.25" {
		t.Fatalf("%+v, %v", a, err)
	}
	return exported(t, w, "s", SessionChoice{Model: true})
}

// bareShop has the data and no definitions.
func bareShop(t *testing.T) (string, *Workspace) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "other")
	write(t, dir, "data/sales.csv", salesCSV)
	write(t, dir, "data/regions.csv", "region,manager\nEast,Ada\nWest,Bob\n")
	write(t, dir, "workspace.yaml", "workspace: other\nsources: [data/sales.csv, data/regions.csv]\n")
	return dir, openTarget(t, Target{Dir: dir}, t.TempDir())
}

// standing gives the names of definitions that stand in a way.
func standing(o SessionModel, here string) (names []string) {
	for _, d := range o.Definitions {
		if d.Here == here {
			names = append(names, d.Object)
		}
	}
	return names
}

// Definitions that came with a session are offered, change nothing by themselves, and once they are taken over the same question has the same answer.
func TestDefinitionsThatCameAreTakenOver(t *testing.T) {
	path := shopSession(t)
	dir, w := bareShop(t)
	before, _ := w.Model()
	seen, err := w.PreviewSession(t.Context(), path)
	if err != nil || !slices.Contains(seen.Brings, "metric margin") || len(seen.Others) != 0 || seen.Unread != "" {
		t.Fatalf("the preview says %+v, %v", seen, err)
	}
	came := imported(t, w, path)
	if now, _ := w.Model(); now.Version != before.Version {
		t.Fatal("an import changed the model")
	}
	if got := cells(t, w, "margin by region"); strings.Contains(got, "25.5") {
		t.Fatalf("the test sees nothing: before, the answer is %s", got)
	}
	branch, err := w.Fork(t.Context(), came.ID, memory.ForkAt{})
	if err != nil {
		t.Fatal(err)
	}
	o, err := w.SessionModel(t.Context(), branch.SessionID) // a branch offers what came with the session above it
	if err != nil || o.SessionID != came.ID || !slices.Contains(standing(o, TravelledMissing), "metric margin") || len(o.Problems) != 0 || len(o.Files) == 0 {
		t.Fatalf("%+v, %v", o, err)
	}
	for _, c := range o.Changes {
		if c.Kind == "removed" {
			t.Errorf("taking it over would lose %s", c.Object)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "context")); !os.IsNotExist(err) {
		t.Fatalf("looking wrote something: %v", err)
	}
	if _, err := w.TakeSessionModel(t.Context(), branch.SessionID); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if got := cells(t, w, "margin by region"); got != "East|25.50\nWest|15.25" {
		t.Errorf("after, the answer is %s", got)
	}
	a, err := w.Ask(t.Context(), analyst.Request{Question: "only East", SessionID: branch.SessionID}, nil)
	if err != nil || a.Frame == nil || !strings.Contains(rowsOf(a.Frame), "25.50") {
		t.Errorf("asked on: %+v, %v", a, err)
	}
	if o, err = w.SessionModel(t.Context(), came.ID); err != nil || len(o.Definitions) != 0 || o.Same == 0 || len(o.Files) != 0 {
		t.Errorf("again: %+v, %v", o, err)
	}
	if _, err := w.TakeSessionModel(t.Context(), came.ID); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("nothing was taken over twice: %v", err)
	}
	if _, err := w.PurgeSession(t.Context(), came.ID); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if o, err = w.SessionModel(t.Context(), branch.SessionID); err != nil || len(o.Came) != 0 {
		t.Errorf("after the session went: %+v, %v", o, err)
	}
}

// What is written down here stays as it is, whatever a file says.
func TestWhatIsWrittenHereStays(t *testing.T) {
	path := shopSession(t)
	dir, w := bareShop(t)
	write(t, dir, "context/entities/sales.yaml", strings.Replace(salesEntity, "  - {name: cost, type: decimal}\n", "", 1))
	write(t, dir, "context/metrics/margin.yaml", strings.Replace(margin, "amount - cost", "amount", 1))
	w.refresh(t.Context())
	came := imported(t, w, path)
	o, err := w.SessionModel(t.Context(), came.ID)
	if err != nil || !slices.Contains(standing(o, TravelledDiffers), "metric margin") || !slices.Contains(standing(o, TravelledInside), "dimension sales.cost") || len(o.Files) != 0 {
		t.Fatalf("%+v, %v", o, err)
	}
	for _, d := range o.Definitions {
		if d.Object == "metric margin" && (len(d.Fields) != 1 || d.Fields[0].Before != "amount" || d.Fields[0].After != "amount - cost") {
			t.Errorf("%+v", d)
		}
	}
	if _, err := w.TakeSessionModel(t.Context(), came.ID); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("%v", err)
	}
	if read(t, dir, "context/metrics/margin.yaml") == margin {
		t.Error("a definition was overwritten")
	}
}

// hostile is the file of a session whose model is what a stranger wrote.
func hostile(t *testing.T, model map[string]string) string {
	t.Helper()
	raw, err := os.ReadFile(shopSession(t))
	if err != nil {
		t.Fatal(err)
	}
	x, err := session.Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	path := filepath.Join(t.TempDir(), "hostile.assay")
	err = WriteWhole(path, func(f *os.File) error {
		w := session.NewWriter(f)
		parquet, err := x.Frame(x.File.Turns[0].Rows)
		if err != nil {
			return err
		}
		if _, err := w.Frame(parquet); err != nil {
			return err
		}
		for name, content := range model {
			if err := w.Model(name, []byte(content)); err != nil {
				return err
			}
		}
		return w.Close(x.File, session.Manifest{Created: noon(), Contains: session.Contains{Frames: session.FramesWhole, Model: true}}, nil)
	})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	return path
}

// A stranger's definitions go through the loader and the gate as any; what everybody would follow (golden queries, agreed terms) is never taken from a file, and
// that a column names persons is not taken back.
func TestHostileDefinitions(t *testing.T) {
	view := func(sql string) map[string]string {
		return map[string]string{
			"context/entities/spy.yaml":  "entity: spy\nsource: {sql: \"" + sql + "\"}\ndimensions:\n  - {name: a, type: text}\n",
			"context/metrics/spied.yaml": "metric: spied\nkind: leaf\nentity: spy\nreducer: count\nexpr: '*'\n",
		}
	}
	for name, c := range map[string]struct {
		model          map[string]string
		refused, taken []string
		unread, left   string
	}{
		"reads a file":    {model: view("SELECT * FROM read_csv('/etc/passwd')"), refused: []string{"entity spy", "dimension spy.a", "metric spied"}},
		"two statements":  {model: view("SELECT 1 AS a; DROP TABLE sales"), refused: []string{"entity spy", "dimension spy.a", "metric spied"}},
		"another catalog": {model: view("SELECT * FROM information_schema.tables"), refused: []string{"entity spy", "dimension spy.a", "metric spied"}},
		"a table of ours": {model: view("SELECT region AS a FROM sales"), taken: []string{"entity spy", "dimension spy.a", "metric spied"}},
		"a table that is not": {
			model:   map[string]string{"context/entities/x.yaml": "entity: x\nsource: {table: elsewhere}\ndimensions:\n  - {name: a, type: text}\n"},
			refused: []string{"entity x", "dimension x.a"},
		},
		"no model":  {model: map[string]string{"context/entities/x.yaml": "entity: [\n"}, unread: "x.yaml"},
		"a program": {model: map[string]string{"context/entities/x.yaml": "entity: x\nrun: rm -rf /\nsource: {table: sales}\n"}, unread: "run"},
		"golden": {
			model: map[string]string{
				"context/entities/sales.yaml": salesEntity, "context/metrics/margin.yaml": margin,
				"context/golden/g.yaml": "question: margin by region\nframe_ql: SELECT region, margin\n",
			},
			taken: []string{"metric margin"}, left: "golden query g",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, w := bareShop(t)
			came := imported(t, w, hostile(t, c.model))
			o, err := w.SessionModel(context.Background(), came.ID)
			if err != nil {
				t.Fatal(fault.Detail(err))
			}
			if got := standing(o, TravelledRefused); !slices.Equal(got, c.refused) {
				t.Errorf("refused %v: %+v", got, o)
			}
			for _, want := range c.taken {
				if !slices.Contains(standing(o, TravelledMissing), want) || len(o.Problems) != 0 || len(o.Files) == 0 {
					t.Errorf("%s is not offered: %+v", want, o)
				}
			}
			if !strings.Contains(o.Unread, c.unread) || (o.Unread == "") != (c.unread == "") {
				t.Errorf("unread %q", o.Unread)
			}
			if c.left != "" && !slices.Contains(o.LeftOut, c.left) {
				t.Errorf("left out %v", o.LeftOut)
			}
			_, err = w.TakeSessionModel(context.Background(), came.ID)
			if (err == nil) != (len(c.taken) > 0) || err != nil && fault.CodeOf(err) != fault.Invalid {
				t.Errorf("taken over: %v", err)
			}
			if _, err := os.Stat(filepath.Join(dir, "context", "golden")); !os.IsNotExist(err) {
				t.Errorf("a golden query was written: %v", err)
			}
			asked := "how many sales"
			if slices.Contains(c.taken, "metric spied") { // the view covers the table that it reads
				asked = "spied"
			}
			if got := cells(t, w, asked); got != "3" {
				t.Errorf("the workspace answers %s", got)
			}
		})
	}
}

func TestPersonalStaysPersonal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "people")
	write(t, dir, "data/sales.csv", "sale_id,email,amount\n1,ada@example.org,2\n2,bob@example.org,3\n3,cyd@example.org,4\n")
	write(t, dir, "workspace.yaml", "workspace: people\nsources: [data/sales.csv]\n")
	w := openTarget(t, Target{Dir: dir}, t.TempDir())
	came := imported(t, w, hostile(t, map[string]string{
		"context/entities/sales.yaml": "entity: sales\nsource: {table: sales}\nkey: [sale_id]\ndimensions:\n  - {name: sale_id, type: integer}\n  - {name: contact, column: email, type: text, pii: none}\n",
	}))
	if _, err := w.TakeSessionModel(t.Context(), came.ID); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if got := read(t, dir, "context/entities/sales.yaml"); strings.Contains(got, "pii: none") {
		t.Errorf("a file unmasked a column:\n%s", got)
	}
}
