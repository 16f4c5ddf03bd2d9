package knowledge

import (
	"math"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

// Detection says how something came to be known.
type Detection string

// The ways. One that is none of them counts as ByConfirmation.
const (
	ByCorrection   Detection = "correction"   // a person corrected an answer
	ByDefinition   Detection = "definition"   // a person said what something means, unasked
	ByConfirmation Detection = "confirmation" // a person said that an answer is right
	ByMandate      Detection = "mandate"      // an admin ordered it
	ByTranscript   Detection = "transcript"   // it was found in what was said
)

// Says is how something came to be known, in words.
func (d Detection) Says() string {
	switch d {
	case ByCorrection, ByDefinition, ByMandate, ByTranscript:
		return text.Say("knowledge.how_" + string(d))
	}
	return text.Say("knowledge.how_confirmation")
}

// Evidence is one event that speaks for an item. There may be many, of one person too.
type Evidence struct {
	Actor      string    `json:"actor"`
	Detection  Detection `json:"detection" enum:"correction,definition,confirmation,mandate,transcript"`
	Quote      string    `json:"quote" doc:"The exact words"`
	Ref        string    `json:"ref" doc:"The request in which they were said"`
	Correction string    `json:"-"` // of the person's own memory, with which it goes; empty: none
	Answer     bool      `json:"-"` // it is kept with an answer that its person called right, and goes with that
	At         time.Time `json:"at"`
}

// Table is how much evidence is worth, as configuration says it. All shares are 0 to 1.
type Table struct {
	Base     map[Detection]float64 // of the strongest evidence
	Floor    map[Detection]float64 // below which age does not take it
	Verifier float64               // for each person beyond the first
	Steward  float64               // once, when a steward is one of the people
	HalfLife time.Duration         // after which half of it is left, counted from the last evidence
}

// DefaultTable is the table of an installation that says nothing else.
func DefaultTable() Table {
	return Table{
		Base:     map[Detection]float64{ByMandate: 1, ByCorrection: 0.9, ByDefinition: 0.9, ByConfirmation: 0.6, ByTranscript: 0.5},
		Floor:    map[Detection]float64{ByMandate: 1, ByCorrection: 0.3, ByDefinition: 0.3, ByConfirmation: 0.2, ByTranscript: 0.1},
		Verifier: 0.05,
		Steward:  0.2,
		HalfLife: 365 * 24 * time.Hour,
	}
}

// Check says what of a table cannot be. fault.Invalid names the entry.
func (t Table) Check() error {
	for _, d := range []Detection{ByCorrection, ByDefinition, ByConfirmation, ByMandate, ByTranscript} {
		base, known := t.Base[d]
		switch {
		case !known:
			return wrongTable(string(d), text.Say("knowledge.table_missing"))
		case !share(base) || !share(t.Floor[d]):
			return wrongTable(string(d), text.Say("knowledge.table_share"))
		case t.Floor[d] > base:
			return wrongTable(string(d), text.Say("knowledge.table_floor"))
		}
	}
	switch {
	case !share(t.Verifier):
		return wrongTable("verifier", text.Say("knowledge.table_share"))
	case !share(t.Steward):
		return wrongTable("steward", text.Say("knowledge.table_share"))
	case t.HalfLife <= 0:
		return wrongTable("half_life", text.Say("knowledge.table_half_life"))
	}
	return nil
}

func share(x float64) bool { return x >= 0 && x <= 1 } // false for NaN

func wrongTable(entry, what string) error {
	return fault.New(fault.Invalid, "read confidence", text.Say("knowledge.table_wrong", "entry", entry, "what", what), "")
}

// Confidence is how sure an item is, 0 to 1, at a time: the base of its strongest evidence, more for each further person and for a steward among them, at most 1;
// halved with each half-life since its last evidence, and not below the floor of its strongest. It is a function of what the evidence says and not of its order;
// evidence that is there twice counts once. Without any it is 0.
func (t Table) Confidence(all []Evidence, steward func(actor string) bool, now time.Time) float64 {
	return t.worth(all, steward).at(now, t.HalfLife)
}

// worth is what evidence is worth, before its age counts.
type worth struct {
	sure, floor float64   // floor: below which age does not take it
	last        time.Time // of the evidence
}

func (t Table) worth(all []Evidence, steward func(actor string) bool) worth {
	var w worth
	people, approved := map[string]bool{}, false
	for _, e := range all {
		d := e.Detection
		if _, known := t.Base[d]; !known {
			d = ByConfirmation
		}
		w.sure, w.floor = max(w.sure, t.Base[d]), max(w.floor, t.Floor[d])
		people[e.Actor] = true
		approved = approved || steward(e.Actor)
		if e.At.After(w.last) {
			w.last = e.At
		}
	}
	if len(people) == 0 {
		return worth{}
	}
	w.sure += float64(len(people)-1) * t.Verifier
	if approved {
		w.sure += t.Steward
	}
	w.sure = min(w.sure, 1)
	return w
}

// at is what is left of it at a time.
func (w worth) at(now time.Time, halfLife time.Duration) float64 {
	age := max(now.Sub(w.last), 0) // a clock that went back makes nothing younger than new
	return max(w.sure*math.Exp2(-float64(age)/float64(halfLife)), min(w.floor, w.sure))
}
