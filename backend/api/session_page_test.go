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
