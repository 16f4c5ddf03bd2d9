package profile

import (
	"context"
	"fmt"
	"slices"

	"assay/backend/semantic"
)

// Graph is what columns of a source determine of each other, exactly, on the rows that are there. Columns are named as they were asked for. A missing
// value is one like any other, but a key has none.
type Graph struct {
	Rows       int64
	Constants  []string    // of one value, or of none at all
	Keys       [][]string  // minimal, of one column or of two; constants are in none
	Equivalent [][]string  // columns that determine each other, those of two and more
	Edges      [][2]string // from determines to: reduced, between the first columns of the classes; constants are in none
}

// subqueries of one statement at most.
const pairsAtOnce = 24

// DependencyGraph finds the constants, the minimal keys of up to two columns, and which single columns determine which. Everything is refuted on the
// leading rows in memory, or counted on all rows; nothing is estimated. The number of statements grows with the square of the number of
// columns, so callers bound it. Errors are those of run.
func DependencyGraph(ctx context.Context, run Run, s semantic.Source, columns []string) (*Graph, error) {
	g := &grapher{ctx: ctx, run: run, from: source(s), columns: columns, out: &Graph{Constants: []string{}, Keys: [][]string{}, Equivalent: [][]string{}, Edges: [][2]string{}}}
	if err := g.count(); err != nil || g.out.Rows == 0 {
		return g.out, err
	}
	if err := g.readHead(); err != nil {
		return nil, err
	}
	if err := g.findEdges(); err != nil {
		return nil, err
	}
	g.condense()
	return g.out, g.findKeys()
}

type grapher struct {
	ctx     context.Context
	run     Run
	from    string
	columns []string
	groups  []int64 // different values, a missing one included
	nulls   []int64
	varies  []int // columns that are no constants
	head    *head
	holds   [][]bool // single columns
	first   []int    // of each column, the first that it is equivalent to
	out     *Graph
}

func (g *grapher) count() error {
	g.groups, g.nulls = make([]int64, len(g.columns)), make([]int64, len(g.columns))
	for from := 0; from == 0 || from < len(g.columns); from += statsColumns {
		part := g.columns[from:min(from+statsColumns, len(g.columns))]
		terms := []string{"count(*)"}
		for _, c := range part {
			terms = append(terms, "count("+quote(c)+")", "count(DISTINCT "+quote(c)+")")
		}
		r, err := rowOf(g.ctx, g.run, terms, "FROM "+g.from+" AS one")
		if err != nil {
			return err
		}
		g.out.Rows = asInt(r[0])
		for i := range part {
			g.nulls[from+i] = g.out.Rows - asInt(r[1+2*i])
			g.groups[from+i] = asInt(r[2+2*i])
			if g.nulls[from+i] > 0 {
				g.groups[from+i]++
			}
		}
	}
	for i, c := range g.columns {
		switch {
		case g.out.Rows == 0:
		case g.groups[i] <= 1:
			g.out.Constants = append(g.out.Constants, c)
		default:
			g.varies = append(g.varies, i)
		}
	}
	return nil
}

func (g *grapher) readHead() error {
	t := &semantic.TableFacts{}
	for _, c := range g.columns {
		t.Columns = append(t.Columns, semantic.ColumnFacts{Column: c})
	}
	var err error
	g.head, err = readHeadOf(g.ctx, g.run, t, g.from+" AS one", 4000)
	return err
}

// findEdges tests every pair that is neither certain nor refuted: a column of as many values as rows determines every other, and one that determines another
// has at least as many values. What follows from two that hold is not tested.
func (g *grapher) findEdges() error {
	n := len(g.columns)
	g.holds = make([][]bool, n)
	for i := range g.holds {
		g.holds[i] = make([]bool, n)
	}
	order := slices.Clone(g.varies)
	slices.SortStableFunc(order, func(a, b int) int { return int(min(max(g.groups[a]-g.groups[b], -1), 1)) })
	for _, x := range order { // the fewest values first: what they determine, those that determine them do, too
		var open []int
		for _, y := range order {
			switch {
			case y == x || g.holds[x][y]:
			case g.groups[x] == g.out.Rows:
				g.holds[x][y] = true
			case g.groups[y] > g.groups[x] || !g.head.determines(x, y):
			default:
				open = append(open, y)
			}
		}
		// The most values first: each that holds brings along what follows from it.
		slices.Reverse(open)
		for len(open) > 0 {
			batch := open[:min(len(open), pairsAtOnce)]
			open = open[len(batch):]
			counts, err := g.pairs(batch, x)
			if err != nil {
				return err
			}
			for i, y := range batch {
				if counts[i] != g.groups[x] {
					continue
				}
				g.holds[x][y] = true
				for z, follows := range g.holds[y] {
					g.holds[x][z] = g.holds[x][z] || follows && z != x
				}
			}
			open = slices.DeleteFunc(open, func(y int) bool { return g.holds[x][y] })
		}
	}
	return nil
}

// pairs counts the different pairs of some columns with another one.
func (g *grapher) pairs(with []int, x int) ([]int64, error) {
	var pairs [][2]int
	for _, y := range with {
		pairs = append(pairs, [2]int{x, y})
	}
	return g.countPairs(pairs)
}

