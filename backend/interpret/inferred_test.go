package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// concerts is a model that was inferred from bare tables: nobody wrote a synonym, a label or a metric.
func concerts() *semantic.Model {
	column := func(name string, t semantic.Type, distinct int64, low, high string, sample ...string) semantic.ColumnFacts {
		return semantic.ColumnFacts{Column: name, Alias: fold(name), Type: t, Distinct: distinct, Min: low, Max: high, AvgLength: 8, Sample: sample}
	}
	text, integer := semantic.Text, semantic.Integer
	return semantic.Infer(semantic.Facts{
		Tables: []semantic.TableFacts{
			{Table: "stadium", Rows: 9, Key: []string{"Stadium_ID"}, KeyDeclared: true, Columns: []semantic.ColumnFacts{
				column("Stadium_ID", integer, 9, "1", "9"), column("Location", text, 7, "Alloa", "Perth", "Alloa", "Perth", "Stirling"),
				column("Name", text, 9, "Balmoor", "Stark's Park", "Balmoor", "Stark's Park"), column("Capacity", integer, 9, "2000", "52500"),
				column("Average", integer, 8, "430", "2100"),
			}},
			{Table: "singer", Rows: 6, Key: []string{"Singer_ID"}, KeyDeclared: true, Columns: []semantic.ColumnFacts{
				column("Singer_ID", integer, 6, "1", "6"), column("Name", text, 6, "Joe Sharp", "Tribal King", "Joe Sharp", "Tribal King"),
				column("Country", text, 3, "France", "United States", "France", "Netherlands", "United States"), column("Age", integer, 5, "25", "52"),
			}},
			{
				Table: "concert", Rows: 60, Key: []string{"concert_ID"}, KeyDeclared: true, Columns: []semantic.ColumnFacts{
					column("concert_ID", integer, 60, "1", "60"), column("concert_Name", text, 50, "Auditions", "Week 1", "Auditions", "Home Visits"),
					column("Theme", text, 5, "Bleeding Love", "Wide Awake", "Wide Awake", "Party All Night"),
					column("Stadium_ID", integer, 9, "1", "9"), column("Singer_ID", integer, 6, "1", "6"),
					column("Held_On", semantic.Date, 55, "2014-01-03", "2015-12-30"), column("Tickets", integer, 58, "120", "9000"),
				},
				ForeignKeys: []semantic.ForeignKey{
					{Columns: []string{"Stadium_ID"}, RefTable: "stadium", RefColumns: []string{"Stadium_ID"}},
					{Columns: []string{"Singer_ID"}, RefTable: "singer", RefColumns: []string{"Singer_ID"}},
				},
			},
		},
	}, semantic.Settings{})
}

func TestQuestionsOverAnInferredModel(t *testing.T) {
	m := concerts()
	values := []ValueSet{
		{Entity: "singer", Dimension: "country", Values: []string{"France", "Netherlands", "United States"}, Complete: true},
		{Entity: "singer", Dimension: "name", Values: []string{"Joe Sharp", "Tribal King"}, Complete: true},
		{Entity: "stadium", Dimension: "location", Values: []string{"Alloa", "Perth"}, Complete: true},
		{Entity: "concert", Dimension: "theme", Values: []string{"Wide Awake", "Party All Night"}, Complete: true},
	}
	ix := NewIndex(m, values)
	env := frameql.Env{Model: m, Now: time.Date(2015, 12, 30, 0, 0, 0, 0, time.UTC)}
	reads(t, ix, env, []struct{ question, query string }{
		{"How many singers do we have?", "SELECT singer_count"},
		{"How many singers are from France?", "SELECT singer_count WHERE singer.country = 'France'"},
		{"Show all singers from France", "SELECT singer.name AT singer WHERE singer.country = 'France'"},
		{"List the name and country of all singers older than 30", "SELECT singer.name, singer.country, singer.age AT singer WHERE singer.age > 30"},
		{"number of singers by country", "SELECT singer.country, singer_count"},
		{"What is the average age of singers by country?", "SELECT singer.country, average_age"},
		{"how many concerts per stadium", "SELECT stadium.name, concert_count AT stadium"},
		{"how many concerts in 2014", "SELECT concert_count DURING 2014"},
		{"which stadium had the most concerts", "SELECT stadium.name, concert_count AT stadium TOP 1 stadium BY concert_count"},
		{"stadiums with capacity over 10000", "SELECT stadium.name, stadium.capacity AT stadium WHERE stadium.capacity > 10000"},
		{"top 3 stadiums by capacity", "SELECT stadium.name, stadium.capacity AT stadium ORDER BY stadium.capacity DESC LIMIT 3"},
		{"tickets by theme", "SELECT concert.theme, tickets"},
		{"total tickets of Joe Sharp by month", "SELECT concert.held_on.month, tickets WHERE singer.name = 'Joe Sharp'"},
		{"how many different countries are singers from", "SELECT COUNT(DISTINCT singer.country)"},
	})
}
