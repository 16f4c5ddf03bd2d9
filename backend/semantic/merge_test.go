package semantic

import (
	"reflect"
	"testing"
)

func TestMergeAddsWhatIsNotCovered(t *testing.T) {
	declared := loadGood(t)
	key := func(table string, distinct int64, columns ...ColumnFacts) TableFacts {
		columns[0].Distinct = distinct
		return TableFacts{Table: table, Rows: distinct, Key: []string{columns[0].Column}, Columns: columns}
	}
	integer := func(name string) ColumnFacts { return ColumnFacts{Column: name, Type: Integer, Distinct: 20} }
	f := Facts{Tables: []TableFacts{
		key("orders", 100, integer("order_id"), ColumnFacts{Column: "freight", Type: Decimal, Distinct: 90, MaxDecimals: 2}),
		key("customers", 50, ColumnFacts{Column: "customer_id", Type: Text}, ColumnFacts{Column: "spend", Type: Decimal, Distinct: 40}),
		key("returns", 30, integer("return_id"), integer("order_id"), ColumnFacts{Column: "freight", Type: Decimal, Distinct: 12, MaxDecimals: 2},
			ColumnFacts{Column: "returned_at", Type: Date, Distinct: 25}),
	}, Inclusions: []Inclusion{{"returns", "order_id", "orders", "order_id", 1, 1}}}
	m, err := Merge(declared, Infer(f, Settings{}))
	if err != nil {
		t.Fatal(err)
	}
	if m.Inferred || m.Entity("returns") == nil || !m.Entity("returns").Inferred || m.Entity("orders").Inferred {
		t.Error("a merged model is declared; only what was added is inferred")
	}
	if len(m.Entities) != 3 {
		t.Errorf("%d entities: a table that is read inside SQL is covered", len(m.Entities))
	}
	joins := m.JoinsFrom("returns")
	if len(joins) != 1 || joins[0].To != "orders" || !reflect.DeepEqual(joins[0].On, []ColumnPair{{"order_id", "order_id"}}) {
		t.Errorf("joins: %+v", joins)
	}
	if x := m.Metric("return_freight"); x == nil || x.Entity != "returns" || m.Metric("freight").Entity != "orders" {
		t.Errorf("a taken name: %+v", x)
	}
	if m.Metric("return_count") == nil || m.Metric("average_spend") != nil {
		t.Error("metrics of new entities are added, those of covered ones are not")
	}
	again, err := Merge(declared, Infer(f, Settings{}), "returns")
	if err != nil || again.Version != declared.Version {
		t.Errorf("nothing to add changes nothing: %v", err)
	}
}

func TestDiff(t *testing.T) {
	a := loadGood(t)
	if d := Diff(a, loadGood(t)); len(d) != 0 {
		t.Errorf("the same model differs: %+v", d)
	}
	b := clone(a)
	b.Metrics = b.Metrics[1:]
	b.Entity("orders").Dimensions[0].Label = "Number"
	b.Entity("orders").Label = "Purchases"
	b.Metrics[0].Pos = Pos{"elsewhere", 1}
	b.Gotchas = append(b.Gotchas, Gotcha{Name: "new", Statement: "x"})
	want := []Change{
		{"changed", "entity orders", []FieldChange{{"label", "Orders", "Purchases"}}},
		{"changed", "dimension orders.order_id", []FieldChange{{"label", "Order ID", "Number"}}},
		{Kind: "removed", Object: "metric " + a.Metrics[0].Name},
		{Kind: "added", Object: "gotcha new"},
	}
	if d := Diff(a, b); !reflect.DeepEqual(d, want) {
		t.Errorf("got %+v\nwant %+v", d, want)
	}
}
