package analyst

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"assay/backend/compile"
	"assay/backend/frameql"
)

func flag(name string) frameql.Column {
	return frameql.Column{Name: name, Role: frameql.RoleFlag, Type: "boolean"}
}

// What a frame, its columns and the card say of where numbers came from.
func TestServedFromIsTrueOfEachColumn(t *testing.T) {
	scan := func(frame string, columns ...string) compile.CacheUse {
		u := compile.CacheUse{Frame: frame, Columns: columns}
		if frame != "" {
			u.Rows, u.Made = 7, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		}
		return u
	}
	part := func(frame string, columns ...string) compile.CacheUse {
		u := scan(frame, columns...)
		u.Part = true
		return u
	}
	of := func(frame string, part bool, columns ...string) frameql.ServedBy {
		return frameql.ServedBy{Frame: frame, Rows: 7, Made: "2026-01-02T03:04:05Z", Part: part, Columns: columns}
	}
	for name, c := range map[string]struct {
		cached  *cachedPlan
		frame   string
		columns map[string]string // c: engine_cache, b: backend
		by      []frameql.ServedBy
		words   string
	}{
		"base data alone": {nil, "backend", map[string]string{"category": "b", "revenue": "b", "order_count": "b", "is_other": "b"}, nil, "the data itself, duckdb"},
		"frames alone": {
			&cachedPlan{uses: []compile.CacheUse{scan("f_1", "category", "revenue"), scan("f_2", "category", "order_count"), scan("f_1", "revenue")}},
			"engine_cache",
			map[string]string{"category": "c", "revenue": "c", "order_count": "c", "is_other": "c"},
			[]frameql.ServedBy{of("f_1", false, "category", "revenue"), of("f_2", false, "category", "order_count")},
			"stored frames of the same data: f_1, f_2",
		},
		"one number of two": {
			&cachedPlan{uses: []compile.CacheUse{scan("f_1", "category", "revenue"), scan("", "category", "order_count")}},
			"backend",
			map[string]string{"category": "b", "revenue": "c", "order_count": "b", "is_other": "b"},
			[]frameql.ServedBy{of("f_1", false, "category", "revenue")},
			"the data itself, duckdb; from stored frames of the same data (f_1): category in part, revenue",
		},
		"the rest of TOP": {
			&cachedPlan{uses: []compile.CacheUse{scan("f_1", "category", "revenue", "order_count"), scan("", "revenue", "order_count")}},
			"backend",
			map[string]string{"category": "c", "revenue": "b", "order_count": "b", "is_other": "b"},
			[]frameql.ServedBy{of("f_1", false, "category", "revenue", "order_count")},
			"the data itself, duckdb; from stored frames of the same data (f_1): category, revenue in part, order count in part",
		},
		"a part of the period": {
			&cachedPlan{uses: []compile.CacheUse{part("f_1", "category", "revenue", "order_count")}},
			"backend",
			map[string]string{"category": "b", "revenue": "b", "order_count": "b", "is_other": "b"},
			[]frameql.ServedBy{of("f_1", true, "category", "revenue", "order_count")},
			"the data itself, duckdb; from stored frames of the same data (f_1): category in part, revenue in part, order count in part",
		},
		"what chooses rows was read from base data": {
			&cachedPlan{uses: []compile.CacheUse{scan("f_1", "category", "revenue", "order_count"), scan("")}},
			"backend",
			map[string]string{"category": "c", "revenue": "c", "order_count": "c", "is_other": "b"},
			[]frameql.ServedBy{of("f_1", false, "category", "revenue", "order_count")},
			"the data itself, duckdb; from stored frames of the same data (f_1): category, revenue, order count",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := frame([]frameql.Column{category1, revenue, orders, flag("is_other")})
			f.Dialect = frameql.DuckDB
			r := &run{answer: &Answer{Frame: f}, cached: c.cached}
			r.servedFrom(f)
			if got := r.servedWords(); got != c.words {
				t.Errorf("the card says %q, want %q", got, c.words)
			}
			var said struct {
				ServedFrom string `json:"served_from"`
				ServedBy   []any  `json:"served_by"`
				Columns    []struct {
					Name       string
					ServedFrom string `json:"served_from"`
				}
			}
			raw, err := json.Marshal(f)
			if err == nil {
				err = json.Unmarshal(raw, &said)
			}
			if err != nil || said.ServedFrom != c.frame || said.ServedBy == nil {
				t.Errorf("%v: the frame says %q, want %q: %s", err, said.ServedFrom, c.frame, raw)
			}
			for _, column := range said.Columns {
				if want := map[string]string{"c": "engine_cache", "b": "backend"}[c.columns[column.Name]]; column.ServedFrom != want {
					t.Errorf("column %s says %q, want %q", column.Name, column.ServedFrom, want)
				}
			}
			if len(c.by) != len(f.ServedBy) || len(c.by) > 0 && !reflect.DeepEqual(f.ServedBy, c.by) {
				t.Errorf("served by %s, want %s", fmt.Sprint(f.ServedBy), fmt.Sprint(c.by))
			}
		})
	}
}
