package interpret

import (
	"testing"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// harbour has rows that are dated by years in columns of numbers.
func harbour() *Index {
	return NewIndex(semantic.Infer(semantic.Facts{Tables: []semantic.TableFacts{
		bare("ship", 40, "ship_id integer", "name text", "flag text", "built_year integer", "tonnage integer"),
		bare("voyage", 300, "voyage_id integer", "ship_id -> ship", "launch_year integer", "cargo integer"),
		bare("yard", 30, "yard_id integer", "name text", "founded integer", "workers integer"),
		bare("prize", 60, "prize_id integer", "name text", "year integer", "purse integer"),
	}}, semantic.Settings{}), []ValueSet{valuesOf("ship", "flag", "Norway", "Panama")})
}

// TestYearsInNumbers: a period over rows without a date is a condition on their year, and the verb before it chooses the column.
func TestYearsInNumbers(t *testing.T) {
	ix := harbour()
	env := frameql.Env{Model: ix.model, Now: time.Date(2020, 6, 15, 0, 0, 0, 0, time.UTC)}
	for question, want := range map[string]string{
		"ships built in 1995":                                                  "SELECT ship.name AT ship WHERE ship.built_year = 1995",
		"ships that were built before 1990":                                    "SELECT ship.name AT ship WHERE ship.built_year < 1990",
		"ships built before the year 1990":                                     "SELECT ship.name AT ship WHERE ship.built_year < 1990",
		"ships built after 1990":                                               "SELECT ship.name AT ship WHERE ship.built_year >= 1991",
		"ships built since 1990":                                               "SELECT ship.name AT ship WHERE ship.built_year >= 1990",
		"ships built in 1990 or earlier":                                       "SELECT ship.name AT ship WHERE ship.built_year < 1991",
		"ships built in 1990 or later":                                         "SELECT ship.name AT ship WHERE ship.built_year >= 1990",
		"ships built between 2010 and 2015":                                    "SELECT ship.name AT ship WHERE ship.built_year BETWEEN 2010 AND 2015",
		"ships built from 2010 to 2015":                                        "SELECT ship.name AT ship WHERE ship.built_year BETWEEN 2010 AND 2015",
		"ships built in the 90s":                                               "SELECT ship.name AT ship WHERE ship.built_year BETWEEN 1990 AND 1999",
		"ships built in the nineties":                                          "SELECT ship.name AT ship WHERE ship.built_year BETWEEN 1990 AND 1999",
		"ships built in the 20th century":                                      "SELECT ship.name AT ship WHERE ship.built_year BETWEEN 1900 AND 1999",
		"ships built last year":                                                "SELECT ship.name AT ship WHERE ship.built_year = 2019",
		"ships built in the last 3 years":                                      "SELECT ship.name AT ship WHERE ship.built_year BETWEEN 2017 AND 2019",
		"ships built in the year of 1995":                                      "SELECT ship.name AT ship WHERE ship.built_year = 1995",
		"yards founded before 1850":                                            "SELECT yard.name AT yard WHERE yard.founded < 1850",
		"how many yards were founded in 1850":                                  "SELECT yard_count WHERE yard.founded = 1850",
		"prizes awarded in 2001":                                               "SELECT prize.name AT prize WHERE prize.\"year\" = 2001",
		"prizes in 2001":                                                       "SELECT prize.name AT prize WHERE prize.\"year\" = 2001",
		"ships that have voyages launched after 2005":                          "SELECT ship.name AT ship WHERE ANY voyage (voyage.launch_year >= 2006)",
		"yards that burned in 1850":                                            "", // the year of another event
		"prizes revoked in 2001":                                               "",
		"ships that were either built before 1950 or under the flag of Panama": "",
		"names of flags with a ship built both in 1999 and 2000":               "",
		"ships built before 1950 or in Panama":                                 "SELECT ship.name AT ship WHERE ship.built_year < 1950 OR ship.flag = 'Panama'",
		"ships built in march 1995":                                            "", // a year has no months
		"yards founded in the last 3 months":                                   "",
	} {
		r := ix.Read(Request{Question: question, Env: env})
		answered := r.Reading != nil && r.Clarify == nil
		if want == "" && answered || want != "" && (!answered || r.Reading.Query.String() != want) {
			t.Errorf("%q: %s\n           want %s", question, outcome(r), want)
		}
	}
}
