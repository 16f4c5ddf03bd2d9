package interpret

import (
	"slices"
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// regatta has skippers who sail boats, their dogs, and a list of harbours.
func regatta() (*semantic.Model, []ValueSet) {
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
			bare("skipper", 40, "skipper_id integer", "name text", "nationality text", "age integer", "net_worth_millions decimal", "email_address text", "home_town text"),
			bare("boat", 60, "boat_id integer", "name text", "skipper_id -> skipper", "masts integer", "weight decimal", "mpg decimal", "length_feet decimal"),
			bare("pets", 20, "pet_id integer", "pet_type text", "weight decimal"),
			bare("has_pet", 20, "row_id integer", "skipper_id -> skipper", "pet_id -> pets"),
			bare("harbour_list", 12, "harbour_id integer", "name text"),
		}}, semantic.Settings{}), []ValueSet{
			valuesOf("skipper", "nationality", "France", "Norway", "United States"), valuesOf("pets", "pet_type", "dog", "parrot"),
			valuesOf("skipper", "home_town", "Brest", "Bergen"),
		}
}

// academy has highschoolers and nothing that is called a student.
func academy() (*semantic.Model, []ValueSet) {
	return semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
		bare("highschooler", 40, "highschooler_id integer", "name text", "grade integer"),
	}}, semantic.Settings{}), nil
}

func init() { worlds["regatta"], worlds["academy"] = regatta, academy }

// A word that the model does not have is read as what it can only stand for here.
func TestWordsThatStandForAnAttribute(t *testing.T) {
	asks(t, "regatta", []struct{ question, query string }{
		{"How many skippers are there in each country?", "SELECT skipper.nationality, skipper_count"},
		{"names of the skippers by wealth in ascending order", ""},
		{"List the skippers in ascending order of wealth", "SELECT skipper.name, skipper.net_worth_millions AT skipper ORDER BY skipper.net_worth_millions"},
		{"Who is the richest skipper?", "SELECT skipper.name, skipper.net_worth_millions AT skipper ORDER BY skipper.net_worth_millions DESC LIMIT 1"},
		{"average miles per gallon of the boats", "SELECT average_mpg"},
		{"What are the emails of the skippers?", "SELECT skipper.name, skipper.email_address AT skipper"},
		{"How many species of pets are there?", "SELECT COUNT(DISTINCT pets.pet_type)"},
		{"How many animals are there?", "SELECT pet_count"},
		{"How many harbours are listed?", "SELECT harbour_list_count"},
		{"What are the distinct weights of boats that are below the average weight of all boats?", "SELECT boat.weight WHERE boat.weight < (average_boat_weight AT ())"},
	})
	asks(t, "academy", []struct{ question, query string }{
		{"How many students are in each grade?", "SELECT highschooler.grade, highschooler_count"},
		{"number of high school students", "SELECT highschooler_count"},
	})
}

func TestWhatAWordStandsForIsSaid(t *testing.T) {
	m, values := regatta()
	env := frameql.Env{Model: m, Now: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)}
	r := NewIndex(m, values).Read(Request{Question: "number of skippers by country", Env: env})
	if r.Reading == nil || !slices.Contains(r.Reading.Assumptions, "“country” was read as skippers nationality.") {
		t.Errorf("%+v", r.Reading)
	}
}

func TestNationalitiesAndCountries(t *testing.T) {
	asks(t, "regatta", []struct{ question, query string }{
		{"How many French skippers are there?", "SELECT skipper_count WHERE skipper.nationality = 'France'"},
		{"skippers who are not Norwegian", "SELECT skipper.name AT skipper WHERE skipper.nationality <> 'Norway'"},
		{"skippers who are not Norwegian citizens", ""},
		{"number of American skippers", "SELECT skipper_count WHERE skipper.nationality = 'United States'"},
		{"tell us the number of skippers", "SELECT skipper_count"},
	})
}

func TestWhereMembersAreFrom(t *testing.T) {
	asks(t, "regatta", []struct{ question, query string }{
		{"Where is the oldest skipper from?", "SELECT skipper.name, skipper.age, skipper.nationality, skipper.home_town AT skipper ORDER BY skipper.age DESC LIMIT 1"},
		{"Where are the boats?", ""},
	})
	asks(t, "stage", []struct{ question, query string }{
		{"Where are the stadiums?", "SELECT stadium.name, stadium.city AT stadium"},
	})
}

// A unit behind a number names what is measured in it where the data has one such thing.
func TestUnitsNameWhatTheyMeasure(t *testing.T) {
	asks(t, "school", []struct{ question, query string }{
		{"How many pets are over 10 lbs?", "SELECT pet_count WHERE pet.weight > 10"},
		{"How many students are over 10 lbs?", ""},
		{"pets between 3 and 5 kilograms", "SELECT pet.pet_id, pet.weight, pet.kind AT pet WHERE pet.weight BETWEEN 3 AND 5"},
	})
}

// "For different ones" splits, and does not ask whether the number is one over all of them.
func TestDifferentOnesSplit(t *testing.T) {
	asks(t, "regatta", []struct{ question, query string }{
		{"average age of the skippers for different nationalities", "SELECT skipper.nationality, average_age"},
	})
}

func TestAChoiceIsTheSameHoweverItIsRead(t *testing.T) {
	asks(t, "stage", []struct{ question, query string }{
		{"titles of the songs whose release year is either 1998 or 1999", "SELECT song.title AT song WHERE song.release_year = 1998 OR song.release_year = 1999"},
	})
}
