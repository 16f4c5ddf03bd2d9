package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// faculty is a model of bare tables: students of departments, who are enrolled in courses of teachers.
func faculty() *semantic.Model {
	text, integer := semantic.Text, semantic.Integer
	column := func(name string, t semantic.Type, distinct int64, sample ...string) semantic.ColumnFacts {
		return semantic.ColumnFacts{Column: name, Alias: fold(name), Type: t, Distinct: distinct, AvgLength: 8, Sample: sample}
	}
	key := func(name, to string) semantic.ForeignKey {
		return semantic.ForeignKey{Columns: []string{name}, RefTable: to, RefColumns: []string{name}}
	}
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
		{Table: "department", Rows: 5, Key: []string{"dept_id"}, KeyDeclared: true, Columns: []semantic.ColumnFacts{
			column("dept_id", integer, 5), column("dept_name", text, 5, "Physics", "History"), column("building", text, 3, "North", "South"),
		}},
		{Table: "student", Rows: 200, Key: []string{"student_id"}, KeyDeclared: true, Columns: []semantic.ColumnFacts{
			column("student_id", integer, 200), column("name", text, 198, "Ada Moss", "Ben Hill"), column("age", integer, 12, "19", "23"),
			column("hometown", text, 20, "Leeds", "York"), column("dept_id", integer, 5),
		}, ForeignKeys: []semantic.ForeignKey{key("dept_id", "department")}},
		{Table: "course", Rows: 40, Key: []string{"course_id"}, KeyDeclared: true, Columns: []semantic.ColumnFacts{
			column("course_id", integer, 40), column("title", text, 40, "Optics", "Rome"), column("credits", integer, 4, "2", "4"), column("dept_id", integer, 5),
		}, ForeignKeys: []semantic.ForeignKey{key("dept_id", "department")}},
	}}, semantic.Settings{})
}

func facultyValues() []ValueSet {
	return []ValueSet{
		{Entity: "department", Dimension: "dept_name", Values: []string{"Physics", "History", "Law"}, Complete: true},
		{Entity: "department", Dimension: "building", Values: []string{"North", "South"}, Complete: true},
		{Entity: "student", Dimension: "hometown", Values: []string{"Leeds", "York", "Bath"}, Complete: true},
		{Entity: "student", Dimension: "name", Values: []string{"Ada Moss", "Ben Hill"}, Complete: true},
		{Entity: "course", Dimension: "title", Values: []string{"Optics", "Rome"}, Complete: true},
	}
}

func TestDialoguesOfAFaculty(t *testing.T) {
	m := faculty()
	converse(t, m, facultyValues(), frameql.Env{Model: m, Now: time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)}, [][]said{
		{
			{"which students are from Leeds?", "SELECT student.name AT student WHERE student.hometown = 'Leeds'"},
			{"how many are there?", "SELECT student_count WHERE student.hometown = 'Leeds'"},
			{"what is their average age?", "SELECT average_age WHERE student.hometown = 'Leeds'"},
			{"what about York?", "SELECT average_age WHERE student.hometown = 'York'"},
			{"and the maximum?", "SELECT MAX(student.age) WHERE student.hometown = 'York'"},
		},
		{
			{"list all students", "SELECT student.name AT student"},
			{"only those older than 20", "SELECT student.name, student.age AT student WHERE student.age > 20"},
			{"sort them by age", "SELECT student.name, student.age AT student WHERE student.age > 20 ORDER BY student.age"},
			{"in descending order", "SELECT student.name, student.age AT student WHERE student.age > 20 ORDER BY student.age DESC"},
			{"show their hometown too", "SELECT student.name, student.age, student.hometown AT student WHERE student.age > 20 ORDER BY student.age DESC"},
			{"just the top 5", "SELECT student.name, student.age, student.hometown AT student WHERE student.age > 20 ORDER BY student.age DESC LIMIT 5"},
			{"undo", "SELECT student.name, student.age, student.hometown AT student WHERE student.age > 20 ORDER BY student.age DESC"},
		},
		{
			{"how many students are in each department?", "SELECT department.dept_name, student_count AT department"},
			{"which one has the most?", "SELECT department.dept_name, student_count AT department TOP 1 department BY student_count"},
			{"and the fewest?", "SELECT department.dept_name, student_count AT department TOP 1 department BY student_count ASC"},
		},
		{
			{"who is the oldest student?", "SELECT student.name, student.age AT student ORDER BY student.age DESC LIMIT 1"},
			{"what is his or her hometown?", "SELECT student.name, student.hometown AT student ORDER BY student.age DESC LIMIT 1"},
			{"and the youngest?", "SELECT student.name, student.hometown, student.age AT student ORDER BY student.age LIMIT 1"},
		},
		{
			{"courses with more than 2 credits", "SELECT course.title, course.credits AT course WHERE course.credits > 2"},
			{"how about 3?", "SELECT course.title, course.credits AT course WHERE course.credits > 3"},
			{"which of them are in Physics?", "SELECT course.title, course.credits AT course WHERE course.credits > 3 AND department.dept_name = 'Physics'"},
			{"how many is that?", "SELECT course_count WHERE course.credits > 3 AND department.dept_name = 'Physics'"},
		},
	})
}

