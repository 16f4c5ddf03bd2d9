package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// ref is a bound dimension: an attribute or the key of an entity, where the joins reach it, cut by a grain.
type ref struct {
	node   int
	entity *semantic.Entity
	dim    *semantic.Dimension // nil: the entity itself, which stands for its key
	grain  string
	name   Dim // canonical
}

func (a ref) same(b ref) bool { return a.node == b.node && a.dim == b.dim && a.grain == b.grain }

// use says what a dimension is wanted for; it decides which refusal an unreachable one gets.
type use int

const (
	forGrain use = iota
	forFilter
	forTime
)

// waypoint is an entity or a role on the way to a dimension.
type waypoint struct {
	name string // as the model spells it
	role bool
}

// candidate is one thing that a name may mean.
type candidate struct {
	way    []waypoint
	entity *semantic.Entity
	dim    *semantic.Dimension // nil: the entity
	grain  string
}

func (c candidate) dotted(paths int) string {
	names := []string{}
	for _, w := range c.way {
		names = append(names, w.name)
	}
	if paths == 1 { // the entity's own name leads there
		names = []string{c.entity.Name}
	}
	if c.dim != nil {
		names = append(names, c.dim.Name)
	}
	return strings.Join(names, ".")
}

// meanings gives what a name may mean in the model, whether it can be reached or not. An attribute that is called like
// a grain wins over the grain.
func (r *resolver) meanings(d Dim) []candidate {
	segments := strings.Split(d.Name, ".")
	last := len(segments) - 1
	switch {
	case d.Grain != "":
		if all := r.candidates(append(slices.Clone(segments), d.Grain)); len(all) > 0 {
			return all
		}
		return withGrain(r.candidates(segments), d.Grain)
	case last > 0 && timeGrains[strings.ToUpper(segments[last])]: // a name that was read without grains: a sort key
		if all := r.candidates(segments); len(all) > 0 {
			return all
		}
		return withGrain(r.candidates(segments[:last]), strings.ToLower(segments[last]))
	}
	return r.candidates(segments)
}

func withGrain(all []candidate, grain string) []candidate {
	var cut []candidate
	for _, c := range all {
		if c.dim != nil {
			c.grain = grain
			cut = append(cut, c)
		}
	}
	return cut
}

func (r *resolver) candidates(segments []string) []candidate {
	if len(segments) > 3 {
		return nil
	}
	if len(segments) == 1 {
		all := r.places(segments[0], nil)
		for i := range r.model.Entities {
			e := &r.model.Entities[i]
			if dim := dimensionOf(e, segments[0]); dim != nil {
				all = append(all, candidate{way: []waypoint{{name: e.Name}}, entity: e, dim: dim})
			}
		}
		return all
	}
	var all []candidate
	for _, first := range r.places(segments[0], nil) {
		if len(segments) == 2 {
			if dim := dimensionOf(first.entity, segments[1]); dim != nil {
				all = append(all, candidate{way: first.way, entity: first.entity, dim: dim})
			}
		}
		for _, second := range r.places(segments[1], first.way) {
			if len(segments) == 2 {
				all = append(all, second)
			} else if dim := dimensionOf(second.entity, segments[2]); dim != nil {
				all = append(all, candidate{way: second.way, entity: second.entity, dim: dim})
			}
		}
	}
	return all
}

// places gives the entities that a name may mean: by its own name, or by the role of an edge that leads to it.
func (r *resolver) places(name string, before []waypoint) []candidate {
	var all []candidate
	if e := r.entity(name); e != nil {
		all = append(all, candidate{way: append(slices.Clone(before), waypoint{name: e.Name}), entity: e})
	}
	for _, j := range r.model.Joins {
		if j.Role == "" || !strings.EqualFold(j.Role, name) {
			continue
		}
		e := r.entity(j.To)
		if e == nil || slices.ContainsFunc(all, func(c candidate) bool { return c.entity == e && c.way[len(c.way)-1].role }) {
			continue
		}
		all = append(all, candidate{way: append(slices.Clone(before), waypoint{j.Role, true}), entity: e})
	}
	return all
}

// ways gives the shortest paths from an entity along waypoints.
func (r *resolver) ways(from string, way []waypoint, to *semantic.Entity) [][]int {
	paths := [][]int{{}}
	at := from
	for i, w := range way {
		var steps [][]int
		if w.role {
			for _, p := range r.viaRole(at, w.name) {
				if i < len(way)-1 || strings.EqualFold(r.model.Joins[p[len(p)-1]].To, to.Name) {
					steps = append(steps, p)
				}
			}
		} else {
			steps = r.plainest(r.shortest(at, w.name))
		}
		var longer [][]int
		for _, p := range paths {
			for _, s := range steps {
				longer = append(longer, append(slices.Clone(p), s...))
			}
		}
		if len(longer) == 0 {
			return nil
		}
		paths = longer[:min(len(longer), maxPaths)]
		at = w.name
		if w.role {
			at = r.model.Joins[steps[0][len(steps[0])-1]].To
		}
	}
	return paths
}

