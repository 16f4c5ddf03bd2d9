package analyst

import (
	"testing"

	"assay/backend/frameql"
)

func TestServedFromNamesFramesAndColumns(t *testing.T) {
	f := frame([]frameql.Column{category1, revenue, orders})
	f.Dialect = frameql.DuckDB
	for want, cached := range map[string]*cachedPlan{
		"the data itself, duckdb":                                                     nil,
		"stored frames of the same data: f_1, f_2":                                    {whole: true, from: []string{"revenue", "order_count"}, names: []string{"f_1", "f_2"}},
		"the data itself, duckdb; from stored frames of the same data (f_1): revenue": {from: []string{"revenue"}, names: []string{"f_1"}},
	} {
		copied := *f
		r := &run{answer: &Answer{Frame: &copied}, cached: cached}
		r.servedFrom(&copied)
		if got := r.servedWords(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if whole := cached != nil && cached.whole; (copied.ServedFrom == "engine_cache") != whole {
			t.Errorf("frame served from %s", copied.ServedFrom)
		}
	}
}
