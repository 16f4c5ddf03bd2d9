package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// ref is a bound dimension: an attribute or the key of an entity, where the joins of each source reach it, cut by a
// grain; or the time of the metrics, which is another column for each of them.
type ref struct {
	entity *semantic.Entity
	dim    *semantic.Dimension // nil: the entity itself, which stands for its key
	grain  string
	name   Dim   // canonical
	at     []int // node in each source; -1: that source does not lead there, and the ref is an axis
	axis   bool
	part   *semantic.DatePart // of a time; nil: the time itself
	timed  bool               // of a part: of the time of the metrics
}

func (a ref) same(b ref) bool {
	switch {
	case a.axis || b.axis:
		return a.axis == b.axis && a.unit() == b.unit()
	case a.timed && b.timed: // also where they were bound for other numbers
		return a.part == b.part
	}
	return a.dim == b.dim && a.grain == b.grain && a.part == b.part && slices.Equal(a.at, b.at)
}

// joined gives the nodes of two bindings of one column for different sources; false when they are two columns.
func (a ref) joined(b ref) ([]int, bool) {
	if a.axis || b.axis || a.part != nil || b.part != nil || a.dim != b.dim || a.grain != b.grain {
		return nil, false
	}
	at, shared := slices.Clone(a.at), false
	for s := range at {
		switch {
		case at[s] == b.at[s]:
			shared = shared || at[s] >= 0
		case at[s] < 0:
			at[s] = b.at[s]
		case b.at[s] >= 0:
			return nil, false
		}
	}
	return at, shared
}

// nowhere is the places of a time that is bound by its unit alone.
func (r *resolver) nowhere() []int { return slices.Repeat([]int{-1}, len(r.sources)) }

// unit is the grain of an axis; a date that is not cut is cut by day.
func (a ref) unit() string {
	if a.grain == "" {
		return "day"
	}
	return a.grain
}

// fullName is "entity.dimension", whatever way it was reached.
func (a ref) fullName() string {
	if a.dim == nil {
		return a.entity.Name
	}
	return a.entity.Name + "." + a.dim.Name
}

// use says what a dimension is wanted for; it decides which refusal an unreachable one gets.
type use int

const (
	forGrain use = iota
	forFilter
	forTime
)

// dimension binds a name; place is the node of the query that it stands in. It refuses what cannot be bound, and is
// silent about what cannot be judged because the sources themselves are not known.
func (r *resolver) dimension(d Dim, place any, want use) (ref, bool) {
	all := r.meanings(d)
	if len(all) == 0 {
		switch {
		case r.isUnit(d):
			return r.bareGrain(strings.ToLower(d.Name), place, want)
		case len(r.sources) == 0 && r.defined[strings.ToLower(d.Name)] != nil:
			return ref{}, false
		}
		r.refuseUnknown(d, place, want)
		return ref{}, false
	}
	if len(r.sources) == 0 {
		return ref{}, false
	}
	full, partial := r.reachable(all, want)
	switch {
	case len(full) == 0 && r.isUnit(d): // a column far away hides no month
		return r.bareGrain(strings.ToLower(d.Name), place, want)
	case len(full) == 0 && len(partial) > 0:
		r.refuseNotConformed(d, partial[0], place, want)
		return ref{}, false
	case len(full) == 0:
		r.refuseUnreachable(d, all[0], place, want)
		return ref{}, false
	case len(full) > 1:
		r.refuseAmbiguousDimension(d, full, place)
		return ref{}, false
	}
	for i, paths := range full[0].paths {
		if len(paths) > 1 {
			r.refuseAmbiguousPath(d, full[0].candidate, i, paths, place)
			return ref{}, false
		}
	}
	return r.place(full[0], place), true
}

// dimensionFor binds a name for some of the sources.
func (r *resolver) dimensionFor(d Dim, place any, want use, some []int) (ref, bool) {
	if len(some) == 0 {
		return r.dimension(d, place, want)
	}
	at := make([]int, len(r.sources))
	for i := range at {
		at[i] = -1
	}
	var subset []*source
	for _, s := range some {
		subset = append(subset, r.sources[s])
	}
	var b ref
	var ok bool
	r.within(subset, func() { b, ok = r.dimension(d, place, want) })
	if !ok {
		return b, false
	}
	for k, n := range b.at {
		at[some[k]] = n
	}
	b.at = at
	return b, true
}

