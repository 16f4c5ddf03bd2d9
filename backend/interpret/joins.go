package interpret

import "assay/backend/semantic"

// joinGraph knows how many joins lie between two entities in the direction from many to one.
type joinGraph struct {
	steps map[string]map[string]int // from -> to -> joins
}

func newJoinGraph(m *semantic.Model) *joinGraph {
	next := map[string][]string{}
	for _, j := range m.Joins {
		if !j.ToOne() {
			continue
		}
		next[j.From] = append(next[j.From], j.To)
		if j.Cardinality == "one_to_one" {
			next[j.To] = append(next[j.To], j.From)
		}
	}
	g := &joinGraph{steps: map[string]map[string]int{}}
	for _, e := range m.Entities {
		dist := map[string]int{e.Name: 0}
		for queue := []string{e.Name}; len(queue) > 0; queue = queue[1:] {
			for _, to := range next[queue[0]] {
				if _, seen := dist[to]; !seen {
					dist[to] = dist[queue[0]] + 1
					queue = append(queue, to)
				}
			}
		}
		g.steps[e.Name] = dist
	}
	return g
}

// distance gives the joins from one entity to another; ok is false when it cannot be reached without multiplying rows.
func (g *joinGraph) distance(from, to string) (int, bool) {
	d, ok := g.steps[from][to]
	return d, ok
}

// reaches says whether one row of an entity has at most one row of every other one.
func (g *joinGraph) reaches(from string, to ...string) bool {
	for _, t := range to {
		if _, ok := g.steps[from][t]; !ok {
			return false
		}
	}
	return true
}
