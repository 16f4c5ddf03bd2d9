package frameview

import (
	"encoding/json"
	"math"
	"testing"

	"assay/backend/frameql"
)

func TestFigure(t *testing.T) {
	usd := frameql.Column{Type: "decimal", Unit: "USD"}
	plain := frameql.Column{Type: "float"}
	for _, c := range []struct {
		cell   any
		column frameql.Column
		want   string
	}{
		{int64(0), plain, "0"},
		{int64(-1234567), plain, "-1,234,567"},
		{int64(999), plain, "999"},
		{int64(1000), plain, "1,000"},
		{int64(1000), usd, "1,000.00"},
		{json.Number("617085.2024"), usd, "617,085.20"},
		{json.Number("0.05"), usd, "0.05"},
		{json.Number("0.0012"), usd, "0.0012"},
		{json.Number("-0.005"), usd, "-0.005"},
		{"123456789012345678.905", usd, "123,456,789,012,345,678.91"},
		{json.Number("51317.000"), plain, "51,317"},
		{12.5, plain, "12.5"},
		{2.675, plain, "2.68"},
		{0.123456, plain, "0.1235"},
		{0.000123456, plain, "0.0001235"},
		{1e21, plain, "1,000,000,000,000,000,000,000"},
		{nil, plain, "no value"},
		{"NaN", plain, "NaN"},
		{"-Infinity", plain, "-Infinity"},
		{json.Number("1e999999999"), plain, "no value"},
		{math.MaxFloat64, usd, ""},
	} {
		got := Figure(c.cell, c.column)
		if c.want == "" {
			if len(got) < 300 {
				t.Errorf("the largest float gives %q", got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("figure(%v, %s %s) = %q, want %q", c.cell, c.column.Type, c.column.Unit, got, c.want)
		}
	}
}

func TestDecimalRefusesOtherForms(t *testing.T) {
	for _, s := range []string{"", "1/3", "0x10", "1_000", "inf", "1e-999999999", "--1"} {
		if r, ok := decimal(s); ok {
			t.Errorf("decimal(%q) = %v", s, r)
		}
	}
}

func TestCount(t *testing.T) {
	for cell, want := range map[any]int64{int64(5): 5, 7.0: 7, json.Number("12"): 12, "34": 34} {
		if got, ok := Count(cell); !ok || got != want {
			t.Errorf("count(%v) = %d, %v", cell, got, ok)
		}
	}
	for _, cell := range []any{nil, true, 1.5, "x"} {
		if got, ok := Count(cell); ok {
			t.Errorf("count(%v) = %d", cell, got)
		}
	}
}
