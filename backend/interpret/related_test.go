package interpret

import (
	"strings"
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// bare builds the facts of a table that nobody described: columns as "name type", where the first one is the key and a
// type "-> table" is a foreign key to the key of that table.
func bare(table string, rows int64, columns ...string) semantic.TableFacts {
	f := semantic.TableFacts{Table: table, Rows: rows, KeyDeclared: true}
	for i, c := range columns {
		name, kind, _ := strings.Cut(c, " ")
		facts := semantic.ColumnFacts{Column: name, Alias: fold(name), Type: semantic.Type(kind), Distinct: max(2, rows/2), AvgLength: 8}
		if ref, ok := strings.CutPrefix(kind, "-> "); ok {
			facts.Type = semantic.Integer
			f.ForeignKeys = append(f.ForeignKeys, semantic.ForeignKey{Columns: []string{name}, RefTable: ref, RefColumns: []string{ref + "_id"}})
		}
		if facts.Type == semantic.Text {
			facts.Sample = []string{"Adam", "Bella", "Cora"}
		}
		if i == 0 || name == "name" || name == "title" {
			facts.Distinct = rows
		}
		if i == 0 {
			f.Key = []string{name}
		}
		f.Columns = append(f.Columns, facts)
	}
	return f
}

func valuesOf(entity, dimension string, values ...string) ValueSet {
	return ValueSet{Entity: entity, Dimension: dimension, Values: values, Complete: true}
}

// school has students who enroll in courses that teachers give, and pets.
func school() (*semantic.Model, []ValueSet) {
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
			bare("student", 40, "student_id integer", "name text", "age integer", "home_town text", "email text"),
			bare("teacher", 8, "teacher_id integer", "name text", "age integer"),
			bare("course", 12, "course_id integer", "title text", "credits integer", "teacher_id -> teacher"),
			bare("enrollment", 90, "enrollment_id integer", "student_id -> student", "course_id -> course", "grade decimal", "enrolled_on date"),
			bare("pet", 30, "pet_id integer", "student_id -> student", "kind text", "weight decimal"),
		}}, semantic.Settings{}), []ValueSet{
			valuesOf("course", "title", "Algebra", "Botany", "Chemistry"), valuesOf("pet", "kind", "cat", "dog", "hamster"),
			valuesOf("student", "home_town", "Lyon", "Turin"), valuesOf("teacher", "name", "Ada Quill", "Ben Stone"), valuesOf("student", "name", "Mia Fox", "Tom Reed"),
		}
}

// stage has singers who appear in concerts that stadiums host, many to many.
func stage() (*semantic.Model, []ValueSet) {
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
			bare("stadium", 9, "stadium_id integer", "name text", "city text", "capacity integer"),
			bare("singer", 20, "singer_id integer", "name text", "country text", "age integer"),
			bare("concert", 60, "concert_id integer", "title text", "theme text", "stadium_id -> stadium", "held_on date", "year integer"),
			bare("singer_in_concert", 120, "row_id integer", "concert_id -> concert", "singer_id -> singer"),
			bare("song", 200, "song_id integer", "title text", "singer_id -> singer", "release_year integer"),
		}}, semantic.Settings{}), []ValueSet{
			valuesOf("singer", "country", "France", "Italy", "Japan"), valuesOf("singer", "name", "Joe Sharp", "Rosa Vento"),
			valuesOf("stadium", "name", "Balmoor", "Riverside"), valuesOf("stadium", "city", "Perth", "Alloa"), valuesOf("concert", "theme", "Wide Awake", "Party All Night"),
		}
}

// skies has airlines with flights between airports.
func skies() (*semantic.Model, []ValueSet) {
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
			bare("airline", 9, "airline_id integer", "name text", "country text"),
			bare("airport", 20, "airport_id integer", "name text", "city text"),
			bare("flight", 300, "flight_id integer", "airline_id -> airline", "airport_id -> airport", "distance integer"),
		}}, semantic.Settings{}), []ValueSet{
			valuesOf("airport", "city", "Rome", "Oslo"), valuesOf("airport", "name", "Fiumicino", "Gardermoen"),
			valuesOf("airline", "name", "Blue Wing", "Nordair"), valuesOf("airline", "country", "Norway", "Spain"),
		}
}

var worlds = map[string]func() (*semantic.Model, []ValueSet){
	"school": school, "kitchen": kitchen, "stage": stage, "ferries": ferries, "village": village, "skies": skies, "press": press, "depot": depot, "islands": islands, "league": league, "library": library,
	"traders": func() (*semantic.Model, []ValueSet) { return traders(), traderValues() },
}

