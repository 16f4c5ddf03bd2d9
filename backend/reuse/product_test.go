//go:build cgo

package reuse_test

import (
	"database/sql"
	"flag"
	"fmt"
	"math"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/duckdb/duckdb-go/v2"
	"pgregory.net/rapid"

	"assay/backend/compile"
	"assay/backend/frameql"
	"assay/backend/frameql/frameqltest"
	"assay/backend/reuse"
)

// TestAnswersFromFramesAreThoseOfBase asks the whole product, but for the files of the store: queries over random worlds are
// resolved and compiled, frames are made of what they scan as the store makes them, and queries of the same family are then
// answered with the frames and without. Both give the same rows, cell by cell.
func TestAnswersFromFramesAreThoseOfBase(t *testing.T) {
	const asked = 8 // queries of a family
	db := openProduct(t)
	sum := familyTally{kinds: map[string]int{}, served: map[string]int{}}
	checkFamilies(t, (cases()+asked-1)/asked, func(t *rapid.T) {
		f := &family{t: t, db: db, w: frameqltest.DrawWorld(t), epoch: map[string]string{}}
		db.load(t, f.w)
		first := f.first()
		if first == nil {
			return
		}
		f.admit(first)
		if len(f.frames) == 0 {
			return
		}
		for i := range asked {
			if i == asked/2 && f.chance(15) {
				f.changeData()
			}
			f.compare(&sum)
		}
	})
	t.Log(&sum)
	if t.Failed() {
		return
	}
	share := 100 * float64(sum.answered) / float64(max(sum.compared, 1))
	if sum.compared < cases()/2 || share < leastServed {
		t.Errorf("too little was tried: %v", &sum)
	}
	for _, kind := range changes {
		if sum.compared >= 1000 && sum.served[kind] == 0 {
			t.Errorf("no query that was changed by %q was answered from a frame", kind)
		}
	}
	if sum.compared >= 1000 && (sum.parts == 0 || sum.mixed == 0) {
		t.Errorf("no answer was put together from frames and base: %v", &sum)
	}
}

// leastServed is the part of the answers, in a hundred, that frames must have a share in.
const leastServed = 30

// familyTally is what became of the queries.
type familyTally struct {
	asked, refused, compared int
	answered                 int            // from frames
	whole, mixed, parts      int            // of these: by frames alone; beside scans of the base; with a range that the base adds
	stale                    int            // asked after the data had changed
	kinds, served            map[string]int // by what changed the query
}

func (s *familyTally) String() string {
	var kinds []string
	for _, k := range changes {
		kinds = append(kinds, fmt.Sprintf("%s %d/%d", k, s.served[k], s.kinds[k]))
	}
	return fmt.Sprintf("%d queries, %d refused, %d compared, %d answered from frames (%.0f %%): %d by frames alone, %d beside scans of the base, %d with a range that the base adds; %d asked after the data had changed; from frames by change: %s",
		s.asked, s.refused, s.compared, s.answered, 100*float64(s.answered)/float64(max(s.compared, 1)), s.whole, s.mixed, s.parts, s.stale, strings.Join(kinds, ", "))
}

// checkFamilies tries a property on n draws that begin at ASSAY_SEED, or always at the same.
func checkFamilies(t *testing.T, n int, property func(*rapid.T)) {
	t.Helper()
	seed := os.Getenv("ASSAY_SEED")
	if seed == "" {
		seed = "20240229"
	}
	for name, value := range map[string]string{"rapid.checks": strconv.Itoa(n), "rapid.seed": seed, "rapid.nofailfile": "true"} {
		f := flag.Lookup(name)
		before := f.Value.String()
		if before != f.DefValue {
			continue
		}
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { flag.Set(name, before) })
	}
	rapid.Check(t, property)
}

// product is an engine with the tables of a world and the frames.
type product struct{ db *sql.DB }

func openProduct(t *testing.T) product {
	t.Helper()
	db, err := sql.Open("duckdb", "?threads=1&"+compile.DuckDBConfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("SET TimeZone = 'UTC'"); err != nil {
		t.Fatal(err)
	}
	return product{db}
}

func (p product) exec(t *rapid.T, statement string) {
	if _, err := p.db.Exec(statement); err != nil {
		t.Fatalf("%v\n%s", err, statement)
	}
}

func (p product) load(t *rapid.T, w *frameqltest.World) {
	p.exec(t, "DROP SCHEMA IF EXISTS world CASCADE; CREATE SCHEMA world; USE world;\n"+w.Script("duckdb"))
}

// rows gives the rows of a statement with cells that can be compared.
func (p product) rows(t *rapid.T, statement, about string) [][]any {
	all, err := p.db.Query(statement)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, about, statement)
	}
	defer all.Close()
	columns, err := all.Columns()
	if err != nil {
		t.Fatal(err)
	}
	rows := [][]any{}
	for all.Next() {
		cells, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := all.Scan(into...); err != nil {
			t.Fatal(err)
		}
		for i, c := range cells {
			switch x := c.(type) {
			case duckdb.Decimal:
				cells[i] = x.String()
			case *big.Int: // whole numbers are told apart by no reader
				cells[i] = x.String()
			case int64, int32:
				cells[i] = fmt.Sprint(x)
			case time.Time:
				cells[i] = x.UTC().Format(time.RFC3339Nano)
			}
		}
		rows = append(rows, cells)
	}
	if err := all.Err(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, about, statement)
	}
	return rows
}

