package mind

import (
	"context"

	"assay/backend/llm"
)

// Mind says what is to be done next. It is used by one request.
type Mind interface {
	// Next gives the next move, after what was seen. An error ends the thinking, and nothing else: faults as of llm.Model. A mind that does not want to go on may
	// say why in the words of its move.
	Next(ctx context.Context, s Seen) (Move, error)
}

// Seen is what a mind knows by now.
type Seen struct {
	Rounds []Round // what was done so far
	Nudge  string  // what the program has to say; empty: nothing
	Last   bool    // there will be no more rounds: it is to say what it came to, and no tool is used any more
}

// Round is one move and what came of it.
type Round struct {
	Move    Move
	Results []Returned // one for each call, in their order
	Nudge   string     // what the program said before the move
}

// Move is what a mind wants done: calls of tools, or, without any, that it has come to its end.
type Move struct {
	Calls []llm.Call
	Text  string // its words; nobody is shown them as they are

	Likely []llm.LogProb `json:"-"` // how likely each piece of its words was, where the model says so
}

// Returned is what a call gave back.
type Returned struct {
	Call    llm.Call
	Content string // JSON
	Failed  bool   // it is a problem, not a result
	Refused bool   // the problem is that a query was refused
	Rows    int    // rows of data in it
	Columns []string
}
