package frameql_test

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// check draws n cases, unless the command line says how many.
func check(t *testing.T, n int, property func(*rapid.T)) {
	t.Helper()
	f := flag.Lookup("rapid.checks")
	if before := f.Value.String(); before == f.DefValue {
		if err := flag.Set(f.Name, strconv.Itoa(n)); err != nil {
			t.Fatal(err)
		}
		defer flag.Set(f.Name, before)
	}
	rapid.Check(t, property)
}

// TestResolvedIsStable: the canonical text of a plan means the plan, whatever was bound on the way.
func TestResolvedIsStable(t *testing.T) {
	resolved := 0
	check(t, 2000, func(t *rapid.T) {
		q := drawShopQuery(t)
		before := q.String()
		plan, refusals := Resolve(q, env())
		if q.String() != before {
			t.Fatal("the query was changed")
		}
		if (plan == nil) == (len(refusals) == 0) {
			t.Fatalf("%s: plan %v, refusals %v", before, plan, refusals)
		}
		for _, r := range refusals {
			if r.Code == "" || r.Message == "" || strings.Contains(r.Message, "[frameql.") || strings.Contains(r.Message, "{") ||
				r.Span[0] < 0 || r.Span[1] > len(before) || len(r.Repairs) > 3 {
				t.Fatalf("%s: %+v", before, r)
			}
			for _, repair := range r.Repairs {
				if strings.Contains(repair.Label, "[frameql.") || strings.Contains(repair.Label, "{") {
					t.Fatalf("label %q", repair.Label)
				}
				again, err := Parse(repair.FrameQL)
				if err != nil {
					t.Fatal(err)
				}
				if p, still := Resolve(again, env()); p == nil || p.Query.String() != repair.FrameQL {
					t.Fatalf("%s: the repair %s is refused: %v", before, repair.FrameQL, still)
				}
			}
		}
		if plan == nil {
			return
		}
		resolved++
		canonical := plan.Query.String()
		again, err := Parse(canonical)
		if err != nil {
			t.Fatalf("%s\n%v", canonical, err)
		}
		second, refusals := Resolve(again, env())
		if second == nil {
			t.Fatalf("%s becomes %s, which is refused: %v", before, canonical, refusals)
		}
		if second.Query.String() != canonical {
			t.Fatalf("%s\n%s", canonical, second.Query)
		}
		one, _ := plan.Statement(DuckDB)
		two, _ := second.Statement(DuckDB)
		if one.SQL != two.SQL {
			t.Fatalf("%s\n%s\n%s", canonical, one.SQL, two.SQL)
		}
		names := map[string]bool{}
		for _, c := range plan.Columns {
			if names[strings.ToLower(c.Name)] || c.Name == "" || c.Label == "" || c.Role == "" {
				t.Fatalf("%s: column %+v", canonical, c)
			}
			names[strings.ToLower(c.Name)] = true
		}
	})
	if resolved < 20 {
		t.Errorf("only %d queries resolved", resolved)
	}
}

// TestAnythingResolvesOrRefuses: no query, however absurd, breaks the resolver.
func TestAnythingResolvesOrRefuses(t *testing.T) {
	check(t, 200, func(t *rapid.T) {
		q := drawQuery(t)
		if plan, refusals := Resolve(q, env()); (plan == nil) == (len(refusals) == 0) {
			t.Fatalf("%s: %v", q, refusals)
		}
	})
}

func TestCorpusRepairsResolve(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	repairs := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			q, err := Parse(strings.TrimSpace(string(f.Data)))
			if err != nil || strings.HasSuffix(f.Name, ".out") {
				continue
			}
			_, refusals := Resolve(q, fixture(filepath.Base(file)))
			for _, r := range refusals {
				for _, repair := range r.Repairs {
					repairs++
					if plan, still := Resolve(repair.Query, fixture(filepath.Base(file))); plan == nil {
						t.Errorf("%s: %s: %v", f.Name, repair.FrameQL, still)
					}
				}
			}
		}
	}
	if repairs < 80 {
		t.Errorf("only %d repairs", repairs)
	}
}

func TestAbsurdSizes(t *testing.T) {
	for name, text := range map[string]string{
		"many items":     "SELECT " + strings.Repeat("revenue, ", 9_000) + "country",
		"many unknown":   "SELECT " + strings.Repeat("x, ", 20_000) + "y",
		"many values":    "SELECT revenue WHERE country IN (" + strings.Repeat("'a', ", 15_000) + "'b')",
		"many conjuncts": "SELECT revenue WHERE " + strings.Repeat("quantity > 1 AND ", 5_000) + "quantity > 2",
	} {
		q, err := Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		plan, refusals := Resolve(q, env())
		if plan != nil {
			if _, err := plan.Statement(DuckDB); err != nil {
				t.Error(name, err)
			}
		} else if len(refusals) == 0 || len(refusals) > 50 {
			t.Errorf("%s: %d refusals", name, len(refusals))
		}
	}
}

func TestResolveWithoutAModel(t *testing.T) {
	q, err := Parse("SELECT revenue AT country DURING 2025")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []Env{{}, {Model: &semantic.Model{}}} {
		if plan, refusals := Resolve(q, e); plan != nil || refusals[0].Code != "UNKNOWN_NAME" {
			t.Errorf("%v %v", plan, refusals)
		}
	}
	if plan, refusals := Resolve(&Query{}, env()); plan != nil || refusals[0].Code != "INVALID_QUERY" {
		t.Errorf("%v %v", plan, refusals)
	}
}

