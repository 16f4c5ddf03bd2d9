//go:build cgo

package compile

import (
	"fmt"
	"os"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"assay/backend/compile/dialecttest"
	"assay/backend/semantic"
)

var servers = dialecttest.New()

func TestMain(m *testing.M) {
	code := m.Run()
	servers.Stop()
	os.Exit(code)
}

// remote are the dialects that run on servers of their own.
var remote = []dialect{postgres{}, mysql{}}

// onServers runs a statement as each server's dialect says it and wants DuckDB's rows. Capabilities that a dialect lacks leave it out.
func onServers(t *testing.T, need capability, say func(d dialect) string) {
	t.Helper()
	_, want := dialecttest.Rows(t, opened(t, DuckDB), say(duckdb{}))
	if len(want) == 0 {
		t.Errorf("no rows\n%s", say(duckdb{}))
	}
	for _, d := range remote {
		lacking := false
		for _, c := range d.missing() {
			lacking = lacking || c == need
		}
		if lacking {
			continue
		}
		db := opened(t, d.kind())
		_, got := dialecttest.Rows(t, db, say(d))
		if diff := dialecttest.Different(got, want); diff != "" {
			t.Errorf("%s: %s\n%s", d.kind(), diff, say(d))
		}
	}
}

// opened gives the database with the shop.
func opened(t *testing.T, d Dialect) dialecttest.Database {
	t.Helper()
	return servers.Shop(t, dialecttest.Engine(d))
}

// of gives a column of a table as the writer would.
func of(d dialect, alias, column string, typ semantic.Type) operand {
	return d.binary(operand{d.name(alias) + "." + d.name(column), rankAtom, typ}, typ)
}

// each writes expressions over every row of a table, in the order of its first column.
func each(d dialect, table string, expressions ...string) string {
	for i, e := range expressions {
		expressions[i] = e + " AS " + d.name(fmt.Sprintf("x%d", i))
	}
	key := map[string]operand{"sales": of(d, "s", "sale_id", semantic.Integer), "customers": of(d, "s", "customer_id", semantic.Text)}[table]
	return "SELECT " + key.sql + " AS id, " + strings.Join(expressions, ", ") + " FROM " + d.table(table) + " AS s ORDER BY " + d.order(key.sql, "id", false)
}

func str(d dialect, s string) operand { return typed(d.text(s), semantic.Text) }

func num(s string) operand { return typed(s, semantic.Integer) }

// TestTextIsBytes groups, sorts, compares and joins text that differs by case, accent and trailing space.
func TestTextIsBytes(t *testing.T) {
	for _, desc := range []bool{false, true} {
		onServers(t, "", func(d dialect) string {
			region := of(d, "c", "region", semantic.Text)
			least, most := d.aggregate(aggregateText{reducer: "min", arg: of(d, "c", "name", semantic.Text).sql, typ: semantic.Text}), d.aggregate(aggregateText{reducer: "max", arg: of(d, "c", "name", semantic.Text).sql, typ: semantic.Text})
			return "SELECT " + region.sql + " AS region, COUNT(*) AS n, " + least + " AS a, " + most + " AS b FROM customers AS c GROUP BY 1 ORDER BY " + d.order(region.sql, "region", desc)
		})
	}
	onServers(t, "", func(d dialect) string { // what a step makes of it keeps the collation
		region, name := of(d, "c", "region", semantic.Text), of(d, "c", "name", semantic.Text)
		inner := "SELECT " + region.sql + " AS region, " + name.sql + " AS name, 1 AS n FROM customers AS c"
		other := "SELECT " + d.null(semantic.Text) + " AS region, " + of(d, "p", "product", semantic.Text).sql + " AS name, 2 AS n FROM products AS p"
		return "WITH st AS (" + inner + " UNION ALL " + other + ") SELECT st.region, MAX(st.name) AS a, COUNT(DISTINCT st.name) AS b, SUM(st.n) AS c, " +
			"RANK() OVER (ORDER BY " + d.order("MAX(st.name)", "", true) + ") AS r FROM st GROUP BY 1 ORDER BY " + d.order("st.region", "region", true)
	})
	onServers(t, "", func(d dialect) string { // joins, null-safe and plain
		a, b := of(d, "a", "region", semantic.Text), of(d, "b", "region", semantic.Text)
		s, c := of(d, "s", "customer_id", semantic.Text), of(d, "a", "customer_id", semantic.Text)
		return "SELECT COUNT(*) AS n, COUNT(s.sale_id) AS m FROM customers AS a JOIN customers AS b ON " + d.same(a, b) + " LEFT JOIN sales AS s ON " + s.sql + " = " + c.sql
	})
	onServers(t, "", func(d dialect) string { // a CASE of literals
		k := d.binary(operand{"CASE WHEN s.amount > 100 THEN 'Large' WHEN s.amount > 50 THEN 'large' ELSE 'large ' END", rankAtom, semantic.Text}, semantic.Text)
		return "SELECT " + k.sql + " AS k, COUNT(*) AS n FROM sales AS s GROUP BY 1 ORDER BY " + d.order(k.sql, "k", false)
	})
	onServers(t, "", func(d dialect) string {
		region := of(d, "s", "region", semantic.Text)
		return each(d, "customers", region.sql+" = "+d.text("West"), region.sql+" IN ("+d.text("west")+", "+d.text("West ")+")", region.sql+" > "+d.text("Z"),
			region.sql+" <> "+d.text("west"), "NULLIF("+region.sql+", "+d.text("WEST")+")")
	})
}

