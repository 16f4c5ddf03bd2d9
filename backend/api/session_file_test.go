package api

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"assay/backend/session"
	"assay/backend/workspace"
)

// handOver sends a file as an upload and gives its token.
func handOver(t *testing.T, base, name string, raw []byte) string {
	t.Helper()
	status, body := post(t, base+"/api/uploads?name="+url.QueryEscape(name), string(raw), "application/octet-stream")
	var f UploadedFile
	if status != http.StatusOK || json.Unmarshal([]byte(body), &f) != nil {
		t.Fatalf("%d %s", status, body)
	}
	return f.Token
}

func fetched(t *testing.T, address string) []byte {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%d %v %s", answer.StatusCode, err, raw)
	}
	return raw
}

func TestSessionFilesOverTheWire(t *testing.T) {
	_, web := serving(t)
	a := ask(t, web.URL, `{"question":"revenue by category in 1997"}`)
	at := web.URL + "/api/sessions/" + a.SessionID + "/export"
	var contents workspace.SessionContents
	if status := get(t, at+"/contents?frames=masked&sign=true", &contents); status != http.StatusOK || contents.Turns != 1 || contents.Frames != 1 || contents.Rows != 8 || contents.Signer == nil || contents.Key != "" {
		t.Errorf("%d %+v", status, contents)
	}
	status, body := post(t, at, `{"frames":"whole","sign":true,"signer":"Mary Major"}`, "application/json")
	var e Exported
	if status != http.StatusOK || json.Unmarshal([]byte(body), &e) != nil || !strings.HasSuffix(e.Name, ".assay") {
		t.Fatalf("%d %s", status, body)
	}
	file := fetched(t, web.URL+"/api/exports/"+e.ID)
	if _, err := zip.NewReader(bytes.NewReader(file), int64(len(file))); err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{"mine.assay": file, "session.json": fetched(t, at)} {
		token := handOver(t, web.URL, name, raw)
		status, body = post(t, web.URL+"/api/sessions/preview", `{"token":"`+token+`"}`, "application/json")
		var p workspace.SessionPreview
		if status != http.StatusOK || json.Unmarshal([]byte(body), &p) != nil || len(p.Turns) != 1 || p.Turns[0].Question != "revenue by category in 1997" || p.Turns[0].Rows != 8 || p.File != name {
			t.Errorf("%s: %d %s", name, status, body)
		}
		if signed := p.Signature == session.SignatureValid && p.Own; signed != (name == "mine.assay") {
			t.Errorf("%s: signature %s", name, p.Signature)
		}
		status, body = post(t, web.URL+"/api/sessions/import", `{"token":"`+token+`"}`, "application/json")
		var arrived workspace.SessionArrived
		if status != http.StatusOK || json.Unmarshal([]byte(body), &arrived) != nil {
			t.Fatalf("%s: %d %s", name, status, body)
		}
		var d session.Document
		if status := get(t, web.URL+"/api/sessions/"+arrived.SessionID, &d); status != http.StatusOK || d.Imported == nil || d.Imported.File != name {
			t.Errorf("%s: %d %+v", name, status, d.Imported)
		}
		status, body = post(t, web.URL+"/api/ask", `{"question":"freight","session_id":"`+arrived.SessionID+`"}`, "application/json")
		if !strings.Contains(body, "Fork it first") {
			t.Errorf("%d %s", status, body)
		}
	}
	var list SessionList
	get(t, web.URL+"/api/sessions", &list)
	imported := 0
	for _, h := range list.Sessions {
		if h.Imported {
			imported++
		}
	}
	if imported != 2 {
		t.Errorf("%+v", list.Sessions)
	}
	token := handOver(t, web.URL, "no.assay", []byte("SQLite format 3\x00"))
	if status, body = post(t, web.URL+"/api/sessions/preview", `{"token":"`+token+`"}`, "application/json"); status != http.StatusBadRequest || !strings.Contains(body, "not a session file") {
		t.Errorf("%d %s", status, body)
	}
	if status, body = post(t, web.URL+"/api/sessions/import", `{"token":"made-up"}`, "application/json"); status != http.StatusNotFound {
		t.Errorf("%d %s", status, body)
	}
}