func (g *grapher) countPairs(pairs [][2]int) ([]int64, error) {
	terms := make([]string, len(pairs))
	for i, p := range pairs {
		terms[i] = fmt.Sprintf("(SELECT count(*) FROM (SELECT DISTINCT %s, %s FROM %s AS one) AS pairs)", quote(g.columns[p[0]]), quote(g.columns[p[1]]), g.from)
	}
	r, err := rowOf(g.ctx, g.run, terms, "")
	if err != nil {
		return nil, err
	}
	counts := make([]int64, len(pairs))
	for i := range counts {
		counts[i] = asInt(r[i])
	}
	return counts, nil
}

// condense makes classes of columns that determine each other, and leaves out what follows.
func (g *grapher) condense() {
	g.first = make([]int, len(g.columns))
	for i := range g.columns {
		g.first[i] = i
	}
	var heads []int
	for _, x := range g.varies {
		if g.first[x] != x {
			continue
		}
		heads = append(heads, x)
		class := []string{g.columns[x]}
		for _, y := range g.varies {
			if y > x && g.holds[x][y] && g.holds[y][x] {
				g.first[y] = x
				class = append(class, g.columns[y])
			}
		}
		if len(class) > 1 {
			g.out.Equivalent = append(g.out.Equivalent, class)
		}
	}
	for _, x := range heads {
		for _, y := range heads {
			if x == y || !g.holds[x][y] {
				continue
			}
			follows := slices.ContainsFunc(heads, func(z int) bool { return z != x && z != y && g.holds[x][z] && g.holds[z][y] })
			if !follows {
				g.out.Edges = append(g.out.Edges, [2]string{g.columns[x], g.columns[y]})
			}
		}
	}
}

// findKeys finds the keys of one column, and those of two of which neither is one. Columns of one class make the same keys, so that one of each is counted; a
// column with missing values is in none.
func (g *grapher) findKeys() error {
	members := map[int][]int{}
	var heads []int
	for _, x := range g.varies {
		switch {
		case g.groups[x] == g.out.Rows:
			if g.nulls[x] == 0 {
				g.out.Keys = append(g.out.Keys, []string{g.columns[x]})
			}
			continue
		case g.first[x] == x:
			heads = append(heads, x)
		}
		if g.nulls[x] == 0 {
			members[g.first[x]] = append(members[g.first[x]], x)
		}
	}
	var open [][2]int
	for i, x := range heads {
		for _, y := range heads[i+1:] {
			// One that determines the other adds nothing to it.
			if g.holds[x][y] || g.holds[y][x] || len(members[x]) == 0 || len(members[y]) == 0 || float64(g.groups[x])*float64(g.groups[y]) < float64(g.out.Rows) || !g.head.unique(x, y) {
				continue
			}
			open = append(open, [2]int{x, y})
		}
	}
	var keys [][2]int
	for from := 0; from < len(open); from += pairsAtOnce {
		batch := open[from:min(from+pairsAtOnce, len(open))]
		counts, err := g.countPairs(batch)
		if err != nil {
			return err
		}
		for i, p := range batch {
			if counts[i] != g.out.Rows {
				continue
			}
			for _, x := range members[p[0]] {
				for _, y := range members[p[1]] {
					keys = append(keys, [2]int{min(x, y), max(x, y)})
				}
			}
		}
	}
	slices.SortFunc(keys, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	for _, k := range keys {
		g.out.Keys = append(g.out.Keys, []string{g.columns[k[0]], g.columns[k[1]]})
	}
	return nil
}

// Exact is what was counted of one column on all rows.
type Exact struct {
	Rows     int64
	Nulls    int64
	Distinct int64   // different values; a missing one is none
	Min, Max *string // as text; nil: there is none, or it was not asked for
	Top      []TopValue
}

// ExactColumn counts a column of a source on all rows, however many there are. Of one whose values are nobody's business (quiet) only counts are taken.
// Errors are those of run.
func ExactColumn(ctx context.Context, run Run, s semantic.Source, column string, quiet bool) (Exact, error) {
	q, from := quote(column), source(s)
	terms := []string{"count(*)", "count(" + q + ")", "count(DISTINCT " + q + ")", "NULL", "NULL"}
	if !quiet {
		terms[3], terms[4] = "left(CAST(min("+q+") AS VARCHAR), 200)", "left(CAST(max("+q+") AS VARCHAR), 200)"
	}
	r, err := rowOf(ctx, run, terms, "FROM "+from+" AS one")
	if err != nil {
		return Exact{}, err
	}
	e := Exact{Rows: asInt(r[0]), Nulls: asInt(r[0]) - asInt(r[1]), Distinct: asInt(r[2]), Min: textOrNil(r[3]), Max: textOrNil(r[4]), Top: []TopValue{}}
	valued := e.Rows - e.Nulls
	if quiet || valued == 0 {
		return e, nil
	}
	top := ColumnProfile{}
	if err := measureShown(ctx, run, from, q, valued, &top); err != nil {
		return Exact{}, err
	}
	e.Top = append(e.Top, top.Top...)
	return e, nil
}
