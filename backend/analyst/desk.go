package analyst

import (
	"context"
	"strings"

	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
	"assay/backend/tool"
)

// desk is what the tools of a mind work with during this request. What they run goes the way of every query.
func (r *run) desk() *tool.Desk {
	d := &tool.Desk{
		Model: r.knowledge.Model, Env: r.env, Question: r.question, Epochs: r.knowledge.Epochs, Now: r.a.deps.Now,
		Read: func(words string) interpret.Result {
			return r.knowledge.Index.Read(interpret.Request{Question: words, Env: r.env, NowFromData: r.fromData, Asked: r.stored.Asked, Corrections: meant(r.recalled), Memo: r.req.Memo})
		},
		Run:       r.trial,
		RunSQL:    r.trialSQL,
		Narrate:   r.narrateTrial,
		Followups: r.followTrial,
		Recall:    r.recall,
		Show: func(kind session.Kind, title string, body any) (string, error) {
			if err := r.push(kind, title, body); err != nil {
				return "", err
			}
			return r.stack.Artifacts[len(r.stack.Artifacts)-1].ID, nil
		},
		Mask: r.maskCount,
	}
	if r.a.deps.Facts != nil {
		f := r.a.deps.Facts(r.actor)
		d.Profile, d.Dependencies, d.Level, d.Search, d.Served = f.Profile, f.Dependencies, f.Level, f.Search, f.Served
		d.Personal = f.Personal
	}
	return d
}

// trial runs a query of a mind: it is resolved, judged by the rules, written into the audit log, run, and checked, as an answer is. What would wait for a person is not run.
// It is called on the goroutine of the request.
func (r *run) trial(ctx context.Context, q *frameql.Query) (tool.Ran, error) {
	q.Explain = false
	sub := r.apart()
	defer func() { r.trace = sub.trace }()
	refused, err := sub.resolve(ctx, next{query: q})
	if err != nil {
		return tool.Ran{}, err
	}
	if refused != nil {
		return tool.Ran{Refusals: refusalsOf(*refused)}, nil
	}
	if err := sub.estimate(ctx); err != nil {
		return tool.Ran{}, err
	}
	ran := tool.Ran{Query: sub.plan.Query, SQL: sub.sql.SQL, Level: sub.answer.Verification.Level}
	if !sub.verdict.Run {
		ran.Waits = strings.Join(sub.verdict.Sentences(), " ")
		if ran.Waits == "" {
			ran.Waits = text.Say("analyst.mind_waits")
		}
		return ran, nil
	}
	if err := sub.writeDown(ctx, AuditDecision, sub.decided()); err != nil {
		return tool.Ran{}, err
	}
	if err := sub.execute(ctx); err != nil {
		return tool.Ran{}, err
	}
	if refused, err := sub.prove(ctx); err != nil {
		return tool.Ran{}, err
	} else if refused != nil {
		return tool.Ran{Refusals: refusalsOf(*refused)}, nil
	}
	frame := sub.answer.Frame
	if r.held != nil {
		r.held.learn(frame)
	}
	ran.Frame, ran.Served = frame, frame.ServedFrom
	sub.checks = nil
	if r.ran == nil {
		r.ran, r.trials, r.pushed = map[string]*frameql.Frame{}, map[string]*run{}, map[string]bool{}
	}
	r.ran[sub.sql.SQL] = frame
	if !r.pushed[frame.ID] {
		if err := r.push(session.KindFrame, sub.words, frame); err != nil {
			return tool.Ran{}, err
		}
		r.pushed[frame.ID] = true
		r.trials[r.stack.Artifacts[len(r.stack.Artifacts)-1].ID] = sub
	}
	for id, one := range r.trials {
		if one.answer.Frame.ID == frame.ID {
			ran.ID = id
		}
	}
	return ran, nil
}

