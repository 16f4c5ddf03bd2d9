package svg

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/backend/frameql"
	"assay/backend/session"
)

// elements and attributes are all that a picture may be made of.
var (
	elements   = []string{"svg", "title", "desc", "text", "rect", "line", "path", "circle"}
	attributes = []string{"xmlns", "class", "viewBox", "width", "height", "role", "aria-labelledby", "id", "x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "d", "text-anchor", "transform"}
	notFinite  = regexp.MustCompile(`(?i)nan|inf`)
	coordinate = regexp.MustCompile(`-?[0-9.]+(?:e[0-9]+)?`)
)

// problemsOf reads a picture as XML and says what it must not hold.
func problemsOf(svg string) []string {
	var all []string
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			return append(all, err.Error())
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !slices.Contains(elements, start.Name.Local) {
			all = append(all, "element "+start.Name.Local)
		}
		for _, a := range start.Attr {
			if !slices.Contains(attributes, a.Name.Local) {
				all = append(all, "attribute "+a.Name.Local)
			}
			if slices.Contains([]string{"class", "role", "xmlns", "id", "aria-labelledby"}, a.Name.Local) {
				continue
			}
			if notFinite.MatchString(a.Value) {
				all = append(all, a.Name.Local+"="+a.Value)
			}
			for _, n := range coordinate.FindAllString(a.Value, -1) {
				if x, err := strconv.ParseFloat(n, 64); err != nil || math.Abs(x) > 1e6 {
					all = append(all, "far away: "+a.Name.Local+"="+a.Value)
				}
			}
		}
	}
}

var types = []string{"bar", "stacked", "grouped", "line", "area", "scatter", "pie", "histogram", "heatmap", "box"}

func cells(t *rapid.T, typ string) any {
	if rapid.IntRange(0, 9).Draw(t, "missing") == 0 {
		return nil
	}
	switch typ {
	case "integer":
		return rapid.Int64().Draw(t, "integer")
	case "float":
		return rapid.OneOf(rapid.Float64(), rapid.Float64Range(-100, 100), rapid.SampledFrom([]float64{0, 1e308, -1e308, 5e-324, math.MaxFloat64})).Draw(t, "float")
	case "decimal":
		return rapid.OneOf(rapid.Just[any](json.Number("1234.50")), rapid.Just[any]("12345678901234567890.123"), rapid.Just[any]("NaN"), rapid.Just[any]("-Infinity"), rapid.Just[any](json.Number("-7"))).Draw(t, "decimal")
	case "date":
		at := time.Unix(rapid.Int64Range(-62135596800, 253402300799).Draw(t, "date"), 0).UTC()
		return rapid.SampledFrom([]string{at.Format("2006-01-02"), at.Format("2006-01-02T15:04:05"), "1997-03-01", "1997-04-01", "12345-01-01", "no date"}).Draw(t, "written")
	case "boolean":
		return rapid.Bool().Draw(t, "boolean")
	}
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a", "b", "c", `<script>alert(1)</script>`, `" onload="x`, "]]>", "&#0;", "\x00\x01", "\xff", strings.Repeat("long ", 200)})).Draw(t, "text")
}

func frames(t *rapid.T) *frameql.Frame {
	f := &frameql.Frame{ID: "frm"}
	for i := range rapid.IntRange(1, 5).Draw(t, "columns") {
		c := frameql.Column{
			Name:  fmt.Sprintf("c%d", i),
			Type:  rapid.SampledFrom([]string{"text", "integer", "decimal", "float", "boolean", "date"}).Draw(t, "type"),
			Role:  rapid.SampledFrom([]frameql.Role{frameql.RoleDimension, frameql.RoleMetric, frameql.RoleComparison}).Draw(t, "role"),
			Grain: rapid.SampledFrom([]string{"", "day", "week", "month", "quarter", "year", "hour"}).Draw(t, "grain"),
			Label: rapid.String().Draw(t, "label"), Unit: rapid.SampledFrom([]string{"", "USD", "%", `"><b>`}).Draw(t, "unit"),
			Format: rapid.SampledFrom([]string{"", "percent"}).Draw(t, "format"), Additivity: rapid.SampledFrom([]string{"", "additive"}).Draw(t, "additivity"),
		}
		f.Columns = append(f.Columns, c)
	}
	if rapid.Bool().Draw(t, "other") {
		f.Columns = append(f.Columns, frameql.Column{Name: "is_other", Role: frameql.RoleFlag, Type: "boolean"})
	}
	for range rapid.IntRange(0, 80).Draw(t, "rows") {
		var row []any
		for _, c := range f.Columns {
			row = append(row, cells(t, c.Type))
		}
		f.Rows = append(f.Rows, row)
	}
	return f
}

