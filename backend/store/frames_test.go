package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/reuse"
	"assay/backend/semantic"
)

// salesCSV is a fact of n rows over three years; every number is a function of the row, scaled by times.
func salesCSV(t testing.TB, dir string, n, times int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("id,day,region,product,customer,amount\n")
	for i := range n {
		day := date("2022-01-01").AddDate(0, 0, i%1000)
		fmt.Fprintf(&b, "%d,%s,%s,%s,%d,%d.%02d\n", i, day.Format("2006-01-02"), []string{"West", "East", "North", ""}[i%7%4], []string{"a", "b", "c"}[i%5%3], i%97, times*(i%500), i%100)
	}
	path := filepath.Join(dir, "sales.csv")
	writeBytes(t, path, []byte(b.String()))
	return path
}

func date(s string) time.Time {
	t, err := time.Parse("2006-01-02", s)
	if err != nil {
		panic(err)
	}
	return t
}

func column(name string, typ semantic.Type) *compile.Scalar {
	return &compile.Scalar{Op: "col", Text: name, Type: typ}
}

// sales is a branch of revenue and rows by month and region, for a period of the first day of from to that of to.
func sales(from, to string, leaves ...compile.BranchLeaf) compile.Branch {
	day := column("day", semantic.Date)
	b := compile.Branch{
		Source: &compile.Source{Nodes: []compile.Node{{Entity: "sales", Table: "sales", Parent: -1}}}, Tables: []string{"sales"}, Time: day,
		Keys: []compile.BranchKey{
			{Expr: &compile.Scalar{Op: "trunc", Text: "month", Args: []*compile.Scalar{day}, Type: semantic.Date}, Name: "month"},
			{Expr: column("region", semantic.Text), Name: "region"},
		},
		Leaves: append([]compile.BranchLeaf{
			{Leaf: compile.Leaf{Reducer: "sum", Expr: column("amount", semantic.Decimal), Time: day, Zero: true, Type: semantic.Decimal}, Name: "revenue"},
			{Leaf: compile.Leaf{Reducer: "count", Time: day, Zero: true, Type: semantic.Integer}, Name: "orders"},
		}, leaves...),
	}
	if from != "" {
		b.From, b.To = date(from), date(to)
	}
	return b
}

