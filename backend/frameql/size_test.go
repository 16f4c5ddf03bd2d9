package frameql_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// sized is the library with 100,000 loans, 30,000 visits and a few counted dimensions; its data covers the 1,000 days from
// 2020-01-01 on. A result of more than one row is refused, with about how many it has.
func sized() Env {
	e := library()
	e.MaxRows = 1
	e.Rows = func(entity string) int64 {
		return map[string]int64{"loans": 100_000, "visits": 30_000, "counts": 5_000}[entity]
	}
	e.Distinct = func(dimension string) int64 {
		return map[string]int64{
			"loans.loan_id": 100_000, "loans.shelf": 50, "loans.fee": 10, "readers.town": 20, "readers.reader_id": 400, "branches.branch_id": 8, "counts.branch_id": 8, "counts.counted_on": 600, "visits.mood": 3,
		}[dimension]
	}
	e.Coverage = func(dimension string) (first, last time.Time, ok bool) {
		first = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		return first, first.AddDate(0, 0, 999), slices.Contains([]string{"loans.lent_on", "loans.game_at", "visits.came_at", "counts.counted_on"}, dimension)
	}
	e.Values = nil
	return e
}

// TestSizeOfResults: about how many rows a result has, by hand. 0: it has one, or nobody can tell.
func TestSizeOfResults(t *testing.T) {
	for query, want := range map[string]int{
		"SELECT loans_made AT shelf":                                              50,
		"SELECT loans_made AT ()":                                                 0,
		"SELECT loans_made AT (shelf, town)":                                      50 * 20,
		"SELECT loans_made AT (loans, town)":                                      100_000, // no more than there are loans
		"SELECT loans_made AT printer":                                            0,       // which nobody counted
		"SELECT loans_made AT (loans, printer)":                                   100_000, // at least one row for each loan
		"SELECT loans_made AT (loans, printer, shelf) TOP 5 shelf BY loans_made":  0,       // those of five shelves, which nobody counted
		"SELECT loans_made AT (printer, loans)":                                   0,
		"SELECT loans_made AT shelf WHERE town = 'Poe'":                           2, // as if each shelf were of one town
		"SELECT loans_made AT readers WHERE town = 'Poe'":                         20,
		"SELECT loans_made AT readers WHERE town IN ('Poe', 'Foe')":               40,
		"SELECT loans_made AT readers WHERE town <> 'Poe'":                        0,
		"SELECT loans_made AT readers WHERE printer = 'Poe'":                      0, // of so many printers
		"SELECT loans_made AT readers WHERE slow = 'yes'":                         0, // which follows from the fee
		"SELECT loans_made AT readers WHERE lent_on.year = '2021'":                0,
		"SELECT loans_made AT readers WHERE (fees AT readers) = 3":                0,
		"SELECT loans_made AT readers WHERE ANY fines":                            0,
		"SELECT loans_made AT readers HAVING loans_made > 1":                      0,
		"SELECT loans_made AT day_of_week":                                        7,
		"SELECT loans_made AT day":                                                1000,
		"SELECT loans_made AT lent_on":                                            1000,
		"SELECT loans_made AT lent_on WHERE town = 'Poe'":                         1000,
		"SELECT loans_made AT day WHERE town = 'Poe'":                             1000, // the days of a town are those of all
		"SELECT loans_made AT game_at.day WHERE town = 'Poe'":                     1000,
		"SELECT loans_made AT day WHERE town = 'Poe' AND shelf = 'x' AND fee = 1": 10,  // 100,000 / 20 / 50 / 10 loans
		"SELECT loans_made AT day DURING 2020":                                    367, // 366 of 1,000 days, and one at the edge
		"SELECT loans_made AT day DURING FROM 2022-09-17":                         11,  // the last ten days
		"SELECT loans_made AT day DURING FROM 0001-01-01 TO 2020-01-11":           11,
		"SELECT loans_made AT day DURING ALL TIME":                                1001,
		"SELECT visits_made, loans_made AT town":                                  20,
		"SELECT visits_made, fined AT town":                                       0, // nobody counted the fines
		"SELECT visits_made AT mood DURING ALL TIME":                              3,
		"SELECT held AT counts":                                                   5_000, // 1,000 days of 8 branches, and no more than there are counts
		"SELECT held AT counts TOP 5 counts BY held":                              5,     // of members of two columns
		"SELECT loans_made AT shelf TOP 5 shelf BY loans_made":                    5,
		"SELECT loans_made AT shelf TOP 5 shelf BY loans_made WITH OTHER":         6,
		"SELECT loans_made AT shelf LIMIT 7":                                      7,
		"SELECT loans_made AT () WHERE (fees AT loans) > 2":                       0, // the loans are not shown
		"SELECT loans": 100_000,
	} {
		plan, refusals := resolve(t, query, sized())
		got := 0
		for _, r := range refusals {
			if r.Code != "CARDINALITY_LIMIT" {
				t.Errorf("%s: %s %s", query, r.Code, r.Message)
				continue
			}
			got = int(r.Facts["rows"].(int64))
		}
		if got != want || got == 0 && plan == nil {
			t.Errorf("%s: about %d rows, want %d", query, got, want)
		}
	}
}

