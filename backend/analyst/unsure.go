package analyst

import (
	"assay/backend/interpret"
	"assay/backend/risk"
	"assay/backend/text"
)

// unsureShares are estimates, 0 to 1, of how likely each kind of doubt makes an answer wrong. They were set by hand with the everyday
// questions of the evaluation in view, and are not measured.
var unsureShares = map[interpret.UnsureKind]float64{
	interpret.UnsureValue:    0.35,
	interpret.UnsureName:     0.2,
	interpret.UnsureSum:      0.4,
	interpret.UnsureDropped:  0.4,
	interpret.UnsurePointer:  0.4,
	interpret.UnsureCompared: 0.4,
	interpret.UnsureRelated:  0.3,
	interpret.UnsureOwnDate:  0.4,
	interpret.UnsureWhich:    0.3,
	interpret.UnsureState:    0.3,
	interpret.UnsureMean:     0.25,
	interpret.UnsureLost:     0.4,
	interpret.UnsureUnheard:  0.3,
	interpret.UnsureDivided:  0.3,
}

// doubts are what the reading itself says may be wrong, each kind once.
func (r *run) doubts() []risk.Doubt {
	var all []risk.Doubt
	told := map[interpret.UnsureKind]bool{}
	for _, u := range r.unsure {
		if told[u.Kind] {
			continue
		}
		told[u.Kind] = true
		all = append(all, risk.Doubt{Share: unsureShares[u.Kind], Reason: text.Say("analyst.unsure_"+string(u.Kind), "word", u.Word)})
	}
	return all
}

// consider takes what a reading says of itself as what the risk is judged by.
func (r *run) consider(reading *interpret.Reading) {
	r.ambiguity, r.matches, r.unsure = reading.Ambiguity, reading.Matches, reading.Unsure
}
