package frameql_test

import (
	"fmt"
	"testing"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// large is a model of 200 metrics and 500 dimensions: ten facts, each with its own columns and the same forty lookups.
func large() *semantic.Model {
	m := &semantic.Model{}
	for l := range 40 {
		e := semantic.Entity{Name: fmt.Sprintf("lookup_%d", l), Key: []string{"id"}, Dimensions: []semantic.Dimension{{Name: "id", Type: semantic.Integer}}}
		for d := range 9 {
			e.Dimensions = append(e.Dimensions, semantic.Dimension{Name: fmt.Sprintf("attribute_%d_%d", l, d), Type: semantic.Text})
		}
		m.Entities = append(m.Entities, e)
	}
	for f := range 10 {
		e := semantic.Entity{Name: fmt.Sprintf("fact_%d", f), Key: []string{"id"}, DefaultTime: "day", Dimensions: []semantic.Dimension{
			{Name: "id", Type: semantic.Integer}, {Name: "day", Type: semantic.Date}, {Name: "amount", Type: semantic.Decimal, Measure: true}, {Name: "lookup_id", Type: semantic.Integer},
		}}
		for d := range 6 {
			e.Dimensions = append(e.Dimensions, semantic.Dimension{Name: fmt.Sprintf("flag_%d_%d", f, d), Type: semantic.Text})
		}
		m.Entities = append(m.Entities, e)
		for l := range 40 {
			m.Joins = append(m.Joins, semantic.Join{
				From: e.Name, To: fmt.Sprintf("lookup_%d", l), Cardinality: "many_to_one", On: []semantic.ColumnPair{{From: "lookup_id", To: "id"}},
			})
		}
		for i := range 20 {
			m.Metrics = append(m.Metrics, semantic.Metric{
				Name: fmt.Sprintf("metric_%d_%d", f, i), Entity: e.Name, Kind: semantic.Leaf, Expr: "amount", Filter: fmt.Sprintf("flag_%d_1 = 'x%d'", f, i), Reducer: semantic.Sum,
			})
		}
	}
	return m
}

// BenchmarkResolve binds a query of three facts over a large model.
func BenchmarkResolve(b *testing.B) {
	q, err := Parse(`SELECT month, attribute_7_3, metric_1_2, metric_3_4 / metric_5_6 AS r, SHARE(metric_1_2), CUMULATIVE(metric_1_2)
		WHERE attribute_9_1 IN ('a', 'b') AND attribute_0_0 <> 'c' DURING 2025 COMPARE TO PREVIOUS PERIOD TOP 5 attribute_7_3 BY metric_1_2 WITH OTHER TOTALS`)
	if err != nil {
		b.Fatal(err)
	}
	e := env()
	e.Model = large()
	b.ResetTimer()
	for range b.N {
		if plan, refusals := Resolve(q, e); plan == nil {
			b.Fatal(refusals)
		}
	}
}
