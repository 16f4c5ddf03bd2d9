package frameql

import (
	"slices"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// source is one fact of the query: its rows with what can be looked up from them.
type source struct {
	entity *semantic.Entity
	nodes  []node    // 0 is the fact
	where  []*scalar // a condition for each conjunct of WHERE
}

// node is one occurrence of an entity in a source.
type node struct {
	entity *semantic.Entity
	parent int
	join   *semantic.Join // nil for the fact
	path   []int
	total  bool // no row of the parent is without it
}

func newSource(e *semantic.Entity) *source {
	return &source{entity: e, nodes: []node{{entity: e, total: true}}}
}

// fact is the first source; nil when none is known.
func (r *resolver) fact() *semantic.Entity {
	if len(r.sources) == 0 {
		return nil
	}
	return r.sources[0].entity
}

// sourceOf gives the source of an entity, adding it; -1 for none.
func (r *resolver) sourceOf(e *semantic.Entity) int {
	if e == nil {
		return -1
	}
	if i := slices.IndexFunc(r.sources, func(s *source) bool { return s.entity == e }); i >= 0 {
		return i
	}
	r.sources = append(r.sources, newSource(e))
	return len(r.sources) - 1
}

// nodeFor gives the node at the end of a path of edges, making those on the way.
func (r *resolver) nodeFor(s *source, path []int) int {
	at := 0
	for i := range path {
		here := path[:i+1]
		k := slices.IndexFunc(s.nodes, func(n node) bool { return slices.Equal(n.path, here) })
		if k < 0 {
			j := &r.model.Joins[path[i]]
			s.nodes = append(s.nodes, node{entity: r.entity(j.To), parent: at, join: j, path: slices.Clone(here), total: j.Total})
			k = len(s.nodes) - 1
		}
		at = k
	}
	return at
}

// partnered says whether every row of the fact is known to reach a row of a node: each join on the way there keeps all.
func (s *source) partnered(n int) bool {
	for ; n > 0; n = s.nodes[n].parent {
		if !s.nodes[n].total {
			return false
		}
	}
	return true
}

// within binds over other sources than those of the query: some of them, or the inside of a quantifier.
func (r *resolver) within(some []*source, bind func()) {
	sources, times, on := r.sources, r.times, r.onTime
	r.sources, r.times, r.onTime = some, nil, nil
	var at []int
	for k, s := range some {
		i := slices.Index(sources, s)
		for _, t := range times {
			if t.source == i {
				r.times = append(r.times, leafTime{k, t.name})
			}
		}
		if on != nil && i >= 0 && i < len(on.at) {
			at = append(at, on.at[i])
		}
	}
	if on != nil && len(at) == len(some) {
		moved := *on
		moved.at = at
		r.onTime = &moved
	}
	bind()
	r.sources, r.times, r.onTime = sources, times, on
}

// boundSource gives a source as the compiler takes it.
func (r *resolver) boundSource(s *source) compile.Source {
	return compile.Source{Nodes: r.boundNodes(s), Where: s.where, Rows: r.rows(s.entity.Name)}
}

func (r *resolver) boundNodes(s *source) []compile.Node {
	var all []compile.Node
	for i := 0; i < len(s.nodes); i++ { // a computed column may add one
		n := s.nodes[i]
		b := compile.Node{
			Entity: n.entity.Name, Table: n.entity.Source.Table, SQL: n.entity.Source.SQL, Parent: -1, Rows: r.rows(n.entity.Name),
		}
		if b.Table == "" && b.SQL == "" {
			b.Table = n.entity.Name
		}
		if b.SQL != "" {
			b.Table = ""
		}
		for _, k := range n.entity.Key {
			if dim := dimensionOf(n.entity, k); dim != nil {
				b.Key = append(b.Key, r.silent(s, i, dim))
			}
		}
		if n.join != nil {
			b.Parent, b.Total = n.parent, n.total
			b.Unique = n.join.Attested != nil && n.join.Attested.Unique
			b.On = r.pairs(n.join, func(from *semantic.Dimension) *scalar { return r.silent(s, n.parent, from) },
				func(to *semantic.Dimension) *scalar { return r.silent(s, i, to) }, s.nodes[n.parent].entity, n.entity)
		}
		all = append(all, b)
	}
	return all
}

// silent gives the value of a dimension without noting that it is used.
func (r *resolver) silent(s *source, n int, dim *semantic.Dimension) *scalar {
	before := r.usedDims
	r.usedDims = map[string]bool{}
	v := r.value(s, n, dim)
	r.usedDims = before
	return v
}

// pairs gives the equalities of a join between an entity and the one it leads to.
func (r *resolver) pairs(j *semantic.Join, parent, own func(*semantic.Dimension) *scalar, from, to *semantic.Entity) []compile.Pair {
	var on []compile.Pair
	for _, c := range j.On {
		a, b := dimensionOf(from, c.From), dimensionOf(to, c.To)
		if a == nil || b == nil {
			r.refuseJoinColumns(j, c)
			return nil
		}
		on = append(on, compile.Pair{Parent: parent(a), Own: own(b)})
	}
	return on
}

func (r *resolver) rows(entity string) int64 {
	if r.env.Rows == nil {
		return 0
	}
	return max(r.env.Rows(entity), 0)
}
