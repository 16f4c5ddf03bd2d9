package frameql_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"assay/backend/fault"
	. "assay/backend/frameql"
)

// examples are the queries of the language's own page.
var examples = []string{
	"SELECT region, SUM(revenue) AS r AT region",
	"SELECT month, revenue, PCT_CHANGE(revenue) AT month DURING LAST 6 MONTH COMPARE TO SAME PERIOD LAST YEAR FILL ZERO",
	"SELECT product, revenue, SHARE(revenue) AT product DURING YTD TOP 10 product BY revenue WITH OTHER TOTALS",
	"SELECT region, AVG(revenue AT customer) AS revenue_per_customer AT region DURING 2025",
	"SELECT customer.name AT customer WHERE NO orders",
	"SELECT customer.name, customer.city AT customer WHERE customer.city = 'Paris'",
	"SELECT COUNT(*) AT () WHERE order_lines.discount > 1",
	"SELECT name AT rooms WHERE capacity > (AVG(capacity) AT ())",
	"SELECT customers AT customers WHERE ANY orders (product = 'A') AND ANY orders (product = 'B')",
	"SELECT MOVING(revenue, 7, DAY), CUMULATIVE(revenue, AT year), SHARE(revenue, AT region) AT order_date.day",
	"SELECT region, revenue AT (region, order_date.month) HAVING revenue > 1000 AND revenue / orders > 2 * margin",
	"SELECT region AT region HAVING (revenue - cost) * 2 > 5 ORDER BY revenue - cost DESC, region LIMIT 5 OFFSET 10",
	"SELECT revenue AT (region) IGNORING FILTERS DURING FROM 1998-03-01 ON orders.order_date",
}

func TestExamplesAreCanonical(t *testing.T) {
	for _, text := range examples {
		q, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := q.String(); got != text {
			t.Errorf("printed\n  %s\nwant\n  %s", got, text)
		}
	}
}

func TestTextJSONText(t *testing.T) {
	check(t, 2000, func(t *rapid.T) {
		q := drawQuery(t)
		canonical := q.String()
		read, err := Parse(canonical)
		if err != nil {
			t.Fatalf("%s\n%v", canonical, err)
		}
		if !reflect.DeepEqual(read, q) {
			a, _ := json.Marshal(read)
			b, _ := json.Marshal(q)
			t.Fatalf("%s\nread  %s\ndrawn %s", canonical, a, b)
		}
		raw, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseJSON(raw)
		if err != nil {
			t.Fatalf("%s\n%s\n%v", canonical, raw, err)
		}
		if !reflect.DeepEqual(back, q) {
			again, _ := json.Marshal(back)
			t.Fatalf("%s\nback  %s\ndrawn %s", canonical, again, raw)
		}
		if back.String() != canonical || back.ID() != q.ID() {
			t.Fatalf("text changed: %s", back.String())
		}
	})
}

func TestDesignExampleOfJSON(t *testing.T) {
	const example = `{"v":1,
 "select":[{"dim":"region"},{"dim":"order_date","grain":"month","as":"month"},
           {"metric":"revenue","as":"r"},
           {"fn":"pct_change","of":{"metric":"revenue"},"as":"r_pct"},
           {"reduce":"avg","of":{"metric":"revenue","at":["customer"]},"as":"arpc"}],
 "at":["region","order_date.month"], "from":["orders"],
 "where":{"and":[{"dim":"status","op":"eq","val":"paid"},{"quant":"any","entity":"items","pred":{"dim":"category","op":"in","val":["Toys"]}}]},
 "time":{"on":"order_date","period":{"kind":"literal","value":"2025-Q4"}},
 "compare":[{"kind":"previous_period"}], "having":{"out":"r","op":"gt","val":1000},
 "top":{"n":10,"dim":"product","by":{"out":"r"},"per":"region","other":true},
 "fill":"zero","totals":[[]],"order":[{"out":"r","dir":"desc"}],"limit":500,
 "options":{"tz":"Europe/Berlin","week_start":"mon","partial":"match"}}`
	q, err := ParseJSON([]byte(example))
	if err != nil {
		t.Fatal(err)
	}
	const want = `SELECT region, order_date.month AS month, revenue AS r, PCT_CHANGE(revenue) AS r_pct, AVG(revenue AT customer) AS arpc ` +
		`AT (region, order_date.month) FROM orders WHERE status = 'paid' AND ANY items (category IN ('Toys')) DURING 2025-Q4 ON order_date ` +
		`COMPARE TO PREVIOUS PERIOD HAVING r > 1000 TOP 10 product BY r PER region WITH OTHER FILL ZERO TOTALS ORDER BY r DESC LIMIT 500 ` +
		`OPTIONS (partial = 'match', tz = 'Europe/Berlin', week_start = 'mon')`
	if q.String() != want {
		t.Errorf("got  %s\nwant %s", q, want)
	}
}