// asks reads questions over one of the worlds and compares them with their query.
func asks(t *testing.T, world string, cases []struct{ question, query string }) {
	t.Helper()
	m, values := worlds[world]()
	env := frameql.Env{Model: m, Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	if world == "traders" {
		env = traderEnv(m)
	}
	reads(t, NewIndex(m, values), env, cases)
}

// reads compares questions with the query that they are read as; an empty query wants no answer.
func reads(t *testing.T, ix *Index, env frameql.Env, cases []struct{ question, query string }) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.question, func(t *testing.T) {
			r := ix.Read(Request{Question: c.question, Env: env})
			answered := r.Reading != nil && r.Clarify == nil
			if c.query == "" && answered || c.query != "" && (!answered || r.Reading.Query.String() != c.query) {
				t.Errorf("%s\n           want %s", outcome(r), c.query)
			} else if answered && len(r.Reading.Unread) > 0 {
				t.Errorf("unread: %q", r.Reading.Unread)
			}
		})
	}
}

func TestAbsence(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"customers without orders", "SELECT customers.company_name AT customers WHERE NO orders"},
		{"which customers never placed an order", "SELECT customers.company_name AT customers WHERE NO orders"},
		{"how many customers have no orders", "SELECT COUNT(*) FROM customers WHERE NO orders"},
		{"products that were never ordered", "SELECT products.product_name AT products WHERE NO order_lines"},
		{"customers who did not order Chai", "SELECT customers.company_name AT customers WHERE NO order_lines (products.product_name = 'Chai')"},
		{"customers in Germany without orders in 1997", "SELECT customers.company_name AT customers WHERE customers.country = 'Germany' AND NO orders (orders.order_date >= '1997-01-01' AND orders.order_date < '1998-01-01')"},
		{"customers who do not live in London", "SELECT customers.company_name AT customers WHERE customers.city <> 'London'"},
		{"categories with no discontinued products", "SELECT categories.category_name AT categories WHERE NO products (products.discontinued = TRUE)"},
	})
	asks(t, "school", []struct{ question, query string }{
		{"students who do not have any pets", "SELECT student.name AT student WHERE NO pet"},
		{"List the names of students without a pet.", "SELECT student.name AT student WHERE NO pet"},
		{"How many students do not own a dog?", "SELECT student_count WHERE NO pet (pet.kind = 'dog')"},
		{"Which students are not enrolled in any course?", "SELECT student.name AT student WHERE NO enrollment"},
		{"teachers who do not teach any course", "SELECT teacher.name AT teacher WHERE NO course"},
		{"students who have never taken Botany", "SELECT student.name AT student WHERE NO enrollment (course.title = 'Botany')"},
		{"students that do not have any record", ""},
		{"teachers whose courses were never enrolled in", "SELECT teacher.name AT teacher WHERE NO enrollment"},
		{"average age of students who have no pets", "SELECT average_student_age WHERE NO pet"},
	})
	asks(t, "skies", []struct{ question, query string }{
		{"airlines that have no flights from Rome", "SELECT airline.name AT airline WHERE NO flight (airport.city = 'Rome')"},
		{"which airports have no flights", "SELECT airport.name AT airport WHERE NO flight"},
		{"number of airlines without any flights", "SELECT airline_count WHERE NO flight"},
	})
	asks(t, "stage", []struct{ question, query string }{
		{"stadiums that did not have any concert in 2014", "SELECT stadium.name AT stadium WHERE NO concert (concert.held_on >= '2014-01-01' AND concert.held_on < '2015-01-01')"},
		{"What are the names of the singers who have not appeared in any concert?", "SELECT singer.name AT singer WHERE NO singer_in_concert"},
	})
}

