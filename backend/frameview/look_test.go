package frameview

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"assay/backend/frameql"
)

func TestALookChangesHowNumbersAreWrittenAndNoNumber(t *testing.T) {
	columns := []frameql.Column{
		{Name: "year", Role: frameql.RoleDimension, Type: "integer"},
		{Name: "revenue", Role: frameql.RoleMetric, Type: "decimal", Unit: "USD"},
		{Name: "change", Role: frameql.RoleMetric, Type: "decimal", Unit: "USD", Derived: &frameql.Derived{Of: "revenue", How: "change"}},
		{Name: "share", Role: frameql.RoleMetric, Type: "float", Format: Percent, Derived: &frameql.Derived{Of: "revenue", How: "share"}},
		{Name: "orders", Role: frameql.RoleMetric, Type: "integer"},
		{Name: "rank", Role: frameql.RoleMetric, Type: "integer", Derived: &frameql.Derived{Of: "revenue", How: "rank"}},
	}
	rows := [][]any{
		{int64(1996000000), json.Number("1265793.04"), json.Number("-8500"), 0.66666, int64(830), int64(1)},
		{int64(1997), json.Number("0.001"), nil, 0.0001, int64(2000), int64(2)},
	}
	two := 2
	none := 0
	for name, c := range map[string]struct {
		look            Look
		want            string
		scaled, rounded bool
	}{
		"none":              {Look{}, "[1,996,000,000 1,265,793.04 -8,500.00 66.7 % 830 1] [1,997 0.001 no value 0.01 % 2,000 2]", false, false},
		"as it is":          {Look{Scale: "as_is"}, "[1,996,000,000 1,265,793.04 -8,500.00 66.7 % 830 1] [1,997 0.001 no value 0.01 % 2,000 2]", false, false},
		"millions":          {Look{Scale: "millions"}, "[1,996,000,000 1.27 million -0.0085 million 66.7 % 830 1] [1,997 0.000000001 million no value 0.01 % 2,000 2]", true, false},
		"thousands":         {Look{Scale: "thousands", Decimals: &two}, "[1,996,000,000 1,265.79 thousand -8.50 thousand 66.67 % 0.83 thousand 1] [1,997 0.0000010 thousand no value 0.01 % 2.00 thousand 2]", true, true},
		"billions: none is": {Look{Scale: "billions"}, "[1,996,000,000 1,265,793.04 -8,500.00 66.7 % 830 1] [1,997 0.001 no value 0.01 % 2,000 2]", false, false},
		"whole numbers":     {Look{Decimals: &none}, "[1,996,000,000 1,265,793 -8,500 67 % 830 1] [1,997 0.001 no value 0.01 % 2,000 2]", false, true},
		"whole millions":    {Look{Scale: "millions", Decimals: &none}, "[1,996,000,000 1 million -0.0085 million 67 % 830 1] [1,997 0.0000000010 million no value 0.01 % 2,000 2]", true, true},
	} {
		f := &frameql.Frame{Columns: columns, Rows: rows}
		before, _ := json.Marshal(f)
		got, scaled, rounded := Dressed(f, c.look)
		shown := ""
		for _, row := range got.Rows {
			cells := make([]string, len(row))
			for i, cell := range row {
				cells[i] = Figure(cell, got.Columns[i])
			}
			shown += fmt.Sprint(cells) + " "
		}
		if shown != c.want+" " || scaled != c.scaled || rounded != c.rounded {
			t.Errorf("%s: %s(%v, %v)\nwant %s (%v, %v)", name, shown, scaled, rounded, c.want, c.scaled, c.rounded)
		}
		if after, _ := json.Marshal(f); string(after) != string(before) {
			t.Errorf("%s: the frame itself changed", name)
		}
		raw, err := json.Marshal(got)
		var back frameql.Frame
		if err != nil || json.Unmarshal(raw, &back) != nil || !reflect.DeepEqual(back.Columns, got.Columns) {
			t.Errorf("%s: it is not kept as it is: %s, %v", name, raw, err)
		}
		if again, _, _ := Dressed(got, Look{Scale: c.look.Scale, Decimals: c.look.Decimals}); !reflect.DeepEqual(again.Columns, got.Columns) {
			t.Errorf("%s: dressed again it is another", name)
		}
	}
}
