package report

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/session"
)

// bigTurn answers with many rows, and a chart that draws all of them.
func bigTurn(t testing.TB, kind string, rows int) (session.FileTurn, json.RawMessage) {
	t.Helper()
	f := salesFrame(rows)
	chart := session.Chart{Type: kind, X: "day", Y: []string{"amount"}, Frame: f.ID}
	switch kind {
	case "scatter":
		chart.X = "orders"
	case "heatmap":
		chart.X, chart.Y, chart.Color = "day", []string{"region"}, "amount"
	case "bar":
		chart.Color = "region"
	}
	return turnOf(t, "amount by region and day", analyst.Answer{
		Outcome: analyst.OutcomeAnswer, Frame: f, Chart: &chart, Verification: &analyst.Verification{Level: "AAA"},
		Narration: &session.Narration{Text: "The last is 5.", Citations: []session.Citation{{Start: 12, End: 13, Frame: f.ID, Row: rows - 1, Column: "amount"}, {Start: 4, End: 8, Frame: f.ID, Row: 150, Column: "region"}, {Start: 0, End: 3, Frame: f.ID, Row: -1}}},
	}, nil)
}

// TestPageStaysSmall writes sessions of twenty answers with large frames and every type of chart.
func TestPageStaysSmall(t *testing.T) {
	for _, kind := range []string{"line", "area", "bar", "stacked", "grouped", "scatter", "pie", "histogram", "heatmap", "box", "none"} {
		turn, rows := bigTurn(t, kind, 10_000)
		d := documentOf(t, "large", session.FramesWhole, func() (session.FileTurn, json.RawMessage) { return turn, rows })
		for range 19 {
			d.Sections = append(d.Sections, d.Sections[0])
		}
		page := written(t, d)
		if len(page) >= 2_000_000 {
			t.Errorf("%s: %d bytes", kind, len(page))
		}
		read := words(parsed(t, page))
		if !strings.Contains(read, "of 10,000 are shown here") {
			t.Errorf("%s: it does not say that rows are missing", kind)
		}
		if pictures := strings.Count(string(page), `class="chart `); kind != "none" && pictures != 20 {
			t.Errorf("%s: %d pictures", kind, pictures)
		}
	}
}

// TestWidePageStaysSmall does so with frames of many columns, whose tables then show fewer rows.
func TestWidePageStaysSmall(t *testing.T) {
	wide := func() (session.FileTurn, json.RawMessage) {
		f := salesFrame(0)
		for i := range 60 {
			f.Columns = append(f.Columns, frameql.Column{Name: fmt.Sprintf("n%d", i), Type: "float", Role: frameql.RoleMetric})
		}
		for i := range 300 {
			row := []any{"a region", "2025-01-01", json.Number("1.5"), json.Number("2"), json.Number("0.5")}
			for n := range 60 {
				row = append(row, json.Number(fmt.Sprint(float64(i*n+1)/7)))
			}
			f.Rows = append(f.Rows, row)
		}
		return turnOf(t, "wide", analyst.Answer{Outcome: analyst.OutcomeAnswer, Frame: f}, nil)
	}
	var turns []func() (session.FileTurn, json.RawMessage)
	for range 20 {
		turns = append(turns, wide)
	}
	page := written(t, documentOf(t, "wide", session.FramesWhole, turns...))
	if len(page) >= 2_000_000 {
		t.Errorf("%d bytes", len(page))
	}
	if read := words(parsed(t, page)); strings.Count(read, "of 300 are shown here.") != 20 || strings.Contains(read, "The first 200 of 300") || strings.Contains(read, "The first 10 of 300") {
		t.Error("how many rows are shown is not said, or they are fewer than there is room for")
	}
}

