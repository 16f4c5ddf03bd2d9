package analyst

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"assay/backend/fault"
	"assay/backend/interpret"
	"assay/backend/session"
	"assay/backend/text"
)

// offer says what the answer waits for: a word of the person, or, from level 4 on, that it is used or that time goes by.
func (r *run) offer() error {
	r.answer.Acceptance = &Acceptance{Required: r.verdict.Acceptance.Required}
	r.deadline(r.verdict.Acceptance.Waiting)
	if r.verdict.Level == 4 {
		r.escalate(NoticeNotable, r.verdict.Tell, "analyst.told")
	}
	return r.move(OnShown)
}

// close makes the turn durable and then emits it. What cannot be stored is not given out.
func (r *run) close(ctx context.Context) (*Answer, error) {
	a := r.answer
	a.sayOnce()
	var turn session.Turn
	if err := r.tellSent(); err != nil {
		return nil, r.abandon(ctx, err)
	}
	last, err := r.timed(ctx, "close", func(*session.Step) error {
		turn = r.turnOf(string(a.Outcome), a.Status)
		return nil
	})
	if err != nil {
		_ = r.keep(ctx, last) // the request ends with what broke it
		return nil, r.abandon(ctx, err)
	}
	a.Trace, a.Sent = r.trace, r.sent.list(true)
	a.Timings.Total = milliseconds(r.a.deps.Now().Sub(r.began))
	raw, err := json.Marshal(a)
	if err != nil {
		return nil, r.abandon(ctx, err)
	}
	turn.Answer, turn.Trace = raw, r.sent.withSent(r.trace)
	closing, err := r.closing(turn)
	if err == nil {
		err = r.a.deps.Memory.Finish(context.WithoutCancel(ctx), a.RequestID, closing)
	}
	if err != nil {
		return nil, r.abandon(ctx, err) // a record without the answer may still fit
	}
	r.tell(last) // it is kept with the turn
	r.settleBefore(context.WithoutCancel(ctx))
	r.emit(Event{RequestID: a.RequestID, SessionID: a.SessionID, Answer: a})
	return a, nil
}

// tellSent shows what left the machine for a question that came to no answer; an answer says it in its provenance.
func (r *run) tellSent() error {
	if len(r.sent.list(false)) == 0 || slices.ContainsFunc(r.stack.Artifacts, func(a session.Artifact) bool { return a.Kind == session.KindProvenance }) {
		return nil
	}
	return r.push(session.KindProvenance, text.Say("analyst.title_provenance"), r.sentCard())
}

// settleBefore settles what this turn answers of those before it: a question back, and a result that is asked for in another
// way. When that cannot be stored it goes on waiting, and the answer stands.
func (r *run) settleBefore(ctx context.Context) {
	waiting, err := r.a.deps.Memory.Waiting(ctx, r.answer.SessionID)
	if err != nil {
		return
	}
	for _, s := range waiting {
		switch {
		case s.Turn >= r.answer.Turn || s.Actor != r.actor.ID:
		case s.Stage == StageScope:
			_, _ = r.a.settle(ctx, s, OnAnswered, r.actor.ID, "turn")
		case s.Stage == StageAccept && (r.revises(s.Turn) || r.replaces(s)):
			_, _ = r.a.settle(ctx, s, OnRevised, r.actor.ID, "turn")
		}
	}
}

// revises says whether the turn corrects the one with a number: "actually, I meant ..." does.
func (r *run) revises(turn int) bool {
	u := r.answer.Understood
	return u != nil && u.Derived != nil && u.Derived.From == turn && slices.ContainsFunc(u.Derived.Kinds, func(k interpret.PatchKind) bool { return k == interpret.PatchCorrect || k == interpret.PatchUndo })
}

// replaces says whether the turn is a version of one that asks for something else.
func (r *run) replaces(s Standing) bool {
	u := r.answer.Understood
	return s.RequestID == r.stored.InsteadOf && u != nil && u.FrameQL != "" && u.FrameQL != s.FrameQL
}

// abandon stores a request that came to no outcome, as canceled or failed, emits that, and gives the error back.
func (r *run) abandon(ctx context.Context, err error) error {
	err = sentence(err)
	outcome, on := session.Failed, OnBroke
	if fault.CodeOf(err) == fault.Canceled {
		outcome, on = session.Canceled, OnCanceled
	}
	if wrong := r.move(on); wrong != nil {
		err = errors.Join(err, wrong)
	}
	r.notices, r.until, r.ending = nil, time.Time{}, ""
	turn := r.turnOf(outcome, outcome)
	turn.Fault = faultOf(err)
	turn.Artifacts = nil // half of an answer is none
	turn.Trace = r.sent.withSent(r.trace)
	closing, lost := r.closing(turn)
	if lost == nil {
		lost = r.a.deps.Memory.Finish(context.WithoutCancel(ctx), r.answer.RequestID, closing)
	}
	if lost != nil {
		return errors.Join(err, lost)
	}
	r.emit(Event{RequestID: r.answer.RequestID, SessionID: r.answer.SessionID, Fault: turn.Fault})
	return err
}

// closing is all that becomes durable with the turn.
func (r *run) closing(t session.Turn) (Closing, error) {
	record, err := r.record(AuditOutcome, r.ended(t))
	return Closing{
		Turn: t, Stage: r.stage, Level: r.verdict.Level, Until: r.until, Ending: r.ending, Notices: r.notices, Records: []Record{record},
	}, err
}

func (r *run) turnOf(outcome, status string) session.Turn {
	t := session.Turn{
		Index: r.answer.Turn, RequestID: r.answer.RequestID, Question: r.stored.Question, Asked: r.stored.Asked,
		Outcome: outcome, Status: status, Artifacts: r.stack.Artifacts, Trace: r.trace, Given: &r.stored.Given, MadeBy: r.madeBy(),
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
