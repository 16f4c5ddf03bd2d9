package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// TestOneMessyTable asks a file whose name says nothing, whose headings have units, and whose cells hold several things.
func TestOneMessyTable(t *testing.T) {
	column := func(name, alias string, t semantic.Type, distinct int64, low, high string) semantic.ColumnFacts {
		return semantic.ColumnFacts{Column: name, Alias: alias, Type: t, Distinct: distinct, Min: low, Max: high, AvgLength: 12}
	}
	m := semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{{Table: "7-12", Alias: "table_7_12", Rows: 20, Columns: []semantic.ColumnFacts{
		column("Driver", "driver", semantic.Text, 9, "Aino", "Ulf"), column("Team (city)", "team_city", semantic.Text, 12, "A", "Z"),
		column("Gold", "gold", semantic.Integer, 8, "0", "19"), column("Range (km)", "range_km", semantic.Integer, 20, "3", "900"),
		column("Winner", "winner", semantic.Text, 6, "Aino", "Ulf"), column("Year", "year", semantic.Integer, 15, "1981", "1999"),
		column("Viewers", "viewers", semantic.Text, 20, "1.2 million", "9 million"), column("Sponsor", "sponsor", semantic.Text, 9, "A", "Z"),
		column("Engine", "engine", semantic.Integer, 20, "4001", "4020"),
	}}}}, semantic.Settings{})
	e := m.Entities[0].Name
	drivers := []string{"Aino", "Ulf", "Runa Sol"}
	ix := NewIndex(m, []ValueSet{
		{Entity: e, Dimension: "driver", Values: append([]string{"Kaspar", "Mira Lind"}, drivers...), Complete: true},
		{Entity: e, Dimension: "winner", Values: drivers, Complete: true},
		{Entity: e, Dimension: "team_city", Values: []string{"Falcons (Oulu)", "Herons (Oulu)", "Terns (Kalmar)"}, Complete: true},
		{Entity: e, Dimension: "sponsor", Values: []string{"Nordlys", "Havn, Nordlys", "Brygge", "Brygge Nord"}, Complete: true},
	})
	env := frameql.Env{Model: m, Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	reads(t, ix, env, []struct{ question, query string }{
		{"how many buses are from oulu", "SELECT _7_12_count WHERE table_7_12.team_city CONTAINS 'oulu'"},
		{"how many gold medals did kalmar get", "SELECT gold WHERE table_7_12.team_city CONTAINS 'kalmar'"},
		{"how many goals are from oulu", ""},
		{"which driver is listed next after Runa Sol", "SELECT table_7_12.driver WHERE table_7_12.row_place > (MAX(table_7_12.row_place) FILTER (WHERE table_7_12.driver = 'Runa Sol') AT ()) TOP 1 table_7_12.driver BY MIN(table_7_12.row_place) ASC"},
		{"which driver is listed last", "SELECT table_7_12.driver TOP 1 table_7_12.driver BY MAX(table_7_12.row_place)"},
		{"the total range", "SELECT range_km"},
		{"who was listed next after Herons", "SELECT table_7_12.team_city WHERE table_7_12.row_place > (MAX(table_7_12.row_place) FILTER (WHERE table_7_12.team_city CONTAINS 'herons') AT ()) TOP 1 table_7_12.team_city BY MIN(table_7_12.row_place) ASC"},
		{"how many more gold medals did Kaspar get than Mira Lind", "SELECT gold FILTER (WHERE table_7_12.driver = 'Kaspar') - gold FILTER (WHERE table_7_12.driver = 'Mira Lind')"},
		{"how many fewer gold medals did Kaspar get than Mira Lind", "SELECT gold FILTER (WHERE table_7_12.driver = 'Mira Lind') - gold FILTER (WHERE table_7_12.driver = 'Kaspar')"},
		{"which driver had more gold, Kaspar or Mira Lind?", "SELECT table_7_12.driver, gold WHERE table_7_12.driver IN ('Kaspar', 'Mira Lind') TOP 1 table_7_12.driver BY gold"},
		{"what was the team of the last year", "SELECT table_7_12.team_city TOP 1 table_7_12.team_city BY MAX(table_7_12.year)"},
		{"how many viewers were there", ""}, // they are said in words
		{"what country does Aino represent", ""},
		{"how many times is nordlys listed", "SELECT _7_12_count WHERE table_7_12.sponsor CONTAINS 'Nordlys'"}, // also beside others
		{"how many times is brygge listed", "SELECT _7_12_count WHERE table_7_12.sponsor = 'Brygge'"},          // which is a part of another name
		{"who was listed last", "SELECT table_7_12.winner TOP 1 table_7_12.winner BY MAX(table_7_12.row_place)"},
		{"what is the total number of engines listed", "SELECT COUNT(DISTINCT table_7_12.engine)"},
		{"which drivers did Kaspar beat before 1990", ""}, // not Kaspar
		{"how many times was the team in oulu", "SELECT _7_12_count WHERE table_7_12.team_city CONTAINS 'oulu'"},
	})
}
