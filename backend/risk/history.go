package risk

import (
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

// History holds every set of weights that was ever in force, in the order of their versions, and which one is. The zero value
// is a workspace that learned nothing yet. It is a value to be stored as JSON; no method changes the one that it is called on.
type History struct {
	Sets    []WeightSet `json:"sets"`
	InForce int         `json:"in_force"` // a version; 0: none, the weights are those of the start
}

// Current is the set in force: the weights of the start, version 0, when there is none.
func (h History) Current() WeightSet {
	if set, ok := h.find(h.InForce); ok {
		return set
	}
	return WeightSet{Weights: StartWeights(), Reliability: []Bin{}}
}

func (h History) find(version int) (WeightSet, bool) {
	for _, set := range h.Sets {
		if set.Version == version && version > 0 {
			return set, true
		}
	}
	return WeightSet{}, false
}

// Learn calibrates the current set and puts the new one in force. When there is too little to learn from, the history stays
// as it was and reason says so.
func (h History) Learn(outcomes []Outcome, now time.Time, o CalibrateOptions) (next History, learned bool, reason string) {
	current := h.Current()
	set, learned, reason := Calibrate(current, outcomes, now, o)
	if !learned {
		return h, false, reason
	}
	set.Version, set.Parent = 1, current.Version
	if n := len(h.Sets); n > 0 {
		set.Version = h.Sets[n-1].Version + 1
	}
	next = h
	next.Sets = append(append([]WeightSet{}, h.Sets...), set)
	next.InForce = set.Version
	return next, true, reason
}

// StepBack puts the set in force that was so before the current one, exactly as it was; nothing is deleted. fault.NotFound
// when the weights are those of the start.
func (h History) StepBack() (History, error) {
	current, ok := h.find(h.InForce)
	if !ok {
		return h, fault.New(fault.NotFound, "step back", text.Say("risk.no_former_weights"), "")
	}
	h.InForce = current.Parent
	return h, nil
}

// Check refuses a history that cannot have come from here: fault.Invalid. A store calls it on what it reads.
func (h History) Check() error {
	last := 0
	for _, set := range h.Sets {
		if err := set.Weights.Check(); err != nil {
			return err
		}
		if set.Version <= last || set.Parent >= set.Version || set.Parent < 0 {
			return fault.New(fault.Invalid, "check weights", text.Say("risk.bad_history", "version", set.Version), text.Say("risk.weights_hint"))
		}
		last = set.Version
	}
	if _, ok := h.find(h.InForce); !ok && h.InForce != 0 {
		return fault.New(fault.Invalid, "check weights", text.Say("risk.bad_history", "version", h.InForce), text.Say("risk.weights_hint"))
	}
	return nil
}
