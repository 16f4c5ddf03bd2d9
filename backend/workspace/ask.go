package workspace

import (
	"context"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Ask is the one entrance for a question, from every door. emit may be nil.
func (w *Workspace) Ask(ctx context.Context, r analyst.Request, emit func(analyst.Event)) (*analyst.Answer, error) {
	w.refresh(ctx)
	if emit == nil {
		emit = func(analyst.Event) {}
	}
	r.Caller = caller(r.Caller)
	if r.MaxRows == 0 {
		r.MaxRows = min(w.opts.MaxRows, w.Settings().Limits.Rows)
	}
	r.ContextDays = w.Settings().Keep.ContextDays
	answer, err := w.analyst.Ask(ctx, r, emit)
	w.lookBackLater()
	return answer, err
}

// Compile says how a Frame-QL query would be computed in a dialect, and runs nothing: its SQL, its plan, and what the frame
// cache says, which only DuckDB has. Refusals are given back as they are.
func (w *Workspace) Compile(ctx context.Context, query string, d frameql.Dialect, now time.Time) (analyst.Explanation, []frameql.Refusal, error) {
	w.refresh(ctx)
	q, err := ParseQuery(query)
	if err != nil {
		return analyst.Explanation{}, nil, err
	}
	plan, refusals := frameql.Resolve(q, w.env(now))
	if len(refusals) == 0 && d == frameql.DuckDB { // what another dialect cannot say in one statement is explained in parts
		_, _, refusals = frameql.Written(q, w.env(now), d)
	}
	if len(refusals) > 0 {
		return analyst.Explanation{}, refusals, nil
	}
	e, err := analyst.Explain(plan, d, nil)
	if err != nil || d != frameql.DuckDB {
		return e, nil, err
	}
	cached, err := analyst.Explain(plan, d, w.framesOf(w.Knowledge().Model.Version).Serve)
	e.Cache = cached.Cache
	return e, nil, err
}

// Model gives the model in use and whether it is stale.
func (w *Workspace) Model() (*semantic.Model, semantic.Loaded) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Knowledge().Model, w.loaded
}

// Inferred proposes a model from the tables alone, whatever is declared.
func (w *Workspace) Inferred(ctx context.Context) (*semantic.Model, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.RequireData(); err != nil {
		return nil, err
	}
	facts, err := w.facts(ctx)
	if err != nil {
		return nil, err
	}
	m := semantic.Infer(facts, w.settings)
	m.Name = w.name
	return m, nil
}

func (w *Workspace) env(now time.Time) frameql.Env {
	k := w.Knowledge()
	if now.IsZero() {
		now = analyst.Anchor(k, w.opts.Now())
	}
	return k.Env(now, w.opts.MaxRows)
}

// ParseQuery reads Frame-QL text, or its JSON form when the text begins with a brace.
func ParseQuery(s string) (*frameql.Query, error) {
	for _, r := range s {
		switch r {
		case ' ', '\t', '\r', '\n':
			continue
		case '{':
			return frameql.ParseJSON([]byte(s))
		}
		return frameql.Parse(s)
	}
	return nil, fault.New(fault.Invalid, "parse query", text.Say("workspace.empty_query"), text.Say("workspace.empty_query_hint"))
}
