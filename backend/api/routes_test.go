package api

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"assay/backend/workspace"
)

// serving gives a server over the Northwind sample in an empty data folder.
func serving(t *testing.T) (*Server, *httptest.Server) {
	t.Helper()
	return servingOver(t, sample(t))
}

func servingOver(t *testing.T, ws *workspace.Workspace) (*Server, *httptest.Server) {
	t.Helper()
	page := fstest.MapFS{"index.html": {Data: []byte("<h1>Assay</h1>")}, "assets/a.js": {Data: []byte("1")}}
	server := New(ws, Options{Version: "v1", Page: page})
	web := httptest.NewServer(server)
	t.Cleanup(func() { web.Close(); server.Close(); ws.Close() })
	return server, web
}

func post(t *testing.T, url, body, accept string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", accept)
	return do(t, r)
}

func do(t *testing.T, r *http.Request) (int, string) {
	t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(raw)
}

func get(t *testing.T, url string, into any) int {
	t.Helper()
	r, _ := http.NewRequest(http.MethodGet, url, nil)
	status, body := do(t, r)
	if err := json.Unmarshal([]byte(body), into); err != nil {
		t.Fatalf("%v in %.300s", err, body)
	}
	return status
}

// event is one server-sent event.
type event struct{ name, data string }

func eventsOf(t *testing.T, stream string) []event {
	t.Helper()
	var all []event
	var e event
	lines := bufio.NewScanner(strings.NewReader(stream))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "event: "):
			e.name = line[7:]
		case strings.HasPrefix(line, "data: "):
			e.data = line[6:]
		case line == "":
			all = append(all, e)
			e = event{}
		}
	}
	return all
}

func TestAskAnswersAsTheContractSays(t *testing.T) {
	_, web := serving(t)
	status, body := post(t, web.URL+"/api/ask", `{"question":"revenue by category in 1997"}`, "application/json")
	var a map[string]any
	if err := json.Unmarshal([]byte(body), &a); err != nil || status != 200 {
		t.Fatalf("%d %v: %.300s", status, err, body)
	}
	for _, field := range []string{
		"request_id", "session_id", "outcome", "status", "understood", "frame", "verification", "risk", "findings", "narration", "chart",
		"followups", "clarification", "refusal", "metric_card", "plan", "confidence", "acceptance", "escalation", "artifacts", "timings_ms",
	} {
		if _, ok := a[field]; !ok {
			t.Errorf("the answer has no field %s", field)
		}
	}
	if a["outcome"] != "answer" || a["status"] != "completed" {
		t.Errorf("outcome %v, status %v", a["outcome"], a["status"])
	}
	if rows := a["frame"].(map[string]any)["rows"].([]any); len(rows) != 8 {
		t.Errorf("%d rows, want the 8 categories", len(rows))
	}
}

func TestAskStreamsStepsThenTheAnswer(t *testing.T) {
	_, web := serving(t)
	_, body := post(t, web.URL+"/api/ask", `{"question":"revenue by category in 1997"}`, "text/event-stream")
	events := eventsOf(t, body)
	if len(events) < 4 {
		t.Fatalf("%d events: %.300s", len(events), body)
	}
	for _, e := range events[:len(events)-1] {
		if e.name != "step" {
			t.Errorf("event %s before the answer", e.name)
		}
	}
	last := events[len(events)-1]
	if last.name != "answer" || !strings.Contains(last.data, `"outcome":"answer"`) {
		t.Errorf("last event %s %.200s", last.name, last.data)
	}
}

func TestConversationsAreListedRenamedAndDeleted(t *testing.T) {
	_, web := serving(t)
	_, body := post(t, web.URL+"/api/ask", `{"question":"how many orders in 1997"}`, "application/json")
	var a struct {
		SessionID string `json:"session_id"`
	}
	_ = json.Unmarshal([]byte(body), &a)
	post(t, web.URL+"/api/ask", `{"question":"revenue in 1996","session_id":"`+a.SessionID+`"}`, "application/json")

	var list SessionList
	get(t, web.URL+"/api/sessions", &list)
	if len(list.Sessions) != 1 || list.Sessions[0].Turns != 2 || list.Sessions[0].Title != "how many orders in 1997" {
		t.Fatalf("sessions %+v", list.Sessions)
	}
	var doc struct {
		Turns []struct{ Question string }
	}
	get(t, web.URL+"/api/sessions/"+a.SessionID, &doc)
	if len(doc.Turns) != 2 || doc.Turns[1].Question != "revenue in 1996" {
		t.Errorf("document %+v", doc)
	}

	r, _ := http.NewRequest(http.MethodPatch, web.URL+"/api/sessions/"+a.SessionID, strings.NewReader(`{"title":"Orders of 1997"}`))
	r.Header.Set("Content-Type", "application/json")
	if status, body := do(t, r); status/100 != 2 {
		t.Errorf("rename: %d %s", status, body)
	}
	get(t, web.URL+"/api/sessions", &list)
	if list.Sessions[0].Title != "Orders of 1997" {
		t.Errorf("title %q", list.Sessions[0].Title)
	}
	r, _ = http.NewRequest(http.MethodDelete, web.URL+"/api/sessions/"+a.SessionID, nil)
	if status, body := do(t, r); status/100 != 2 {
		t.Errorf("delete: %d %s", status, body)
	}
	var problem Problem
	if status := get(t, web.URL+"/api/sessions/"+a.SessionID, &problem); status != 404 || problem.Code != "not_found" {
		t.Errorf("after delete: %d %+v", status, problem)
	}
}

