package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// joinGraph knows how many joins lie between two entities in the direction in which they are followed: from many to one, and
// from the one that points at the other where both have one of each.
type joinGraph struct {
	steps   map[string]map[string]int             // from -> to -> joins
	direct  map[[2]string][][]semantic.ColumnPair // from, to -> the columns of each join between them
	relates map[[2]string][]string                // two entities -> those whose rows say nothing but which of them belong together
}

func newJoinGraph(m *semantic.Model) *joinGraph {
	next := map[string][]string{}
	g := &joinGraph{steps: map[string]map[string]int{}, direct: map[[2]string][][]semantic.ColumnPair{}, relates: relatingTables(m)}
	for _, j := range m.Joins {
		if !j.ToOne() {
			continue
		}
		next[j.From] = append(next[j.From], j.To)
		between := [2]string{j.From, j.To}
		g.direct[between] = append(g.direct[between], j.On)
	}
	for _, e := range m.Entities {
		dist, ways := map[string]int{e.Name: 0}, map[string][]string{e.Name: {e.Name}}
		for queue := []string{e.Name}; len(queue) > 0; queue = queue[1:] {
			for _, to := range next[queue[0]] {
				way := append(slices.Clone(ways[queue[0]]), to)
				if _, seen := dist[to]; !seen && !g.detours(way) {
					dist[to], ways[to] = len(way)-1, way
					queue = append(queue, to)
				}
			}
		}
		g.steps[e.Name] = dist
	}
	return g
}

// detours says whether a way leads round a table that relates its end directly to something on it: the topic of a paper is the one that
// paper topics say, and not that of the magazine which printed the paper.
func (g *joinGraph) detours(way []string) bool {
	end := len(way) - 1
	for i := range max(0, end-1) {
		by := g.relates[[2]string{way[i], way[end]}]
		if len(by) > 0 && !slices.ContainsFunc(by, func(e string) bool { return slices.Contains(way, e) }) {
			return true
		}
	}
	return false
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

// related gives the joins between two entities of which one leads to the other, or which the rows of a third one relate;
// ok is false when there are none.
func (g *joinGraph) related(a, b string) (joins int, ok bool) {
	for _, dist := range g.steps {
		toA, reachesA := dist[a]
		toB, reachesB := dist[b]
		if reachesA && reachesB && (!ok || toA+toB < joins) {
			joins, ok = toA+toB, true
		}
	}
	return joins, ok
}

// spanning gives the entity whose rows have at most one of every given one: one of them, else the only nearest one.
func (ix *Index) spanning(of []*semantic.Entity) *semantic.Entity {
	var best *semantic.Entity
	least, tie := 0, false
	for i := range ix.model.Entities {
		e := &ix.model.Entities[i]
		total, all := 0, true
		for _, o := range of {
			n, ok := ix.paths.distance(e.Name, o.Name)
			total, all = total+n, all && ok
		}
		switch {
		case !all:
		case best == nil || total < least:
			best, least, tie = e, total, false
		case total == least && !slices.Contains(of, best):
			tie = true
		}
	}
	if tie {
		return nil
	}
	return best
}

// pointsAt says whether a dimension is the foreign key of another one: both hold the same values.
func (ix *Index) pointsAt(from, to target) bool {
	if from.dim == nil || to.dim == nil || from.entity == to.entity {
		return false
	}
	is := func(d *semantic.Dimension, column string) bool {
		return d.Name == column || d.Column != "" && d.Column == column
	}
	return slices.ContainsFunc(ix.paths.direct[[2]string{from.entity.Name, to.entity.Name}], func(on []semantic.ColumnPair) bool {
		return slices.ContainsFunc(on, func(p semantic.ColumnPair) bool { return is(from.dim, p.From) && is(to.dim, p.To) })
	})
}