// TestAnyFrame draws intents that may not fit over frames that may hold anything.
func TestAnyFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := frames(t)
		column := rapid.SampledFrom([]string{"", "c0", "c1", "c2", "c3", "c4", "gone"})
		e := session.ChartEdit{
			Type: rapid.SampledFrom(types).Draw(t, "chart"), X: column.Draw(t, "x"), Y: rapid.SliceOfN(column, 0, 3).Draw(t, "y"),
			Color: column.Draw(t, "color"), Facet: column.Draw(t, "facet"),
			Aggregate: rapid.SampledFrom([]string{"none", "sum", "mean", "median", "min", "max", "count", "of no kind"}).Draw(t, "aggregate"),
			Sort:      rapid.SampledFrom([]string{"frame", "descending", "ascending", "name"}).Draw(t, "sort"),
			Scale:     rapid.SampledFrom([]string{"linear", "log"}).Draw(t, "scale"),
			Palette:   rapid.SampledFrom([]string{"category", "warm", `" onload="x`}).Draw(t, "palette"),
			Zero:      rapid.Bool().Draw(t, "zero"), Labels: rapid.Bool().Draw(t, "labels"), Across: rapid.Bool().Draw(t, "across"),
		}
		width := rapid.SampledFrom([]float64{0, 200, 720, 1400}).Draw(t, "width")
		got := Draw(e, f, Options{Width: width, ID: "a", Title: rapid.String().Draw(t, "title")})
		if got.SVG == "" {
			return
		}
		if found := problemsOf(got.SVG); len(found) > 0 {
			t.Fatalf("%v of %+v", found, e)
		}
		if strings.Contains(strings.ToLower(got.SVG), "<script") {
			t.Fatal("a script")
		}
		if again := Draw(e, f, Options{Width: width, ID: "a", Title: ""}); len(again.Notes) != len(got.Notes) {
			t.Fatal("the same intent gives other notes")
		}
	})
}

func TestTheCheckSees(t *testing.T) {
	for _, bad := range []string{
		`<svg><script>1</script></svg>`, `<svg onload="x"/>`, `<svg><rect x="NaN"/></svg>`, `<svg><line x1="+Inf"/></svg>`, `<svg><text>`, `<svg><a href="x"/></svg>`, `<svg><rect x="1e99"/></svg>`,
		`<svg><rect width="123456789"/></svg>`,
	} {
		if len(problemsOf(bad)) == 0 {
			t.Errorf("nothing was seen in %s", bad)
		}
	}
}

func sales(rows ...[]any) *frameql.Frame {
	return &frameql.Frame{ID: "frm", Rows: rows, Columns: []frameql.Column{
		{Name: "category", Label: "Category", Role: frameql.RoleDimension, Type: "text"},
		{Name: "revenue", Label: "Revenue", Role: frameql.RoleMetric, Type: "decimal", Unit: "USD", Additivity: "additive"},
	}}
}

func count(t *testing.T, svg, element, class string) int {
	t.Helper()
	n := 0
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == element {
			for _, a := range start.Attr {
				if a.Name.Local == "class" && strings.HasPrefix(a.Value, class) {
					n++
				}
			}
		}
	}
}

func TestWhatIsDrawn(t *testing.T) {
	f := sales([]any{"Beverages", json.Number("100.50")}, []any{"Produce", json.Number("-20")}, []any{"Seafood", nil})
	for typ, want := range map[string][3]any{
		"bar":  {"rect", "fill", 2},
		"line": {"circle", "dot", 2},
		"pie":  {"path", "slice", 1}, // a part of a whole is above zero
	} {
		got := Draw(session.ChartEdit{Type: typ, X: "category", Y: []string{"revenue"}, Labels: true, Zero: true}, f, Options{})
		if n := count(t, got.SVG, want[0].(string), want[1].(string)); n != want[2] {
			t.Errorf("%s: %d of %s, want %v\n%s", typ, n, want[1], want[2], got.SVG)
		}
	}
	bar := Draw(session.ChartEdit{Type: "bar", X: "category", Y: []string{"revenue"}}, f, Options{ID: "q1", Title: "Sales"}).SVG
	for _, words := range []string{`role="img"`, `aria-labelledby="q1-title q1-words"`, `<title id="q1-title">Sales</title>`, "The largest is Beverages: 100.50 USD.", "The least is Produce: -20.00 USD.", "1 value is missing.", "<title>Beverages: 100.50 USD</title>"} {
		if !strings.Contains(bar, words) {
			t.Errorf("the bars do not say %s", words)
		}
	}
}

