package analyst

import (
	"context"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/semantic"
	"assay/backend/session"
	"assay/backend/text"
)

// scope finds out what is asked: the clock, the memos' refusals, then the reader.
func (r *run) scope(ctx context.Context) (scope, error) {
	var found scope
	took, err := r.step(ctx, "interpret", func(s *session.Step) error {
		s.Input = hash(r.stored.Question)
		r.knowledge = r.a.deps.Knowledge()
		if r.knowledge.Model == nil || r.knowledge.Index == nil {
			return fault.New(fault.NotFound, "ask", text.Say("analyst.no_data"), text.Say("analyst.no_data_hint"))
		}
		r.setClock()
		memos, err := r.memos()
		if err != nil {
			return err
		}
		r.answer.Understood = understoodNothing()
		found.hasty = r.stored.Overrides[overrideConfirm] == "never"
		if found.refused = outOfScope(memos, r.stored.Question); found.refused != nil {
			return nil
		}
		if r.req.FrameQL != "" {
			found.query, found.refused = parseQuery(r.req.FrameQL)
			return nil
		}
		previous, err := r.previous(ctx)
		if err != nil {
			return err
		}
		found.result = r.knowledge.Index.Read(interpret.Request{
			Question: r.question, Env: r.env, NowFromData: r.fromData, Asked: r.stored.Asked, Previous: previous,
		})
		r.understand(found.result)
		if found.hasty && found.result.Clarify != nil && found.result.Reading != nil {
			r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, text.Say("analyst.assumed_best_guess"))
		}
		return nil
	})
	r.answer.Timings.Interpret = took
	return found, err
}

// setClock chooses the instant from which relative dates are counted. An explicit one wins over the data's own end.
func (r *run) setClock() {
	now := r.req.Now.In(r.knowledge.zone())
	if r.req.Now.IsZero() {
		now, r.fromData = anchor(r.knowledge, r.a.deps.Now())
	}
	r.env = r.knowledge.Env(now, r.req.MaxRows)
}

// memos are the model's, and the one that came with the request.
func (r *run) memos() ([]semantic.Memo, error) {
	if strings.TrimSpace(r.req.Memo) == "" {
		return r.knowledge.Model.Memos, nil
	}
	memo, err := semantic.ParseMemo(semantic.MemoSession, text.Say("analyst.session_memo"), r.req.Memo)
	if err != nil {
		return nil, err
	}
	return semantic.WithMemos(r.knowledge.Model, memo).Memos, nil
}

// previous is the session's last answered query, when this version can still read it.
func (r *run) previous(ctx context.Context) (*frameql.Query, error) {
	canonical, err := r.a.deps.Memory.Previous(ctx, r.answer.SessionID)
	if err != nil || canonical == "" {
		return nil, err
	}
	if q, err := frameql.Parse(canonical); err == nil {
		return q, nil
	}
	return nil, nil
}

// understand notes what the reader made of the question, even when nothing comes of it.
func (r *run) understand(result interpret.Result) {
	u := r.answer.Understood
	spans, unread := result.Spans, result.Unread
	if reading := result.Reading; reading != nil {
		spans, unread = reading.Spans, reading.Unread
		u.Assumptions = append(u.Assumptions, reading.Assumptions...)
		confidence := reading.Confidence
		r.answer.Confidence = &confidence
	}
	u.Spans = append(u.Spans, spans...)
	for i := range u.Spans { // the reader saw blanks where an override stood; the text is the question's own
		if s := &u.Spans[i]; s.Start >= 0 && s.Start <= s.End && s.End <= len(r.req.Question) {
			s.Text = r.req.Question[s.Start:s.End]
		}
	}
	u.Unread = append(u.Unread, unread...)
}

// assumeClock discloses the clock of a query that a person wrote; the reader does it for a question.
func (r *run) assumeClock() {
	if r.plan.Period == nil || !r.plan.Period.Relative || r.req.FrameQL == "" {
		return
	}
	key := "analyst.clock_wall"
	switch {
	case !r.req.Now.IsZero():
		key = "analyst.clock_given"
	case r.fromData:
		key = "analyst.clock_data"
	}
	r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, text.Say(key, "date", r.env.Now.Format(time.DateOnly)))
}
