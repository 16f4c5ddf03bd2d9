package evals_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2" // writes the parquet and the duckdb file
	"github.com/xuri/excelize/v2"
	_ "modernc.org/sqlite" // writes the sqlite file

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/workspace"
	"assay/evals"
)

// order is one row of the table that every kind of file holds. Money is in cents, so that the expectations are exact.
type order struct {
	id              int64
	day             time.Time
	placed          time.Time
	region, product string
	quantity        int64
	amount          int64 // cents
	discount        int64 // ten thousandths
	paid            bool
	note            *string
	refund          *int64 // cents
}

var orderColumns = []string{"order_id", "ordered_on", "placed_at", "region", "product", "quantity", "amount", "discount", "paid", "note", "refund"}

// orderTypes are the columns as every kind must give them.
var orderTypes = []string{"integer", "date", "timestamp", "text", "text", "integer", "decimal", "decimal", "boolean", "text", "decimal"}

// orderDDL declares the table in DuckDB and, but for the spelling, in SQLite.
const orderDDL = `(order_id INTEGER, ordered_on DATE, placed_at TIMESTAMP, region VARCHAR, product VARCHAR, quantity INTEGER,
	amount DECIMAL(10,2), discount DECIMAL(6,4), paid BOOLEAN, note VARCHAR, refund DECIMAL(10,2))`

// orders are the same 360 rows in every run.
func orders() []order {
	random := rand.New(rand.NewPCG(4, 8))
	regions := []string{"Île-de-France", "São Paulo, BR", `"North" End`, "東京", "O'Brien County", "Ελλάδα"}
	products := []string{"Kettle", "Lamp", "Desk, oak", "Chair", "Rug 3×4", "Clock"}
	notes := []string{"call back", `left, at "door"`, "two\nlines", "déjà payé"}
	all := make([]order, 360)
	for i := range all {
		day := time.Date(2024, 1, 1+random.IntN(366), 0, 0, 0, 0, time.UTC)
		o := order{
			id: int64(1001 + i), day: day, placed: day.Add(time.Duration(random.IntN(86400)) * time.Second),
			region: regions[random.IntN(len(regions))], product: products[random.IntN(len(products))],
			quantity: 1 + random.Int64N(12), amount: 500 + random.Int64N(199_500), discount: random.Int64N(5000), paid: random.IntN(3) > 0,
		}
		if n := random.IntN(len(notes) + 3); n < len(notes) {
			o.note = &notes[n]
		}
		if random.IntN(4) == 0 {
			refund := 1 + random.Int64N(10_000)
			o.refund = &refund
		}
		all[i] = o
	}
	return all
}

// cells are the row's values: time.Time, string, int64, bool, decimal or nil.
func (o order) cells() []any {
	cells := []any{o.id, o.day, o.placed, o.region, o.product, o.quantity, money(o.amount), decimal(fmt.Sprintf("%d.%04d", o.discount/10_000, o.discount%10_000)), o.paid, nil, nil}
	if o.note != nil {
		cells[9] = *o.note
	}
	if o.refund != nil {
		cells[10] = money(*o.refund)
	}
	return cells
}

// decimal is a number in digits.
type decimal string

func money(cents int64) decimal { return decimal(fmt.Sprintf("%d.%02d", cents/100, cents%100)) }

// digits writes a cell as a program that exports text would.
func digits(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case time.Time:
		if x.Equal(x.Truncate(24 * time.Hour)) {
			return x.Format(time.DateOnly)
		}
		return x.Format(time.DateTime)
	default:
		return fmt.Sprint(x)
	}
}

// writers write the table as each of the eight kinds of file.
var writers = map[string]func(t *testing.T, path string, rows []order){
	"csv":     func(t *testing.T, path string, rows []order) { writeDelimited(t, path, ',', rows) },
	"tsv":     func(t *testing.T, path string, rows []order) { writeDelimited(t, path, '\t', rows) },
	"json":    func(t *testing.T, path string, rows []order) { writeObjects(t, path, "[", ",\n", "]", rows) },
	"ndjson":  func(t *testing.T, path string, rows []order) { writeObjects(t, path, "", "\n", "\n", rows) },
	"parquet": writeParquet,
	"xlsx":    writeWorkbook,
	"sqlite":  writeSQLite,
	"duckdb":  writeDuckDB,
}

