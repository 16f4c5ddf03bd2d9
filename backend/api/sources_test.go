package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/store"
	"assay/backend/workspace"
)

const clients = "id;name;email;town;amount\n1;Ann;ann@example.org;Rome;1,5\n2;Bo;bo@example.org;Paris;2,5\n3;Cy;cy@example.org;Rome;4\n"

func imported(t *testing.T, base, name, content, more string) ImportDone {
	t.Helper()
	token := upload(t, base, name, content)
	_, body := post(t, base+"/api/import", `{"tokens":["`+token+`"]`+strings.ReplaceAll(more, "TOKEN", token)+`}`, "text/event-stream")
	return doneOf[ImportDone](t, body)
}

// doneOf gives the last event of a stream, which has to be done.
func doneOf[T any](t *testing.T, body string) (v T) {
	t.Helper()
	events := eventsOf(t, body)
	last := events[len(events)-1]
	if err := json.Unmarshal([]byte(last.data), &v); err != nil || last.name != "done" {
		t.Fatalf("%s %s %v", last.name, last.data, err)
	}
	return v
}

func source(t *testing.T, base, id string) *SourceDetail {
	t.Helper()
	var all SourcesView
	get(t, base+"/api/sources", &all)
	for i := range all.Sources {
		if all.Sources[i].ID == id {
			return &all.Sources[i]
		}
	}
	return nil
}

// TestSourcesOfTheDataView goes a person's way: look, import another way, see, profile, ask about, read another way, rename,
// remove, undo.
func TestSourcesOfTheDataView(t *testing.T) {
	_, web := serving(t)
	token := upload(t, web.URL, "clients.csv", clients)
	status, body := post(t, web.URL+"/api/preview", `{"token":"`+token+`","reading":{"columns":[{"column":"id","type":"text"}]}}`, "application/json")
	if status != 200 || !strings.Contains(body, `"delimiter":";"`) || !strings.Contains(body, `ann@example.org`) || !strings.Contains(body, `"written":"1.234,5"`) {
		t.Fatalf("%d %s", status, body)
	}
	_, body = post(t, web.URL+"/api/import", `{"tokens":["`+token+`"],"readings":{"`+token+`":{"columns":[{"column":"id","type":"text"}]}}}`, "text/event-stream")
	done := doneOf[ImportDone](t, body)
	id := done.Sources[0].ID
	d := source(t, web.URL, id)
	if d == nil || d.Path != "" || d.File != "clients.csv" || d.State != store.Same || d.Declared || d.Reading == nil || !*d.Header || d.Tables[0].Columns[0].Type != "text" || d.Tables[0].Columns[2].Personal != "email" || d.Tables[0].Columns[3].Personal != "" {
		t.Fatalf("%+v", d)
	}
	var head TableHead
	get(t, web.URL+"/api/table/head?table=clients", &head)
	if len(head.Rows) != 3 || !has(head.LeftOut, "email") || len(head.Columns) != 5-len(head.LeftOut) {
		t.Errorf("%+v", head)
	}
	_, body = post(t, web.URL+"/api/table/profile", `{"table":"clients","request_id":"p1"}`, "text/event-stream")
	p := doneOf[workspace.TableProfile](t, body)
	if strings.Contains(body, "example.org") || p.Columns[2].Personal != "email" || p.Columns[2].Distinct != 3 || p.Columns[3].Top[0].Value != "Rome" || len(p.Columns[4].Histogram) != 20 || !strings.Contains(body, `event: progress`) {
		t.Errorf("%s", body)
	}
	if _, again := post(t, web.URL+"/api/table/profile", `{"table":"clients"}`, "text/event-stream"); strings.Contains(again, "event: progress") {
		t.Error("the same data was measured again")
	}
	var q TableQuestion
	get(t, web.URL+"/api/table/question?table=clients&column=town&value=Rome", &q)
	if _, body := post(t, web.URL+"/api/ask", `{"question":"`+q.Question+`"}`, "application/json"); q.Question == "" || !strings.Contains(body, `"outcome":"answer"`) {
		t.Errorf("%q: %.300s", q.Question, body)
	}
	if status := get(t, web.URL+"/api/table/question?table=clients&column=email&value=x", &Problem{}); status != http.StatusForbidden {
		t.Errorf("a value of a personal column: %d", status)
	}
	_, body = post(t, web.URL+"/api/preview", `{"source":"`+id+`","reading":{"header":false}}`, "application/json")
	if strings.Contains(body, "example.org") {
		t.Errorf("a look at a source shows %s", body)
	}
	_, body = post(t, web.URL+"/api/sources/"+id+"/refresh", `{"reading":{"columns":[{"column":"town","name":"city"}]}}`, "text/event-stream")
	doneOf[ImportDone](t, body)
	if d = source(t, web.URL, id); d.Tables[0].Columns[3].Name != "city" || d.Tables[0].Columns[0].Type != "integer" {
		t.Errorf("%+v", d.Tables[0].Columns)
	}
	r, _ := http.NewRequest(http.MethodPatch, web.URL+"/api/sources/"+id, strings.NewReader(`{"name":"People"}`))
	r.Header.Set("Content-Type", "application/json")
	if status, body := do(t, r); status != 200 || !strings.Contains(body, `"People"`) {
		t.Errorf("%d %s", status, body)
	}
	r, _ = http.NewRequest(http.MethodDelete, web.URL+"/api/sources/"+id, nil)
	if status, _ := do(t, r); status != 200 || source(t, web.URL, id) != nil {
		t.Errorf("remove: %d", status)
	}
	if _, body := post(t, web.URL+"/api/ask", `{"frame_ql":"SELECT clients.amount AT city FROM clients"}`, "application/json"); strings.Contains(body, `"outcome":"answer"`) {
		t.Errorf("a removed table answers: %.300s", body)
	}
	if status := get(t, web.URL+"/api/table/head?table=clients", &Problem{}); status != 404 {
		t.Errorf("the head of a removed table: %d", status)
	}
	if status, body := post(t, web.URL+"/api/sources/"+id+"/restore", `{}`, "application/json"); status != 200 || source(t, web.URL, id).Name != "People" {
		t.Errorf("%d %s", status, body)
	}
	if status, _ := post(t, web.URL+"/api/sources/"+id+"/restore", `{}`, "application/json"); status != 404 {
		t.Errorf("restored twice: %d", status)
	}
}

