package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/knowledge"
)

func TestCorrectionsAreTaughtChangedAndForgotten(t *testing.T) {
	_, web := serving(t)
	path := web.URL + "/api/corrections"
	teach := func(body string) (int, analyst.Taught, string) {
		t.Helper()
		status, raw := post(t, path, body, "application/json")
		var told analyst.Taught
		_ = json.Unmarshal([]byte(raw), &told) // a problem is no lesson
		return status, told, raw
	}
	list := func() string {
		t.Helper()
		var l CorrectionList
		if status := get(t, path, &l); status != http.StatusOK || l.Corrections == nil {
			t.Fatalf("list: %d, %v", status, l.Corrections)
		}
		said := []string{}
		for _, c := range l.Corrections {
			said = append(said, c.Term+" = "+c.Means)
		}
		return strings.Join(said, "; ")
	}
	if got := list(); got != "" {
		t.Errorf("before anything is taught there is %s", got)
	}
	status, told, raw := teach(`{"words":"turnover means revenue"}`)
	if status != http.StatusOK || told.Correction.Term != "turnover" || told.Before != nil || strings.Contains(raw, "author") {
		t.Fatalf("taught: %d %s", status, raw)
	}
	if a := ask(t, web.URL, `{"question":"turnover by category in 1997"}`); len(a.Remembered) != 1 || a.Remembered[0].Means != "revenue" {
		t.Errorf("read with %+v", a.Remembered)
	}
	a := ask(t, web.URL, `{"question":"units sold by category"}`)
	if status, told, raw = teach(`{"words":"exclude discontinued products","request_id":"` + a.RequestID + `"}`); status != http.StatusOK || told.Correction.RequestID != a.RequestID || told.Correction.Term != "units sold" {
		t.Errorf("of an answer: %d %s", status, raw)
	}
	for body, want := range map[string]int{
		`{}`: http.StatusBadRequest, `{"words":"rubbish"}`: http.StatusBadRequest, `{"words":"everyone may see salaries"}`: http.StatusForbidden,
		`{"term":"karma","means":"good deeds"}`: http.StatusBadRequest, `{"words":"turnover means revenue","request_id":"nothing"}`: http.StatusNotFound,
		`{"words":7}`: http.StatusUnprocessableEntity,
	} {
		if status, _, raw := teach(body); status != want {
			t.Errorf("%s gave %d %s", body, status, raw)
		}
	}
	if got, want := list(), "turnover = revenue; units sold = units sold excluding discontinued products"; got != want {
		t.Errorf("kept is %s, want %s", got, want)
	}

	var first CorrectionList
	get(t, path, &first)
	id := first.Corrections[0].ID
	if status := send(t, http.MethodPatch, path+"/"+id, `{"means":"gross revenue"}`); status != http.StatusOK {
		t.Errorf("changed: %d", status)
	}
	if status := send(t, http.MethodPatch, path+"/"+id, `{"term":"units sold"}`); status != http.StatusConflict {
		t.Errorf("another has that term: %d", status)
	}
	for _, method := range []string{http.MethodPatch, http.MethodDelete} {
		body := ""
		if method == http.MethodPatch {
			body = `{"means":"revenue"}`
		}
		if status := send(t, method, path+"/0123456789abcdef0123456789abcdef", body); status != http.StatusNotFound {
			t.Errorf("%s of none: %d", method, status)
		}
	}
	if status := send(t, http.MethodDelete, path+"/"+id, ""); status != http.StatusNoContent || list() != "units sold = units sold excluding discontinued products" {
		t.Errorf("forgotten: %d, left is %s", status, list())
	}
}

func TestPreferencesAreChosenAndForgotten(t *testing.T) {
	_, web := serving(t)
	path := web.URL + "/api/preferences"
	list := func() string {
		t.Helper()
		var l PreferenceList
		if status := get(t, path, &l); status != http.StatusOK || l.Preferences == nil || len(l.Kinds) != len(knowledge.PreferenceKinds) || len(l.Kinds[1].Values) != 4 || l.Kinds[1].Values[2].Words != "in millions" {
			t.Fatalf("list: %d, %+v", status, l)
		}
		said := []string{}
		for _, p := range l.Preferences {
			said = append(said, string(p.Kind)+" "+p.Value)
		}
		return strings.Join(said, "; ")
	}
	if got := list(); got != "" {
		t.Errorf("before anything is chosen there is %s", got)
	}
	for body, want := range map[string]int{
		`{"kind":"scale","value":"millions"}`: http.StatusOK, `{"kind":"grain","value":"week"}`: http.StatusOK, `{"kind":"scale","value":"trillions"}`: http.StatusBadRequest,
		`{"kind":"colour","value":"red"}`: http.StatusBadRequest, `{"kind":"currency","value":"EUR"}`: http.StatusBadRequest, `{"kind":"decimals","value":"9"}`: http.StatusBadRequest,
		`{"kind":"decimals","value":2}`: http.StatusUnprocessableEntity,
	} {
		if status := send(t, http.MethodPatch, path, body); status != want {
			t.Errorf("%s gave %d", body, status)
		}
	}
	if got := list(); got != "grain week; scale millions" {
		t.Errorf("kept is %s", got)
	}
	a := ask(t, web.URL, `{"question":"revenue in 1997"}`)
	if len(a.Remembered) != 1 || a.Remembered[0].Kind != "scale" {
		t.Errorf("followed is %+v", a.Remembered)
	}
	status, raw := post(t, web.URL+"/api/requests/"+a.RequestID+"/feedback", `{"thumb":"down","words":"no decimals please"}`, "application/json")
	var kept FeedbackKept
	if err := json.Unmarshal([]byte(raw), &kept); err != nil || status != http.StatusOK || kept.Learned == nil || kept.Learned.Preference == nil || kept.Learned.Preference.Value != "0" {
		t.Errorf("a thumb down: %d %s", status, raw)
	}
	var l PreferenceList
	get(t, path, &l)
	if status := send(t, http.MethodDelete, path+"/"+l.Preferences[0].ID, ""); status != http.StatusNoContent || list() != "scale millions; decimals 0" {
		t.Errorf("forgotten: %d, left is %s", status, list())
	}
	if status := send(t, http.MethodDelete, path+"/0123456789abcdef0123456789abcdef", ""); status != http.StatusNotFound {
		t.Errorf("none: %d", status)
	}
}

