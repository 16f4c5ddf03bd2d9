package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// voyages is a file of the races of one boat, whose name says nothing: dates of one summer, weeks and places as numbers, and results as text.
func voyages() (*semantic.Model, []ValueSet, frameql.Env) {
	column := func(name, alias string, t semantic.Type, distinct int64, low, high string) semantic.ColumnFacts {
		return semantic.ColumnFacts{Column: name, Alias: alias, Type: t, Distinct: distinct, Min: low, Max: high, AvgLength: 12}
	}
	m := semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{{Table: "31-4", Alias: "table_31_4", Rows: 20, Columns: []semantic.ColumnFacts{
		column("Week", "week", semantic.Integer, 18, "1", "18"), column("Date", "date", semantic.Date, 20, "1984-05-02", "1984-10-20"),
		column("Harbour", "harbour", semantic.Text, 20, "Aberdour", "Zell"), column("Crew visitors", "crew_visitors", semantic.Integer, 20, "20", "900"),
		column("Finishing position", "finishing_position", semantic.Integer, 9, "1", "12"), column("Outcome", "outcome", semantic.Text, 3, "Runner-up", "Winner"),
		column("Score", "score", semantic.Text, 19, "12-4", "9-9"), column("Crew", "crew", semantic.Text, 11, "Ada", "Zoe, Ines"),
		column("Sunk (tons)", "sunk_tons", semantic.Text, 18, "120", "no data"), column("Tonnes carried (2024)", "tonnes_carried_2024", semantic.Integer, 20, "3", "90"),
	}}}}, semantic.Settings{})
	e := m.Entities[0].Name
	crews := []string{"Ada, Zoe", "Zoe", "Ines, Ada", "Ulf"}
	values := []ValueSet{
		{Entity: e, Dimension: "harbour", Values: []string{"Aberdour", "Skagen", "Zell"}, Complete: true},
		{Entity: e, Dimension: "outcome", Values: []string{"Winner", "Runner-up", "Retired"}, Complete: true},
		{Entity: e, Dimension: "crew", Values: crews, Complete: true},
	}
	env := frameql.Env{
		Model: m, Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC),
		Coverage: func(string) (first, last time.Time, ok bool) {
			return time.Date(1984, 5, 2, 0, 0, 0, 0, time.UTC), time.Date(1984, 10, 20, 0, 0, 0, 0, time.UTC), true
		},
		Unique: func(_ string, dimensions []string) (unique, known bool) { return dimensions[0] == "harbour", true },
		Values: func(dimension string) (found []string, complete bool) {
			switch dimension {
			case e + ".crew":
				return crews, true
			case e + ".sunk_tons":
				return []string{"120", "1,340", "no data", "77"}, true
			case e + ".harbour":
				return values[0].Values, true
			}
			return nil, false
		},
	}
	return m, values, env
}

// TestTableOfRaces asks a single table of what its numbers, dates and places mean.
func TestTableOfRaces(t *testing.T) {
	m, values, env := voyages()
	reads(t, NewIndex(m, values), env, []struct{ question, query string }{
		{"what were the crew visitors in week 3", "SELECT crew_visitors WHERE table_31_4.\"week\" = 3"},
		{"how many races were held in June", "SELECT _31_4_count DURING 1984-06"},
		{"how many times was it a runner-up", "SELECT _31_4_count WHERE table_31_4.outcome = 'Runner-up'"},
		{"how many races did they win", ""}, // no condition says that they won
		{"how many harbours had more than 300 crew visitors", "SELECT COUNT(DISTINCT table_31_4.harbour) WHERE table_31_4.crew_visitors > 300"},
		{"which harbour had the lowest crew visitors", "SELECT table_31_4.harbour, MIN(table_31_4.crew_visitors) TOP 1 table_31_4.harbour BY MIN(table_31_4.crew_visitors) ASC"},
		{"which harbour had the highest finishing position", "SELECT table_31_4.harbour, MIN(table_31_4.finishing_position) TOP 1 table_31_4.harbour BY MIN(table_31_4.finishing_position) ASC"},
		{"how many tons were sunk in Skagen", ""}, // numbers in words are not counted
		{"how many harbours were there in total", "SELECT COUNT(DISTINCT table_31_4.harbour)"},
		{"what was the name of the last harbour", "SELECT table_31_4.harbour TOP 1 table_31_4.harbour BY MAX(table_31_4.row_place)"},
		{"how many tonnes did it carry in Skagen", "SELECT tonnes_carried_2024 WHERE table_31_4.harbour = 'Skagen'"},
		{"which harbour had the most tonnes", "SELECT table_31_4.harbour, tonnes_carried_2024 TOP 1 table_31_4.harbour BY tonnes_carried_2024"},
		{"which harbour had the most crew", ""}, // some cells have several
		{"how many different crews are there", ""},
		{"which outcome has the most harbours", "SELECT table_31_4.outcome, COUNT(DISTINCT table_31_4.harbour) TOP 1 table_31_4.outcome BY COUNT(DISTINCT table_31_4.harbour)"},
	})
}