// apart is a run of the same request for another query: it has the trace of this one, and an answer of its own.
func (r *run) apart() *run {
	sub := *r
	sub.answer = blank(r.stored)
	sub.answer.Turn, sub.answer.Understood = r.answer.Turn, understoodNothing()
	sub.plan, sub.sql, sub.cached, sub.branches, sub.uses, sub.checks = nil, frameql.Statement{}, nil, nil, nil, nil
	sub.seen, sub.unmatched, sub.read, sub.words, sub.shows, sub.relaxations, sub.objects, sub.notices = nil, nil, nil, "", "", nil, nil, nil
	sub.ran = nil
	sub.ambiguity = 1 - modelAgrees
	sub.stage = StagePlan
	return &sub
}

func refusalsOf(refused Refused) []frameql.Refusal {
	if len(refused.All) > 0 {
		return refused.All
	}
	return []frameql.Refusal{{Code: refused.Code, Message: refused.Message, Repairs: refused.Repairs}}
}

// trialSQL runs a statement that a mind wrote by hand, as it runs one of a person: behind the gate, the rules and the audit log. What it gives has no grade, stands beside the answer, and is never the answer.
func (r *run) trialSQL(ctx context.Context, sql string) (tool.Ran, error) {
	sub := r.apart()
	defer func() { r.trace = sub.trace }()
	sub.req.SQL = sql
	sub.sql = frameql.Statement{SQL: sql, Dialect: compile.DuckDB, MaxRows: r.req.MaxRows}
	sub.words = text.Say("analyst.mind_statement", "mind", r.mindName())
	admission, err := sub.admit(ctx)
	if err != nil {
		return tool.Ran{}, err
	}
	if admission.Rule != "" {
		d := sub.decided()
		d.Rule, d.Status = admission.Rule, rules.StatusBlocked
		return tool.Ran{SQL: sql, Refusals: []frameql.Refusal{{Code: "SQL_REFUSED", Message: admission.Reason}}}, sub.writeDown(ctx, AuditDecision, d)
	}
	if err := sub.estimateStatement(ctx); err != nil {
		return tool.Ran{}, err
	}
	ran := tool.Ran{SQL: sql, Level: "none"}
	if !sub.verdict.Run {
		ran.Refusals = []frameql.Refusal{{Code: "SQL_WAITS", Message: strings.Join(append(sub.verdict.Sentences(), text.Say("analyst.mind_waits")), " ")}}
		return ran, nil
	}
	if err := sub.writeDown(ctx, AuditDecision, sub.decided()); err != nil {
		return tool.Ran{}, err
	}
	if err := sub.executeStatement(ctx); err != nil {
		return tool.Ran{}, err
	}
	ran.Frame = sub.answer.Frame
	if err := r.push(session.KindFrame, sub.words, ran.Frame); err != nil {
		return tool.Ran{}, err
	}
	ran.ID = r.stack.Artifacts[len(r.stack.Artifacts)-1].ID
	r.answer.Understood.Assumptions = append(r.answer.Understood.Assumptions, text.Say("analyst.mind_statement_beside", "mind", r.mindName()))
	return ran, nil
}

// narrateTrial says a frame of this request in words; the numbers are the program's.
func (r *run) narrateTrial(_ context.Context, id, _ string) (string, error) {
	sub := r.trials[id]
	if sub == nil {
		return "", fault.New(fault.NotFound, "narrate", text.Say("analyst.no_frame_here"), "")
	}
	return Narrate(sub.plan, sub.answer.Frame, sub.words, gradeClause(sub.answer.Verification)).Text, nil
}

func (r *run) followTrial(ctx context.Context, id string) ([]session.Followup, error) {
	sub := r.trials[id]
	if sub == nil {
		return nil, fault.New(fault.NotFound, "follow up", text.Say("analyst.no_frame_here"), "")
	}
	return sub.followups(ctx), nil
}

// recall gives an artifact of this request, or of the session.
func (r *run) recall(ctx context.Context, id string) (session.Artifact, bool, error) {
	for _, a := range r.stack.Artifacts {
		if a.ID == id {
			return a, true, nil
		}
	}
	if r.a.deps.Artifact == nil {
		return session.Artifact{}, false, nil
	}
	r.learnTurn(ctx, id)
	return r.a.deps.Artifact(ctx, r.actor, r.answer.SessionID, id)
}