// dimension binds a name; place is the node of the query that it stands in. It refuses what cannot be bound, and is
// silent about what cannot be judged because the fact itself is not known.
func (r *resolver) dimension(d Dim, place any, want use) (ref, bool) {
	all := r.meanings(d)
	if len(all) == 0 {
		if timeGrains[strings.ToUpper(d.Name)] && d.Grain == "" {
			return r.bareGrain(strings.ToLower(d.Name), place)
		}
		if r.fact == nil && r.defined[strings.ToLower(d.Name)] {
			return ref{}, false
		}
		r.refuseUnknown(d, place, want)
		return ref{}, false
	}
	if r.fact == nil {
		return ref{}, false
	}
	reached, paths := r.reachable(all)
	switch {
	case len(reached) == 0 && timeGrains[strings.ToUpper(d.Name)] && d.Grain == "": // a column far away hides no month
		return r.bareGrain(strings.ToLower(d.Name), place)
	case len(reached) == 0:
		r.refuseUnreachable(d, all[0], place, want)
		return ref{}, false
	case len(reached) > 1:
		r.refuseAmbiguousDimension(d, reached, place)
		return ref{}, false
	case len(paths[0]) > 1:
		r.refuseAmbiguousPath(d, reached[0], paths[0], place)
		return ref{}, false
	}
	return r.place(reached[0], paths[0][0], place)
}

// reachable keeps the candidates that the fact reaches: entities before roles before attributes, and of two columns
// that a join equates the nearer.
func (r *resolver) reachable(all []candidate) ([]candidate, [][][]int) {
	var reached []candidate
	var paths [][][]int
	rank := 3
	for _, c := range all {
		p := r.ways(r.fact.Name, c.way, c.entity)
		if len(p) == 0 {
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
			reached, paths, rank = nil, nil, mine
		}
		reached, paths = append(reached, c), append(paths, p)
	}
	for i := 0; i < len(reached); i++ {
		if r.equatedNearer(i, reached, paths) {
			reached, paths = slices.Delete(reached, i, i+1), slices.Delete(paths, i, i+1)
			i--
		}
	}
	return reached, paths
}

// equatedNearer says whether another candidate is the same value, one join nearer to the fact.
func (r *resolver) equatedNearer(i int, reached []candidate, paths [][][]int) bool {
	if len(reached) < 2 || len(paths[i]) != 1 || reached[i].dim == nil || len(paths[i][0]) == 0 {
		return false
	}
	path := paths[i][0]
	join := r.model.Joins[path[len(path)-1]]
	for k, other := range reached {
		if k == i || other.dim == nil || len(paths[k]) != 1 || !slices.Equal(paths[k][0], path[:len(path)-1]) {
			continue
		}
		for _, on := range join.On {
			if strings.EqualFold(on.To, reached[i].dim.Name) && strings.EqualFold(on.From, other.dim.Name) {
				return true
			}
		}
	}
	return false
}

// place makes the ref at the end of a path and checks its grain.
func (r *resolver) place(c candidate, path []int, at any) (ref, bool) {
	plain := r.plainest(r.shortest(r.fact.Name, c.entity.Name))
	only := 0
	if len(plain) == 1 && slices.Equal(plain[0], path) {
		only = 1
	}
	b := ref{
		node: r.nodeFor(path), entity: c.entity, dim: c.dim, grain: c.grain,
		name: Dim{Name: c.dotted(only), Grain: c.grain},
	}
	if c.grain != "" && !r.checkGrain(b, at) {
		return ref{}, false
	}
	return b, true
}

// bareGrain binds "month": the default time of the query, cut by it.
func (r *resolver) bareGrain(grain string, place any) (ref, bool) {
	if r.fact == nil {
		return ref{}, false
	}
	time, ok := r.defaultTime(place, grain)
	if !ok {
		return ref{}, false
	}
	time.grain, time.name.Grain = grain, grain
	return time, r.checkGrain(time, place)
}

// nodeFor gives the node at the end of a path of edges, making those on the way.
func (r *resolver) nodeFor(path []int) int {
	at := 0
	for i := range path {
		here := path[:i+1]
		k := slices.IndexFunc(r.nodes, func(n node) bool { return slices.Equal(n.path, here) })
		if k < 0 {
			j := &r.model.Joins[path[i]]
			r.nodes = append(r.nodes, node{
				entity: r.entity(j.To), parent: at, join: j, path: slices.Clone(here),
				total: j.Total && r.nodes[at].total,
			})
			k = len(r.nodes) - 1
		}
		at = k
	}
	return at
}

// node is one occurrence of an entity in FROM and its joins; node 0 is the fact.
type node struct {
	entity *semantic.Entity
	parent int
	join   *semantic.Join // nil for the fact
	path   []int
	total  bool // no row of the fact is without it
}

// keyRefs gives the key of an entity, or the dimension itself. An entity without a key gives none.
func (r *resolver) keyRefs(b ref) []ref {
	if b.dim != nil {
		return []ref{b}
	}
	var keys []ref
	for _, k := range b.entity.Key {
		if dim := dimensionOf(b.entity, k); dim != nil {
			keys = append(keys, ref{node: b.node, entity: b.entity, dim: dim, name: Dim{Name: b.name.Name + "." + dim.Name}})
		}
	}
	return keys
}

// fullName is "entity.dimension", whatever way it was reached.
func (a ref) fullName() string {
	if a.dim == nil {
		return a.entity.Name
	}
	return a.entity.Name + "." + a.dim.Name
}
