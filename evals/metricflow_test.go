package evals_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/cli"
	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/semantic/dbt"
	"assay/backend/workspace"
	"assay/evals"
)

// mfFloor is the share of the expressible cases that must be right: what was measured last, rounded down.
const mfFloor = 0.96

// mfCase is one case of bench/metricflow.jsonl: what is asked of MetricFlow, and its rows.
type mfCase struct {
	Name       string    `json:"name"`
	File       string    `json:"file"`
	Metrics    []string  `json:"metrics"`
	GroupBys   []string  `json:"group_bys"`
	GroupObjs  []mfGroup `json:"group_by_objs"`
	Where      string    `json:"where_filter_rendered"`
	Between    []string  `json:"time_constraint"`
	OrderBys   []string  `json:"order_bys"`
	Limit      int       `json:"limit"`
	MinMax     bool      `json:"min_max_only"`
	Dedupe     *bool     `json:"apply_group_by"`
	SavedQuery string    `json:"saved_query_name"`
	Ordered    bool      `json:"check_order"`
	CheckSQL   string    `json:"check_sql"`
	Columns    []string  `json:"gold_columns"`
	Rows       [][]any   `json:"gold_rows"` // at most 500
	Count      int       `json:"gold_nrows"`
}

type mfGroup struct {
	Name     string `json:"name"`
	Grain    string `json:"grain"`
	DatePart string `json:"date_part"`
}

