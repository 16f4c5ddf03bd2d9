package analyst

import (
	"context"
	"strings"

	"assay/backend/chart"
	"assay/backend/compile"
	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/risk"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// Admission is what the gate says of a statement that a person wrote.
type Admission struct {
	SQLType string   // SELECT, WITH...SELECT, INSERT, ...
	Rule    string   // that refuses it; empty: it may run
	Reason  string   // a sentence; empty: it may run
	Tables  []string // that it reads, as far as the person may know
	Shape   risk.Shape
}

// workOnStatement is work for a statement that a person wrote: from PLAN to ACCEPT. It goes the way of every other one: the
// gate, the cost, the risk, the rules, the audit log.
func (r *run) workOnStatement(ctx context.Context) error {
	r.knowledge = r.a.deps.Knowledge(r.actor)
	r.setClock()
	r.sql = frameql.Statement{SQL: r.req.SQL, Dialect: compile.DuckDB, MaxRows: r.req.MaxRows}
	r.words = session.Title(r.req.SQL)
	admission, err := r.admit(ctx)
	if err != nil {
		return err
	}
	if admission.Rule != "" {
		return r.turnAway(ctx, admission)
	}
	if err := r.estimateStatement(ctx); err != nil {
		return err
	}
	switch {
	case r.req.Explain:
		return r.explainStatement(ctx)
	case !r.verdict.Run:
		return r.wait(ctx)
	}
	if err := r.approve(ctx); err != nil {
		return err
	}
	if err := r.executeStatement(ctx); err != nil {
		return err
	}
	if err := r.move(OnRan); err != nil {
		return err
	}
	if err := r.deliverStatement(ctx); err != nil {
		return err
	}
	return r.offer()
}

// admit asks the gate, over the tables that the person's role may see.
func (r *run) admit(ctx context.Context) (admission Admission, err error) {
	_, err = r.step(ctx, "gate", func(s *session.Step) error {
		s.Input = hash(r.req.SQL)
		admission, err = r.a.deps.Engine.Admit(ctx, r.req.SQL, func(table string) bool {
			return r.a.rules().Whitelist(r.actor).Allows(rules.Object{Schema: mainSchema, Table: table})
		})
		s.Note, s.Output = admission.Rule, session.Hash([]string{admission.SQLType, admission.Rule})
		return err
	})
	r.objects = imported(admission.Tables)
	r.given = &admission.Shape
	return admission, err
}

// turnAway refuses a statement that the gate does not let pass, and writes that down.
func (r *run) turnAway(ctx context.Context, admission Admission) error {
	d := r.decided()
	d.Rule, d.Status = admission.Rule, rules.StatusBlocked
	if err := r.writeDown(ctx, AuditDecision, d); err != nil {
		return err
	}
	return r.refuse(Refused{Code: "SQL_REFUSED", Message: admission.Reason, Rule: admission.Rule, Repairs: []frameql.Repair{}})
}

func (r *run) estimateStatement(ctx context.Context) error {
	took, err := r.step(ctx, "plan", func(s *session.Step) error {
		s.Input = hash(r.req.SQL)
		cost, err := r.a.deps.Engine.Cost(ctx, r.sql)
		if err != nil {
			return err
		}
		r.answer.Plan = &cost
		r.answer.Verification = &Verification{Level: "none", Checks: []Check{{Code: "DECLARED", Status: "not_applicable", Message: text.Say("analyst.check_by_hand")}}}
		r.judge(ctx)
		s.Output = session.Hash(r.answer.Verification.Level)
		s.Note = text.Count("analyst.note_rows_expected", cost.Rows, "rows", frameview.Grouped(cost.Rows))
		return nil
	})
	r.answer.Timings.Plan = took
	return err
}

func (r *run) executeStatement(ctx context.Context) error {
	took, err := r.step(ctx, "execute", func(s *session.Step) error {
		s.Input = hash(r.req.SQL)
		f, err := r.a.deps.Engine.Query(ctx, r.sql)
		if err != nil {
			return err
		}
		f.ID = frameql.FrameID(hash(r.req.SQL), f.SourceEpochs)
		f.Rows, f.Notices = listOf(f.Rows), listOf(f.Notices)
		r.answer.Frame = f
		s.Note = text.Count("analyst.note_rows", int64(f.RowCount), "rows", frameview.Grouped(int64(f.RowCount)))
		r.shows = session.FrameHash(f)
		s.Output, s.Facts = r.shows, map[string]any{"engine_ms": milliseconds(f.Took)}
		return nil
	})
	r.answer.Timings.Execute = took
	return err
}

// deliverStatement shows the frame with what can be said of it without a model: whether it is whole, and how it looks.
func (r *run) deliverStatement(ctx context.Context) error {
	a, f := r.answer, r.answer.Frame
	a.Outcome, a.Status = OutcomeAnswer, r.verdict.Status
	if _, err := r.step(ctx, "check", func(s *session.Step) error {
		r.note(r.checkTruncated(f))
		r.noteStatement()
		s.Input, s.Output = r.shows, session.Hash(a.Findings)
		a.Verification.Checks = append(a.Verification.Checks, r.checks...)
		return r.push(session.KindFrame, r.words, f)
	}); err != nil {
		return err
	}
	drawn := chart.For(f, chart.Asked{})
	if drawn.Type != chart.None {
		a.Chart = &drawn
		if err := r.push(session.KindChart, r.words, drawn); err != nil {
			return err
		}
	}
	count := text.Count("analyst.note_rows", int64(f.RowCount), "rows", frameview.Grouped(int64(f.RowCount)))
	words := text.Say("analyst.by_hand", "rows", count)
	at := strings.Index(words, count)
	a.Narration = &session.Narration{Text: words, By: "template", Citations: []session.Citation{{Start: at, End: at + len(frameview.Grouped(int64(f.RowCount))), Frame: f.ID, Row: -1}}}
	return r.push(session.KindNarration, r.words, a.Narration)
}
