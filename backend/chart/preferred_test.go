package chart

import (
	"encoding/json"
	"fmt"
	"testing"

	"assay/backend/frameql"
)

func TestAPreferredChartIsDrawnWhereItFits(t *testing.T) {
	month := frameql.Column{Name: "month", Role: frameql.RoleDimension, Type: "date", Grain: "month"}
	category := frameql.Column{Name: "category", Role: frameql.RoleDimension, Type: "text"}
	country := frameql.Column{Name: "country", Role: frameql.RoleDimension, Type: "text"}
	revenue := frameql.Column{Name: "revenue", Role: frameql.RoleMetric, Type: "decimal", Unit: "USD", Additivity: "additive"}
	before := frameql.Column{Name: "before", Role: frameql.RoleMetric, Type: "decimal", Unit: "USD", Derived: &frameql.Derived{Of: "revenue", How: "previous"}}
	frame := func(rows int, columns ...frameql.Column) *frameql.Frame {
		f := &frameql.Frame{ID: "f", Columns: columns, RowCount: rows}
		for i := range rows {
			row := make([]any, len(columns))
			for k, c := range columns {
				switch {
				case c.Type == "date":
					row[k] = fmt.Sprintf("%d-%02d-01", 1990+i/12, i%12+1)
				case c.Type == "text":
					row[k] = fmt.Sprintf("%s %d", c.Name, i/(1+k))
				default:
					row[k] = json.Number(fmt.Sprint(100 + i))
				}
			}
			f.Rows = append(f.Rows, row)
		}
		return f
	}
	for _, c := range []struct {
		name      string
		frame     *frameql.Frame
		asked     Asked
		prefers   string
		want      string
		preferred bool
	}{
		{"a course", frame(12, month, revenue), Asked{}, Bar, Bar, true},
		{"a course that the question calls a trend", frame(12, month, revenue), Asked{Type: Line, Words: "trend"}, Bar, Bar, true},
		{"a long course", frame(90, month, revenue), Asked{}, Bar, Line, false},
		{"a course beside what it is compared with", frame(12, month, revenue, before), Asked{}, Bar, Line, false},
		{"a course as an area", frame(12, month, revenue), Asked{}, Area, Area, true},
		{"a course has no slices", frame(6, month, revenue), Asked{}, Pie, Line, false},
		{"categories have no order", frame(6, category, revenue), Asked{}, Line, Bar, false},
		{"few parts of a whole", frame(6, category, revenue), Asked{}, Pie, Pie, true},
		{"many parts of a whole", frame(30, category, revenue), Asked{}, Pie, Bar, false},
		{"one grouping has nothing to stack", frame(6, category, revenue), Asked{}, Stacked, Bar, false},
		{"two groupings", frame(8, category, country, revenue), Asked{}, Heatmap, Heatmap, true},
		{"a table", frame(6, category, revenue), Asked{}, Table, None, true},
		{"one number stays one", frame(1, revenue), Asked{}, Table, BigNumber, false},
		{"the question names one", frame(12, month, revenue), Asked{Type: Line, Named: true}, Bar, Line, false},
		{"the question is about shares", frame(6, category, revenue), Asked{Type: Pie, Words: "share of"}, Table, Pie, false},
		{"as it is anyway", frame(6, category, revenue), Asked{}, Bar, Bar, false},
		{"nothing is preferred", frame(6, category, revenue), Asked{}, "", Bar, false},
		{"no rows", frame(0, category, revenue), Asked{}, Bar, None, false},
	} {
		got, preferred := ForWith(c.frame, c.asked, c.prefers)
		if got.Type != c.want || preferred != c.preferred || got.Instead != "" || preferred && got.Reason != "You prefer "+Name(c.prefers)+"." {
			t.Errorf("%s: %s (%v) %q, want %s (%v)", c.name, got.Type, preferred, got.Reason, c.want, c.preferred)
		}
	}
}