func TestDroppedFileCanBeAskedAbout(t *testing.T) {
	_, web := serving(t)
	var before WorkspaceView
	get(t, web.URL+"/api/workspace", &before)
	if len(before.Questions) != 4 || len(before.Sources) == 0 || before.Model.Inferred {
		t.Errorf("workspace %+v", before)
	}
	token := upload(t, web.URL, "ratings.csv", "city,score\nParis,3\nRome,5\nParis,4\n")
	_, body := post(t, web.URL+"/api/import", `{"tokens":["`+token+`"],"request_id":"r1"}`, "text/event-stream")
	events := eventsOf(t, body)
	last := events[len(events)-1]
	if last.name != "done" || !strings.Contains(last.data, `"rows":3`) {
		t.Fatalf("last event %s %.300s", last.name, last.data)
	}
	_, body = post(t, web.URL+"/api/ask", `{"question":"average score by city"}`, "application/json")
	if !strings.Contains(body, `["Paris",3.5]`) {
		t.Errorf("answer %.600s", body)
	}
	_, body = post(t, web.URL+"/api/ask", `{"question":"revenue in 1997"}`, "application/json")
	if !strings.Contains(body, "617085.2") {
		t.Errorf("the declared model is gone: %.600s", body)
	}
}

func upload(t *testing.T, url, name, content string) string {
	t.Helper()
	r, _ := http.NewRequest(http.MethodPost, url+"/api/uploads?name="+name, strings.NewReader(content))
	r.Header.Set("Content-Type", "application/octet-stream")
	status, body := do(t, r)
	var file UploadedFile
	if err := json.Unmarshal([]byte(body), &file); err != nil || status != 200 || file.Token == "" {
		t.Fatalf("upload: %d %v %s", status, err, body)
	}
	return file.Token
}

func TestImportSaysWhatIsWrong(t *testing.T) {
	server, web := serving(t)
	for name, content := range map[string]string{"empty.csv": "", "broken.parquet": "PAR1 and nothing more"} {
		token := upload(t, web.URL, name, content)
		_, body := post(t, web.URL+"/api/import", `{"tokens":["`+token+`"]}`, "text/event-stream")
		events := eventsOf(t, body)
		last := events[len(events)-1]
		if last.name != "error" || !strings.Contains(last.data, name) {
			t.Errorf("%s: %s %s", name, last.name, last.data)
		}
		r, _ := http.NewRequest(http.MethodDelete, web.URL+"/api/uploads/"+token, nil) // it waits, to be read another way
		if status, body := do(t, r); status/100 != 2 {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	_, body := post(t, web.URL+"/api/import", `{"tokens":["`+strings.Repeat("0", 64)+`"]}`, "text/event-stream")
	if !strings.Contains(body, "event: error") || !strings.Contains(body, "not known") {
		t.Errorf("unknown token: %s", body)
	}
	left, _ := os.ReadDir(filepath.Join(server.ws.Dir(), ".assay", "uploads"))
	if len(left) != 0 {
		t.Errorf("%d uploads were left behind", len(left))
	}
}

func TestUploadStaysInItsFolder(t *testing.T) {
	server, web := serving(t)
	for _, name := range []string{"..%2F..%2Fevil.csv", "%2Fetc%2Fevil.csv", "a%2Fb%2Fevil.csv"} {
		token := upload(t, web.URL, name, "a\n1\n")
		path, err := server.uploads.path(token)
		if err != nil || filepath.Dir(path) != filepath.Join(server.ws.Dir(), ".assay", "uploads", token) || filepath.Base(path) != "evil.csv" {
			t.Errorf("%s became %s (%v)", name, path, err)
		}
	}
	for _, name := range []string{"", "..", "%2F", "."} {
		r, _ := http.NewRequest(http.MethodPost, web.URL+"/api/uploads?name="+name, strings.NewReader("a"))
		if status, body := do(t, r); status != http.StatusBadRequest {
			t.Errorf("%q: %d %s", name, status, body)
		}
	}
}

func TestBadRequests(t *testing.T) {
	_, web := serving(t)
	cases := []struct{ path, body, says string }{
		{"/api/ask", `{"question":`, "cannot be read"},
		{"/api/ask", `{"question":5}`, "question"},
		{"/api/ask", `{"colour":"blue"}`, "colour"},
		{"/api/ask", `{"question":"revenue","now":"yesterday"}`, "yesterday"},
		{"/api/ask", `{"question":"revenue","criticality":"enormous"}`, "criticality"},
		{"/api/nothing", `{}`, "/api/nothing"},
	}
	for _, c := range cases {
		status, body := post(t, web.URL+c.path, c.body, "application/json")
		var p Problem
		if err := json.Unmarshal([]byte(body), &p); err != nil || status < 400 || status > 499 || p.Message == "" || !strings.Contains(body, c.says) {
			t.Errorf("%s %s: %d %s", c.path, c.body, status, body)
		}
	}
	if status, body := post(t, web.URL+"/api/ask", `{"question":"`+strings.Repeat("x", 2<<20)+`"}`, "application/json"); status != 413 {
		t.Errorf("2 MB body: %d %.200s", status, body)
	}
}

func TestPageComesWithItsPolicy(t *testing.T) {
	_, web := serving(t)
	for path, want := range map[string]string{"/": "<h1>Assay</h1>", "/some/view": "<h1>Assay</h1>", "/assets/a.js": "1", "/assets": "<h1>Assay</h1>"} {
		answer, err := http.Get(web.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if !bytes.Equal(raw, []byte(want)) {
			t.Errorf("%s gives %q", path, raw)
		}
		if policy := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-src 'none'") || strings.Contains(policy, "unsafe-eval") {
			t.Errorf("%s has the policy %q", path, policy)
		}
	}
}
