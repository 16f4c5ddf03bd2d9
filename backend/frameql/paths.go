package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// graph walks the joins of a model, from many to one only. It remembers what it found; it belongs to the
// resolvings of one query and its repairs.
type graph struct {
	model   *semantic.Model
	edges   map[string][]int      // entity in lower case -> the joins that leave it
	known   map[[2]string][][]int // from, to -> shortest paths
	metrics map[string]*semantic.Metric
	things  map[string]*semantic.Entity
}

func newGraph(m *semantic.Model) graph {
	g := graph{
		model: m, edges: map[string][]int{}, known: map[[2]string][][]int{},
		metrics: make(map[string]*semantic.Metric, len(m.Metrics)), things: make(map[string]*semantic.Entity, len(m.Entities)),
	}
	for i, j := range m.Joins {
		if j.Cardinality == "many_to_one" || j.Cardinality == "one_to_one" || j.Cardinality == "" {
			from := strings.ToLower(j.From)
			g.edges[from] = append(g.edges[from], i)
		}
	}
	for i := len(m.Metrics) - 1; i >= 0; i-- {
		g.metrics[strings.ToLower(m.Metrics[i].Name)] = &m.Metrics[i]
	}
	for i := len(m.Entities) - 1; i >= 0; i-- {
		g.things[strings.ToLower(m.Entities[i].Name)] = &m.Entities[i]
	}
	return g
}

func (g graph) entity(name string) *semantic.Entity { return g.things[strings.ToLower(name)] }

func (g graph) metric(name string) *semantic.Metric { return g.metrics[strings.ToLower(name)] }

func dimensionOf(e *semantic.Entity, name string) *semantic.Dimension {
	for i := range e.Dimensions {
		if strings.EqualFold(e.Dimensions[i].Name, name) {
			return &e.Dimensions[i]
		}
	}
	return nil
}

// from gives the edges that leave an entity, by index into the model's joins.
func (g graph) from(entity string) []int { return g.edges[strings.ToLower(entity)] }

// maxHops bounds a join path; maxPaths the number of equally short ones that are told apart.
const (
	maxHops  = 8
	maxPaths = 6
)

// shortest gives every shortest path between two entities as edges; one empty path from an entity to itself.
func (g graph) shortest(from, to string) [][]int {
	if strings.EqualFold(from, to) {
		return [][]int{{}}
	}
	key := [2]string{strings.ToLower(from), strings.ToLower(to)}
	paths, ok := g.known[key]
	if !ok {
		paths = g.search(from, to)
		g.known[key] = paths
	}
	return paths
}

func (g graph) search(from, to string) [][]int {
	level := [][]int{{}}
	reached := map[string]bool{strings.ToLower(from): true}
	for range maxHops {
		var next, found [][]int
		arrived := map[string]bool{}
		for _, path := range level {
			at := from
			if len(path) > 0 {
				at = g.model.Joins[path[len(path)-1]].To
			}
			for _, edge := range g.from(at) {
				target := strings.ToLower(g.model.Joins[edge].To)
				if reached[target] {
					continue
				}
				longer := append(slices.Clone(path), edge)
				if strings.EqualFold(target, to) {
					found = append(found, longer)
				} else if len(next) < 500 {
					arrived[target] = true
					next = append(next, longer)
				}
			}
		}
		if len(found) > 0 {
			return g.surest(found[:min(len(found), maxPaths)])
		}
		for e := range arrived {
			reached[e] = true
		}
		level = next
	}
	return nil
}

// surest keeps, of equally short paths, those that are known best: measured before declared before inferred. Paths with
// roles are never told apart so, for a role is a meaning.
func (g graph) surest(paths [][]int) [][]int {
	best, kept := 9, [][]int(nil)
	for _, p := range paths {
		worst := 0
		for _, edge := range p {
			j := &g.model.Joins[edge]
			if j.Role != "" {
				return paths
			}
			worst = max(worst, doubt(j))
		}
		switch {
		case worst < best:
			best, kept = worst, [][]int{p}
		case worst == best:
			kept = append(kept, p)
		}
	}
	return kept
}

// doubt orders joins by how well they are known.
func doubt(j *semantic.Join) int {
	switch {
	case j.Attested != nil && !j.Attested.Unique:
		return 3
	case j.Attested != nil:
		return 0
	case !j.Inferred:
		return 1
	}
	return 2
}

// plainest keeps the path without roles when exactly one of several has none: an edge with a role is only meant when
// the role is named.
func (g graph) plainest(paths [][]int) [][]int {
	var plain [][]int
	for _, p := range paths {
		if !slices.ContainsFunc(p, func(edge int) bool { return g.model.Joins[edge].Role != "" }) {
			plain = append(plain, p)
		}
	}
	if plain = g.surest(plain); len(plain) == 1 {
		return plain
	}
	return paths
}

// reaches says whether the one side can be looked up from the many side.
func (g graph) reaches(from, to string) bool { return len(g.shortest(from, to)) > 0 }

// finer gives an entity from whose rows both can be looked up: the many side between them. Empty: there is none, as where the
// one leads to the other, though not in the role that was named.
func (g graph) finer(a, b string) string {
	if g.reaches(a, b) {
		return ""
	}
	if g.reaches(b, a) {
		return b
	}
	for i := range g.model.Entities {
		if e := g.model.Entities[i].Name; g.reaches(e, a) && g.reaches(e, b) {
			return e
		}
	}
	return ""
}

// viaRole gives the shortest paths from an entity that end with an edge of the role.
func (g graph) viaRole(from, role string) [][]int {
	var best [][]int
	for i, j := range g.model.Joins {
		if !strings.EqualFold(j.Role, role) {
			continue
		}
		for _, p := range g.plainest(g.shortest(from, j.From)) {
			path := append(slices.Clone(p), i)
			switch {
			case len(best) == 0 || len(path) < len(best[0]):
				best = [][]int{path}
			case len(path) == len(best[0]):
				best = append(best, path)
			}
		}
	}
	return best
}

// ways gives the shortest paths from an entity along waypoints.
func (g graph) ways(from string, way []waypoint, to *semantic.Entity) [][]int {
	paths := [][]int{{}}
	at := from
	for i, w := range way {
		var steps [][]int
		if w.role {
			for _, p := range g.viaRole(at, w.name) {
				if i < len(way)-1 || strings.EqualFold(g.model.Joins[p[len(p)-1]].To, to.Name) {
					steps = append(steps, p)
				}
			}
		} else {
			steps = g.plainest(g.shortest(at, w.name))
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
			at = g.model.Joins[steps[0][len(steps[0])-1]].To
		}
	}
	return paths
}
