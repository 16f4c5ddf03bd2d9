package analyst

import (
	"context"
	"testing"
	"time"

	"assay/backend/knowledge"
)

// overMemory has sessions that are over, and notes what came of looking through them.
type overMemory struct {
	*fakeMemory
	over      []Finished
	confirmed map[string][]Confirmed // by session
}

func (m *overMemory) Finished(context.Context, time.Time, int) ([]Finished, error) {
	return m.over, nil
}

func (m *overMemory) LookedThrough(_ context.Context, f Finished, confirmed []Confirmed, _ []knowledge.Correction) error {
	m.confirmed[f.SessionID] = confirmed
	return nil
}

// TestADamagedAnswerConfirmsNothing: an answer that cannot be read keeps neither its own session nor the ones after it from being looked through.
func TestADamagedAnswerConfirmsNothing(t *testing.T) {
	d := newDesk(t, shopKnowledge(t))
	m := &overMemory{fakeMemory: d.memory, confirmed: map[string][]Confirmed{}}
	m.corrections = []knowledge.Correction{{ID: "c1", Author: "sam", Term: "turnover", Means: "gross revenue"}}
	whole := []byte(`{"remembered":[{"id":"c1","means":"gross revenue"}]}`)
	right := func(id string, answer []byte) FinishedTurn {
		return FinishedTurn{RequestID: id, Turn: 1, Actor: "sam", Question: "turnover by month", Right: true, Answer: answer, Taught: true}
	}
	m.over = []Finished{{SessionID: "torn", Turns: []FinishedTurn{right("r1", whole[:20]), right("r2", whole)}}, {SessionID: "whole", Turns: []FinishedTurn{right("r3", whole)}}}
	d.deps.Memory = m
	n, err := d.LookBack(t.Context(), time.Time{})
	if n != 2 || err != nil {
		t.Fatalf("%d were looked through, %v", n, err)
	}
	for session, request := range map[string]string{"torn": "r2", "whole": "r3"} {
		if of := m.confirmed[session]; len(of) != 1 || of[0].RequestID != request || of[0].Meaning != "c1" {
			t.Errorf("%s confirms %+v", session, of)
		}
	}
}
