package analyst

import (
	"context"
	"encoding/json"
	"errors"

	"assay/backend/fault"
	"assay/backend/session"
	"assay/backend/text"
)

// accept says that the answer waits for nobody: at level 5 acceptance is implicit.
func (r *run) accept() { r.answer.Acceptance = &Acceptance{} }

// close makes the turn durable and then emits it. What cannot be stored is not given out.
func (r *run) close(ctx context.Context) (*Answer, error) {
	a := r.answer
	var turn session.Turn
	_, err := r.step(ctx, "close", func(*session.Step) error {
		turn = r.turnOf(string(a.Outcome), a.Status)
		return nil
	})
	if err != nil {
		return nil, r.abandon(ctx, err)
	}
	a.Trace = r.trace
	a.Timings.Total = milliseconds(r.a.deps.Now().Sub(r.began))
	raw, err := json.Marshal(a)
	if err != nil {
		return nil, r.abandon(ctx, err)
	}
	turn.Answer, turn.Trace = raw, r.trace
	if err := r.a.deps.Memory.Finish(context.WithoutCancel(ctx), a.RequestID, turn); err != nil {
		return nil, r.abandon(ctx, err) // a record without the answer may still fit
	}
	r.emit(Event{RequestID: a.RequestID, SessionID: a.SessionID, Answer: a})
	return a, nil
}

// abandon stores a request that came to no outcome, as canceled or failed, emits that, and gives the error back.
func (r *run) abandon(ctx context.Context, err error) error {
	err = sentence(err)
	outcome := session.Failed
	if fault.CodeOf(err) == fault.Canceled {
		outcome = session.Canceled
	}
	turn := r.turnOf(outcome, outcome)
	turn.Fault = faultOf(err)
	turn.Artifacts = nil // half of an answer is none
	if lost := r.a.deps.Memory.Finish(context.WithoutCancel(ctx), r.answer.RequestID, turn); lost != nil {
		return errors.Join(err, lost)
	}
	r.emit(Event{RequestID: r.answer.RequestID, SessionID: r.answer.SessionID, Fault: turn.Fault})
	return err
}

func (r *run) turnOf(outcome, status string) session.Turn {
	t := session.Turn{
		Index: r.answer.Turn, RequestID: r.answer.RequestID, Question: r.stored.Question, Asked: r.stored.Asked,
		Outcome: outcome, Status: status, Artifacts: r.stack.Artifacts, Trace: r.trace,
	}
	if u := r.answer.Understood; u != nil {
		t.FrameQL = u.FrameQL
		t.Said = r.leave()
	}
	return t
}

// faultOf is what a session keeps of an error.
func faultOf(err error) *session.Fault {
	var f *fault.Error
	if !errors.As(err, &f) {
		return &session.Fault{Code: string(fault.Internal), Message: text.Say("analyst.internal"), Hint: text.Say("analyst.internal_hint")}
	}
	return &session.Fault{Code: string(f.Code), Message: f.Message, Hint: f.Hint}
}
