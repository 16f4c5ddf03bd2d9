//go:build cgo

package workspace

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"assay/backend/analyst"
	"assay/backend/fault"
)

// badTyped are tables with types, written as Parquet, and queries over each: the rows, or what the refusal or the fault is.
var badTyped = []struct {
	name, rows string
	queries    map[string]string
}{
	{
		"far", `VALUES (1, DATE '12024-01-01', 10), (2, DATE '2024-02-29', 20), (3, DATE '0044-03-15 (BC)', 30), (4, DATE '1969-12-31', 40)) t(id, day, amount`,
		map[string]string{
			`SELECT SUM(amount) DURING 2024`:                              "20",
			`SELECT SUM(amount) DURING 1969`:                              "40",
			`SELECT SUM(amount) DURING FROM 1969-12-31`:                   "70",
			`SELECT SUM(amount) DURING BETWEEN 1900-01-01 AND 9999-12-30`: "60",
			`SELECT SUM(amount) WHERE day > '9999-12-31'`:                 "10",
			`SELECT SUM(amount) WHERE day < '0001-01-01'`:                 "30",
			`SELECT year, SUM(amount) AT year ORDER BY year`:              "-0043-01-01|30\n1969-01-01|40\n2024-01-01|20\n12024-01-01|10",
			`SELECT SUM(amount) DURING 12024`:                             "SYNTAX",
			`SELECT month, SUM(amount) AT month DURING 2024-Q1 FILL ZERO`: "2024-01-01|0\n2024-02-01|20\n2024-03-01|0",
			`SELECT SUM(amount) DURING 2024 COMPARE TO PREVIOUS YEAR`:     "20|0|20|<nil>",
			`SELECT COUNT(far) WHERE day.day_of_week = 4 AND amount = 20`: "1",
		},
	},
	{
		"moments", `VALUES (1, TIMESTAMPTZ '2024-03-31 01:30:00+01', 1), (2, TIMESTAMPTZ '2024-03-31 01:30:00+00', 2), (3, TIMESTAMPTZ '2024-03-30 23:30:00-05', 4),
			(4, TIMESTAMPTZ '1883-11-18 12:03:58-04:56:02', 8), (5, NULL, 16)) t(id, happened, amount`,
		map[string]string{
			`SELECT hour, SUM(amount) AT hour`:                                              "1883-11-18T17:00:00|8\n2024-03-31T00:00:00|1\n2024-03-31T01:00:00|2\n2024-03-31T04:00:00|4\n<nil>|16",
			`SELECT SUM(amount) DURING 2024-03-31`:                                          "7",
			`SELECT SUM(amount) DURING FROM '2024-03-31T00:30' TO '2024-03-31T04:30'`:       "3",
			`SELECT SUM(amount) DURING BETWEEN '2024-03-31T00:30' AND '2024-03-31T04:30'`:   "7",
			`SELECT SUM(amount) DURING 2024-03-30 OPTIONS (tz = 'America/New_York')`:        "INVALID_OPTION", // nobody says in what zone the times are stored
			`SELECT SUM(amount) WHERE happened = '2024-03-31T01:30:00'`:                     "2",
			`SELECT SUM(amount) WHERE happened.hour_of_day = 4`:                             "4",
			`SELECT SUM(amount) DURING FROM '2024-03-31T00:30+01:00' TO '2024-03-31T04:30'`: "SYNTAX",
		},
	},
	{
		"odd", `VALUES (1, 'a', 1.5::DOUBLE), (2, 'b', 'NaN'), (3, 'b', 1), (4, 'c', 'inf'), (5, 'c', '-inf'), (6, 'd', 'inf'), (7, 'e', NULL)) t(id, k, x`,
		map[string]string{
			`SELECT k, SUM(x), MIN(x), MAX(x), COUNT(x) AT k`: "a|1.5|1.5|1.5|1\nb|NaN|1|NaN|2\nc|NaN|-Infinity|Infinity|2\nd|Infinity|Infinity|Infinity|1\ne|0|<nil>|<nil>|0",
			`SELECT COUNT(odd) WHERE x > 1`:                   "4", // NaN is larger than every number
			`SELECT COUNT(odd) WHERE x < 0`:                   "1",
			`SELECT COUNT(odd) WHERE x IS NULL`:               "1",
			`SELECT k, RANK(SUM(x)) AT k`:                     "a|4\nb|1\nc|1\nd|3\ne|5",
			`SELECT AVG(x)`:                                   "NaN",
			`SELECT k, SUM(x) / 0 AS y AT k WHERE k = 'a'`:    "a|<nil>",
		},
	},
	{
		"digits", `VALUES (1, 'a', 9999999999999999999999999999999999.9999::DECIMAL(38,4), 99999999999999999999999999999999999999::DECIMAL(38,0), 18446744073709551615::UBIGINT),
			(2, 'a', 0.0001, 1, 1), (3, 'b', -1234567890123456789012345678901234.5678, NULL, NULL)) t(id, k, x, huge, wide`,
		map[string]string{
			`SELECT k, SUM(x), MIN(x) AT k`:                                          "a|10000000000000000000000000000000000.0000|0.0001\nb|-1234567890123456789012345678901234.5678|-1234567890123456789012345678901234.5678",
			`SELECT COUNT(digits) WHERE x = 9999999999999999999999999999999999.9999`: "1",
			`SELECT SUM(wide)`:                          "18446744073709551616",
			`SELECT SUM(huge)`:                          "100000000000000000000000000000000000000",
			`SELECT MAX(huge), MIN(huge)`:               "99999999999999999999999999999999999999|1",
			`SELECT SUM(x) * 1000000`:                   "invalid",
			`SELECT SUM(x) - 0.0001 AS y WHERE k = 'b'`: "-1234567890123456789012345678901234.5679",
		},
	},
	{
		"products", `VALUES (1, 'a', 10000000000.00::DECIMAL(18,2), 100000.00::DECIMAL(18,2), 2000000000::INTEGER, 9000000000000000000::BIGINT, 100::TINYINT),
			(2, 'a', -0.01, 0.01, 3, -5, 100)) t(id, k, price, factor, units, big, few`,
		map[string]string{
			`SELECT SUM(price * factor)`:                                                           "999999999999999.9999",
			`SELECT SUM(price * factor * (1 - factor))`:                                            "-99999000000000000000.000099",
			`SELECT SUM(products.units * products.units)`:                                          "4000000000000000009",
			`SELECT SUM(products.units * products.few * 10)`:                                       "2000000003000",
			`SELECT SUM(products.units + products.units)`:                                          "4000000006",
			`SELECT SUM(products.big * products.big)`:                                              "81000000000000000000000000000000000025",
			`SELECT SUM(products.big * products.factor)`:                                           "899999999999999999999999.95",
			`SELECT SUM(products.few * products.few * products.few * products.few * products.few)`: "20000000000",
			`SELECT MAX(units) * 1000 AS y`:                                                        "2000000000000",
		},
	},
	{
		"nothing", `VALUES (1, DATE '2024-01-01', 'a', 1)) t(id, day, label, amount`,
		map[string]string{
			`SELECT SUM(amount), MAX(amount), COUNT(nothing.id)`:          "0|<nil>|0",
			`SELECT day, SUM(amount) AT day`:                              "",
			`SELECT label, SUM(amount) AT label TOTALS`:                   "<nil>|0|true",
			`SELECT SUM(amount) DURING 2024`:                              "0",
			`SELECT month, SUM(amount) AT month DURING 2024-Q1 FILL ZERO`: "2024-01-01|0\n2024-02-01|0\n2024-03-01|0",
		},
	},
	{
		"blank", `VALUES (1, NULL::DATE, NULL::VARCHAR, NULL::INTEGER), (2, NULL::DATE, NULL::VARCHAR, NULL::INTEGER)) t(id, day, label, amount`,
		map[string]string{
			`SELECT SUM(amount), MAX(amount), AVG(amount), COUNT(amount), COUNT(blank)`: "0|<nil>|<nil>|0|2",
			`SELECT day, COUNT(blank) AT day`:                                           "<nil>|2",
			`SELECT label, COUNT(blank) AT label`:                                       "<nil>|2",
			`SELECT COUNT(blank) DURING 2024`:                                           "0",
			`SELECT COUNT(blank) WHERE label IS NULL AND day IS NULL`:                   "2",
		},
	},
}

