package frameqltest

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"assay/backend/semantic"
)

// DrawWorld draws a small model with tables: one to three facts over shared dimensions, each a star, a snowflake of up to
// three joins, or a chasm; with roles, composite keys, missing and orphaned foreign keys, missing attributes, empty tables,
// negative and zero amounts, and days around the ends of weeks, months, years and February.
func DrawWorld(t *rapid.T) *World {
	return (&worldDrawing{drawing: drawing{t}, w: &World{Tables: map[string]*Table{}}}).draw()
}

// DrawElsewhere draws a world as DrawWorld does, in some time zone, with moments for days, and mostly with a relation of many
// to many.
func DrawElsewhere(t *rapid.T) *World {
	return (&worldDrawing{drawing: drawing{t}, w: &World{Tables: map[string]*Table{}}, elsewhere: true}).draw()
}

func (g *worldDrawing) draw() *World {
	t := g.t
	g.w.Now = rapid.SampledFrom([]time.Time{
		date(2024, 3, 15).Add(13 * time.Hour), date(2024, 2, 29), date(2024, 3, 1), date(2023, 12, 31).Add(23 * time.Hour), date(2024, 1, 1),
	}).Draw(t, "now")
	g.old = g.chance(8)
	g.model = &semantic.Model{Name: "drawn", Workspace: semantic.Settings{WeekStart: g.of("monday", "monday", "sunday")}}
	g.zone()
	days := g.calendar()
	g.dimensions()
	g.facts()
	g.bridge()
	g.attest()
	sealed, err := semantic.Seal(g.model)
	if err != nil {
		t.Fatalf("the drawn model is not sound: %v", err)
	}
	g.w.Model = sealed
	if len(days) > 0 {
		c := &g.model.Calendars[0]
		buckets, err := semantic.TableBuckets(c, days)
		if err != nil {
			t.Fatalf("the drawn calendar is not sound: %v", err)
		}
		g.w.Model = semantic.WithBuckets(sealed, c.Name, buckets)
	}
	return g.w
}

// drawing draws the small choices.
type drawing struct{ t *rapid.T }

func (d drawing) between(low, high int) int { return rapid.IntRange(low, high).Draw(d.t, "n") }

// chance is true in so many of a hundred cases. It shrinks toward false.
func (d drawing) chance(percent int) bool {
	return rapid.IntRange(0, 99).Draw(d.t, "chance") >= 100-percent
}

func (d drawing) of(all ...string) string { return rapid.SampledFrom(all).Draw(d.t, "of") }

type worldDrawing struct {
	drawing
	w     *World
	model *semantic.Model
	old   bool // days before 1970
	dims  []string

	place   *time.Location // where the workspace lies; nil: it says nothing of zones
	ancient bool           // some days lie centuries away

	elsewhere bool // there is a zone, and mostly a bridge
}

func (g *worldDrawing) add(e semantic.Entity, t *Table) {
	g.model.Entities = append(g.model.Entities, e)
	g.w.Tables[t.Name] = t
}

func (g *worldDrawing) join(from, to, role string, on ...semantic.ColumnPair) {
	g.model.Joins = append(g.model.Joins, semantic.Join{From: from, To: to, Role: role, On: on, Cardinality: "many_to_one"})
}

// dimensions draws what facts share: clients in places in lands, and goods in kinds.
func (g *worldDrawing) dimensions() {
	hops := g.between(1, 3)
	if hops == 3 {
		g.dimension("lands", false, "")
	}
	if hops >= 2 {
		up := ""
		if hops == 3 {
			up = "lands"
		}
		g.dimension("places", g.chance(20), up)
	}
	up := ""
	if hops >= 2 {
		up = "places"
	}
	g.dimension("clients", g.chance(20), up)
	g.dims = append(g.dims, "clients")
	if g.chance(60) {
		g.dimension("goods", g.chance(30), "")
		g.dims = append(g.dims, "goods")
	}
}

// dimension draws an entity with a key of one or two columns, attributes and perhaps a reference to a coarser one.
func (g *worldDrawing) dimension(name string, composite bool, up string) {
	e := semantic.Entity{Name: name, Key: []string{"id"}}
	table := name
	if g.chance(30) {
		table = g.of("T \"x\" ", "Dim ", "ДИМ_", "order ") + name
	}
	e.Source.Table = table
	keyType := semantic.Integer
	if g.chance(30) {
		keyType = semantic.Text
	}
	t := &Table{Name: table}
	column := func(d semantic.Dimension) int {
		e.Dimensions = append(e.Dimensions, d)
		t.Columns = append(t.Columns, Column{Name: d.Physical(), Type: d.Type})
		return len(t.Columns) - 1
	}
	column(semantic.Dimension{Name: "id", Type: keyType})
	if composite {
		e.Key = append(e.Key, "part")
		column(semantic.Dimension{Name: "part", Type: semantic.Text})
	}
	column(semantic.Dimension{Name: "title", Type: semantic.Text, Column: g.of("title", "Title", "tit\"le", "select")})
	column(semantic.Dimension{Name: "size", Type: semantic.Integer})
	column(semantic.Dimension{Name: "active", Type: semantic.Boolean})
	rows := g.between(0, 6)
	if g.chance(95) {
		rows = max(rows, 2)
	}
	var refs []semantic.Dimension
	var parents [][]any
	if up != "" {
		refs, parents = g.references(up, "")
		for _, d := range refs {
			column(d)
		}
		g.join(name, up, "", pairs(refs, g.entity(up).Key)...)
	}
	for i := range rows {
		row := []any{g.key(keyType, i)}
		if composite {
			row[0] = g.key(keyType, i/2)
			row = append(row, []string{"p", "q"}[i%2])
		}
		row = append(row, g.word(), g.small(), g.flag())
		row = append(row, g.reference(refs, parents)...)
		t.Rows = append(t.Rows, row)
	}
	if g.chance(25) {
		e.Dimensions = append(e.Dimensions, semantic.Dimension{Name: "kind", Type: semantic.Text, DerivedFrom: "title", Map: map[string]string{"a": "vowel", "A": "vowel", "b": "other"}, Default: g.of("", "rest")})
	}
	if g.chance(25) {
		e.Dimensions = append(e.Dimensions, semantic.Dimension{Name: "band", Type: semantic.Text, Expr: "CASE WHEN size >= 2 THEN 'big' WHEN size IS NULL THEN 'none' ELSE 'small' END"})
	}
	g.hierarchies(&e, t, refs)
	g.add(e, t)
}

