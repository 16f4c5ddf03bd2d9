package semantic

import (
	"reflect"
	"strings"
	"testing"

	"assay/backend/fault"

	"pgregory.net/rapid"
)

func TestParseExprPrintsCanonically(t *testing.T) {
	for in, want := range map[string]string{
		"unit_price*quantity*(1-discount)": "unit_price * quantity * (1 - discount)",
		"a - (b - c)":                      "a - (b - c)",
		"(a - b) - c":                      "a - b - c",
		"- a * -(-b)":                      "-a * -(-b)",
		"a between 1 and 2 or b not between 'x' and 'y'": "a >= 1 AND a <= 2 OR NOT (b >= 'x' AND b <= 'y')",
		"Not a IS null and b is not null":                "NOT a IS NULL AND b IS NOT NULL",
		"status in ('open', 'it''s') and x NOT IN (1)":   "status IN ('open', 'it''s') AND x NOT IN (1)",
		"CASE WHEN a > 1 THEN 'x' ELSE null END":         "CASE WHEN a > 1 THEN 'x' ELSE NULL END",
		"case size when 1 then 'S' when 2 then 'M' end":  "CASE WHEN size = 1 THEN 'S' WHEN size = 2 THEN 'M' END",
		"Date_Diff('DAY', orders.order_date, shipped)":   "date_diff('day', orders.order_date, shipped)",
		"a != 1.50e3":                       "a <> 1.50e3",
		"\"Unit Price\" + \"order\".\"in\"": "\"Unit Price\" + order.\"in\"",
		"(a or b) and c":                    "(a OR b) AND c",
		"(a = b) = c":                       "(a = b) = c",
		"COALESCE(a, 0) / nullif(b, 0)":     "coalesce(a, 0) / nullif(b, 0)",
		"(orders at customers) > 2 AND x":   "(orders AT customers) > 2 AND x",
		"1 < (orders AT (shop.id, day))":    "1 < (orders AT (shop.id, day))",
		"(\"in\" AT (\"a b\")) is null":     "(\"in\" AT \"a b\") IS NULL",
	} {
		e, err := ParseExpr(in)
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if got := e.String(); got != want {
			t.Errorf("%s\n got  %s\n want %s", in, got, want)
		}
	}
}

func TestParseExprErrorsNameTheColumn(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "column 1",
		"a +":                                "column 4",
		"a b":                                "column 3: an operator or the end was expected but \"b\"",
		"sum(a)":                             "column 1: there is no function \"sum\"",
		"a + (b * c":                         "column 11",
		"'open":                              "column 1: the quote",
		"a = 12x":                            "column 5: \"12x\" is not a number",
		"a; drop table t":                    "column 2: the character \";\"",
		"round(1, 2, 3)":                     "column 1: round takes 1 to 2 arguments, not 3",
		"date_diff('fortnight',a,b)":         "column 11",
		"date_diff(unit, a, b)":              "column 11",
		"a NOT 5":                            "column 7",
		"a is 5":                             "column 6: NULL was expected",
		"case when a then end":               "column 18",
		"a.":                                 "column 3: a name",
		"(orders AT) > 2":                    "column 11: a name",
		"(orders AT (a, 1)) > 2":             "column 16: a name",
		"(orders AT (a, b) > 2":              "column 19",
		"(a + 1 AT b) > 2":                   "column 8",
		"é + *":                              "column 5",
		strings.Repeat("(", 100000):          "nested too deeply",
		strings.Repeat("not ", 100000) + "a": "nested too deeply",
		strings.Repeat("- ", 100000) + "a":   "nested too deeply",
	} {
		_, err := ParseExpr(in)
		if err == nil {
			t.Errorf("%.40s: no error", in)
			continue
		}
		if fault.CodeOf(err) != fault.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v\n want %s", in, err, want)
		}
	}
}

func TestIdents(t *testing.T) {
	e, err := ParseExpr("a + b.c * coalesce(a, d) + CASE WHEN e = 'f' THEN 1 END")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := e.Idents(), []string{"a", "b.c", "d", "e"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v want %v", got, want)
	}
}

// The canonical text of any tree reads back to the same canonical text.
func TestExprTextIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawExpr(t, 4)
		s := e.String()
		back, err := ParseExpr(s)
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		if again := back.String(); again != s {
			t.Fatalf("%s reads back as %s", s, again)
		}
	})
}

func drawExpr(t *rapid.T, depth int) *Expr {
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "leaf") == 0 {
		return rapid.SampledFrom([]*Expr{
			{Op: "ident", Name: "a"},
			{Op: "ident", Name: "orders.case"},
			{Op: "ident", Name: "Two Words"},
			{Op: "num", Text: "1.5"},
			{Op: "str", Text: "it's"},
			{Op: "bool", Text: "true"},
			{Op: "null"},
			{Op: "metric_at", Name: "m", Args: []*Expr{{Op: "ident", Name: "b"}, {Op: "ident", Name: "c.at"}}},
		}).Draw(t, "atom")
	}
	op := rapid.SampledFrom([]string{
		"+", "-", "*", "/", "=", "<>", "<", "<=", ">", ">=", "and", "or", "not", "neg",
		"is_null", "not_null", "in", "not_in", "case", "call",
	}).Draw(t, "op")
	e := &Expr{Op: op}
	n := 2
	switch op {
	case "not", "neg", "is_null", "not_null":
		n = 1
	case "call":
		e.Name = "coalesce"
		n = rapid.IntRange(1, 3).Draw(t, "n")
	case "in", "not_in":
		n = rapid.IntRange(2, 3).Draw(t, "n")
	case "case":
		n = rapid.IntRange(2, 5).Draw(t, "n")
		e.HasElse = n%2 == 1
	}
	for range n {
		e.Args = append(e.Args, drawExpr(t, depth-1))
	}
	return e
}
