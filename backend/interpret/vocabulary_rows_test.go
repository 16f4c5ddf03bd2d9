package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// TestNounsOfRows asks a file whose name says nothing about its lines.
func TestNounsOfRows(t *testing.T) {
	column := func(name string, t semantic.Type, distinct int64, low, high string) semantic.ColumnFacts {
		return semantic.ColumnFacts{Column: name, Alias: name, Type: t, Distinct: distinct, Min: low, Max: high, AvgLength: 8}
	}
	m := semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{{Table: "table_7_12", Rows: 20, Columns: []semantic.ColumnFacts{
		column("harbour", semantic.Text, 9, "Arl", "Wick"), column("visitors", semantic.Integer, 20, "3", "900"), column("flag", semantic.Text, 4, "blue", "white"),
	}}}}, semantic.Settings{})
	ix := NewIndex(m, []ValueSet{{Entity: m.Entities[0].Name, Dimension: "flag", Values: []string{"blue", "white"}, Complete: true}})
	env := frameql.Env{Model: m, Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	reads(t, ix, env, []struct{ question, query string }{
		{"which flag is listed the most", "SELECT table_7_12.flag, _7_12_count TOP 1 table_7_12.flag BY _7_12_count"},
		{"how many lighthouses have a blue flag", "SELECT _7_12_count WHERE table_7_12.flag = 'blue'"},
		{"how many medals have a blue flag", ""},
		{"what canton had the largest number of harbours", ""},
	})
}
