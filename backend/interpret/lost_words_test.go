package interpret

import (
	"testing"

	"assay/backend/semantic"
)

// depot has drivers with records, goods of kinds that a code names, films of makers, and guides and guests who share the
// names of their attributes.
func depot() (*semantic.Model, []ValueSet) {
	goods := bare("goods", 80, "goods_id integer", "kind_code text", "goods_name text", "list_price decimal", "typical_store_price decimal", "weight decimal")
	goods.ForeignKeys = []semantic.ForeignKey{{Columns: []string{"kind_code"}, RefTable: "ref_goods_kinds", RefColumns: []string{"kind_code"}}}
	kinds := bare("ref_goods_kinds", 6, "kind_code text", "kind_description text")
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
			goods, kinds,
			bare("driver", 20, "driver_id integer", "name text", "driver_base text", "age integer"),
			bare("driver_record", 60, "driver_record_id integer", "driver_id -> driver", "car text", "raced_on date"),
			bare("base", 5, "base_id integer", "place text"),
			bare("film", 70, "film_id integer", "title text", "maker text", "length integer"),
			bare("guide", 9, "guide_id integer", "gd_lname text", "gd_fname text"),
			bare("tour", 30, "tour_id integer", "title text", "guide_id -> guide"),
			bare("guest", 90, "guest_id integer", "gst_lname text", "gst_fname text", "gst_init text"),
			bare("booking", 200, "booking_id integer", "tour_id -> tour", "guest_id -> guest", "mark text"),
			bare("paper", 40, "paper_id integer", "writer text", "institute text"),
			bare("venue", 5, "venue_id integer", "name text", "town text"),
			bare("approval", 40, "approval_id integer", "paper_id -> paper", "venue_id -> venue"),
			bare("donor", 12, "donor_id integer", "name text"),
			bare("gift", 60, "gift_id integer", "donor_id -> donor", "gift_amount decimal"),
			bare("visit", 60, "visit_id integer", "donor_id -> donor", "seen_on date"),
		}}, semantic.Settings{}), []ValueSet{
			valuesOf("goods", "kind_code", "Tools", "Ropes", "Tents"), valuesOf("ref_goods_kinds", "kind_code", "Tools", "Ropes", "Tents"),
			valuesOf("film", "maker", "Blue Door Pictures", "Hill House"), valuesOf("film", "title", "The Long Door"),
			valuesOf("guide", "gd_lname", "Marlow", "Quint"), valuesOf("guest", "gst_lname", "Marlow", "Reyes"),
			valuesOf("booking", "mark", "A", "B", "C", "AB"), valuesOf("guest", "gst_init", "C", "K"),
			valuesOf("paper", "institute", "North", "South"),
		}
}

func TestRowsThatMustExist(t *testing.T) {
	asks(t, "depot", []struct{ question, query string }{
		{"drivers who have records", "SELECT driver.name AT driver WHERE ANY driver_record"},
		{"What are the names of drivers that have a record?", "SELECT driver.name AT driver WHERE ANY driver_record"},
		{"Show the drivers with any records.", "SELECT driver.name AT driver WHERE ANY driver_record"},
		{"how many drivers have records", "SELECT driver_count WHERE ANY driver_record"},
		{"drivers without any record", "SELECT driver.name AT driver WHERE NO driver_record"},
		{"venues that have records", ""},
		{"venues with information", ""},
		{"How many venues have details?", ""},
		{"Which drivers had records in 2014?", "SELECT driver.name AT driver WHERE ANY driver_record (driver_record.raced_on >= '2014-01-01' AND driver_record.raced_on < '2015-01-01')"},
		{"drivers who have records or are older than 50", "SELECT driver.name, driver.age AT driver WHERE ANY driver_record OR driver.age > 50"},
		{"drivers who have records and are older than 50", "SELECT driver.name, driver.age AT driver WHERE driver.age > 50 AND ANY driver_record"},
		{"drivers for whom there are records", ""},
		{"What records do drivers have?", ""},
		{"list drivers and their records", ""},
		{"names of venues with data", ""},
		{"list the venues with details", "SELECT venue.name AT venue"},
		{"List all venues in our records", "SELECT venue.name AT venue"},
	})
}

func TestConditionsOnTheRowsThatAreCounted(t *testing.T) {
	asks(t, "depot", []struct{ question, query string }{
		{"How many goods are in the 'Tools' kind and have a list price of over 50?", "SELECT goods_count WHERE goods.list_price > 50 AND goods.kind_code = 'Tools'"},
		{"How many goods are of the Tools kind and have a list price above 50?", "SELECT goods_count WHERE goods.list_price > 50 AND goods.kind_code = 'Tools'"},
		{"How many goods of the kind 'Tools' weigh more than 3 and have a list price of over 50?", "SELECT goods_count WHERE goods.weight > 3 AND goods.list_price > 50 AND goods.kind_code = 'Tools'"},
		{"how many kinds have goods with a list price over 50", "SELECT COUNT(DISTINCT ref_goods_kinds.kind_code) FROM goods WHERE goods.list_price > 50"},
		{"which kinds have an average list price over 50", "SELECT goods.kind_code, average_list_price HAVING average_list_price > 50 ORDER BY average_list_price DESC"},
		{"How many goods of the kind 'Tools' have a typical price of over 50?", "SELECT goods_count WHERE goods.typical_store_price > 50 AND goods.kind_code = 'Tools'"},
		{"names of goods aged above 3", ""},
		{"how many goods have a weight over 3", "SELECT goods_count WHERE goods.weight > 3"},
	})
}

