package sniff

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestScannerMends: what is broken in one line costs no other line.
func TestScannerMends(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"an open quote", "1,\"a,5\n2,b,6\n3,c,7\n", `1 [1 a 5]*; 2 [2 b 6]; 3 [3 c 7]`},
		{"an open quote before quotes", "1,\"a,5\n2,\"b\",6\n3,c,7\n", `1 [1 a 5]*; 2 [2 b 6]; 3 [3 c 7]`},
		{"an open quote at the end", "1,a,5\n2,b,\"6", `1 [1 a 5]; 2 [2 b 6]*`},
		{"an inch mark in quotes", "1,\"5\" pipe\",5\n2,b,6\n", `1 [1 5" pipe 5]*; 2 [2 b 6]`},
		{"an inch mark at the end of quotes", "1,\"pipe 5\"\",5\n2,b,6\n", `1 [1 pipe 5" 5]*; 2 [2 b 6]`},
		{"a quoted word in quotes", "1,\"say \"hi\" now\",5\n2,b,6\n", `1 [1 say "hi" now 5]*; 2 [2 b 6]`},
		{"a line break in quotes", "1,\"a\nb\",5\n2,\"c\r\nd\",6\n", "1 [1 a\nb 5]; 3 [2 c\r\nd 6]"},
		{"an empty quoted field", "1,\"\",5\n\"\",b,6\n", `1 [1  5]; 2 [ b 6]`},
		{"line ends of three kinds", "1,a,5\r2,b,6\n3,c,7\r\n4,d,8", `1 [1 a 5]; 2 [2 b 6]; 3 [3 c 7]; 4 [4 d 8]`},
		{"a carriage return in a field", "1,a\rb,5\n2,b,6\n", "1 [1 a\rb 5]; 2 [2 b 6]"},
		{"quotes behind a carriage return", "1,a,\"5\"\r2,b,6\n", `1 [1 a 5]; 2 [2 b 6]`},
		{"trailing delimiters", "1,a,\n2,,\n", `1 [1 a ]; 2 [2  ]`},
		{"short and long", "1,a\n2,b,6,x\n", `1 [1 a]; 2 [2 b 6 x]`},
	}
	for _, c := range cases {
		s := Dialect{Delimiter: ',', Escape: '"', Columns: []string{"a", "b", "c"}}.Scanner(strings.NewReader(c.text))
		var got []string
		for {
			r, ok := s.Next()
			if !ok {
				break
			}
			mended := ""
			if r.Mended {
				mended = "*"
			}
			got = append(got, fmt.Sprintf("%d [%s]%s", r.Line, strings.Join(r.Fields, " "), mended))
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, strings.Join(got, "; "), c.want)
		}
	}
}

// TestScannerBreaksOneLine: well-formed text comes back as it was written, and a quote that is opened and not closed in one of
// its lines changes that line alone.
func TestScannerBreaksOneLine(t *testing.T) {
	field := rapid.StringMatching(`([a-z ,\n]|[a-z]"[a-z]){0,5}`)
	plain := rapid.StringMatching(`[a-z]{1,5}`)
	quoted := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SliceOfN(field, 3, 3), 1, 12).Draw(t, "rows")
		broken := rapid.IntRange(-1, len(rows)-1).Draw(t, "broken")
		var b strings.Builder
		for i, r := range rows {
			if i == broken {
				for j := range r {
					r[j] = plain.Draw(t, "plain")
				}
				b.WriteString(r[0] + `,"` + r[1] + "," + r[2] + "\n")
				continue
			}
			for j, f := range r {
				if j > 0 {
					b.WriteByte(',')
				}
				b.WriteString(quoted(f))
			}
			b.WriteByte('\n')
		}
		s := Dialect{Delimiter: ',', Escape: '"', Columns: []string{"a", "b", "c"}}.Scanner(strings.NewReader(b.String()))
		for i, want := range rows {
			r, ok := s.Next()
			if !ok || !slices.Equal(r.Fields, want) || r.Mended != (i == broken) {
				t.Fatalf("record %d is %q, want %q, in\n%s", i, r.Fields, want, b.String())
			}
		}
		if r, ok := s.Next(); ok {
			t.Fatalf("one more: %q", r.Fields)
		}
	})
}
