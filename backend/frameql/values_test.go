package frameql

import (
	"slices"
	"testing"
)

// TestEachValue visits every value of every clause that can have one, and lets it be changed.
func TestEachValue(t *testing.T) {
	q, err := Parse("WITH a = revenue FILTER (WHERE orders.country = 'one') SELECT orders.city, a AT orders.city WHERE NOT orders.country = 'four' AND (orders.city LIKE 'five%' OR lines.code BETWEEN 6 AND 7 OR orders.city IN ('two', 'three')) HAVING revenue > 8")
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	q.EachValue(func(dimension string, v *Value) {
		seen = append(seen, dimension+"="+v.Text)
		v.Text = "changed"
		v.Kind = String
	})
	slices.Sort(seen)
	if want := []string{"=8", "lines.code=6", "lines.code=7", "orders.city=five%", "orders.city=three", "orders.city=two", "orders.country=four", "orders.country=one"}; !slices.Equal(seen, want) {
		t.Errorf("%q", seen)
	}
	q.EachValue(func(dimension string, v *Value) {
		if v.Text != "changed" {
			t.Errorf("%s was not changed", dimension)
		}
	})
}
