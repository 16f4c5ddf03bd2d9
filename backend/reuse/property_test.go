//go:build cgo

package reuse_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"

	"assay/backend/compile"
	"assay/backend/reuse"
)

// cases is how many pairs of a frame and a branch are tried: 2,000, or ASSAY_CASES.
func cases() int {
	if n, err := strconv.Atoi(os.Getenv("ASSAY_CASES")); err == nil {
		return n
	}
	return 2000
}

// bench is a database with two states of the data, v1 and v2, and the frames that were made of them.
type bench struct {
	t    testing.TB
	conn *sql.Conn
	n    int // of frames
}

func newBench(t testing.TB) *bench {
	t.Helper()
	db, err := sql.Open("duckdb", "?threads=1&"+compile.DuckDBConfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	b := &bench{t: t, conn: conn}
	b.exec("SET TimeZone = 'UTC'")
	return b
}

func (b *bench) exec(statement string) {
	b.t.Helper()
	if _, err := b.conn.ExecContext(context.Background(), statement); err != nil {
		b.t.Fatalf("%v\n%s", err, statement)
	}
}

func (b *bench) number(query string) (n int64) {
	b.t.Helper()
	if err := b.conn.QueryRowContext(context.Background(), query).Scan(&n); err != nil {
		b.t.Fatalf("%v\n%s", err, query)
	}
	return n
}

// frame computes a branch over a state of the data and keeps it.
func (b *bench) frame(of compile.Branch, suffix string) reuse.Frame {
	b.t.Helper()
	branch, ok := reuse.Storable(of)
	if !ok {
		b.t.Fatalf("not storable: %+v", of)
	}
	b.n++
	f := reuse.Frame{
		ID: fmt.Sprintf("f_%d", b.n), Table: fmt.Sprintf("frame_%d", b.n), Branch: branch, Model: "m1", Epochs: facts(suffix).Epochs, Exact: true, BaseRows: 1 << 40,
	}
	b.exec("CREATE OR REPLACE TABLE " + f.Table + " AS " + branchSQL(branch, suffix))
	f.Rows = b.number("SELECT count(*) FROM " + f.Table)
	var first, last time.Time
	t := scalarSQL(branch.Time, func(int) string { return "x" })
	if err := b.conn.QueryRowContext(context.Background(), "SELECT CAST(min("+t+") AS TIMESTAMP), CAST(max("+t+") AS TIMESTAMP) FROM f"+suffix+" AS x").Scan(&first, &last); err != nil {
		b.t.Fatal(err)
	}
	f.First, f.Watermark = first.UTC(), last.UTC()
	return f
}

// differ counts the rows that two answers do not share; -1: the cached answer cannot be computed.
func (b *bench) differ(base, served string) (n int64) {
	b.t.Helper()
	query := "SELECT count(*) FROM ((" + base + " EXCEPT ALL " + served + ") UNION ALL (" + served + " EXCEPT ALL " + base + "))"
	if err := b.conn.QueryRowContext(context.Background(), query).Scan(&n); err != nil {
		b.exec(base) // the mistake is not here
		return -1
	}
	return n
}

// tally is what became of the pairs that were tried.
type tally struct {
	pairs, eligible, union, wrong int
	reasons                       map[reuse.Code]int
	reduces                       map[string]int
	example                       string
}

func (t tally) String() string {
	var lines []string
	for code, n := range t.reasons {
		lines = append(lines, fmt.Sprintf("%s %d", code, n))
	}
	sort.Strings(lines)
	return fmt.Sprintf("%d pairs, %d served (%.0f %%), %d of them with a part from the base, reduced %v, %d wrong; decisions: %s",
		t.pairs, t.eligible, 100*float64(t.eligible)/float64(max(1, t.pairs)), t.union, t.reduces, t.wrong, strings.Join(lines, ", "))
}

// try makes pairs of a frame and a branch until enough were tried, or until enough wrong answers were found.
func try(t testing.TB, seed int64, pairs, wrong int, off uint32) tally {
	t.Helper()
	w := world{rand.New(rand.NewSource(seed))}
	b := newBench(t)
	sum := tally{reasons: map[reuse.Code]int{}, reduces: map[string]int{}}
	for sum.pairs < pairs && sum.wrong < wrong {
		for _, suffix := range []string{"_v1", "_v2"} {
			for _, statement := range w.rows(suffix) {
				b.exec(statement)
			}
		}
		for range 40 {
			asked := w.branch()
			made := w.wider(asked)
			if w.chance(.15) {
				made = w.related(asked)
			}
			frame := b.frame(made, "_v1")
			index := reuse.NewIndex(frame)
			for range 3 {
				now := "_v1"
				if w.chance(.06) {
					now = "_v2" // the data was imported again
				}
				sum.pairs++
				served, reason := index.MatchWithout(asked, facts(now), off)
				sum.reasons[reason.Code]++
				if served != nil {
					sum.eligible++
					if len(served.Missing) > 0 {
						sum.union++
					}
					for _, how := range served.Reduce {
						sum.reduces[how]++
					}
					base, cached := branchSQL(asked, now), servedSQL(asked, served, now)
					if n := b.differ(base, cached); n != 0 {
						sum.wrong++
						if sum.example == "" {
							sum.example = fmt.Sprintf("%d rows differ\nbase:   %s\ncached: %s\nframe:  %s", n, base, cached, branchSQL(frame.Branch, "_v1"))
						}
					}
				}
				asked = w.related(asked)
			}
			b.exec("DROP TABLE " + frame.Table)
		}
	}
	return sum
}

// TestCachedIsBase is the property: what a frame answers is what the base answers.
func TestCachedIsBase(t *testing.T) {
	sum := try(t, 1, cases(), 1, 0)
	t.Log(sum)
	if sum.wrong > 0 {
		t.Fatal(sum.example)
	}
	if float64(sum.eligible) < .1*float64(sum.pairs) || sum.union == 0 || len(sum.reduces) < 5 {
		t.Errorf("too little was tried: %v", sum)
	}
}
