package frameql

import (
	"slices"
	"strconv"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// Evidence is the query of a plan with more columns behind its own: what its numbers rest on. Its rows are those of the
// frame, in the same order. Columns are positions in the result.
type Evidence struct {
	Query  *compile.Query
	Behind map[int][]int // of an average, a ratio, a percentile or a deviation: what counts the things behind it; the least holds
	Base   map[int]int   // of a relative change: what it is a change from
	Group  int           // counts all rows of the group; -1: not asked for
}

// Evidence asks what the numbers of a frame rest on; nil: there is nothing to ask. group asks for the rows of each group.
func (p *Plan) Evidence(group bool) *Evidence {
	if p.Listing || p.bound == nil {
		return nil
	}
	own := *p.bound
	q := &own
	if !slices.ContainsFunc(q.Outputs, func(o compile.Output) bool { return ownRows(q, o.Cell) }) {
		return nil // the rows are those of other days, to which a count would add rows
	}
	q.Outputs, q.Leaves = slices.Clone(q.Outputs), slices.Clone(q.Leaves)
	e := &Evidence{Query: q, Behind: map[int][]int{}, Base: map[int]int{}, Group: -1}
	b := evidence{q: q, at: map[string]int{}}
	for i, o := range p.bound.Outputs {
		if o.Cell == nil || p.Columns[i].Role == RoleDimension {
			continue
		}
		switch d := p.Columns[i].Derived; {
		case d == nil:
			for _, n := range b.behind(o.Cell) {
				e.Behind[i] = append(e.Behind[i], b.column(n))
			}
		case d.How == "change_pct":
			if base := baseOf(o.Cell); base != nil {
				e.Base[i] = b.column(base)
			}
		}
	}
	if rows := b.rows(); group && rows != nil {
		e.Group = b.column(rows)
	}
	if len(e.Behind)+len(e.Base) == 0 && e.Group < 0 {
		return nil
	}
	return e
}

// ownRows says whether a cell has a number of the rows of the period themselves, which gives the rows of the frame.
func ownRows(q *compile.Query, x *scalar) bool {
	switch {
	case x == nil:
		return false
	case x.Op == "leaf":
		return x.Ctx == 0 && q.Leaves[x.Index].Map.Kind == ""
	case x.Op == "at", x.Op == "lag", x.Op == "cumulative", x.Op == "moving", x.Op == "rank", x.Op == "index":
		return false
	}
	return slices.ContainsFunc(x.Args, func(a *scalar) bool { return ownRows(q, a) })
}

// evidence adds columns to a query, each once.
type evidence struct {
	q  *compile.Query
	at map[string]int // signature -> output
}

func (b *evidence) column(cell *scalar) int {
	sign := signature(cell)
	if i, ok := b.at[sign]; ok {
		return i
	}
	b.q.Outputs = append(b.q.Outputs, compile.Output{Name: "evidence_" + strconv.Itoa(len(b.at)+1), Cell: cell})
	b.at[sign] = len(b.q.Outputs) - 1
	return b.at[sign]
}

func (b *evidence) leaf(l compile.Leaf, ctx int) *scalar {
	mine := leafSignature(&l)
	i := slices.IndexFunc(b.q.Leaves, func(o compile.Leaf) bool { return leafSignature(&o) == mine })
	if i < 0 {
		b.q.Leaves = append(b.q.Leaves, l)
		i = len(b.q.Leaves) - 1
	}
	return &scalar{Op: "leaf", Index: i, Ctx: ctx, Type: semantic.Integer}
}

// rows counts the rows of the first fact beside a number that has them in its own groups; nil: there is none, so that a count
// would bring groups that the frame does not have.
func (b *evidence) rows() *scalar {
	for _, l := range b.q.Leaves {
		if l.Source == 0 && l.Pick == nil && l.Map.Kind == "" && b.own(l) {
			return b.leaf(compile.Leaf{Reducer: "count", Time: l.Time, Zero: true, Name: "rows", Type: semantic.Integer}, 0)
		}
	}
	return nil
}

// own says whether a leaf stands in a cell for its own group and the present period.
func (b *evidence) own(l compile.Leaf) bool {
	mine := leafSignature(&l)
	var stands func(x *scalar) bool
	stands = func(x *scalar) bool {
		switch {
		case x == nil || x.Op == "at" || x.Op == "reduce" || x.Op == "cumulative" || x.Op == "moving" || x.Op == "lag":
			return false
		case x.Op == "leaf":
			o := b.q.Leaves[x.Index]
			return x.Ctx == 0 && leafSignature(&o) == mine
		}
		return slices.ContainsFunc(x.Args, stands)
	}
	return slices.ContainsFunc(b.q.Outputs, func(o compile.Output) bool { return stands(o.Cell) })
}

// behind gives the counts of what an average, a percentile or a divisor in a cell is made of. What runs along time rests
// on more than its own row, and is left out.
func (b *evidence) behind(x *scalar) []*scalar {
	switch x.Op {
	case "leaf":
		if sampled(b.q.Leaves[x.Index].Reducer) {
			return []*scalar{b.countOf(x)}
		}
		return nil
	case "cumulative", "moving", "rank", "index", "lag":
		return nil
	case "at":
		return b.wrapped(x, b.behind(x.Args[0]))
	case "reduce":
		// The days of a month, or the months of a year, are all that there are, and no sample.
		if sampled(x.Text) && slices.ContainsFunc(x.Keys, func(k int) bool { return !b.q.Keys[k].Axis }) {
			return []*scalar{{Op: "reduce", Text: "count", Args: x.Args, Keys: x.Keys, Type: semantic.Integer}}
		}
		return nil
	}
	var all []*scalar
	for _, a := range x.Args {
		all = append(all, b.behind(a)...)
	}
	if x.Op == "/" && !isPlainNumber(x.Args[1]) {
		all = append(all, b.counts(x.Args[1])...)
	}
	return all
}

// counts gives the counts of what every number in a divisor is made of.
func (b *evidence) counts(x *scalar) []*scalar {
	switch x.Op {
	case "leaf":
		return []*scalar{b.countOf(x)}
	case "cumulative", "moving", "rank", "index", "lag", "reduce":
		return nil
	case "at":
		return b.wrapped(x, b.counts(x.Args[0]))
	}
	var all []*scalar
	for _, a := range x.Args {
		all = append(all, b.counts(a)...)
	}
	return all
}

func (b *evidence) wrapped(at *scalar, counts []*scalar) []*scalar {
	for i, n := range counts {
		w := *at
		w.Args, w.Type, w.Currency = []*scalar{n}, semantic.Integer, ""
		counts[i] = &w
	}
	return counts
}

// countOf counts what a leaf is made of: its different things, or its rows that have a value.
func (b *evidence) countOf(x *scalar) *scalar {
	l := b.q.Leaves[x.Index]
	if l.Reducer == "count" {
		return x
	}
	l.Reducer, l.Zero, l.Param, l.Discrete, l.Tie = "count", true, "", false, nil
	l.Type, l.Metric, l.Name = semantic.Integer, "", "rows"
	return b.leaf(l, x.Ctx)
}

// sampled says whether a reducer gives an estimate that few rows make unsure.
func sampled(reducer string) bool {
	switch reducer {
	case "avg", "median", "percentile", "stddev", "avg_distinct":
		return true
	}
	return false
}

// baseOf gives the base of a relative change, (now - before) / abs(before); nil: the cell is none.
func baseOf(x *scalar) *scalar {
	if x.Op == "/" && x.Args[1].Op == "call" && x.Args[1].Text == "abs" {
		return x.Args[1].Args[0]
	}
	return nil
}

// Unmatched counts the rows whose key is set and leads nowhere, for the joins of a plan of which that is not known to be
// none. The result is one row.
type Unmatched struct {
	Query *compile.Query
	Joins []UnmatchedJoin
}

// UnmatchedJoin is one join, with the positions of its columns.
type UnmatchedJoin struct {
	JoinUse
	Fact    string // whose rows are counted
	Rows    int    // of the fact, in the period and under the conditions on its own columns
	Without int    // of these, with a key that has no partner
	Dropped bool   // the model says that there are none, so that the statement leaves them out
	Failing bool   // WHERE looks behind the join, where they have nothing that could pass
}

// Unmatched asks for the rows without partner; nil: there are none for certain, or nothing is joined.
func (p *Plan) Unmatched() *Unmatched { return p.unmatched }

// unmatchedOf prepares the question while the sources are at hand.
func (r *resolver) unmatchedOf() *Unmatched {
	if !slices.ContainsFunc(r.plan.Joins, func(use JoinUse) bool { return leaky(r.joinOf(use)) }) {
		return nil
	}
	u := &Unmatched{Query: &compile.Query{Contexts: []compile.Context{r.contexts[0]}}}
	q := u.Query
	count := func(source int, filter *scalar) int {
		l := compile.Leaf{Source: source, Reducer: "count", Filter: filter, Zero: true, Name: "rows", Type: semantic.Integer}
		for _, o := range r.leaves {
			if o.Source == source && o.Time != nil {
				l.Time = o.Time
				break
			}
		}
		q.Leaves = append(q.Leaves, l)
		q.Outputs = append(q.Outputs, compile.Output{
			Name: "count_" + strconv.Itoa(len(q.Outputs)+1), Cell: &scalar{Op: "leaf", Index: len(q.Leaves) - 1, Type: semantic.Integer},
		})
		return len(q.Outputs) - 1
	}
	for i, s := range r.sources {
		bound := r.bound.Sources[i]
		bound.Nodes, bound.Where = slices.Clone(bound.Nodes), slices.Clone(bound.Where)
		for k, w := range bound.Where {
			if !ofFact(w) {
				bound.Where[k] = nil
			}
		}
		needed, rows := r.needed(i), -1
		for n := range bound.Nodes {
			declared := bound.Nodes[n].Total
			bound.Nodes[n].Total = false
			j := s.nodes[n].join
			if n >= len(needed) || !needed[n] || !leaky(j) || len(bound.Nodes[n].On) == 0 {
				continue
			}
			var lost *scalar
			for _, on := range bound.Nodes[n].On {
				lost = and(lost, isTrue("not_null", on.Parent))
			}
			lost = and(lost, isTrue("is_null", bound.Nodes[n].On[0].Own))
			if rows < 0 {
				rows = count(i, nil)
			}
			u.Joins = append(u.Joins, UnmatchedJoin{
				JoinUse: JoinUse{From: j.From, To: j.To, Role: j.Role}, Fact: s.entity.Name, Rows: rows, Without: count(i, lost),
				Dropped: declared, Failing: slices.ContainsFunc(s.where, func(w *scalar) bool { return s.looksBehind(w, n) }),
			})
		}
		q.Sources = append(q.Sources, bound)
	}
	if len(u.Joins) == 0 {
		return nil
	}
	return u
}

// leaky says whether rows may lose their partner on a join: it was not measured, or there are some.
func leaky(j *semantic.Join) bool { return j != nil && (j.Attested == nil || j.Attested.Orphans > 0) }

// looksBehind says whether a condition reads a node or what is looked up from it.
func (s *source) looksBehind(w *scalar, n int) bool {
	found := false
	each(w, func(x *scalar) {
		if x.Op == "col" {
			for k := x.Node; k > 0; k = s.nodes[k].parent {
				found = found || k == n
			}
		}
	})
	return found
}

// ofFact says whether a condition looks at columns of the fact alone.
func ofFact(w *scalar) bool {
	own := true
	each(w, func(x *scalar) { own = own && x.Sub == nil && (x.Op != "col" || x.Node == 0) })
	return own
}