func TestPlanFacts(t *testing.T) {
	q, _ := Parse("SELECT category_name, average_order_value DURING YTD WHERE country = 'France' TOP 3 category_name BY average_order_value LIMIT 2")
	p, refusals := Resolve(q, env())
	if p == nil {
		t.Fatal(refusals)
	}
	equal := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	equal("fact", p.Fact, "order_lines")
	equal("metrics", strings.Join(p.Metrics, " "), "average_order_value order_count revenue")
	equal("entities", strings.Join(p.Entities, " "), "order_lines products categories orders customers")
	if len(p.Joins) != 4 || p.Joins[0] != (JoinUse{From: "order_lines", To: "products"}) {
		t.Errorf("joins %v", p.Joins)
	}
	if !p.Period.Relative || p.Period.On != "orders.order_date" || !p.Period.From.Equal(time.Date(1998, 1, 1, 0, 0, 0, 0, time.UTC)) ||
		!p.Period.To.Equal(time.Date(1998, 5, 7, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("period %+v", p.Period)
	}
	if len(p.Grain) != 1 || p.Grain[0] != (GrainUse{Dimension: "categories.category_name", Column: "category_name"}) {
		t.Errorf("grain %+v", p.Grain)
	}
	if p.Complexity != (Complexity{Joins: 4, Subqueries: 2, Windows: 1, Aggregates: 2}) || p.MaxRows != 10_000 || p.Listing {
		t.Errorf("%+v", p)
	}
	for _, d := range []string{"order_lines.unit_price", "customers.country", "orders.order_date", "products.category_id"} {
		if !strings.Contains(strings.Join(p.Dimensions, " "), d) {
			t.Errorf("%s is not among %v", d, p.Dimensions)
		}
	}
	if s, err := p.Statement(Postgres); err != nil || s.Dialect != Postgres {
		t.Errorf("postgres: %v", err)
	}
}

func TestSundayWeeksAndCalendarYears(t *testing.T) {
	m := shop()
	m.Workspace.WeekStart = "sunday"
	m.Calendars[0].StartMonth = 1
	e := env()
	e.Model = m
	q, _ := Parse("SELECT order_date.week, order_date.fiscal_year, orders_placed DURING THIS WEEK")
	p, refusals := Resolve(q, e)
	if p == nil {
		t.Fatal(refusals)
	}
	s, _ := p.Statement(DuckDB)
	for _, part := range []string{"CAST(date_trunc('week', o.order_date + INTERVAL 1 DAY) - INTERVAL 1 DAY AS DATE)", "CAST(date_trunc('year', o.order_date) AS DATE) AS fiscal_year", "DATE '1998-05-03'"} {
		if !strings.Contains(s.SQL, part) {
			t.Errorf("%s is not in\n%s", part, s.SQL)
		}
	}
}

func TestFrameID(t *testing.T) {
	a := FrameID("SELECT a", map[string]string{"t": "1", "u": "2"})
	if a != FrameID("SELECT a", map[string]string{"u": "2", "t": "1"}) || !strings.HasPrefix(a, "frm_") {
		t.Error("the order of the map counts", a)
	}
	for _, other := range []string{
		FrameID("SELECT b", map[string]string{"t": "1", "u": "2"}), FrameID("SELECT a", map[string]string{"t": "1", "u": "3"}),
		FrameID("SELECT a", map[string]string{"t": "1u", "": "2"}), FrameID("SELECT a", nil),
	} {
		if a == other {
			t.Error("two frames have one id")
		}
	}
}

// TestEveryKindOfRefusal: each of the catalogue is in the corpus.
func TestEveryKindOfRefusal(t *testing.T) {
	raw, err := os.ReadFile("testdata/refusals.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range strings.Fields(`UNKNOWN_NAME AMBIGUOUS_METRIC AMBIGUOUS_DIMENSION AMBIGUOUS_VALUE AMBIGUOUS_JOIN_PATH
		UNREACHABLE_DIMENSION FANOUT_DIMENSION NOT_CONFORMED FILTER_NOT_CONFORMED FILTER_FANOUT NON_ADDITIVE_GRAIN SEMI_ADDITIVE_TIME
		REDUCER_NOT_ALLOWED REAGGREGATION_REQUIRED AT_INCOMPARABLE GRAIN_MISMATCH GRAIN_UNAVAILABLE TIME_DIMENSION_REQUIRED
		TIME_DIMENSION_AMBIGUOUS PERIOD_OUT_OF_COVERAGE PERIOD_MISALIGNED CALENDAR_UNDEFINED VALUE_NOT_FOUND TYPE_MISMATCH MIXED_UNITS
		INVALID_WINDOW INVALID_ORDER_OR_TOP MULTIVALUED_DIMENSION CARDINALITY_LIMIT ATTESTATION_TOO_LOW POLICY_OR_GOTCHA OUT_OF_SCOPE`) {
		if !strings.Contains(string(raw), "refused: "+code+" ") {
			t.Errorf("no case of %s", code)
		}
	}
	if strings.Contains(string(raw), "NOT_YET") {
		t.Error("something cannot be answered yet")
	}
}
