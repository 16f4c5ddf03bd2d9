package store

import (
	"strings"
	"testing"
)

// TestDelimitedTypes imports one column and looks at its type, its engine type and its cells.
func TestDelimitedTypes(t *testing.T) {
	many := func(n int, line string, more ...string) string {
		return strings.Repeat(line+"\n", n) + strings.Join(more, "\n")
	}
	cases := []struct {
		name, lines  string // of the column, the header aside
		kind, engine string
		cells        string // distinct, in order
		note         string // part of a note
	}{
		{"integers", "1\n-2\n0\n", "integer", "INTEGER", "-2 0 1", ""},
		{"zip codes keep their zeros", "06897\n12345\n", "text", "VARCHAR", "06897 12345", ""},
		{"integers beyond 64 bits", "9223372036854775808\n1\n", "decimal", "DECIMAL(38,0)", "1 9223372036854775808", ""},
		{"largest integer", "9223372036854775807\n", "integer", "BIGINT", "9223372036854775807", ""},
		{"nine digits", "999999999\n-999999999\n", "integer", "INTEGER", "-999999999 999999999", ""},
		{"ten digits", "1000000000\n1\n", "integer", "BIGINT", "1 1000000000", ""},
		{"money", "12.50\n3\n-0.5\n", "decimal", "DECIMAL(18,2)", "-0.50 3.00 12.50", ""},
		{"six places", "0.123456\n1\n", "decimal", "DECIMAL(18,6)", "0.123456 1.000000", ""},
		{"seven places", "0.1234567\n1\n", "float", "DOUBLE", "0.1234567 1", ""},
		{"many digits", "12345678901234567.25\n1\n", "decimal", "DECIMAL(38,2)", "1.00 12345678901234567.25", ""},
		{"exponents", "1.5e-3\n2\n", "float", "DOUBLE", "0.0015 2", ""},
		{"article numbers with e", "12e5\n13e6\n", "text", "VARCHAR", "12e5 13e6", ""},
		{"thousands", "\"1,234.50\"\n\"12\"\n\"1,234,567.00\"\n", "decimal", "DECIMAL(18,2)", "12.00 1234.50 1234567.00", "between thousands"},
		{"continental", "\"1.234,50\"\n\"12,00\"\n", "decimal", "DECIMAL(18,2)", "12.00 1234.50", "between thousands"},
		{"unclear marks", "\"1,234\"\n\"2,345\"\n", "text", "VARCHAR", "1,234 2,345", "could mean thousands"},
		{"explicit signs", "+13\n-2\n0\n", "integer", "INTEGER", "-2 0 13", ""},
		{"typographic minus", "−1.6\n0.5\n", "decimal", "DECIMAL(18,1)", "-1.6 0.5", ""},
		{"dashes for nothing", "—\n7\n–\n", "integer", "INTEGER", "7", ""},
		{"dollars", "\"$1,234\"\n$5\n-$7\n", "integer", "INTEGER", "-7 5 1234", "currency sign $"},
		{"euros", "12,50 €\n3 €\n", "decimal", "DECIMAL(18,2)", "3.00 12.50", "currency sign €"},
		{"two currencies", "$5\n€6\n", "text", "VARCHAR", "$5 €6", ""},
		{"percent", "12%\n7.5%\n", "decimal", "DECIMAL(18,1)", "7.5 12.0", "percent"},
		{"accountants", "(5.00)\n7.25\n", "decimal", "DECIMAL(18,2)", "-5.00 7.25", ""},
		{"true and false", "TRUE\nfalse\n", "boolean", "BOOLEAN", "false true", ""},
		{"yes and no", "Yes\nno\n", "boolean", "BOOLEAN", "false true", ""},
		{"t and f", "t\nf\n", "boolean", "BOOLEAN", "false true", ""},
		{"only f may be a gender", "F\nF\n", "text", "VARCHAR", "F", ""},
		{"only NO may be a country", "NO\nNO\n", "text", "VARCHAR", "NO", ""},
		{"0 and 1 are numbers", "0\n1\n", "integer", "INTEGER", "0 1", ""},
		{"dates", "2024-01-31\n2023-02-28\n", "date", "DATE", "2023-02-28 2024-01-31", ""},
		{"no such day", "2024-01-31\n2024-02-31\n", "text", "VARCHAR", "2024-01-31 2024-02-31", ""},
		{"month first by value", "1/31/2024\n2/3/2024\n", "date", "DATE", "2024-01-31 2024-02-03", ""},
		{"day first by value", "31/1/2024\n2/3/2024\n", "date", "DATE", "2024-01-31 2024-03-02", ""},
		{"undecided slashes", "1/2/2024\n3/4/2024\n", "date", "DATE", "2024-01-02 2024-03-04", "month first"},
		{"dots", "31.12.2023\n1.2.2024\n", "date", "DATE", "2023-12-31 2024-02-01", ""},
		{"undecided dashes", "1-2-2024\n", "date", "DATE", "2024-02-01", "day first"},
		{"years of two digits", "1/31/24\n12/25/69\n", "date", "DATE", "1969-12-25 2024-01-31", ""},
		{"names of months", "\"Jan 2, 2006\"\n\"Dec 31, 2005\"\n", "date", "DATE", "2005-12-31 2006-01-02", ""},
		{"full names of months", "\"January 2, 2006\"\n", "date", "DATE", "2006-01-02", ""},
		{"always midnight", "1996-07-04 00:00:00.000\n1996-07-05 00:00:00.000\n", "date", "DATE", "1996-07-04 1996-07-05", ""},
		{"always midnight in slashes", "7/25/1996 0:00:00\n7/5/1996 0:00:00\n", "date", "DATE", "1996-07-05 1996-07-25", ""},
		{"timestamps", "2024-01-31 10:11:12\n2024-01-31T10:11:12.5\n2024-02-01\n", "timestamp", "TIMESTAMP", "2024-01-31T10:11:12 2024-01-31T10:11:12.5 2024-02-01T00:00:00", ""},
		{"offsets", "2024-01-31T10:11:12Z\n2024-01-31T10:11:12+02:00\n", "timestamp", "TIMESTAMP", "2024-01-31T08:11:12 2024-01-31T10:11:12", "UTC"},
		{"afternoon", "1/31/2024 3:04 PM\n", "timestamp", "TIMESTAMP", "2024-01-31T15:04:00", ""},
		{"times", "9:05\n23:59:59\n", "time", "TIME", "09:05:00 23:59:59", ""},
		{"missing numbers", "1\nNA\n-\nN/A\nNULL\n\\N\nNone\n", "integer", "INTEGER", "1", ""},
		{"missing dates", "2024-01-31\n0000-00-00\nn/a\n", "date", "DATE", "2024-01-31", ""},
		{"Namibia stays", "NA\nDE\nNone\n-\n", "text", "VARCHAR", "- DE NA None", ""},
		{"missing text", "a\nNULL\nN/A\n\\N\n", "text", "VARCHAR", "a", ""},
		{"blanks around numbers", " 1\n2 \n", "integer", "INTEGER", "1 2", ""},
		{"only missing", "NA\nNA\n", "text", "VARCHAR", "NA", ""},

		// What the sample does not show: the first 20,000 records are of one kind and the last tells otherwise.
		{"late decimals", many(25_000, "1", "2.5"), "decimal", "DECIMAL(18,1)", "1.0 2.5", ""},
		{"late places", many(25_000, "1.5", "2.125"), "decimal", "DECIMAL(18,3)", "1.500 2.125", ""},
		{"late zero", many(25_000, "12345", "06897"), "text", "VARCHAR", "06897 12345", ""},
		{"late day", many(25_000, "1/2/2024", "31/12/2023"), "date", "DATE", "2023-12-31 2024-02-01", ""},
		{"late time", many(25_000, "2024-01-01 00:00:00", "2024-01-02 10:00:00"), "timestamp", "TIMESTAMP", "2024-01-01T00:00:00 2024-01-02T10:00:00", ""},
		{"late token", many(25_000, "1", "NA"), "integer", "INTEGER", "1", ""},
		{"late word", many(25_000, "1", "unknown"), "integer", "INTEGER", "1", "sheet.value: 1 of 25001 values is not a whole number and is missing here."},
		{"late ten digits", many(25_000, "1", "-3000000000"), "integer", "BIGINT", "-3000000000 1", ""},
		{"late ten digits of money", many(25_000, "$7", "$3000000000"), "integer", "BIGINT", "7 3000000000", "currency sign $"},
		{"late ten digits and a late word", many(25_000, "1", "3000000000", "unknown"), "integer", "BIGINT", "1 3000000000", "is not a whole number and is missing here"},
		{"late giant", many(25_000, "1", "99999999999999999999"), "decimal", "DECIMAL(38,0)", "1 99999999999999999999", ""},
		{"38 digits", strings.Repeat("9", 38) + "\n-" + strings.Repeat("9", 38) + "\n", "decimal", "DECIMAL(38,0)", "-" + strings.Repeat("9", 38) + " " + strings.Repeat("9", 38), ""},
		{"39 digits", strings.Repeat("9", 39) + "\n1\n", "text", "VARCHAR", "1 " + strings.Repeat("9", 39), ""},
		{"late blank", many(25_000, "1", " 2"), "integer", "INTEGER", "1 2", ""},
		{"late M among F and T", many(25_000, "F\nT", "M"), "text", "VARCHAR", "F M T", ""},
	}
	s := open(t, t.TempDir())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			// A second column keeps empty lines from being empty records.
			lines := strings.Split(strings.TrimSuffix(c.lines, "\n"), "\n")
			path := write(t, "sheet.csv", "value;row\n"+strings.Join(lines, ";x\n")+";x\n")
			src := mustImport(t, s, path)
			defer s.Remove(t.Context(), src.ID)
			col := src.Tables[0].Columns[0]
			if col.Type != c.kind || col.EngineType != c.engine {
				t.Errorf("type %s %s, want %s %s", col.Type, col.EngineType, c.kind, c.engine)
			}
			if src.Tables[0].Rejected != 0 {
				t.Errorf("%d lines rejected: %s", src.Tables[0].Rejected, rows(t, s, `FROM "`+src.Tables[0].RejectTable+`"`))
			}
			got := strings.ReplaceAll(rows(t, s, "SELECT DISTINCT value FROM "+ident(src.Tables[0].Name)+" WHERE value IS NOT NULL ORDER BY 1"), "\n", " ")
			if got != c.cells {
				t.Errorf("cells %s, want %s", got, c.cells)
			}
			if notes := strings.Join(src.Notes, "\n"); !strings.Contains(notes, c.note) {
				t.Errorf("notes %q do not say %q", notes, c.note)
			}
		})
	}
}

