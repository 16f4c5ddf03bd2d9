package frameql

import (
	"slices"
	"strings"
	"time"

	"assay/backend/compile"
	"assay/backend/semantic"
	"assay/backend/text"
)

// keyColumn is a column that some grain groups by.
type keyColumn struct {
	ref      ref
	depends  []int // what determines it; empty: it is part of a grain by itself
	declared bool  // of depends: the model says so, and nobody measured it
}

// grainPart is one dimension of the output grain as it was asked for, with its columns.
type grainPart struct {
	ref   ref
	keys  []int // indices of keys; none: the rows of an entity without a key
	shown bool
}

// bindGrain binds the output grain: AT, or without it the dimensions of SELECT.
func (r *resolver) bindGrain() {
	defer r.dropParts()
	if r.q.At == nil {
		for i := range r.q.Select {
			if d := r.q.Select[i].Dim; d != nil {
				if b, ok := r.dimension(*d, d, forGrain); ok {
					*d = b.name
					r.addGrain(b, d)
				}
			}
		}
		return
	}
	if g := r.q.At; g.IgnoreFilters || len(g.IgnoreDims) > 0 {
		r.refuse(g, refusal("INVALID_QUERY", "frameql.ignoring_outside"),
			r.edited(text.Say("frameql.repair_without", "what", "IGNORING"), func(q *Query) { q.At.IgnoreFilters, q.At.IgnoreDims = false, nil }))
	}
	for i := range r.q.At.Dims {
		d := &r.q.At.Dims[i]
		if b, ok := r.dimension(*d, d, forGrain); ok {
			*d = b.name
			r.addGrain(b, d)
		}
	}
}

func (r *resolver) addGrain(b ref, place any) {
	if slices.ContainsFunc(r.parts, func(g grainPart) bool { return g.ref.same(b) }) {
		return
	}
	part := grainPart{ref: b}
	for _, k := range r.keyRefs(b) {
		i := r.addKey(k)
		part.keys = append(part.keys, i)
		if !slices.Contains(r.grain, i) {
			r.grain = append(r.grain, i)
		}
	}
	if len(part.keys) == 0 && (b.at[0] != 0 || len(r.metrics) > 0 || r.anyExpression()) {
		r.refuseNoKey(b, place)
	}
	r.parts = append(r.parts, part)
}

func (r *resolver) anyExpression() bool { return len(r.expressions()) > 0 }

// addKey adds a column to group by, once.
func (r *resolver) addKey(b ref) int {
	for i := range r.keys {
		k := &r.keys[i].ref
		if k.same(b) {
			return i
		}
		if at, ok := k.joined(b); ok { // the same column, bound for other sources
			k.at = at
			return i
		}
	}
	r.keys = append(r.keys, keyColumn{ref: b})
	return len(r.keys) - 1
}

// innerGrain binds the grain of an expression: the columns that its dimensions stand for. Only the sources that the
// expression reads must reach them.
func (r *resolver) innerGrain(g *Grain, of *Expr) ([]int, bool) {
	keys, ok := []int{}, true
	sources := r.sourcesOf(of)
	for i := range g.Dims {
		d := &g.Dims[i]
		b, fine := r.dimensionFor(*d, d, forGrain, sources)
		if !fine {
			ok = false
			continue
		}
		*d = b.name
		refs := r.keyRefs(b)
		if len(refs) == 0 {
			r.refuseNoKey(b, d)
			ok = false
		}
		for _, k := range refs {
			if n := r.addKey(k); !slices.Contains(keys, n) {
				keys = append(keys, n)
			}
		}
	}
	return keys, ok
}

// finestAxis gives the key that cuts the time of the numbers finest; -1: none does.
func (r *resolver) finestAxis(keys []int) int {
	best := -1
	for _, k := range keys {
		if r.keys[k].ref.axis && (best < 0 || r.calendar.days(r.keys[k].ref.unit()) < r.calendar.days(r.keys[best].ref.unit())) {
			best = k
		}
	}
	return best
}

// apart says whether some axis is not made of whole buckets of the finest one, as months are not of weeks: nothing runs along
// such an axis bucket by bucket.
func (r *resolver) apart(keys []int) bool {
	f := r.finestAxis(keys)
	return slices.ContainsFunc(keys, func(k int) bool {
		return r.keys[k].ref.axis && !r.calendar.coarsens(r.keys[f].ref.unit(), r.keys[k].ref.unit())
	})
}