// TestLiteralsComeBack gives every server texts and names that are made to break out of quotes.
func TestLiteralsComeBack(t *testing.T) {
	for _, s := range []string{
		"", "'", "''", `\`, `\'`, `\\`, `a\b'c\\'d`, "%_", "line\nbreak\r\n\ttab", "\x01\x7f", "é 東京 😀", "'; DROP TABLE sales; --", "/* no */", "-- no",
		"# no", `"`, "`", "${x}", "?", ":x", "@x", "$1", "\\x41", "\\n", "E'x'", "0x41", "/*M! x */", "%s", " lead and trail ",
	} {
		for _, d := range append([]dialect{duckdb{}}, remote...) {
			_, rows := dialecttest.Rows(t, opened(t, d.kind()), "SELECT "+d.text(s)+" AS x")
			if rows[0][0] != s {
				t.Errorf("%s: %q came back as %q: %s", d.kind(), s, rows[0][0], d.text(s))
			}
			if strings.ContainsAny(d.text(s), "\n\r") {
				t.Errorf("%s: %q is not on one line", d.kind(), s)
			}
			if s == "" || strings.TrimSpace(s) != s || s[0] == 1 { // MySQL takes no such names
				continue
			}
			names, rows := dialecttest.Rows(t, opened(t, d.kind()), "SELECT q."+d.name(s)+" FROM (SELECT 1 AS "+d.name(s)+") AS q")
			if want := strings.ReplaceAll(s, "😀", "\uFFFD"); len(rows) != 1 || names[0] != s && (d.kind() != MySQL || names[0] != want) {
				t.Errorf("%s: the name %q came back as %q", d.kind(), s, names[0])
			}
		}
	}
	for _, d := range append([]dialect{duckdb{}}, remote...) {
		_, rows := dialecttest.Rows(t, opened(t, d.kind()), "SELECT "+d.literal("date", "2024-02-29")+" AS a, "+d.literal("timestamp", "2024-02-29 23:59:59.5")+" AS b, "+d.literal("bool", "true")+" AS c")
		if diff := dialecttest.Different(rows, [][]any{{"2024-02-29", "2024-02-29 23:59:59.5", true}}); diff != "" {
			t.Errorf("%s: %s", d.kind(), diff)
		}
	}
}

// TestReservedWordsAreQuoted tries every keyword of a server as a name of a column and of a table.
func TestReservedWordsAreQuoted(t *testing.T) {
	lists := map[Dialect]string{
		DuckDB: "SELECT keyword_name FROM duckdb_keywords()", Postgres: "SELECT word FROM pg_get_keywords()",
		MySQL: "SELECT LOWER(word) FROM information_schema.keywords WHERE word RLIKE '^[A-Z_0-9]+$'",
	}
	for _, d := range append([]dialect{duckdb{}}, remote...) {
		db := opened(t, d.kind())
		_, words := dialecttest.Rows(t, db, lists[d.kind()])
		if len(words) < 100 {
			t.Fatalf("%s has %d keywords", d.kind(), len(words))
		}
		for _, row := range words {
			w := d.name(row[0].(string))
			for _, statement := range []string{
				"SELECT " + w + "." + w + " FROM (SELECT 1 AS " + w + ") AS " + w,
				"WITH " + w + " AS (SELECT 1 AS " + w + ") SELECT " + w + " FROM " + w + " GROUP BY " + w + " ORDER BY " + w,
			} {
				if _, _, err := db.Query(statement); err != nil {
					t.Errorf("%s: %s: %v", d.kind(), w, err)
				}
			}
		}
	}
}

