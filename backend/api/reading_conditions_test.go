package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"assay/backend/reading"
	"assay/backend/rules"
	"assay/backend/session"
)

// TestConditionsAreWrittenOverTheWire asks for the form of a condition, writes it, and looks at what comes back at which field.
func TestConditionsAreWrittenOverTheWire(t *testing.T) {
	_, web := serving(t)
	a := asking(t, web.URL, `{"question":"order count by country in 1997"}`)
	for name, c := range map[string]struct {
		asked    reading.Asked
		operator string
		values   []string
		want     string
	}{
		"an amount": {reading.Asked{Slot: reading.Filter, Dimension: "orders.freight_charge"}, "between", []string{"5", "50"}, "orders.freight_charge BETWEEN 5 AND 50"},
		"a day":     {reading.Asked{Slot: reading.Filter, Dimension: "orders.shipped_date"}, "is_null", nil, "orders.shipped_date IS NULL"},
		"a text":    {reading.Asked{Slot: reading.Filter, Dimension: "customers.city", Form: true}, "starts_with", []string{"O'"}, "customers.city STARTS WITH 'O'''"},
		"a result":  {reading.Asked{Slot: reading.Having, Metric: "order_count"}, "gt", []string{"10"}, "HAVING order_count > 10"},
	} {
		form := alternatives(t, web.URL, a.RequestID, c.asked).Form
		if form == nil {
			t.Errorf("%s: no form", name)
			continue
		}
		next := edited(t, web.URL, a.RequestID, &reading.Change{
			Slot: form.Slot, Part: form.Part, Leaf: form.Leaf, Dimension: form.Dimension, Metric: form.Metric,
			Operator: c.operator, Values: c.values,
		})
		if !strings.Contains(next.FrameQL, c.want) || next.Question == "" {
			t.Errorf("%s: %+v, want %s", name, next, c.want)
		}
	}
	for name, c := range map[string]struct {
		body, field, want string
	}{
		"letters":                     {`{"slot":"filter","dimension":"orders.freight_charge","operator":"lt","values":["1O"]}`, "values.0", "no number"},
		"a reversed range":            {`{"slot":"filter","dimension":"orders.order_date","operator":"between","values":["1997-02-01","1997-01-31"]}`, "values.1", "before it begins"},
		"a far too long one":          {`{"slot":"filter","dimension":"customers.city","operator":"contains","values":["` + strings.Repeat("x", 1<<19) + `"]}`, "values.0", "at most 2000"},
		"an unknown value":            {`{"slot":"filter","dimension":"customers.country","operator":"eq","values":["Atlantis"]}`, "", "Atlantis"},
		"an unknown column":           {`{"slot":"filter","dimension":"orders.margin","operator":"is_null"}`, "", "orders.margin"},
		"a carried part that is none": {`{"slot":"carried","part":"1997"}`, "", "1997"},
	} {
		status, raw := post(t, web.URL+"/api/requests/"+a.RequestID+"/edit", c.body, "application/json")
		var p Problem
		if err := json.Unmarshal([]byte(raw), &p); err != nil || status != http.StatusBadRequest || p.Field != c.field || !strings.Contains(p.Message, c.want) {
			t.Errorf("%s: %d %.300s", name, status, raw)
		}
	}
}

// TestWhatARoleDoesNotSeeIsNotConditioned lets somebody who sees products alone ask for a column of orders.
func TestWhatARoleDoesNotSeeIsNotConditioned(t *testing.T) {
	server, web := serving(t)
	writeIn(t, server, rules.Folder+"/"+rules.RolesFile, "default_role: clerk\nroles:\n  - {name: clerk, schemas: [main], tables: [Products]}\n  - {name: steward, schemas: [\"*\"], tables: [\"*\"], steward: true}\n")
	a := asking(t, web.URL, `{"frame_ql":"SELECT products.product_name AT products"}`)
	menu := alternatives(t, web.URL, a.RequestID, reading.Asked{Slot: reading.Filter})
	if len(menu.Groups) == 0 {
		t.Error("nothing is offered")
	}
	for _, g := range menu.Groups {
		for _, o := range g.Options {
			if !strings.HasPrefix(o.Opens.Dimension, "products.") {
				t.Errorf("%s is offered", o.Opens.Dimension)
			}
		}
	}
	for path, body := range map[string]string{
		"alternatives": `{"slot":"filter","dimension":"orders.freight_charge"}`,
		"edit":         `{"slot":"filter","dimension":"orders.freight_charge","operator":"gt","values":["1"]}`,
	} {
		if status, raw := post(t, web.URL+"/api/requests/"+a.RequestID+"/"+path, body, "application/json"); status != http.StatusBadRequest || !strings.Contains(raw, "may see") {
			t.Errorf("%s: %d %s", path, status, raw)
		}
	}
}

func TestWhatWasCarriedOverIsLeftOutInItsPlace(t *testing.T) {
	_, web := serving(t)
	first := asking(t, web.URL, `{"question":"revenue by category in Germany in 1997"}`)
	follow := asking(t, web.URL, `{"question":"by customer instead","session_id":"`+first.SessionID+`"}`)
	if len(follow.Understood.Carried) != 2 {
		t.Fatalf("carried %+v", follow.Understood.Carried)
	}
	for _, p := range follow.Understood.Carried {
		next := edited(t, web.URL, follow.RequestID, &reading.Change{Slot: reading.Carried, Part: p.Text})
		if next.FrameQL != p.FrameQL || next.Question == "" {
			t.Errorf("without %s: %+v", p.Text, next)
		}
	}
	shift := asking(t, web.URL, `{"question":"freight by shipper","session_id":"`+first.SessionID+`"}`)
	if len(shift.Understood.Dropped) != 2 {
		t.Fatalf("dropped %+v", shift.Understood.Dropped)
	}
	back := edited(t, web.URL, shift.RequestID, &reading.Change{Slot: reading.Dropped, Part: shift.Understood.Dropped[0].Text})
	body, _ := json.Marshal(map[string]string{"question": back.Question, "frame_ql": back.FrameQL, "session_id": first.SessionID, "instead_of": shift.RequestID})
	again := asking(t, web.URL, string(body))
	var doc session.Document
	get(t, web.URL+"/api/sessions/"+first.SessionID, &doc)
	if len(doc.Turns) != 4 || doc.Turns[3].Place != doc.Turns[2].Place || doc.Turns[3].InsteadOf != shift.RequestID || again.Understood.FrameQL != back.FrameQL {
		t.Errorf("%+v, %+v", again.Understood, doc.Turns)
	}
}
