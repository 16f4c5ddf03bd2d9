package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// fetchMade asks for a file and fetches it.
func fetchMade(t *testing.T, base, path, body string) (name string, file []byte) {
	t.Helper()
	status, said := post(t, base+path, body, "application/json")
	var e Exported
	if status != http.StatusOK || json.Unmarshal([]byte(said), &e) != nil {
		t.Fatalf("%d %s", status, said)
	}
	file = fetched(t, base+"/api/exports/"+e.ID)
	if int64(len(file)) != e.Bytes {
		t.Errorf("%d bytes of %d", len(file), e.Bytes)
	}
	return e.Name, file
}

func TestSessionPageOverTheWire(t *testing.T) {
	_, web := serving(t)
	a := ask(t, web.URL, `{"question":"revenue by category in 1997"}`)
	at := "/api/sessions/" + a.SessionID + "/page"
	name, page := fetchMade(t, web.URL, at, `{"frames":"whole","turn":1}`)
	if name != "revenue by category in 1997.html" || !bytes.HasPrefix(page, []byte("<!doctype html>")) || !bytes.Contains(page, []byte("Beverages")) {
		t.Errorf("%s: %.80s", name, page)
	}
	if _, page = fetchMade(t, web.URL, at, `{"frames":"none"}`); bytes.Contains(page, []byte("<tbody>")) {
		t.Error("there are rows")
	}
	for body, want := range map[string]int{`{"frames":"whole","turn":9}`: http.StatusNotFound, `{"frames":"some"}`: http.StatusUnprocessableEntity, `{"frames":"whole","turn":-1}`: http.StatusUnprocessableEntity, `{}`: http.StatusUnprocessableEntity} {
		if status, said := post(t, web.URL+at, body, "application/json"); status != want {
			t.Errorf("%s: %d %s", body, status, said)
		}
	}
	if status, said := post(t, web.URL+"/api/sessions/none/page", `{"frames":"whole"}`, "application/json"); status != http.StatusNotFound || !strings.Contains(said, "none") {
		t.Errorf("%d %s", status, said)
	}
}

func TestReportOverTheWire(t *testing.T) {
	_, web := serving(t)
	a := ask(t, web.URL, `{"question":"revenue by category in 1997"}`)
	items := `[{"kind":"heading","text":"A heading"},{"kind":"text","text":"A *text*"},{"kind":"artifact","id":"art_` + a.SessionID + `_1_0"},{"kind":"answer","id":"` + a.RequestID + `"},{"kind":"session","id":"` + a.SessionID + `"}]`
	name, page := fetchMade(t, web.URL, "/api/reports", `{"format":"html","title":"A report","items":`+items+`}`)
	if name != "A report.html" || !bytes.Contains(page, []byte("Where the numbers come from")) || !bytes.Contains(page, []byte("<em>text</em>")) {
		t.Errorf("%s: %.80s", name, page)
	}
	if name, book := fetchMade(t, web.URL, "/api/reports", `{"format":"xlsx","title":"A report","frames":"masked","items":`+items+`}`); name != "A report.xlsx" || !bytes.HasPrefix(book, []byte("PK")) {
		t.Errorf("%s: %.8q", name, book)
	}
	for body, want := range map[string]int{
		`{"format":"doc","items":` + items + `}`:                                   http.StatusUnprocessableEntity,
		`{"format":"html","items":[]}`:                                             http.StatusUnprocessableEntity,
		`{"format":"html","items":[{"kind":"artifact","id":"art_x_1_1"}]}`:         http.StatusNotFound,
		`{"format":"html","items":[{"kind":"answer","id":"nothing"}]}`:             http.StatusNotFound,
		`{"format":"html","items":[{"kind":"image","id":"nothing"}]}`:              http.StatusUnprocessableEntity,
		`{"format":"html","items":[{"kind":"text","text":""}]}`:                    http.StatusBadRequest,
		`{"format":"html","frames":"none","items":[{"kind":"text","text":"a"}]}`:   http.StatusUnprocessableEntity,
		`{"format":"html","items":[{"kind":"text","text":"a","html":"<b>x</b>"}]}`: http.StatusUnprocessableEntity,
	} {
		if status, said := post(t, web.URL+"/api/reports", body, "application/json"); status != want {
			t.Errorf("%s: %d %s", body, status, said)
		}
	}
	t.Setenv("ASSAY_BROWSER", "no-such-browser")
	if status, said := post(t, web.URL+"/api/reports", `{"format":"pdf","items":[{"kind":"text","text":"a"}]}`, "application/json"); status != http.StatusServiceUnavailable || !strings.Contains(said, "no-such-browser") {
		t.Errorf("%d %s", status, said)
	}
}