// TestSeveralFiles: one that cannot be read keeps none of the others out, and says which it is.
func TestSeveralFiles(t *testing.T) {
	_, web := serving(t)
	good, bad := upload(t, web.URL, "good.csv", "a\n1\n"), upload(t, web.URL, "bad.parquet", "PAR1 nothing")
	_, body := post(t, web.URL+"/api/import", `{"tokens":["`+bad+`","`+good+`"]}`, "text/event-stream")
	done := doneOf[ImportDone](t, body)
	if len(done.Sources) != 1 || len(done.Failed) != 1 || done.Failed[0].File != "bad.parquet" || !strings.Contains(done.Failed[0].Problem.Message, "bad.parquet") {
		t.Errorf("%+v", done)
	}
	newer := upload(t, web.URL, "good.csv", "a\n1\n2\n")
	_, body = post(t, web.URL+"/api/sources/"+done.Sources[0].ID+"/refresh", `{"token":"`+newer+`"}`, "text/event-stream")
	if next := doneOf[ImportDone](t, body); next.Sources[0].ID != done.Sources[0].ID || next.Sources[0].Tables[0].Rows != 2 {
		t.Errorf("%+v", next.Sources)
	}
	for _, wrong := range []string{`{}`, `{"token":"x","source":"y"}`} {
		if status, _ := post(t, web.URL+"/api/preview", wrong, "application/json"); status != 400 {
			t.Errorf("%s: %d", wrong, status)
		}
	}
}

// TestRejectedLinesAreShown, but not what they say beside a personal column.
func TestRejectedLinesAreShown(t *testing.T) {
	_, web := serving(t)
	more := `,"readings":{"TOKEN":{"columns":[{"column":"n","type":"integer"}]}}`
	imported(t, web.URL, "plain.csv", "n,what\n1,a\n2,b\nmany,c\n", more)
	imported(t, web.URL, "people.csv", "n,email\n1,a@example.org\n2,b@example.org\nmany,c@example.org\n", more)
	var lines TableRejected
	get(t, web.URL+"/api/table/rejected?table=plain", &lines)
	if lines.All != 1 || lines.Lines[0].Line != 4 || lines.Lines[0].Raw != "many,c" || lines.Lines[0].Column != "n" {
		t.Errorf("%+v", lines)
	}
	get(t, web.URL+"/api/table/rejected?table=people", &lines)
	if lines.All != 1 || lines.Lines[0].Line != 4 || lines.Lines[0].Raw != "" || lines.Lines[0].Reason != "" {
		t.Errorf("%+v", lines)
	}
}

// TestChangedFileSaysSo: a file on disk that changed is told, and one call takes it in.
func TestChangedFileSaysSo(t *testing.T) {
	server, web := serving(t)
	path := filepath.Join(t.TempDir(), "prices.csv")
	writeFile(t, path, "item,price\na,1\n")
	token := server.OfferChosen([]string{path}).Files[0].Token
	_, body := post(t, web.URL+"/api/import", `{"tokens":["`+token+`"]}`, "text/event-stream")
	id := doneOf[ImportDone](t, body).Sources[0].ID
	writeFile(t, path, "item,price\na,1\nb,41\n")
	if d := source(t, web.URL, id); d.State != store.Changed || d.Path == "" {
		t.Errorf("%+v", d)
	}
	_, body = post(t, web.URL+"/api/sources/"+id+"/refresh", `{"request_id":"r"}`, "text/event-stream")
	doneOf[ImportDone](t, body)
	if _, body := post(t, web.URL+"/api/ask", `{"question":"total price"}`, "application/json"); !strings.Contains(body, "42") {
		t.Errorf("%.400s", body)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if d := source(t, web.URL, id); d.State != store.Missing {
		t.Errorf("%+v", d)
	}
	if _, body := post(t, web.URL+"/api/sources/"+url.PathEscape(id)+"/refresh", `{}`, "text/event-stream"); !strings.Contains(body, "event: error") || !strings.Contains(body, "prices.csv") {
		t.Errorf("%s", body)
	}
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
