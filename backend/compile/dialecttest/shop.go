package dialecttest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/backend/semantic"
)

// Table is a table of the shop.
type Table struct {
	Name    string
	Columns []Column
	Rows    [][]any // nil, bool, int, or a string: text, and decimals and times as they are written
}

// Column of a table.
type Column struct {
	Name string
	Type semantic.Type
}

// Shop gives the tables: two facts (sales and tickets), a fact of levels (balances), and what they look up. They hold
// what engines disagree about: text that differs by case, accent or a space at its end, backslashes, quotes and
// percent signs, NULL keys, keys without a partner, months without rows, dates before 1970 and on 29 February, last
// moments of a day, decimals that a double cannot hold, negative amounts, and NULL everywhere.
func Shop() []Table {
	return []Table{sales(), tickets(), balances(), customers(), products(), categories()}
}

func columns(spec string) []Column {
	var all []Column
	for _, c := range strings.Fields(spec) {
		name, kind, _ := strings.Cut(c, ":")
		all = append(all, Column{name, semantic.Type(kind)})
	}
	return all
}

func customers() Table {
	return Table{"customers", columns("customer_id:text name:text region:text segment:text since:date active:boolean"), [][]any{
		{"C1", "Åsa", "West", "retail", "2019-12-31", true},
		{"c1", "asa", "west", "retail", "2020-02-29", false},
		{"C2", "O'Hara \\ Sons", "Wést", "trade", "1969-12-31", true},
		{"C3", "100% \"Fun\"", "West ", "trade", nil, nil},
		{"C4", "a_b|c", "East", nil, "2024-02-29", true},
		{"C5", "tab\tand\nline", nil, "retail", "2025-01-01", false},
		{"C6", "", "East", "online", "2025-06-30", nil},
		{"C7", "北京 😀", "東", "online", "2023-07-01", true},
	}}
}

func products() Table {
	return Table{"products", columns("product_id:integer product:text category_id:integer list_price:decimal"), [][]any{
		{1, "Anvil", 10, "19.9900"},
		{2, "anvil", 10, "0.0001"},
		{3, "Bolt", 20, "1000000.1234"},
		{4, "Cog", nil, "3.5000"},
		{5, "Dial", 99, nil},
	}}
}

func categories() Table {
	return Table{"categories", columns("category_id:integer category:text"), [][]any{{10, "Tools"}, {20, "tools"}, {30, "Unsold"}}}
}