// TestBadTypedInput wants a right answer or a refusal for every table and query, never a fault of ours.
func TestBadTypedInput(t *testing.T) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, b := range badTyped {
		t.Run(b.name, func(t *testing.T) {
			dir := t.TempDir()
			file, where := filepath.Join(dir, b.name+".parquet"), ""
			if b.name == "nothing" {
				where = " WHERE false"
			}
			if _, err := db.Exec(fmt.Sprintf("COPY (SELECT * FROM (%s)%s) TO '%s' (FORMAT parquet)", b.rows, where, strings.ReplaceAll(file, "'", "''"))); err != nil {
				t.Fatal(err)
			}
			w := openTarget(t, Target{Data: []string{file}}, filepath.Join(dir, "home"))
			for query, want := range b.queries {
				if got := outcome(w, query); got != want {
					t.Errorf("%s\ngot  %s\nwant %s", query, got, want)
				}
			}
		})
	}
}

// outcome gives the rows of a query, or the code of its refusal or fault.
func outcome(w *Workspace, query string) string {
	a, err := w.Ask(context.Background(), analyst.Request{FrameQL: query}, nil)
	switch {
	case err != nil:
		return string(fault.CodeOf(err))
	case a.Refusal != nil:
		return a.Refusal.Code
	}
	return rowsOf(a.Frame)
}

