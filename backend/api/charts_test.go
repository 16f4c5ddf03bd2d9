package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"assay/backend/session"
)

func TestAMarkInAChartIsTheNextQuestion(t *testing.T) {
	_, web := serving(t)
	a := ask(t, web.URL, `{"question":"show me a pie chart of revenue by category"}`)
	status, body := post(t, web.URL+"/api/requests/"+a.RequestID+"/narrow", `{"members":[{"column":"category_name","value":"Beverages"}]}`, "application/json")
	var next NextQuestions
	if err := json.Unmarshal([]byte(body), &next); status != http.StatusOK || err != nil || len(next.Questions) < 2 || next.Questions[0].Title != "Only Beverages" {
		t.Fatalf("%d %v: %s", status, err, body)
	}
	query, _ := json.Marshal(map[string]string{"frame_ql": next.Questions[0].FrameQL, "session_id": a.SessionID})
	if status, body := post(t, web.URL+"/api/ask", string(query), "application/json"); status != http.StatusOK || !strings.Contains(body, `"outcome":"answer"`) {
		t.Errorf("asking it gave %d: %.300s", status, body)
	}
	for cut, want := range map[string]int{
		`{"members":[]}`: http.StatusUnprocessableEntity,
		`{"members":[{"column":"city","value":"Bonn"}]}`: http.StatusUnprocessableEntity,
	} {
		if status, body := post(t, web.URL+"/api/requests/"+a.RequestID+"/narrow", cut, "application/json"); status/100 != want/100 || !strings.Contains(body, "hint") {
			t.Errorf("%s gave %d: %s", cut, status, body)
		}
	}
	if status, _ := post(t, web.URL+"/api/requests/none/narrow", `{"members":[]}`, "application/json"); status != http.StatusNotFound {
		t.Errorf("no request gave %d", status)
	}
}

func TestTheViewOfAnAnswerStaysWithItsTurn(t *testing.T) {
	_, web := serving(t)
	a := ask(t, web.URL, `{"question":"revenue by category"}`)
	path := web.URL + "/api/requests/" + a.RequestID + "/view"
	const edit = `{"show":"chart","chart":{"type":"TYPE","x":"category_name","y":["revenue"],"color":"","facet":"","aggregate":"none","sort":"descending","scale":"linear","zero":true,"labels":true,"palette":"category","across":false}}`
	for _, typ := range []string{"pie", "line"} {
		if status, body := post(t, path, strings.Replace(edit, "TYPE", typ, 1), "application/json"); status != http.StatusNoContent {
			t.Fatalf("saving gave %d: %s", status, body)
		}
	}
	var doc session.Document
	get(t, web.URL+"/api/sessions/"+a.SessionID, &doc)
	var views []session.View
	for _, artifact := range doc.Turns[0].Artifacts {
		var v session.View
		if artifact.Kind == session.KindView && json.Unmarshal(artifact.Body, &v) == nil {
			views = append(views, v)
		}
	}
	if len(views) != 1 || views[0].Chart == nil || views[0].Chart.Type != "line" || !views[0].Chart.Labels {
		t.Errorf("views %+v", views)
	}
	for name, body := range map[string]string{
		"a column of nowhere": strings.Replace(strings.Replace(edit, "TYPE", "bar", 1), "category_name", "nowhere", 1),
		"a type of nobody":    strings.Replace(edit, "TYPE", "evil", 1),
		"no number":           strings.Replace(strings.Replace(edit, "TYPE", "bar", 1), `["revenue"]`, `[]`, 1),
	} {
		if status, answer := post(t, path, body, "application/json"); status/100 != 4 {
			t.Errorf("%s gave %d: %s", name, status, answer)
		}
	}
	if status, _ := post(t, web.URL+"/api/requests/none/view", `{"show":"table"}`, "application/json"); status != http.StatusNotFound {
		t.Errorf("no request gave %d", status)
	}
}
