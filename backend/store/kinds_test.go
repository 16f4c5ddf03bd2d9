package store

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
)

// sample is the table that every kind of file holds: dates, amounts, whole numbers, measurements, true and false, text of
// several scripts, codes with leading zeros, moments, and nothing in every column but the first.
type sampleRow struct {
	id      int64
	day     any // time.Time or nil
	amount  any // string of two places
	qty     any // int64
	ratio   any // float64 with more than six places
	paid    any // bool
	name    any
	zip     any
	moment  any // time.Time
	remarks any
}

var sampleColumns = []string{"id", "Order Day", "Amount", "qty", "ratio", "paid", "Name", "zip", "moment", "remarks"}

const sampleTypes = "id integer, Order Day date, Amount decimal, qty integer, ratio float, paid boolean, Name text, zip text, moment timestamp, remarks text"

func sampleRows() []sampleRow {
	names := []any{"Ana Trujillo", "Café \"Müller\"", "東京商事", "O'Hara; Sons, Ltd.", "NA", "Ελλάδα", "line one\nline two", nil}
	var all []sampleRow
	for i := range int64(500) {
		day := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(i))
		r := sampleRow{
			id: i + 1, day: day, amount: fmt.Sprintf("%d.%02d", i*37%1000-100, i*13%100), qty: i % 12, ratio: 1 / float64(i+3),
			paid: i%3 == 0, name: names[i%8], zip: fmt.Sprintf("%05d", i*211%100000), moment: day.Add(time.Duration(i*977%86400) * time.Second), remarks: fmt.Sprintf("note %d", i),
		}
		switch i % 11 {
		case 1:
			r.day = nil
		case 2:
			r.amount = nil
		case 3:
			r.qty = nil
		case 4:
			r.ratio = nil
		case 5:
			r.paid = nil
		case 6:
			r.zip = nil
		case 7:
			r.moment = nil
		case 8:
			r.remarks = nil
		}
		all = append(all, r)
	}
	return all
}

func (r sampleRow) cells() []any {
	return []any{r.id, r.day, r.amount, r.qty, r.ratio, r.paid, r.name, r.zip, r.moment, r.remarks}
}

// asText writes a cell as a program that exports text would.
func asText(v any, column int) string {
	switch x := v.(type) {
	case nil:
		return ""
	case time.Time:
		if column == 1 {
			return x.Format("2006-01-02")
		}
		return x.Format("2006-01-02 15:04:05")
	case float64:
		return fmt.Sprint(x)
	default:
		return fmt.Sprint(x)
	}
}

// makers write the sample as each kind of file.
var makers = map[string]func(t *testing.T, path string){
	"csv":       func(t *testing.T, path string) { makeDelimited(t, path, ',') },
	"tsv":       func(t *testing.T, path string) { makeDelimited(t, path, '\t') },
	"json":      func(t *testing.T, path string) { makeJSON(t, path, true) },
	"ndjson":    func(t *testing.T, path string) { makeJSON(t, path, false) },
	"parquet":   makeParquet,
	"xlsx":      makeXLSX,
	"sqlite":    makeSQLite,
	"duckdb":    makeDuckDB,
	"csv.gz":    func(t *testing.T, path string) { makePacked(t, path, func(p string) { makeDelimited(t, p, ';') }) },
	"ndjson.gz": func(t *testing.T, path string) { makePacked(t, path, func(p string) { makeJSON(t, p, false) }) },
}

func makeDelimited(t *testing.T, path string, delimiter rune) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = delimiter
	records := [][]string{sampleColumns}
	for _, r := range sampleRows() {
		var record []string
		for i, c := range r.cells() {
			record = append(record, asText(c, i))
		}
		records = append(records, record)
	}
	if err := w.WriteAll(records); err != nil {
		t.Fatal(err)
	}
	writeBytes(t, path, b.Bytes())
}

