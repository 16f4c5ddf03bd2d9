package semantic

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestOnlyNamesNothingThatIsHidden hides every entity of the sample in turn, and with its neighbour, and reads what is left.
func TestOnlyNamesNothingThatIsHidden(t *testing.T) {
	m, err := Load(os.DirFS("../../context/samples/northwind"))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Only(m, func(string) bool { return true }, func(string) []string { return []string{"orders"} })
	if err != nil || whole != m {
		t.Fatalf("who sees everything gets another model: %v", err)
	}
	label := regexp.MustCompile(`"Label":"[^"]*"`) // of what is seen
	for i, a := range m.Entities {
		for _, b := range []Entity{a, m.Entities[(i+1)%len(m.Entities)]} {
			hidden := []Entity{a, b}
			left, err := Only(m, func(table string) bool {
				return !slices.ContainsFunc(hidden, func(e Entity) bool { return strings.EqualFold(e.Source.Table, table) })
			}, nil)
			if err != nil {
				t.Fatalf("without %s and %s: %v", a.Name, b.Name, err)
			}
			raw, err := json.Marshal(left)
			if err != nil {
				t.Fatal(err)
			}
			raw = label.ReplaceAll(raw, nil)
			for _, e := range hidden {
				if left.Entity(e.Name) != nil {
					t.Fatalf("%s is there", e.Name)
				}
				for _, name := range []string{e.Name, e.Source.Table} {
					named := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(name) + `\b`)
					if at := named.FindIndex(raw); name != "" && at != nil {
						t.Errorf("without %s and %s the model names %s: %s", a.Name, b.Name, name, raw[max(0, at[0]-40):min(len(raw), at[1]+40)])
					}
				}
			}
			if left.Version == m.Version {
				t.Errorf("without %s and %s the version is the same", a.Name, b.Name)
			}
		}
	}
}

// TestOnlyFollowsReferences: what rests on something hidden goes, at any distance, and texts that name it too.
func TestOnlyFollowsReferences(t *testing.T) {
	dims := func(names ...string) []Dimension {
		var out []Dimension
		for _, n := range names {
			out = append(out, Dimension{Name: n, Type: Integer})
		}
		return out
	}
	m, err := Seal(&Model{
		Name: "x",
		Workspace: Settings{
			Questions: []string{"Pay by month", "Revenue by month", "how many salaries"}, Calendar: "secret_days",
		},
		Entities: []Entity{
			{Name: "orders", Source: Source{Table: "orders"}, Key: []string{"order_id"}, Dimensions: dims("order_id", "person_id", "amount"), Description: "Joined to salaries by person", Synonyms: []string{"sales", "not salaries"}},
			{Name: "salaries", Source: Source{Table: "hr.salary"}, Key: []string{"person_id"}, Dimensions: dims("person_id", "pay", "grade")},
			{Name: "both", Source: Source{SQL: "SELECT * FROM orders JOIN hr.salary USING (person_id)"}, Dimensions: dims("amount")},
			{Name: "fine", Source: Source{SQL: "SELECT * FROM orders"}, Dimensions: dims("amount")},
		},
		Joins: []Join{{From: "orders", To: "salaries", On: []ColumnPair{{"person_id", "person_id"}}}},
		Metrics: []Metric{
			{Name: "revenue", Entity: "orders", Expr: "amount", Reducer: Sum, Description: "What the hr.salary does not pay"},
			{Name: "payroll", Entity: "salaries", Expr: "pay", Reducer: Sum},
			{Name: "graded", Entity: "orders", Expr: "amount", Reducer: Sum, Filter: "salaries.grade = 1"},
			{Name: "share", Kind: Ratio, Numerator: "payroll", Denominator: "revenue"},
			{Name: "double_share", Kind: Derived, Expr: "share * 2 + revenue"},
			{Name: "twice", Kind: Derived, Expr: "revenue * 2"},
		},
		Gotchas: []Gotcha{{Name: "a", AppliesTo: []string{"orders.amount"}, Statement: "Gross."}, {Name: "b", Statement: "Double share counts twice."}, {Name: "c", AppliesTo: []string{"payroll"}, Statement: "x"}},
		Golden:  []Golden{{Name: "g1", Question: "Revenue?", FrameQL: "SELECT revenue"}, {Name: "g2", Question: "Payroll?", SQL: "SELECT sum(pay) FROM hr.salary"}},
		Guides:  []Guide{{Name: "sales", Text: "Use revenue."}, {Name: "people", Text: "Use Salary tables."}},
		Memos:   []Memo{{Level: "workspace", Text: "Be brief.\nNever show salaries.\nBe kind.\n", RefusalScope: []RefusalLine{{Words: []string{"salaries"}, Reason: "No."}, {Words: []string{"weather"}, Reason: "No."}}}},
		Registry: Registry{
			Sources: []Origin{{Name: "raw", Table: "hr.salary"}, {Name: "shop", Table: "orders"}}, Exposures: []Exposure{{Name: "board", Uses: []string{"payroll"}}, {Name: "weekly", Uses: []string{"revenue"}}},
			Project: []Stated{{Kind: "metric", Name: "payroll", Says: "sum(pay) of salaries"}, {Kind: "measure", Name: "amount", Says: "sum(amount) of orders"}},
		},
		Calendars: []Calendar{{Name: "secret_days", Table: "hr.days", DateColumn: "day", Units: map[string]string{"fiscal_year": "y"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := json.Marshal(m)
	left, err := Only(m, func(table string) bool { return !strings.HasPrefix(table, "hr.") }, func(sql string) []string {
		if strings.Contains(sql, "hr.salary") {
			return []string{"orders", "hr.salary"}
		}
		return []string{"orders"}
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range left.Entities {
		names = append(names, e.Name)
	}
	for _, x := range left.Metrics {
		names = append(names, x.Name)
	}
	for _, g := range left.Gotchas {
		names = append(names, g.Name)
	}
	for _, g := range left.Golden {
		names = append(names, g.Name)
	}
	for _, g := range left.Guides {
		names = append(names, g.Name)
	}
	for _, x := range left.Registry.Exposures {
		names = append(names, x.Name)
	}
	for _, x := range left.Registry.Project {
		names = append(names, x.Name)
	}
	names = append(names, left.Workspace.Questions...)
	if got, want := strings.Join(names, " | "), "fine | orders | revenue | twice | a | g1 | sales | weekly | amount | Pay by month | Revenue by month"; got != want {
		t.Errorf("left %s\nwant %s", got, want)
	}
	raw, _ := json.Marshal(left)
	for _, word := range []string{"salar", "hr.", "payroll", "share", "secret_days", "graded"} {
		if i := strings.Index(strings.ToLower(string(raw)), word); i >= 0 {
			t.Errorf("%s is named: %s", word, raw[max(0, i-40):min(len(raw), i+40)])
		}
	}
	if after, _ := json.Marshal(m); string(after) != string(before) {
		t.Error("the argument was changed")
	}
	if left.Memos[0].Text != "Be brief.\nBe kind.\n" || len(left.Memos[0].RefusalScope) != 1 {
		t.Errorf("%+v", left.Memos)
	}
	unknown, err := Only(m, func(table string) bool { return !strings.HasPrefix(table, "hr.") }, nil)
	if err != nil || unknown.Entity("fine") != nil {
		t.Errorf("an entity on a SELECT that nobody can read is seen: %v", err)
	}
}
