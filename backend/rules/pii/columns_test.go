package pii

import (
	"testing"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// TestColumns: where the columns of a frame come from, and what that makes of them.
func TestColumns(t *testing.T) {
	m, err := semantic.Seal(&semantic.Model{Name: "x", Entities: []semantic.Entity{{
		Name: "people", Source: semantic.Source{Table: "hr.people"}, Key: []string{"id"},
		Dimensions: []semantic.Dimension{
			{Name: "id", Type: semantic.Integer},
			{Name: "who", Column: "nm", Type: semantic.Text, PII: "person_name"},
			{Name: "mail", Type: semantic.Text},
			{Name: "caps", Type: semantic.Text, Expr: "upper(who)"},
			{Name: "city", Type: semantic.Text},
			{Name: "phone", Type: semantic.Text, PII: "none"},
		},
	}}, Metrics: []semantic.Metric{
		{Name: "emails", Entity: "people", Expr: "mail", Reducer: semantic.CountDistinct},
		{Name: "first_name", Entity: "people", Expr: "who", Reducer: semantic.Min},
	}})
	if err != nil {
		t.Fatal(err)
	}
	frame := []frameql.Column{
		{Name: "Name", Dimension: "people.who", Type: "text"},
		{Name: "mail", Dimension: "people.mail", Type: "text"},
		{Name: "caps", Dimension: "people.caps", Type: "text"},
		{Name: "city", Dimension: "people.city", Type: "text"},
		{Name: "phone", Dimension: "people.phone", Type: "text"},
		{Name: "emails", Metric: "emails", Type: "integer"},
		{Name: "first_name", Metric: "first_name", Type: "text"},
		{Name: "email", Type: "text"},
		{Name: "gone", Dimension: "people.gone", Type: "text"},
	}
	columns := Columns(m, frame)
	p := Policy{Columns: []ColumnRule{{"hr.people.city", Address}}}
	for i, want := range []Kind{PersonName, Email, PersonName, Address, None, None, PersonName, Email, ""} {
		if got := p.Of(columns[i]); got != want || columns[i].Label != frame[i].Name {
			t.Errorf("%s: %q, want %q (%+v)", frame[i].Name, got, want, columns[i])
		}
	}
}
