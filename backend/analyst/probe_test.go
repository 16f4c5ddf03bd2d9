package analyst

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"assay/backend/interpret"
	"assay/backend/semantic"
)

// torn is a shop whose orders have two countries, so that a question about one can be read in two ways.
func torn(t *testing.T, change ...func(*semantic.Model)) Knowledge {
	t.Helper()
	k := shopKnowledge(t)
	m := *k.Model
	m.Entities = slices.Clone(m.Entities)
	orders := &m.Entities[slices.IndexFunc(m.Entities, func(e semantic.Entity) bool { return e.Name == "orders" })]
	orders.Dimensions = slices.Clone(orders.Dimensions)
	orders.Dimensions[2].Name = "bill_country"
	orders.Dimensions = append(orders.Dimensions, semantic.Dimension{Name: "ship_country", Label: "Ship country", Type: semantic.Text})
	orders.Dimensions[2].Label = "Bill country"
	for _, f := range change {
		f(&m)
	}
	sealed, err := semantic.Seal(&m)
	if err != nil {
		t.Fatal(err)
	}
	k.Model = semantic.WithAttestations(sealed, func(*semantic.Join) *semantic.Attestation { return &semantic.Attestation{Unique: true} })
	countries := []string{"Germany", "France"}
	k.Index = interpret.NewIndex(k.Model, []interpret.ValueSet{
		{Entity: "orders", Dimension: "bill_country", Values: countries, Complete: true}, {Entity: "orders", Dimension: "ship_country", Values: countries, Complete: true},
	})
	return k
}

const tornQuestion = "number of orders in Germany"

func one(n int64) [][]any { return [][]any{{n}} }

// What each reading would give stands in its choice; the probes are in the trace and in the answer, and nothing else ran.
func TestAChoiceSaysWhatItWouldGive(t *testing.T) {
	d := newDesk(t, torn(t), one(122), one(77))
	a, err := d.ask(t.Context(), Request{Question: tornQuestion})
	if err != nil {
		t.Fatal(err)
	}
	c := a.Clarification
	if a.Outcome != OutcomeClarify || c == nil || len(c.Options) != 1 || !strings.Contains(c.BestGuess.Returns, "122") || !strings.Contains(c.Options[0].Returns, "77") {
		t.Fatalf("%s %+v", a.Outcome, c)
	}
	if len(a.Probes) != 2 || a.Probes[0].Status != "measured" || a.Probes[0].FrameQL != c.BestGuess.Value || a.Probes[0].SQL != d.engine.seen[0].SQL || len(d.engine.seen) != 2 {
		t.Errorf("probes %+v, %d statements", a.Probes, len(d.engine.seen))
	}
	var steps []string
	for _, s := range a.Trace {
		if s.Name == "probe" {
			steps = append(steps, s.Note)
		}
	}
	if len(steps) != 2 || !strings.Contains(steps[1], "77") || !strings.Contains(steps[1], c.Options[0].Value) {
		t.Errorf("trace %q", steps)
	}
}

// Readings that give the same rows leave nothing to ask.
func TestReadingsThatAgreeAreAnswered(t *testing.T) {
	d := newDesk(t, torn(t), one(122), one(122), one(122), [][]any{{int64(830), int64(122), int64(122)}})
	a, err := d.ask(t.Context(), Request{Question: tornQuestion})
	if err != nil {
		t.Fatal(err)
	}
	if a.Outcome != OutcomeAnswer || a.Clarification != nil || len(a.Probes) != 2 {
		t.Fatalf("%s %+v", a.Outcome, a.Clarification)
	}
	if !slices.ContainsFunc(a.Understood.Assumptions, func(s string) bool { return strings.Contains(s, "all of them give the same rows") }) {
		t.Errorf("assumptions %q", a.Understood.Assumptions)
	}
	artifacts := d.turn(t).Artifacts
	var p Provenance
	if err := json.Unmarshal(artifacts[len(artifacts)-1].Body, &p); err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(p.Facts, func(f Fact) bool { return f.Code == "probes" }); i != 1 || len(p.Facts[i].Lines) != 2 || !strings.Contains(p.Facts[i].Lines[1].Text, "ship_country") && !strings.Contains(p.Facts[i].Lines[0].Text, "ship_country") {
		t.Errorf("facts %+v", p.Facts)
	}
}

// Nothing is tried that is not trivial, that is sensitive, or when the person wants no answer anyway.
func TestWhatIsNotTried(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*semantic.Model)
		rows   int64
		want   string
	}{
		"costly":           {func(*semantic.Model) {}, probeRows + 1, "costly, costly"},
		"sensitive entity": {func(m *semantic.Model) { entityNamed(m, "orders").Tags = []string{"Sensitive"} }, 1, "sensitive, sensitive"},
		"sensitive column": {func(m *semantic.Model) { entityNamed(m, "orders").Dimensions[2].Tags = []string{"sensitive"} }, 1, "measured, sensitive"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, torn(t, c.change), one(5), one(6))
			d.engine.cost = c.rows
			a, err := d.ask(t.Context(), Request{Question: tornQuestion})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range a.Probes {
				got = append(got, p.Status)
			}
			slices.Sort(got)
			if a.Outcome != OutcomeClarify || strings.Join(got, ", ") != c.want {
				t.Errorf("%s, probes %v, want %s", a.Outcome, got, c.want)
			}
		})
	}
	d := newDesk(t, shopKnowledge(t))
	if a, err := d.ask(t.Context(), Request{Question: halfUnderstood}); err != nil || a.Outcome != OutcomeClarify || len(a.Probes) > 0 && len(a.Clarification.Options) == 0 {
		t.Errorf("%v %+v", err, a.Probes)
	}
}

// A probe that fails leaves the question as it was; the end of the request ends it.
func TestAFailedProbeLeavesTheQuestion(t *testing.T) {
	d := newDesk(t, torn(t)) // the engine has no rows
	a, err := d.ask(t.Context(), Request{Question: tornQuestion})
	if err != nil || a.Outcome != OutcomeClarify || a.Probes[0].Status != "failed" || a.Clarification.BestGuess.Returns != "" {
		t.Errorf("%v %+v", err, a)
	}
	ctx, cancel := context.WithCancel(t.Context())
	d = newDesk(t, torn(t), one(1), one(2))
	d.engine.onQuery = cancel
	if _, err := d.ask(ctx, Request{Question: tornQuestion}); err == nil {
		t.Error("a canceled request was answered")
	}
}

func entityNamed(m *semantic.Model, name string) *semantic.Entity {
	return &m.Entities[slices.IndexFunc(m.Entities, func(e semantic.Entity) bool { return e.Name == name })]
}
