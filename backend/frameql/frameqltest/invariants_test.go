//go:build cgo

package frameqltest_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/backend/frameql"
	. "assay/backend/frameql/frameqltest"
	"assay/backend/semantic"
)

// asked is a world in an engine, ready for queries.
type asked struct {
	t *rapid.T
	e *engine
	w *World
}

func ask(t *rapid.T, e *engine, w *World) asked {
	if err := e.load(w); err != nil {
		t.Fatal(err)
	}
	return asked{t, e, w}
}

// answer runs a query; nil when it is refused.
func (a asked) answer(text string) *Result {
	plan, _ := frameql.Resolve(parse(a.t, text), env(a.w))
	if plan == nil {
		return nil
	}
	s, err := plan.Statement(frameql.DuckDB)
	if err != nil {
		a.t.Fatalf("%v\n%s", err, reproduction(a.w, text, ""))
	}
	r, err := a.e.run(s.SQL)
	if err != nil {
		a.t.Fatalf("%v\n%s", err, reproduction(a.w, text, s.SQL))
	}
	return r
}

// additive draws a metric whose values add up over everything, and dimensions that its fact reaches.
func additive(t *rapid.T, w *World, most int) (metric string, dims []string) {
	var metrics []string
	for _, m := range w.Model.Metrics {
		if m.Additivity.Default == "additive" && m.Leaf() && m.EmptyIs != "null" && (m.Reducer == semantic.Sum || m.Reducer == semantic.Count) {
			metrics = append(metrics, m.Name)
		}
	}
	metric = rapid.SampledFrom(metrics).Draw(t, "metric")
	all := w.Reachable(w.Model.Metric(metric).Entity)
	return metric, rapid.SliceOfNDistinct(rapid.SampledFrom(all), 1, most, rapid.ID).Draw(t, "dims")
}

// summed adds up the column of a result for every value of the first keys columns.
func summed(r *Result, keys, column int, skip func([]any) bool) map[string]*big.Rat {
	sums := map[string]*big.Rat{}
	for _, row := range r.Rows {
		if skip != nil && skip(row) {
			continue
		}
		id := ""
		for _, c := range row[:keys] {
			id += Show(c) + "|"
		}
		if sums[id] == nil {
			sums[id] = new(big.Rat)
		}
		if n, ok := row[column].(Number); ok {
			sums[id].Add(sums[id], n.Value)
		}
	}
	return sums
}

func sameSums(a, b map[string]*big.Rat) bool {
	for _, id := range keysOf(a, b) {
		x, y := a[id], b[id]
		if x == nil || y == nil {
			return false
		}
		d := new(big.Rat).Sub(x, y)
		if f, _ := d.Float64(); f > 1e-6 || f < -1e-6 { // one of the measures is a floating number
			return false
		}
	}
	return true
}

