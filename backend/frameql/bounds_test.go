package frameql_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"assay/backend/fault"
	. "assay/backend/frameql"
)

// TestLimits: what is too long or too deep is refused by name and never ends the program.
func TestLimits(t *testing.T) {
	nested := func(open, inner, shut string) func(n int) string {
		return func(n int) string { return strings.Repeat(open, n) + inner + strings.Repeat(shut, n) }
	}
	for name, c := range map[string]struct {
		text  func(n int) string
		fine  int
		fault fault.Code // of 10,000
	}{
		"parentheses": {func(n int) string { return "SELECT " + nested("(", "a + 1", ")")(n) }, 150, fault.Limit},
		"open":        {func(n int) string { return "SELECT " + strings.Repeat("(", n) }, 0, fault.Limit},
		"predicates":  {func(n int) string { return "SELECT a WHERE " + nested("(", "b = 1", ")")(n) }, 150, fault.Limit},
		"negations":   {func(n int) string { return "SELECT a WHERE " + nested("NOT (", "b = 1", ")")(n) }, 150, fault.Limit},
		"having":      {func(n int) string { return "SELECT a HAVING " + nested("(", "b", ")")(n) + " > 1" }, 150, fault.Limit},
		"having open": {func(n int) string { return "SELECT a HAVING " + strings.Repeat("(", n) }, 0, fault.Limit},
		"calls":       {func(n int) string { return "SELECT " + nested("SUM(", "a", ")")(n) }, 150, fault.Limit},
		"functions":   {func(n int) string { return "SELECT " + nested("PREV(", "a", ")")(n) }, 150, fault.Limit},
		"grains":      {func(n int) string { return "SELECT " + nested("(", "a", " AT b)")(n) }, 150, fault.Limit},
		"quantifiers": {func(n int) string { return "SELECT a WHERE " + nested("ANY b (", "c = 1", ")")(n) }, 150, fault.Limit},
		"filters":     {func(n int) string { return "SELECT " + nested("a FILTER (WHERE b IN TOP 1 BY ", "c", ")")(n) }, 90, fault.Limit},
		"operands":    {func(n int) string { return "SELECT a WHERE " + nested("b > (c FILTER (WHERE ", "d = 1", ") AT e)")(n) }, 90, fault.Limit},
		"sum":         {func(n int) string { return "SELECT a" + strings.Repeat(" + a", n) }, 150, fault.Limit},
		"items":       {func(n int) string { return "SELECT a" + strings.Repeat(", a", n) }, 10_000, ""},
		"definitions": {func(n int) string { return "WITH " + numbered("m%d = a + %[1]d", n) + " SELECT m1" }, 10_000, ""},
		"conjuncts":   {func(n int) string { return "SELECT a WHERE b = 1" + strings.Repeat(" AND b = 1", n) }, 10_000, ""},
		"values": {func(n int) string {
			return "SELECT a WHERE b IN (" + numbered("'00000000-0000-0000-0000-%012d'", n) + ")"
		}, 10_000, ""},
		"dimensions": {func(n int) string { return "SELECT a AT (" + numbered("d%d", n) + ")" }, 10_000, ""},
		"keys":       {func(n int) string { return "SELECT a ORDER BY " + numbered("d%d DESC", n) }, 10_000, ""},
		"totals":     {func(n int) string { return "SELECT a TOTALS BY " + numbered("(d%d, e)", n) }, 10_000, ""},
		"comparands": {func(n int) string { return "SELECT a COMPARE TO PREVIOUS YEAR" + strings.Repeat(", PREVIOUS YEAR", n) }, 10_000, ""},
		"options":    {func(n int) string { return "SELECT a OPTIONS (" + numbered("o%05d = 1", n) + ")" }, 10_000, ""},
		"a name":     {func(n int) string { return "SELECT " + strings.Repeat("é", n) }, 10_000, ""},
		"a text":     {func(n int) string { return "SELECT a WHERE b = '" + strings.Repeat("''", n) + "'" }, 10_000, ""},
		"segments":   {func(n int) string { return "SELECT a" + strings.Repeat(".a", n) }, 4, fault.Invalid},
		"digits":     {func(n int) string { return "SELECT " + strings.Repeat("9", n) }, 38, fault.Invalid},
		"comments":   {func(n int) string { return "SELECT a " + strings.Repeat("/**/--\n", n) }, 10_000, ""},
		"spaces":     {func(n int) string { return "SELECT a" + strings.Repeat(" ", 200*n) }, 100, fault.Limit},
	} {
		if c.fine > 0 {
			q, err := Parse(c.text(c.fine))
			if err != nil {
				t.Errorf("%s: %d: %v", name, c.fine, err)
				continue
			}
			if problem := roundTrip(q); problem != "" {
				t.Errorf("%s: %d: %.300s", name, c.fine, problem)
			}
		}
		if _, err := Parse(c.text(10_000)); fault.CodeOf(err) != c.fault {
			t.Errorf("%s: 10,000: code %q, want %q: %v", name, fault.CodeOf(err), c.fault, err)
		}
	}
}

