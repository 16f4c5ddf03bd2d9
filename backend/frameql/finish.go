package frameql

import (
	"slices"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// finish makes the plan of a query without problems.
func (r *resolver) finish() *Plan {
	p, q := &r.plan, &r.bound
	p.Query = r.q
	p.Query.V = 1
	q.Keys = r.boundKeys()
	for _, s := range r.sources {
		q.Sources = append(q.Sources, r.boundSource(s))
		p.Facts = append(p.Facts, s.entity.Name)
	}
	q.Grain, q.Leaves, q.Contexts = r.grain, r.leaves, r.contexts
	q.First, q.Last, _ = r.covered()
	q.Listing = len(r.leaves) == 0
	for _, o := range r.outputs {
		q.Outputs = append(q.Outputs, compile.Output{Name: o.column.Name, Cell: o.cell, Flag: o.flag})
		p.Columns = append(p.Columns, o.column)
		if o.added {
			o.item = -1
		}
		p.Items = append(p.Items, o.item)
	}
	p.Fact = p.Facts[0]
	p.Metrics = sortedKeys(r.usedMetrics)
	p.Limit, p.Offset = r.q.Limit, r.q.Offset
	p.MaxRows, p.Verify = r.settings.maxRows, r.settings.verify
	p.Listing = q.Listing
	r.noteJoins()
	for _, d := range r.innerDims {
		r.usedDims[d] = true
	}
	p.Dimensions = sortedKeys(r.usedDims)
	p.Complexity.Joins, p.Complexity.Aggregates = len(p.Joins), len(r.leaves)
	r.weigh()
	r.checkAttested()
	r.checkSize()
	if len(r.problems) > 0 {
		return nil
	}
	p.population = r.populationOf(q.Sources[0])
	p.unmatched = r.unmatchedOf()
	p.bound = q
	return p
}

// noteJoins notes the entities and joins that the sources read, the facts first.
func (r *resolver) noteJoins() {
	extra, joins := r.plan.Entities, r.plan.Joins
	r.plan.Entities, r.plan.Joins = slices.Clone(r.plan.Facts), nil
	for i, s := range r.sources {
		for n, needed := range r.needed(i) {
			if needed {
				r.noteEntity(s.nodes[n].entity.Name)
				if j := s.nodes[n].join; j != nil {
					r.plan.Joins = append(r.plan.Joins, JoinUse{From: j.From, To: j.To, Role: j.Role})
					r.noteColumns(j)
				}
			}
		}
	}
	for _, e := range extra {
		r.noteEntity(e)
	}
	for _, j := range joins {
		r.noteUse(j)
	}
}

func (r *resolver) noteColumns(j *semantic.Join) {
	for _, on := range j.On {
		r.usedDims[j.From+"."+on.From], r.usedDims[j.To+"."+on.To] = true, true
	}
}

// needed says which nodes of a source the query reads, with every node on the way to them.
func (r *resolver) needed(i int) []bool {
	s := r.sources[i]
	need := make([]bool, len(s.nodes))
	need[0] = true
	mark := func(x *scalar) {
		each(x, func(x *scalar) {
			for n := x.Node; !need[n]; n = s.nodes[n].parent { // of what is no column: the fact
				need[n] = true
			}
		})
	}
	for _, k := range r.bound.Keys {
		if !k.Axis {
			mark(k.Exprs[i])
		}
	}
	for _, l := range r.leaves {
		if l.Source != i {
			continue
		}
		mark(l.Expr)
		mark(l.Filter)
		if r.readsTime(l) {
			mark(l.Time)
		}
		if l.Pick != nil {
			for _, x := range l.Pick.Per {
				mark(x)
			}
		}
	}
	for _, w := range s.where {
		mark(w)
	}
	return need
}

// readsTime says whether the time of a leaf matters: there is a period, an axis, or the order of rows decides.
func (r *resolver) readsTime(l compile.Leaf) bool {
	if l.Pick != nil || l.Map.Kind != "" || l.Reducer == "first" || l.Reducer == "last" {
		return true
	}
	return slices.ContainsFunc(r.contexts, func(c compile.Context) bool { return !c.From.IsZero() || !c.To.IsZero() }) ||
		slices.ContainsFunc(r.keys, func(k keyColumn) bool { return k.ref.axis })
}

// weigh counts the steps that a query takes besides its aggregates.
func (r *resolver) weigh() {
	c := &r.plan.Complexity
	steps, seen := 0, map[string]bool{}
	count := func(s *scalar) {
		each(s, func(x *scalar) {
			kind := ""
			switch x.Op {
			case "at", "reduce":
				kind = "step"
			case "cumulative", "moving", "rank", "index", "lag":
				kind = "window"
			case "exists":
				kind = "exists"
			}
			if kind == "" {
				return
			}
			if sig := signature(x); !seen[sig] {
				seen[sig] = true
				if kind == "window" {
					c.Windows++
				} else {
					c.Subqueries++
				}
			}
		})
	}
	finished := r.bound.Having != nil
	for _, o := range r.outputs {
		count(o.cell)
		finished = finished || o.cell != nil && o.cell.Op != "key" && o.cell.Op != "leaf" && !isPlainNumber(o.cell)
	}
	count(r.bound.Having)
	for _, o := range r.bound.Order {
		count(o.Cell)
	}
	for _, s := range r.sources {
		for _, w := range s.where {
			count(w)
		}
	}
	if finished {
		steps++
	}
	if r.bound.Top != nil {
		count(r.bound.Top.By)
		c.Windows++
		steps++
	}
	if r.bound.Fill != nil {
		steps++
	}
	c.Subqueries += steps + len(r.sources) - 1 + len(r.bound.Totals)
	for i := 1; i < len(r.contexts); i++ {
		c.Subqueries++
	}
}