func TestMembersNamedWithTheirNumber(t *testing.T) {
	asks(t, "school", []struct{ question, query string }{
		{"home towns of students aged above 22", "SELECT student.home_town WHERE student.age > 22"},
		{"students aged over 22", "SELECT student.name, student.age AT student WHERE student.age > 22"},
	})
}

func TestAmountsOfRows(t *testing.T) {
	asks(t, "depot", []struct{ question, query string }{
		{"total amount of gifts given by each donor", "SELECT donor.name, gift_amount AT donor"},
		{"the amount of gifts by donor", "SELECT donor.name, gift_amount AT donor"},
		{"What is the total amount of gifts?", "SELECT gift_amount"},
		{"the amount of visits by donor", ""},
		{"total amount of visits", ""},
	})
}

func TestLettersThatAreValues(t *testing.T) {
	asks(t, "depot", []struct{ question, query string }{
		{"guests who got A or C", "SELECT guest.gst_lname AT guest WHERE ANY booking (booking.mark IN ('A', 'C'))"},
		{"guests who got mark A or C", "SELECT guest.gst_lname AT guest WHERE ANY booking (booking.mark IN ('A', 'C'))"},
		{"guests who received an A or C", "SELECT guest.gst_lname AT guest WHERE ANY booking (booking.mark IN ('A', 'C'))"},
		{"guests who got a or c", ""},
		{"how many bookings have mark A or B", "SELECT booking_count WHERE booking.mark IN ('A', 'B')"},
		{"bookings with mark 'A' or 'AB'", "SELECT booking.booking_id, booking.mark AT booking WHERE booking.mark IN ('A', 'AB')"},
	})
}

func TestWhoseName(t *testing.T) {
	asks(t, "depot", []struct{ question, query string }{
		{"What are the titles of films that have been produced by a maker whose name contains 'Door'?", "SELECT film.title AT film WHERE film.maker CONTAINS 'Door'"},
		{"film makers whose name contains \"Door\"", "SELECT film.maker WHERE film.maker CONTAINS 'Door'"},
		{"makers whose name is 'Hill House'", "SELECT film.maker WHERE film.maker = 'Hill House'"},
		{"How many films are by makers whose name contains \"Door\"?", "SELECT film_count WHERE film.maker CONTAINS 'Door'"},
		{"number of films by makers whose name starts with 'B'", "SELECT film.maker, film_count WHERE film.maker STARTS WITH 'B'"},
		{"guests whose first name contains 'an'", "SELECT guest.gst_lname AT guest WHERE guest.gst_fname CONTAINS 'an'"},
		{"guests who booked the tour whose guide is Marlow", "SELECT guest.gst_lname AT guest WHERE ANY booking (guide.gd_lname = 'Marlow')"},
		{"names of drivers whose base contains the word \"Hill\"", "SELECT driver.name AT driver WHERE driver.driver_base CONTAINS 'Hill'"},
		{"films whose title contains \"Door\"", "SELECT film.title AT film WHERE film.title CONTAINS 'Door'"},
		{"films of makers whose names start with Blue", "SELECT film.title AT film WHERE film.maker STARTS WITH 'Blue'"},
		{"tours booked by the guest whose last name is Marlow", "SELECT tour.title AT tour WHERE ANY booking (guest.gst_lname = 'Marlow')"},
		{"What is the title of the tour which the guest whose last name is Marlow booked?", "SELECT tour.title AT tour WHERE ANY booking (guest.gst_lname = 'Marlow')"},
		{"titles of tours led by the guide whose last name is Marlow", "SELECT tour.title AT tour WHERE guide.gd_lname = 'Marlow'"},
		{"guests whose last name is Marlow", "SELECT guest.gst_lname AT guest WHERE guest.gst_lname = 'Marlow'"},
	})
}

func TestNamesOfWhatIsSplitBy(t *testing.T) {
	asks(t, "depot", []struct{ question, query string }{
		{"For each institute, return the institute name and the count of writers with papers from that institute.", "SELECT paper.institute, COUNT(DISTINCT paper.writer)"},
		{"For each institute, show the institute name and the number of papers", "SELECT paper.institute, paper_count"},
		{"For each institute, list the name of the institute and the number of papers", "SELECT paper.institute, paper_count"},
		{"Return the name and number of records for each of the drivers", "SELECT driver.name, driver_record_count AT driver"},
		{"the name and number of records of each driver", "SELECT driver.name, driver_record_count AT driver"},
		{"List the names and average ages of all drivers", "SELECT driver.name, average_age"},
		{"List the names and average gift amounts of all donors", "SELECT donor.name, average_gift_amount AT donor"},
		{"Show each maker's name and the number of films", "SELECT film.maker, film_count"},
	})
}
