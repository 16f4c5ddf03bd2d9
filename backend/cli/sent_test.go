package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/session"
)

// TestSentIsSaid says what left the machine whatever came of the question, and word for word where that is wanted.
func TestSentIsSaid(t *testing.T) {
	sent := []session.Sent{
		{To: "models.example:443", Task: "planning", Bytes: 812, Carried: []session.SentPart{{Kind: "values", Bytes: 40, Columns: []string{"orders.country"}}}},
		{To: "127.0.0.1:11434", Task: "planning", Bytes: 4711, Local: true},
	}
	var out bytes.Buffer
	p := Program{Stdout: &out}
	if err := p.printAnswer(&analyst.Answer{Outcome: analyst.OutcomeRefuse, Refusal: &analyst.Refused{Message: "No."}, Sent: sent}); err != nil {
		t.Fatal(err)
	}
	if said := out.String(); !strings.Contains(said, "Sent to models.example:443") || !strings.Contains(said, "values of columns, 40 bytes") || strings.Contains(said, "4711") {
		t.Errorf("%s", said)
	}
	raw, err := json.Marshal(map[string]any{"sent": sent})
	if err != nil {
		t.Fatal(err)
	}
	turn := session.Turn{Answer: raw, Trace: []session.Step{{Facts: map[string]any{analyst.SentFact: session.SentTexts{
		Requests: []session.SentText{{To: "models.example:443", Task: "planning", Parts: []string{"sha256:1", "sha256:2"}}}, Texts: map[string]string{"sha256:1": "user: how is it going"},
	}}}}}
	for whole, want := range map[bool]bool{true: true, false: false} {
		out.Reset()
		if err := p.printTurnSent(turn, whole); err != nil {
			t.Fatal(err)
		}
		if said := out.String(); strings.Contains(said, "user: how is it going") != want || strings.Contains(said, "too long to keep") != want || !strings.Contains(said, "Sent to models.example") {
			t.Errorf("whole %v: %s", whole, said)
		}
	}
}