func numbered(format string, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(all, ", ")
}

// TestJSONLimits: the same for the other form.
func TestJSONLimits(t *testing.T) {
	for name, raw := range map[string]string{
		"nots":    `{"select":[{"dim":"a"}],"where":` + strings.Repeat(`{"not":`, 10_000) + `{"quant":"no","entity":"b"}` + strings.Repeat("}", 10_000) + `}`,
		"nots up": `{"select":[{"dim":"a"}],"where":` + strings.Repeat(`{"not":`, 300) + `{"quant":"no","entity":"b"}` + strings.Repeat("}", 300) + `}`,
		"lists":   strings.Repeat("[", 100_000),
		"objects": strings.Repeat(`{"select":`, 100_000),
		"args":    `{"select":[{"op":"+","args":[` + numbered(`{"num":%d}`, 10_000) + `]}]}`,
		"long":    `{"select":[{"dim":"a"}]}` + strings.Repeat(" ", 5<<20),
	} {
		if _, err := ParseJSON([]byte(raw)); fault.CodeOf(err) != fault.Limit {
			t.Errorf("%s: %v", name, err)
		}
	}
	q, err := ParseJSON([]byte(`{"select":[` + numbered(`{"metric":"m%d"}`, 10_000) + `],"where":{"dim":"a","op":"in","val":[` + numbered("%d", 10_000) + `]}}`))
	if err != nil || len(q.Select) != 10_000 || len(q.Where.Vals) != 10_000 {
		t.Error(err)
	}
}

// TestBytes: what is no text at all.
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		text   string
		column int
	}{
		{"SELECT a\x00", 9},
		{"SELECT '\x00'", 9},
		{"SELECT \xff", 8},
		{"SELECT 'é\xc3'", 10},
		{"SELECT \"\xed\xa0\x80\"", 9}, // half of a surrogate pair
	} {
		_, err := Parse(c.text)
		var s *SyntaxError
		if !errors.As(err, &s) || s.Column != c.column || fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%q: %v", c.text, err)
		}
		raw := `{"select":[{"dim":"` + strings.TrimPrefix(c.text, "SELECT ") + `"}]}`
		if _, err := ParseJSON([]byte(raw)); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%q: %v", raw, err)
		}
	}
	if _, err := ParseJSON([]byte("\xef\xbb\xbf{\"select\":[{\"dim\":\"\\ud83d\\ude42\\ufffd\uFFFD\"}]}")); err != nil {
		t.Errorf("a byte order mark, a surrogate pair and a written replacement character: %v", err)
	}
}

