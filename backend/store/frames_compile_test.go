package store

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/semantic"
)

// TestCompiledFromFrames compiles random queries with and without the cache and runs both: the answers are the same, and
// what was observed is answered from frames.
func TestCompiledFromFrames(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, salesCSV(t, t.TempDir(), 120000, 1))
	f := cache(t, s, filepath.Join(t.TempDir(), "frames"))
	count := 60
	if n, err := strconv.Atoi(os.Getenv("ASSAY_CASES")); err == nil {
		count = max(count, n/20)
	}
	random := rand.New(rand.NewSource(3))
	reader := f.Reader("m1", "")
	whole, part, branches, made := 0, 0, 0, 0
	for i := range count {
		q := randomQuery(random)
		plain, err := compile.Compile(q, compile.Options{})
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		base := frameql.Statement{SQL: plain.SQL}
		want, err := s.Query(t.Context(), base)
		if err != nil {
			t.Fatalf("%d: %s\n%s", i, fault.Detail(err), plain.SQL)
		}
		cached, err := compile.Compile(q, compile.Options{Serve: reader.Serve})
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		served := 0
		for j, use := range cached.Cache {
			branches++
			if use.Frame != "" {
				served++
				whole++
				continue
			}
			if b := cached.Branches[j]; i/12%3 == 0 { // frames of many questions, or of the very one
				reader.Observe(b, time.Second, int64(want.RowCount))
			} else {
				if i/12%3 == 2 && !b.From.IsZero() { // and a part of its period
					b.From = b.From.AddDate(0, 1, 0)
				}
				reader.Warm([]compile.Branch{b})
			}
		}
		if served > 0 {
			got, used, err := f.Query(t.Context(), frameql.Statement{SQL: cached.SQL}, base)
			if err != nil || len(used) == 0 {
				t.Fatalf("%d: used %v, error %v\n%s", i, used, err, cached.SQL)
			}
			if !sameRows(got.Rows, want.Rows) {
				t.Fatalf("%d: from frames %v\nfrom the base %v\n%s\n%s", i, got.Rows, want.Rows, cached.SQL, plain.SQL)
			}
			if strings.Contains(cached.SQL, "UNION ALL") {
				part++
			}
		}
		settle(t, f)
		if i%12 == 11 {
			made += f.Stats().Frames
			f.Clear()
		}
	}
	t.Logf("%d branches of %d queries, %d from frames (%d of them with the rest of the period from the base), %d frames", branches, count, whole, part, made)
	if whole < branches/5 {
		t.Errorf("%d of %d branches were served", whole, branches)
	}
}

// sameRows compares two results; floating numbers may differ by what their order of adding does.
func sameRows(a, b [][]any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		for j := range a[i] {
			x, float := a[i][j].(float64)
			y, also := b[i][j].(float64)
			if float && also && math.Abs(x-y) <= 1e-9*max(1, math.Abs(x)) {
				continue
			}
			if !reflect.DeepEqual(a[i][j], b[i][j]) {
				return false
			}
		}
	}
	return true
}

// randomQuery asks for some numbers of sales.
func randomQuery(r *rand.Rand) *compile.Query {
	day := column("day", semantic.Date)
	q := &compile.Query{Sources: []compile.Source{{Nodes: []compile.Node{{Entity: "sales", Table: "sales", Parent: -1}}}}, Contexts: []compile.Context{{}}}
	key := func(k compile.Key) {
		q.Keys = append(q.Keys, k)
		q.Grain = append(q.Grain, len(q.Keys)-1)
		q.Outputs = append(q.Outputs, compile.Output{Name: k.Name, Cell: &compile.Scalar{Op: "key", Index: len(q.Keys) - 1, Type: k.Type}})
	}
	if r.Intn(3) > 0 {
		unit := []string{"day", "week", "month", "quarter", "year"}[r.Intn(5)]
		key(compile.Key{Name: unit, Axis: true, Cut: &compile.Scalar{Op: "trunc", Text: unit, Type: semantic.Date}, Type: semantic.Date})
	}
	for _, name := range []string{"region", "product"} {
		if r.Intn(2) == 0 {
			key(compile.Key{Name: name, Exprs: []*compile.Scalar{column(name, semantic.Text)}, Type: semantic.Text})
		}
	}
	amount := column("amount", semantic.Decimal)
	for i, l := range []compile.Leaf{
		{Reducer: "sum", Expr: amount, Zero: true, Type: semantic.Decimal},
		{Reducer: "count", Zero: true, Type: semantic.Integer},
		{Reducer: "avg", Expr: amount, Type: semantic.Float},
		{Reducer: "max", Expr: amount, Type: semantic.Decimal},
		{Reducer: "count", Distinct: true, Expr: column("product", semantic.Text), Zero: true, Type: semantic.Integer},
		{Reducer: "count", Zero: true, Type: semantic.Integer, Filter: is("=", column("region", semantic.Text), "West")},
	} {
		if r.Intn(3) == 0 {
			l.Time, l.Name = day, fmt.Sprintf("number%d", i)
			q.Leaves = append(q.Leaves, l)
			q.Outputs = append(q.Outputs, compile.Output{Name: l.Name, Cell: &compile.Scalar{Op: "leaf", Index: len(q.Leaves) - 1, Type: l.Type}})
		}
	}
	if len(q.Leaves) == 0 {
		l := compile.Leaf{Reducer: "sum", Expr: amount, Zero: true, Type: semantic.Decimal, Time: day, Name: "revenue"}
		q.Leaves = append(q.Leaves, l)
		q.Outputs = append(q.Outputs, compile.Output{Name: l.Name, Cell: &compile.Scalar{Op: "leaf", Type: l.Type}})
	}
	if r.Intn(3) == 0 {
		q.Sources[0].Where = append(q.Sources[0].Where, is("=", column("product", semantic.Text), []string{"a", "b"}[r.Intn(2)]))
	}
	if r.Intn(4) == 0 {
		q.Sources[0].Where = append(q.Sources[0].Where, is("<>", column("region", semantic.Text), "West"))
	}
	if r.Intn(2) == 0 {
		from := date("2022-01-01").AddDate(0, r.Intn(30), 0)
		q.Contexts[0] = compile.Context{From: from, To: from.AddDate(0, 1+r.Intn(12), r.Intn(2)*r.Intn(20))}
	}
	return q
}

func is(op string, x *compile.Scalar, value string) *compile.Scalar {
	return &compile.Scalar{Op: op, Args: []*compile.Scalar{x, {Op: "str", Text: value, Type: semantic.Text}}, Type: semantic.Boolean}
}