// flights is a model with a metric of its own: flights of airlines between airports, by the day.
func flights() *semantic.Model {
	text, integer, date := semantic.Text, semantic.Integer, semantic.Date
	m := &semantic.Model{Name: "flights", Version: "sha256:flights"}
	m.Entities = []semantic.Entity{
		entity("flights", "Flights", []string{"flight_id"}, "", "departed", dim("flight_id", integer), dim("airline_id", integer), dim("airport_id", integer), dim("departed", date), dim("passengers", integer, measured), dim("delay", integer, measured)),
		entity("airlines", "Airlines", []string{"airline_id"}, "name", "", dim("airline_id", integer), dim("name", text), dim("alliance", text)),
		entity("airports", "Airports", []string{"airport_id"}, "city", "", dim("airport_id", integer), dim("city", text), dim("country", text)),
	}
	m.Joins = []semantic.Join{link("flights", "airlines", "airline_id"), link("flights", "airports", "airport_id")}
	sum := semantic.Additivity{Default: "additive"}
	m.Metrics = []semantic.Metric{
		{Name: "flight_count", Label: "Flights", Synonyms: []string{"number of flights"}, Entity: "flights", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count, Additivity: sum, Better: "up"},
		{Name: "passengers", Label: "Passengers", Entity: "flights", Kind: semantic.Leaf, Expr: "passengers", Reducer: semantic.Sum, Additivity: sum, Better: "up"},
		{Name: "delay", Label: "Delay", Synonyms: []string{"delay minutes"}, Entity: "flights", Kind: semantic.Leaf, Expr: "delay", Reducer: semantic.Sum, Additivity: sum, Better: "down"},
	}
	return m
}

func TestDialoguesOfFlights(t *testing.T) {
	m := flights()
	values := []ValueSet{
		{Entity: "airlines", Dimension: "name", Values: []string{"Condor", "Iberia", "Swiss"}, Complete: true},
		{Entity: "airlines", Dimension: "alliance", Values: []string{"Star", "Oneworld"}, Complete: true},
		{Entity: "airports", Dimension: "country", Values: []string{"Spain", "Norway"}, Complete: true},
		{Entity: "airports", Dimension: "city", Values: []string{"Madrid", "Oslo"}, Complete: true},
	}
	env := frameql.Env{Model: m, Now: time.Date(2025, 6, 30, 0, 0, 0, 0, time.UTC)}
	const byAirline = "SELECT airlines.name, passengers AT airlines"
	converse(t, m, values, env, [][]said{
		{
			{"passengers by airline in 2024", byAirline + " DURING 2024"},
			{"same for Spain", byAirline + " WHERE airports.country = 'Spain' DURING 2024"},
			{"and Norway", byAirline + " WHERE airports.country IN ('Spain', 'Norway') DURING 2024"},
			{"what about the delay?", "SELECT airlines.name, delay AT airlines WHERE airports.country IN ('Spain', 'Norway') DURING 2024"},
			{"which one performed best?", "SELECT airlines.name, delay AT airlines WHERE airports.country IN ('Spain', 'Norway') DURING 2024 TOP 1 airlines BY delay ASC"},
			{"undo twice", "SELECT airlines.name, passengers AT airlines WHERE airports.country IN ('Spain', 'Norway') DURING 2024"},
		},
		{
			{"passengers in 2024", "SELECT passengers DURING 2024"},
			{"by month", "SELECT flights.departed.month, passengers DURING 2024"},
			{"by quarter instead", "SELECT flights.departed.quarter, passengers DURING 2024"},
			{"versus last year", "SELECT flights.departed.quarter, passengers DURING 2024 COMPARE TO SAME PERIOD LAST YEAR"},
			{"excluding Condor", "SELECT flights.departed.quarter, passengers WHERE airlines.name <> 'Condor' DURING 2024 COMPARE TO SAME PERIOD LAST YEAR"},
			{"and exclude Iberia too", "SELECT flights.departed.quarter, passengers WHERE airlines.name NOT IN ('Condor', 'Iberia') DURING 2024 COMPARE TO SAME PERIOD LAST YEAR"},
		},
		{
			{"passengers by airline", byAirline},
			{"what is the average?", "SELECT AVG(passengers AT airlines)"},
			{"go back", byAirline},
			{"how many are there?", "SELECT COUNT(DISTINCT airlines.airline_id) FROM flights"},
		},
		{
			{"flights by airline in 2024", "SELECT airlines.name, flight_count AT airlines DURING 2024"},
			{"only those with more than 100 flights", "SELECT airlines.name, flight_count AT airlines DURING 2024 HAVING flight_count > 100"},
			{"passengers by airport", "SELECT airports.city, passengers AT airports"},
		},
	})
}