func TestMoments(t *testing.T) {
	for written, want := range map[string]string{
		"2020-01-01": "2020-01-01", "0001-01-01": "0001-01-01", "9999-12-31": "9999-12-31", "1969-12-31 23:59:59.5": "1969-12-31T23:59:59.5",
		"2020-01-01T00:00": "2020-01-01T00:00", "2020-01-01t00:00:00.000": "2020-01-01T00:00", "2024-02-29 01:02:03.120000": "2024-02-29T01:02:03.12",
		"10000-01-01": "", "0000-01-01": "", "2023-02-29": "", "2020-01-01T24:00": "", "2020-01-01T1:00": "", "2020-1-1": "", "": "", "2020-01-01T01": "",
		"2020-01-01T00:00Z": "", "2020-01-01T00:00+02:00": "", "2020-01-01T00:00:00,5": "", "2020-01-01T00:00:60": "", "-2020-01-01": "",
	} {
		got, reason := Moment(written)
		if got != want || (reason == "") != (want != "") {
			t.Errorf("%q: %q %q, want %q", written, got, reason, want)
		}
	}
}

// growing are queries that get longer in every way that a query can.
var growing = map[string]func(n int) string{
	"items":  func(n int) string { return "SELECT a" + strings.Repeat(", SUM(b) / 2 AS \"c d\"", n) },
	"values": func(n int) string { return "SELECT a WHERE b IN (1" + strings.Repeat(", 'x'", n) + ")" },
	"conjuncts": func(n int) string {
		return "SELECT a HAVING (b) > 1" + strings.Repeat(" AND ((b) > 1 OR NOT (c + 1) * 2 IN (1))", n)
	},
	"deep": func(n int) string {
		return "SELECT a HAVING " + strings.Repeat("(", 90) + "b IN (1" + strings.Repeat(", 1", n) + ")" + strings.Repeat(")", 90)
	},
	"many deep": func(n int) string {
		return "SELECT a HAVING b > 1" + strings.Repeat(" AND "+strings.Repeat("(", 60)+"b"+strings.Repeat(")", 60)+" > 1", n/20)
	},
	"text":        func(n int) string { return "SELECT a WHERE b = '" + strings.Repeat("''x", n) + "'" },
	"comments":    func(n int) string { return "SELECT a" + strings.Repeat(" /* b */ -- c\n", n) },
	"options":     func(n int) string { return "SELECT a OPTIONS (" + numbered("o%06d = 1", n) + ")" },
	"definitions": func(n int) string { return "WITH " + numbered("m%d = a - b", n) + " SELECT m1" },
}

// TestParsingIsLinear: twice the text, twice the work, counted in tokens that are looked at.
func TestParsingIsLinear(t *testing.T) {
	for name, text := range growing {
		one, err1 := Steps(text(1_000))
		two, err2 := Steps(text(2_000))
		if err1 != nil || err2 != nil {
			t.Fatal(name, err1, err2)
		}
		if ratio := float64(two) / float64(one); ratio > 2.05 {
			t.Errorf("%s: %d steps, then %d", name, one, two)
		}
		if perByte := float64(two) / float64(len(text(2_000))); perByte > 30 {
			t.Errorf("%s: %.1f steps a byte", name, perByte)
		}
	}
}

