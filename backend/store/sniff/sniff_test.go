package sniff

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func values(texts ...string) []Value {
	var all []Value
	for _, t := range texts {
		all = append(all, Value{Text: t, Count: 1})
	}
	return all
}

func TestInfer(t *testing.T) {
	many := append(values("x1", "2024-13-01"), Value{Text: "2024-01-31", Count: 500})
	cases := []struct {
		name   string
		values []Value
		opt    Options
		want   Type
	}{
		{"nothing", nil, Options{}, Text},
		{"only missing", values("", "NA", "-"), Options{}, Text},
		{"a code among numbers", values("1", "007"), Options{}, Text},
		{"versions", values("1.2.3", "1.2.4"), Options{}, Text},
		{"phones", values("555-1234", "555-9876"), Options{}, Text},
		{"plus signs are phones", values("+4930123456"), Options{}, Text},
		{"digits in a column of text", values("123", "456"), Options{Accept: Calendar}, Text},
		{"dates in a column of text", values("2024-01-31"), Options{Accept: Calendar}, Date},
		{"dates in a column of numbers", values("2024-01-31"), Options{Accept: Numbers}, Text},
		{"misfits are not rejected unasked", many, Options{}, Text},
		{"misfits are rejected when few", many, Options{Reject: true}, Date},
		{"a word among numbers is missing", append(values("unknown"), Value{Text: "5", Count: 5000}), Options{Reject: true}, Integer},
		{"a code among whole numbers", append(values("A12"), Value{Text: "5", Count: 5000}), Options{Reject: true}, Text},
		{"a third word among two", append(values("true", "maybe"), Value{Text: "false", Count: 5000}), Options{Reject: true}, Text},
		{"one in twenty", append(values("2024-13-01"), Value{Text: "2024-01-31", Count: 19}), Options{Reject: true}, Date},
		{"not so few", append(values("2024-13-01", "2024-14-01"), Value{Text: "2024-01-31", Count: 30}), Options{Reject: true}, Text},
		{"too few to tell", append(values("2024-13-01"), Value{Text: "2024-01-31", Count: 8}), Options{Reject: true}, Text},
		{"hours of a day", values("24:00"), Options{}, Text},
		{"minutes of an hour", values("2024-01-01 10:61"), Options{}, Text},
		{"mixed layouts", values("1/2/2024", "2024-01-02"), Options{}, Text},
	}
	for _, c := range cases {
		if got := Infer(c.values, c.opt); got.Type != c.want {
			t.Errorf("%s: %+v, want %s", c.name, got, c.want)
		}
	}
}

// TestPatternHolds: every value that a shape was made of matches the shape's pattern, which is what the engine checks.
func TestPatternHolds(t *testing.T) {
	kinds := map[string]*rapid.Generator[string]{
		"integer": rapid.Map(rapid.Int64(), func(n int64) string { return fmt.Sprint(n) }),
		"money": rapid.Map(rapid.Int64Range(-1e12, 1e12), func(n int64) string {
			return fmt.Sprintf("%s%d.%02d", map[bool]string{true: "-", false: ""}[n < 0], abs(n)/100, abs(n)%100)
		}),
		"grouped": rapid.Map(rapid.Int64Range(0, 1e15), func(n int64) string { return grouped(n) + ".50" }),
		"float":   rapid.Map(rapid.Float64Range(-1e9, 1e9), func(f float64) string { return fmt.Sprintf("%.9f", f) }),
		"day": rapid.Map(rapid.IntRange(0, 20000), func(n int) string {
			return time.Unix(int64(n)*86400, 0).UTC().Format("1/2/2006")
		}),
		"moment": rapid.Map(rapid.Int64Range(0, 2e9), func(n int64) string {
			return time.Unix(n, 0).UTC().Format("2006-01-02T15:04:05")
		}),
	}
	for name, g := range kinds {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				texts := rapid.SliceOfN(g, 1, 30).Draw(t, "values")
				s := Infer(values(texts...), Options{})
				if s.Type == Text {
					t.Fatalf("%q is text", texts)
				}
				re := regexp.MustCompile("^(" + s.Pattern() + ")$")
				for _, x := range texts {
					if !re.MatchString(x) {
						t.Fatalf("%q does not match %s of %+v", x, s.Pattern(), s)
					}
				}
			})
		})
	}
}

func abs(n int64) int64 { return max(n, -n) }

