package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/interpret"
	"assay/backend/reading"
	"assay/backend/session"
	"assay/backend/workspace"
)

// asking is ask with the whole answer.
func asking(t *testing.T, base, body string) *analyst.Answer {
	t.Helper()
	status, raw := post(t, base+"/api/ask", body, "application/json")
	var a analyst.Answer
	if err := json.Unmarshal([]byte(raw), &a); status != http.StatusOK || err != nil {
		t.Fatalf("%s: %d %v %s", body, status, err, raw)
	}
	return &a
}

func alternatives(t *testing.T, base, id string, a reading.Asked) reading.Menu {
	t.Helper()
	raw, _ := json.Marshal(a)
	status, body := post(t, base+"/api/requests/"+id+"/alternatives", string(raw), "application/json")
	var menu reading.Menu
	if err := json.Unmarshal([]byte(body), &menu); status != http.StatusOK || err != nil {
		t.Fatalf("%+v: %d %v %s", a, status, err, body)
	}
	return menu
}

func option(t *testing.T, menu reading.Menu, label string) reading.Option {
	t.Helper()
	var all []string
	for _, g := range menu.Groups {
		for _, o := range g.Options {
			if o.Label == label {
				return o
			}
			all = append(all, o.Label)
		}
	}
	t.Fatalf("%s does not offer %q: %q", menu.Title, label, all)
	return reading.Option{}
}

func edited(t *testing.T, base, id string, c *reading.Change) workspace.Edited {
	t.Helper()
	raw, _ := json.Marshal(c)
	status, body := post(t, base+"/api/requests/"+id+"/edit", string(raw), "application/json")
	var out workspace.Edited
	if err := json.Unmarshal([]byte(body), &out); status != http.StatusOK || err != nil {
		t.Fatalf("%s: %d %v %s", raw, status, err, body)
	}
	return out
}

func TestEachPartOfAReadingChanges(t *testing.T) {
	_, web := serving(t)
	a := asking(t, web.URL, `{"question":"revenue by category in 1997 in Germany"}`)

	const where = "customers.country = 'Germany'"
	for name, c := range map[string]struct {
		asked  reading.Asked
		label  string
		also   bool
		remove bool
		want   []string
		not    string
	}{
		"another number":      {reading.Asked{Slot: reading.Metric, Part: "revenue"}, "Orders", false, false, []string{"order_count", "DURING 1997", where}, "revenue"},
		"a further number":    {reading.Asked{Slot: reading.Metric}, "Orders", false, false, []string{"revenue, order_count"}, ""},
		"another split":       {reading.Asked{Slot: reading.Dimension, Part: "categories", Find: "ship country"}, "Ship country", false, false, []string{"orders.ship_country"}, "category"},
		"by time":             {reading.Asked{Slot: reading.Dimension, Part: "categories"}, "month", false, false, []string{"month"}, "category"},
		"a further split":     {reading.Asked{Slot: reading.Dimension}, "quarter", false, false, []string{"categories", "quarter"}, ""},
		"no split":            {reading.Asked{Slot: reading.Dimension, Part: "categories"}, "", false, true, []string{"SELECT revenue"}, "category"},
		"another member":      {reading.Asked{Slot: reading.Filter, Part: where, Find: "fra"}, "France", false, false, []string{"customers.country = 'France'"}, "Germany"},
		"a further member":    {reading.Asked{Slot: reading.Filter, Part: where, Find: "fra"}, "France", true, false, []string{"IN ('Germany', 'France')"}, ""},
		"all but the member":  {reading.Asked{Slot: reading.Filter, Part: where}, "All but Germany", false, false, []string{"customers.country <> 'Germany'"}, ""},
		"no condition":        {reading.Asked{Slot: reading.Filter, Part: where}, "", false, true, []string{"DURING 1997"}, "Germany"},
		"a further condition": {reading.Asked{Slot: reading.Filter, Dimension: "customers.city"}, "Berlin", false, false, []string{where, "customers.city = 'Berlin'"}, ""},
		"another period":      {reading.Asked{Slot: reading.Period, Part: "1997"}, "Q2 1997", false, false, []string{"DURING 1997-Q2"}, ""},
		"a period as written": {reading.Asked{Slot: reading.Period, Part: "1997", Find: "1996-12"}, "1996-12", false, false, []string{"DURING 1996-12"}, ""},
		"no period":           {reading.Asked{Slot: reading.Period, Part: "1997"}, "", false, true, []string{where}, "DURING"},
		"the period before":   {reading.Asked{Slot: reading.Compare}, "the period before", false, false, []string{"COMPARE TO PREVIOUS PERIOD"}, ""},
		"the year before":     {reading.Asked{Slot: reading.Compare}, "the year before", false, false, []string{"COMPARE TO SAME PERIOD LAST YEAR"}, ""},
		"the highest":         {reading.Asked{Slot: reading.Top}, "the 3 highest", false, false, []string{"TOP 3", "BY revenue"}, ""},
		"so many as written":  {reading.Asked{Slot: reading.Top, Find: "7"}, "the 7 highest", false, false, []string{"TOP 7"}, ""},
	} {
		menu := alternatives(t, web.URL, a.RequestID, c.asked)
		change := menu.Remove
		if !c.remove {
			o := option(t, menu, c.label)
			if change = o.Change; c.also {
				change = o.Also
			}
		}
		if change == nil {
			t.Errorf("%s: %+v", name, menu)
			continue
		}
		next := edited(t, web.URL, a.RequestID, change)
		for _, want := range c.want {
			if !strings.Contains(next.FrameQL, want) {
				t.Errorf("%s: %s, want %s", name, next.FrameQL, want)
			}
		}
		if c.not != "" && strings.Contains(next.FrameQL, c.not) {
			t.Errorf("%s: %s still has %s", name, next.FrameQL, c.not)
		}
		if next.Question == "" || strings.Contains(next.Question, "[") {
			t.Errorf("%s: in words %q", name, next.Question)
		}
	}
	add := alternatives(t, web.URL, a.RequestID, reading.Asked{})
	for _, label := range []string{"A number", "A split", "A condition", "A comparison", "Only the highest"} {
		if o := option(t, add, label); o.Opens == nil {
			t.Errorf("%s opens nothing", label)
		}
	}
	for body, want := range map[string]int{
		`{"slot":"metric","part":"revenue","metric":"nobody"}`:                 http.StatusUnprocessableEntity,
		`{"slot":"metric","part":"revenue","remove":true,"n":-1}`:              http.StatusUnprocessableEntity,
		`{"slot":"filter","part":"customers.country = 'Spain'","remove":true}`: http.StatusUnprocessableEntity,
		`{"slot":"period","part":"1997","text":"1997 WHERE 1 = 1"}`:            http.StatusUnprocessableEntity,
		`{"slot":"filter","dimension":"customers.contact_name","members":[]}`:  http.StatusUnprocessableEntity,
		`{"slot":"period","part":"1997","text":"1997"}`:                        http.StatusUnprocessableEntity,
		`{"slot":"evil"}`: http.StatusUnprocessableEntity,
	} {
		if status, answer := post(t, web.URL+"/api/requests/"+a.RequestID+"/edit", body, "application/json"); status/100 != want/100 {
			t.Errorf("%s gave %d: %s", body, status, answer)
		}
	}
	if status, _ := post(t, web.URL+"/api/requests/none/alternatives", `{}`, "application/json"); status != http.StatusNotFound {
		t.Errorf("no request gave %d", status)
	}
}