// inOrder refuses what runs along the time when the buckets of the grain do not stand one after another.
func (r *resolver) inOrder(place any, what string, keys []int) bool {
	if !r.apart(keys) {
		return true
	}
	var edits []edit
	f, units := r.finestAxis(keys), []string{}
	for _, k := range keys {
		if b := r.keys[k].ref; b.axis {
			if units = append(units, b.unit()); k != f {
				edits = append(edits, r.without(b.name.String()))
			}
		}
	}
	r.refuse(place, refusal("INVALID_WINDOW", "frameql.axes_apart", "what", what, "units", strings.Join(units, ", ")), edits...)
	return false
}

// keyScalar is a column of a grain as a cell.
func (r *resolver) keyScalar(k int) *scalar {
	if axis := r.partAxis(r.keys[k].ref, r.grain); axis >= 0 {
		return partOf(r.keys[k].ref.part, r.keyScalar(axis))
	}
	t, unit := r.typeOf(r.keys[k].ref)
	return &scalar{Op: "key", Index: k, Type: t, Currency: unit}
}

func (r *resolver) typeOf(b ref) (semantic.Type, string) {
	if b.axis {
		if b.unit() == "hour" {
			return semantic.Timestamp, ""
		}
		return semantic.Date, ""
	}
	if v := r.anyOn(b); v != nil {
		return v.Type, v.Currency
	}
	return b.dim.Type, b.dim.Unit
}

// anyOn gives the value of a ref in the first source that has it.
func (r *resolver) anyOn(b ref) *scalar {
	for s := range r.sources {
		if v := r.on(b, s); v != nil {
			return v
		}
	}
	return nil
}

// boundKeys gives the columns as the compiler takes them.
func (r *resolver) boundKeys() []compile.Key {
	all := make([]compile.Key, len(r.keys))
	for i, k := range r.keys {
		name := k.ref.dim.Name
		if k.ref.grain != "" {
			name = k.ref.grain
		}
		b := compile.Key{Name: name, DependsOn: k.depends, Declared: k.declared, Within: r.determiners(i)}
		b.Type, _ = r.typeOf(k.ref)
		if k.ref.axis {
			b.Axis, b.Cut = true, r.trunc(k.ref.unit())
			if first, last, known := r.covered(); known {
				b.Days = dayCount(first, last)
			}
		} else {
			for s := range r.sources {
				b.Exprs = append(b.Exprs, r.on(k.ref, s))
			}
			if part := k.ref.part; part != nil {
				b.Size = int64(part.Size)
				if k.ref.timed {
					b.Part = partOf(part, nil)
				}
			} else if k.ref.grain == "" && r.env.Distinct != nil {
				b.Size = max(r.env.Distinct(k.ref.fullName()), 0)
			}
			if k.ref.grain != "" {
				if first, last, known := r.coverage(k.ref.fullName()); known {
					b.Days = dayCount(first, last)
				}
			}
		}
		all[i] = b
	}
	return all
}

// determiners gives the grains of total rows, of the members of TOP and of its rest that lack a key and determine it. In the
// rest members have no value.
func (r *resolver) determiners(k int) [][]int {
	sets, shown := slices.Clone(r.bound.Totals), slices.Contains(r.grain, k)
	if t := r.bound.Top; t != nil {
		sets = append(sets, slices.Concat(t.Members, t.Per))
		if t.Other && !shown {
			sets = append(sets, slices.DeleteFunc(slices.Clone(r.grain), func(g int) bool { return slices.Contains(t.Members, g) }))
		}
	}
	b := r.keys[k].ref
	return slices.DeleteFunc(sets, func(set []int) bool {
		if f := r.finestAxis(set); b.axis && (f < 0 || !r.calendar.coarsens(r.keys[f].ref.unit(), b.unit())) {
			return true
		}
		return !shown && len(r.keys[k].depends) == 0 || !r.determined(b, set)
	})
}

// dayCount gives the number of days from one to another, both included.
func dayCount(first, last time.Time) int64 { return int64(last.Sub(first).Hours()/24) + 1 }

