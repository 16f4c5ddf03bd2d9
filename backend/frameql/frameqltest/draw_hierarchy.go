package frameqltest

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"assay/backend/semantic"
)

// hierarchies draws what a dimension declares of itself: spots lie in zones, and zones in belts; a yard belongs to one
// reference. Mostly that is true. Steps are measured, or, where they hold, only declared.
func (g *worldDrawing) hierarchies(e *semantic.Entity, t *Table, refs []semantic.Dimension) {
	if !g.chance(35) {
		return
	}
	column := func(name string, cell func(row []any) any) {
		e.Dimensions = append(e.Dimensions, semantic.Dimension{Name: name, Type: semantic.Text})
		t.Columns = append(t.Columns, Column{Name: name, Type: semantic.Text})
		for i := range t.Rows {
			t.Rows[i] = append(slices.Clip(t.Rows[i]), cell(t.Rows[i]))
		}
	}
	image := func(values ...any) func(any) any { // each value has one
		of := map[string]any{}
		return func(x any) any {
			id := identity(x)
			if _, known := of[id]; !known {
				of[id] = rapid.SampledFrom(values).Draw(g.t, "image")
				if x == nil && g.chance(70) {
					of[id] = nil
				}
			}
			return of[id]
		}
	}
	path := []string{"spot", "zone"}
	zones, belts := image("north", "south", "NORTH", nil), image("dry", "wet", nil)
	column("spot", func([]any) any {
		return rapid.SampledFrom([]any{"s", "t", "u", "S", "s", "t", nil}).Draw(g.t, "spot")
	})
	column("zone", func(row []any) any { return zones(row[len(row)-1]) })
	at := len(t.Columns) - 1
	if len(t.Rows) > 1 && g.chance(20) { // not true
		t.Rows[g.between(0, len(t.Rows)-1)][at] = "nowhere"
	}
	if g.chance(50) {
		path = append(path, "belt")
		column("belt", func(row []any) any { return belts(row[len(row)-1]) })
	}
	e.Hierarchies = []semantic.Hierarchy{{Name: "ground", Path: path}}
	if len(refs) == 1 && g.chance(50) {
		from := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == refs[0].Physical() })
		column("yard", func(row []any) any {
			if row[from] == nil {
				return nil
			}
			return fmt.Sprint("yard ", identity(row[from]))
		})
		e.Hierarchies = append(e.Hierarchies, semantic.Hierarchy{Name: "grounds", Path: []string{"yard", refs[0].Name}})
	}
	own := &World{Tables: map[string]*Table{t.Name: t}}
	for i := range e.Hierarchies {
		h := &e.Hierarchies[i]
		for n := range len(h.Path) - 1 {
			d := own.Step(e, h.Path[n], h.Path[n+1])
			if d.Holds() && d.Bare == nil && g.chance(20) {
				d = nil
			}
			h.Steps = append(h.Steps, d)
		}
	}
}

// climb adds a column that a dimension of the grain determines by a hierarchy.
func (g *queryDrawing) climb(items *[]string, at *bool) {
	for _, d := range g.grain {
		zone := strings.TrimSuffix(d, "spot") + "zone"
		if strings.HasSuffix(d, ".spot") && g.chance(60) && !slices.Contains(g.grain, zone) {
			*items, *at = append([]string{zone}, *items...), true
			return
		}
	}
}

// DrawClimb draws a query that stands or falls with a hierarchy: columns that a grain determines, numbers at a coarser and at
// a finer grain, totals, ranks and members within what is determined. Empty when the world has no hierarchy that its facts
// reach.
func DrawClimb(t *rapid.T, w *World) string {
	g := &queryDrawing{drawing: drawing{t}, w: w}
	g.chooseFacts()
	var spots []string
	for _, d := range g.dims {
		if strings.HasSuffix(d, ".spot") {
			spots = append(spots, d)
		}
	}
	if len(spots) == 0 {
		return ""
	}
	spot := g.of(spots...)
	way := strings.TrimSuffix(spot, "spot")
	has := func(name string) bool { return slices.Contains(g.dims, way+name) }
	zone := way + "zone"
	if has("belt") && g.chance(30) {
		zone = way + "belt"
	}
	if has("yard") && g.chance(30) {
		spot = way + "yard"
		up, _ := g.w.reach(g.w.Model.Entity(g.facts[0]), strings.TrimSuffix(way, "."))
		for _, j := range g.w.Model.Joins {
			if j.From == up.entity.Name && way == j.From+"." {
				zone = j.To + g.of(".title", ".size", ".id")
			}
		}
	}
	m, n := g.metric(false), g.metric(false)
	reducer := g.of("AVG", "SUM", "MAX", "COUNT", "MEDIAN")
	unit := g.of("month", "quarter", "day")
	where := ""
	if g.chance(35) {
		where = " WHERE " + g.condition(0)
	}
	switch g.between(0, 13) {
	case 0:
		return fmt.Sprintf("SELECT %s, %s, %s AT %s%s", spot, zone, m, spot, where)
	case 1:
		return fmt.Sprintf("SELECT %s, (%s AT %s) AS coarse, %s AS own%s", spot, m, zone, n, where)
	case 2:
		return fmt.Sprintf("SELECT %s, %s(%s AT %s) AS fine%s", zone, reducer, m, spot, where)
	case 3:
		return fmt.Sprintf("SELECT %s, (%s AT %s)", zone, m, spot)
	case 4:
		return fmt.Sprintf("SELECT %s, %s, SHARE(%s, AT %s) AS part, RANK(%s, AT %s) AS place AT %s%s", spot, zone, m, zone, m, zone, spot, where)
	case 5:
		return fmt.Sprintf("SELECT %s, %s, %s AS own AT %s%s TOTALS BY %s, ()", zone, spot, m, spot, where, zone)
	case 6:
		return fmt.Sprintf("SELECT %s, %s AS own AT %s%s TOP %d %s BY own PER %s%s", spot, m, spot, where, g.between(1, 2), spot, zone, g.of("", " WITH OTHER"))
	case 7:
		if unit == "day" { // which has no day of its own a year before, in February
			unit = "month"
		}
		return fmt.Sprintf("SELECT %s, %s, %s, %s AS own AT (%s, %s)%s%s", spot, unit, zone, m, spot, unit, where, g.of("", " FILL ZERO", " COMPARE TO PREVIOUS YEAR"))
	case 8:
		return fmt.Sprintf("SELECT %s, %s AT %s FROM %s", spot, zone, spot, g.facts[0])
	case 9:
		return fmt.Sprintf("SELECT %s, %s, %s AS own AT (%s, %s)%s", spot, zone, m, spot, g.of(g.things...), where)
	case 10:
		return fmt.Sprintf("SELECT %s, %s AS own AT %s%s HAVING %s IS NOT NULL ORDER BY %s DESC", spot, m, spot, where, zone, zone)
	case 11:
		return fmt.Sprintf("SELECT %s, %s, %s AS own, (%s AT %s) AS coarse AT %s%s TOP 1 %s BY own WITH OTHER", spot, zone, m, n, zone, spot, where, spot)
	case 12:
		return fmt.Sprintf("SELECT %s, %s, (%s AT %s) AS same, (%s AT %s) AS coarse AT (%s, %s)%s TOTALS BY %s", spot, zone, n, spot, n, zone, spot, zone, where, zone)
	}
	return fmt.Sprintf("SELECT %s, %s, %s, CUMULATIVE(%s) AS so_far AT (%s, %s)%s", spot, unit, zone, g.metric(true), spot, unit, where)
}