func TestGapsBreakLines(t *testing.T) {
	f := sales([]any{"a", json.Number("1")}, []any{"b", json.Number("2")}, []any{"c", nil}, []any{"d", json.Number("3")}, []any{"e", json.Number("4")})
	got := Draw(session.ChartEdit{Type: "line", X: "category", Y: []string{"revenue"}}, f, Options{}).SVG
	lines := regexp.MustCompile(`class="line s0" d="([^"]*)"`).FindStringSubmatch(got)
	if len(lines) != 2 || strings.Count(lines[1], "M") != 2 {
		t.Errorf("a line over a missing value: %v", lines)
	}
}

func TestMuchIsSaid(t *testing.T) {
	var rows [][]any
	for i := range 80 {
		rows = append(rows, []any{fmt.Sprint("member ", i), json.Number(strconv.Itoa(i + 1))})
	}
	bar := Draw(session.ChartEdit{Type: "bar", X: "category", Y: []string{"revenue"}, Across: true, Sort: "descending"}, sales(rows...), Options{})
	if n := count(t, bar.SVG, "rect", "fill"); n != mostBars || len(bar.Notes) != 1 {
		t.Errorf("%d bars, notes %v", n, bar.Notes)
	}
	pie := Draw(session.ChartEdit{Type: "pie", X: "category", Y: []string{"revenue"}, Sort: "descending"}, sales(rows...), Options{})
	if n := count(t, pie.SVG, "path", "slice"); n != mostSlices || len(pie.Notes) != 1 {
		t.Errorf("%d slices, notes %v", n, pie.Notes)
	}
}

func TestIntent(t *testing.T) {
	f := sales([]any{"Beverages", json.Number("1")})
	for typ, drawn := range map[string]bool{"bar": true, "histogram": true, "big_number": false, "none": false, "": false} {
		e, ok := Intent(session.Chart{Type: typ, X: "revenue", Y: []string{"revenue"}}, f)
		if ok != drawn || ok && e.Type != typ {
			t.Errorf("%s: %v %+v", typ, ok, e)
		}
	}
	long := sales([]any{"a name that is rather long", json.Number("1")})
	if e, _ := Intent(session.Chart{Type: "bar", X: "category", Y: []string{"revenue"}}, long); !e.Across || e.Sort != "descending" {
		t.Errorf("long names do not lie: %+v", e)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		zero   bool
		want   string
	}{
		{0, 267868, true, "0 50k 100k 150k 200k 250k 300k"},
		{-20, 100, true, "−20 0 20 40 60 80 100"},
		{7, 7, false, "6.2 6.4 6.6 6.8 7 7.2 7.4 7.6 7.8"},
		{0, 0, true, "0 0.2 0.4 0.6 0.8 1"},
		{1e12, 3e12, true, "0 500B 1T 1.5T 2T 2.5T 3T"},
	} {
		var got []string
		for _, v := range linear(c.lo, c.hi, c.zero, 5).ticks {
			got = append(got, brief(v, false))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v to %v: %v, want %s", c.lo, c.hi, got, c.want)
		}
	}
	if s := logarithmic(2, 3000); s.lo != 1 || s.hi != 10000 || len(s.ticks) != 5 || s.over(0, 100).at(100) != 50 {
		t.Errorf("powers of ten: %+v", s)
	}
}

func TestTimeTicks(t *testing.T) {
	day := func(s string) time.Time {
		at, ok := moment(s)
		if !ok {
			t.Fatal(s)
		}
		return at
	}
	for _, c := range []struct{ from, to, grain, want string }{
		{"1996-07-01", "1998-05-01", "month", "Jul 1996|Oct 1996|Jan 1997|Apr 1997|Jul 1997|Oct 1997|Jan 1998|Apr 1998"},
		{"1996-07-01", "1998-04-01", "quarter", "Q3 1996|Q4 1996|Q1 1997|Q2 1997|Q3 1997|Q4 1997|Q1 1998|Q2 1998"},
		{"1996-01-01", "1998-01-01", "year", "1996|1997|1998"},
		{"1997-01-01", "1997-01-04", "day", "Jan 1, 1997|Jan 2, 1997|Jan 3, 1997|Jan 4, 1997"},
		{"1997-01-01T00:00:00", "1997-01-01T06:00:00", "", "Jan 1 00:00|Jan 1 01:00|Jan 1 02:00|Jan 1 03:00|Jan 1 04:00|Jan 1 05:00|Jan 1 06:00"},
	} {
		_, words := timeTicks(day(c.from), day(c.to), 8, c.grain)
		if got := strings.Join(words, "|"); got != c.want {
			t.Errorf("%s to %s by %s: %s, want %s", c.from, c.to, c.grain, got, c.want)
		}
	}
}