// follows says whether equal values of some keys mean equal values of a column, in every source that has it.
func (r *resolver) follows(b ref, keys []int) bool {
	if b.axis && slices.ContainsFunc(keys, func(k int) bool {
		return r.keys[k].ref.axis && r.calendar.coarsens(r.keys[k].ref.unit(), b.unit())
	}) {
		return true
	}
	if r.partAxis(b, keys) >= 0 {
		return true
	}
	reached := false
	for s := range r.sources {
		if b.at[s] < 0 {
			if b.axis {
				return false
			}
			continue
		}
		reached = true
		if !r.determinedIn(s, b, keys, 0) {
			return false
		}
	}
	return reached
}

func (r *resolver) determinedIn(s int, b ref, keys []int, depth int) bool {
	node := b.at[s]
	for _, k := range keys {
		o := r.keys[k].ref
		if o.at[s] == node && o.dim == b.dim && r.cutsTo(o, b) {
			return true
		}
	}
	nodes := r.sources[s].nodes
	for n := node; ; n = nodes[n].parent {
		if r.hasKeyOf(s, n, keys) || r.rowsOf(s, n, keys) {
			return true
		}
		if n == 0 {
			break
		}
		if r.hasReferenceTo(s, n, keys) {
			return true
		}
	}
	if depth > maxModelDepth {
		return false
	}
	return r.climbsTo(s, node, b.dim.Name, keys) || r.computedFromDetermined(s, b, keys, depth)
}

// computedFromDetermined looks through a dimension that the model computes from others of its entity. One that has a value
// where these have none does not follow from them when rows are without a partner: for those it has none.
func (r *resolver) computedFromDetermined(s int, b ref, keys []int, depth int) bool {
	if r.ofPartners(r.sources[s], b.at[s], b.dim) {
		return false
	}
	var from []string
	switch {
	case b.dim.DerivedFrom != "":
		from = []string{b.dim.DerivedFrom}
	case b.dim.Expr != "":
		e, err := r.modelExpr(b.dim.Expr)
		if err != nil {
			return false
		}
		from = e.Idents()
	}
	for _, name := range from {
		dim := dimensionOf(b.entity, name)
		if dim == nil || !r.determinedIn(s, ref{at: b.at, entity: b.entity, dim: dim}, keys, depth+1) {
			return false
		}
	}
	return len(from) > 0
}

// hasKeyOf says whether the whole key of the entity at a node is among the keys.
func (r *resolver) hasKeyOf(s, n int, keys []int) bool {
	key := r.sources[s].nodes[n].entity.Key
	return len(key) > 0 && !slices.ContainsFunc(key, func(name string) bool { return !r.among(s, n, name, keys) })
}

// rowsOf says whether the output grain is the single rows of the entity at a node.
func (r *resolver) rowsOf(s, n int, keys []int) bool {
	return slices.Equal(keys, r.grain) && slices.ContainsFunc(r.parts, func(g grainPart) bool { return g.ref.dim == nil && g.ref.at[s] == n })
}

// hasReferenceTo says whether the columns that look up a node are among the keys.
func (r *resolver) hasReferenceTo(s, n int, keys []int) bool {
	node := r.sources[s].nodes[n]
	return !slices.ContainsFunc(node.join.On, func(on semantic.ColumnPair) bool {
		return !r.among(s, node.parent, on.From, keys)
	})
}

func (r *resolver) among(s, n int, dim string, keys []int) bool {
	return slices.ContainsFunc(keys, func(k int) bool {
		o := r.keys[k].ref
		return o.at[s] == n && o.grain == "" && o.part == nil && strings.EqualFold(o.dim.Name, dim)
	}) || r.climbsTo(s, n, dim, keys)
}

// determinedKey adds a column that some keys determine, and notes the fewest of them that do.
func (r *resolver) determinedKey(b ref, keys []int) int {
	i := r.addKey(b)
	if slices.Contains(r.grain, i) || len(r.keys[i].depends) > 0 || slices.Contains(keys, i) {
		return i
	}
	var groups [][]int
	for _, p := range r.parts {
		groups = append(groups, p.keys)
	}
	for _, k := range keys {
		groups = append(groups, []int{k})
	}
	for _, g := range groups {
		if r.determined(b, g) && !slices.ContainsFunc(g, func(k int) bool { return !slices.Contains(keys, k) }) {
			r.keys[i].depends, r.keys[i].declared = g, !r.determinedAs(measured, b, g)
			return i
		}
	}
	r.keys[i].depends, r.keys[i].declared = slices.Clone(keys), !r.determinedAs(measured, b, keys)
	return i
}
