package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// History is what a session has said so far, as far as a question may build on it.
type History struct {
	Turns   []Turn    // the answered ones, oldest first
	Open    *Open     // the last turn, when it was not answered
	Settled []Settled // what the person chose among several meanings
}

// Turn is one answered turn of a session.
type Turn struct {
	Turn    int // of the session, from 1
	Query   *frameql.Query
	Undone  int      // how many steps it went back; 0: it is a step of its own
	Members *Members // whom its result shows; nil: not known, or too many to list
	Spans   []Span   // how its question was read
	Number  string   // what its result shows, when that is one number
}

// Members are the members of an entity that a result shows, by a dimension that has one value for each of them.
type Members struct {
	Dimension string
	Values    []frameql.Value
}

// MostMembers is how many members of a result "those" lists; more are meant by what defines them.
const MostMembers = 1000

// Open is a turn that was asked back or refused.
type Open struct {
	Question string
	Guess    *frameql.Query // the best guess of a question back; nil: it was refused
	Choices  []Choice       // of the question back, the best guess first
	Foreign  bool           // it had nothing to do with the data: small talk, an unknown subject
}

// Settled is a choice of the person that holds for the session: these words mean that.
type Settled struct {
	Words  string `json:"words"`  // folded, joined by a space
	Target string `json:"target"` // name of what they mean
}

// PatchKind names what a follow-up changes of the query before it.
type PatchKind string

// The kinds of patches.
const (
	PatchPeriod     PatchKind = "PERIOD"
	PatchValue      PatchKind = "VALUE"
	PatchNumber     PatchKind = "NUMBER"
	PatchDim        PatchKind = "DIM"
	PatchGrain      PatchKind = "GRAIN"
	PatchMetric     PatchKind = "METRIC"
	PatchReduce     PatchKind = "REDUCE"
	PatchCompare    PatchKind = "COMPARE"
	PatchShare      PatchKind = "SHARE"
	PatchTop        PatchKind = "TOP"
	PatchOrder      PatchKind = "ORDER"
	PatchAttribute  PatchKind = "ATTRIBUTE"
	PatchPopulation PatchKind = "POPULATION"
	PatchRest       PatchKind = "REST"   // those whom the last answer did not show
	PatchRecall     PatchKind = "RECALL" // a number that an earlier answer gave
	PatchRemove     PatchKind = "REMOVE"
	PatchCorrect    PatchKind = "CORRECT"
	PatchUndo       PatchKind = "UNDO"
	PatchShift      PatchKind = "SHIFT"  // a new subject: nothing is carried over
	PatchChoice     PatchKind = "CHOICE" // one of the readings that were asked about
)

// Follow says how a reading goes on from the conversation.
type Follow struct {
	Kinds   []PatchKind `json:"kinds"`
	From    int         `json:"from"`    // the turn that it goes on from
	Carried []Part      `json:"carried"` // what it took over from there
	Dropped []Part      `json:"dropped"` // what was there and is not here
	Settled []Settled   `json:"settled"` // what the person chose with this turn
	Undone  int         `json:"undone"`  // how many steps it went back
}

// goesOn says whether a reading takes something over from the conversation.
func (f *Follow) goesOn() bool { return f != nil && !slices.Contains(f.Kinds, PatchShift) }

// Part is one part of a query that was carried over or dropped.
type Part struct {
	Slot    string `json:"slot"` // filter period metric dimension top having compare
	Text    string `json:"text"`
	FrameQL string `json:"frame_ql"` // the query without a carried part, or with a dropped one
}

// subjects gives the queries that a follow-up may go on from, the latest first. An undo takes back the one before it.
func (h History) subjects() []Turn {
	var stack []Turn
	for _, t := range h.Turns {
		if t.Undone > 0 && t.Undone < len(stack) {
			stack = stack[:len(stack)-t.Undone]
			continue
		}
		stack = append(stack, t)
	}
	slices.Reverse(stack)
	return stack
}