// TestMatching has patterns with every sign that some engine takes for another.
func TestMatching(t *testing.T) {
	for _, pattern := range []string{"%", "a_b", `%\%`, "%|%", "50%", "A%", "%é%", "%É%", "", "_", `a\_b`, "%'%", "%|!~^#%", "%\n%"} {
		onServers(t, "", func(d dialect) string {
			note, name := of(d, "s", "note", semantic.Text), str(d, pattern)
			return each(d, "sales", d.match("like", note, name), d.match("contains", note, name), d.match("starts_with", note, name))
		})
		onServers(t, "", func(d dialect) string {
			of, name := of(d, "s", "name", semantic.Text), str(d, pattern)
			return each(d, "customers", d.match("like", of, name), d.match("contains", of, name), d.match("starts_with", of, name))
		})
	}
	for _, part := range []string{"ÅS", "SONS", `\ s`, "TAB\tAND", "北", "😀"} {
		onServers(t, "", func(d dialect) string {
			name := of(d, "s", "name", semantic.Text)
			return each(d, "customers", d.match("contains", name, str(d, part)), d.match("starts_with", name, str(d, part)))
		})
	}
}

// TestGrainsOfTime cuts dates and moments to every grain, weeks from any day and fiscal years from any month.
func TestGrainsOfTime(t *testing.T) {
	type grain struct {
		unit  string
		shift int
	}
	grains := []grain{{"hour", 0}, {"day", 0}, {"week", 0}, {"month", 0}, {"quarter", 0}, {"year", 0}, {"fiscal_year", 0}, {"fiscal_quarter", 0}}
	for days := 1; days < 7; days++ {
		grains = append(grains, grain{"week", days})
	}
	for months := 1; months < 12; months++ {
		grains = append(grains, grain{"fiscal_year", months}, grain{"fiscal_quarter", months})
	}
	for _, g := range grains {
		onServers(t, "", func(d dialect) string {
			at := d.trunc(of(d, "s", "sold_at", semantic.Timestamp), g.unit, g.shift)
			on := d.trunc(of(d, "s", "sold_on", semantic.Date), g.unit, g.shift)
			return each(d, "sales", at, on)
		})
	}
	onServers(t, "", func(d dialect) string { // years that a two-digit reading would move
		first := d.trunc(typed(d.literal("date", "0099-05-05"), semantic.Date), "year", 0)
		last := d.trunc(typed(d.literal("date", "9999-12-31"), semantic.Date), "quarter", 0)
		return "SELECT " + first + " AS a, " + last + " AS b"
	})
	onServers(t, canZone, func(d dialect) string {
		at := of(d, "s", "sold_at", semantic.Timestamp)
		return each(d, "sales", d.zoned(at, "Europe/Berlin", "America/New_York"), d.zoned(at, "", "Asia/Kathmandu"))
	})
}

// TestMoves adds units to dates and moments; the ends of months are clamped.
func TestMoves(t *testing.T) {
	for _, unit := range []string{"hour", "day", "week", "month", "quarter", "year"} {
		for _, n := range []int{-13, -1, 1, 5} {
			onServers(t, "", func(d dialect) string {
				return each(d, "sales", d.move(of(d, "s", "sold_at", semantic.Timestamp), n, unit, semantic.Timestamp), d.move(of(d, "s", "sold_on", semantic.Date), n, unit, semantic.Date))
			})
		}
		onServers(t, "", func(d dialect) string {
			day := typed(d.literal("date", "2024-01-31"), semantic.Date)
			return "SELECT " + d.move(day, 1, unit, semantic.Date) + " AS a, " + d.least(d.move(day, 1, unit, semantic.Date), day.sql) + " AS b"
		})
	}
}

