package semantic

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"assay/backend/fault"
	"assay/backend/yamlfile"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the expected errors in testdata")

func archiveFS(a *txtar.Archive) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, f := range a.Files {
		if f.Name != "want" {
			fsys[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return fsys
}

func loadGood(t *testing.T) *Model {
	t.Helper()
	a, err := txtar.ParseFile("testdata/good.txtar")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Load(archiveFS(a))
	if err != nil {
		var all Problems
		errors.As(err, &all)
		t.Fatalf("%v\n%v", err, all)
	}
	return m
}

func TestLoadReadsEveryKey(t *testing.T) {
	m := loadGood(t)
	want := Settings{
		Label: "Northwind Traders", TimeZone: "Europe/Berlin", WeekStart: "monday", Calendar: "fiscal", Partial: "none", Currency: "USD",
		Questions: []string{"revenue by category in 1997", "top 5 customers by revenue"},
	}
	if !reflect.DeepEqual(m.Workspace, want) || m.Name != "northwind" {
		t.Errorf("workspace: %+v", m.Workspace)
	}
	if c := m.Calendar(""); c == nil || c.StartMonth != 7 || c.LabelYear != "end" {
		t.Errorf("default calendar: %+v", c)
	}
	o := m.Entity("ORDERS")
	if o == nil || o.Source.Table != "orders" || o.DefaultTime != "order_date" || o.Owner.ResponseHours != 24 || o.Freshness.EveryDays != 30 {
		t.Fatalf("orders: %+v", o)
	}
	if d := o.Dimension("order_date"); d.Physical() != "OrderDate" || d.Label != "Order date" || d.Pos.Line != 14 {
		t.Errorf("order_date: %+v", d)
	}
	if d := o.Dimension("ship_country"); !d.FromData || !reflect.DeepEqual(d.Tests, []string{"not_null"}) {
		t.Errorf("ship_country: %+v", d)
	}
	if d := o.Dimension("rate"); !d.NonAdditive || !reflect.DeepEqual(d.Tests, []string{"range: {min: 0, max: 1.5}"}) {
		t.Errorf("rate: %+v", d)
	}
	if d := o.Dimension("area"); d.Map["Austria"] != "DACH" || d.Type != Text || d.Physical() != "" {
		t.Errorf("area: %+v", d)
	}
	if d := m.DisplayOf("customers"); d == nil || d.Name != "company_name" || d.Description != "Two lines\nof text: with a colon" {
		t.Errorf("display of customers: %+v", d)
	}
	if d := m.DisplayOf("orders"); d == nil || d.Name != "order_id" {
		t.Errorf("display of orders: %+v", d)
	}
	joins := m.JoinsFrom("orders")
	if len(joins) != 2 || joins[0].Role != "" || !joins[0].Total || joins[1].Role != "ship_to" || joins[1].Cardinality != "many_to_one" {
		t.Errorf("joins: %+v", joins)
	}
	for name, additivity := range map[string]string{"freight": "additive", "order_count": "additive", "average_freight_per_order": "none", "double_freight": "none", "open_freight": "additive", "closing_freight": "semi(first)", "freight_28_days": "none", "growth": "none", "big_share": "none"} {
		if x := m.Metric(name); x == nil || x.Additivity.Default != additivity {
			t.Errorf("%s: %+v", name, x)
		}
	}
	f := m.Metric("freight")
	if e, d, ok := m.TimeOf(f); !ok || e != "orders" || d != "order_date" {
		t.Errorf("time of freight: %s.%s", e, d)
	}
	if e, d, ok := m.TimeOf(m.Metric("order_count")); !ok || e != "orders" || d != "order_date" {
		t.Errorf("time of order_count: %s.%s", e, d)
	}
	if !reflect.DeepEqual(f.Tests, []string{"conserved", "range: {min: 0}"}) || f.Additivity.Per["geography"] != "none" || len(f.Materialize) != 2 || f.Siblings[0].Source != "region_daily_summary" {
		t.Errorf("freight: %+v", f)
	}
	if x := m.Metric("order_count"); x.Expr != "*" || x.Kind != Leaf || x.Label != "Order count" || !x.Hidden {
		t.Errorf("order_count: %+v", x)
	}
	loadedFacets(t, m)
	scope := m.Memos[0].RefusalScope
	if len(scope) != 2 || !reflect.DeepEqual(scope[0], RefusalLine{[]string{"salary", "wages", "pay"}, "Pay is not in this data; ask HR."}) ||
		!reflect.DeepEqual(scope[1].Words, []string{"lawsuits", "court cases"}) {
		t.Errorf("refusals: %+v", scope)
	}
	if g := m.Golden[1]; g.Name != "top-customers" || g.Parameters[0].Weight != 0.9 || *g.Parameters[1].Max != 50 || g.VerifiedAt != "2026-10-01" {
		t.Errorf("golden: %+v", g)
	}
	if g := m.Gotchas[0]; g.Expect != "0" || g.Severity != "critical" {
		t.Errorf("gotcha: %+v", g)
	}
	if !strings.HasPrefix(m.Version, "sha256:") || m.Inferred || m.Registry.Owners[0].Name != "Sales Ops" || len(m.Guides) != 1 || len(m.Business) != 1 {
		t.Errorf("model: %s %+v", m.Version, m.Registry)
	}
}

// loadedFacets looks at what only some dimensions, joins, metrics and calendars have.
func loadedFacets(t *testing.T, m *Model) {
	o := m.Entity("orders")
	if d := o.Dimension("shipped_date"); d.TimeZone != "America/New_York" || d.Granularity != "hour" {
		t.Errorf("shipped_date: %+v", d)
	}
	if o.Dimension("label").Weight() != 0.8 || o.Dimension("planned").Weight() != 1 {
		t.Errorf("weights %v and %v", o.Dimension("label").Weight(), o.Dimension("planned").Weight())
	}
	if !o.Dimension("label").MultiValued || o.Dimension("planned").Granularity != "month" || !reflect.DeepEqual(o.Tags, []string{"core", "sales"}) {
		t.Errorf("facets of orders: %+v", o)
	}
	if len(m.Joins) != 3 || m.Joins[1].ToOne() || m.Joins[1].Role != "neighbour" {
		t.Errorf("a many-to-many join is kept, but not followed: %+v", m.Joins)
	}
	for name, want := range map[string]Metric{
		"freight_p95":     {Kind: Leaf, Reducer: Percentile, Percentile: "0.95", Discrete: true},
		"first_freight":   {Kind: Leaf, Reducer: First, TimeGrain: "week"},
		"any_late":        {Kind: Leaf, Reducer: Any},
		"freight_28_days": {Kind: Cumulative, Of: "order_count", Window: &Span{28, "day"}, PeriodAgg: "average", Fill: "zero"},
		"freight_to_date": {Kind: Cumulative, Of: "average_freight_per_order", ToDate: "fiscal_year"},
		"growth": {Kind: Derived, Inputs: []Input{
			{Name: "last_term", Metric: "order_count", Offset: &Span{1, "term"}}, {Name: "start", Metric: "order_count", OffsetToStart: "month"},
		}},
		"big_share": {Kind: Derived, Inputs: []Input{{Name: "order_count", Metric: "order_count", Filter: "customers.is_big"}, {Name: "all_orders", Metric: "order_count"}}},
	} {
		x := *m.Metric(name)
		got := Metric{
			Kind: x.Kind, Reducer: x.Reducer, Percentile: x.Percentile, Discrete: x.Discrete, TimeGrain: x.TimeGrain,
			Of: x.Of, Window: x.Window, ToDate: x.ToDate, PeriodAgg: x.PeriodAgg, Fill: x.Fill, Inputs: x.Inputs,
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v want %+v", name, got, want)
		}
	}
	for name, want := range map[string]Semi{
		"freight": {"last", []string{"ship_city"}}, "open_freight": {"avg", []string{"customer_id"}}, "closing_freight": {Pick: "first"},
	} {
		if s, ok := m.Metric(name).SemiAdditive(); !ok || !reflect.DeepEqual(s, want) {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if s, ok := m.Metric("order_count").SemiAdditive(); ok {
		t.Errorf("order_count: %+v", s)
	}
	retail, school := m.Calendar("retail"), m.Calendar("school")
	if len(retail.Buckets[UnitFiscalPeriod]) == 0 || school.Buckets != nil || school.LabelYear != "" || school.Units["term"] != "term_name" {
		t.Errorf("calendars: %+v %+v", retail.Pattern, school)
	}
	if r := m.Registry; *r.Sources[0].WarnAfter != (Span{12, "hour"}) || r.Exposures[0].Owner.Name != "Sales Ops" || len(r.Imported) != 2 ||
		len(r.Project) != 2 || r.Project[0] != (Stated{"metric", "freight", "Freight", "What it costs: all of it", "sum(freight) of orders; filter: city = 'Oslo'", "", "m.yaml:3"}) || r.Project[1].Kind != "measure" || r.Project[1].LeftOut == "" {
		t.Errorf("registry: %+v", r)
	}
}

// Each archive is a broken workspace; its file "want" lists every problem that Load must report.
func TestLoadErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/load/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m, err := Load(archiveFS(a))
			if err == nil || m != nil {
				t.Fatalf("loaded: %v", m)
			}
			got := string(fault.CodeOf(err)) + " " + err.Error() + "\n"
			var all Problems
			if errors.As(err, &all) {
				got = all.Error() + "\n"
				if !strings.HasPrefix(err.Error(), all[0].Pos.String()) {
					t.Errorf("the fault does not lead with the first problem: %v", err)
				}
			}
			want := ""
			for i := range a.Files {
				if a.Files[i].Name == "want" {
					want = string(a.Files[i].Data)
					a.Files[i].Data = []byte(got)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestMemosCompose(t *testing.T) {
	m := loadGood(t)
	session, err := ParseMemo(MemoSession, "session", "GPM = (revenue - cost) / revenue")
	if err != nil {
		t.Fatal(err)
	}
	install, err := ParseMemo(MemoInstallation, "ANALYST.md", "# Refuse\n* weather: No.\n")
	if err != nil {
		t.Fatal(err)
	}
	got := WithMemos(m, session, install)
	var levels []string
	for _, x := range got.Memos {
		levels = append(levels, x.Level)
	}
	if !reflect.DeepEqual(levels, []string{"installation", "workspace", "session"}) || got.Version != m.Version || len(m.Memos) != 1 {
		t.Errorf("%v", levels)
	}
	if _, err := ParseMemo(MemoUser, "ANALYST.md", "## Refuse\n\n- no reason\n"); err == nil || !strings.HasPrefix(err.Error(), "ANALYST.md:3: ") {
		t.Errorf("got %v", err)
	}
}

func TestVersionFollowsContentOnly(t *testing.T) {
	a, err := txtar.ParseFile("testdata/good.txtar")
	if err != nil {
		t.Fatal(err)
	}
	m := loadGood(t)
	moved := archiveFS(a)
	moved["context/entities/zz.yaml"] = &fstest.MapFile{Data: append([]byte("# a comment\n"), moved["context/entities/orders.yaml"].Data...)}
	delete(moved, "context/entities/orders.yaml")
	same, err := Load(moved)
	if err != nil {
		t.Fatal(err)
	}
	if same.Version != m.Version {
		t.Error("the version depends on how files are cut")
	}
	moved["ANALYST.md"] = &fstest.MapFile{Data: []byte("other")}
	other, err := Load(moved)
	if err != nil {
		t.Fatal(err)
	}
	if other.Version == m.Version {
		t.Error("the version ignores the memo")
	}
}

func TestHostileYAMLIsAnError(t *testing.T) {
	for name, body := range map[string]string{
		"flow":   "a: " + strings.Repeat("[", 100000),
		"dashes": strings.Repeat("- ", 100000) + "a",
		"bytes":  "\x00\xff\xfe",
		"bomb":   "a: &a [x,x]\nb: &b [*a,*a]\nc: *b\n",
		"big":    "# " + strings.Repeat("x", yamlfile.MaxSize),
		"tag":    "entity: !!binary x\n",
		"merge":  "<<: {entity: a}\n",
	} {
		fsys := fstest.MapFS{"workspace.yaml": {Data: []byte("workspace: a")}, "context/entities/a.yaml": {Data: []byte(body)}}
		_, err := Load(fsys)
		if fault.CodeOf(err) != fault.Invalid || !strings.Contains(err.Error(), "context/entities/a.yaml") {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}

// However a file is damaged, loading gives a model or an Invalid, and never both nor a crash.
func TestDamagedFilesNeverCrash(t *testing.T) {
	a, err := txtar.ParseFile("testdata/good.txtar")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		fsys := archiveFS(a)
		f := rapid.SampledFrom(a.Files).Draw(t, "file")
		body := string(f.Data)
		for range rapid.IntRange(1, 3).Draw(t, "damages") {
			at := rapid.IntRange(0, len(body)).Draw(t, "at")
			end := min(at+rapid.IntRange(0, 12).Draw(t, "cut"), len(body))
			body = body[:at] + rapid.SampledFrom([]string{"", "\n", ": ", "- ", "{", "]", "\"", "'", "&a ", "*a", "!!map ", "---\n", "\t", "|\n", "#", "%", "0", "é", "\x00"}).Draw(t, "in") + body[end:]
		}
		fsys[f.Name] = &fstest.MapFile{Data: []byte(body)}
		m, err := Load(fsys)
		if (m == nil) == (err == nil) || err != nil && fault.CodeOf(err) != fault.Invalid {
			t.Fatalf("%v, %v\n%s", m, err, body)
		}
	})
}