func (g *worldDrawing) entity(name string) *semantic.Entity {
	for i := range g.model.Entities {
		if g.model.Entities[i].Name == name {
			return &g.model.Entities[i]
		}
	}
	panic("no entity " + name)
}

// references gives the columns that refer to an entity, and the keys that are there.
func (g *worldDrawing) references(to, prefix string) ([]semantic.Dimension, [][]any) {
	e := g.entity(to)
	var refs []semantic.Dimension
	for _, k := range e.Key {
		refs = append(refs, semantic.Dimension{Name: prefix + strings.TrimSuffix(to, "s") + "_" + k, Type: e.Dimension(k).Type})
	}
	var keys [][]any
	for _, row := range g.w.Tables[e.Source.Table].Rows {
		keys = append(keys, row[:len(e.Key)])
	}
	return refs, keys
}

func pairs(refs []semantic.Dimension, keys []string) []semantic.ColumnPair {
	var on []semantic.ColumnPair
	for i, r := range refs {
		on = append(on, semantic.ColumnPair{From: r.Name, To: keys[i]})
	}
	return on
}

// reference draws the columns of one foreign key: mostly a key that is there, else missing or without a partner.
func (g *worldDrawing) reference(refs []semantic.Dimension, keys [][]any) []any {
	if len(refs) == 0 {
		return nil
	}
	n := g.between(0, 99)
	if len(keys) > 0 && n < 84 {
		return keys[n%len(keys)]
	}
	row := make([]any, len(refs))
	for i, r := range refs {
		switch {
		case n < 92: // missing, of composite keys perhaps in part
			if i == 0 && len(refs) > 1 && n%2 == 0 {
				row[i] = g.key(r.Type, 0)
			}
		default:
			row[i] = g.key(r.Type, 90)
		}
	}
	return row
}

func (g *worldDrawing) key(t semantic.Type, i int) any {
	if t == semantic.Text {
		return fmt.Sprintf("k%d", i)
	}
	return Whole(int64(i + 1))
}

func (g *worldDrawing) word() any {
	words := []any{"a", "b", "A", "a", "it's", "Straße", "", "ä", "x\"y", "100%", "東", nil, `b\c`}
	return rapid.SampledFrom(words).Draw(g.t, "word")
}

func (g *worldDrawing) small() any {
	return rapid.SampledFrom([]any{Whole(1), Whole(2), Whole(3), Whole(0), Whole(-1), nil}).Draw(g.t, "small")
}

func (g *worldDrawing) flag() any {
	return rapid.SampledFrom([]any{true, false, nil}).Draw(g.t, "flag")
}

func (g *worldDrawing) money() any {
	if g.chance(8) {
		return nil
	}
	cents := rapid.SampledFrom([]int{100, 250, 1000, 0, -500, 1, 99, 333, 12345, 7}).Draw(g.t, "cents")
	return arith("*", Whole(int64(cents)), Digits("0.01"))
}

// quarter is a floating number without rounding, so that sums do not depend on their order.
func (g *worldDrawing) quarterly() any {
	if g.chance(10) {
		return nil
	}
	return Float(float64(g.between(-8, 40)) / 4)
}

func (g *worldDrawing) day() any {
	if g.chance(4) {
		return nil
	}
	if g.old {
		return date(1969, 12, 20).AddDate(0, 0, g.between(0, 25))
	}
	if g.ancient && g.chance(30) {
		return []time.Time{date(1883, 11, 17), date(1918, 3, 31), date(1945, 5, 23), date(2050, 3, 12), date(2100, 2, 28)}[g.between(0, 4)].AddDate(0, 0, g.between(0, 2))
	}
	days := []time.Time{
		date(2023, 12, 28), date(2024, 2, 27), date(2024, 3, 10), date(2023, 2, 26), date(2023, 3, 29), date(2023, 9, 28), date(2024, 1, 30), date(2023, 6, 10), date(2022, 12, 30),
	}
	return rapid.SampledFrom(days).Draw(g.t, "around").AddDate(0, 0, g.between(0, 6))
}