// sales are 240 drawn rows between 2023 and 2025, with April to June 2024 empty, and some written by hand.
func sales() Table {
	t := Table{"sales", columns("sale_id:integer customer_id:text product_id:integer sold_on:date sold_at:timestamp status:text amount:decimal quantity:integer weight:float express:boolean note:text"), [][]any{
		{1, "C1", 1, "1969-12-28", "1969-12-28 23:59:59.999999", "paid", "10.10", 1, "0.5", true, "first"},
		{2, nil, 2, "2024-02-29", "2024-02-29 00:00:00", "open", "-3.30", 2, "1.5", false, "50% off"},
		{3, "c1", 3, "2024-12-29", "2024-12-29 12:00:00", "paid", "0.01", 3, nil, nil, "a_b"},
		{4, "gone", nil, "2024-12-30", "2024-12-30 00:00:00.5", "Paid", "99999999.99", 1, "2.5", true, "back\\slash"},
		{5, "C2", 77, nil, nil, "paid", "7.00", 5, "-0.5", false, "it's"},
		{6, "C3", 3, "2025-12-31", "2025-12-31 23:00:00", nil, nil, nil, nil, nil, nil},
		{7, "C3", 1, "2025-01-05", "2025-01-05 10:30:00", "paid", "0.00", 0, "0", true, "ÉTÉ"},
		{8, "C1", 1, "2025-01-06", "2025-01-06 10:30:00", "PAID", "5.55", 4, "1e-7", false, "été"},
	}}
	customer := []any{"C1", "C1", "C1", "c1", "C2", "C2", "C3", "C4", "C5", "C6", nil, "gone"}
	status := []any{"paid", "paid", "paid", "open", "returned", nil}
	notes := []any{"", "plain", "Plain", "50% off", "a_b", "axb", nil}
	draw := seeded(7)
	first := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	gap := func(d time.Time) bool { return d.Year() == 2024 && d.Month() >= 4 && d.Month() <= 6 }
	for id := 100; id < 340; id++ {
		at := first.Add(time.Duration(draw(3*365*24*60)) * time.Minute)
		for gap(at) {
			at = at.AddDate(0, 0, 91)
		}
		row := []any{
			id, customer[draw(len(customer))], 1 + draw(5), at.Format(time.DateOnly), at.Format(time.DateTime), status[draw(len(status))],
			fmt.Sprintf("%d.%02d", draw(900)-50, draw(100)), 1 + draw(9), strconv.FormatFloat(float64(draw(10000))/7, 'g', -1, 64),
			draw(3) == 0, notes[draw(len(notes))],
		}
		if draw(15) == 0 {
			row[6] = nil
		}
		if draw(15) == 0 {
			row[9] = nil
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func tickets() Table {
	t := Table{Name: "tickets", Columns: columns("ticket_id:integer customer_id:text opened:date hours:decimal severity:integer solved:boolean")}
	customer := []any{"C1", "C2", "C2", "C4", "C7", "c1", nil, "nobody"}
	draw := seeded(11)
	for id := 1; id <= 90; id++ {
		opened := time.Date(2023, 6, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, draw(900))
		row := []any{id, customer[draw(len(customer))], opened.Format(time.DateOnly), fmt.Sprintf("%d.%02d", draw(30), draw(100)), 1 + draw(4), draw(2) == 0}
		if draw(10) == 0 {
			row[3], row[5] = nil, nil
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// balances are levels at the end of some days: accounts open and close within a month.
func balances() Table {
	t := Table{Name: "balances", Columns: columns("day:date account:text customer_id:text balance:decimal")}
	accounts := []struct{ name, customer string }{{"A1", "C1"}, {"a1", "c1"}, {"A2", "C2"}, {"A3", "C4"}}
	draw := seeded(13)
	for i, a := range accounts {
		for day := time.Date(2024, 11, 3+i, 0, 0, 0, 0, time.UTC); day.Before(time.Date(2025, 3, 10-4*i, 0, 0, 0, 0, time.UTC)); day = day.AddDate(0, 0, 5) {
			t.Rows = append(t.Rows, []any{day.Format(time.DateOnly), a.name, a.customer, fmt.Sprintf("%d.%02d", draw(5000), draw(100))})
		}
	}
	return t
}

// seeded gives a generator of numbers below n, the same ones each time.
func seeded(state uint64) func(n int) int {
	return func(n int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int((state >> 33) % uint64(n)) //nolint:gosec // n is small
	}
}

// types of columns as each dialect declares them.
var types = map[Engine]map[semantic.Type]string{
	DuckDB: {
		semantic.Text: "VARCHAR", semantic.Integer: "INTEGER", semantic.Decimal: "DECIMAL(18, 4)", semantic.Float: "DOUBLE",
		semantic.Boolean: "BOOLEAN", semantic.Date: "DATE", semantic.Timestamp: "TIMESTAMP", "": "DECIMAL(38, 10)",
	},
	Postgres: {
		semantic.Text: "text", semantic.Integer: "integer", semantic.Decimal: "numeric(18, 4)", semantic.Float: "double precision",
		semantic.Boolean: "boolean", semantic.Date: "date", semantic.Timestamp: "timestamp",
	},
	MySQL: {
		semantic.Text: "varchar(200)", semantic.Integer: "int", semantic.Decimal: "decimal(18, 4)", semantic.Float: "double",
		semantic.Boolean: "boolean", semantic.Date: "date", semantic.Timestamp: "datetime(6)",
	},
}

// Load makes the tables and fills them.
func Load(t testing.TB, db Database, d Engine, tables []Table) {
	t.Helper()
	run := func(statement string, values ...any) {
		if err := db.Exec(statement, values...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for _, table := range tables {
		var defined []string
		for _, c := range table.Columns {
			defined = append(defined, quoted(d, c.Name)+" "+types[d][c.Type])
		}
		run("CREATE TABLE " + table.Name + " (" + strings.Join(defined, ", ") + ")")
		for from := 0; from < len(table.Rows); from += 100 {
			rows := table.Rows[from:min(from+100, len(table.Rows))]
			var places []string
			var values []any
			for _, row := range rows {
				var marks []string
				for _, v := range row {
					values = append(values, v)
					marks = append(marks, mark(d, len(values)))
				}
				places = append(places, "("+strings.Join(marks, ", ")+")")
			}
			run("INSERT INTO "+table.Name+" VALUES "+strings.Join(places, ", "), values...)
		}
	}
}

// quoted writes the name of a column.
func quoted(d Engine, name string) string {
	if d == MySQL {
		return "`" + name + "`"
	}
	return `"` + name + `"`
}

func mark(d Engine, n int) string {
	if d == Postgres {
		return "$" + strconv.Itoa(n)
	}
	return "?"
}