func TestPersonalColumnsAreNeverOffered(t *testing.T) {
	_, web := serving(t)
	a := asking(t, web.URL, `{"question":"order count by country"}`)
	for _, asked := range []reading.Asked{{Slot: reading.Filter}, {Slot: reading.Dimension}, {Slot: reading.Filter, Dimension: "customers.contact_name"}} {
		for _, g := range alternatives(t, web.URL, a.RequestID, asked).Groups {
			for _, o := range g.Options {
				if strings.Contains(strings.ToLower(o.Label), "contact name") || asked.Dimension != "" {
					t.Errorf("%+v offers %q", asked, o.Label)
				}
			}
		}
	}
}

func TestAVersionStandsInThePlaceOfItsTurn(t *testing.T) {
	_, web := serving(t)
	first := asking(t, web.URL, `{"question":"revenue by category"}`)
	asking(t, web.URL, `{"question":"in 1997","session_id":"`+first.SessionID+`"}`)
	menu := alternatives(t, web.URL, first.RequestID, reading.Asked{Slot: reading.Metric, Part: "revenue"})
	next := edited(t, web.URL, first.RequestID, option(t, menu, "Orders").Change)
	body, _ := json.Marshal(map[string]string{"question": next.Question, "frame_ql": next.FrameQL, "session_id": first.SessionID, "instead_of": first.RequestID})
	second := asking(t, web.URL, string(body))
	if second.Question != next.Question || second.Understood.FrameQL != next.FrameQL || second.Understood.Derived != nil {
		t.Fatalf("the version asks %q: %+v", second.Question, second.Understood)
	}
	again := asking(t, web.URL, `{"question":"in 1998","session_id":"`+first.SessionID+`","instead_of":"`+second.RequestID+`"}`)
	if again.Outcome == "answer" {
		t.Errorf("words that go on from nothing gave %+v", again.Understood)
	}
	var doc session.Document
	get(t, web.URL+"/api/sessions/"+first.SessionID, &doc)
	var places []int
	for _, turn := range doc.Turns {
		places = append(places, turn.Place)
	}
	if len(places) != 4 || places[2] != 1 || places[3] != 1 || doc.Turns[0].Chosen || doc.Turns[2].Chosen || !doc.Turns[3].Chosen || !doc.Turns[1].Chosen || !doc.Turns[2].Worded || doc.Turns[2].InsteadOf != first.RequestID {
		t.Fatalf("places %v, %+v", places, doc.Turns)
	}
	if status, body := post(t, web.URL+"/api/requests/"+second.RequestID+"/choose", `{}`, "application/json"); status != http.StatusNoContent {
		t.Fatalf("choosing gave %d: %s", status, body)
	}
	get(t, web.URL+"/api/sessions/"+first.SessionID, &doc)
	if !doc.Turns[2].Chosen || doc.Turns[3].Chosen {
		t.Errorf("chosen %v %v", doc.Turns[2].Chosen, doc.Turns[3].Chosen)
	}
	// The second turn asked again goes on from the version that stands before it.
	follow := asking(t, web.URL, `{"question":"in 1997","session_id":"`+first.SessionID+`","instead_of":"`+doc.Turns[1].RequestID+`"}`)
	if !strings.Contains(follow.Understood.FrameQL, "order_count") || !strings.Contains(follow.Understood.FrameQL, "1997") {
		t.Errorf("it went on from %s", follow.Understood.FrameQL)
	}
	var list SessionList
	get(t, web.URL+"/api/sessions", &list)
	if len(list.Sessions) != 1 || list.Sessions[0].Turns != 2 {
		t.Errorf("sessions %+v", list.Sessions)
	}
	for name, body := range map[string]string{
		"a request of nowhere":         `{"question":"revenue","session_id":"` + first.SessionID + `","instead_of":"nobody"}`,
		"a request of another session": `{"question":"revenue","instead_of":"` + first.RequestID + `"}`,
	} {
		if status, answer := post(t, web.URL+"/api/ask", body, "application/json"); status != http.StatusNotFound {
			t.Errorf("%s gave %d: %s", name, status, answer)
		}
	}
}