func TestRelatedRows(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"customers who ordered Chai", "SELECT customers.company_name AT customers WHERE ANY order_lines (products.product_name = 'Chai')"},
		{"suppliers with discontinued products", "SELECT suppliers.company_name AT suppliers WHERE ANY products (products.discontinued = TRUE)"},
	})
	asks(t, "school", []struct{ question, query string }{
		{"names of students who have a cat", "SELECT student.name AT student WHERE ANY pet (pet.kind = 'cat')"},
		{"courses which the student whose name is Mia Fox takes", "SELECT course.title AT course WHERE ANY enrollment (student.name = 'Mia Fox')"},
		{"students with pets", "SELECT student.name AT student WHERE ANY pet"},
		{"students who have pets heavier than 10", "SELECT student.name AT student WHERE ANY pet (pet.weight > 10)"},
		{"Which students are enrolled in Algebra?", "SELECT student.name AT student WHERE ANY enrollment (course.title = 'Algebra')"},
		{"courses taught by Ada Quill", "SELECT course.title AT course WHERE teacher.name = 'Ada Quill'"},
		{"teachers who teach Botany", "SELECT teacher.name AT teacher WHERE ANY course (course.title = 'Botany')"},
		{"What is the average age of students who own a dog?", "SELECT average_student_age WHERE ANY pet (pet.kind = 'dog')"},
		{"courses that Mia Fox is enrolled in", "SELECT course.title AT course WHERE ANY enrollment (student.name = 'Mia Fox')"},
	})
	asks(t, "stage", []struct{ question, query string }{
		{"stadiums that had a concert in 2014", "SELECT stadium.name AT stadium WHERE ANY concert (concert.held_on >= '2014-01-01' AND concert.held_on < '2015-01-01')"},
		{"names of singers who performed in a concert with theme Wide Awake", "SELECT singer.name AT singer WHERE ANY singer_in_concert (concert.theme = 'Wide Awake')"},
		{"Which singers performed at Riverside?", "SELECT singer.name AT singer WHERE ANY singer_in_concert (stadium.name = 'Riverside')"},
		{"singers who have songs", "SELECT singer.name AT singer WHERE ANY song"},
	})
}

func TestTheMostCommon(t *testing.T) {
	asks(t, "stage", []struct{ question, query string }{
		{"What is the most common country of singers?", "SELECT singer.country, singer_count TOP 1 singer.country BY singer_count"},
		{"which theme is most frequent", "SELECT concert.theme, concert_count TOP 1 concert.theme BY concert_count"},
		{"the least common country among singers", "SELECT singer.country, singer_count TOP 1 singer.country BY singer_count ASC"},
		{"the 3 most common themes", "SELECT concert.theme, concert_count TOP 3 concert.theme BY concert_count"},
		{"Which country is the most common for singers, and how many singers are from there?", "SELECT singer.country, singer_count TOP 1 singer.country BY singer_count"},
		{"What is the most popular theme and how many concerts have it?", "SELECT concert.theme, concert_count TOP 1 concert.theme BY concert_count"},
		{"most common theme of concerts in 2014", "SELECT concert.theme, concert_count DURING 2014 TOP 1 concert.theme BY concert_count"},
	})
	asks(t, "school", []struct{ question, query string }{
		{"the most common kind of pet", "SELECT pet.kind, pet_count TOP 1 pet.kind BY pet_count"},
		{"which home town is most common among students older than 20", "SELECT student.home_town, student_count WHERE student.age > 20 TOP 1 student.home_town BY student_count"},
		{"which course is the most popular", "SELECT course.title, enrollment_count AT course TOP 1 course BY enrollment_count"},
		{"the most popular teacher among students", "SELECT teacher.name, enrollment_count AT teacher TOP 1 teacher BY enrollment_count"},
	})
	asks(t, "traders", []struct{ question, query string }{
		{"most common country of customers", "SELECT customers.country, COUNT(*) FROM customers TOP 1 customers.country BY COUNT(*)"},
		{"the most common country", ""},
	})
}

// What two things have in common besides is not taken for their relation, and of two relations none is chosen.
func TestRelationsThatAreNotClear(t *testing.T) {
	m, values := school()
	m.Entities = append(m.Entities, entity("waiting_list", "Waiting list", []string{"entry_id"}, "", "", dim("entry_id", semantic.Integer), dim("student_id", semantic.Integer), dim("course_id", semantic.Integer)))
	m.Joins = append(m.Joins, link("waiting_list", "student", "student_id"), link("waiting_list", "course", "course_id"))
	ix := NewIndex(m, values)
	reads(t, ix, frameql.Env{Model: m}, []struct{ question, query string }{
		{"students who did not take Botany", ""},
		{"students without a course", ""},
		{"students who never enrolled in Botany", "SELECT student.name AT student WHERE NO enrollment (course.title = 'Botany')"},
		{"students on the waiting list for Botany", "SELECT student.name AT student WHERE ANY waiting_list (course.title = 'Botany')"},
		{"Which students never enrolled in any course", "SELECT student.name AT student WHERE NO enrollment"},
	})
}

