package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// depots is a model of bare tables: parcels that were lost in depots.
func depots() *semantic.Model {
	text, integer := semantic.Text, semantic.Integer
	column := func(name string, t semantic.Type, distinct int64, sample ...string) semantic.ColumnFacts {
		return semantic.ColumnFacts{Column: name, Alias: fold(name), Type: t, Distinct: distinct, AvgLength: 8, Sample: sample}
	}
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
		{Table: "depot", Rows: 9, Key: []string{"id"}, KeyDeclared: true, Columns: []semantic.ColumnFacts{
			column("id", integer, 9), column("name", text, 9, "Harbour", "Hill"), column("level_of_safety", integer, 3, "1", "2"),
		}},
		{Table: "parcel", Rows: 300, Key: []string{"id"}, KeyDeclared: true, Columns: []semantic.ColumnFacts{
			column("id", integer, 300), column("lost_in_depot", integer, 6), column("route", text, 4, "Alpine", "Coastal"),
		}, ForeignKeys: []semantic.ForeignKey{{Columns: []string{"lost_in_depot"}, RefTable: "depot", RefColumns: []string{"id"}}}},
	}}, semantic.Settings{})
}

// A verb that only names the column of a join says how two things belong together.
func TestAVerbThatNamesAJoin(t *testing.T) {
	m := depots()
	values := []ValueSet{{Entity: "parcel", Dimension: "route", Values: []string{"Alpine", "Coastal"}, Complete: true}}
	converse(t, m, values, frameql.Env{Model: m, Now: time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)}, [][]said{
		{
			{"names of the depots that had no parcels lost on the Alpine route", "SELECT depot.name AT depot WHERE NO parcel (parcel.route = 'Alpine')"},
			{"how many are there?", "SELECT depot_count WHERE NO parcel (parcel.route = 'Alpine')"},
		},
		{{"how many depots are at safety level 1?", "SELECT depot_count WHERE depot.level_of_safety = 1"}},
		{{"how many safety levels are there?", "SELECT COUNT(DISTINCT depot.level_of_safety)"}},
	})
}
