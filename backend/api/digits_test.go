package api

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"assay/backend/analyst"
	"assay/backend/session"
)

// digitsAt are numbers at the ends of their types and beside the whole numbers that a double holds: as SQL, and with their digits.
var digitsAt = [][2]string{
	{"9007199254740991::BIGINT", "9007199254740991"},
	{"9007199254740993::BIGINT", "9007199254740993"},
	{"(-9007199254740993)::BIGINT", "-9007199254740993"},
	{"9223372036854775807::BIGINT", "9223372036854775807"},
	{"(-9223372036854775808)::BIGINT", "-9223372036854775808"},
	{"18446744073709551615::UBIGINT", "18446744073709551615"},
	{"170141183460469231731687303715884105727::HUGEINT", "170141183460469231731687303715884105727"},
	{"(-170141183460469231731687303715884105727)::HUGEINT", "-170141183460469231731687303715884105727"},
	{"7::HUGEINT", "7"},
	{"'99999999999999999999999999999999999999'::DECIMAL(38,0)", "99999999999999999999999999999999999999"},
	{"'-1234567890123456789012345678.0123456789'::DECIMAL(38,10)", "-1234567890123456789012345678.0123456789"},
	{"(-0.0)::DOUBLE", "0"},
}

// plainCell is a cell of JSON as its reader, who takes numbers for doubles, writes it.
func plainCell(t *testing.T, cell any) string {
	t.Helper()
	if s, isText := cell.(string); isText {
		return s
	}
	raw, err := json.Marshal(cell)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestEveryDoorGivesTheSameDigits reads one answer through every door by which its numbers leave, as readers that take JSON numbers for doubles do.
func TestEveryDoorGivesTheSameDigits(t *testing.T) {
	_, web := serving(t)
	var parts, want []string
	for i, n := range digitsAt {
		parts, want = append(parts, n[0]+" AS c"+string(rune('a'+i))), append(want, n[1])
	}
	statement := "SELECT " + strings.Join(parts, ", ") + " FROM categories LIMIT 1"
	raw, _ := json.Marshal(map[string]string{"sql": statement})
	a := asking(t, web.URL, string(raw))
	if a.Frame == nil || len(a.Frame.Rows) != 1 {
		t.Fatalf("%+v", a)
	}
	differ := func(door string, got []string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s gives\n%q\nwant\n%q", door, got, want)
		}
	}
	plain := func(cells []any) (all []string) {
		for _, cell := range cells {
			all = append(all, plainCell(t, cell))
		}
		return all
	}
	differ("the answer", plain(a.Frame.Rows[0]))

	var doc struct {
		Turns []struct {
			Answer    analyst.Answer
			Artifacts []struct {
				Kind string
				Body json.RawMessage
			}
		}
	}
	if status := get(t, web.URL+"/api/sessions/"+a.SessionID, &doc); status != http.StatusOK || len(doc.Turns) != 1 {
		t.Fatalf("%d %+v", status, doc)
	}
	differ("the session", plain(doc.Turns[0].Answer.Frame.Rows[0]))

	fetch := func(format string) []byte {
		return fetched(t, web.URL+"/api/exports/"+exported(t, web.URL, a.RequestID, format).ID)
	}
	lines, err := csv.NewReader(bytes.NewReader(fetch("csv"))).ReadAll()
	if err != nil || len(lines) != 2 {
		t.Fatalf("%v %v", lines, err)
	}
	differ("CSV", lines[1])
	var whole struct{ Rows [][]any }
	if err := json.Unmarshal(fetch("json"), &whole); err != nil {
		t.Fatal(err)
	}
	differ("JSON", plain(whole.Rows[0]))
	book, err := excelize.OpenReader(bytes.NewReader(fetch("xlsx")))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	rows, err := book.GetRows(book.GetSheetName(0), excelize.Options{RawCellValue: true})
	if err != nil || len(rows) != 2 {
		t.Fatalf("%v %v", rows, err)
	}
	differ("XLSX", rows[1])

	_, page := fetchMade(t, web.URL, "/api/sessions/"+a.SessionID+"/page", `{"frames":"whole"}`)
	digits := strings.ReplaceAll(string(page), ",", "")
	for _, n := range want {
		if !strings.Contains(digits, ">"+n+"<") && !strings.Contains(digits, n) {
			t.Errorf("the page has no %s", n)
		}
	}
}

// TestASentenceHasTheDigitsOfItsCells asks in words, where the program writes the sentence.
func TestASentenceHasTheDigitsOfItsCells(t *testing.T) {
	_, web := serving(t)
	imported(t, web.URL, "clients.csv", "id;name;town;amount\n1;Ann;Rome;9007199254740993,25\n2;Bo;Paris;9007199254740992,25\n3;Cy;Rome;0,50\n", "")
	a := asking(t, web.URL, `{"question":"total amount by town"}`)
	if a.Frame == nil || a.Narration == nil {
		t.Fatalf("%+v", a)
	}
	cells := map[string]string{}
	for _, row := range a.Frame.Rows {
		cells[plainCell(t, row[0])] = plainCell(t, row[1])
	}
	if cells["Rome"] != "9007199254740993.75" || cells["Paris"] != "9007199254740992.25" {
		t.Errorf("%v", cells)
	}
	if said := strings.ReplaceAll(a.Narration.Text, ",", ""); !strings.Contains(said, "9007199254740993.75") {
		t.Errorf("%s", a.Narration.Text)
	}
}

// TestSessionsOfBeforeKeepTheirDigits sends a session whose cells were stored as JSON numbers.
func TestSessionsOfBeforeKeepTheirDigits(t *testing.T) {
	answer := `{"frame":{"rows":[[9007199254740993,7]]},"metric_card":{"summary":9007199254740993},"plan":{"bytes":9007199254740993}}`
	doc := &session.Document{Turns: []session.Turn{{
		Answer: json.RawMessage(answer), Artifacts: []session.Artifact{{Body: json.RawMessage(`{"rows":[[-9223372036854775808]]}`)}},
	}, {Answer: json.RawMessage("null")}}}
	withDigits(doc)
	first := doc.Turns[0]
	want := `{"frame":{"rows":[["9007199254740993",7]]},"metric_card":{"summary":"9007199254740993"},"plan":{"bytes":9007199254740993}}`
	if string(first.Answer) != want || string(first.Artifacts[0].Body) != `{"rows":[["-9223372036854775808"]]}` || string(doc.Turns[1].Answer) != "null" {
		t.Errorf("%s %s", first.Answer, first.Artifacts[0].Body)
	}
}
