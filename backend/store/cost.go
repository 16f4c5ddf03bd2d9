package store

import (
	"cmp"
	"context"
	"math"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/text"
)

// Cost gives what the engine expects of a statement before it runs: rows read by its scans and bytes of the columns that they
// read, from the estimates of EXPLAIN and the widths of the columns' types, and milliseconds, from how fast this machine was
// so far; basis says so in a sentence. Faults as of Query.
func (s *Store) Cost(ctx context.Context, st frameql.Statement) (rows, bytes int64, ms float64, basis string, err error) {
	return s.cost(ctx, st, s.acquire)
}

func (s *Store) cost(ctx context.Context, st frameql.Statement, acquire func(context.Context) (*engine, error)) (rows, bytes int64, ms float64, basis string, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(s.timeout.Load()))
	defer cancel()
	if st, _, err = s.admit(ctx, st, acquire); err != nil {
		return 0, 0, 0, "", err
	}
	c, err := s.costOnce(ctx, st.SQL, acquire)
	if diedBeside(err) {
		c, err = s.costOnce(ctx, st.SQL, acquire)
	}
	if err != nil {
		return 0, 0, 0, "", err
	}
	ms, measured := s.speed.expect(c.touched, c.bytes)
	return c.rows, c.bytes, ms, basisWords(measured), nil
}

func (s *Store) costOnce(ctx context.Context, statement string, acquire func(context.Context) (*engine, error)) (c cost, err error) {
	e, err := acquire(ctx)
	if err != nil {
		return c, err
	}
	defer e.users.Done()
	if c, ok := e.costs.get(statement); ok {
		return c, nil
	}
	plan, err := e.explain(ctx, statement)
	if err != nil {
		return c, err
	}
	stored := s.widths()
	for _, o := range plan {
		o.add(stored, &c)
	}
	e.costs.put(statement, c)
	return c, nil
}

// cost is what the engine expects of a statement.
type cost struct {
	rows, bytes int64 // that scans read
	touched     int64 // rows that all operators touch
}

// basisWords says how a cost was estimated.
func basisWords(measured int) string {
	if measured == 0 {
		return text.Say("store.basis_first")
	}
	return text.Count("store.basis", int64(measured), "n", measured)
}

// unknownRows is what a source counts as whose size the engine doesn't tell: too many to run unasked.
const unknownRows = math.MaxInt64

// pairing are the operators that compare every row of one side with every row of the other.
var pairing = map[string]bool{"CROSS_PRODUCT": true, "NESTED_LOOP_JOIN": true, "BLOCKWISE_NL_JOIN": true}

// add sums a plan and returns how many rows its top operator passes on. A scan reads its whole table, whatever its filters are
// expected to leave over. What pairs rows touches every pair. Where the engine gives no estimate, the largest input counts.
func (o operator) add(stored map[string]stored, c *cost) (out int64) {
	pairs, largest := int64(1), int64(0)
	for _, child := range o.Children {
		n := child.add(stored, c)
		pairs, largest = saturatedProduct(pairs, n), max(largest, n)
	}
	name := strings.TrimSpace(o.Name)
	estimate, known := o.estimated()
	switch {
	case pairing[name]:
		c.touched = saturated(c.touched, pairs)
		out = pairs
		if known && name != "CROSS_PRODUCT" {
			out = estimate
		}
	case known:
		c.touched, out = saturated(c.touched, estimate), estimate
	case len(o.Children) > 0:
		c.touched, out = saturated(c.touched, largest), largest
	case name == "DUMMY_SCAN", name == "EMPTY_RESULT":
		out = 1
	default:
		c.touched, out = unknownRows, unknownRows
	}
	if table := asString(o.Extra["Table"]); table != "" {
		t, known := stored[lastName(table)]
		read := out
		if known {
			read = t.rows
		}
		c.rows = saturated(c.rows, read)
		c.bytes = saturated(c.bytes, saturatedProduct(read, t.width(o.Extra["Projections"])))
	}
	return out
}

// saturated adds numbers that are not negative, and stays at the largest number.
func saturated(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// saturatedProduct multiplies numbers that are not negative, and stays at the largest number.
func saturatedProduct(a, b int64) int64 {
	if b != 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// stored is what is known of a table.
type stored struct {
	rows   int64
	widths map[string]int64 // of its columns, in bytes
}

// width is that of a row of some columns of a table, in bytes: one that is not known is of the usual width.
func (t stored) width(projections any) int64 {
	var names []string
	switch p := projections.(type) {
	case string:
		names = []string{p}
	case []any:
		for _, n := range p {
			names = append(names, asString(n))
		}
	}
	total := int64(0)
	for _, n := range names {
		total += cmp.Or(t.widths[n], widthOf(""))
	}
	return max(total, 1)
}

// widths gives rows and widths of every table by its name in its file.
func (s *Store) widths() map[string]stored {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := map[string]stored{}
	for _, e := range s.catalog.Entries {
		for _, t := range e.Tables {
			x := stored{rows: max(all[e.Stored[t.Name]].rows, t.Rows), widths: map[string]int64{}}
			for _, c := range t.Columns {
				x.widths[c.Name] = widthOf(c.EngineType)
			}
			all[e.Stored[t.Name]] = x
		}
	}
	return all
}