func TestCountsOfRelatedRows(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"how many customers have more than 10 orders", "SELECT COUNT(*) FROM customers WHERE (order_count AT customers) > 10"},
		{"the city of customers with at least 3 orders", "SELECT customers.company_name, customers.city AT customers WHERE (order_count AT customers) >= 3"},
		{"company name and city of customers with more than 5 orders in 1997", "SELECT customers.company_name, customers.city AT customers WHERE (order_count FILTER (WHERE orders.order_date >= '1997-01-01' AND orders.order_date < '1998-01-01') AT customers) > 5"},
		{"revenue by category for customers with more than 10 orders", "SELECT categories.category_name, revenue AT categories WHERE (order_count AT customers) > 10"},
		{"products ordered more than once", "SELECT products.product_name AT products WHERE (COUNT(DISTINCT orders.order_id) AT products) > 1"},
		{"customers with several orders", "SELECT customers.company_name AT customers WHERE (order_count AT customers) >= 2"},
		{"names of customers with revenue above 10000", "SELECT customers.company_name AT customers WHERE (revenue AT customers) > 10000"},
		{"revenue of customers with more than 10 orders", "SELECT revenue WHERE (order_count AT customers) > 10"},
	})
	asks(t, "school", []struct{ question, query string }{
		{"names of students with more than two pets", "SELECT student.name AT student WHERE (pet_count AT student) > 2"},
		{"How many students have exactly one pet?", "SELECT student_count WHERE (pet_count AT student) = 1"},
		{"students with two pets", "SELECT student.name AT student WHERE (pet_count AT student) = 2"},
		{"names and ages of students who take at least 2 courses", "SELECT student.name, student.age AT student WHERE (COUNT(DISTINCT course.course_id) AT student) >= 2"},
		{"What are the names of teachers who teach two or more courses?", "SELECT teacher.name AT teacher WHERE (course_count AT teacher) >= 2"},
		{"students who own at least 2 pets heavier than 5", "SELECT student.name, pet_count AT student WHERE pet.weight > 5 HAVING pet_count >= 2 ORDER BY pet_count DESC"},
		{"courses offered by more than one teacher", ""},
		{"home towns with only one student", "SELECT student.home_town, student_count HAVING student_count = 1 ORDER BY student_count DESC"},
	})
	asks(t, "stage", []struct{ question, query string }{
		{"names of singers who performed in more than 3 concerts", "SELECT singer.name AT singer WHERE (COUNT(DISTINCT concert.concert_id) AT singer) > 3"},
		{"which stadiums hosted at least 2 concerts", "SELECT stadium.name, concert_count AT stadium HAVING concert_count >= 2 ORDER BY concert_count DESC"},
	})
}

func TestValuesThatKindsShare(t *testing.T) {
	asks(t, "stage", []struct{ question, query string }{
		{"Which countries have both singers older than 40 and singers younger than 30?", "SELECT singer.country HAVING singer_count FILTER (WHERE singer.age > 40) > 0 AND singer_count FILTER (WHERE singer.age < 30) > 0"},
		{"countries that have no singers older than 40", "SELECT singer.country HAVING singer_count FILTER (WHERE singer.age > 40) = 0"},
		{"which countries do not have any singer", ""},
		{"the theme shared by concerts in Perth and concerts in Alloa", "SELECT concert.theme HAVING concert_count FILTER (WHERE stadium.city = 'Perth') > 0 AND concert_count FILTER (WHERE stadium.city = 'Alloa') > 0"},
	})
	asks(t, "school", []struct{ question, query string }{
		{"home towns of students without a dog", "SELECT student.name, student.home_town AT student WHERE NO pet (pet.kind = 'dog')"},
		{"which home towns have no students with a cat", "SELECT student.home_town HAVING student_count FILTER (WHERE ANY pet (pet.kind = 'cat')) = 0"},
	})
}

