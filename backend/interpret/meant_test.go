package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// hospital is a model inferred from bare tables, with things that are easily taken for each other: the sex of patients and
// of wards, names of several things, a number for an advisor, an attribute called like its entity.
func hospital() (*semantic.Model, []ValueSet) {
	column := func(name string, t semantic.Type, distinct int64, low, high string) semantic.ColumnFacts {
		return semantic.ColumnFacts{Column: name, Alias: fold(name), Type: t, Distinct: distinct, Min: low, Max: high, AvgLength: 8}
	}
	text, integer, date := semantic.Text, semantic.Integer, semantic.Date
	id := func(name string, n int64) semantic.ColumnFacts { return column(name, integer, n, "1", "60") }
	to := func(name, table string) semantic.ForeignKey {
		return semantic.ForeignKey{Columns: []string{name}, RefTable: table, RefColumns: []string{name}}
	}
	m := semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
		{Table: "clinic", Rows: 9, Key: []string{"clinic_id"}, KeyDeclared: true, Columns: []semantic.ColumnFacts{id("clinic_id", 9), column("clinic", text, 9, "Bow", "Wey"), column("city_name", text, 5, "Bath", "York")}},
		{
			Table: "ward", Rows: 12, Key: []string{"ward_id"}, KeyDeclared: true, ForeignKeys: []semantic.ForeignKey{to("clinic_id", "clinic")},
			Columns: []semantic.ColumnFacts{id("ward_id", 12), column("ward_name", text, 12, "Ash", "Yew"), column("gender", text, 2, "F", "M"), id("clinic_id", 9), column("rank", integer, 12, "1", "12")},
		},
		{
			Table: "patient", Rows: 60, Key: []string{"patient_id"}, KeyDeclared: true,
			Columns: []semantic.ColumnFacts{
				id("patient_id", 60), column("first_name", text, 40, "Ada", "Zoe"), column("last_name", text, 58, "Abel", "Young"), column("sex", text, 2, "F", "M"),
				column("age", integer, 40, "3", "90"), column("advisor", integer, 7, "1100", "9120"),
			},
		},
		{
			Table: "stay", Rows: 300, Key: []string{"stay_id"}, KeyDeclared: true, ForeignKeys: []semantic.ForeignKey{to("patient_id", "patient"), to("ward_id", "ward")},
			Columns: []semantic.ColumnFacts{id("stay_id", 300), id("patient_id", 60), id("ward_id", 12), column("verdict", text, 3, "cured", "moved"), column("began", date, 200, "2020-01-01", "2021-12-30")},
		},
		{
			Table: "leaflet", Rows: 20, Key: []string{"leaflet_id"}, KeyDeclared: true,
			Columns: []semantic.ColumnFacts{id("leaflet_id", 20), column("leaflet_name", text, 18, "Calm", "Walk"), column("topic", text, 4, "diet", "sleep")},
		},
		{
			Table: "patient_leaflet", Rows: 90, Key: []string{"patient_id", "leaflet_id"}, KeyDeclared: true, ForeignKeys: []semantic.ForeignKey{to("patient_id", "patient"), to("leaflet_id", "leaflet")},
			Columns: []semantic.ColumnFacts{id("patient_id", 50), id("leaflet_id", 20)},
		},
	}}, semantic.Settings{})
	set := func(entity, dimension string, values ...string) ValueSet {
		return ValueSet{Entity: entity, Dimension: dimension, Values: values, Complete: true}
	}
	return m, []ValueSet{
		set("ward", "gender", "F", "M"), set("patient", "sex", "F", "M"), set("ward", "ward_name", "Ash", "Yew"), set("stay", "verdict", "cured", "moved", "left"),
		set("leaflet", "leaflet_name", "Calm", "Walk"), set("leaflet", "topic", "diet", "sleep"), set("clinic", "clinic", "Bow", "Wey"),
	}
}

// TestWhatIsMeant: what English or the data decide is not left to the nearest column.
func TestWhatIsMeant(t *testing.T) {
	m, values := hospital()
	ix := NewIndex(m, values).WholeMembers()
	env := frameql.Env{Model: m, Now: time.Date(2021, 12, 30, 0, 0, 0, 0, time.UTC)}
	for _, c := range []struct{ question, query string }{
		{"Show all clinics in alphabetical order", "SELECT clinic.clinic, clinic.clinic_id, clinic.city_name AT clinic ORDER BY clinic.clinic"},
		{"How many advisors are there?", "SELECT COUNT(DISTINCT patient.advisor)"},
		{"What is the average age for each gender of patients?", "SELECT patient.sex, average_age"},
		{"How many patients stayed in a female ward?", "SELECT patient_count WHERE ANY stay (ward.gender = 'F')"},
		{"What are the full names of patients older than 80?", "SELECT patient.full_name, patient.first_name, patient.last_name, patient.age AT patient WHERE patient.age > 80"},
		{"Show the last name of the patients without any leaflet", "SELECT patient.full_name, patient.last_name AT patient WHERE NO patient_leaflet"},
		{"For each leaflet, show the topic and how many leaflets have it", "SELECT leaflet.topic, leaflet_count"},
		{"Give the distinct topics of all leaflets", "SELECT leaflet.topic"},
		{"What is the gender of the ward with the highest rank?", "SELECT ward.ward_name, ward.rank, ward.gender AT ward ORDER BY ward.rank LIMIT 1"},
		{"Show all information on the ward with the most stays", "SELECT ward.ward_name, ward.ward_id, ward.gender, ward.clinic_id, ward.rank, stay_count AT ward TOP 1 ward BY stay_count"},
		{"Show the age of patients who stayed in ward Ash and got the verdict cured", "SELECT patient.full_name, patient.age AT patient WHERE ANY stay (ward.ward_name = 'Ash' AND stay.verdict = 'cured')"},
		{"How many cities do the clinics have?", "SELECT COUNT(DISTINCT clinic.city_name)"},
		{"Show the names and genders of all wards in alphabetical order", "SELECT ward.ward_name, ward.gender AT ward ORDER BY ward.ward_name"},
		{"Show all the distinct ward names with rank above 3", "SELECT ward.ward_name WHERE ward.rank > 3"},
		{"Show the average age of male and female patients", "SELECT patient.sex, average_age WHERE patient.sex IN ('M', 'F')"},
		{"How many female patients (with sex F) are there?", "SELECT patient_count WHERE patient.sex = 'F'"},
		{"What are the genders shared by the wards Ash or Yew?", "SELECT ward.gender HAVING ward_count FILTER (WHERE ward.ward_name = 'Ash') > 0 AND ward_count FILTER (WHERE ward.ward_name = 'Yew') > 0"},
	} {
		res := ix.Read(Request{Question: c.question, Env: env})
		switch {
		case res.Clarify != nil || res.Reading == nil:
			t.Errorf("%s\n  is not answered: %+v %+v", c.question, res.Clarify, res.Refusal)
		case res.Reading.Query.String() != c.query:
			t.Errorf("%s\n  got  %s\n  want %s", c.question, res.Reading.Query, c.query)
		}
	}
}