// baseStatement computes a branch from the sources.
func baseStatement(t testing.TB, b compile.Branch) frameql.Statement {
	t.Helper()
	p, err := compile.Compile(reuse.Query(b), compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return frameql.Statement{SQL: p.SQL}
}

// servedStatement reads a branch like sales from a frame.
func servedStatement(b compile.Branch, s *compile.Served) frameql.Statement {
	write := func(x *compile.Scalar) string {
		if x.Op == "trunc" {
			return "CAST(date_trunc('" + x.Text + "', " + x.Args[0].Text + ") AS DATE)"
		}
		return x.Text
	}
	var columns, where []string
	for i, k := range s.Keys {
		columns = append(columns, write(k)+" AS "+b.Keys[i].Name)
	}
	for i, l := range s.Leaves {
		how := map[string]string{"distinct": "count(DISTINCT " + l + ")", "value": "any_value(" + l + ")"}[s.Reduce[i]]
		if how == "" {
			how = s.Reduce[i] + "(" + l + ")"
		}
		if b.Leaves[i].Leaf.Reducer == "count" {
			how = "CAST(coalesce(" + how + ", 0) AS BIGINT)"
		}
		columns = append(columns, how+" AS "+b.Leaves[i].Name)
	}
	for _, w := range s.Where {
		where = append(where, w.Args[0].Text+" "+w.Op+" "+strings.ToUpper(w.Args[1].Op)+" '"+w.Args[1].Text+"'")
	}
	sql := "SELECT " + strings.Join(columns, ", ") + " FROM " + s.Table
	if len(where) > 0 {
		sql += " WHERE " + strings.Join(where, " AND ")
	}
	return frameql.Statement{SQL: sql + " GROUP BY ALL ORDER BY ALL NULLS LAST"}
}

// cache opens the frame cache of a store; frames are made at once and for anything.
func cache(t testing.TB, s *Store, dir string, change ...func(*FramesOptions)) *Frames {
	t.Helper()
	opt := FramesOptions{Dir: dir, Quiet: time.Nanosecond, Saves: time.Nanosecond}
	for _, c := range change {
		c(&opt)
	}
	return s.OpenFrames(opt)
}

func settle(t testing.TB, f *Frames) {
	t.Helper()
	if err := f.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// answers asks for a branch through the cache and holds it against the base; it says whether a frame answered.
func answers(t testing.TB, s *Store, f *Frames, b compile.Branch) (fromFrame bool, reason string) {
	t.Helper()
	base := baseStatement(t, b)
	want, err := s.Query(t.Context(), base)
	if err != nil {
		t.Fatalf("%s: %s", base.SQL, fault.Detail(err))
	}
	served, reason := f.Reader("m1", "").Serve(b)
	if served == nil {
		return false, reason
	}
	got, used, err := f.Query(t.Context(), servedStatement(b, served), base)
	if err != nil {
		t.Fatalf("%s", fault.Detail(err))
	}
	if !reflect.DeepEqual(got.Rows, want.Rows) {
		t.Fatalf("the frame gives %v, the base %v\n%s", got.Rows, want.Rows, got.SQL)
	}
	if len(used) == 0 {
		if got.ServedFrom != "backend" || got.SQL != base.SQL {
			t.Errorf("served from %q by %s", got.ServedFrom, got.SQL)
		}
		return false, reason
	}
	if !slices.Equal(used, []string{served.Frame}) || got.ServedFrom != "engine_cache" || got.SourceEpochs["sales"] == "" {
		t.Errorf("used %v of %s, served from %q, epochs %v", used, served.Frame, got.ServedFrom, got.SourceEpochs)
	}
	return true, reason
}

// observed asks once, so that a frame is made.
func observed(t testing.TB, f *Frames, b compile.Branch) {
	t.Helper()
	f.Reader("m1", "").Observe(b, time.Second, 0)
	settle(t, f)
}

// TestFrame: what was asked once is answered from a frame, and so are a closer look, another period and another filter.
func TestFrame(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, salesCSV(t, t.TempDir(), 120000, 1))
	f := cache(t, s, filepath.Join(t.TempDir(), "frames"))
	first := sales("2023-01-01", "2024-01-01")
	first.Filters = []*compile.Scalar{{Op: "=", Args: []*compile.Scalar{column("product", semantic.Text), {Op: "str", Text: "a"}}, Type: semantic.Boolean}}
	if ok, reason := answers(t, s, f, first); ok || !strings.Contains(reason, "No frame") {
		t.Errorf("an empty cache answers: %s", reason)
	}
	observed(t, f, first)
	later := sales("2022-03-01", "2022-06-15")
	later.Keys[0].Expr = &compile.Scalar{Op: "trunc", Text: "week", Args: []*compile.Scalar{column("day", semantic.Date)}, Type: semantic.Date}
	beyond := sales("2024-01-01", "2031-05-05")
	for name, b := range map[string]compile.Branch{"all time": sales("", ""), "other period and grain": later, "beyond the data": beyond} {
		if ok, reason := answers(t, s, f, b); !ok {
			t.Errorf("%s: %s", name, reason)
		}
	}
	if served, reason := f.Reader("m2", "").Serve(first); served != nil {
		t.Errorf("other definitions are served: %s", reason)
	}
	if served, reason := f.Reader("m1", "west").Serve(first); served != nil {
		t.Errorf("another reader is served: %s", reason)
	}
	st := f.Stats()
	if !st.Owner || st.Frames != 1 || st.Bytes == 0 || st.Served != 3 || st.Details[0].Hits < 3 {
		t.Errorf("state %+v", st)
	}
	if frame, err := s.Query(t.Context(), frameql.Statement{SQL: "SELECT * FROM frames." + st.Details[0].ID}); err == nil {
		t.Errorf("a statement of a person reads a frame: %v", frame.Rows)
	}
	f.Clear()
	if ok, _ := answers(t, s, f, first); ok || f.Stats().Frames != 0 || f.Stats().Bytes != 0 {
		t.Errorf("after clearing: %+v", f.Stats())
	}
}

// TestFrameOfDistinct: a distinct count is answered for coarser groups, because the counted values were kept.
func TestFrameOfDistinct(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, salesCSV(t, t.TempDir(), 120000, 1))
	f := cache(t, s, filepath.Join(t.TempDir(), "frames"))
	customers := compile.BranchLeaf{Leaf: compile.Leaf{Reducer: "count", Distinct: true, Expr: column("product", semantic.Text), Time: column("day", semantic.Date), Zero: true, Type: semantic.Integer}, Name: "products"}
	b := sales("", "", customers)
	observed(t, f, b)
	b.Keys = b.Keys[:1]
	b.Keys[0].Expr = &compile.Scalar{Op: "trunc", Text: "year", Args: []*compile.Scalar{column("day", semantic.Date)}, Type: semantic.Date}
	if ok, reason := answers(t, s, f, b); !ok {
		t.Error(reason)
	}
}

