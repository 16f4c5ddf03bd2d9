//go:build cgo

package frameqltest_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"assay/backend/compile"
	"assay/backend/frameql"
	. "assay/backend/frameql/frameqltest"
)

// cases is how many queries a property is tried on: ASSAY_CASES, by default 1,000: `make test-long` tries 20,000.
func cases(t testing.TB) int {
	t.Helper()
	s := os.Getenv("ASSAY_CASES")
	if s == "" {
		return 1000
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		t.Fatalf("ASSAY_CASES=%s is not a number of cases", s)
	}
	return n
}

// seed is where the draws begin: ASSAY_SEED, by default always the same.
func seed(t testing.TB) string {
	t.Helper()
	s := os.Getenv("ASSAY_SEED")
	if s == "" {
		return "20240229"
	}
	if n, err := strconv.ParseUint(s, 10, 64); err != nil || n == 0 {
		t.Fatalf("ASSAY_SEED=%s is not a seed", s)
	}
	return s
}

// check tries a property on n draws, the same ones for the same seed.
func check(t *testing.T, n int, property func(*rapid.T)) {
	t.Helper()
	set := func(name, value string) {
		f := flag.Lookup(name)
		before := f.Value.String()
		if before != f.DefValue {
			return
		}
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { flag.Set(name, before) })
	}
	set("rapid.checks", strconv.Itoa(n))
	set("rapid.seed", seed(t))
	set("rapid.nofailfile", "true")
	rapid.Check(t, property)
}

func env(w *World) frameql.Env {
	return frameql.Env{Model: w.Model, Now: w.Now, Coverage: w.Coverage, MaxRows: 100_000}
}

// tally counts what became of the queries.
type tally struct {
	queries, compared, unsure int
	outside                   map[string]int
	refused                   map[string]int
	constructs                map[string]int // of the queries that were compared
}

func newTally() *tally {
	return &tally{outside: map[string]int{}, refused: map[string]int{}, constructs: map[string]int{}}
}

// constructs are what the drawn queries must hold now and then, as regular expressions over their text.
var constructs = []string{
	`\(WHERE `, ` WHERE `, ` DURING `, ` ON \w+\.shipped`, `LAST \d+ \w+`, `YTD|QTD|MTD|WTD|TO DATE`, `FY20|FISCAL`, `COMPARE TO PREVIOUS PERIOD`, `SAME PERIOD LAST YEAR`,
	`TO DURING|, DURING`, `TARGET `, `COMPARE TO .*, `, `PREV\(`, `DELTA\(`, `PCT_CHANGE\(`, `SHARE\(`, `CUMULATIVE\(`, `AT year\)`, `MOVING\(`, `, day\)`, `RANK\(`, `INDEX\(`,
	` AT \(\)`, `\(\w+ AT \(`, `AVG\(\w+ AT`, `IGNORING FILTERS`, `IGNORING \(`, `COUNT\(\*\)`, `COUNT\(DISTINCT`, `MEDIAN`, `PERCENTILE`, `STDDEV`, `FIRST\(|LAST\(`, `ANY\(|ALL\(`,
	`ANY \w+|NO \w+`, `ALL \w+\(`, `IN TOP`, `> \(\w+ AT|<= \(\w+ AT`, `LIKE`, `CONTAINS`, `BETWEEN`, `IS NULL`, ` OR `, `NOT `, `HAVING`, ` TOP \d+ `, ` PER `, `WITH OTHER`, `TOTALS`, `TOTALS BY`,
	`ORDER BY`, `LIMIT`, `OFFSET`, `FILL ZERO`, `FILL NULL`, `FILL LAST`, `^WITH `, `OPTIONS`, `level_last|level_own`, `_mean|_net`, `both|per_visit`, `payer\.`, `week`, `fiscal_`, `_running`, `_growth`,
	`tz = '`, `hour `, `, hour\)`, `T\d\d:\d\d`, `BETWEEN '`, `hour_of_day`, `PREVIOUS DAY`, `(ANY|NO|ALL) (tags|taggings)`,
}

// note counts the constructs of a query.
func (c *tally) note(query string) {
	c.compared++
	for _, k := range constructs {
		if regexp.MustCompile(k).MatchString(query) {
			c.constructs[k]++
		}
	}
}

// rare are constructs of few worlds, of which one in a thousand queries may hold none.
var rare = []string{`BETWEEN '`, `hour `, `, hour\)`, `PREVIOUS DAY`, `ALL tags`, `clients\((ANY|ALL|NO) tags`}

// everything fails the test when a construct was never compared.
func (c *tally) everything(t *testing.T) {
	t.Helper()
	for _, k := range constructs {
		enough := 1000
		if slices.Contains(rare, k) {
			enough = 10_000
		}
		if c.compared >= enough && c.constructs[k] == 0 {
			t.Errorf("no query with %s was compared", k)
		}
	}
}

