package analyst

import (
	"context"

	"assay/backend/compile"
	"assay/backend/frameql"
	"assay/backend/session"
	"assay/backend/text"
)

// Explanation is what EXPLAIN shows in place of rows: how the query would be computed, and why in that way.
type Explanation struct {
	FrameQL  string             `json:"frame_ql"` // canonical, without EXPLAIN
	Steps    []ExplainedStep    `json:"steps"`    // in the order in which they are evaluated
	Rewrites []ExplainedRewrite `json:"rewrites"` // every one that was considered
	Cache    []ExplainedCache   `json:"cache"`    // for each scan of base data; empty: there is no cache
	SQL      string             `json:"sql"`
	Dialect  frameql.Dialect    `json:"dialect"`
	// LeafFrames are the parts that the dialect computes where it cannot say the whole; SQL is then DuckDB's over them.
	LeafFrames []ExplainedFrame `json:"leaf_frames"`
	// Operators are those of the engine for a statement that a person wrote, each before those that it reads from.
	Operators []ExplainedOperator `json:"operators,omitempty"`
}

// ExplainedOperator is one of the engine's own plan.
type ExplainedOperator struct {
	Depth int      `json:"depth"` // 0: the one that gives the rows; one deeper: what it reads from
	Name  string   `json:"name"`  // as the engine calls it
	Table string   `json:"table,omitempty"`
	Says  []string `json:"says"`
	Rows  int64    `json:"rows"` // that it is expected to give; -1: the engine does not say
}

// ExplainedStep is one operator of the logical plan.
type ExplainedStep struct {
	Name   string   `json:"name"` // in the SQL; empty: folded into the next one
	Kind   string   `json:"kind"`
	Says   string   `json:"says"`
	Inputs []string `json:"inputs"`
	Keys   []string `json:"keys"`
	Values []string `json:"values"`
}

// ExplainedRewrite is an optimisation with the proof that allows it, or what is missing for it.
type ExplainedRewrite struct {
	Name    string `json:"name"`
	Applied bool   `json:"applied"`
	Why     string `json:"why"`
}

// ExplainedCache is what the frame cache said about one scan.
type ExplainedCache struct {
	Tables  []string `json:"tables"`
	Frame   string   `json:"frame"` // empty: the base data is read
	Reason  string   `json:"reason"`
	Columns []string `json:"columns"`
}

// ExplainedFrame is a part that runs elsewhere first.
type ExplainedFrame struct {
	Name    string `json:"name"`
	SQL     string `json:"sql"`
	Missing string `json:"missing"` // what the dialect cannot say
}

// Explain says how a plan is computed in a dialect. serve may be nil: there is no cache.
func Explain(plan *frameql.Plan, d frameql.Dialect, serve func(compile.Branch) (*compile.Served, string)) (Explanation, error) {
	program, err := plan.Explain(compile.Options{Dialect: d, Serve: serve})
	if err != nil {
		return Explanation{}, err
	}
	query := plan.Query.Clone()
	query.Explain = false
	e := Explanation{
		FrameQL: query.String(), SQL: program.SQL, Dialect: d,
		Steps: []ExplainedStep{}, Rewrites: []ExplainedRewrite{}, Cache: []ExplainedCache{}, LeafFrames: []ExplainedFrame{},
	}
	for _, s := range program.Steps {
		e.Steps = append(e.Steps, ExplainedStep{s.Name, s.Kind, s.Says, listOf(s.Inputs), listOf(s.Keys), listOf(s.Values)})
	}
	for _, r := range program.Rewrites {
		e.Rewrites = append(e.Rewrites, ExplainedRewrite(r))
	}
	for _, c := range program.Cache {
		e.Cache = append(e.Cache, ExplainedCache{listOf(program.Branches[c.Branch].Tables), c.Frame, c.Reason, listOf(c.Columns)})
	}
	for _, l := range program.LeafFrames {
		e.LeafFrames = append(e.LeafFrames, ExplainedFrame{l.Name, l.SQL, l.Missing})
	}
	return e, nil
}

// explain answers a query that begins with EXPLAIN: nothing is run.
func (r *run) explain(ctx context.Context) error {
	a := r.answer
	a.Outcome, a.Status = OutcomeAnswer, "completed"
	_, err := r.step(ctx, "explain", func(s *session.Step) error {
		e, err := Explain(r.plan, r.sql.Dialect, r.serve())
		if err != nil {
			return err
		}
		// Which frames are kept is the machine's affair: asked again, it is the same explanation when it is the same over the data itself.
		base, err := Explain(r.plan, r.sql.Dialect, nil)
		if err != nil {
			return err
		}
		a.Explanation = &e
		s.Input, s.Output = hash(r.plan.Query.String()), session.Hash(base.Steps)
		s.Note = text.Count("analyst.note_steps", int64(len(e.Steps)), "steps", len(e.Steps))
		words := text.Say("analyst.say_explained", "reading", r.words)
		a.Narration = &session.Narration{Text: words, Citations: []session.Citation{}, By: "template"}
		return r.push(session.KindExplanation, r.words, e)
	})
	if err != nil {
		return err
	}
	return r.move(OnExplained)
}

// explainStatement answers what is to be explained of a statement that a person wrote: it is as it stands, and what it would take and
// how far it may be trusted is in the answer already.
func (r *run) explainStatement(ctx context.Context) error {
	a := r.answer
	a.Outcome, a.Status = OutcomeAnswer, "completed"
	_, err := r.step(ctx, "explain", func(s *session.Step) error {
		operators, err := r.a.deps.Engine.Plan(ctx, r.sql)
		if err != nil {
			return err
		}
		s.Input, s.Output = hash(r.sql.SQL), hash(r.sql.SQL)
		s.Note = text.Count("analyst.note_steps", int64(len(operators)), "steps", len(operators))
		e := Explanation{Operators: operators, SQL: r.sql.SQL, Dialect: r.sql.Dialect, Steps: []ExplainedStep{}, Rewrites: []ExplainedRewrite{}, Cache: []ExplainedCache{}, LeafFrames: []ExplainedFrame{}}
		a.Explanation = &e
		a.Narration = &session.Narration{Text: text.Say("analyst.say_explained_statement"), Citations: []session.Citation{}, By: "template"}
		return r.push(session.KindExplanation, r.words, e)
	})
	if err != nil {
		return err
	}
	return r.move(OnExplained)
}
