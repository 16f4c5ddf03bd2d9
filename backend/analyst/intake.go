package analyst

import (
	"context"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/backend/fault"
	"assay/backend/interpret"
	"assay/backend/risk"
	"assay/backend/session"
	"assay/backend/text"
)

// intake gives the request its names and makes it durable. Nothing that depends on the question happens before.
func (a *Analyst) intake(ctx context.Context, req Request, emit func(Event)) (*run, error) {
	began := a.deps.Now()
	if !sessionName(req.SessionID) {
		return nil, fault.New(fault.Invalid, "ask", text.Say("analyst.bad_session"), text.Say("analyst.bad_session_hint"))
	}
	req.Question = strings.ToValidUTF8(req.Question, "\uFFFD") // spans count bytes of what is stored and shown
	req.FrameQL = strings.ToValidUTF8(req.FrameQL, "\uFFFD")
	if !utf8.ValidString(req.SQL) { // its exact bytes are what is judged and runs, so none of them is changed
		return nil, fault.New(fault.Invalid, "ask", text.Say("analyst.sql_not_utf8"), text.Say("analyst.sql_not_utf8_hint"))
	}
	if req.SessionID == "" {
		req.SessionID = a.deps.NewID()
	}
	if req.MaxRows <= 0 {
		req.MaxRows = a.deps.MaxRows
	}
	if req.Criticality == "" {
		req.Criticality = "normal"
	}
	actor, err := a.rules().Identify(req.Actor, req.Caller)
	if err != nil {
		return nil, err
	}
	thinker, unfit, err := a.thinkerOf(ctx, actor, req)
	if err != nil {
		return nil, err
	}
	if thinker != nil {
		req.Mind = thinker.Name
	}
	if !a.enter(req.SessionID) {
		return nil, fault.New(fault.Conflict, "ask", text.Say("analyst.running"), text.Say("analyst.running_hint"))
	}

	asked := req.Question
	question, overrides, stakes := "", map[string]string{}, risk.Stakes{}
	begins, worded := OnAsked, false
	switch {
	case req.SQL != "":
		asked, begins = req.SQL, OnGiven
	case req.FrameQL != "" && req.Question != "": // words for a query that was put together
		worded = true
	case req.FrameQL != "":
		asked = req.FrameQL
	default:
		question, overrides, stakes = a.readOverrides(req.Question)
		req.Chart, question = a.charts.Read(question)
	}
	stakes.Criticality = req.Criticality
	if req.Asking != "" {
		overrides[overrideConfirm] = req.Asking
	}
	r := &run{
		a: a, req: req, thinker: thinker, mindless: unfit, sent: &sentLog{}, emit: emit, question: question, drawn: req.Chart, redraw: question == "" && req.Chart.Named, began: began, stage: StageIntake, actor: actor, stakes: stakes,
		stored: Stored{
			RequestID: a.deps.NewID(), SessionID: req.SessionID, Question: asked, Actor: actor.ID, Asked: began, Overrides: overrides, InsteadOf: req.InsteadOf, Worded: worded,
			Given: givenOf(req, worded),
		},
	}
	r.answer = blank(r.stored)
	_, err = r.step(ctx, "intake", func(s *session.Step) error {
		s.Input, s.Output = hash(r.stored.Question), session.Hash(r.stored.Overrides)
		turn, err := a.deps.Memory.Begin(ctx, r.stored)
		r.answer.Turn, r.begun = turn, err == nil
		if err == nil && r.stored.InsteadOf != "" {
			_, r.place, err = a.deps.Memory.Place(ctx, r.stored.RequestID)
		}
		return err
	})
	if err != nil {
		if r.begun { // it is in the memory, and ends there
			if moved := r.move(begins); moved == nil {
				err = r.abandon(ctx, err)
			}
		}
		a.leave(req.SessionID)
		return nil, err
	}
	r.stack = session.Stack{SessionID: req.SessionID, Turn: r.answer.Turn}
	return r, r.move(begins)
}

// blank is an answer that nothing has come of yet. Lists are empty and never null.
func blank(s Stored) *Answer {
	return &Answer{
		RequestID: s.RequestID, SessionID: s.SessionID, Question: s.Question,
		Findings: []Finding{}, Remembered: []Remembered{}, Followups: []session.Followup{}, Artifacts: []ArtifactRef{}, Probes: []Probe{}, Trace: []session.Step{}, Sent: []session.Sent{},
	}
}

// understoodNothing is the reading of a question that found no meaning.
func understoodNothing() *Understood {
	return &Understood{Spans: []interpret.Span{}, Assumptions: []string{}, Confirm: []string{}, Unread: []string{}, Carried: []interpret.Part{}, Dropped: []interpret.Part{}, Settled: []interpret.Settled{}}
}

// sessionName says whether a name can stand for a session: at most 128 bytes of visible text, or empty for a new one.
func sessionName(s string) bool {
	return len(s) <= 128 && utf8.ValidString(s) && !strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsGraphic(c) })
}

func isFault(err error) bool {
	var f *fault.Error
	return errors.As(err, &f)
}
