package api

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
)

func exported(t *testing.T, base, request, format string) Exported {
	t.Helper()
	var e Exported
	status, body := post(t, base+"/api/exports", `{"answer_to":"`+request+`","format":"`+format+`"}`, "application/json")
	if status != http.StatusOK || json.Unmarshal([]byte(body), &e) != nil || e.ID == "" || e.Bytes == 0 {
		t.Fatalf("%d %s", status, body)
	}
	return e
}

func waitingFiles(t *testing.T, s *Server) int {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(s.ws.Dir(), ".assay", "exports", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

func TestAnAnswerIsExportedWhole(t *testing.T) {
	server, web := serving(t)
	a := ask(t, web.URL, `{"question":"revenue by category in 1997"}`)
	for format, kind := range map[string]string{"csv": "text/csv", "xlsx": "spreadsheetml", "parquet": "parquet", "json": "application/json"} {
		e := exported(t, web.URL, a.RequestID, format)
		if e.Name != "Revenue by category, 1997."+format {
			t.Errorf("it is called %s", e.Name)
		}
		answer, err := http.Get(web.URL + "/api/exports/" + e.ID)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK || !strings.Contains(answer.Header.Get("Content-Type"), kind) || !strings.HasPrefix(answer.Header.Get("Content-Disposition"), "attachment;") {
			t.Errorf("%s: %d %v", format, answer.StatusCode, answer.Header)
		}
	}
	server.exports.now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	e := exported(t, web.URL, a.RequestID, "csv")
	if n := waitingFiles(t, server); n != 1 {
		t.Errorf("%d files are left after their time", n)
	}
	if status := get(t, web.URL+"/api/exports/made-up", new(map[string]any)); status != http.StatusNotFound {
		t.Errorf("a file that never was: %d", status)
	}

	r, _ := http.NewRequest(http.MethodGet, web.URL+"/api/exports/"+e.ID, nil)
	_, body := do(t, r)
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil || len(rows) != 9 || rows[0][0] != "category_name" {
		t.Errorf("%v %v", rows, err)
	}

	e = exported(t, web.URL, a.RequestID, "json")
	r, _ = http.NewRequest(http.MethodGet, web.URL+"/api/exports/"+e.ID, nil)
	_, body = do(t, r)
	for _, word := range []string{`"Question"`, "SELECT categories.category_name, revenue", `"Grade"`, "sha256:", `"Rows","value":"8"`, "not_applicable"} {
		if !strings.Contains(body, word) {
			t.Errorf("the provenance has no %s: %s", word, body)
		}
	}
}

func TestWhatCannotBeExported(t *testing.T) {
	server, web := serving(t)
	refused := ask(t, web.URL, `{"question":"what is the meaning of life"}`)
	for body, want := range map[string]int{
		`{"answer_to":"nobody","format":"csv"}`:                        http.StatusNotFound,
		`{"answer_to":"` + refused.RequestID + `","format":"csv"}`:     http.StatusConflict,
		`{"answer_to":"` + refused.RequestID + `","format":"pdf"}`:     http.StatusUnprocessableEntity,
		`{"answer_to":"` + refused.RequestID + `"}`:                    http.StatusUnprocessableEntity,
		`{"answer_to":"` + strings.Repeat("a", 200) + `","format":""}`: http.StatusUnprocessableEntity,
	} {
		if status, answer := post(t, web.URL+"/api/exports", body, "application/json"); status != want && (want != http.StatusUnprocessableEntity || status != http.StatusBadRequest) {
			t.Errorf("%s: %d %s", body, status, answer)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := ask(t, web.URL, `{"question":"revenue by category in 1997"}`)
	var out strings.Builder
	if _, err := server.ws.Export(ctx, a.RequestID, "csv", &out); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("canceled: %v", err)
	}
	if err := os.WriteFile(filepath.Join(server.ws.Dir(), ".assay", "exports"), nil, 0o600); err == nil {
		if status, body := post(t, web.URL+"/api/exports", `{"answer_to":"`+a.RequestID+`","format":"csv"}`, "application/json"); status != http.StatusServiceUnavailable || !strings.Contains(body, "Make room") {
			t.Errorf("no folder: %d %s", status, body)
		}
	}
}

func TestAnExportIsSavedWhereThePersonChose(t *testing.T) {
	server, web := serving(t)
	a := ask(t, web.URL, `{"question":"revenue by category in 1997"}`)
	place := filepath.Join(t.TempDir(), "chosen.csv")
	if err := os.WriteFile(place, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	choose := func(string) string { return place }
	if err := server.SaveExport(exported(t, web.URL, a.RequestID, "csv").ID, choose); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(place); err != nil || !strings.HasPrefix(string(raw), "category_name,") {
		t.Errorf("%.40s %v", raw, err)
	}
	if err := server.SaveExport("made up", choose); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("%v", err)
	}
	nowhere := func(string) string { return filepath.Join(place, "x") }
	if err := server.SaveExport(exported(t, web.URL, a.RequestID, "csv").ID, nowhere); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("%v", err)
	}
	if err := server.SaveExport(exported(t, web.URL, a.RequestID, "csv").ID, func(string) string { return "" }); err != nil {
		t.Errorf("a closed dialog is a fault: %v", err)
	}
	server.exports.close()
	if n := waitingFiles(t, server); n != 0 {
		t.Errorf("%d files are left", n)
	}
}
