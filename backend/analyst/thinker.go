package analyst

import (
	"context"
	"time"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// Thinker is a language model as one request may use it: with the budgets and the routes that are in force.
type Thinker struct {
	Name   string                   // anthropic:MODEL openai:MODEL ollama:MODEL
	Select func(llm.Task) llm.Model // the model of a task; nil as a result: none does it
	Rows   RowsPolicy               // what of rows a model elsewhere may see; one on this machine may see them
	Always bool                     // it is asked even where the reader is certain: to compare the two
	Plan   time.Duration            // how long it may think about what to run; 0: a minute
	Played bool                     // its replies are those of a recording: nothing is sent
}

// RowsPolicy says what of the rows of data leaves this machine.
type RowsPolicy string

// What may leave.
const (
	RowsNone   RowsPolicy = "none"   // numbers of rows, and names of columns
	RowsMasked RowsPolicy = "masked" // rows whose personal values are replaced
)

// Thinkers gives the model of a name for one request of an actor; nil: nobody but the built-in reader is to think. An empty name is the one that the actor's
// settings choose.
//
// Faults: NotFound (there is no such mind), Unauthorized (nothing may leave this machine, or there is no key), Limit (the budget of the day is used up), Unavailable.
type Thinkers func(ctx context.Context, actor rules.Actor, name string) (*Thinker, error)

// thinkerOf finds the mind of a request. One that was asked for by name must be there; where the settings name one that cannot be asked, the built-in reader thinks, and the answer says why.
func (a *Analyst) thinkerOf(ctx context.Context, actor rules.Actor, req Request) (t *Thinker, unfit string, err error) {
	switch {
	case req.again != nil:
		return req.again.thinker, "", nil
	case req.Mind == session.Embedded, req.SQL != "":
		return nil, "", nil
	case a.deps.Thinkers == nil && req.Mind != "":
		return nil, "", fault.New(fault.NotFound, "ask", text.Say("analyst.no_mind", "mind", req.Mind), text.Say("analyst.no_mind_hint"))
	case a.deps.Thinkers == nil:
		return nil, "", nil
	}
	t, err = a.deps.Thinkers(ctx, actor, req.Mind)
	if err != nil && req.Mind == "" {
		return nil, firstSentence(err), nil
	}
	return t, "", err
}

// mindName is who thinks: embedded, or a model.
func (r *run) mindName() string {
	if r.thinker == nil {
		return session.Embedded
	}
	return r.thinker.Name
}

// thoughtBy is who thought in fact: a model only where one was asked.
func (r *run) thoughtBy() string {
	if !r.consulted {
		return session.Embedded
	}
	return r.thinker.Name
}