// TestPolicyFitsThePage holds the hashes of the policy to the style and the script that stand in the page.
func TestPolicyFitsThePage(t *testing.T) {
	page := parsed(t, written(t, documentOf(t, "policy", session.FramesWhole)))
	var policy string
	for _, m := range all(page, "meta") {
		if attribute(m, "http-equiv") == "Content-Security-Policy" {
			policy = attribute(m, "content")
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
		t.Errorf("the policy is %s", policy)
	}
	for _, name := range []string{"style", "script"} {
		sum := sha256.Sum256([]byte(words(all(page, name)[0])))
		if want := name + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %s: %s", want, policy)
		}
	}
	if strings.Contains(style+pageScript, "url(") || strings.Contains(style, "@import") || strings.Contains(style, "http") {
		t.Error("the page asks for something")
	}
}

// TestSameDocumentSameBytes writes a document twice.
func TestSameDocumentSameBytes(t *testing.T) {
	one := func() (session.FileTurn, json.RawMessage) { return everything(t, "a text") }
	a, b := written(t, documentOf(t, "same", session.FramesWhole, one, one)), written(t, documentOf(t, "same", session.FramesWhole, one, one))
	if string(a) != string(b) {
		t.Error("the bytes differ")
	}
}

// tableIn gives the cells of a table as they read, and their places in the order of their columns.
func tableIn(t testing.TB, page *html.Node, id string) (cells [][]string, keys [][]string) {
	t.Helper()
	for _, figure := range all(page, "figure") {
		if attribute(figure, "id") != id {
			continue
		}
		for _, body := range all(figure, "tbody") {
			for _, tr := range all(body, "tr") {
				var row, places []string
				for c := tr.FirstChild; c != nil; c = c.NextSibling {
					if c.Type == html.ElementNode {
						row, places = append(row, words(c)), append(places, attribute(c, "data-k"))
					}
				}
				cells, keys = append(cells, row), append(keys, places)
			}
		}
	}
	return cells, keys
}

// TestCellsRead shows numbers with the digits of their column and all of them where these are fewer, what is missing, totals, and the order of values that
// their texts do not have.
func TestCellsRead(t *testing.T) {
	f := &frameql.Frame{ID: "f", Columns: []frameql.Column{
		{Name: "order", Role: frameql.RoleDimension, Type: "integer"},
		{Name: "amount", Role: frameql.RoleMetric, Type: "decimal", Unit: "USD"},
		{Name: "share", Role: frameql.RoleMetric, Type: "float", Format: "percent"},
		{Name: "x", Role: frameql.RoleMetric, Type: "float"},
		{Name: "at", Role: frameql.RoleDimension, Type: "date", Grain: "month"},
		{Name: "yes", Role: frameql.RoleDimension, Type: "boolean"},
		{Name: "is_total", Role: frameql.RoleFlag, Type: "boolean"},
	}, Rows: [][]any{
		{int64(10248), json.Number("1234.505"), 0.25, 1e300, "1997-03-01", true, false},
		{int64(10249), "12345678901234567890.01", 0.00001, json.Number("-0.00001"), "1996-12-01", false, false},
		{int64(7), json.Number("-3"), nil, "NaN", nil, nil, false},
		{nil, json.Number("12345678901234567890.009"), -1.5, "-Infinity", nil, nil, true},
	}, Reasons: []frameql.Reason{{Column: "share", Code: "zero_base", Rows: []int{2}}}}
	turn, rows := turnOf(t, "q", analyst.Answer{Outcome: analyst.OutcomeAnswer, Frame: f}, nil)
	page := parsed(t, written(t, documentOf(t, "cells", session.FramesWhole, func() (session.FileTurn, json.RawMessage) { return turn, rows })))
	cells, keys := tableIn(t, page, "q1-t")
	want := [][]string{
		{"10248", "1,234.51", "25.000 %", "1e+300", "Mar 1997", "yes"},
		{"10249", "12,345,678,901,234,567,890.01", "0.001 %", "-0.00001", "Dec 1996", "no"},
		{"7", "-3.00", "null", "NaN", "null", "null"},
		{"Total", "12,345,678,901,234,567,890.01", "-150.000 %", "-Infinity", "", ""},
	}
	for i := range want {
		if !slices.Equal(cells[i], want[i]) {
			t.Errorf("row %d reads %q, want %q", i+1, cells[i], want[i])
		}
	}
	places := [][]string{{"2", "2", "3", "3", "2", "2"}, {"3", "4", "2", "2", "1", "1"}, {"1", "1", "", "4", "", ""}, {"", "3", "1", "1", "", ""}}
	for i := range places {
		if !slices.Equal(keys[i], places[i]) {
			t.Errorf("row %d has the places %q, want %q", i+1, keys[i], places[i])
		}
	}
	hints := map[string]string{}
	for _, td := range append(all(page, "td"), all(page, "th")...) {
		if h := attribute(td, "title"); h != "" {
			hints[h] = words(td)
		}
	}
	if hints["1234.505"] != "1,234.51" || hints["12345678901234567890.009"] == "" || hints["No number: the divisor is zero"] != "null" || len(hints) != 3 && hints["-0.00001"] == "" {
		t.Errorf("%q", hints)
	}
}