func grouped(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return grouped(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// TestSettle: one column that tells day from month tells it for all that are written alike.
func TestSettle(t *testing.T) {
	certain, guessed, other := Infer(values("31/12/2023"), Options{}), Infer(values("1/2/2024", "3/4/2024"), Options{}), Infer(values("1-2-2024"), Options{})
	Settle([]*Shape{&guessed, &certain, &other})
	if guessed.Layout.Format != "%d/%m/%Y" || guessed.Guessed || !other.Guessed {
		t.Errorf("%+v %+v", guessed, other)
	}
}

func TestDelimited(t *testing.T) {
	cases := []struct {
		name, text string
		delimiter  byte
		header     bool
		skip       int
		columns    string
		records    int
	}{
		{"commas", "a,b\n1,2\n", ',', true, 0, "a b", 1},
		{"semicolons with decimal commas", "a;b\n1,5;2,5\n1,6;2,6\n", ';', true, 0, "a b", 2},
		{"tabs", "a\tb\n1\t2\n", '\t', true, 0, "a b", 1},
		{"commas in quotes", "a;b\n\"1,2,3\";2\n\"1,2,3\";3\n", ';', true, 0, "a b", 2},
		{"one column", "names\nAna\nBo\n", ',', true, 0, "names", 2},
		{"no header", "1,2\n3,4\n", ',', false, 0, "column_1 column_2", 2},
		{"text over text", "name,city\nAna,Rome\nBo,Paris\n", ',', true, 0, "name city", 2},
		{"header only", "a,b,c\n", ',', true, 0, "a b c", 0},
		{"title", "Sales\n\na,b,c\n1,2,3\n4,5,6\n", ',', true, 2, "a b c", 2},
		{"repeated names", "a,A,,a\n1,2,3,4\n", ',', true, 0, "a A_2 column_3 a_3", 1},
		{"wider rows", "a,b\n1,2,3\n4,5,6\n7,8,9\n", ',', true, 0, "a b column_3", 3},
		{"repeated names over text", "day,gate,score,gate\nMon,east,3:1,north\nTue,west,2:2,south\nWed,east,0:1,south\n", ',', true, 0, "day gate score gate_2", 3},
		{"no header, a name comes back", "Ana,Rome,Ana\nBo,Paris,Cy\nDi,Oslo,Ed\n", ',', false, 0, "column_1 column_2 column_3", 3},
		{"headings said once more", "tool,oak,ash\nsaw,Yes,No\naxe,No,No\ntool,oak,ash\n", ',', true, 0, "tool oak ash", 3},
		{"nameless numbers first", ",site,listed\n1,Mill,May 3 1990\n2,Dam,June 4 1991\n3,Pier,July 9 1992\n", ',', true, 0, "column_1 site listed", 3},
		{"a separator line", "sep=;\r\na;b\r\n1;2\r\n", ';', true, 1, "a b", 1},
		{"a separator line in quotes", "\"sep=,\"\na,b\n1,2\n", ',', true, 1, "a b", 1},
		{"a column called sep", "sep,b\n1,2\n", ',', true, 0, "sep b", 1},
		{"remarks above", "# made by a tool, version 2\n# on a day\na,b,c\n1,2,3\n", ',', true, 2, "a b c", 1},
		{"a number sign is a name", "#,b,c\n1,2,3\n4,5,6\n", ',', true, 0, "# b c", 2},
		{"carets", "a^b\n1^2\n", '^', true, 0, "a b", 1},
		{"carriage returns end short lines, too", "a,b,c\r1,2,3\r4,5\r6\r7,8,9\n1,2,3\n", ',', true, 0, "a b c", 5},
		{"backslashes", "a,b\n\"say \\\"hi, there\\\"\",2\n\"x\",3\n", ',', true, 0, "a b", 2},
	}
	for _, c := range cases {
		d, records, ok := Delimited([]byte(c.text), true, 0)
		if !ok || d.Delimiter != c.delimiter || d.Header != c.header || d.Skip != c.skip || strings.Join(d.Columns, " ") != c.columns || len(records) != c.records {
			t.Errorf("%s: %+v %q %t", c.name, d, records, ok)
		}
	}
	if _, _, ok := Delimited([]byte("\n\n"), true, 0); ok {
		t.Error("empty lines are a table")
	}
	if _, records, _ := Delimited([]byte("a,b\n1,2\n3,"), false, 0); len(records) != 1 {
		t.Errorf("the cut-off record is used: %q", records)
	}
}

// TestScanner: lines, fields and raw text of records with quotes and line feeds in them.
func TestScanner(t *testing.T) {
	s := NewScanner(strings.NewReader("a,b\r\n\r\n\"x\ny\",\"say \"\"hi\"\"\"\nlast"), ',', '"')
	var got []string
	for {
		r, ok := s.Next()
		if !ok {
			break
		}
		got = append(got, fmt.Sprintf("%d %q %q", r.Line, r.Fields, r.Raw))
	}
	want := `1 ["a" "b"] "a,b"` + "\n" + `3 ["x\ny" "say \"hi\""] "\"x\ny\",\"say \"\"hi\"\"\""` + "\n" + `5 ["last"] "last"`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}