func resolve(t *testing.T, query string, e Env) (*Plan, []Refusal) {
	t.Helper()
	q, err := Parse(query)
	if err != nil {
		t.Fatal(query, err)
	}
	return Resolve(q, e)
}

// TestRefusalsOfAQueryAreBounded: a query of many unknown names is refused with fifty of them, one that is too long with that alone.
func TestRefusalsOfAQueryAreBounded(t *testing.T) {
	var names, conditions []string
	for i := range 60 {
		names = append(names, fmt.Sprintf("x%dx%dx", i, i))
	}
	if _, refusals := resolve(t, "SELECT loans_made AT ("+strings.Join(names, ", ")+")", library()); len(refusals) != 50 {
		t.Errorf("%d refusals of 60 unknown names", len(refusals))
	}
	for i := range 2_100 {
		conditions = append(conditions, fmt.Sprintf("fee > %d AND shelf <> 's%d' OR fee < %d", i, i, -i))
	}
	_, refusals := resolve(t, "SELECT nothing_near AT () WHERE "+strings.Join(conditions, " OR "), library())
	if len(refusals) != 1 || strings.Contains(refusals[0].Message, "nothing_near") {
		t.Errorf("%d refusals of a query that is too long: %+v", len(refusals), refusals)
	}
}

// TestJoinsInCircles: a table that refers to itself in many ways hides nothing that lies behind it.
func TestJoinsInCircles(t *testing.T) {
	column := func(name string) semantic.Dimension { return semantic.Dimension{Name: name, Type: semantic.Integer} }
	m := &semantic.Model{Name: "circles", Metrics: []semantic.Metric{{Name: "people_there", Entity: "people", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count}}}
	way := []string{"people", "teams", "towns", "lands"}
	for i, name := range way {
		e := semantic.Entity{Name: name, Source: semantic.Source{Table: name}, Key: []string{"id"}, Dimensions: []semantic.Dimension{column("id"), column(name + "_size")}}
		join := func(to, role string) {
			e.Dimensions = append(e.Dimensions, column(role+to+"_id"))
			m.Joins = append(m.Joins, semantic.Join{From: name, To: to, Role: role, On: []semantic.ColumnPair{{From: role + to + "_id", To: "id"}}, Cardinality: "many_to_one"})
		}
		for k := range 23 {
			join(name, fmt.Sprintf("%s_%d", name, k))
		}
		if i < 3 {
			join(way[i+1], "")
		}
		m.Entities = append(m.Entities, e)
	}
	if _, refusals := resolve(t, "SELECT people_there AT lands_size", Env{Model: m}); len(refusals) > 0 {
		t.Errorf("%+v", refusals)
	}
}