// TestRowsLeftOut tells of an answer without its rows, and of what other artifacts hold.
func TestRowsLeftOut(t *testing.T) {
	one := func() (session.FileTurn, json.RawMessage) { return everything(t, "a text") }
	page := parsed(t, written(t, documentOf(t, "none", session.FramesNone, one)))
	if read := words(all(page, "main")[0]); strings.Count(read, "The rows were left out of this page.") != 5 || !strings.Contains(read, "3 rows.") {
		t.Errorf("%s", read)
	}
	cells, _ := tableIn(t, page, "q1-t")
	if len(cells) != 0 || len(all(page, "circle"))+len(all(page, "rect")) != 0 {
		t.Errorf("%d rows are there", len(cells))
	}
	for _, m := range all(page, "figure") {
		if id := attribute(m, "id"); strings.HasPrefix(id, "q1-m") && strings.Contains(words(m), "Region 1") {
			t.Errorf("%s has rows: %s", id, words(m))
		}
	}
}

// TestEveryCardIsShown finds something of every kind of artifact.
func TestEveryCardIsShown(t *testing.T) {
	page := parsed(t, written(t, documentOf(t, "cards", session.FramesWhole, func() (session.FileTurn, json.RawMessage) { return everything(t, "a text") }, func() (session.FileTurn, json.RawMessage) { return askedBack(t, "a text") })))
	read := words(all(page, "main")[0])
	for _, want := range []string{
		"0 changed, 1 the same, 1 added, 1 removed", "Simulated, not observed", "Levers", "What the change is made of", "This says what the change is made of", "What leads from one to another",
		"Most frequent values", "not run", "Why it waits", "This would work instead", "most likely, 50 %", "Rewrites", "Versions", "interpret 3 ms (one reading)", "Read as", "Grade AA",
	} {
		if !strings.Contains(read, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if len(all(page, "details")) != 1 || attribute(all(page, "details")[0], "class") != "card" {
		t.Error("there is no card")
	}
	for _, d := range all(page, "details") {
		if !slices.ContainsFunc(d.Attr, func(a html.Attribute) bool { return a.Key == "open" }) {
			t.Error("a card is closed")
		}
	}
	level := 0
	each(page, func(e *html.Node) {
		if len(e.Data) == 2 && e.Data[0] == 'h' && e.Data[1] >= '1' && e.Data[1] <= '6' {
			if next := int(e.Data[1] - '0'); next > level+1 {
				t.Errorf("h%d follows h%d: %s", next, level, words(e))
			} else {
				level = next
			}
		}
	})
}

// TestTurnWithoutAnAnswer says why there is none.
func TestTurnWithoutAnAnswer(t *testing.T) {
	for outcome, want := range map[string]string{session.Interrupted: "The program ended while this ran", session.Canceled: "This was stopped", session.Failed: "The disk is full. Make room."} {
		turn := session.FileTurn{Turn: session.Turn{Index: 1, Place: 1, Question: " ", Asked: noon(), Outcome: outcome, Answer: json.RawMessage("null"), Fault: &session.Fault{Message: "The disk is full.", Hint: "Make room."}}}
		page := parsed(t, written(t, documentOf(t, "x", session.FramesWhole, func() (session.FileTurn, json.RawMessage) { return turn, nil })))
		if read := words(all(page, "main")[0]); !strings.Contains(read, want) || !strings.Contains(read, "A question without words") {
			t.Errorf("%s: %s", outcome, read)
		}
	}
}

// TestOddTurnsAreErrors lays out what does not read.
func TestOddTurnsAreErrors(t *testing.T) {
	good, rows := everything(t, "a text")
	for name, spoil := range map[string]func(*session.FileTurn) json.RawMessage{
		"answer":  func(x *session.FileTurn) json.RawMessage { x.Answer = json.RawMessage(`{"frame":7}`); return rows },
		"rows":    func(*session.FileTurn) json.RawMessage { return json.RawMessage(`[[1,2]]`) },
		"no rows": func(*session.FileTurn) json.RawMessage { return json.RawMessage(`{"a":1}`) },
		"artifact": func(x *session.FileTurn) json.RawMessage {
			x.Artifacts = []session.FileArtifact{{Kind: session.KindComparison, Body: json.RawMessage(`[]`)}}
			return rows
		},
		"result": func(x *session.FileTurn) json.RawMessage {
			x.Artifacts = []session.FileArtifact{{Kind: session.KindSimulation, Body: json.RawMessage(`{"result":{"columns":[],"rows":[[1]]}}`)}}
			return rows
		},
	} {
		turn := good
		raw := spoil(&turn)
		if _, err := LayOut(turn, raw, Choice{Frames: session.FramesWhole, Rows: 10, Number: 1}); err == nil {
			t.Errorf("%s: it was laid out", name)
		}
	}
}

func BenchmarkPage(b *testing.B) {
	var turns []func() (session.FileTurn, json.RawMessage)
	turn, rows := bigTurn(b, "line", 10_000)
	for range 20 {
		turns = append(turns, func() (session.FileTurn, json.RawMessage) { return turn, rows })
	}
	for b.Loop() {
		written(b, documentOf(b, "bench", session.FramesWhole, turns...))
	}
}

// TestPagesAtOnce writes pages beside each other: what they share is never written to.
func TestPagesAtOnce(t *testing.T) {
	turn, rows := everything(t, "a text")
	one := func() (session.FileTurn, json.RawMessage) { return turn, rows }
	want := string(written(t, documentOf(t, "at once", session.FramesWhole, one)))
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			if got := string(written(t, documentOf(t, "at once", session.FramesWhole, one))); got != want {
				t.Error("another page")
			}
		}()
	}
	all.Wait()
}