func TestTheSameQuestionTakesNothingOver(t *testing.T) {
	_, web := serving(t)
	first := asking(t, web.URL, `{"question":"revenue by category in 1997"}`)
	again := asking(t, web.URL, `{"question":"revenue by category in 1997","session_id":"`+first.SessionID+`"}`)
	if len(again.Understood.Carried) != 0 || again.Understood.FrameQL != first.Understood.FrameQL {
		t.Errorf("carried %+v", again.Understood.Carried)
	}
	follow := asking(t, web.URL, `{"question":"and by country?","session_id":"`+first.SessionID+`"}`)
	if len(follow.Understood.Carried) != 1 || follow.Understood.Carried[0].Slot != "period" {
		t.Errorf("a question that says no period carried %+v: %s", follow.Understood.Carried, follow.Understood.FrameQL)
	}
}

func TestAGlanceMarksWhatIsUnderstood(t *testing.T) {
	_, web := serving(t)
	glance := func(q, session string) []interpret.Mark {
		var list MarkList
		if status := get(t, web.URL+"/api/glance?q="+url.QueryEscape(q)+"&session="+url.QueryEscape(session), &list); status != http.StatusOK || list.Marks == nil {
			t.Fatalf("%s: %d %+v", q, status, list)
		}
		return list.Marks
	}
	found := map[string]interpret.MarkKind{}
	for _, m := range glance("😀 top 5 categories by revenue in Germany in 1997 wibble", "") {
		found[m.Text] = m.Kind
	}
	for words, kind := range map[string]interpret.MarkKind{"revenue": interpret.MarkMetric, "Germany": interpret.MarkValue, "wibble": interpret.MarkUnread, "categories": interpret.MarkDimension} {
		if found[words] != kind {
			t.Errorf("%s is %q in %+v", words, found[words], found)
		}
	}
	for _, m := range glance("😀 revenue", "") {
		if m.Text == "revenue" && (m.Start != 3 || m.End != 10) {
			t.Errorf("behind an emoji: %+v", m)
		}
	}
	before := 0
	a := asking(t, web.URL, `{"question":"revenue by category"}`)
	for _, m := range glance("only Germany", a.SessionID) {
		if m.Kind == interpret.MarkValue {
			before++
		}
	}
	if before != 1 {
		t.Error("what goes on from a session is not understood")
	}
	var doc session.Document
	if get(t, web.URL+"/api/sessions/"+a.SessionID, &doc); len(doc.Turns) != 1 {
		t.Errorf("a glance left %d turns", len(doc.Turns))
	}
	if marks := glance("", ""); len(marks) != 0 {
		t.Errorf("nothing is %+v", marks)
	}
}
