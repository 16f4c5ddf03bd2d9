package analyst

import (
	"context"

	"assay/backend/interpret"
	"assay/backend/risk"
	"assay/backend/text"
)

// recheck looks whether the data and the model are still those that the question was read with, where its like was never
// confirmed before, and says whether they are not: what nobody knows to be right must at least rest on what is there now.
func (r *run) recheck(ctx context.Context, reading *interpret.Reading) bool {
	if reading == nil || r.a.deps.Recheck == nil {
		return false
	}
	r.consider(reading)
	if !r.assess(ctx).RecheckFirst || !r.a.deps.Recheck(ctx) {
		return false
	}
	r.knowledge = r.a.deps.Knowledge(r.actor)
	r.setClock()
	return true
}

// doubt asks back where the rules do not trust a reading: two readings are too near, or a slot was filled with too little
// to go by. The reader asks by itself where it has a choice to offer; here there is one reading, and the person says whether
// it is meant.
func (r *run) doubt(reading *interpret.Reading) *interpret.Clarification {
	if reading == nil || reading.Plan == nil {
		return nil
	}
	slots := map[string]float64{}
	for _, s := range reading.Spans {
		if known, ok := slots[s.Slot]; !ok || s.Confidence < known {
			slots[s.Slot] = s.Confidence
		}
	}
	r.consider(reading)
	ambiguity, _ := risk.Meanings{Conflict: &r.ambiguity, LogProbs: r.likely}.Ambiguity() // that names collide was settled by the reader
	why := r.a.rules().MustClarify(ambiguity, slots)
	if len(why) == 0 {
		return nil
	}
	words := ReadingWords(reading.Plan, r.knowledge.Model)
	query := reading.Query.String()
	return &interpret.Clarification{
		Question: text.Say("analyst.is_this_meant", "reading", words), GuessConfidence: reading.Confidence,
		BestGuess: &interpret.Choice{Label: words, Question: query, Value: query}, Options: []interpret.Choice{},
	}
}
