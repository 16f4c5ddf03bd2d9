package frameql

import (
	"slices"
	"testing"

	"assay/backend/semantic"
)

// TestAttributeCalledLikeItsEntity: with the entity before it, such a name is the attribute; alone it is the entity.
func TestAttributeCalledLikeItsEntity(t *testing.T) {
	m := &semantic.Model{Name: "guild", Version: "sha256:test", Entities: []semantic.Entity{{
		Name: "trade", Source: semantic.Source{Table: "trade"}, Key: []string{"trade.trade_id"}, Display: "trade",
		Dimensions: []semantic.Dimension{{Name: "trade_id", Type: semantic.Integer}, {Name: "trade", Type: semantic.Text}},
	}}}
	for _, c := range []struct {
		query, canonical, shown string
	}{
		{"SELECT trade.trade", "SELECT trade.trade", "trade.trade"},
		{"SELECT trade.trade AT trade", "SELECT trade.trade AT trade", "trade.trade"},
		{"SELECT trade", "SELECT trade", ""},
	} {
		q, err := Parse(c.query)
		if err != nil {
			t.Fatal(err)
		}
		plan, refusals := Resolve(q, Env{Model: m})
		if len(refusals) > 0 {
			t.Errorf("%s: %v", c.query, refusals)
			continue
		}
		if got := plan.Query.String(); got != c.canonical {
			t.Errorf("%s: reads back as %s, want %s", c.query, got, c.canonical)
		}
		if c.shown != "" && !slices.Contains(plan.Dimensions, c.shown) {
			t.Errorf("%s: uses %v, want %s", c.query, plan.Dimensions, c.shown)
		}
	}
}