func makeJSON(t *testing.T, path string, array bool) {
	var lines []string
	for _, r := range sampleRows() {
		var fields []string
		for i, c := range r.cells() {
			value := c
			switch x := c.(type) {
			case time.Time:
				value = asText(x, i)
			case string:
				if i == 2 {
					value = json.Number(x)
				}
			}
			raw, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			fields = append(fields, fmt.Sprintf("%q: %s", sampleColumns[i], raw))
		}
		lines = append(lines, "{"+strings.Join(fields, ", ")+"}")
	}
	if array {
		writeBytes(t, path, []byte("[\n"+strings.Join(lines, ",\n")+"\n]\n"))
		return
	}
	writeBytes(t, path, []byte(strings.Join(lines, "\n")+"\n"))
}

// valuesSQL writes the sample as rows of typed literals for DuckDB.
func valuesSQL() string {
	var lines []string
	for _, r := range sampleRows() {
		var cells []string
		for i, c := range r.cells() {
			switch x := c.(type) {
			case nil:
				cells = append(cells, "NULL")
			case time.Time:
				cells = append(cells, literal(asText(x, i)))
			case int64, bool:
				cells = append(cells, fmt.Sprint(x))
			default: // a bare 0.1 is a DECIMAL in DuckDB before it becomes a DOUBLE
				cells = append(cells, literal(fmt.Sprint(x)))
			}
		}
		lines = append(lines, "("+strings.Join(cells, ", ")+")")
	}
	return strings.Join(lines, ",\n")
}

const sampleDDL = `(id INTEGER PRIMARY KEY, "Order Day" DATE, "Amount" DECIMAL(10,2), qty SMALLINT, ratio DOUBLE, paid BOOLEAN, "Name" VARCHAR, zip VARCHAR, moment TIMESTAMP, remarks VARCHAR)`

func duck(t *testing.T, statements ...string) {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
}

func makeParquet(t *testing.T, path string) {
	duck(t, "CREATE TABLE s "+sampleDDL, "INSERT INTO s VALUES "+valuesSQL(), "COPY s TO "+literal(path)+" (FORMAT parquet)")
}

func makeDuckDB(t *testing.T, path string) {
	duck(t, "ATTACH "+literal(path)+" AS o", "CREATE TABLE o.orders "+sampleDDL, "INSERT INTO o.orders VALUES "+valuesSQL(), "DETACH o")
}