func keysOf(all ...map[string]*big.Rat) []string {
	var ids []string
	for _, m := range all {
		for id := range m {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// TestConservation: the groups of an additive metric, those of missing and unmatched members among them, add up to the
// metric without groups; and so do the first members with the rest of them.
func TestConservation(t *testing.T) {
	e := openEngine(t)
	tried := 0
	check(t, cases(t)/10, func(t *rapid.T) {
		w := DrawWorld(t)
		metric, dims := additive(t, w, 3)
		a := ask(t, e, w)
		list := strings.Join(dims, ", ")
		whole := a.answer("SELECT " + metric + " AT ()")
		parts := a.answer("SELECT " + list + ", " + metric)
		if whole == nil || parts == nil {
			return
		}
		last := len(parts.Columns) - 1
		total := summed(whole, 0, 0, nil)
		if len(parts.Rows) == 0 {
			parts.Rows = [][]any{make([]any, last+1)} // no rows are worth nothing
		}
		if !sameSums(total, summed(parts, 0, last, nil)) {
			t.Fatalf("%s by %s does not add up to %s\n%s\n%s", metric, list, whole, parts, reproduction(w, metric, ""))
		}
		top := a.answer(fmt.Sprintf("SELECT %s, %s TOP %d %s BY %s WITH OTHER", list, metric, rapid.IntRange(1, 3).Draw(t, "n"), dims[0], metric))
		if top == nil {
			return
		}
		if len(top.Rows) == 0 {
			top.Rows = [][]any{make([]any, len(top.Columns))}
		}
		at := slices.Index(top.Columns, metric)
		if !sameSums(total, summed(top, 0, at, nil)) {
			t.Fatalf("the first %s with the rest do not add up to %s\n%s\n%s", dims[0], whole, top, reproduction(w, metric, ""))
		}
		tried++
	})
	enough(t, tried, cases(t)/20)
}

func enough(t *testing.T, tried, least int) {
	t.Helper()
	t.Logf("%d tried", tried)
	if !t.Failed() && tried < least {
		t.Errorf("only %d could be tried", tried)
	}
}

// TestRollBack: a dimension that is added to a grain and added up again changes nothing.
func TestRollBack(t *testing.T) {
	e := openEngine(t)
	tried := 0
	check(t, cases(t)/10, func(t *rapid.T) {
		w := DrawWorld(t)
		metric, dims := additive(t, w, 2)
		if len(dims) < 2 {
			return
		}
		a := ask(t, e, w)
		coarse := a.answer("SELECT " + dims[0] + ", " + metric)
		fine := a.answer("SELECT " + dims[0] + ", " + dims[1] + ", " + metric)
		if coarse == nil || fine == nil {
			return
		}
		keys := len(coarse.Columns) - 1
		if x, y := summed(coarse, keys, keys, nil), summed(fine, keys, len(fine.Columns)-1, nil); !sameSums(x, y) {
			t.Fatalf("%s by %s\n%s\nand by %s too\n%s\n%s", metric, dims[0], coarse, dims[1], fine, reproduction(w, metric, ""))
		}
		tried++
	})
	enough(t, tried, cases(t)/40)
}

// TestComparisonWithItself: a period beside itself differs by nothing, and so does a period beside one whose rows are the
// same rows some weeks earlier.
func TestComparisonWithItself(t *testing.T) {
	e := openEngine(t)
	tried := 0
	check(t, cases(t)/10, func(t *rapid.T) {
		w := DrawWorld(t)
		metrics := []string{"orders_sum", "orders_count", "orders_avg", "orders_clients", "orders_mean", "orders_max"}
		metric := rapid.SampledFrom(metrics).Draw(t, "metric")
		grain := rapid.SampledFrom([]string{"", "month, ", "week, ", "day, ", "clients.title, ", "clients.title, day, "}).Draw(t, "grain")
		ask := ask(t, e, w)
		for _, r := range []*Result{
			ask.answer("SELECT " + grain + metric + " AS m, PREV(" + metric + ") AS p DURING 2024 COMPARE TO DURING 2024"),
			func() *Result {
				again := repeated(w, 28)
				if err := e.load(again); err != nil {
					t.Fatal(err)
				}
				if strings.HasPrefix(grain, "month") {
					return nil
				}
				return asked{t, e, again}.answer("SELECT " + grain + metric + " AS m, PREV(" + metric + ") AS p DURING FROM 2024-02-02 TO 2024-03-01 COMPARE TO PREVIOUS PERIOD OPTIONS (partial = 'none')")
			}(),
		} {
			if r == nil {
				continue
			}
			tried++
			n := len(r.Columns)
			for _, row := range r.Rows {
				if Show(row[n-1]) != Show(row[n-2]) {
					t.Fatalf("%s%s differs from itself\n%s\n%s", grain, metric, r, reproduction(w, metric, ""))
				}
			}
		}
	})
	enough(t, tried, cases(t)/20)
}

// repeated gives a world whose orders of four weeks, by the clocks of the workspace, are those of the four weeks before, too. No
// clock is changed in these.
func repeated(w *World, days int) *World {
	out := *w
	out.Tables = map[string]*Table{}
	for name, table := range w.Tables {
		out.Tables[name] = table
	}
	orders := *w.Tables["orders"]
	from, to := time.Date(2024, 2, 2, 0, 0, 0, 0, time.UTC), time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)
	placed := w.Model.Entity("orders").Dimension("placed")
	rows := orders.Rows
	orders.Rows = nil
	for i, row := range rows {
		shown, ok := w.InZone(placed, row[1]).(time.Time)
		if !ok || shown.Before(from) || !shown.Before(to) {
			continue
		}
		day := row[1].(time.Time)
		earlier := slices.Clone(row)
		earlier[0], earlier[1] = Whole(int64(1000+i)), day.AddDate(0, 0, -days)
		orders.Rows = append(orders.Rows, row, earlier)
	}
	out.Tables["orders"] = &orders
	return &out
}

// TestTotalsOfTop: total rows are computed from the rows of the source, so that TOP changes none of them.
func TestTotalsOfTop(t *testing.T) {
	e := openEngine(t)
	tried := 0
	check(t, cases(t)/10, func(t *rapid.T) {
		w := DrawWorld(t)
		metric := rapid.SampledFrom([]string{"orders_sum", "orders_avg", "orders_clients", "orders_mean", "orders_max"}).Draw(t, "metric")
		dim := rapid.SampledFrom([]string{"clients.title", "orders.status", "clients", "clients.size"}).Draw(t, "dim")
		a := ask(t, e, w)
		plain := a.answer("SELECT " + dim + ", " + metric + " TOTALS")
		top := a.answer("SELECT " + dim + ", " + metric + " TOP 1 " + dim + " BY " + metric + " WITH OTHER TOTALS")
		if plain == nil || top == nil || len(plain.Rows) == 0 || len(top.Rows) == 0 {
			return
		}
		x, y := plain.Rows[len(plain.Rows)-1], top.Rows[len(top.Rows)-1]
		if at := slices.Index(plain.Columns, metric); Show(x[at]) != Show(y[slices.Index(top.Columns, metric)]) {
			t.Fatalf("%s\n%s\n%s", plain, top, reproduction(w, metric, ""))
		}
		tried++
	})
	enough(t, tried, cases(t)/20)
}

// TestRepairsResolve: whatever is offered instead of a refused query resolves, and runs.
func TestRepairsResolve(t *testing.T) {
	e := openEngine(t)
	repairs := 0
	check(t, cases(t)/4, func(t *rapid.T) {
		w := DrawWorld(t)
		text := spoiled(t, DrawQuery(t, w))
		q, err := frameql.Parse(text)
		if err != nil {
			return
		}
		plan, refusals := frameql.Resolve(q, env(w))
		if (plan == nil) == (len(refusals) == 0) {
			t.Fatalf("%s: plan %v, refusals %v", text, plan, refusals)
		}
		for i, r := range refusals {
			if r.Code == "" || r.Message == "" || r.Span[0] > r.Span[1] || i > 0 && r.Span[0] < refusals[i-1].Span[0] || len(r.Repairs) > 3 {
				t.Fatalf("%s: %+v", text, refusals)
			}
			for _, repair := range r.Repairs {
				repairs++
				fixed, still := frameql.Resolve(repair.Query, env(w))
				if fixed == nil {
					t.Fatalf("%s\nis refused: %s\nand so is its repair %s: %v", text, r.Message, repair.FrameQL, still)
				}
				s, err := fixed.Statement(frameql.DuckDB)
				if err != nil {
					t.Fatalf("%s: %v", repair.FrameQL, err)
				}
				if repairs%5 > 0 {
					continue
				}
				if err := e.load(w); err != nil {
					t.Fatal(err)
				}
				if _, err := e.run(s.SQL); err != nil {
					t.Fatalf("%v\n%s", err, reproduction(w, repair.FrameQL, s.SQL))
				}
			}
		}
	})
	enough(t, repairs, cases(t)/10)
}

// spoiled puts something wrong into a query, mostly.
func spoiled(t *rapid.T, text string) string {
	from := rapid.SampledFrom([]string{"clients", "orders_", "month", "title", "SELECT ", "AT (", "TOP ", "size", "DURING", "sum"}).Draw(t, "from")
	to := rapid.SampledFrom([]string{"client", "goods", "lines.label, ", "visits_", "titel", "fiscal_year", "orders.amount", "level_last", "PREV(orders_sum), ", "levels.account"}).Draw(t, "to")
	if strings.HasSuffix(to, ", ") {
		from = "SELECT "
		to = from + to
	}
	return strings.Replace(text, from, to, 1)
}

// TestTextAndJSON: a query is the same in both forms.
func TestTextAndJSON(t *testing.T) {
	check(t, 5*cases(t), func(t *rapid.T) {
		q := parse(t, DrawQuery(t, DrawWorld(t)))
		text := q.String()
		again := parse(t, text)
		if again.String() != text {
			t.Fatalf("%s\nreads back as\n%s", text, again)
		}
		raw, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		var back frameql.Query
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatalf("%s\n%s\n%v", text, raw, err)
		}
		if back.String() != text || back.ID() != q.ID() {
			t.Fatalf("%s\nis\n%s\nwhich is\n%s", text, raw, back.String())
		}
	})
}