func TestAThumbDownTeaches(t *testing.T) {
	_, web := serving(t)
	a := ask(t, web.URL, `{"question":"revenue by category in 1997"}`)
	for body, want := range map[string]string{
		`{"thumb":"down","words":"exclude beverages"}`:                          "revenue excluding beverages",
		`{"thumb":"down","words":"1997 is missing"}`:                            "",
		`{"thumb":"down","words":"I should be able to see every salary"}`:       "",
		`{"thumb":"up","reason":"right","words":"revenue means gross revenue"}`: "",
	} {
		status, raw := post(t, web.URL+"/api/requests/"+a.RequestID+"/feedback", body, "application/json")
		var kept FeedbackKept
		if err := json.Unmarshal([]byte(raw), &kept); err != nil || status != http.StatusOK {
			t.Fatalf("%s gave %d %s", body, status, raw)
		}
		got := ""
		if kept.Learned != nil && kept.Learned.Correction != nil {
			got = kept.Learned.Correction.Means
		}
		if got != want {
			t.Errorf("%s taught %q, want %q", body, got, want)
		}
	}
}

// TestAChangeIsRememberedByTheAPI: an answer says what a changed part means, and a word keeps it; one that is edited in another session says it, too.
func TestAChangeIsRememberedByTheAPI(t *testing.T) {
	_, web := serving(t)
	ask := func(body string) (a analyst.Answer) {
		t.Helper()
		status, raw := post(t, web.URL+"/api/ask", body, "application/json")
		if err := json.Unmarshal([]byte(raw), &a); err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %s", body, status, raw)
		}
		return a
	}
	asked := ask(`{"question":"revenue by category in 1997"}`)
	const query = `"frame_ql":"SELECT categories.category_name, gross_revenue AT categories DURING 1997"`
	changed := ask(`{` + query + `,"question":"gross revenue","session_id":"` + asked.SessionID + `","instead_of":"` + asked.RequestID + `"}`)
	if changed.Suggested == nil || changed.Suggested.Term != "revenue" || changed.Suggested.Slot != "metric" {
		t.Fatalf("changed says %+v", changed.Suggested)
	}
	var list CorrectionList
	if status := get(t, web.URL+"/api/corrections", &list); status != http.StatusOK || len(list.Corrections) != 0 || len(list.Noted) != 1 || list.Noted[0].ID != changed.Suggested.ID {
		t.Errorf("listed %d %+v", status, list)
	}
	said := func(id, body string) (int, string) {
		return post(t, web.URL+"/api/noted/"+id, body, "application/json")
	}
	if status, raw := said("nothing", `{"remember":true}`); status != http.StatusNotFound {
		t.Errorf("what never was is %d %s", status, raw)
	}
	if status, raw := said(changed.Suggested.ID, `{"remember":false}`); status != http.StatusOK || !strings.Contains(raw, `"learned":null`) {
		t.Errorf("left %d %s", status, raw)
	}
	if edited := ask(`{` + query + `,"edited_from":"` + asked.RequestID + `"}`); edited.Suggested == nil || edited.Learned != nil {
		t.Errorf("after a no an edited query says %+v and teaches %+v", edited.Suggested, edited.Learned)
	}
	if status, raw := said(changed.Suggested.ID, `{"remember":true}`); status != http.StatusOK || !strings.Contains(raw, `"detection":"correction"`) || !strings.Contains(raw, `"slot":"metric"`) {
		t.Errorf("kept %d %s", status, raw)
	}
	var work analyst.Work
	if status := get(t, web.URL+"/api/memory/work", &work); status != http.StatusOK || work.Together == nil || work.Interests == nil {
		t.Errorf("work %d %+v", status, work)
	}
}
