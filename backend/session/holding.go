package session

import (
	"time"

	"assay/backend/text"
)

// How an answer stands that was asked again because its data or its definitions changed.
const (
	HoldingHolds  = "holds"  // every cell is as it was
	HoldingMoved  = "moved"  // see Change
	HoldingCannot = "cannot" // it could not be asked again, or gives no answer any more
)

// Holding says whether an answer still holds. It is the last word: asking again replaces it.
type Holding struct {
	At         time.Time    `json:"at"`
	Stands     string       `json:"stands" enum:"holds,moved,cannot"`
	Words      string       `json:"words" doc:"A sentence"`
	Change     *FrameChange `json:"change" doc:"Null: there is nothing to compare"`
	Comparison *Comparison  `json:"comparison,omitempty" doc:"The frame of the answer and the new one; absent in a session, where only the word is given"`
	State      string       `json:"state" doc:"Hash of data and definitions that it was asked over"`
}

// HoldingOf is what a replayed answer says of the recorded one: its rows count, and not how it is told or drawn.
func HoldingOf(r Replayed, at time.Time, state string) Holding {
	h := Holding{At: at, Change: r.Change, Comparison: r.Comparison, State: state}
	switch {
	case r.Change != nil && r.Change.Same:
		h.Stands, h.Words = HoldingHolds, text.Say("session.holds")
	case r.Change != nil:
		h.Stands, h.Words = HoldingMoved, r.Change.Words()
	case r.Stands == StandsSame && r.same("execute"): // the rows of then are not there, their hash is
		h.Stands, h.Words = HoldingHolds, text.Say("session.holds")
	default:
		if h.Stands, h.Words = HoldingCannot, r.Words; h.Words == "" {
			h.Words = text.Say("session.holds_unknown")
		}
	}
	return h
}
