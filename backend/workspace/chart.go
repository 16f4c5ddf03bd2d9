package workspace

import (
	"context"
	"encoding/json"
	"time"

	"assay/backend/analyst"
	"assay/backend/chart"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/session"
	"assay/backend/text"
)

// Narrow gives the questions that a cut of the chart of an answer leads to. None of them is run; each resolves with what the person
// of this process may know. Faults: NotFound, Invalid.
func (w *Workspace) Narrow(ctx context.Context, requestID string, cut chart.Cut) ([]chart.Next, error) {
	w.refresh(ctx)
	st, err := w.memory.Standing(ctx, requestID)
	if err != nil {
		return nil, err
	}
	if st.FrameQL == "" || st.Outcome != string(analyst.OutcomeAnswer) {
		return nil, fault.New(fault.Invalid, "narrow", text.Say("workspace.no_query"), text.Say("workspace.no_query_hint"))
	}
	q, err := ParseQuery(st.FrameQL)
	if err != nil {
		return nil, err
	}
	env := w.env(time.Time{})
	plan, refusals := frameql.Resolve(q, env)
	if len(refusals) > 0 {
		return nil, fault.New(fault.Invalid, "narrow", refusals[0].Message, text.Say("workspace.no_query_hint"))
	}
	return chart.Narrow(plan, cut, func(q *frameql.Query) []frameql.Refusal {
		_, refused := frameql.Resolve(q, env)
		return refused
	})
}

// SaveView keeps how the person looks at an answer. Faults: NotFound, Conflict (it has no answer), Invalid (the view names what the
// answer does not have).
func (w *Workspace) SaveView(ctx context.Context, requestID string, v session.View) error {
	st, err := w.memory.Standing(ctx, requestID)
	if err != nil {
		return err
	}
	var answer struct {
		Frame *struct {
			Columns []frameql.Column `json:"columns"`
		} `json:"frame"`
	}
	if len(st.Answer) > 0 {
		if err := json.Unmarshal(st.Answer, &answer); err != nil {
			return fault.Wrap(fault.Internal, "save view", text.Say("memory.no_answer"), text.Say("memory.no_answer_hint"), err)
		}
	}
	if answer.Frame == nil {
		return fault.New(fault.Conflict, "save view", text.Say("memory.no_answer"), text.Say("memory.no_answer_hint"))
	}
	if err := chart.CheckView(v, answer.Frame.Columns); err != nil {
		return err
	}
	return w.memory.SaveView(ctx, requestID, v)
}
