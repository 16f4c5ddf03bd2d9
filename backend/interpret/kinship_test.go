package interpret

import (
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// garage is a model of cars, of the firms that make them, and of the people who drive and teach there.
func garage() *semantic.Model {
	text, integer := semantic.Text, semantic.Integer
	m := &semantic.Model{Name: "garage", Version: "sha256:test"}
	m.Entities = []semantic.Entity{
		entity("cars", "Cars", []string{"car_id"}, "plate", "",
			dim("car_id", integer), dim("plate", text), dim("maker_id", integer), dim("horsepower", integer, measured), dim("body_type", text)),
		entity("car_makers", "Car makers", []string{"maker_id"}, "maker_name", "", dim("maker_id", integer), dim("maker_name", text), dim("country", text)),
		entity("teachers", "Teachers", []string{"teacher_id"}, "teacher_name", "",
			dim("teacher_id", integer), dim("teacher_name", text), dim("surname", text, personal), dim("sex", text)),
	}
	m.Joins = []semantic.Join{link("cars", "car_makers", "maker_id")}
	m.Metrics = []semantic.Metric{
		{Name: "car_count", Label: "Number of cars", Entity: "cars", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count},
		{Name: "maker_count", Label: "Number of car makers", Entity: "car_makers", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count},
		{Name: "teacher_count", Label: "Number of teachers", Entity: "teachers", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count},
	}
	return m
}

func askGarage(m *semantic.Model, question string) Result {
	env := frameql.Env{Model: m, Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	return NewIndex(m, nil).Read(Request{Question: question, Env: env})
}

func TestWordsThatMeanTheSame(t *testing.T) {
	for _, c := range []struct{ question, query, method string }{
		{"How many automobiles are there?", "SELECT car_count", MethodSynonym},
		{"How many vehicles are there?", "SELECT car_count", MethodBroader},
		{"number of instructors", "SELECT teacher_count", MethodSynonym},
		{"number of car manufacturers by country", "SELECT car_makers.country, maker_count", MethodSynonym},
		{"how many vehicle manufacturers are there", "SELECT maker_count", MethodBroader},
		{"number of cars by nation", "SELECT car_makers.country, car_count", MethodSynonym},
		{"instructors by gender", "SELECT teachers.sex, teacher_count", MethodSynonym},
		{"number of cars by country", "SELECT car_makers.country, car_count", MethodExact},
	} {
		res := askGarage(garage(), c.question)
		if res.Reading == nil || res.Clarify != nil || res.Reading.Query.String() != c.query {
			t.Errorf("%s: want %s, got %+v", c.question, c.query, res)
			continue
		}
		used := func(s Span) bool { return s.Method == c.method }
		if !slices.ContainsFunc(res.Reading.Spans, used) {
			t.Errorf("%s: nothing was filled by %s: %+v", c.question, c.method, res.Reading.Spans)
		}
		if said := len(res.Reading.Assumptions) > 0 && len(res.Reading.Confirm) > 0; said == (c.method == MethodExact) {
			t.Errorf("%s: assumed %q, confirmed %q", c.question, res.Reading.Assumptions, res.Reading.Confirm)
		}
	}
}

// A word that is more special than a name would lose what it says, and one that covers several things means none of them.
func TestWordsThatAreNearAreAsked(t *testing.T) {
	several := garage()
	several.Entities = append(several.Entities, entity("trucks", "Trucks", []string{"truck_id"}, "", "", dim("truck_id", semantic.Integer)))
	several.Metrics = append(several.Metrics, semantic.Metric{Name: "truck_count", Label: "Number of trucks", Entity: "trucks", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count})
	for _, c := range []struct {
		model    *semantic.Model
		question string
		guess    string
	}{
		{garage(), "How many sedans are there?", "SELECT car_count"},
		{several, "How many vehicles are there?", ""},
	} {
		res := askGarage(c.model, c.question)
		if res.Clarify == nil || c.guess != "" && res.Clarify.BestGuess.Value != c.guess {
			t.Errorf("%s: want a question back, got %+v", c.question, res)
		}
	}
}

// Words that nothing here is near to are still not in the data, and neither are personal attributes or the words of the
// language of questions.
func TestWordsWithoutKinAreNotInTheData(t *testing.T) {
	for _, question := range []string{
		"How many elephants are there?", "How many invoices are there?", "number of cars by last name", "number of cars by weather", "number of teachers by salary",
	} {
		if res := askGarage(garage(), question); res.Reading != nil && res.Clarify == nil {
			t.Errorf("%s was answered: %s", question, res.Reading.Query)
		}
	}
}

func TestNamesOfTheModelComeBeforeTheThesaurus(t *testing.T) {
	m := garage()
	m.Entities[0].Synonyms = []string{"machines"}
	res := askGarage(m, "How many machines are there?")
	if res.Reading == nil || len(res.Reading.Assumptions) > 0 || res.Reading.Query.String() != "SELECT car_count" {
		t.Errorf("a declared synonym was not taken as it is: %+v", res)
	}
}

// Attributes may be asked for, or said, without their name.
func TestAttributesSaidOtherwise(t *testing.T) {
	m := garage()
	m.Entities[2].Dimensions = append(m.Entities[2].Dimensions, dim("age", semantic.Integer), dim("birth_year", semantic.Integer))
	m.Entities[0].Dimensions = append(m.Entities[0].Dimensions, dim("weight", semantic.Integer, measured), dim("teacher_id", semantic.Integer))
	m.Entities = append(m.Entities, entity("tests", "Tests", []string{"test_id"}, "", "", dim("test_id", semantic.Integer), dim("car_id", semantic.Integer), dim("score", semantic.Integer, measured)))
	m.Joins = append(m.Joins, link("tests", "cars", "car_id"))
	m.Metrics = append(m.Metrics, semantic.Metric{Name: "test_count", Label: "Number of tests", Entity: "tests", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count})
	for _, c := range []struct{ question, query string }{
		{"how many teachers are 40 years old", "SELECT teacher_count WHERE teachers.age = 40"},
		{"number of teachers who are over 40 years old", "SELECT teacher_count WHERE teachers.age > 40"},
		{"how many teachers are either 40 or 41 years old", "SELECT teacher_count WHERE teachers.age IN (40, 41)"},
		{"how many teachers are not 40 years old", "SELECT teacher_count WHERE teachers.age <> 40"},
		{"how many teachers are 40 years old or younger", "SELECT teacher_count WHERE teachers.age <= 40"},
		{"number of teachers born before 1970", "SELECT teacher_count WHERE teachers.birth_year < 1970"},
		{"how old is each teacher", "SELECT teachers.teacher_name, teachers.age AT teachers"},
		{"how many cars weigh more than 1200", "SELECT car_count WHERE cars.weight > 1200"},
		{"how many tests of cars heavier than 1200 are there", "SELECT test_count WHERE cars.weight > 1200"},
		{"the score of the test with the highest score", "SELECT tests.test_id, tests.score AT tests ORDER BY tests.score DESC LIMIT 1"},
		{"number of car tests", "SELECT test_count"},
		{"number of vehicle tests", "SELECT test_count"},
	} {
		if res := askGarage(m, c.question); res.Reading == nil || res.Clarify != nil || res.Reading.Query.String() != c.query {
			got := ""
			if res.Reading != nil {
				got = res.Reading.Query.String()
			}
			t.Errorf("%s: want %s, got %s, asked %+v, refused %+v", c.question, c.query, got, res.Clarify, res.Refusal)
		}
	}
}

// An id or a light word at the end of a table's name is not what its rows are called.
func TestLightWordsOfTableNames(t *testing.T) {
	m := garage()
	m.Entities[0].Name, m.Entities[0].Label = "cars_data", "Cars data"
	m.Joins[0].From, m.Metrics[0].Entity = "cars_data", "cars_data"
	if res := askGarage(m, "how many cars are there"); res.Reading == nil || !strings.Contains(res.Reading.Query.String(), "car_count") {
		t.Errorf("cars are not the rows of cars_data: %+v", res)
	}
}

func BenchmarkKinshipOfAModel(b *testing.B) {
	v := NewIndex(traders(), nil).names
	for b.Loop() {
		newKinship(v, english())
	}
}
