package semantic_test

import (
	"strings"
	"testing"

	. "assay/backend/semantic"
)

// TestWithColumns: a dimension says where the data differs from its declaration, and whether it can be read all the same.
func TestWithColumns(t *testing.T) {
	columns := []StoredColumn{{"Amt", Integer, false}, {"amt_2", Integer, false}, {"n", Text, false}, {"blank", Text, true}, {"Day", Timestamp, false}, {"code", Integer, false}}
	m := &Model{Entities: []Entity{
		{Name: "w", Source: Source{Table: "w"}, Dimensions: []Dimension{
			{Name: "amt", Type: Integer},
			{Name: "exact", Column: "Amt", Type: Integer},
			{Name: "second", Column: "amt_2", Type: Integer},
			{Name: "n", Type: Decimal},
			{Name: "blank", Type: Date},
			{Name: "day", Type: Date},
			{Name: "code", Type: Text},
			{Name: "gone", Type: Text},
			{Name: "computed", Type: Integer, Expr: "gone + 1"},
		}},
		{Name: "s", Source: Source{SQL: "SELECT 1 AS gone"}, Dimensions: []Dimension{{Name: "other", Type: Text}}},
	}}
	got := WithColumns(m, func(table string) []StoredColumn {
		if table == "w" {
			return columns
		}
		return nil
	})
	want := map[string]string{
		"amt": "Amt, amt_2", "n": "holds text, where the model says decimal", "blank": "holds text", "code": "holds integer", "gone": `no column "gone"`,
	}
	usable := map[string]bool{"blank": true, "code": true}
	for _, d := range got.Entities[0].Dimensions {
		switch reason, bad := want[d.Name]; {
		case bad != (d.Misfit != nil):
			t.Errorf("%s: %+v", d.Name, d.Misfit)
		case bad && (!strings.Contains(d.Misfit.Reason(d.Type), reason) || d.Misfit.Usable(d.Type) != usable[d.Name]):
			t.Errorf("%s: %s, usable %v", d.Name, d.Misfit.Reason(d.Type), d.Misfit.Usable(d.Type))
		}
	}
	if got.Entities[1].Dimensions[0].Misfit != nil || m.Entities[0].Dimensions[0].Misfit != nil {
		t.Error("a SELECT was judged, or the model itself was changed")
	}
	var severities []string
	for _, p := range CheckColumns(got) {
		severities = append(severities, p.Severity)
	}
	if s := strings.Join(severities, ","); s != "error,error,warning,error" {
		t.Error(s)
	}
}
