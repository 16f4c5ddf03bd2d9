package analyst

import (
	"bytes"
	"encoding/json"
	"slices"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/session"
)

// WithoutRows leaves out of a packed turn whatever stands in it as a cell of the data: the rows of every frame, the numbers of cards that are made of
// them, the members that later questions would go on from, follow-ups, which name members, and what a language model was given and replied. What was
// asked, how it was understood, the sentences of the answer, its grade and where it comes from stay. other does it to the body of an artifact of a kind that
// this package does not know.
func WithoutRows(p Packed, other func(session.Kind, json.RawMessage) (json.RawMessage, error)) (Packed, error) {
	p.Rows, p.Frames = nil, nil
	var err error
	if len(p.Turn.Answer) > 0 && !bytes.Equal(p.Turn.Answer, null) {
		if p.Turn.Answer, err = answerWithout(p.Turn.Answer); err != nil {
			return p, err
		}
	}
	if p.Turn.Said, err = saidWithout(p.Turn.Said); err != nil {
		return p, err
	}
	p.Turn.Artifacts = slices.Clone(p.Turn.Artifacts)
	for i := range p.Turn.Artifacts {
		a := &p.Turn.Artifacts[i]
		if a.Body == nil {
			continue
		}
		without := bodyWithout
		if bodyOf(a.Kind) == nil {
			without = other
		}
		if a.Body, err = without(a.Kind, a.Body); err != nil {
			return p, err
		}
	}
	p.Turn.Trace = traceWithout(p.Turn.Trace)
	return p, nil
}

func answerWithout(raw json.RawMessage) (json.RawMessage, error) {
	a, err := readMoving(raw, false)
	if err != nil {
		return nil, err
	}
	if a.Frame != nil {
		a.Frame.Rows = null
		reasonless(a.Frame.Frame)
	}
	a.MetricCard = nil
	if a.Followups != nil {
		a.Followups = []session.Followup{}
	}
	for i := range a.Probes {
		a.Probes[i].Returns = ""
	}
	silent(a.Clarification)
	return json.Marshal(a)
}

// reasonless takes from a frame what is said of single cells: why one is empty, and which ones a notice is about.
func reasonless(f *frameql.Frame) {
	f.Reasons = []frameql.Reason{}
	for i := range f.Notices {
		f.Notices[i].Facts = map[string]any{}
	}
}

// silent takes from a question back what its choices would give.
func silent(c *interpret.Clarification) {
	if c == nil {
		return
	}
	if c.BestGuess != nil {
		c.BestGuess.Returns = ""
	}
	for i := range c.Options {
		c.Options[i].Returns = ""
	}
}

// saidWithout takes the values of the frame from what later questions go on from.
func saidWithout(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 || bytes.Equal(raw, null) {
		return raw, nil
	}
	var left said
	if err := withDigits(raw, &left); err != nil {
		return nil, err
	}
	left.Members, left.Number = nil, ""
	for i := range left.Choices {
		left.Choices[i].Returns = ""
	}
	return json.Marshal(left)
}

// bodyWithout takes the cells from the body of an artifact. What it says stays only where it is a sentence of the answer.
func bodyWithout(kind session.Kind, raw json.RawMessage) (json.RawMessage, error) {
	body := bodyOf(kind)
	if err := withDigits(raw, body); err != nil {
		return nil, err
	}
	for _, h := range framesIn(body) {
		h.frame.Rows = nil
		reasonless(h.frame)
	}
	switch b := body.(type) {
	case *[]session.Followup:
		*b = []session.Followup{}
	case *interpret.Clarification:
		silent(b)
	case *Provenance:
		for i, f := range b.Facts {
			if f.Code == "probes" {
				b.Facts[i].Lines = []FactLine{}
			}
		}
	case *session.Simulation:
		b.LeftOut, b.Recompute, b.Goal = true, "none", nil
		b.Assumptions, b.Levers, b.Outcomes = []string{}, []session.Lever{}, []session.SimulatedOutcome{}
	case *session.DriverAnalysis:
		b.LeftOut, b.Baseline.Value, b.Current.Value, b.Coverage, b.Tested = true, nil, nil, 0, 0
		b.Steps, b.Tree, b.Against, b.Checks = []session.DriverStep{}, []session.DriverNode{}, []session.DriverStep{}, []session.DriverCheck{}
	}
	return json.Marshal(body)
}

// harmless are the facts of steps that hold nothing of the data: how long it took, which model was asked and what it counted, the query and
// the statement, and what the person taught.
var harmless = []string{
	"engine_ms", "frame_ql", "sql", "card", "prompts", "prefix", "tokens", "model", "requests", "replaced", "violations", "tokens_in", "tokens_out", recalledFact, preferredFact, agreedFact,
}

// traceWithout takes from a trace what was given to a language model and came back, and notes that quote: of a reading that was tried, and of what failed.
func traceWithout(trace []session.Step) []session.Step {
	out := slices.Clone(trace)
	for i := range out {
		s := &out[i]
		if s.Name == "probe" || s.Status == "failed" {
			s.Note = ""
		}
		var kept map[string]any
		for _, name := range harmless {
			if fact, there := s.Facts[name]; there {
				if kept == nil {
					kept = map[string]any{}
				}
				kept[name] = fact
			}
		}
		s.Facts = kept
	}
	return out
}

// MaskedParts is a packed answer whose metric card has other labels for its parts.
func MaskedParts(answer json.RawMessage, label func(any) any) (json.RawMessage, error) {
	a, err := readMoving(answer, false)
	if err != nil || a.MetricCard == nil {
		return answer, err
	}
	for i, part := range a.MetricCard.Breakdown {
		if !part.Rest {
			a.MetricCard.Breakdown[i].Label = label(part.Label)
		}
	}
	return json.Marshal(a)
}