// TestPageSaysWhoseTheWordsAre looks for the name of a model that wrote a narration, and for both cells that a number of it is made of.
func TestPageSaysWhoseTheWordsAre(t *testing.T) {
	for by, want := range map[string]string{"model": "Written by some-model, numbers by Assay", "template": ""} {
		f := salesFrame(20)
		n := session.Narration{Text: "It is up 5.", By: by, Model: "some-model", Citations: []session.Citation{{
			Start: 9, End: 10, Frame: f.ID, Row: 19, Column: "amount", Formula: "diff(r19.amount,r17.amount)", Cells: []session.CitedCell{{Row: 19, Column: "amount"}, {Row: 17, Column: "amount"}},
		}}}
		turn, rows := turnOf(t, "amount", analyst.Answer{Outcome: analyst.OutcomeAnswer, Frame: f, Narration: &n}, nil)
		page := written(t, documentOf(t, "words", session.FramesWhole, func() (session.FileTurn, json.RawMessage) { return turn, rows }))
		if read := words(parsed(t, page)); strings.Contains(read, "Written by") != (want != "") || !strings.Contains(read, want) {
			t.Errorf("%s: %q", by, read)
		}
		for _, row := range []string{"-20-", "-18-"} {
			if !regexp.MustCompile(`id="[a-z0-9]+` + row).Match(page) {
				t.Errorf("%s: the cell of row %s has no name", by, row)
			}
		}
	}
}
