package reuse

import "assay/backend/text"

// Code names the clause that a frame fails, or what the decision was.
type Code string

// The codes. Those above Served are refusals, in the order in which the clauses are looked at.
const (
	NoFrames          Code = "no_frames"   // no frame reads this fact
	LeafMissing       Code = "leaf"        // 2
	ModelChanged      Code = "model"       // 1
	DataChanged       Code = "data"        // 1
	OtherJoins        Code = "joins"       // 1
	OtherPolicy       Code = "policy"      // 9
	OtherTime         Code = "time"        // 6
	NotCovered        Code = "covered"     // 6
	NotAligned        Code = "aligned"     // 6
	FilterNotImplied  Code = "filter"      // 7
	DimensionMissing  Code = "dimension"   // 3
	GrainNotDerivable Code = "grain"       // 4
	OtherZone         Code = "zone"        // 5
	OtherWeek         Code = "week"        // 5
	OtherCalendar     Code = "calendar"    // 5
	FilterLost        Code = "filter_lost" // 8
	DistinctLost      Code = "distinct"    // 9
	NotReducible      Code = "reduce"      // 2
	NotForUnion       Code = "union"       // a leaf that cannot be added to what the base gives
	TooLarge          Code = "too_large"   // reading it costs as much as reading the base
	ServedWhole       Code = "served"
	ServedInPart      Code = "served_part" // the base adds the rest of the period
)

// Reason says what was decided and why.
type Reason struct {
	Code  Code
	Frame string // the frame that came closest, or that answers; empty: there is none
	Name  string // the column that the reason is about; empty: none
	rank  int    // how far the frame came
}

// String gives the sentence.
func (r Reason) String() string {
	return text.Say("reuse."+string(r.Code), "frame", r.Frame, "name", r.Name)
}
