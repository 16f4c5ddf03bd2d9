package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// freightYard has flights that last minutes, cases of a weight in kilograms, and files of a size in bytes.
func freightYard(t *testing.T) *Index {
	t.Helper()
	m := &semantic.Model{Name: "depot", Entities: []semantic.Entity{
		entity("flights", "Flights", []string{"flight_id"}, "route", "", dim("flight_id", semantic.Integer), dim("route", semantic.Text), dim("duration_minutes", semantic.Integer, measured), dim("delay", semantic.Integer, measured)),
		entity("cases", "Cases", []string{"case_id"}, "label", "", dim("case_id", semantic.Integer), dim("label", semantic.Text), dim("weight", semantic.Decimal, func(d *semantic.Dimension) { d.Unit = "kg" })),
		entity("files", "Files", []string{"file_id"}, "title", "", dim("file_id", semantic.Integer), dim("title", semantic.Text), dim("bytes", semantic.Integer, measured)),
		entity("ropes", "Ropes", []string{"rope_id"}, "make", "", dim("rope_id", semantic.Integer), dim("make", semantic.Text), dim("length_m", semantic.Decimal), dim("width_mm", semantic.Decimal)),
	}}
	m, err := semantic.Seal(m)
	if err != nil {
		t.Fatal(err)
	}
	return NewIndex(m, nil)
}

func TestQuantities(t *testing.T) {
	ix := freightYard(t)
	env := frameql.Env{Model: ix.model, Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	reads(t, ix, env, []struct{ question, query string }{
		{"routes of flights longer than 2 hours", "SELECT flights.route, flights.duration_minutes AT flights WHERE flights.duration_minutes > 120"},
		{"routes of flights with a duration between 1 and 2.5 hours", "SELECT flights.route, flights.duration_minutes AT flights WHERE flights.duration_minutes BETWEEN 60 AND 150"},
		{"routes of flights longer than 90 minutes", "SELECT flights.route, flights.duration_minutes AT flights WHERE flights.duration_minutes > 90"},
		{"labels of cases heavier than 10 lbs", "SELECT cases.label, cases.weight AT cases WHERE cases.weight > 4.5359237"},
		{"titles of files with more than 2 MB", "SELECT files.title, files.bytes AT files WHERE files.bytes > 2000000"},
		{"makes of ropes longer than 3 feet", ""}, // metres and millimetres
		{"makes of ropes longer than 3 pints", ""},
	})
	if r := ix.Read(Request{Question: "routes of flights longer than 2 hours", Env: env}); r.Reading == nil || r.Reading.Assumptions[len(r.Reading.Assumptions)-1] != "2 hours were read as 120 minutes, the unit of the data." {
		t.Errorf("not disclosed: %+v", r.Reading)
	}
}