// A set that a later question changes the period of is the list of those that were shown.
func TestThoseThatWereShownAreListed(t *testing.T) {
	m := flights()
	k := &talk{ix: NewIndex(m, nil), env: frameql.Env{Model: m, Now: time.Date(2025, 6, 30, 0, 0, 0, 0, time.UTC)}}
	k.say("top 2 airlines by passengers in 2024")
	k.history.Turns[0].Members = &Members{Dimension: "airlines.name", Values: []frameql.Value{{Kind: frameql.String, Text: "Iberia"}, {Kind: frameql.String, Text: "Swiss"}}}
	r := k.say("what are the passengers of those airlines in 2023?")
	if got := outcome(r); got != "answered: SELECT passengers WHERE airlines.name IN ('Iberia', 'Swiss') DURING 2023" {
		t.Errorf("got %s", got)
	}
	if f := r.Reading.Follow; f == nil || len(f.Carried) != 1 || f.Carried[0].FrameQL != "SELECT passengers DURING 2023" {
		t.Errorf("follow %+v", r.Reading.Follow)
	}
}

// What was taken over is said, each part with the query that leaves it out.
func TestWhatIsCarriedAndDroppedIsSaid(t *testing.T) {
	m := traders()
	k := &talk{ix: NewIndex(m, traderValues()), env: traderEnv(m)}
	k.say("revenue by category in Germany in 1997")
	f := k.say("by customer instead").Reading.Follow
	if len(f.Carried) != 2 || f.Carried[0].FrameQL != "SELECT customers.company_name, revenue AT customers DURING 1997" || f.From != 1 {
		t.Errorf("carried %+v", f)
	}
	f = k.say("freight by shipper").Reading.Follow
	if len(f.Carried) != 0 || len(f.Dropped) != 2 || f.Kinds[0] != PatchShift {
		t.Errorf("dropped %+v", f)
	}
}

// A choice among readings holds for the session, until the question says otherwise.
func TestAChoiceIsSettled(t *testing.T) {
	m := traders()
	k := &talk{ix: NewIndex(m, traderValues()), env: traderEnv(m)}
	r := k.say("revenue in London")
	if r.Clarify == nil || len(r.Clarify.Options) == 0 {
		t.Fatalf("not asked: %s", outcome(r))
	}
	want := r.Clarify.Options[0].Value
	if got := outcome(k.say(r.Clarify.Options[0].Question)); got != "answered: "+want {
		t.Fatalf("got %s, want %s", got, want)
	}
	if len(k.history.Settled) != 1 {
		t.Fatalf("settled %+v", k.history.Settled)
	}
	again := k.say("revenue in London by category")
	if again.Clarify != nil || again.Reading == nil || len(again.Reading.Query.Where.String()) == 0 {
		t.Errorf("asked again: %s", outcome(again))
	}
	if got := outcome(k.say("revenue where ship city is London")); got != "answered: SELECT revenue WHERE orders.ship_city = 'London'" {
		t.Errorf("a choice that is contradicted: %s", got)
	}
}