func TestSeveralRelatedRows(t *testing.T) {
	asks(t, "school", []struct{ question, query string }{
		{"students who have both a cat and a dog", "SELECT student.name AT student WHERE ANY pet (pet.kind = 'cat') AND ANY pet (pet.kind = 'dog')"},
		{"students who have a cat but not a dog", "SELECT student.name AT student WHERE ANY pet (pet.kind = 'cat') AND NO pet (pet.kind = 'dog')"},
		{"students who have a cat or a dog", "SELECT student.name AT student WHERE ANY pet (pet.kind IN ('cat', 'dog'))"},
		{"students who have either a cat or a dog", "SELECT student.name AT student WHERE ANY pet (pet.kind IN ('cat', 'dog'))"},
		{"students who have neither a cat nor a dog", "SELECT student.name AT student WHERE NO pet (pet.kind IN ('cat', 'dog'))"},
		{"How many students take Algebra and Botany?", "SELECT student_count WHERE ANY enrollment (course.title = 'Algebra') AND ANY enrollment (course.title = 'Botany')"},
		{"students who enrolled but do not have a pet", "SELECT student.name AT student WHERE NO pet AND ANY enrollment"},
		{"students who have a dog and are older than 20", "SELECT student.name, student.age AT student WHERE student.age > 20 AND ANY pet (pet.kind = 'dog')"},
		{"students who have no pets and do not take Algebra", "SELECT student.name AT student WHERE NO pet AND NO enrollment (course.title = 'Algebra')"},
		{"students who take Algebra but do not take Botany", "SELECT student.name AT student WHERE NO enrollment (course.title = 'Botany') AND ANY enrollment (course.title = 'Algebra')"},
	})
	asks(t, "traders", []struct{ question, query string }{
		{"customers who ordered both Chai and Chang", "SELECT customers.company_name AT customers WHERE ANY order_lines (products.product_name = 'Chai') AND ANY order_lines (products.product_name = 'Chang')"},
		{"customers who ordered Chai in 1997", "SELECT customers.company_name AT customers WHERE ANY order_lines (products.product_name = 'Chai' AND orders.order_date >= '1997-01-01' AND orders.order_date < '1998-01-01')"},
	})
	asks(t, "stage", []struct{ question, query string }{
		{"stadiums that had concerts in both 2014 and 2016", "SELECT stadium.name AT stadium WHERE ANY concert (concert.held_on >= '2014-01-01' AND concert.held_on < '2015-01-01') AND ANY concert (concert.held_on >= '2016-01-01' AND concert.held_on < '2017-01-01')"},
		{"names of stadiums that had a concert in 2014 and a concert in 2015", ""},
	})
}

func TestTheFirstOfEachGroup(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"best selling product in each category", "SELECT products.product_name, categories.category_name, units_sold AT (products, categories) TOP 1 products BY units_sold PER categories"},
		{"for each category the top 3 products by revenue", "SELECT products.product_name, categories.category_name, revenue AT (products, categories) TOP 3 products BY revenue PER categories"},
		{"which product has the highest revenue in each category", "SELECT products.product_name, categories.category_name, revenue AT (products, categories) TOP 1 products BY revenue PER categories"},
		{"for each country the customer with the most orders", "SELECT customers.company_name, customers.country, order_count AT (customers, customers.country) TOP 1 customers BY order_count PER customers.country"},
		{"most expensive product in each category", "SELECT products.product_name, categories.category_name, MAX(products.unit_price) AT (products, categories) TOP 1 products BY MAX(products.unit_price) PER categories"},
	})
	asks(t, "school", []struct{ question, query string }{
		{"the oldest student of each home town", "SELECT student.name, student.home_town, MAX(student.age) AT (student, student.home_town) TOP 1 student BY MAX(student.age) PER student.home_town"},
		{"the heaviest pet of each student", "SELECT pet.pet_id, student.name, MAX(pet.weight) AT (pet, student) TOP 1 pet BY MAX(pet.weight) PER student"},
		{"Which pet is heaviest for each kind", "SELECT pet.pet_id, pet.kind, MAX(pet.weight) AT (pet, pet.kind) TOP 1 pet BY MAX(pet.weight) PER pet.kind"},
	})
}

func TestAllRelatedRows(t *testing.T) {
	asks(t, "school", []struct{ question, query string }{
		{"students all of whose grades are above 3", "SELECT student.name AT student WHERE ANY enrollment AND ALL enrollment (enrollment.grade > 3)"},
		{"names of students whose grades are all above 3", "SELECT student.name AT student WHERE ANY enrollment AND ALL enrollment (enrollment.grade > 3)"},
		{"students all of whose pets are cats", "SELECT student.name AT student WHERE ANY pet AND ALL pet (pet.kind = 'cat')"},
		{"students who only have cats", ""},
		{"students all of whose friends are tall", ""},
	})
	asks(t, "traders", []struct{ question, query string }{
		{"customers all of whose orders were shipped to Germany", "SELECT customers.company_name AT customers WHERE ANY orders AND ALL orders (orders.ship_country = 'Germany')"},
	})
	asks(t, "stage", []struct{ question, query string }{
		{"themes shared by concerts in Perth and Alloa", "SELECT concert.theme HAVING concert_count FILTER (WHERE stadium.city = 'Perth') > 0 AND concert_count FILTER (WHERE stadium.city = 'Alloa') > 0"},
	})
}
