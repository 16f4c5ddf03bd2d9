package frameql

// boundQuery is what the SQL is written from: columns of a grouped result (or of rows, in a listing) and what is made
// of them afterwards.
type boundQuery struct {
	nodes   []node
	joinOn  map[int][]*scalar // of each joined node, the equalities
	parts   []grainPart       // the grain as it was asked for
	keys    []groupColumn     // the columns of the grain, and those that it determines
	leaves  []leaf
	outputs []output
	where   []*scalar
	period  *scalar // the condition of DURING
	timeCol *scalar // its time dimension
	having  *scalar // over keys and leaves
	top     *boundTop
	order   []boundKey
	rows    bool // a listing of single rows: nothing is grouped
	fiscal  calendar
}

// groupColumn is a column that the result is grouped by.
type groupColumn struct {
	ref   ref
	expr  *scalar
	grain bool // belongs to the grain; false: determined by it
}

// leaf is one aggregate.
type leaf struct {
	reducer  string // sum avg min max count median stddev
	distinct bool
	expr     *scalar // nil: rows
	filter   *scalar // nil: none
	zero     bool    // no rows give 0
	metric   string  // declared metric that it is, with its own reducer and no filter; empty: none
	alias    string
}

func (l leaf) signature() string {
	s := l.reducer
	if l.distinct {
		s += " distinct"
	}
	if l.zero {
		s += " zero"
	}
	return s + l.expr.signature() + l.filter.signature()
}

// output is one column of the frame, over keys and leaves.
type output struct {
	column Column
	expr   *scalar
	item   int // of SELECT; -1: it leads because AT names it
	key    int // index of keys; -1: a number
}

// boundTop is TOP over members, which are values of some of the keys.
type boundTop struct {
	n       int
	members []int // indices of keys
	by      *scalar
	asc     bool
}

// boundKey is a sort key: an output by index, or an expression over keys and leaves.
type boundKey struct {
	output int // -1: expr
	expr   *scalar
	desc   bool
}

func (b *boundQuery) columns() []Column {
	all := make([]Column, len(b.outputs))
	for i, o := range b.outputs {
		all[i] = o.column
	}
	return all
}

// needed says which nodes the statement reads, with every node on the way to them.
func (b *boundQuery) needed() []bool {
	need := make([]bool, len(b.nodes))
	need[0] = true
	mark := func(s *scalar) {
		s.each(func(x *scalar) {
			if x.op != "col" {
				return
			}
			for n := x.node; !need[n]; n = b.nodes[n].parent {
				need[n] = true
			}
		})
	}
	for _, k := range b.keys {
		mark(k.expr)
	}
	for _, l := range b.leaves {
		mark(l.expr)
		mark(l.filter)
	}
	for _, w := range b.where {
		mark(w)
	}
	mark(b.period)
	return need
}

// grainKeys gives the indices of the keys that are the grain.
func (b *boundQuery) grainKeys() []int {
	var all []int
	for i, k := range b.keys {
		if k.grain {
			all = append(all, i)
		}
	}
	return all
}