// shared gives a path of the material that is shared by everyone who builds Assay, or skips the test.
func shared(t *testing.T, path ...string) string {
	t.Helper()
	root := os.Getenv("ASSAY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	full := filepath.Join(append([]string{root}, path...)...)
	if _, err := os.Stat(full); err != nil {
		t.Skipf("%s is not there: set ASSAY_SHARED to the folder that holds it", filepath.Join(path...))
	}
	abs, err := filepath.Abs(full)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// newWorkspace makes a workspace over data files in a folder of its own.
func newWorkspace(t *testing.T, sources ...string) string {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	b.WriteString("workspace: imported\nsources:\n")
	for _, s := range sources {
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("  - " + string(raw) + "\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "workspace.yaml"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// importModel runs `assay model import` as a person would, and gives what it printed as JSON.
func importModel(t *testing.T, project, dir string) map[string]any {
	t.Helper()
	var out, errs bytes.Buffer
	if status := cli.Main([]string{"model", "import", project, "--workspace", dir, "--json"}, cli.Program{Stdout: &out, Stderr: &errs, Now: wallClock}); status != 0 {
		t.Fatalf("model import: status %d: %s", status, errs.String())
	}
	var report map[string]any
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	return report
}

func openDir(t *testing.T, dir string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(context.Background(), workspace.Target{Dir: dir}, workspace.Options{DataDir: t.TempDir(), Now: wallClock, MaxRows: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// mfProject copies the semantic model of the cases into a folder and adds the declaration of its time spines.
func mfProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(shared(t, "bench", "metricflow-model", "simple_manifest"))); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join("testdata", "metricflow", "project_configuration.yaml"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "project_configuration.yaml"), raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestMetricFlow asks the cases of MetricFlow's own integration tests of the model that the import made of MetricFlow's
// own semantic model. No case and no model is written by hand: mfTranslation turns a case into Frame-QL by rules, and a
// case that Frame-QL cannot say is counted apart, with the reason.
func TestMetricFlow(t *testing.T) {
	cases := mfCases(t)
	project := mfProject(t)
	dir := newWorkspace(t, shared(t, "bench", "db", "metricflow", "simple_model.sqlite"))
	importModel(t, project, dir)
	w := openDir(t, dir)
	m, _ := w.Model()
	result, err := dbt.Import(os.DirFS(project), dbt.Options{Tables: tablesOf(w)})
	if err != nil {
		t.Fatal(err)
	}
	tr := &mfTranslation{
		model: m, names: result.Names, left: leftOut(result),
		span: func(entity, dimension string) (string, string) { return spanOf(t, w, m, entity, dimension) },
		repeated: func(entity string, dimensions []string) bool {
			e, columns := m.Entity(entity), []string{}
			for _, d := range dimensions {
				columns = append(columns, `"`+e.Dimension(d).Physical()+`"`)
			}
			return len(query(t, w, fmt.Sprintf(`SELECT 1 FROM "%s" GROUP BY %s HAVING count(*) > 1`, e.Source.Table, strings.Join(columns, ", ")))) > 0
		},
	}
	var right, wrong int
	unsaid := map[string][]string{}
	for i, c := range cases {
		query, why := tr.query(c)
		if why != "" {
			unsaid[why] = append(unsaid[why], c.Name)
			continue
		}
		if err := mfCheck(t, w, c, query, tr.labels(c)); err != nil {
			wrong++
			t.Logf("case %d %s: %v\n  %s", i, c.Name, err, query)
			continue
		}
		right++
	}
	for _, why := range sortedReasons(unsaid) {
		t.Logf("not expressible (%d): %s: %s", len(unsaid[why]), why, strings.Join(unsaid[why], ", "))
	}
	said := right + wrong
	t.Logf("%d cases: %d expressible, of which %d right and %d wrong; %d not expressible", len(cases), said, right, wrong, len(cases)-said)
	if float64(right) < mfFloor*float64(said) {
		t.Errorf("%d of %d expressible cases are right, want at least %.0f %%", right, said, 100*mfFloor)
	}
	if said < 129 {
		t.Errorf("%d cases count as expressible, want at least 129: a reason takes in too much", said)
	}
}

func mfCases(t *testing.T) []mfCase {
	t.Helper()
	raw, err := os.ReadFile(shared(t, "bench", "metricflow.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []mfCase
	d := json.NewDecoder(bytes.NewReader(raw))
	for d.More() {
		var c mfCase
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// mfCheck asks one case and compares.
func mfCheck(t *testing.T, w *workspace.Workspace, c mfCase, frameQL string, labels []map[string]string) error {
	a, err := w.Ask(context.Background(), analyst.Request{FrameQL: frameQL, MaxRows: 100_000}, nil)
	if err != nil {
		return err
	}
	if a.Frame == nil {
		if a.Refusal != nil {
			return fmt.Errorf("refused %s: %s", a.Refusal.Code, a.Refusal.Message)
		}
		return fmt.Errorf("outcome %s", a.Outcome)
	}
	gold := c.Rows
	// Two cases carry the rows of another case of the same name, and long results are cut: there the SQL of the case,
	// whose tables stand in a schema called main, gives the rows.
	mixedUp := !c.MinMax && len(c.Columns) != len(c.Metrics)+len(c.GroupBys)+len(c.GroupObjs)
	if mixedUp || len(gold) < c.Count {
		if gold = query(t, w, strings.ReplaceAll(c.CheckSQL, "main.", "")); !mixedUp && len(gold) != c.Count {
			return fmt.Errorf("the SQL of the case gives %d rows, the case says %d", len(gold), c.Count)
		}
	}
	if ok, why := evals.Match(plainTimes(gold), labelled(plainTimes(a.Frame.Rows), labels), c.Ordered); !ok {
		return errors.New("wrong: " + why)
	}
	return nil
}

var isoTime = regexp.MustCompile(`^(\d{4}-\d\d-\d\d)T(\d\d:)`)

// plainTimes writes instants with a space, as the gold rows do; frames write ISO 8601.
func plainTimes(rows [][]any) [][]any {
	out := make([][]any, len(rows))
	for i, row := range rows {
		out[i] = slices.Clone(row)
		for j, cell := range row {
			if s, ok := cell.(string); ok {
				out[i][j] = isoTime.ReplaceAllString(s, "$1 $2")
			}
		}
	}
	return out
}

// labelled writes the units of a calendar as its table calls them; a frame shows the first day of each.
func labelled(rows [][]any, labels []map[string]string) [][]any {
	for _, row := range rows {
		for j, names := range labels {
			if day, ok := row[j].(string); ok && names[day] != "" {
				row[j] = names[day]
			}
		}
	}
	return rows
}

func tablesOf(w *workspace.Workspace) []dbt.Table {
	var all []dbt.Table
	for _, s := range w.Sources() {
		for _, t := range s.Tables {
			x := dbt.Table{Name: t.Name, Alias: t.Alias}
			for _, c := range t.Columns {
				x.Columns = append(x.Columns, dbt.Column{Name: c.Name, Type: semantic.Type(c.Type)})
			}
			all = append(all, x)
		}
	}
	return all
}

// leftOut gives the metrics that the import left out, with its reason.
func leftOut(r *dbt.Result) map[string]string {
	out := map[string]string{}
	if _, err := r.Sealed(); err != nil {
		return out
	}
	for _, n := range r.Notes {
		if name, ok := strings.CutPrefix(n.Object, "metric "); ok && n.Lost {
			out[name] = n.Message
		}
	}
	return out
}

// spanOf gives the first and the last value of a dimension, read from its table.
func spanOf(t *testing.T, w *workspace.Workspace, m *semantic.Model, entity, dimension string) (first, last string) {
	t.Helper()
	e := m.Entity(entity)
	column := e.Dimension(dimension).Physical()
	rows, err := w.Query(context.Background(), frameql.Statement{
		SQL:     fmt.Sprintf(`SELECT CAST(min("%[1]s") AS DATE), CAST(max("%[1]s") AS DATE) + 1 FROM "%[2]s"`, column, e.Source.Table),
		Dialect: frameql.DuckDB,
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(rows.Rows[0][0])[:10], fmt.Sprint(rows.Rows[0][1])[:10]
}

func sortedReasons(m map[string][]string) []string {
	var all []string
	for why := range m {
		all = append(all, why)
	}
	slices.Sort(all)
	return all
}

// Nothing of the project is lost without a word: what the import leaves out stands in its report, and an import of the
// same project again changes no file.
func TestMetricFlowImportReports(t *testing.T) {
	dir := newWorkspace(t, shared(t, "bench", "db", "metricflow", "simple_model.sqlite"))
	project := mfProject(t)
	report := importModel(t, project, dir)
	raw, err := os.ReadFile(filepath.Join(project, "metrics.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := semantic.Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	notes := fmt.Sprint(report["notes"])
	for _, name := range regexp.MustCompile(`(?m)^  name: "?([a-z0-9_]+)"?$`).FindAllStringSubmatch(string(raw), -1) {
		if m.Metric(name[1]) == nil && !strings.Contains(notes, "object:metric "+name[1]) {
			t.Errorf("metric %s is neither there nor reported", name[1])
		}
	}
	if again := importModel(t, project, dir); len(again["written"].([]any)) != 0 || len(again["conflicts"].([]any)) != 0 {
		t.Errorf("the same project again writes %v, conflicts %v", again["written"], again["conflicts"])
	}
	var files int
	err = fs.WalkDir(os.DirFS(dir), "context", func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files++
		}
		return err
	})
	if err != nil || files < 100 {
		t.Errorf("%d files, %v", files, err)
	}
}
