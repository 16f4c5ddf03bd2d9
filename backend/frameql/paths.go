package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// graph walks the joins of a model, from many to one only.
type graph struct{ model *semantic.Model }

func (g graph) entity(name string) *semantic.Entity {
	for i := range g.model.Entities {
		if strings.EqualFold(g.model.Entities[i].Name, name) {
			return &g.model.Entities[i]
		}
	}
	return nil
}

func dimensionOf(e *semantic.Entity, name string) *semantic.Dimension {
	for i := range e.Dimensions {
		if strings.EqualFold(e.Dimensions[i].Name, name) {
			return &e.Dimensions[i]
		}
	}
	return nil
}

func (g graph) metric(name string) *semantic.Metric {
	for i := range g.model.Metrics {
		if strings.EqualFold(g.model.Metrics[i].Name, name) {
			return &g.model.Metrics[i]
		}
	}
	return nil
}

// from gives the edges that leave an entity, by index into the model's joins.
func (g graph) from(entity string) []int {
	var edges []int
	for i, j := range g.model.Joins {
		if strings.EqualFold(j.From, entity) && (j.Cardinality == "many_to_one" || j.Cardinality == "one_to_one") {
			edges = append(edges, i)
		}
	}
	return edges
}

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
			return found[:min(len(found), maxPaths)]
		}
		for e := range arrived {
			reached[e] = true
		}
		level = next
	}
	return nil
}

// plainest keeps the path without roles when exactly one of several has none: an edge with a role is only meant when
// the role is named.
func (g graph) plainest(paths [][]int) [][]int {
	if len(paths) < 2 {
		return paths
	}
	var plain [][]int
	for _, p := range paths {
		if !slices.ContainsFunc(p, func(edge int) bool { return g.model.Joins[edge].Role != "" }) {
			plain = append(plain, p)
		}
	}
	if len(plain) == 1 {
		return plain
	}
	return paths
}

// reaches says whether the one side can be looked up from the many side.
func (g graph) reaches(from, to string) bool { return len(g.shortest(from, to)) > 0 }

// finer gives an entity from whose rows both can be looked up: the many side between them. Empty: there is none.
func (g graph) finer(a, b string) string {
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
		if j.Role == "" || !strings.EqualFold(j.Role, role) {
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
