package interpret

import (
	"testing"

	"assay/backend/semantic"
)

// resort has guests who stay in chalets, instructors and their lessons, pets and which guest keeps them.
func resort() (*semantic.Model, []ValueSet) {
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
		bare("guest", 40, "guest_id integer", "name text", "age integer", "birthplace text"),
		bare("chalet", 12, "chalet_id integer", "name text", "capacity integer"),
		bare("stay", 90, "stay_id integer", "guest_id -> guest", "chalet_id -> chalet", "nights integer"),
		bare("instructor", 8, "instructor_id integer", "name text", "age integer", "salary decimal"),
		bare("lesson", 30, "lesson_id integer", "instructor_id -> instructor", "level text"),
		bare("pets", 20, "pet_id integer", "species text", "weight decimal"),
		bare("keeps_pet", 20, "row_id integer", "guest_id -> guest", "pet_id -> pets"),
	}}, semantic.Settings{}), []ValueSet{valuesOf("guest", "birthplace", "Brest", "Bergen"), valuesOf("pets", "species", "dog", "parrot")}
}

// region has universities and how many study there, storms, and the outlets of a chain.
func region() (*semantic.Model, []ValueSet) {
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
		bare("university", 14, "university_id integer", "name text", "state text", "enrollment integer", "year_of_founded integer"),
		bare("storm", 14, "storm_id integer", "name text", "killed integer", "injured integer"),
		bare("painter", 14, "painter_id integer", "name text", "birth_date date"),
		bare("lake", 14, "lake_id integer", "name text", "depth decimal", "width decimal"),
		bare("ticket", 14, "ticket_id integer", "label text", "price decimal"),
		bare("outlet", 30, "outlet_id integer", "name text", "open_year integer", "city text"),
	}}, semantic.Settings{}), []ValueSet{valuesOf("university", "state", "Ohio", "Texas")}
}

func init() { worlds["resort"], worlds["region"] = resort, region }

// How many there are of what is listed may be called its frequency.
func TestFrequencyIsACount(t *testing.T) {
	asks(t, "resort", []struct{ question, query string }{
		{"What are the species of the pets, sorted by their frequency?", "SELECT pets.species, pet_count ORDER BY pet_count"},
		{"Show the species of the animals in descending order of count.", "SELECT pets.species, pet_count ORDER BY pet_count DESC"},
		{"levels of the lessons of the instructors by frequency", ""},
	})
}

// Of a family of nouns one stands for another where nothing nearer is called so.
func TestNounsOfOneFamily(t *testing.T) {
	asks(t, "resort", []struct{ question, query string }{
		{"How many tourists are younger than 30?", "SELECT guest_count WHERE guest.age < 30"},
		{"What is the average salary of the teachers?", "SELECT average_salary"},
		{"names of the visitors who never stayed", "SELECT guest.name AT guest WHERE NO stay"},
		{"How many guests are there for each hometown?", "SELECT guest.birthplace, guest_count"},
		{"List the faculty members in the order of age.", "SELECT instructor.name, instructor.age AT instructor ORDER BY instructor.age"},
		{"What is the average weight of the domestic animals?", "SELECT average_weight"},
		{"names of the visitors who stayed more than twice", "SELECT guest.name AT guest WHERE (stay_count AT guest) > 2"},
		{"How many animals does each guest keep?", ""},
	})
	asks(t, "region", []struct{ question, query string }{
		{"How many colleges are in Ohio?", "SELECT university_count WHERE university.state = 'Ohio'"},
		{"list the students", ""},
		{"Which schools were set up after 1950?", "SELECT university.name AT university WHERE university.year_of_founded >= 1951"},
	})
}

// What rows hold a number of is asked for by the noun alone where it is counted.
func TestNounsThatAreCountedInTheRows(t *testing.T) {
	asks(t, "region", []struct{ question, query string }{
		{"Which universities have more than 9000 students?", "SELECT university.name, university.enrollment AT university WHERE university.enrollment > 9000"},
		{"How many students are enrolled in Texas?", "SELECT enrollment WHERE university.state = 'Texas'"},
		{"Which storms have more than 5 people dead?", "SELECT storm.name, storm.killed AT storm WHERE storm.killed > 5"},
		{"average number of people injured by all storms", "SELECT average_injured"},
	})
}

// A year is never compared with how many there are of something.
func TestYearsInWhichSeveralOpened(t *testing.T) {
	asks(t, "region", []struct{ question, query string }{
		{"List all open years when at least two shops are opened", ""},
		{"outlets with an open year of at least 2010", "SELECT outlet.name, outlet.open_year AT outlet WHERE outlet.open_year >= 2010"},
	})
}

// The order of an age is that of the birth turned round, and what was founded has an age too.
func TestAgesFromBirths(t *testing.T) {
	asks(t, "region", []struct{ question, query string }{
		{"List the painters in ascending order of age.", "SELECT painter.name, painter.birth_date AT painter ORDER BY painter.birth_date DESC"},
		{"names of the painters sorted by age descending", "SELECT painter.name, painter.birth_date AT painter ORDER BY painter.birth_date"},
		{"Who is the oldest painter?", "SELECT painter.name, painter.birth_date AT painter ORDER BY painter.birth_date LIMIT 1"},
		{"average age of the painters", ""},
		{"names of the universities in ascending order of the years in which they were set up", "SELECT university.name, university.year_of_founded AT university ORDER BY university.year_of_founded"},
		{"the oldest university", "SELECT university.name, university.year_of_founded AT university ORDER BY university.year_of_founded LIMIT 1"},
		{"Which university was founded the earliest?", "SELECT university.name, university.year_of_founded AT university ORDER BY university.year_of_founded LIMIT 1"},
		{"the state of the university that was founded most recently", "SELECT university.name, university.year_of_founded, university.state AT university ORDER BY university.year_of_founded DESC LIMIT 1"},
	})
}

// Adjectives and verbs name the attribute that they are about.
func TestAdjectivesOfAttributes(t *testing.T) {
	asks(t, "region", []struct{ question, query string }{
		{"the deepest lake", "SELECT lake.name, lake.depth AT lake ORDER BY lake.depth DESC LIMIT 1"},
		{"lakes wider than 3", "SELECT lake.name, lake.width AT lake WHERE lake.width > 3"},
		{"labels of the tickets costing between 5 and 9", "SELECT ticket.label WHERE ticket.price BETWEEN 5 AND 9"},
	})
}

// People are the only kind of people that there is; of two kinds it is asked which.
func TestPeopleAreTheOnlyKindOfPeople(t *testing.T) {
	asks(t, "region", []struct{ question, query string }{
		{"names of the people born before or in 1950", "SELECT painter.name, painter.birth_date AT painter DURING FROM 0001-01-01 TO 1951-01-01 ON painter.birth_date"},
		{"How many people live in Texas?", ""},
	})
	asks(t, "resort", []struct{ question, query string }{
		{"names and ages of the people", ""},
	})
}