// sameCells compares two rows: exactly, but for what the order of adding does to a floating number.
func sameCells(a, b []any) bool {
	return slices.EqualFunc(a, b, func(x, y any) bool {
		f, float := x.(float64)
		g, also := y.(float64)
		if float && also {
			return f == g || math.IsNaN(f) && math.IsNaN(g) || math.Abs(f-g) <= 1e-9*max(math.Abs(f), math.Abs(g), 1e-3)
		}
		return x == y
	})
}

// sameAnswer compares the rows in their order; total rows, which stand last, may have any among themselves.
func sameAnswer(got, want [][]any, totals bool) bool {
	if len(got) != len(want) {
		return false
	}
	if totals {
		got = slices.Clone(got)
		for i, w := range want {
			if w[len(w)-1] != true {
				continue
			}
			at := slices.IndexFunc(got[i:], func(r []any) bool { return sameCells(r, w) })
			if at < 0 {
				return false
			}
			got[i], got[i+at] = got[i+at], got[i]
		}
	}
	return slices.EqualFunc(got, want, sameCells)
}

// family is a first query with the frames that are made of what it scans, and the queries that are derived from it.
type family struct {
	t      *rapid.T
	db     product
	w      *frameqltest.World
	base   *frameql.Query
	frames []reuse.Frame
	epoch  map[string]string // of tables that were changed
	stale  bool

	bounded bool // frames hold a part of all time
}

func (f *family) chance(percent int) bool {
	return rapid.IntRange(0, 99).Draw(f.t, "chance") >= 100-percent
}

func (f *family) env() frameql.Env {
	return frameql.Env{Model: f.w.Model, Now: f.w.Now, Coverage: f.w.Coverage, MaxRows: 100_000}
}

func (f *family) facts() reuse.Facts {
	now := reuse.Facts{Model: "drawn", Epochs: map[string]string{}}
	for name := range f.w.Tables {
		now.Epochs[name] = "1" + f.epoch[name]
	}
	return now
}

// first draws the query that frames are made of; nil: none that resolves.
func (f *family) first() *frameql.Query {
	for range 4 {
		words := ""
		if f.chance(25) {
			words = frameqltest.DrawClimb(f.t, f.w)
		}
		if words == "" {
			words = frameqltest.DrawQuery(f.t, f.w)
		}
		q, err := frameql.Parse(words)
		if err != nil {
			f.t.Fatal(err)
		}
		if plan, _ := frameql.Resolve(q, f.env()); plan != nil && !plan.Listing {
			f.base = f.plain(q)
			return q
		}
	}
	return nil
}

// plain leaves of a query what decides the frames: its rows, its numbers and its grain, which AT says.
func (f *family) plain(q *frameql.Query) *frameql.Query {
	q = q.Clone()
	if q.At == nil {
		q.At = &frameql.Grain{}
		for _, it := range q.Select {
			if it.Dim != nil && f.w.Model.Metric(it.Dim.Name) == nil {
				q.At.Dims = append(q.At.Dims, *it.Dim)
			}
		}
	}
	q.Having, q.Top, q.Fill, q.Totals, q.Order, q.Limit, q.Offset = nil, nil, "", nil, nil, nil, 0
	return q
}

// admit makes frames of what a query scans: one of those that the store would make of each, with wider ones first.
func (f *family) admit(q *frameql.Query) {
	wide := f.plain(q)
	if f.chance(70) {
		wide.Where = nil
	}
	f.bounded = f.chance(30)
	switch {
	case f.bounded: // most of the data, so that the base can add the rest
		wide.Time, wide.Compare = &frameql.During{Period: f.period("FROM 2022-01-01 TO 2024-02-01", "FROM 2023-01-01 TO 2025-01-01", "FROM 2022-12-01 TO 2024-03-01")}, nil
	case len(wide.Compare) == 0 && f.chance(60):
		wide.Time = nil
	}
	f.admitAll(wide, f.bounded)
	if f.chance(40) {
		f.admitAll(q, false)
	}
}

// admitAll makes a frame of each scan of a query, of the very scan or of a wider one.
func (f *family) admitAll(q *frameql.Query, own bool) {
	plan, _ := frameql.Resolve(q, f.env())
	if plan == nil {
		return
	}
	program, err := plan.Explain(compile.Options{Dialect: compile.DuckDB})
	if err != nil {
		f.t.Fatalf("%v\n%s", err, q)
	}
	for _, b := range program.Branches {
		candidates := reuse.Finer(b)
		if len(candidates) == 0 {
			continue
		}
		at := min(rapid.IntRange(0, 5).Draw(f.t, "candidate")/2, len(candidates)-1)
		if own {
			at = len(candidates) - 1
		}
		f.build(candidates[at])
	}
}

