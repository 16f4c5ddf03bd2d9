package analyst

import (
	"context"
	"strings"

	"assay/backend/chart"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// deliver makes what a person sees of the frame: findings, chart, metric card, narration, follow-ups, provenance.
func (r *run) deliver(ctx context.Context) error {
	a := r.answer
	a.Outcome, a.Status = OutcomeAnswer, r.verdict.Status
	if _, err := r.step(ctx, "check", func(s *session.Step) error {
		a.Frame = r.dressed(a.Frame, s)
		if err := r.checkAgreed(ctx, s); err != nil {
			return err
		}
		r.look()
		a.sayOnce() // before anything is written about it
		s.Input, s.Output = r.shows, session.Hash(a.Findings)
		s.Note = text.Say("analyst.note_checks", "checks", len(a.Verification.Checks), "findings", len(a.Findings))
		if r.pushed[a.Frame.ID] { // a mind had it run
			return nil
		}
		return r.push(session.KindFrame, r.words, a.Frame)
	}); err != nil {
		return err
	}
	if _, err := r.step(ctx, "chart", func(s *session.Step) error {
		drawn := r.chosen(s)
		s.Note, s.Input = drawn.Reason, r.shows
		s.Output = session.Hash([]any{drawn.Type, drawn.X, drawn.Y, drawn.Color, drawn.VegaLite})
		if drawn.Instead != "" {
			a.Understood.Assumptions = append(a.Understood.Assumptions, drawn.Instead)
		}
		if drawn.Type == chart.None {
			return nil
		}
		a.Chart = &drawn
		return r.push(session.KindChart, r.words, drawn)
	}); err != nil {
		return err
	}
	if r.oneNumber() {
		if _, err := r.step(ctx, "card", func(s *session.Step) error {
			a.MetricCard = r.card(ctx)
			s.Input, s.Output = r.shows, a.MetricCard.hash()
			return nil
		}); err != nil {
			return err
		}
	}
	if _, err := r.step(ctx, "narrate", func(s *session.Step) error {
		n, err := r.narration(ctx, s)
		if err != nil {
			return err
		}
		n.Text = strings.Join(append([]string{n.Text}, a.Understood.Confirm...), " ")
		a.Narration = &n
		s.Input, s.Output = r.shows, hash(n.Text)
		return r.push(session.KindNarration, r.words, n)
	}); err != nil {
		return err
	}
	if _, err := r.step(ctx, "followups", func(s *session.Step) error {
		a.Followups = r.further(ctx, s)
		s.Input, s.Output = r.shows, session.Hash(a.Followups)
		if len(a.Followups) == 0 {
			return nil
		}
		return r.push(session.KindFollowups, text.Say("analyst.title_followups"), a.Followups)
	}); err != nil {
		return err
	}
	return r.push(session.KindProvenance, text.Say("analyst.title_provenance"), r.provenance())
}

// clarify hands back one question with the best guess first. What is known of the risk by then is provisional.
func (r *run) clarify(ctx context.Context, n next) error {
	a := r.answer
	question := *n.clarify
	if said := r.notCarried("analyst.absent"); said != "" {
		question.Question = said + " " + question.Question
	}
	question.Options = listOf(question.Options)
	a.Outcome, a.Status, a.Clarification = OutcomeClarify, "needs_disambiguation", &question
	if n.reading != nil {
		a.Understood.FrameQL, a.Understood.Query = n.reading.Query.String(), n.reading.Query
		if n.reading.Plan != nil {
			a.Understood.Reading = ReadingWords(n.reading.Plan, r.knowledge.Model)
		}
	}
	if n.reading != nil {
		r.consider(n.reading)
	}
	r.judge(ctx)
	if err := r.move(OnUnclear); err != nil {
		return err
	}
	return r.push(session.KindClarification, question.Question, question)
}

// refuse says why there is no answer, and what would have one.
func (r *run) refuse(refused Refused) error { return r.refuseOn(OnRefused, refused) }

func (r *run) refuseOn(on Happening, refused Refused) error {
	a := r.answer
	if missing := r.a.missing(r.actor); missing != "" && refused.Code != "SYNTAX" {
		refused.Message = strings.TrimSpace(refused.Message + " " + missing)
	}
	a.Outcome, a.Status, a.Refusal = OutcomeRefuse, "completed", &refused
	if err := r.move(on); err != nil {
		return err
	}
	return r.push(session.KindRefusal, text.Say("analyst.title_refusal"), refused)
}

// push puts an artifact on the turn.
func (r *run) push(kind session.Kind, title string, body any) error {
	if err := r.stack.Push(kind, title, body, r.a.deps.Now().UTC()); err != nil {
		return err
	}
	last := r.stack.Artifacts[len(r.stack.Artifacts)-1]
	r.answer.Artifacts = append(r.answer.Artifacts, ArtifactRef{ID: last.ID, Kind: last.Kind})
	return nil
}

// missing says what of the workspace cannot be read: what somebody asks for may stand there.
func (a *Analyst) missing(actor rules.Actor) string {
	if a.deps.Missing == nil {
		return ""
	}
	return a.deps.Missing(actor)
}
