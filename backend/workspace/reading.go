package workspace

import (
	"context"
	"slices"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/reading"
	"assay/backend/rules"
	"assay/backend/text"
)

// Edited is a query with one part of its reading changed, and a question that says it in words.
type Edited struct {
	FrameQL  string `json:"frame_ql"`
	Question string `json:"question"`
}

// Alternatives lists what a part of the reading of a request may become, for the person of this process. Nothing is run. Faults:
// NotFound, Invalid.
func (w *Workspace) Alternatives(ctx context.Context, requestID string, a reading.Asked) (reading.Menu, error) {
	plan, env, err := w.planOf(ctx, requestID)
	if err != nil {
		return reading.Menu{}, err
	}
	return reading.Alternatives(plan, env, a)
}

// EditReading gives the query of a request with one part of its reading changed. Nothing is run. Faults: NotFound, Invalid (with
// the refusal of what would come of it).
func (w *Workspace) EditReading(ctx context.Context, requestID string, c reading.Change) (Edited, error) {
	plan, env, err := w.planOf(ctx, requestID)
	if err != nil {
		return Edited{}, err
	}
	next, err := reading.Edit(plan, env, c)
	if err != nil {
		return Edited{}, err
	}
	return Edited{FrameQL: next.Query.String(), Question: analyst.ReadingWords(next, env.Model)}, nil
}

// planOf resolves the query of a request with what the person of this process may know.
func (w *Workspace) planOf(ctx context.Context, requestID string) (*frameql.Plan, frameql.Env, error) {
	w.refresh(ctx)
	env := w.env(time.Time{})
	st, err := w.memory.Standing(ctx, requestID)
	if err != nil {
		return nil, env, err
	}
	shown := []analyst.Outcome{analyst.OutcomeAnswer, analyst.OutcomeConfirm}
	if st.FrameQL == "" || !slices.Contains(shown, analyst.Outcome(st.Outcome)) {
		return nil, env, fault.New(fault.Invalid, "read reading", text.Say("workspace.no_query"), text.Say("workspace.no_query_hint"))
	}
	q, err := ParseQuery(st.FrameQL)
	if err != nil {
		return nil, env, err
	}
	q.Explain = false
	plan, refused := frameql.Resolve(q, env)
	if len(refused) > 0 {
		return nil, env, fault.New(fault.Invalid, "read reading", refused[0].Message, text.Say("workspace.no_query_hint"))
	}
	return plan, env, nil
}

// ChooseVersion makes a request the version that stands in its place. Fault NotFound.
func (w *Workspace) ChooseVersion(ctx context.Context, requestID string) error {
	return w.memory.Choose(ctx, requestID)
}

// Glance says what is understood of a question that is being written, as the next one of a session or as another version of a
// request of it. Nothing is stored or run. Faults as of reading a session.
func (w *Workspace) Glance(ctx context.Context, question, sessionID, insteadOf string) ([]interpret.Mark, error) {
	return w.analyst.Glance(ctx, analyst.Request{Question: question, SessionID: sessionID, InsteadOf: insteadOf, Caller: caller(rules.Caller{})})
}