// TestFrameAfterImport: data that is imported again invalidates its frames, and only its own.
func TestFrameAfterImport(t *testing.T) {
	s := open(t, t.TempDir())
	folder := t.TempDir()
	mustImport(t, s, salesCSV(t, folder, 20000, 1))
	f := cache(t, s, filepath.Join(t.TempDir(), "frames"))
	observed(t, f, sales("", ""))
	if ok, reason := answers(t, s, f, sales("", "")); !ok {
		t.Fatal(reason)
	}
	mustImport(t, s, write(t, "other.csv", "x,y\n1,2\n"))
	if ok, reason := answers(t, s, f, sales("", "")); !ok {
		t.Errorf("another file was imported: %s", reason)
	}
	held, _ := f.Reader("m1", "").Serve(sales("", ""))
	mustImport(t, s, salesCSV(t, folder, 20000, 3))
	if ok, reason := answers(t, s, f, sales("", "")); ok || !strings.Contains(reason, "before the data changed") {
		t.Errorf("answered from old data: %s", reason)
	}
	// A statement that was compiled before the import runs after it.
	base := baseStatement(t, sales("", ""))
	want, _ := s.Query(t.Context(), base)
	got, used, err := f.Query(t.Context(), servedStatement(sales("", ""), held), base)
	if err != nil || len(used) > 0 || !reflect.DeepEqual(got.Rows, want.Rows) {
		t.Errorf("a statement of before the import: used %v, error %v", used, err)
	}
	observed(t, f, sales("", ""))
	if ok, reason := answers(t, s, f, sales("", "")); !ok {
		t.Error(reason)
	}
}

// TestFrameAfterRestart: frames live on in their files.
func TestFrameAfterRestart(t *testing.T) {
	dir, frames := t.TempDir(), filepath.Join(t.TempDir(), "frames")
	s := open(t, dir)
	mustImport(t, s, salesCSV(t, t.TempDir(), 20000, 1))
	f := cache(t, s, frames)
	observed(t, f, sales("", ""))
	s.Close()
	again := open(t, dir)
	f = cache(t, again, frames)
	settle(t, f)
	if ok, reason := answers(t, again, f, sales("2023-02-01", "2023-03-01")); !ok {
		t.Error(reason)
	}
}

// TestInterruptedBuild: a question stops what the builder does, which is done again when the question is answered.
func TestInterruptedBuild(t *testing.T) {
	s := open(t, t.TempDir())
	f := cache(t, s, filepath.Join(t.TempDir(), "frames"))
	began, ended := make(chan int), make(chan error)
	times := 0
	go func() {
		ended <- f.patiently(func(ctx context.Context) error {
			times++
			began <- times
			if times == 1 {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		})
	}()
	<-began
	answered := s.foreground()
	select {
	case <-began:
		t.Error("it builds while a question runs")
	case err := <-ended:
		t.Errorf("it gave up: %v", err)
	default:
	}
	answered()
	if n := <-began; n != 2 {
		t.Errorf("run %d", n)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestPartByPart: a large base is read in parts, rows without a time among them.
func TestPartByPart(t *testing.T) {
	s := open(t, t.TempDir())
	path := salesCSV(t, t.TempDir(), 20000, 1)
	raw, _ := os.ReadFile(path)
	writeBytes(t, path, append(raw, []byte("900001,,West,a,1,5.00\n900002,,,b,1,7.00\n")...))
	mustImport(t, s, path)
	f := cache(t, s, filepath.Join(t.TempDir(), "frames"))
	f.chunkRows = 100
	observed(t, f, sales("", ""))
	if n := len(reuse.Chunks(f.held[f.Stats().Details[0].ID].Branch, date("2022-01-01"), date("2024-09-27"), chunks)); n < 10 {
		t.Errorf("%d parts", n)
	}
	if ok, reason := answers(t, s, f, sales("", "")); !ok {
		t.Error(reason)
	}
	if ok, reason := answers(t, s, f, sales("2022-05-01", "2023-08-01")); !ok {
		t.Error(reason)
	}
}

// TestNotWorth: what is nearly as large as the base is not made, and not tried twice.
func TestNotWorth(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, salesCSV(t, t.TempDir(), 2000, 1))
	frames := filepath.Join(t.TempDir(), "frames")
	f := cache(t, s, frames)
	b := sales("", "")
	b.Keys = append(b.Keys, compile.BranchKey{Expr: column("id", semantic.Integer), Name: "id"})
	observed(t, f, b)
	f.Reader("m1", "").Observe(b, time.Second, 2000)
	if st := f.Stats(); st.Frames != 0 || st.Wanted != 0 {
		t.Errorf("state %+v", st)
	}
	f.Reader("m1", "").Warm([]compile.Branch{sales("", "")})
	settle(t, f)
	if ok, reason := answers(t, s, f, sales("", "")); !ok {
		t.Errorf("what a metric names is not made: %s", reason)
	}
}
