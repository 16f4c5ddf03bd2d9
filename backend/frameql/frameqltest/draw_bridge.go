package frameqltest

import "assay/backend/semantic"

// bridge draws tags that the rows of another entity have many to many. Of the rows that relate the two some lead nowhere on
// one side, or on both, and some stand twice.
func (g *worldDrawing) bridge() {
	if g.elsewhere && g.chance(40) || !g.elsewhere && !g.chance(30) {
		return
	}
	near := "clients"
	switch {
	case g.w.Tables["visits"] != nil && g.chance(30):
		near = "visits"
	case g.chance(60):
		near = "orders"
	}
	tags := semantic.Entity{Name: "tags", Key: []string{"id"}, Source: semantic.Source{Table: "tags"}, Dimensions: []semantic.Dimension{
		{Name: "id", Type: semantic.Integer}, {Name: "label", Type: semantic.Text}, {Name: "weight", Type: semantic.Integer},
	}}
	t := &Table{Name: "tags", Columns: []Column{{"id", semantic.Integer}, {"label", semantic.Text}, {"weight", semantic.Integer}}}
	for i := range g.between(0, 4) {
		t.Rows = append(t.Rows, []any{Whole(int64(i + 1)), g.word(), g.small()})
	}
	g.add(tags, t)

	links := semantic.Entity{Name: "taggings", Key: []string{"nr"}, Source: semantic.Source{Table: "taggings"}, Dimensions: []semantic.Dimension{{Name: "nr", Type: semantic.Integer}}}
	refs, keys := g.references(near, "")
	tag, tagKeys := g.references("tags", "")
	links.Dimensions = append(append(links.Dimensions, refs...), tag...)
	t = &Table{Name: "taggings"}
	for _, d := range links.Dimensions {
		t.Columns = append(t.Columns, Column{d.Physical(), d.Type})
	}
	for i := range g.between(0, 16) {
		row := append([]any{Whole(int64(i + 1))}, g.reference(refs, keys)...)
		t.Rows = append(t.Rows, append(row, g.reference(tag, tagKeys)...))
		if n := len(t.Rows) - 1; n > 0 && g.chance(15) { // once more
			copy(t.Rows[n][1:], t.Rows[n-1][1:])
		}
	}
	g.add(links, t)
	g.join("taggings", near, "", pairs(refs, g.entity(near).Key)...)
	g.join("taggings", "tags", "", pairs(tag, []string{"id"})...)
	if g.chance(40) {
		g.metric(semantic.Metric{Name: "tags_count", Entity: "tags", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count})
	}
	if g.chance(40) {
		tagged := semantic.Metric{Name: "taggings_count", Entity: "taggings", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count}
		if near != "clients" {
			tagged.Time = near + ".placed"
		}
		g.metric(tagged)
	}
}

// bridged draws a quantifier across the rows of a bridge, or over these; empty: the world has none.
func (g *queryDrawing) bridged() string {
	if g.w.Model.Entity("tags") == nil {
		return ""
	}
	inner := g.of("tags.label = 'a'", "tags.label IN ('b', 'it''s')", "tags.weight > 0", "tags.weight IS NULL", "tags.label <> 'a' OR tags.weight = 1")
	switch g.facts[0] {
	case "tags":
		near := ""
		for _, j := range g.w.Model.Joins {
			if j.From == "taggings" && j.To != "tags" {
				near = j.To
			}
		}
		inner = map[string]string{"orders": "orders.amount > 1", "visits": "visits.qty >= 1", "clients": "clients.active = true"}[near]
		return g.of("ANY", "NO", "ALL") + " " + near + "(" + inner + ")"
	case "taggings":
		return g.of("ANY", "NO", "ALL") + " tags(" + inner + ")"
	}
	if g.chance(20) {
		return g.of("ANY", "NO") + " " + g.of("tags", "taggings")
	}
	if g.chance(15) && g.w.Model.Joins != nil {
		return g.of("ANY", "NO", "ALL") + " clients(" + g.of("ANY", "NO", "ALL") + " tags(" + inner + "))"
	}
	return g.of("ANY", "NO", "ALL") + " " + g.of("tags", "tags", "taggings") + "(" + inner + ")"
}
