package reuse

import (
	"slices"
	"strconv"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// RowsColumn is the column of a frame that counts rows. Every frame has it, so that a group whose leaves are filtered away
// is a row all the same.
const RowsColumn = "n"

// Storable gives the branch as a frame holds it: its columns renamed k1, k2, ... and l1, l2, ..., each once, with a count
// of rows. What is missing in a group stays missing, whether it means 0 to the branch or not: the same column answers leaves
// to which it does and leaves to which it does not. False: it holds a leaf whose rows count on other days than their own, which is tied to the query that it is of.
func Storable(b compile.Branch) (compile.Branch, bool) {
	if b.Source == nil || len(b.Source.Nodes) == 0 {
		return compile.Branch{}, false
	}
	nodes := paths(b.Source.Nodes)
	out := b
	source := *b.Source
	source.Where = nil // Filters holds what applies
	out.Source = &source
	out.Keys, out.Leaves = nil, nil
	seen := map[string]bool{}
	for _, k := range b.Keys {
		if k.Expr == nil {
			return compile.Branch{}, false
		}
		if s := signature(k.Expr, nodes); !seen[s] {
			seen[s] = true
			out.Keys = append(out.Keys, compile.BranchKey{Expr: k.Expr, Name: "k" + strconv.Itoa(len(out.Keys)+1)})
		}
	}
	rows := compile.Leaf{Reducer: string(semantic.Count), Time: b.Time, Type: semantic.Integer}
	seen[leafSignature(&rows, nodes)] = true
	for _, l := range b.Leaves {
		if l.Leaf.Map.Kind != "" || byTime(&l.Leaf) && b.Time != nil && signature(l.Leaf.Time, nodes) != signature(b.Time, nodes) {
			return compile.Branch{}, false
		}
		if s := leafSignature(&l.Leaf, nodes); !seen[s] {
			seen[s] = true
			leaf := l.Leaf
			leaf.Source, leaf.Zero = 0, false
			out.Leaves = append(out.Leaves, compile.BranchLeaf{Leaf: leaf, Name: "l" + strconv.Itoa(len(out.Leaves)+1)})
		}
	}
	out.Leaves = append(out.Leaves, compile.BranchLeaf{Leaf: rows, Name: RowsColumn})
	return out, true
}

// byTime says whether a leaf takes rows by their time.
func byTime(l *compile.Leaf) bool {
	return l.Reducer == string(semantic.First) || l.Reducer == string(semantic.Last) || l.Pick != nil
}

// Query gives the query whose result is the frame of a storable branch: a column for each key, then one for each leaf.
func Query(b compile.Branch) *compile.Query {
	nodes := paths(b.Source.Nodes)
	source := *b.Source
	source.Where = slices.Clone(b.Filters)
	q := &compile.Query{Sources: []compile.Source{source}, Contexts: []compile.Context{{From: b.From, To: b.To}}}
	time := ""
	if b.Time != nil {
		time = signature(b.Time, nodes)
	}
	for i, k := range b.Keys {
		key := compile.Key{Name: k.Name, Type: k.Expr.Type}
		if k.Expr.Op == "trunc" && len(k.Expr.Args) == 1 && time != "" && signature(k.Expr.Args[0], nodes) == time {
			cut := *k.Expr
			cut.Args = nil
			key.Axis, key.Cut = true, &cut
		} else {
			key.Exprs = []*compile.Scalar{k.Expr}
		}
		q.Keys = append(q.Keys, key)
		q.Grain = append(q.Grain, i)
		q.Outputs = append(q.Outputs, compile.Output{Name: k.Name, Cell: &compile.Scalar{Op: "key", Index: i, Type: k.Expr.Type}})
	}
	for i, l := range b.Leaves {
		leaf := l.Leaf
		leaf.Source, leaf.Name = 0, l.Name
		if leaf.Time == nil || b.Time != nil && !byTime(&leaf) { // its keys and its period are those of the branch
			leaf.Time = b.Time
		}
		q.Leaves = append(q.Leaves, leaf)
		q.Outputs = append(q.Outputs, compile.Output{Name: l.Name, Cell: &compile.Scalar{Op: "leaf", Index: i, Type: leaf.Type}})
	}
	return q
}

// Survey gives the query that measures a storable branch before it is made: the rows of its fact, the first and the last
// time (when it has a time), and how many values each key has. Its columns stand in this order.
func Survey(b compile.Branch) *compile.Query {
	source := *b.Source
	source.Where = nil
	q := &compile.Query{Sources: []compile.Source{source}, Contexts: []compile.Context{{}}}
	add := func(name string, l compile.Leaf) {
		q.Outputs = append(q.Outputs, compile.Output{Name: name, Cell: &compile.Scalar{Op: "leaf", Index: len(q.Leaves), Type: l.Type}})
		l.Name = name
		q.Leaves = append(q.Leaves, l)
	}
	add(RowsColumn, compile.Leaf{Reducer: string(semantic.Count), Zero: true, Type: semantic.Integer})
	if b.Time != nil {
		add("first", compile.Leaf{Reducer: string(semantic.Min), Expr: b.Time, Type: b.Time.Type})
		add("last", compile.Leaf{Reducer: string(semantic.Max), Expr: b.Time, Type: b.Time.Type})
	}
	for _, k := range b.Keys {
		add(k.Name, compile.Leaf{Reducer: string(semantic.Count), Distinct: true, Expr: k.Expr, Zero: true, Type: semantic.Integer})
	}
	return q
}

// Identity names what a storable branch computes: two with the same text hold the same groups and leaves of the same rows.
func Identity(b compile.Branch) string {
	s := shapeOf(&b)
	period := ""
	if s.bounded() {
		period = s.time + " " + b.From.Format(moment) + " " + b.To.Format(moment)
	}
	terms := make([]string, len(s.filters))
	for i, f := range s.filters {
		terms[i] = f.sign
	}
	return s.fact + "\nby " + sorted(slices.Clone(s.keys)) + "\nof " + sorted(slices.Clone(s.leaves)) + "\nif " + sorted(terms) + "\nin " + period
}
