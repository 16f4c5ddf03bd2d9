package analyst

import (
	"fmt"

	"assay/backend/fault"
	"assay/backend/text"
)

// Stage says how far a request has come. A request that waits for somebody rests in the stage whose question is open: SCOPE
// for a clarification, PLAN for a word before the run, ACCEPT for a word about the result.
type Stage string

// The stages, in the order in which a request goes through them.
const (
	StageIntake  Stage = "intake"
	StageScope   Stage = "scope"
	StagePlan    Stage = "plan"
	StageExecute Stage = "execute"
	StageDeliver Stage = "deliver"
	StageAccept  Stage = "accept"
	StageClose   Stage = "close"
)

// Happening is what moves a request on.
type Happening string

// What happens while a request is worked on.
const (
	OnAsked      Happening = "asked"       // a question was stored
	OnGiven      Happening = "given"       // a statement by hand was stored
	OnUnderstood Happening = "understood"  // the question is a query
	OnUnclear    Happening = "unclear"     // the question goes back
	OnRefused    Happening = "refused"     // it has no answer
	OnExplained  Happening = "explained"   // EXPLAIN was answered
	OnCostly     Happening = "costly"      // a person must confirm the run
	OnAdvised    Happening = "advised"     // level 2: the statement is shown and not run
	OnHandedOver Happening = "handed_over" // level 1
	OnBlocked    Happening = "blocked"     // it is not allowed
	OnApproved   Happening = "approved"    // the statement may run
	OnRan        Happening = "ran"         // there is a frame
	OnShown      Happening = "shown"       // the answer is made
	OnBroke      Happening = "broke"       // the machine failed
	OnCanceled   Happening = "canceled"    // the person stopped it
)

// What happens to a request that waits.
const (
	OnAnswered  Happening = "answered"  // another turn settled the open question
	OnConfirmed Happening = "confirmed" // it runs, as another request
	OnDeclined  Happening = "declined"  // it will not run
	OnHandled   Happening = "handled"   // a person did it
	OnExpired   Happening = "expired"   // nobody said anything about the run
	OnAccepted  Happening = "accepted"  // by a word, or by using the result
	OnRejected  Happening = "rejected"  // the result is wrong
	OnRevised   Happening = "revised"   // the result was asked for in another way
	OnTimedOut  Happening = "timed_out" // level 5: accepted by the clock
	OnFlagged   Happening = "flagged"   // level 4: accepted by the clock, and nobody looked
	OnAbandoned Happening = "abandoned" // level 3: nobody accepted it
)

// edge is one way from a stage to the next.
type edge struct {
	from Stage
	on   Happening
	to   Stage
}

// edges are all ways that a request may go. What is not here cannot happen.
var edges = []edge{
	{StageIntake, OnAsked, StageScope},
	{StageIntake, OnGiven, StagePlan},
	{StageScope, OnUnderstood, StagePlan},
	{StageScope, OnUnclear, StageScope},
	{StageScope, OnRefused, StageClose},
	{StagePlan, OnRefused, StageClose},
	{StagePlan, OnExplained, StageClose},
	{StagePlan, OnCostly, StagePlan},
	{StagePlan, OnAdvised, StagePlan},
	{StagePlan, OnHandedOver, StagePlan},
	{StagePlan, OnBlocked, StageClose},
	{StagePlan, OnApproved, StageExecute},
	{StageExecute, OnRan, StageDeliver},
	{StageDeliver, OnRefused, StageClose}, // the checks on the frame found that it is no answer
	{StageDeliver, OnShown, StageAccept},

	{StageScope, OnBroke, StageClose},
	{StagePlan, OnBroke, StageClose},
	{StageExecute, OnBroke, StageClose},
	{StageDeliver, OnBroke, StageClose},
	{StageAccept, OnBroke, StageClose}, // the answer could not be stored, so it is not given out
	{StageClose, OnBroke, StageClose},
	{StageScope, OnCanceled, StageClose},
	{StagePlan, OnCanceled, StageClose},
	{StageExecute, OnCanceled, StageClose},
	{StageDeliver, OnCanceled, StageClose},
	{StageAccept, OnCanceled, StageClose},
	{StageClose, OnCanceled, StageClose},

	{StageScope, OnAnswered, StageClose},
	{StagePlan, OnConfirmed, StageClose},
	{StagePlan, OnDeclined, StageClose},
	{StagePlan, OnHandled, StageClose},
	{StagePlan, OnExpired, StageClose},
	{StageAccept, OnAccepted, StageClose},
	{StageAccept, OnRejected, StageClose},
	{StageAccept, OnRevised, StageClose},
	{StageAccept, OnTimedOut, StageClose},
	{StageAccept, OnFlagged, StageClose},
	{StageAccept, OnAbandoned, StageClose},
}

// after gives the stage that follows; false: that cannot happen in this stage.
func after(from Stage, on Happening) (Stage, bool) {
	for _, e := range edges {
		if e.from == from && e.on == on {
			return e.to, true
		}
	}
	return from, false
}

// move takes the request to its next stage. A way that is not in the table is a mistake of ours, and ends the request.
func (r *run) move(on Happening) error {
	to, ok := after(r.stage, on)
	if !ok {
		return fault.Wrap(fault.Internal, "ask", text.Say("analyst.internal"), text.Say("analyst.internal_hint"), fmt.Errorf("a request in %s cannot be %s", r.stage, on))
	}
	r.a.take(edge{r.stage, on, to})
	r.stage = to
	return nil
}

func (a *Analyst) take(e edge) {
	if a.taken != nil {
		a.taken(e)
	}
}