func (f *family) period(all ...string) frameql.Period {
	p, err := frameql.ParsePeriod(f.of(all...))
	if err != nil {
		f.t.Fatal(err)
	}
	return p
}

// build computes a storable branch and keeps it.
func (f *family) build(b compile.Branch) {
	for _, other := range f.frames {
		if reuse.Identity(other.Branch) == reuse.Identity(b) {
			return
		}
	}
	sql := func(q *compile.Query) string {
		program, err := compile.Compile(q, compile.Options{Dialect: compile.DuckDB})
		if err != nil {
			f.t.Fatalf("a frame of %s: %v", f.base, err)
		}
		return program.SQL
	}
	x := reuse.Frame{
		ID: fmt.Sprintf("f_%d", len(f.frames)+1), Branch: reuse.Carry(b, f.levels), Model: "drawn", Epochs: f.facts().Epochs, Exact: true, BaseRows: 1 << 40,
	}
	x.Table = x.ID
	f.db.exec(f.t, "CREATE TABLE "+x.Table+" AS "+sql(reuse.Query(x.Branch))+"\n-- of "+f.base.String())
	if err := f.db.db.QueryRow("SELECT count(*) FROM " + x.Table).Scan(&x.Rows); err != nil {
		f.t.Fatal(err)
	}
	if b.Time != nil {
		var first, last *time.Time
		if err := f.db.db.QueryRow("SELECT first, last FROM ("+sql(reuse.Survey(b))+")").Scan(&first, &last); err != nil {
			f.t.Fatal(err)
		}
		if first != nil && last != nil {
			x.First, x.Watermark = first.UTC(), last.UTC()
		}
	}
	f.frames = append(f.frames, x)
}

// levels are those of the hierarchies of the world that were measured to hold.
func (f *family) levels(entity, column string) (up []*compile.Scalar) {
	for _, d := range f.w.Model.Above(entity, column) {
		up = append(up, &compile.Scalar{Op: "col", Text: d.Physical(), Type: d.Type})
	}
	return up
}

// changeData takes rows away from every fact, as a new import does: frames of them answer nothing any more.
func (f *family) changeData() {
	for _, e := range f.w.Model.Entities {
		if e.DefaultTime != "" {
			f.db.exec(f.t, `DELETE FROM "`+strings.ReplaceAll(e.Source.Table, `"`, `""`)+`" WHERE rowid % 3 = 0`)
			f.epoch[e.Source.Table] = "b"
			f.stale = true
		}
	}
}

// compare asks a query of the family with the frames and without.
func (f *family) compare(sum *familyTally) {
	q, changed := f.relative()
	sum.asked++
	plan, _ := frameql.Resolve(q.Clone(), f.env())
	if plan == nil {
		sum.refused++
		return
	}
	base, err := plan.Explain(compile.Options{Dialect: compile.DuckDB})
	if err != nil {
		f.t.Fatalf("%v\n%s", err, q)
	}
	index, now := reuse.NewIndex(f.frames...), f.facts()
	missing := false
	cached, err := plan.Explain(compile.Options{Dialect: compile.DuckDB, Serve: func(b compile.Branch) (*compile.Served, string) {
		served, reason := index.Match(b, now)
		missing = missing || served != nil && len(served.Missing) > 0
		return served, reason.String()
	}})
	if err != nil {
		f.t.Fatalf("%v\n%s", err, q)
	}
	hits := 0
	for _, use := range cached.Cache {
		if use.Frame != "" {
			hits++
		}
	}
	sum.compared++
	for _, k := range changed {
		sum.kinds[k]++
	}
	if f.stale {
		sum.stale++
	}
	if hits == 0 {
		return
	}
	sum.answered++
	for _, k := range changed {
		sum.served[k]++
	}
	switch {
	case missing:
		sum.parts++
	case hits == len(cached.Cache):
		sum.whole++
	default:
		sum.mixed++
	}
	want := f.db.rows(f.t, base.SQL, q.String())
	got := f.db.rows(f.t, cached.SQL, q.String())
	if sameAnswer(got, want, len(q.Totals) > 0) {
		return
	}
	var frames []string
	for _, x := range f.frames {
		frames = append(frames, reuse.Identity(x.Branch))
	}
	f.t.Fatalf("now %s\nfirst %s\nthen  %s\nfrom frames %v\nfrom base   %v\n\n%s\n%s\n\n%s\n\nframes\n%s", f.w.Now.Format("2006-01-02 15:04"), f.base, q, got, want, f.w.Script("duckdb"), cached.SQL, base.SQL,
		strings.Join(frames, "\n---\n"))
}