func TestJSONErrors(t *testing.T) {
	for name, raw := range map[string]string{
		"unknown key":        `{"v":1,"select":[{"dim":"a"}],"group_by":["a"]}`,
		"unknown nested key": `{"v":1,"select":[{"dim":"a","colour":"red"}]}`,
		"dim and metric":     `{"v":1,"select":[{"dim":"a","metric":"b"}]}`,
		"nothing":            `{"v":1,"select":[{}]}`,
		"no select":          `{"v":1}`,
		"version":            `{"v":2,"select":[{"dim":"a"}]}`,
		"wrong type":         `{"v":1,"select":"a"}`,
		"not json":           `SELECT a`,
		"null":               `null`,
		"empty in":           `{"v":1,"select":[{"dim":"a"}],"where":{"dim":"a","op":"in","val":[]}}`,
		"two operands":       `{"v":1,"select":[{"dim":"a"}],"where":{"dim":"a","op":"eq","val":1,"val_dim":"b"}}`,
		"bad grain":          `{"v":1,"select":[{"dim":"a","grain":"decade"}]}`,
		"bad fill":           `{"v":1,"select":[{"dim":"a"}],"fill":"drop table"}`,
		"offset alone":       `{"v":1,"select":[{"dim":"a"}],"offset":3}`,
		"empty name":         `{"v":1,"select":[{"dim":""}]}`,
		"nul":                `{"v":1,"select":[{"dim":"a"}],"where":{"dim":"a","op":"eq","val":"\u0000"}}`,
		"nested":             `{"v":1,"select":[{"dim":"a"}],"where":` + strings.Repeat(`{"not":`, 5000) + `{"quant":"no","entity":"b"}` + strings.Repeat("}", 5000) + `}`,
	} {
		_, err := ParseJSON([]byte(raw))
		var f *fault.Error
		if !errors.As(err, &f) || f.Message == "" || strings.Contains(err.Error(), "[frameql.") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		expected     string // one of the hopes; empty: there is a reason
	}{
		{"", 1, 1, "SELECT"},
		{"SELECT", 1, 7, "a metric or dimension"},
		{"SELECT a\nWHERE b >", 2, 10, "a value"},
		{"SELECT a AT region, month", 1, 19, "WHERE"},
		{"SELECT a WHERE b 5", 1, 18, "IS"},
		{"SELECT a DURING 2025-13", 1, 17, ""},
		{"SELECT a DURING 2025-02-30", 1, 17, ""},
		{"SELECT a DURING", 1, 16, "YTD"},
		{"SELECT é, 'open", 1, 11, ""},
		{"SELECT a LIMIT 5 LIMIT 6", 1, 18, ""},
		{"SELECT a # b", 1, 10, ""},
		{"SELECT 12abc", 1, 8, ""},
		{"SELECT a WHERE b > (c)", 1, 22, ""},
		{"SELECT a TOP 0 b BY c", 1, 14, ""},
		{"SELECT a; SELECT b", 1, 11, ""},
		{`SELECT ""`, 1, 8, ""},
	} {
		_, err := Parse(c.text)
		var s *SyntaxError
		if !errors.As(err, &s) || fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if s.Line != c.line || s.Column != c.column {
			t.Errorf("%q: at %d:%d, want %d:%d (%v)", c.text, s.Line, s.Column, c.line, c.column, err)
		}
		if c.expected != "" && !strings.Contains(strings.Join(s.Expected, "|"), c.expected) {
			t.Errorf("%q: expected %v, want %q among them", c.text, s.Expected, c.expected)
		}
		if strings.Contains(err.Error(), "[frameql.") {
			t.Errorf("%q: %v has no text", c.text, err)
		}
	}
}

func TestBounds(t *testing.T) {
	deep := func(n int) string { return "SELECT " + strings.Repeat("(", n) + "a + 1" + strings.Repeat(")", n) }
	if _, err := Parse(deep(150)); err != nil {
		t.Errorf("150 levels: %v", err)
	}
	for name, text := range map[string]string{
		"parens":      deep(50_000),
		"preds":       "SELECT a WHERE " + strings.Repeat("(", 90_000) + "b = 1",
		"having":      "SELECT a HAVING " + strings.Repeat("(", 90_000),
		"having shut": "SELECT a HAVING " + strings.Repeat("(", 40_000) + "b" + strings.Repeat(")", 40_000) + " > 1",
		"sum":         "SELECT a" + strings.Repeat("+a", 40_000),
		"calls":       "SELECT " + strings.Repeat("SUM(", 20_000) + "a",
		"long":        "SELECT a" + strings.Repeat(" ", 110_000),
	} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	items := "SELECT " + strings.Repeat("a, ", 10_000) + "b"
	q, err := Parse(items)
	if err != nil || len(q.Select) != 10_001 {
		t.Errorf("10,001 items: %d, %v", len(q.Select), err)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range examples {
		f.Add(text)
	}
	for _, text := range []string{
		`SELECT "a""b".c AS "x"`, "select a where not (b is null or c between 1 and 2)",
		"SELECT a HAVING ((a)) > 1", "SELECT a HAVING NOT (a + 1) IN (2)", "SELECT a DURING FY 2025-Q2", "SELECT a.year, a.\"year\"", "SELECT \".\"\"0\"", "SELECT 007",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text)
		if err != nil {
			return
		}
		canonical := q.String()
		again, err := Parse(canonical)
		if err != nil {
			if fault.CodeOf(err) == fault.Limit {
				return // quoting made it longer than the bound
			}
			t.Fatalf("%q prints as %q, which does not parse: %v", text, canonical, err)
		}
		if again.String() != canonical {
			t.Fatalf("%q prints as %q and then as %q", text, canonical, again.String())
		}
		raw, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseJSON(raw)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if back.String() != canonical {
			t.Fatalf("%q becomes %q through JSON", canonical, back.String())
		}
	})
}