// TestSeries makes buckets, also more than a recursion may take and none at all.
func TestSeries(t *testing.T) {
	for _, s := range []struct {
		first, last, unit string
		rows              int64
	}{
		{"2024-02-27", "2024-03-02", "day", 5},
		{"2000-01-01", "2049-12-31", "day", 18263},
		{"2024-12-30", "2025-02-03", "week", 6},
		{"2023-11-01", "2025-02-01", "month", 16},
		{"2023-04-01", "2024-04-01", "quarter", 5},
		{"2016-02-01", "2024-02-01", "year", 9},
		{"2024-01-02", "2024-01-02", "day", 1},
		{"2024-01-02", "2024-01-01", "day", 0},
	} {
		say := func(d dialect) string {
			from := d.series(d.literal("date", s.first), d.literal("date", s.last), s.unit, semantic.Date, "buckets", "day")
			return "SELECT COUNT(*) AS n, MIN(buckets.day) AS a, MAX(buckets.day) AS b, COUNT(DISTINCT buckets.day) AS c FROM " + from
		}
		onServers(t, canSeries, say)
		if _, rows := dialecttest.Rows(t, opened(t, DuckDB), say(duckdb{})); rows[0][0] != s.rows {
			t.Errorf("%v: %v", s, rows[0])
		}
	}
	onServers(t, canSeries, func(d dialect) string {
		from := d.series(d.literal("timestamp", "2024-03-30 22:00:00"), d.literal("timestamp", "2024-04-01 03:00:00"), "hour", semantic.Timestamp, "buckets", "at")
		return "SELECT buckets." + d.name("at") + " FROM " + from + " ORDER BY 1"
	})
	onServers(t, canSeries, func(d dialect) string { // ends that are looked up, and missing
		ends := "WITH ends AS (SELECT MIN(s.sold_on) AS a, MAX(s.sold_on) AS b, " + d.null(semantic.Date) + " AS c FROM sales AS s) "
		from := d.series("(SELECT a FROM ends)", "(SELECT b FROM ends)", "day", semantic.Date, "x", "day")
		none := d.series("(SELECT a FROM ends)", "(SELECT c FROM ends)", "day", semantic.Date, "y", "day")
		return ends + "SELECT COUNT(*) AS n, MAX(x.day) AS m FROM " + from + " UNION ALL SELECT COUNT(*), MAX(y.day) FROM " + none
	})
	onServers(t, "", func(d dialect) string {
		return "SELECT v.day FROM " + d.values([]string{"2024-01-01", "2024-01-29", "2024-03-04"}, "v", "day") + " ORDER BY 1"
	})
}

// TestAggregates reduces with and without filters, over groups and over nothing.
func TestAggregates(t *testing.T) {
	type reduction struct {
		a    aggregateText
		of   string
		typ  semantic.Type
		need capability
	}
	all := []reduction{
		{aggregateText{reducer: "count", arg: "*"}, "", "", ""},
		{aggregateText{reducer: "count"}, "amount", semantic.Decimal, ""},
		{aggregateText{reducer: "count", distinct: true}, "customer_id", semantic.Text, ""},
		{aggregateText{reducer: "sum"}, "amount", semantic.Decimal, ""},
		{aggregateText{reducer: "sum"}, "quantity", semantic.Integer, ""},
		{aggregateText{reducer: "sum"}, "weight", semantic.Float, ""},
		{aggregateText{reducer: "sum", distinct: true}, "amount", semantic.Decimal, canDistinctSum},
		{aggregateText{reducer: "avg"}, "amount", semantic.Decimal, ""},
		{aggregateText{reducer: "avg"}, "quantity", semantic.Integer, ""},
		{aggregateText{reducer: "avg", distinct: true}, "quantity", semantic.Integer, canDistinctSum},
		{aggregateText{reducer: "min"}, "note", semantic.Text, ""},
		{aggregateText{reducer: "max"}, "customer_id", semantic.Text, ""},
		{aggregateText{reducer: "min"}, "sold_at", semantic.Timestamp, ""},
		{aggregateText{reducer: "max"}, "express", semantic.Boolean, ""},
		{aggregateText{reducer: "min"}, "express", semantic.Boolean, ""},
		{aggregateText{reducer: "one"}, "amount", semantic.Decimal, ""},
		{aggregateText{reducer: "stddev"}, "amount", semantic.Decimal, canStdDev},
		{aggregateText{reducer: "stddev"}, "weight", semantic.Float, canStdDev},
		{aggregateText{reducer: "any"}, "express", semantic.Boolean, canBool},
		{aggregateText{reducer: "all"}, "express", semantic.Boolean, canBool},
		{aggregateText{reducer: "percentile", param: "0.5"}, "quantity", semantic.Integer, canPercentile},
		{aggregateText{reducer: "percentile", param: "0.9"}, "weight", semantic.Float, canPercentile},
		{aggregateText{reducer: "percentile", param: "0.25", discrete: true}, "amount", semantic.Decimal, canPercentile},
		{aggregateText{reducer: "first"}, "amount", semantic.Decimal, canFirstLast},
		{aggregateText{reducer: "last"}, "note", semantic.Text, canFirstLast},
	}
	for _, r := range all {
		for _, filter := range []bool{false, true} {
			for _, where := range []string{"TRUE", "FALSE", "s.amount < 0"} {
				say := func(d dialect) (group, whole string) {
					a := r.a
					if r.of != "" {
						a.arg, a.typ = of(d, "s", r.of, r.typ).sql, r.typ
					}
					if filter {
						a.filter = "s.express OR s.quantity > 4"
					}
					if a.reducer == "first" || a.reducer == "last" {
						a.order = []string{"s.sold_at", "s.sale_id"}
					}
					status := of(d, "s", "status", semantic.Text)
					if a.reducer == "one" {
						status = of(d, "s", "sale_id", semantic.Integer)
					}
					whole = "SELECT COUNT(*) AS n, " + d.aggregate(a) + " AS x FROM sales AS s WHERE " + where
					if a.reducer == "one" {
						whole += " AND s.sale_id = 100"
					}
					group = "SELECT " + status.sql + " AS k, " + d.aggregate(a) + " AS x FROM sales AS s WHERE " + where + " GROUP BY 1"
					return group, whole
				}
				onServers(t, r.need, func(d dialect) string { _, whole := say(d); return whole })
				onServers(t, r.need, func(d dialect) string { // a row more, so that there is one at all
					group, _ := say(d)
					return "SELECT q.k, q.x FROM (SELECT 1 AS one) AS o LEFT JOIN (" + group + ") AS q ON TRUE ORDER BY " + d.order("q.k", "k", false)
				})
			}
		}
	}
}

