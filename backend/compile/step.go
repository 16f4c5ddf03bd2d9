package compile

import (
	"time"

	"assay/backend/semantic"
)

// step is one relational operator. Steps form a graph without cycles: a step reads others by its inputs. Each has named
// columns; those that are keys identify its rows, and no two of its rows have equal keys, NULL being equal to NULL.
//
// A step is one of three: a union of its inputs (kindStack), a series of buckets (series), or a selection: the rows of
// a source or of its first input, joined with the other inputs, filtered, perhaps grouped, and projected to its columns.
type step struct {
	kind kind
	name string // wanted in the SQL; the writer makes it unique
	in   []*step

	// of a selection
	source  *Source // its rows are read, in place of an input; nil: those of in[0]
	origin  int     // index of source in Query.Sources; of a frame or a lookup: -1
	inner   []bool  // by node of source: join without keeping rows that have no partner; nil: all are kept
	joins   []join
	where   []*Scalar
	grouped bool // by the columns that are keys
	cols    []column
	order   []sortTerm
	limit   int // rows; -1: all
	offset  int

	series *series
	scan   *scan // what a scan of base data is, for the cache and for rewrites; nil: no scan
	served *Served
	fixed  bool // an arm of a union with a frame: its columns are those of the other arm
}

type kind string

// The kinds of step.
const (
	kindScan     kind = "scan"     // base rows, grouped
	kindPick     kind = "pick"     // the snapshots that count
	kindStack    kind = "stack"    // UNION ALL
	kindCollapse kind = "collapse" // the cells of each key side by side
	kindRollup   kind = "rollup"   // re-reduced to fewer keys
	kindSpread   kind = "spread"   // rows counted at other days than their own
	kindAttach   kind = "attach"   // coarser values joined on
	kindSpine    kind = "spine"    // buckets that have no rows
	kindWindow   kind = "window"
	kindFilter   kind = "filter"
	kindTop      kind = "top"
	kindOther    kind = "other"
	kindTotals   kind = "totals"
	kindLookup   kind = "lookup"
	kindOrder    kind = "order"
)

// column is one column of a step; exactly one of x, agg and win is set (none in a union, where they are by name).
type column struct {
	name string
	key  bool
	typ  semantic.Type
	x    *Scalar // over a row of the source (col) or of the inputs (ref)
	agg  *aggregate
	win  *window
}

// aggregate reduces the rows of a group.
type aggregate struct {
	reducer  string // of Leaf, and "one": the value that is not missing, of which there is at most one
	distinct bool
	arg      *Scalar // nil: rows
	filter   *Scalar
	param    string
	discrete bool
	order    []*Scalar // of first and last
	zero     bool      // of no values: 0
	null     bool      // of a count: of no values missing
}

// window is a function over the rows of the step that the selection reads.
type window struct {
	function  string // sum min max any all rank row_number first carry
	arg       *Scalar
	partition []*Scalar
	order     []sortTerm
	frame     frame
	when      *Scalar // where this is not true it is otherwise; nil: always
	otherwise *Scalar // nil: missing
}

// frame bounds a window: "" for the function's own, "before" for all rows up to this one, "back" for n units,
// "places" for n of a whole number.
type frame struct {
	kind string
	n    int
	unit string
	less string // of "back": a day or an hour less, so that the window begins after a place n units before
}

type sortTerm struct {
	column string // of the step; empty: x
	x      *Scalar
	made   *column // x in the SELECT that is written
	desc   bool
}

// join joins in[input] to a selection.
type join struct {
	input int
	kind  joinKind
	on    []*Scalar // conditions; a pair of same is null-safe
}

type joinKind string

const (
	joinLeft  joinKind = "left"
	joinInner joinKind = "inner"
	joinCross joinKind = "cross"
	joinAnti  joinKind = "anti" // rows without a partner; the input gives no columns
	joinSemi  joinKind = "semi"
)

// series is every bucket of an axis from that of first to that of last.
type series struct {
	cut         *Scalar // the trunc of the axis
	first, last *Scalar // times: literals, or single
}

// scan says what a scan of base data is: what makes two scans read the same rows.
type scan struct {
	leaves  []scanLeaf // by column name
	keys    []string   // columns
	time    *Scalar    // of the period; nil: none
	from    time.Time
	to      time.Time
	where   []*Scalar // conjuncts, without the period
	context int       // index of compiler.contexts
	shifted bool      // a key holds a moved bucket
	special bool      // picks snapshots, spreads days, is restricted to members or looks something up: no frame answers it
}

type scanLeaf struct {
	column string
	leaf   Leaf
}

// col gives the column of a name.
func (s *step) col(name string) *column {
	for i := range s.cols {
		if s.cols[i].name == name {
			return &s.cols[i]
		}
	}
	return nil
}

// keys gives the names of the key columns.
func (s *step) keys() []string { return s.names(true) }

func (s *step) names(key bool) []string {
	var all []string
	for _, c := range s.cols {
		if c.key == key {
			all = append(all, c.name)
		}
	}
	return all
}

// add appends a column that passes a column of an input on.
func (s *step) pass(input int, names ...string) {
	for _, n := range names {
		from := s.in[input].col(n)
		s.cols = append(s.cols, column{name: n, key: from.key, typ: from.typ, x: ref(input, n, from.typ)})
	}
}

// ref is a column of an input of the step where it stands.
func ref(input int, name string, typ semantic.Type) *Scalar {
	return &Scalar{Op: "ref", Index: input, Text: name, Type: typ}
}

// selects gives a step that reads one input.
func selects(k kind, name string, in ...*step) *step {
	return &step{kind: k, name: name, in: in, limit: -1, origin: -1}
}