// TestAbsurdQueries: of what is nested or long beyond measure the answer is right as far as the language goes, and a refusal
// beyond.
func TestAbsurdQueries(t *testing.T) {
	dir := t.TempDir()
	var csv strings.Builder
	csv.WriteString("id,k,amount\n")
	for i := range 100 {
		fmt.Fprintf(&csv, "%d,k%d,%d\n", i, i%10, i)
	}
	w := openTarget(t, Target{Data: []string{write(t, dir, "many.csv", csv.String())}}, filepath.Join(dir, "home"))
	times := func(n int, each func(i int) string) string {
		var all []string
		for i := range n {
			all = append(all, each(i))
		}
		return strings.Join(all, ", ")
	}
	numbers := func(n int) string { return times(n, func(i int) string { return fmt.Sprint(i) }) }
	for name, c := range map[string]struct{ query, want string }{
		"nested, as deep as may be": {"SELECT " + strings.Repeat("(1 + ", 90) + "SUM(amount)" + strings.Repeat(")", 90) + " AS x", "5040"},
		"nested, ten thousand":      {"SELECT " + strings.Repeat("(", 10_000) + "SUM(amount)" + strings.Repeat(")", 10_000), "SYNTAX"},
		"nested conditions":         {"SELECT SUM(amount) WHERE " + strings.Repeat("NOT (", 10_000) + "k = 'k1'" + strings.Repeat(")", 10_000), "SYNTAX"},
		"ten thousand values":       {"SELECT SUM(amount), COUNT(many) WHERE id IN (" + numbers(10_000) + ")", "4950|100"},
		"ten thousand columns":      {"SELECT " + times(10_000, func(i int) string { return fmt.Sprintf("SUM(amount) + %d AS c%d", i, i) }), "CARDINALITY_LIMIT"},
		"two thousand conditions": {
			"SELECT COUNT(many) WHERE " + strings.ReplaceAll(times(2_000, func(i int) string { return fmt.Sprintf("id <> %d", i+50) }), ", ", " AND "), "50",
		},
		"ten thousand conditions": {
			"SELECT COUNT(many) WHERE " + strings.ReplaceAll(times(10_000, func(i int) string { return fmt.Sprintf("id <> %d", i) }), ", ", " AND "), "0",
		},
		"ten thousand patterns": {
			"SELECT COUNT(many) WHERE " + strings.ReplaceAll(times(10_000, func(i int) string { return fmt.Sprintf("NOT k LIKE 'a%d'", i) }), ", ", " AND "), "CARDINALITY_LIMIT",
		},
		"a megabyte of text":  {"SELECT COUNT(many) WHERE k = '" + strings.Repeat("x", 1<<20) + "'", "SYNTAX"},
		"a sum of a thousand": {"SELECT " + strings.ReplaceAll(times(1_000, func(int) string { return "SUM(amount)" }), ", ", " + ") + " AS x", "SYNTAX"},
	} {
		if got := outcome(w, c.query); got != c.want {
			t.Errorf("%s\ngot  %.300s\nwant %s", name, got, c.want)
		}
	}
	var header []string
	for i := range 300 {
		header = append(header, fmt.Sprintf("SUM(amount) + %d AS c%d", i, i))
	}
	cells := strings.Split(outcome(w, "SELECT "+strings.Join(header, ", ")), "|")
	if len(cells) != 300 || cells[0] != "4950" || cells[299] != "5249" {
		t.Errorf("300 columns: %.200v", cells)
	}
}