// TestWindows slides over days and months.
func TestWindows(t *testing.T) {
	for _, w := range []struct {
		n          int
		unit, less string
	}{{6, "day", ""}, {2, "month", ""}, {3, "month", "day"}, {1, "quarter", ""}, {1, "year", "day"}} {
		onServers(t, canRange, func(d dialect) string {
			inner := "SELECT s.sold_on AS day, SUM(s.amount) AS x FROM sales AS s WHERE s.sold_on IS NOT NULL GROUP BY 1"
			return "SELECT q.day, SUM(q.x) OVER (ORDER BY " + d.order("q.day", "", false) + " " + d.back(w.n, w.unit, w.less) + ") AS m FROM (" + inner + ") AS q ORDER BY 1"
		})
	}
	onServers(t, canCarry, func(d dialect) string {
		return "SELECT s.sale_id, " + d.carry("s.weight", "ORDER BY s.sale_id") + " AS x FROM sales AS s ORDER BY 1"
	})
	onServers(t, "", func(d dialect) string {
		return "SELECT s.sale_id, RANK() OVER (PARTITION BY s.express ORDER BY " + d.order("s.amount", "", true) + ") AS r, SUM(s.quantity) OVER (ORDER BY s.sale_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS c, " +
			"FIRST_VALUE(s.amount) OVER (PARTITION BY s.express ORDER BY " + d.order("s.sale_id", "", false) + ") AS f FROM sales AS s ORDER BY 1"
	})
}