// TestCommasOfCommaSeparatedText reads thousands where the text itself is cut at commas, unless something in it is written with a decimal comma.
func TestCommasOfCommaSeparatedText(t *testing.T) {
	s := open(t, t.TempDir())
	for _, c := range []struct{ name, lines, kind string }{
		{"thousands", "\"34,446\",a\n\"8,437\",b\n\"112,305\",c\n", "integer"},
		{"two values are too few", "\"34,446\",a\n\"8,437\",b\n", "text"},
		{"a decimal comma beside them", "\"34,446\",\"1,5\"\n\"8,437\",\"2,25\"\n\"112,305\",\"3,1\"\n", "text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := mustImport(t, s, write(t, "crowd.csv", "crowd,match\n"+c.lines))
			defer s.Remove(t.Context(), src.ID)
			if got := src.Tables[0].Columns[0].Type; got != c.kind {
				t.Errorf("type %s, want %s", got, c.kind)
			}
		})
	}
}

// TestBackslashEscapes reads a text whose quotes stand behind a backslash, in which \N is no value.
func TestBackslashEscapes(t *testing.T) {
	s := open(t, t.TempDir())
	src := mustImport(t, s, write(t, "signs.csv", "name,glyph,code\n\"a \\\"quoted\\\", word\",\\N,1\nplain,\"x,y\",NULL\n"))
	got := rows(t, s, "SELECT name, glyph, code FROM "+ident(src.Tables[0].Name)+" ORDER BY name DESC")
	if want := "plain|x,y|∅\na \"quoted\", word|∅|1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