func makeSQLite(t *testing.T, path string) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, "Order Day" DATE, "Amount" DECIMAL(10,2), qty INT, ratio REAL, paid BOOLEAN, "Name" TEXT, zip TEXT, moment DATETIME, remarks TEXT)`); err != nil {
		t.Fatal(err)
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range sampleRows() {
		cells := r.cells()
		for i, c := range cells {
			if x, ok := c.(time.Time); ok {
				cells[i] = asText(x, i)
			}
		}
		if _, err := tx.Exec("INSERT INTO orders VALUES (?,?,?,?,?,?,?,?,?,?)", cells...); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

func makeXLSX(t *testing.T, path string) {
	f := excelize.NewFile()
	defer f.Close()
	day, _ := f.NewStyle(&excelize.Style{NumFmt: 14})
	custom := "dd.mm.yyyy hh:mm:ss"
	moment, _ := f.NewStyle(&excelize.Style{CustomNumFmt: &custom})
	set := func(row, column int, v any, style int) {
		name, _ := excelize.CoordinatesToCellName(column+1, row)
		if err := f.SetCellValue("Sheet1", name, v); err != nil {
			t.Fatal(err)
		}
		if style > 0 {
			f.SetCellStyle("Sheet1", name, name, style)
		}
	}
	for i, c := range sampleColumns {
		set(1, i, c, 0)
	}
	for n, r := range sampleRows() {
		for i, c := range r.cells() {
			switch x := c.(type) {
			case nil:
			case time.Time:
				set(n+2, i, x, map[int]int{1: day, 8: moment}[i])
			case string:
				if i == 2 {
					var amount float64
					fmt.Sscan(x, &amount)
					set(n+2, i, amount, 0)
					continue
				}
				set(n+2, i, x, 0)
			default:
				set(n+2, i, x, 0)
			}
		}
	}
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
}

func makePacked(t *testing.T, path string, inner func(path string)) {
	plain := filepath.Join(t.TempDir(), "plain")
	inner(plain)
	raw, err := os.ReadFile(plain)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(raw)
	z.Close()
	writeBytes(t, path, b.Bytes())
}

func writeBytes(t testing.TB, path string, raw []byte) {
	t.Helper()
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSameTableInEveryKind: the kind of the file is of no importance to types, cells and answers.
func TestSameTableInEveryKind(t *testing.T) {
	questions := []string{
		`SELECT * FROM orders ORDER BY id`,
		`SELECT date_trunc('month', "Order Day") AS m, sum("Amount") AS a, count(*) AS n, sum(qty) AS q FROM orders GROUP BY ALL ORDER BY m NULLS LAST`,
		`SELECT "Name", count(*) AS n, min(zip) AS z, max(moment) AS l FROM orders WHERE paid GROUP BY ALL ORDER BY 1 NULLS LAST`,
		`SELECT count(*) FILTER (WHERE "Name" IS NULL), count(*) FILTER (WHERE paid IS NULL), count(*) FILTER (WHERE zip IS NULL), count(remarks) FROM orders`,
	}
	answers := map[string][]string{}
	for kind, make := range makers {
		t.Run(kind, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "orders."+kind)
			make(t, path)
			s := open(t, t.TempDir())
			src := mustImport(t, s, path)
			if want, _, _ := strings.Cut(kind, "."); src.Format != want {
				t.Errorf("format %s, want %s", src.Format, want)
			}
			if len(src.Tables) != 1 || src.Tables[0].Name != "orders" || src.Tables[0].Rows != 500 || src.Tables[0].Rejected != 0 {
				t.Fatalf("tables %+v", src.Tables)
			}
			if got := types(src.Tables[0]); got != sampleTypes {
				t.Errorf("types %s\nwant  %s", got, sampleTypes)
			}
			if len(src.Notes) > 0 {
				t.Errorf("notes %q", src.Notes)
			}
			for _, q := range questions {
				answers[kind] = append(answers[kind], rows(t, s, q))
			}
		})
	}
	for kind, got := range answers {
		for i, q := range questions {
			if got[i] != answers["csv"][i] {
				t.Errorf("%s answers differently than csv: %s\n%s", kind, q, firstDifference(got[i], answers["csv"][i]))
			}
		}
	}
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] + "\n" + y[i]
		}
	}
	return fmt.Sprintf("%d lines and %d", len(x), len(y))
}

// TestDeclaredKeys: keys that a database declares are kept.
func TestDeclaredKeys(t *testing.T) {
	lite := filepath.Join(t.TempDir(), "shop.sqlite")
	db, err := sql.Open("sqlite", lite)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{
		`CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT)`,
		`CREATE TABLE "order lines" (o INT, line INT, customer INT REFERENCES customers, PRIMARY KEY (o, line))`,
		`CREATE VIEW v AS SELECT 1`,
		`INSERT INTO customers VALUES (1, 'a')`, `INSERT INTO "order lines" VALUES (1, 1, 1)`,
	} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	db.Close()
	file := filepath.Join(t.TempDir(), "store.duckdb")
	duck(t, "ATTACH "+literal(file)+" AS o", "USE o", `CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR)`,
		`CREATE TABLE "order lines" (o INT, line INT, customer INT REFERENCES customers(id), PRIMARY KEY (o, line))`, `CREATE VIEW v AS SELECT 1`,
		`INSERT INTO customers VALUES (1, 'a')`, `INSERT INTO "order lines" VALUES (1, 1, 1)`, "USE memory", "DETACH o")
	for _, path := range []string{lite, file} {
		s := open(t, t.TempDir())
		src := mustImport(t, s, path)
		got := fmt.Sprintf("%v", src.Tables)
		byName := map[string]Table{}
		for _, tb := range src.Tables {
			byName[tb.Name] = tb
		}
		lines := byName["order lines"]
		if fmt.Sprint(byName["customers"].Key) != "[id]" || fmt.Sprint(lines.Key) != "[o line]" || lines.Alias != "order_lines" ||
			fmt.Sprint(lines.ForeignKeys) != "[{[customer] customers [id]}]" {
			t.Errorf("%s: %s", filepath.Base(path), got)
		}
		if !strings.Contains(strings.Join(src.Notes, " "), "Views were left out, only tables are imported: v.") {
			t.Errorf("notes %q", src.Notes)
		}
	}
}

// TestNorthwindAgrees: the CSV files and the SQLite file of the same data give the same answers.
func TestNorthwindAgrees(t *testing.T) {
	lite := open(t, t.TempDir())
	mustImport(t, lite, shared(t, "data", "northwind", "nw.db"))
	text := open(t, t.TempDir())
	for _, name := range []string{"Orders", "Customers", "Products"} {
		mustImport(t, text, shared(t, "data", "northwind", "csv", name+".csv"))
	}
	for _, q := range []string{
		`SELECT year("OrderDate"), count(*), sum("Freight") FROM "Orders" GROUP BY 1 ORDER BY 1`,
		`SELECT "Country", count(*) FROM "Customers" GROUP BY 1 ORDER BY 1`,
		`SELECT sum("UnitPrice"), sum("UnitsInStock") FROM "Products"`,
		`SELECT min("ShippedDate"), max("ShippedDate"), count("ShippedDate"), min("ShipPostalCode") FROM "Orders"`,
	} {
		if a, b := rows(t, lite, q), rows(t, text, q); a != b {
			t.Errorf("%s\n%s", q, firstDifference(a, b))
		}
	}
}

// TestAdventureWorksTotals: money is exact, whatever the order of the sum.
func TestAdventureWorksTotals(t *testing.T) {
	s := open(t, t.TempDir())
	mustImport(t, s, shared(t, "data", "adventureworks", "orders.csv"))
	got := rows(t, s, `SELECT round(sum("TotalDue"), 2), min("OrderDate"), max("ShipDate") FROM orders`)
	if want := "2861524087.61|2011-05-31|2014-05-08"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	once := rows(t, s, `SELECT round(sum(t), 2) FROM (SELECT any_value("TotalDue") AS t FROM orders GROUP BY "SalesOrderID")`)
	if once != "90775446.99" {
		t.Errorf("each order once: %s", once)
	}
}

// TestWideIntegers: whole numbers beyond 64 bits keep their digits, as decimals where 38 digits hold them.
func TestWideIntegers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wide.duckdb")
	duck(t, "ATTACH "+literal(path)+" AS o", "CREATE TABLE o.t (few HUGEINT, many HUGEINT, most HUGEINT)",
		"INSERT INTO o.t VALUES (7, 99999999999999999999999999999999999999, 170141183460469231731687303715884105727), (NULL, -1, 1)", "DETACH o")
	s := open(t, t.TempDir())
	var got []string
	for _, c := range mustImport(t, s, path).Tables[0].Columns {
		got = append(got, c.Name+" "+c.EngineType)
	}
	if all := strings.Join(got, ", "); all != "few BIGINT, many DECIMAL(38,0), most VARCHAR" {
		t.Error(all)
	}
	if sum := rows(t, s, "SELECT sum(many), max(most) FROM t"); sum != "99999999999999999999999999999999999998|170141183460469231731687303715884105727" {
		t.Error(sum)
	}
}
