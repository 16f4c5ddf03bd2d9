package semantic

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestLineage(t *testing.T) {
	m, err := Load(fstest.MapFS{
		"workspace.yaml": {Data: []byte("workspace: x\n")},
		"context/entities/all.yaml": {Data: []byte(`
entity: lines
parent: orders
source: {table: lines}
dimensions: [{name: id, type: integer}]
---
entity: orders
parent: Sales
source: {table: orders}
dimensions: [{name: id, type: integer}]
---
entity: sales
source: {table: sales}
dimensions: [{name: id, type: integer}]
`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{"lines": {"lines", "orders", "sales"}, "Orders": {"orders", "sales"}, "sales": {"sales"}, "nothing": nil, "": nil} {
		if got := m.Lineage(name); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if raw := string(writeEntity(m.Entity("lines"))); !strings.Contains(raw, "parent: orders\n") {
		t.Errorf("written as %s", raw)
	}
}
