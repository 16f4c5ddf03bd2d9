package semantic

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	shipped "assay/context"
)

// tablesOfNorthwind are all tables of the sample.
var tablesOfNorthwind = []string{"Categories", "Customers", "Employees", "EmployeeTerritories", "Order_Details", "Orders", "Products", "Regions", "Shippers", "Suppliers", "Territories"}

func northwind(t *testing.T) *Model {
	t.Helper()
	files, err := fs.Sub(shipped.Samples(), "northwind")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestVisibleNamesNothingHidden hides each table of the sample in turn: what is left is a model, and nothing in it refers to
// what reads the table.
func TestVisibleNamesNothingHidden(t *testing.T) {
	m := northwind(t)
	for _, hidden := range tablesOfNorthwind {
		left, err := Visible(m, tablesOfNorthwind, func(table string) bool { return !strings.EqualFold(table, hidden) })
		if err != nil {
			t.Errorf("without %s: %v", hidden, err)
			continue
		}
		raw, err := json.Marshal([]any{left.Entities, left.Joins, left.Metrics, left.Gotchas, left.Golden, left.Calendars})
		if err != nil {
			t.Fatal(err)
		}
		gone := 0
		for _, e := range m.Entities {
			if left.Entity(e.Name) != nil {
				continue
			}
			gone++
			if !strings.EqualFold(e.Source.Table, hidden) && !mentions(e.Source.SQL, hidden) {
				t.Errorf("without %s, %s is not visible", hidden, e.Name)
			}
			if at := regexp.MustCompile(`"(From|To|Entity)":"` + e.Name + `"|[" (]` + e.Name + `\.`).FindIndex(raw); at != nil {
				t.Errorf("without %s: %s", hidden, raw[max(0, at[0]-60):min(len(raw), at[1]+60)])
			}
		}
		if gone == 0 {
			t.Errorf("nothing reads %s", hidden)
		}
	}
}

// TestNothingVisible: who may see no table knows of none.
func TestNothingVisible(t *testing.T) {
	left, err := Visible(northwind(t), tablesOfNorthwind, func(string) bool { return false })
	if err != nil || len(left.Entities)+len(left.Metrics)+len(left.Joins)+len(left.Golden)+len(left.Gotchas) != 0 {
		t.Errorf("%d entities, %d metrics, %v", len(left.Entities), len(left.Metrics), err)
	}
}