func writeDelimited(t *testing.T, path string, delimiter rune, rows []order) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = delimiter
	records := [][]string{orderColumns}
	for _, o := range rows {
		var record []string
		for _, c := range o.cells() {
			record = append(record, digits(c))
		}
		records = append(records, record)
	}
	must(t, w.WriteAll(records))
	must(t, os.WriteFile(path, b.Bytes(), 0o600))
}

func writeObjects(t *testing.T, path, before, between, after string, rows []order) {
	var objects []string
	for _, o := range rows {
		var fields []string
		for i, c := range o.cells() {
			switch x := c.(type) {
			case time.Time:
				c = digits(x)
			case decimal:
				c = json.Number(x)
			}
			raw, err := json.Marshal(c)
			must(t, err)
			fields = append(fields, fmt.Sprintf("%q: %s", orderColumns[i], raw))
		}
		objects = append(objects, "{"+strings.Join(fields, ", ")+"}")
	}
	must(t, os.WriteFile(path, []byte(before+strings.Join(objects, between)+after), 0o600))
}

func writeParquet(t *testing.T, path string, rows []order) {
	run := database(t, "duckdb", "")
	run("CREATE TABLE orders " + orderDDL)
	run("INSERT INTO orders VALUES " + literals(rows))
	run("COPY orders TO '" + path + "' (FORMAT parquet)")
}

func writeDuckDB(t *testing.T, path string, rows []order) {
	run := database(t, "duckdb", path)
	run("CREATE TABLE orders " + orderDDL)
	run("INSERT INTO orders VALUES " + literals(rows))
}

func writeSQLite(t *testing.T, path string, rows []order) {
	run := database(t, "sqlite", path)
	run("CREATE TABLE orders " + orderDDL)
	run("INSERT INTO orders VALUES " + literals(rows))
}

// database opens a database for the length of the test's writing and gives what runs a statement in it.
func database(t *testing.T, driver, path string) func(statement string) {
	db, err := sql.Open(driver, path)
	must(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { must(t, db.Close()) })
	return func(statement string) {
		_, err := db.Exec(statement)
		must(t, err)
	}
}

// literals writes the rows in the SQL that DuckDB and SQLite share.
func literals(rows []order) string {
	var lines []string
	for _, o := range rows {
		var cells []string
		for _, c := range o.cells() {
			switch x := c.(type) {
			case nil:
				cells = append(cells, "NULL")
			case string:
				cells = append(cells, "'"+strings.ReplaceAll(x, "'", "''")+"'")
			case time.Time:
				cells = append(cells, "'"+digits(x)+"'")
			default:
				cells = append(cells, fmt.Sprint(x))
			}
		}
		lines = append(lines, "("+strings.Join(cells, ", ")+")")
	}
	return strings.Join(lines, ",\n")
}