// TestFormsAreLinear: the same for text, print and JSON together, counted in bytes that are allocated.
func TestFormsAreLinear(t *testing.T) {
	cost := func(text string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		q, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseJSON(raw); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for name, text := range growing {
		cost(text(10)) // what is made once
		if one, two := cost(text(500)), cost(text(1_000)); float64(two) > 3*float64(one) {
			t.Errorf("%s: %d bytes, then %d", name, one, two)
		}
	}
}

// A result is refused for its size when about how large it is can be known, and is more than may be shown; never when it is
// small for certain, or when something decides that nobody counted.
func TestResultSize(t *testing.T) {
	e := env()
	e.Rows = func(entity string) int64 {
		return map[string]int64{"orders": 1_000_000, "customers": 50_000, "tickets": 200_000}[entity]
	}
	e.Distinct = func(dimension string) int64 {
		return map[string]int64{
			"customers.customer_id": 50_000, "customers.company_name": 50_000, "customers.country": 20, "orders.status": 4,
			"orders.order_id": 1_000_000, "orders.customer_id": 50_000, "customers.city": 2_000, "tickets.ticket_id": 200_000, "tickets.priority": 3,
		}[dimension]
	}
	e.Values = nil
	for query, about := range map[string]int64{ // 0: it is answered
		"SELECT orders_placed AT customers":                                                                                                  50_000,
		"SELECT orders_placed AT customers WHERE customers.country = 'France'":                                                               0, // 2,500
		"SELECT orders_placed AT customers WHERE customers.country IN ('A', 'B', 'C', 'D', 'E')":                                             12_500,
		"SELECT orders_placed AT orders WHERE status = 'open'":                                                                               250_000,
		"SELECT orders_placed AT orders WHERE status = 'open' AND customers.country = 'A'":                                                   12_500,
		"SELECT orders_placed AT orders WHERE order_id = 5":                                                                                  0,
		"SELECT orders_placed AT orders WHERE order_id IN (5, 6) AND status = 'open'":                                                        0,
		"SELECT orders_placed AT orders WHERE freight > 1000":                                                                                0, // nobody counted how many
		"SELECT orders_placed AT orders WHERE status = 'open' AND freight > 1000":                                                            0,
		"SELECT orders_placed AT orders WHERE status = 'open' OR order_id = 5":                                                               0,
		"SELECT orders_placed AT customers WHERE NOT customers.country = 'France'":                                                           0,
		"SELECT orders_placed AT customers HAVING orders_placed > 100":                                                                       0,
		"SELECT customers.country, orders_placed AT customers.country":                                                                       0,
		"SELECT orders_placed AT (customers.country, customers.city)":                                                                        40_000,
		"SELECT orders_placed AT customers TOP 10 customers BY orders_placed":                                                                0,
		"SELECT orders_placed AT customers TOP 20000 customers BY orders_placed":                                                             20_000,
		"SELECT orders_placed AT customers TOP 10 customers BY orders_placed WITH OTHER":                                                     0,
		"SELECT orders_placed AT (customers, status) TOP 10 customers BY orders_placed":                                                      0,
		"SELECT orders_placed AT (customers.city, status, customers.country) TOP 100 customers.city BY orders_placed":                        0,
		"SELECT orders_placed AT (customers.city, status, customers.country) TOP 1000 customers.city BY orders_placed PER customers.country": 80_000,
		"SELECT orders_placed AT orders LIMIT 100":                                                                                           0,
		"SELECT orders_placed AT orders LIMIT 20000":                                                                                         20_000,
		"SELECT orders_placed AT orders OPTIONS (max_rows = 100)":                                                                            1_000_000,
		"SELECT orders_placed AT orders DURING 1997":                                                                                         543_154,
		"SELECT orders_placed AT orders DURING 1998-05-01":                                                                                   0,
		"SELECT orders_placed AT (customers.city, day) DURING 1997-01":                                                                       46_130,
		"SELECT orders_placed AT (customers.city, day) DURING 1997-01-01":                                                                    0,
		"SELECT tickets_raised AT tickets WHERE priority = 'low'":                                                                            66_666,
	} {
		q, err := Parse(query)
		if err != nil {
			t.Fatal(query, err)
		}
		_, refusals := Resolve(q, e)
		got := int64(0)
		for _, r := range refusals {
			if r.Code != "CARDINALITY_LIMIT" {
				t.Errorf("%s: %s", query, r.Message)
				continue
			}
			got, _ = r.Facts["rows"].(int64)
			for _, repair := range r.Repairs {
				if _, again := Resolve(repair.Query, e); again != nil {
					t.Errorf("%s: the repair %s is refused", query, repair.FrameQL)
				}
			}
			if len(r.Repairs) == 0 {
				t.Errorf("%s: no repair", query)
			}
		}
		if got != about {
			t.Errorf("%s: about %d rows, want %d", query, got, about)
		}
	}
}
