package analyst

import (
	"strings"
	"testing"

	"assay/backend/interpret"
)

// A slot that is not sure enough is applied, and the answer's words ask whether that was right.
func TestTheAnswerConfirmsWhatIsNotSure(t *testing.T) {
	k := shopKnowledge(t)
	m := *k.Model
	m.Metrics = append(m.Metrics[:0:0], m.Metrics...)
	weight := 0.7
	for i := range m.Metrics {
		m.Metrics[i].ConfidenceWeight = &weight
	}
	k.Model, k.Index = &m, interpret.NewIndex(&m, nil)
	d := newDesk(t, k, categoryRows()...)
	a, err := d.ask(t.Context(), Request{Question: "revenue by category in 1997"})
	if err != nil {
		t.Fatal(err)
	}
	const asks = "“revenue” was taken for revenue; is that right?"
	if a.Outcome != OutcomeAnswer || len(a.Understood.Confirm) != 1 || a.Understood.Confirm[0] != asks || !strings.HasSuffix(a.Narration.Text, asks) {
		t.Errorf("%s, confirms %q, narration %q", a.Outcome, a.Understood.Confirm, a.Narration.Text)
	}
	d = newDesk(t, shopKnowledge(t), categoryRows()...)
	if a, err := d.ask(t.Context(), Request{Question: "revenue by category in 1997"}); err != nil || len(a.Understood.Confirm) != 0 || strings.Contains(a.Narration.Text, "?") {
		t.Errorf("confirms %q, %v", a.Understood.Confirm, err)
	}
}