func writeWorkbook(t *testing.T, path string, rows []order) {
	book := excelize.NewFile()
	day, err := book.NewStyle(&excelize.Style{NumFmt: 14})
	must(t, err)
	moment, err := book.NewStyle(&excelize.Style{NumFmt: 22})
	must(t, err)
	must(t, book.SetSheetRow("Sheet1", "A1", &orderColumns))
	for n, o := range rows {
		cells := o.cells()
		for i, c := range cells {
			if d, ok := c.(decimal); ok {
				number, err := json.Number(d).Float64()
				must(t, err)
				cells[i] = number
			}
		}
		first, err := excelize.CoordinatesToCellName(1, n+2)
		must(t, err)
		must(t, book.SetSheetRow("Sheet1", first, &cells))
	}
	last := len(rows) + 1
	must(t, book.SetCellStyle("Sheet1", "B2", fmt.Sprintf("B%d", last), day))
	must(t, book.SetCellStyle("Sheet1", "C2", fmt.Sprintf("C%d", last), moment))
	must(t, book.SaveAs(path))
	must(t, book.Close())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// kindQuestion is asked of every kind of file. Its rows are computed here and not by any database.
type kindQuestion struct {
	ask     analyst.Request
	ordered bool
	types   []string // of the frame's columns
	rows    func(all []order) [][]any
}

func question(q string) analyst.Request { return analyst.Request{Question: q} }

var kindQuestions = []kindQuestion{
	{question("total amount by region"), false, []string{"text", "decimal"}, func(all []order) [][]any {
		return groups(all, func(o order) any { return o.region }, totalAmount)
	}},
	{question("average amount by month"), true, []string{"date", "float"}, func(all []order) [][]any {
		months := groups(all, func(o order) any { return o.day.Format("2006-01") + "-01" }, func(some []order) any {
			return float64(cents(some)) / 100 / float64(len(some))
		})
		slices.SortFunc(months, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) })
		return months
	}},
	{question("number of orders in March 2024"), false, []string{"integer"}, func(all []order) [][]any {
		return [][]any{{len(keep(all, func(o order) bool { return o.day.Month() == time.March }))}}
	}},
	{question("top 3 products by amount"), true, []string{"text", "decimal"}, func(all []order) [][]any {
		products := groups(all, func(o order) any { return o.product }, func(some []order) any { return cents(some) })
		slices.SortFunc(products, func(a, b []any) int { return int(b[1].(int64) - a[1].(int64)) })
		for _, p := range products {
			p[1] = string(money(p[1].(int64)))
		}
		return products[:3]
	}},
	{question("orders with amount above 1900"), false, orderTypes, func(all []order) [][]any {
		return ids(keep(all, func(o order) bool { return o.amount > 190_000 }))
	}},
	{question("how many orders are paid"), false, []string{"integer"}, func(all []order) [][]any {
		return [][]any{{len(keep(all, func(o order) bool { return o.paid }))}}
	}},
	{question("list orders in Île-de-France"), false, orderTypes, func(all []order) [][]any {
		return ids(keep(all, func(o order) bool { return o.region == "Île-de-France" }))
	}},
	{question("total refund by product"), false, []string{"text", "decimal"}, func(all []order) [][]any {
		return groups(all, func(o order) any { return o.product }, func(some []order) any {
			total := int64(0)
			for _, o := range some {
				if o.refund != nil {
					total += *o.refund
				}
			}
			return string(money(total))
		})
	}},
	{question("average refund"), false, []string{"float"}, func(all []order) [][]any {
		total, n := int64(0), 0
		for _, o := range all {
			if o.refund != nil {
				total, n = total+*o.refund, n+1
			}
		}
		return [][]any{{float64(total) / 100 / float64(n)}}
	}},
	{question("total quantity by paid"), false, []string{"boolean", "integer"}, func(all []order) [][]any {
		return groups(all, func(o order) any { return o.paid }, func(some []order) any {
			total := int64(0)
			for _, o := range some {
				total += o.quantity
			}
			return total
		})
	}},
	{question("total amount for São Paulo, BR in 2024 Q2"), false, []string{"decimal"}, func(all []order) [][]any {
		return [][]any{{totalAmount(keep(all, func(o order) bool {
			return o.region == "São Paulo, BR" && o.day.Month() >= time.April && o.day.Month() <= time.June
		}))}}
	}},
	{
		analyst.Request{FrameQL: "SELECT MIN(ordered_on) AS first, MAX(ordered_on) AS last, MIN(placed_at) AS earliest, MAX(placed_at) AS latest AT () FROM orders"},
		false,
		[]string{"date", "date", "timestamp", "timestamp"},
		func(all []order) [][]any {
			early := slices.MinFunc(all, func(a, b order) int { return a.placed.Compare(b.placed) })
			late := slices.MaxFunc(all, func(a, b order) int { return a.placed.Compare(b.placed) })
			return [][]any{{
				early.day.Format(time.DateOnly), late.day.Format(time.DateOnly),
				early.placed.Format("2006-01-02T15:04:05"), late.placed.Format("2006-01-02T15:04:05"),
			}}
		},
	},
	{analyst.Request{FrameQL: "SELECT note, COUNT(*) AS n AT note FROM orders"}, false, []string{"text", "integer"}, func(all []order) [][]any {
		return groups(all, func(o order) any {
			if o.note == nil {
				return nil
			}
			return *o.note
		}, func(some []order) any { return len(some) })
	}},
}