// TestArithmetic divides and casts.
func TestArithmetic(t *testing.T) {
	onServers(t, "", func(d dialect) string {
		amount, quantity, weight := of(d, "s", "amount", semantic.Decimal), of(d, "s", "quantity", semantic.Integer), of(d, "s", "weight", semantic.Float)
		return each(d, "sales", d.divide(amount, quantity, false), d.divide(quantity, amount, false), d.divide(quantity, num("7"), true), d.divide(weight, weight, false),
			d.cast(quantity.sql, semantic.Float), d.cast(amount.sql, semantic.Decimal), d.cast(quantity.sql, semantic.Text), "s.amount * (1 - 0.15)")
	})
	onServers(t, "", func(d dialect) string { // null-safe equality by type
		pair := func(column string, typ semantic.Type) string {
			return d.same(of(d, "a", column, typ), of(d, "b", column, typ))
		}
		var counts []string
		for _, c := range []dialecttest.Column{
			{Name: "status", Type: semantic.Text},
			{Name: "amount", Type: semantic.Decimal},
			{Name: "quantity", Type: semantic.Integer},
			{Name: "weight", Type: semantic.Float},
			{Name: "express", Type: semantic.Boolean},
			{Name: "sold_on", Type: semantic.Date},
			{Name: "sold_at", Type: semantic.Timestamp},
			{Name: "product_id"},
		} {
			counts = append(counts, "SELECT COUNT(*) AS n FROM sales AS a JOIN sales AS b ON a.sale_id < 140 AND b.sale_id < 140 AND "+pair(c.Name, c.Type))
		}
		return strings.Join(counts, " UNION ALL ")
	})
	onServers(t, "", func(d dialect) string {
		return "SELECT s.sale_id FROM sales AS s ORDER BY " + d.order("s.quantity", "", true) + ", 1 " + d.limit(7, 3)
	})
	onServers(t, "", func(d dialect) string { return "SELECT s.sale_id FROM sales AS s ORDER BY 1 " + d.limit(-1, 240) })
}

// TestFunctions calls every function of the expression grammar.
func TestFunctions(t *testing.T) {
	called := map[string]bool{}
	call := func(d dialect, name string, args ...operand) string {
		called[name] = true
		sql, ok := d.call(name, args)
		if !ok {
			t.Errorf("%s cannot say %s", d.kind(), name)
		}
		return sql
	}
	column := func(d dialect, spec string) operand {
		name, typ, _ := strings.Cut(spec, ":")
		switch name {
		case "0.5":
			return typed(name, semantic.Decimal)
		case "2024":
			return typed(d.literal("timestamp", "2024-07-01 12:30:10.7"), semantic.Timestamp)
		}
		return of(d, "s", name, semantic.Type(typ))
	}
	on := func(table, name string, args ...any) {
		onServers(t, "", func(d dialect) string {
			written := make([]operand, len(args))
			for i, a := range args {
				switch a := a.(type) {
				case string:
					if written[i] = str(d, a); strings.Contains(a, ":") {
						written[i] = column(d, a)
					}
				default:
					written[i] = num(fmt.Sprint(a))
				}
			}
			return each(d, table, call(d, name, written...))
		})
	}
	for _, name := range []string{"abs", "ceil", "floor", "round"} {
		on("sales", name, "amount:decimal")
		on("sales", name, "weight:float")
		on("sales", name, "quantity:integer")
	}
	on("sales", "round", "amount:decimal", 1)
	on("sales", "round", "weight:float", 2)
	on("sales", "power", "quantity:integer", 2)
	on("sales", "power", "quantity:integer", "0.5:x")
	on("sales", "sqrt", "quantity:integer")
	on("sales", "coalesce", "amount:decimal", "quantity:integer", 0)
	on("sales", "nullif", "status:text", "paid")
	on("sales", "greatest", "amount:decimal", "quantity:integer", 3)
	on("sales", "least", "status:text", "note:text")
	on("sales", "least", "amount:decimal")
	on("sales", "concat", "note:text", "-", "status:text", "quantity:integer", "express:boolean")
	for _, name := range []string{"lower", "upper", "length", "trim"} {
		on("sales", name, "note:text")
		on("customers", name, "name:text")
		on("customers", name, "region:text")
	}
	on("sales", "replace", "note:text", "a", `\`)
	on("customers", "substring", "name:text", 2, 3)
	on("customers", "substring", "name:text", 3)
	for _, name := range []string{"year", "quarter", "month", "day", "weekday", "day_of_year", "week_of_year", "hour"} {
		on("sales", name, "sold_at:timestamp")
		on("sales", name, "sold_on:date")
	}
	for _, unit := range []string{"second", "minute", "hour", "day", "week", "month", "quarter", "year"} {
		on("sales", "date_trunc", unit, "sold_at:timestamp")
		on("sales", "date_trunc", unit, "sold_on:date")
		on("sales", "date_diff", unit, "sold_at:timestamp", "2024:x")
		if !clockUnit(unit) {
			on("sales", "date_diff", unit, "sold_on:date", "2024:x")
		}
	}
	for _, f := range semantic.Functions() {
		if !called[f.Name] {
			t.Errorf("%s is not called", f.Name)
		}
	}
}
