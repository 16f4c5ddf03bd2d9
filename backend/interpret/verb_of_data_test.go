package interpret

import (
	"strings"
	"testing"
)

// TestValuesThatAreVerbs: a word that is a verb elsewhere is a value where no verb can stand, and is not passed over.
func TestValuesThatAreVerbs(t *testing.T) {
	m := traders()
	values := traderValues()
	for i := range values {
		if values[i].Dimension == "category_name" {
			values[i].Values = append(values[i].Values, "Produce")
		}
	}
	ix := NewIndex(m, values)
	for question, condition := range map[string]string{
		"revenue of produce in 1997":              "categories.category_name = 'Produce'",
		"revenue of Produce":                      "categories.category_name = 'Produce'",
		"revenue of seafood and produce":          "IN ('Seafood', 'Produce')",
		"revenue excluding seafood and produce":   "NOT IN ('Seafood', 'Produce')",
		"revenue by month for produce":            "categories.category_name = 'Produce'",
		"revenue of the category produce by year": "categories.category_name = 'Produce'",
	} {
		r := ix.Read(Request{Question: question, Env: traderEnv(m)})
		if r.Reading == nil || !strings.Contains(r.Reading.Query.String(), condition) {
			t.Errorf("%s: %s, want %s", question, outcome(r), condition)
		}
	}
	for _, question := range []string{"how many products does each supplier produce", "which suppliers produce products"} {
		if r := ix.Read(Request{Question: question, Env: traderEnv(m)}); r.Reading != nil && strings.Contains(r.Reading.Query.String(), "'Produce'") {
			t.Errorf("%s: %s", question, outcome(r))
		}
	}
}