func keep(all []order, wanted func(order) bool) []order {
	return slices.DeleteFunc(slices.Clone(all), func(o order) bool { return !wanted(o) })
}

func cents(some []order) (total int64) {
	for _, o := range some {
		total += o.amount
	}
	return total
}

func totalAmount(some []order) any { return string(money(cents(some))) }

func ids(some []order) [][]any {
	var rows [][]any
	for _, o := range some {
		rows = append(rows, []any{o.id})
	}
	return rows
}

// groups gives one row a group: its key and its value.
func groups(all []order, key func(order) any, value func([]order) any) [][]any {
	members := map[any][]order{}
	var keys []any
	for _, o := range all {
		k := key(o)
		if members[k] == nil {
			keys = append(keys, k)
		}
		members[k] = append(members[k], o)
	}
	var rows [][]any
	for _, k := range keys {
		rows = append(rows, []any{k, value(members[k])})
	}
	return rows
}

// The same table as each of the eight kinds of file gives the same answers, and the right ones.
func TestEveryKindOfFileGivesTheSameAnswer(t *testing.T) {
	all := orders()
	for _, kind := range slices.Sorted(maps.Keys(writers)) {
		t.Run(kind, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "orders."+kind)
			// A file is written and closed before it is opened as data.
			t.Run("write", func(t *testing.T) { writers[kind](t, path, all) })
			w, err := workspace.Open(context.Background(), workspace.Target{Data: []string{path}}, workspace.Options{DataDir: t.TempDir(), Now: wallClock})
			must(t, err)
			defer w.Close()
			checkColumns(t, w)
			for _, q := range kindQuestions {
				askKind(t, w, q, all)
			}
		})
	}
}

func checkColumns(t *testing.T, w *workspace.Workspace) {
	sources := w.Sources()
	if len(sources) != 1 || len(sources[0].Tables) != 1 || sources[0].Tables[0].Rows != 360 || sources[0].Tables[0].Rejected != 0 {
		t.Fatalf("sources %+v", sources)
	}
	var names, types []string
	for _, c := range sources[0].Tables[0].Columns {
		names, types = append(names, c.Name), append(types, c.Type)
	}
	if !slices.Equal(names, orderColumns) || !slices.Equal(types, orderTypes) {
		t.Errorf("columns %v are %v, want %v", names, types, orderTypes)
	}
}

func askKind(t *testing.T, w *workspace.Workspace, q kindQuestion, all []order) {
	asked := q.ask.Question + q.ask.FrameQL
	a, err := w.Ask(context.Background(), q.ask, nil)
	if err != nil {
		t.Errorf("%q: %v", asked, err)
		return
	}
	if a.Outcome != analyst.OutcomeAnswer || a.Frame == nil {
		t.Errorf("%q: outcome %s, want an answer%s", asked, a.Outcome, account(a))
		return
	}
	if ok, why := evals.Match(q.rows(all), a.Frame.Rows, q.ordered); !ok {
		t.Errorf("%q: %s%s\n  want %v\n  got  %v", asked, why, account(a), excerpt(q.rows(all)), excerpt(a.Frame.Rows))
	}
	if got := typesOf(a.Frame); !slices.Equal(got, q.types) {
		t.Errorf("%q: columns of %v, want %v", asked, got, q.types)
	}
}

func typesOf(f *frameql.Frame) []string {
	var types []string
	for _, c := range f.Columns {
		types = append(types, c.Type)
	}
	return types
}
