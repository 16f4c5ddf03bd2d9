package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func patch(t *testing.T, url, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	return do(t, r)
}

// chosen gives the settings in force with some of them changed, as the page sends them.
func chosen(t *testing.T, base string, change func(map[string]any)) string {
	t.Helper()
	var v struct{ Settings map[string]any }
	if status := get(t, base+"/api/settings", &v); status != http.StatusOK {
		t.Fatal(status)
	}
	change(v.Settings)
	raw, err := json.Marshal(v.Settings)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestSettingsAreKeptAndHold(t *testing.T) {
	_, web := serving(t)
	var view SettingsView
	if status := get(t, web.URL+"/api/settings", &view); status != http.StatusOK || view.Settings.Limits != view.Defaults.Limits || view.Person.Role != "analyst" || len(view.Rules) != 4 || len(view.Files) != 4 || !view.Settings.LocalOnly {
		t.Fatalf("%d %+v", status, view)
	}
	body := chosen(t, web.URL, func(s map[string]any) {
		s["theme"], s["name"] = "dark", "  Ana "
		s["wishes"] = map[string]any{"review_all": true, "trust_routine": false, "always_confirm": append(view.Domains, view.Domains...)}
		s["limits"] = map[string]any{"seconds": 5, "rows": 3}
	})
	if status, answer := patch(t, web.URL+"/api/settings", body); status != http.StatusOK || !strings.Contains(answer, `"name":"Ana"`) || len(view.Domains) == 0 {
		t.Fatalf("%d %s", status, answer)
	}
	status, answer := post(t, web.URL+"/api/ask", `{"question":"revenue by category"}`, "application/json")
	if status != http.StatusOK || !strings.Contains(answer, `"CARDINALITY_LIMIT"`) || !strings.Contains(answer, "at most 3 can be shown") {
		t.Errorf("the limit of rows does not hold: %d %.2000s", status, answer)
	}
	if a := ask(t, web.URL, `{"question":"total revenue"}`); a.Status != "pending_acceptance" {
		t.Errorf("the domain that is always confirmed is not: %+v", a)
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	_, web := serving(t)
	for name, change := range map[string]func(map[string]any){
		"theme":   func(s map[string]any) { s["theme"] = "pink" },
		"density": func(s map[string]any) { s["density"] = "" },
		"zoom":    func(s map[string]any) { s["zoom"] = 20 },
		"locale":  func(s map[string]any) { s["locale"] = "not a language!" },
		"seconds": func(s map[string]any) { s["limits"] = map[string]any{"seconds": 0, "rows": 10} },
		"rows":    func(s map[string]any) { s["limits"] = map[string]any{"seconds": 10, "rows": 20_000} },
		"missing": func(s map[string]any) { delete(s, "wishes") },
		"unknown": func(s map[string]any) { s["secret"] = "x" },
	} {
		if status, body := patch(t, web.URL+"/api/settings", chosen(t, web.URL, change)); status < 400 || status >= 500 {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	var view SettingsView
	get(t, web.URL+"/api/settings", &view)
	if view.Settings.Theme != view.Defaults.Theme || view.Settings.Limits != view.Defaults.Limits {
		t.Errorf("a refused change was kept: %+v", view.Settings)
	}
}

func TestNoAddressIsOpenedWhileNothingLeaves(t *testing.T) {
	_, web := serving(t)
	link := `{"url":"https://example.com/a"}`
	if status, body := post(t, web.URL+"/api/links", link, "application/json"); status != http.StatusForbidden || !strings.Contains(body, "settings") {
		t.Errorf("%d %s", status, body)
	}
	if status, body := patch(t, web.URL+"/api/settings", chosen(t, web.URL, func(s map[string]any) { s["local_only"] = false })); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	if status, body := post(t, web.URL+"/api/links", link, "application/json"); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
}

// TestDiagnosticsHoldNothingOfTheData: they are made to be sent to somebody.
func TestDiagnosticsHoldNothingOfTheData(t *testing.T) {
	server, web := serving(t)
	var d map[string]any
	if status := get(t, web.URL+"/api/diagnostics", &d); status != http.StatusOK {
		t.Fatal(status)
	}
	raw, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"Orders", "Customers", server.ws.Dir(), "revenue"} {
		if strings.Contains(string(raw), word) {
			t.Errorf("they name %s: %s", word, raw)
		}
	}
	if d["sources"].(float64) == 0 || d["version"] == "" {
		t.Errorf("%s", raw)
	}
}