func (c *tally) refusals() int {
	n := 0
	for _, k := range c.refused {
		n += k
	}
	return n
}

func (c *tally) report(t *testing.T) {
	t.Helper()
	t.Logf("%d queries: %d compared, %d left to the last digits of a floating number, %d refused (%.0f %%)", c.queries, c.compared, c.unsure, c.refusals(),
		100*float64(c.refusals())/float64(max(c.queries, 1)))
	for _, counts := range []map[string]int{c.refused, c.outside} {
		for _, k := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return counts[b] - counts[a] }) {
			t.Logf("  %5d %s", counts[k], k)
		}
	}
}

// reproduction is everything that is needed to see a difference again.
func reproduction(w *World, query, sql string) string {
	return fmt.Sprintf("now %s\n%s\n\n%s\n%s", w.Now.Format("2006-01-02 15:04"), query, w.Script("duckdb"), sql)
}

func parse(t *rapid.T, text string) *frameql.Query {
	q, err := frameql.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return q
}

// isRight runs a plan over the tables of one world and compares its rows with what the definitions give over another, which is
// mostly the same one. false: the oracle cannot say, which is counted.
func (e *engine) isRight(t *rapid.T, stored, w *World, text string, q *frameql.Query, plan *frameql.Plan, count *tally) bool {
	statement, err := plan.Statement(frameql.DuckDB)
	if err != nil {
		t.Fatalf("%v\n%s", err, reproduction(stored, text, ""))
	}
	if err := e.load(stored); err != nil {
		t.Fatal(err)
	}
	got, err := e.run(statement.SQL)
	if err != nil {
		t.Fatalf("%v\n%s", err, reproduction(stored, text, statement.SQL))
	}
	defer func() {
		if x := recover(); x != nil {
			panic(fmt.Sprintf("%v\n%s", x, reproduction(stored, text, statement.SQL)))
		}
	}()
	want, err := w.Answer(q)
	switch {
	case errors.Is(err, ErrUnsure):
		count.unsure++
		return false
	case err != nil:
		count.outside[err.Error()]++
		return false
	}
	if d := Diff(got, want); d != "" {
		t.Fatalf("%s\n%s", d, reproduction(stored, text, statement.SQL))
	}
	return true
}

// TestAnswerIsRight: what the resolver and the compiler make of a query gives the rows that the definitions give.
func TestAnswerIsRight(t *testing.T) {
	e := openEngine(t)
	count := newTally()
	check(t, cases(t), func(t *rapid.T) {
		w := DrawWorld(t)
		text := DrawQuery(t, w)
		count.queries++
		q := parse(t, text)
		plan, refusals := frameql.Resolve(q, env(w))
		if plan == nil {
			count.refused[refusals[0].Code]++
			return
		}
		if e.isRight(t, w, w, text, q, plan, count) {
			count.note(text)
		}
	})
	count.report(t)
	if t.Failed() {
		return
	}
	count.everything(t)
	if 100*count.refusals() > 40*count.queries {
		t.Errorf("only %d of %d queries resolve", count.queries-count.refusals(), count.queries)
	}
	if unknown := count.queries - count.refusals() - count.compared; 100*unknown > 10*count.queries {
		t.Errorf("%d of %d queries were not compared", unknown, count.queries)
	}
}

// TestRewritesChangeNothing: the plain form of a query, without any rewrite, gives the rows of the one that runs.
func TestRewritesChangeNothing(t *testing.T) {
	e := openEngine(t)
	rewritten := 0
	check(t, cases(t)/2, func(t *rapid.T) {
		w := DrawWorld(t)
		text := DrawQuery(t, w)
		plan, _ := frameql.Resolve(parse(t, text), env(w))
		if plan == nil {
			return
		}
		quick, err := plan.Explain(compile.Options{Dialect: compile.DuckDB})
		if err != nil {
			t.Fatalf("%v\n%s", err, reproduction(w, text, ""))
		}
		plain, err := plan.Explain(compile.Options{Dialect: compile.DuckDB, Without: []string{"all"}})
		if err != nil {
			t.Fatalf("%v\n%s", err, reproduction(w, text, ""))
		}
		if quick.SQL == plain.SQL {
			return
		}
		rewritten++
		if err := e.load(w); err != nil {
			t.Fatal(err)
		}
		want, err := e.run(plain.SQL)
		if err != nil {
			t.Fatalf("%v\n%s", err, reproduction(w, text, plain.SQL))
		}
		got, err := e.run(quick.SQL)
		if err != nil {
			t.Fatalf("%v\n%s", err, reproduction(w, text, quick.SQL))
		}
		if d := Diff(got, want); d != "" {
			t.Fatalf("%s\n%s\n\nplain\n%s", d, reproduction(w, text, quick.SQL), plain.SQL)
		}
	})
	enough(t, rewritten, cases(t)/10)
}
