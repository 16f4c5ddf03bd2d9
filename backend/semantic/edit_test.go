package semantic

import (
	"strings"
	"testing"
)

const orders = `# Everything that was ordered.
entity: orders
label: Orders            # as people call it
description: >
  One order,
  with its lines elsewhere
synonyms: [purchases]
source: {table: Orders}
key: [order_id]

# How it is cut.
dimensions:
  # The number.
  - {name: order_id, type: integer, column: OrderID, label: "Order: number"}
  - name: order_date
    type: date
    column: OrderDate
  - {name: freight, type: decimal, unit: USD}
`

// TestEdit changes fields at a line: everything else stays as it is written, and what comes out is what was meant.
func TestEdit(t *testing.T) {
	for _, c := range []struct {
		name string
		line int
		sets []Set
		want map[string]string // lines that change: before -> after; "" before: a new one behind the named line
		has  []string
		not  []string
	}{
		{"a text", 2, []Set{{Key: "label", Text: "All: orders"}}, nil, []string{`label: "All: orders"`, "# How it is cut.", "# The number.", "# Everything that was ordered."}, []string{"label: Orders"}},
		{"a text over several lines", 2, []Set{{Key: "description", Text: "Short"}}, nil, []string{"description: Short\nsynonyms"}, []string{"lines elsewhere"}},
		{"a list", 2, []Set{{Key: "synonyms", Many: true, List: []string{"sales", "a, b"}}}, nil, []string{"sales", `"a, b"`}, []string{"purchases"}},
		{"a field goes", 2, []Set{{Key: "synonyms", Many: true}}, nil, []string{"source: {table: Orders}"}, []string{"synonyms"}},
		{"a field comes", 2, []Set{{Key: "domain", Text: "sales"}}, nil, []string{"entity: orders\ndomain: sales\n"}, nil},
		{"of a dimension on one line", 14, []Set{{Key: "unit", Text: "EUR"}, {Key: "label", Text: ""}}, nil, []string{"- {name: order_id, type: integer, column: OrderID, unit: EUR}"}, []string{"Order: number"}},
		{"of a dimension on several", 15, []Set{{Key: "description", Text: "The day"}}, nil, []string{"  - name: order_date\n    description: The day\n    type: date"}, nil},
		{"of the last one", 18, []Set{{Key: "label", Text: "Freight"}}, nil, []string{"- {name: freight, type: decimal, unit: USD, label: Freight}"}, nil},
	} {
		got, err := Edit([]byte(orders), c.line, c.sets)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, want := range c.has {
			if !strings.Contains(string(got), want) {
				t.Errorf("%s: %q is not in\n%s", c.name, want, got)
			}
		}
		for _, no := range c.not {
			if strings.Contains(string(got), no) {
				t.Errorf("%s: %q is still in\n%s", c.name, no, got)
			}
		}
		r, m := newReading(), &Model{}
		for i, body := range r.documents("x", got) {
			r.entity(m, "x", body, i)
		}
		if len(r.problems) > 0 || len(m.Entities) != 1 || len(m.Entities[0].Dimensions) != 3 {
			t.Errorf("%s: it no longer reads: %v\n%s", c.name, r.problems, got)
		}
	}
	for _, line := range []int{1, 3, 99} {
		if _, err := Edit([]byte(orders), line, []Set{{Key: "label", Text: "x"}}); err == nil {
			t.Errorf("an object at line %d was edited", line)
		}
	}
	if _, err := Edit([]byte("a: [b"), 1, nil); err == nil {
		t.Error("a file that is no YAML was edited")
	}
}