// sourcesOf gives the sources that an expression reads; all of them when it reads none by itself.
func (r *resolver) sourcesOf(e *Expr) []int {
	var all []int
	seen := map[*Expr]bool{}
	add := func(s int) {
		if s >= 0 && s < len(r.sources) && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	var walk func(e *Expr)
	walk = func(e *Expr) {
		if e == nil || seen[e] {
			return
		}
		seen[e] = true
		if s, ok := r.rowSource[e]; ok {
			add(s)
		}
		if m := r.metric(e.Metric); m != nil && e.Metric != "" && r.refers[e] == nil {
			for _, l := range r.leavesOf(m, 0) {
				add(r.entitySource(l.Entity))
			}
		}
		walk(r.refers[e])
		walk(e.Of)
		for _, a := range e.Args {
			walk(a)
		}
	}
	walk(e)
	slices.Sort(all)
	return all
}

// reached is a candidate with the paths of each source to it.
type reached struct {
	candidate
	paths [][][]int
	axis  bool
	timed bool
}

// reachable gives the candidates that every source reaches, and those that some do: entities before roles before
// attributes, and of two columns that a join equates the nearer.
func (r *resolver) reachable(all []candidate, want use) (full, partial []reached) {
	rank := 3
	for _, c := range all {
		one := reached{candidate: c}
		missing := 0
		for _, s := range r.sources {
			p := r.ways(s.entity.Name, c.way, c.entity)
			if len(p) == 0 {
				missing++
			}
			one.paths = append(one.paths, p)
		}
		if missing == len(r.sources) {
			continue
		}
		if missing > 0 && r.shareRole(&one) {
			missing = 0
		}
		one.axis = want == forGrain && c.part == nil && r.isAxis(one)
		one.timed = want == forGrain && c.part != nil && r.isTimed(one)
		if missing > 0 && !one.axis && !one.timed {
			partial = append(partial, one)
			continue
		}
		mine := 2
		if c.dim == nil {
			mine = 1
			if !c.way[len(c.way)-1].role {
				mine = 0
			}
		}
		switch {
		case mine > rank:
			continue
		case mine < rank:
			full, rank = nil, mine
		}
		full = append(full, one)
	}
	for i := 0; i < len(full); i++ {
		if r.equatedNearer(i, full) {
			full = slices.Delete(full, i, i+1)
			i--
		}
	}
	return full, partial
}

// shareRole reads a role of one fact, buyer.segment, for facts that know no such role and lead to the entity in exactly one
// way, whatever role it has there. false: some fact does not.
func (r *resolver) shareRole(c *reached) bool {
	if !c.way[0].role {
		return false
	}
	paths := slices.Clone(c.paths)
	for i, s := range r.sources {
		if len(paths[i]) > 0 {
			continue
		}
		if paths[i] = r.shortest(s.entity.Name, c.entity.Name); len(paths[i]) != 1 {
			return false
		}
	}
	c.paths = paths
	return true
}

// equatedNearer says whether another candidate is the same value, one join nearer to every source.
func (r *resolver) equatedNearer(i int, full []reached) bool {
	for _, near := range full {
		nearer := full[i].dim != nil
		for s := range r.sources {
			nearer = nearer && r.equated(full[i], near, s)
		}
		if nearer {
			return true
		}
	}
	return false
}

// equated says whether the last join on the one way to a column finds its rows by the value of another column.
func (r *resolver) equated(far, near reached, s int) bool {
	if len(far.paths[s]) != 1 || len(far.paths[s][0]) == 0 {
		return false
	}
	path := far.paths[s][0]
	join := r.model.Joins[path[len(path)-1]]
	return slices.ContainsFunc(join.On, func(on semantic.ColumnPair) bool {
		return strings.EqualFold(on.To, far.dim.Name) && dimensionOf(r.entity(join.From), on.From) == near.dim
	})
}

// place makes the ref at the end of the paths and checks them and its grain. What is refused stands all the same, so that what
// needs it is not refused too.
func (r *resolver) place(c reached, at any) ref {
	plain := true
	b := ref{entity: c.entity, dim: c.dim, grain: c.grain, axis: c.axis, part: c.part, timed: c.timed}
	for i, s := range r.sources {
		if len(c.paths[i]) == 0 { // an axis that this source has by another name
			b.at = append(b.at, -1)
			continue
		}
		path := c.paths[i][0]
		short := r.plainest(r.shortest(s.entity.Name, c.entity.Name))
		plain = plain && len(short) == 1 && slices.Equal(short[0], path)
		if c.way[0].role && !slices.ContainsFunc(path, func(edge int) bool { return strings.EqualFold(r.model.Joins[edge].Role, c.way[0].name) }) {
			r.assume("frameql.assume_role", "name", c.dotted(false), "fact", r.entityWords(s.entity.Name), "entity", r.entityWords(c.entity.Name))
		}
		r.joinable(path, at)
		b.at = append(b.at, r.nodeFor(s, path))
	}
	b.name = canonicalDim(c.dotted(plain), c.grain)
	switch {
	case c.axis:
		r.cutsTimes(b.unit(), at)
	case c.grain != "":
		r.checkGrain(b, at)
	case c.part != nil:
		r.checkPart(b, at)
		b.name.Name += "." + c.part.Name
	}
	return b
}

// joinable refuses a path over a join whose far side was measured to have several rows for one value: it would count
// rows more than once.
func (r *resolver) joinable(path []int, place any) bool {
	for _, edge := range path {
		if j := &r.model.Joins[edge]; j.Attested != nil && !j.Attested.Unique {
			r.refuseNotUnique(j, place)
			return false
		}
	}
	return true
}

// keyRefs gives the key of an entity, or the dimension itself. An entity without a key gives none.
func (r *resolver) keyRefs(b ref) []ref {
	if b.dim != nil {
		return []ref{b}
	}
	var keys []ref
	for _, k := range b.entity.Key {
		if dim := dimensionOf(b.entity, k); dim != nil {
			k := ref{at: b.at, entity: b.entity, dim: dim, name: Dim{Name: b.name.Name + "." + dim.Name}}
			k.axis = r.isTimeOfAll(k)
			keys = append(keys, k)
		}
	}
	return keys
}
