package profile

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/semantic"
)

// The declared references of public databases are taken away, and inference must find them again by names and values
// alone. What it finds beside them is listed: each is a true reference that the schema forgot, and no more may come.
func TestReferencesAreFoundAgain(t *testing.T) {
	forgotten := map[string]bool{
		"coffee_shop: happy_hour_member.hh_id > happy_hour":                                             true,
		"document_management: document_structures.parent_document_structure_code > document_structures": true,
		"document_management: functional_areas.parent_functional_area_code > functional_areas":          true,
		"company_1: dept_locations.dnumber > department":                                                true,
	}
	hidden := map[string]bool{ // nothing in names or values tells them
		"car_1: cars_data.id > car_names":             true,
		"debate: debate_people.affirmative > people":  true,
		"debate: debate_people.negative > people":     true,
		"gymnast: gymnast.gymnast_id > people":        true,
		"network_1: friend.friend_id > highschooler":  true,
		"network_1: friend.student_id > highschooler": true,
		"network_1: likes.liked_id > highschooler":    true,
		"network_1: likes.student_id > highschooler":  true,
		"college_1: class.prof_num > employee":        true,
	}
	for _, name := range []string{
		"apartment_rentals", "behavior_monitoring", "battle_death", "car_1", "cinema", "coffee_shop",
		"college_1", "company_1", "debate", "document_management", "gymnast", "network_1", "pets_1",
	} {
		t.Run(name, func(t *testing.T) {
			e := openEngine(t)
			tables := e.copySQLite(t, shared(t, "bench", "db", "spider", name+".sqlite"))
			declared := map[string]bool{}
			byAlias := map[string]string{}
			for i := range tables {
				d := &tables[i]
				byAlias[d.Alias] = d.Table
				for _, fk := range d.ForeignKeys {
					if len(fk.Columns) == 1 {
						declared[reference(name, d.Table, fk.Columns[0], fk.RefTable)] = true
					}
				}
				d.Key, d.ForeignKeys = nil, nil
			}
			facts, err := Measure(context.Background(), e.run, tables, Options{})
			if err != nil {
				t.Fatal(err)
			}
			m := semantic.Infer(facts, semantic.Settings{})
			found := map[string]bool{}
			for _, j := range m.Joins {
				from := m.Entity(j.From)
				r := reference(name, byAlias[j.From], from.Dimension(j.On[0].From).Physical(), byAlias[j.To])
				found[r] = true
				if !declared[r] && !forgotten[r] {
					t.Errorf("%s is not there", r)
				}
			}
			for r := range declared {
				if !found[r] && !hidden[r] {
					t.Errorf("%s was not found", r)
				}
			}
			for _, x := range m.Entities {
				if x.Source.SQL != "" {
					t.Errorf("%s was split off a table of a normal schema", x.Name)
				}
			}
		})
	}
}

// Declared keys and references are believed, and models of them are sound.
func TestDeclaredSchemas(t *testing.T) {
	for _, name := range []string{"college_2", "hospital_1", "store_1"} {
		t.Run(name, func(t *testing.T) {
			e := openEngine(t)
			file := shared(t, "bench", "db", "spider")
			tables := e.copySQLite(t, filepath.Join(file, name+".sqlite"))
			facts, err := Measure(context.Background(), e.run, tables, Options{})
			if err != nil {
				t.Fatal(err)
			}
			m := semantic.Infer(facts, semantic.Settings{})
			for _, p := range semantic.Check(m) {
				if p.Severity == semantic.SeverityError {
					t.Error(p)
				}
			}
			keyed := 0
			for _, d := range tables {
				keyed += len(d.ForeignKeys)
			}
			if len(m.Joins) < keyed {
				t.Errorf("%d joins of %d declared references", len(m.Joins), keyed)
			}
			// A join leads to at most one row: the far side is unique in the data.
			for _, j := range m.Joins {
				to := m.Entity(j.To)
				var columns []string
				for _, p := range j.On {
					columns = append(columns, quote(to.Dimension(p.To).Physical()))
				}
				list := strings.Join(columns, ", ")
				if n := e.number(t, "SELECT count(*) FROM (SELECT 1 FROM "+quote(to.Source.Table)+" GROUP BY "+list+" HAVING count(*) > 1)"); n > 0 {
					t.Errorf("%s -> %s (%s) finds several rows", j.From, j.To, list)
				}
			}
		})
	}
}

func reference(database, table, column, to string) string {
	return database + ": " + strings.ToLower(table+"."+column+" > "+to)
}
