package analyst

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/semantic"
)

// decisionOf is the decision that was written down for the only request.
func decisionOf(t *testing.T, d *desk) Decided {
	t.Helper()
	for _, r := range d.memory.records {
		if r.Kind == AuditDecision {
			var x Decided
			if err := json.Unmarshal(r.Body, &x); err != nil {
				t.Fatal(err)
			}
			return x
		}
	}
	t.Fatal("nothing was decided")
	return Decided{}
}

// What runs is written down before it runs, with all that was known; what came of it is written down with the answer.
func TestDecisionIsWrittenBeforeTheRun(t *testing.T) {
	d := newDesk(t, shopKnowledge(t), categoryRows()...)
	if _, err := d.ask(t.Context(), Request{Question: "revenue by category in 1997"}); err != nil {
		t.Fatal(err)
	}
	log := strings.Join(d.log, ", ")
	if strings.Index(log, "record decision") > strings.Index(log, "query") {
		t.Errorf("log %s", log)
	}
	x := decisionOf(t, d)
	if x.Question != "revenue by category in 1997" || x.SQLSHA256 != hash(d.engine.seen[0].SQL) || !x.Runs || x.Risk == nil || x.Risk.AutonomyLevel != 5 ||
		len(x.Tables) != 3 || x.Role != "analyst" || x.Mind != "embedded" || len(x.Rules) == 0 || x.Epochs["lines"] != "sha256:2" {
		t.Errorf("%+v", x)
	}
	last := d.memory.records[len(d.memory.records)-1]
	if last.Kind != AuditOutcome || !strings.Contains(string(last.Body), `"rows":2`) || last.Actor != "os:ada" {
		t.Errorf("%+v %s", last, last.Body)
	}
}

// A probe is a statement that runs, so it is written down before too, and does not run when that fails.
func TestProbesAreWrittenDown(t *testing.T) {
	d := newDesk(t, torn(t), one(122), one(77))
	if _, err := d.ask(t.Context(), Request{Question: tornQuestion}); err != nil {
		t.Fatal(err)
	}
	log := strings.Join(d.log, ", ")
	if strings.Count(log, "record probe") != 2 || strings.Index(log, "record probe") > strings.Index(log, "query") {
		t.Errorf("log %s", log)
	}
	d = newDesk(t, torn(t), one(122), one(77))
	d.memory.recordErr = fault.New(fault.Unavailable, "record", "There is no space left.", "")
	if a, err := d.ask(t.Context(), Request{Question: tornQuestion}); err != nil || len(d.engine.seen) > 0 || a.Outcome != OutcomeClarify {
		t.Errorf("%d statements, %v", len(d.engine.seen), err)
	}
}

// What cannot be written down does not run.
func TestNothingRunsUnwritten(t *testing.T) {
	for _, r := range []Request{{FrameQL: byCategory}, {SQL: "SELECT 1"}} {
		d := newDesk(t, shopKnowledge(t), categoryRows()...)
		d.memory.recordErr = fault.New(fault.Unavailable, "record", "There is no space left.", "")
		_, err := d.ask(t.Context(), r)
		wantFault(t, err, fault.Unavailable, "no space")
		if len(d.engine.seen) > 0 {
			t.Errorf("%+v ran", r)
		}
	}
}

// A request that touches personal columns leaves none of the values that it names in the log.
func TestLogNamesNobody(t *testing.T) {
	k := shopKnowledge(t)
	m := *k.Model
	m.Entities = append([]semantic.Entity(nil), m.Entities...)
	for i := range m.Entities {
		m.Entities[i].Dimensions = append([]semantic.Dimension(nil), m.Entities[i].Dimensions...)
		for j := range m.Entities[i].Dimensions {
			if m.Entities[i].Dimensions[j].Name == "country" {
				m.Entities[i].Dimensions[j].PII = "address"
			}
		}
	}
	sealed, err := semantic.Seal(&m)
	if err != nil {
		t.Fatal(err)
	}
	k.Model = sealed
	for _, r := range []Request{
		{Question: "number of orders in Germany"}, {FrameQL: "SELECT order_count WHERE orders.country = 'Germany'"}, {SQL: "SELECT count(*) FROM orders WHERE country = 'Germany'"},
	} {
		d := newDesk(t, k, [][]any{{int64(3)}}, [][]any{{int64(9), int64(3), int64(3)}})
		if _, err := d.ask(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		for _, record := range d.memory.records {
			if strings.Contains(string(record.Body), "Germany") {
				t.Errorf("%+v: %s", r, record.Body)
			}
		}
		if x := decisionOf(t, d); !strings.Contains(x.SQL, "<VALUE>") {
			t.Errorf("%+v: %s", r, x.SQL)
		}
	}
}
