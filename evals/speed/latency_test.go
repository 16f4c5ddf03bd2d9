//go:build cgo && unix

package speed

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// largeModel has 20 facts of 10 metrics and 15 dimensions each, and 20 entities of 10 dimensions that they lead to: 200
// metrics and 500 dimensions.
func largeModel(t testing.TB) *semantic.Model {
	t.Helper()
	m := &semantic.Model{Name: "large"}
	for i := range 20 {
		fact, entity := fmt.Sprintf("fact_%02d", i), fmt.Sprintf("entity_%02d", i)
		f := semantic.Entity{Name: fact, Source: semantic.Source{Table: fact}, Key: []string{"id"}, DefaultTime: "day", Dimensions: []semantic.Dimension{
			{Name: "id", Type: semantic.Integer}, {Name: "day", Type: semantic.Date}, {Name: "entity_id", Type: semantic.Integer}, {Name: "next_id", Type: semantic.Integer}, {Name: "amount", Type: semantic.Decimal, Measure: true},
		}}
		e := semantic.Entity{Name: entity, Source: semantic.Source{Table: entity}, Key: []string{"id"}, Dimensions: []semantic.Dimension{{Name: "id", Type: semantic.Integer}}}
		for k := range 10 {
			f.Dimensions = append(f.Dimensions, semantic.Dimension{Name: fmt.Sprintf("kind_%02d_%d", i, k), Type: semantic.Text})
			m.Metrics = append(m.Metrics, semantic.Metric{Name: fmt.Sprintf("metric_%02d_%d", i, k), Entity: fact, Kind: semantic.Leaf, Expr: fmt.Sprintf("amount * %d", k+1), Reducer: semantic.Sum})
		}
		for k := range 9 {
			e.Dimensions = append(e.Dimensions, semantic.Dimension{Name: fmt.Sprintf("label_%02d_%d", i, k), Type: semantic.Text})
		}
		m.Entities = append(m.Entities, f, e)
		for _, to := range []string{"entity_id", "next_id"} {
			target := entity
			if to == "next_id" {
				target = fmt.Sprintf("entity_%02d", (i+1)%20)
			}
			m.Joins = append(m.Joins, semantic.Join{From: fact, To: target, On: []semantic.ColumnPair{{From: to, To: "id"}}, Cardinality: "many_to_one", Total: true, Attested: &semantic.Attestation{Unique: true}})
		}
	}
	sealed, err := semantic.Seal(m)
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

// asked are questions of every shape over fact i.
func asked(i int) []string {
	n := (i + 1) % 20
	return []string{
		fmt.Sprintf("SELECT entity_%02d.label_%02d_1, metric_%02d_1", i, i, i),
		fmt.Sprintf("SELECT month, entity_%02d.label_%02d_2, metric_%02d_2 DURING 2025", i, i, i),
		fmt.Sprintf("SELECT entity_%02d.label_%02d_3, metric_%02d_3 DURING 2025 TOP 10 entity_%02d.label_%02d_3 BY metric_%02d_3", i, i, i, i, i, i),
		fmt.Sprintf("SELECT month, metric_%02d_4, PREV(metric_%02d_4), PCT_CHANGE(metric_%02d_4) AT month DURING 2025 COMPARE TO SAME PERIOD LAST YEAR", i, i, i),
		fmt.Sprintf("SELECT fact_%02d.kind_%02d_5, metric_%02d_5, SHARE(metric_%02d_5) WHERE entity_%02d.label_%02d_5 = 'x'", i, i, i, i, i, i),
		fmt.Sprintf("SELECT month, entity_%02d.label_%02d_6, metric_%02d_6 AS own, metric_%02d_6, CUMULATIVE(metric_%02d_7) DURING 2025 FILL ZERO TOTALS", n, n, i, n, i),
	}
}

// TestLatency prints how long a query takes from its text to SQL, over a large model.
func TestLatency(t *testing.T) {
	if os.Getenv("ASSAY_SPEED_ROWS") == "" {
		t.Skip("a measurement: set ASSAY_SPEED_ROWS")
	}
	env := frameql.Env{Model: largeModel(t), Now: time.Date(2025, 12, 31, 12, 0, 0, 0, time.UTC)}
	var took []float64
	for round := range 11 {
		for i := range 20 {
			for _, q := range asked(i) {
				begin := time.Now()
				compiled(t, question{name: q, frameQL: q}, env)
				if round > 0 {
					took = append(took, float64(time.Since(begin).Microseconds())/1000)
				}
			}
		}
	}
	slices.Sort(took)
	fmt.Printf("text to SQL over %d metrics and %d dimensions, %d queries: p50 %.2f ms, p95 %.2f ms\n", len(env.Model.Metrics), dimensions(env.Model), len(took), took[len(took)/2], took[len(took)*95/100])
}

func dimensions(m *semantic.Model) int {
	n := 0
	for _, e := range m.Entities {
		n += len(e.Dimensions)
	}
	return n
}
