package frameql_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assay/backend/compile"
	"assay/backend/fault"
	. "assay/backend/frameql"
)

// TestGarbledQueries mixes the clauses and the words of the corpus, most of which then make no sense together: over every
// model a query is resolved or refused, never both and never a panic, and each repair is a query that resolves.
// ASSAY_CASES and ASSAY_SEED draw more of them, and others.
func TestGarbledQueries(t *testing.T) {
	g, models := newGarbler(t)
	names := sortedNames(models)
	cases, read, resolved := int(setting("ASSAY_CASES", 2000)), 0, 0
	for range cases {
		source := g.query()
		q, err := Parse(source)
		if err != nil {
			continue
		}
		read++
		model := names[g.IntN(len(names))]
		answers, problem := judged(q, models[model])
		if problem != "" {
			t.Errorf("%s: %s\n%s", model, source, problem)
		}
		if answers {
			resolved++
		}
	}
	t.Logf("%d queries, %d read, %d resolved", cases, read, resolved)
	if read < cases/4 || resolved < cases/50 {
		t.Errorf("of %d queries %d can be read and %d resolve: they are too far from the language to try anything", cases, read, resolved)
	}
}

// judged resolves a query and says what is wrong with the outcome.
func judged(q *Query, e Env) (answers bool, problem string) {
	defer func() {
		if r := recover(); r != nil {
			problem = fmt.Sprint("panic: ", r, "\n", string(debug.Stack()))
		}
	}()
	plan, refusals := Resolve(q, e)
	if (plan == nil) == (len(refusals) == 0) {
		return false, fmt.Sprintf("a plan: %v, and %d refusals", plan != nil, len(refusals))
	}
	for _, r := range refusals {
		if r.Code == "" || r.Message == "" {
			return false, fmt.Sprintf("refused without a word: %+v", r)
		}
		for _, repair := range r.Repairs {
			mended, err := Parse(repair.FrameQL)
			if err != nil {
				return false, fmt.Sprintf("repair %s cannot be read: %v", repair.FrameQL, err)
			}
			if _, again := Resolve(mended, e); len(again) > 0 {
				return false, fmt.Sprintf("repair %s is refused: %s", repair.FrameQL, again[0].Message)
			}
		}
	}
	if plan == nil {
		return false, ""
	}
	for _, d := range []Dialect{DuckDB, Postgres, MySQL, ClickHouse} {
		if _, err := compile.Compile(plan.Bound(), compile.Options{Dialect: d}); err != nil && (d == DuckDB || fault.CodeOf(err) != fault.Invalid) { // a dialect may say that it cannot
			return true, fmt.Sprintf("%s: %v", d, err)
		}
	}
	again, err := Parse(plan.Query.String())
	if err != nil {
		return true, fmt.Sprintf("the canonical text %s cannot be read: %v", plan.Query, err)
	}
	if p, r := Resolve(again, e); p == nil {
		return true, fmt.Sprintf("the canonical text %s is refused: %s", plan.Query, r[0].Message)
	} else if p.Query.String() != plan.Query.String() {
		return true, fmt.Sprintf("the canonical text is not the last one:\n%s\n%s", plan.Query, p.Query)
	}
	return true, ""
}

type garbler struct {
	*rand.Rand
	queries []string
}

// newGarbler has all queries of the corpus, and the models that they are asked of.
func newGarbler(t *testing.T) (garbler, map[string]Env) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	g, models := garbler{Rand: rand.New(rand.NewPCG(setting("ASSAY_SEED", 1), 0))}, map[string]Env{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		models[filepath.Base(file)] = fixture(filepath.Base(file))
		for _, f := range archive.Files {
			if !strings.HasSuffix(f.Name, ".out") {
				g.queries = append(g.queries, strings.TrimSpace(string(f.Data)))
			}
		}
	}
	return g, models
}

var (
	clauseStart = regexp.MustCompile(`\b(?:SELECT|AT \(|AT [a-z]|FROM [a-z]|WHERE|DURING|COMPARE TO|HAVING|TOP|FILL|TOTALS|ORDER BY|LIMIT|OPTIONS)`)
	words       = regexp.MustCompile(`'(?:[^']|'')*'|"(?:[^"]|"")*"|[\pL_][\pL\pN_.]*|[0-9][0-9.\-]*|[<>=!]+|\S`)
)

func (g garbler) any() string { return g.queries[g.IntN(len(g.queries))] }

// query gives a text of pieces that each stood in some query.
func (g garbler) query() string {
	q := g.any()
	for range 1 + g.IntN(2) {
		if g.IntN(2) == 0 {
			q = g.withClause(q, g.any())
		} else {
			q = g.withWord(q, g.any())
		}
	}
	return q
}

// withClause puts a clause of another query in the place of the same one, or before the end.
func (g garbler) withClause(q, other string) string {
	mine, theirs := clauses(q), clauses(other)
	c := theirs[g.IntN(len(theirs))]
	head, _, _ := strings.Cut(c, " ")
	if i := slices.IndexFunc(mine, func(m string) bool { return strings.HasPrefix(m, head) }); i >= 0 {
		mine[i] = c
	} else {
		mine = append(mine, c)
	}
	slices.SortStableFunc(mine, func(a, b string) int { return place(a) - place(b) })
	return strings.Join(mine, " ")
}

// withWord puts a word of another query in the place of one of the same kind, most often, or leaves a word out.
func (g garbler) withWord(q, other string) string {
	mine, theirs := words.FindAllString(q, -1), words.FindAllString(other, -1)
	i := g.IntN(len(mine))
	if g.IntN(10) == 0 {
		return strings.Join(slices.Delete(mine, i, i+1), " ")
	}
	for range 20 {
		if w := theirs[g.IntN(len(theirs))]; kind(w) == kind(mine[i]) {
			mine[i] = w
			break
		}
	}
	return strings.Join(mine, " ")
}

func clauses(q string) []string {
	at := []int{0}
	depth := 0
	for i, c := range q {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i > 0 && q[i-1] == ' ' {
			if m := clauseStart.FindStringIndex(q[i:]); m != nil && m[0] == 0 {
				at = append(at, i)
			}
		}
	}
	var all []string
	for k, from := range at {
		to := len(q)
		if k+1 < len(at) {
			to = at[k+1]
		}
		all = append(all, strings.TrimSpace(q[from:to]))
	}
	return all
}

var order = []string{"WITH", "SELECT", "AT", "FROM", "WHERE", "DURING", "COMPARE", "HAVING", "TOP", "FILL", "TOTALS", "ORDER", "LIMIT", "OPTIONS"}

func place(clause string) int {
	head, _, _ := strings.Cut(clause, " ")
	return slices.Index(order, head)
}

// kind is upper for keywords, lower for names, and the first sign of everything else.
func kind(word string) string {
	switch c := word[0]; {
	case c >= 'A' && c <= 'Z':
		return "keyword"
	case c >= 'a' && c <= 'z' || c == '"':
		return "name"
	case c >= '0' && c <= '9':
		return "number"
	default:
		return string(c)
	}
}

func sortedNames(models map[string]Env) []string {
	var names []string
	for n := range models {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func setting(name string, otherwise uint64) uint64 {
	if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
		return n
	}
	return otherwise
}
