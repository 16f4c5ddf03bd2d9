package workspace

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/reading"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/text"
	"assay/backend/values"
)

// Edited is a query with one part of its reading changed, and a question that says it in words.
type Edited struct {
	FrameQL  string `json:"frame_ql"`
	Question string `json:"question"`
}

// Alternatives lists what a part of the reading of a request may become, for the person of this process. Nothing is run. Faults:
// NotFound, Invalid.
func (w *Workspace) Alternatives(ctx context.Context, requestID string, a reading.Asked) (reading.Menu, error) {
	_, plan, env, err := w.planOf(ctx, requestID)
	if err != nil {
		return reading.Menu{}, err
	}
	env.Values = w.lookedUp(ctx, env, a)
	return reading.Alternatives(plan, env, a)
}

// EditReading gives the query of a request with one part of its reading changed. Nothing is run. Faults: NotFound, Invalid (with
// the refusal of what would come of it).
func (w *Workspace) EditReading(ctx context.Context, requestID string, c reading.Change) (Edited, error) {
	st, plan, env, err := w.planOf(ctx, requestID)
	if err != nil {
		return Edited{}, err
	}
	var next *frameql.Plan
	if c.Slot == reading.Carried || c.Slot == reading.Dropped {
		next, err = reading.Without(plan, env, c, followed(st, c.Slot))
	} else {
		next, err = reading.Edit(plan, env, c)
	}
	if err != nil {
		return Edited{}, err
	}
	return Edited{FrameQL: next.Query.String(), Question: analyst.ReadingWords(next, env.Model)}, nil
}

// followed gives what an answer carried over or dropped: the words of each part, and the query without it or with it.
func followed(st analyst.Standing, slot reading.Slot) map[string]string {
	var answer struct {
		Understood *analyst.Understood `json:"understood"`
	}
	queries := map[string]string{}
	if json.Unmarshal(st.Answer, &answer) != nil || answer.Understood == nil {
		return queries
	}
	parts := answer.Understood.Carried
	if slot == reading.Dropped {
		parts = answer.Understood.Dropped
	}
	for _, p := range parts {
		queries[p.Text] = p.FrameQL
	}
	return queries
}

// lookedUp is the values that are known of a column, and, of the one that is asked about where these are not all, those of the data
// that begin with what is looked for.
func (w *Workspace) lookedUp(ctx context.Context, env frameql.Env, a reading.Asked) func(string) ([]string, bool) {
	known := env.Values
	if known == nil {
		known = func(string) ([]string, bool) { return nil, false }
	}
	if a.Slot != reading.Filter || a.Dimension == "" && a.Part == "" {
		return known
	}
	return func(name string) ([]string, bool) {
		all, complete := known(name)
		begin := strings.TrimSpace(a.Find)
		if complete || begin == "" {
			return all, complete
		}
		entity, _, _ := strings.Cut(name, ".")
		e, d := env.Model.Entity(entity), env.Model.Dimension(name)
		if e == nil || d == nil || d.Type != semantic.Text || d.PII != "" || d.DerivedFrom != "" || d.Physical() == "" || e.Source.Table == "" {
			return all, complete
		}
		ctx, cancel := context.WithTimeout(ctx, allowedWait)
		defer cancel()
		found := w.allowed.Beginning(ctx, values.Column{Table: e.Source.Table, Name: d.Physical()}, begin, valuesLookedUp)
		found = slices.DeleteFunc(found, func(v string) bool { return slices.Contains(all, v) })
		return slices.Concat(found, all), complete
	}
}

// planOf resolves the query of a request with what the person of this process may know.
func (w *Workspace) planOf(ctx context.Context, requestID string) (analyst.Standing, *frameql.Plan, frameql.Env, error) {
	w.refresh(ctx)
	env := w.env(time.Time{})
	st, err := w.memory.Standing(ctx, requestID)
	if err != nil {
		return st, nil, env, err
	}
	shown := []analyst.Outcome{analyst.OutcomeAnswer, analyst.OutcomeConfirm}
	if st.FrameQL == "" || !slices.Contains(shown, analyst.Outcome(st.Outcome)) {
		return st, nil, env, fault.New(fault.Invalid, "read reading", text.Say("workspace.no_query"), text.Say("workspace.no_query_hint"))
	}
	q, err := ParseQuery(st.FrameQL)
	if err != nil {
		return st, nil, env, err
	}
	q.Explain = false
	plan, refused := frameql.Resolve(q, env)
	if len(refused) > 0 {
		return st, nil, env, fault.New(fault.Invalid, "read reading", refused[0].Message, text.Say("workspace.no_query_hint"))
	}
	return st, plan, env, nil
}

// ChooseVersion makes a request the version that stands in its place. Fault NotFound.
func (w *Workspace) ChooseVersion(ctx context.Context, requestID string) error {
	return w.memory.Choose(ctx, requestID)
}

// Glance says what is understood of a question that is being written, as the next one of a session or as another version of a
// request of it. Nothing is stored or run. Faults as of reading a session.
func (w *Workspace) Glance(ctx context.Context, question, sessionID, insteadOf string) ([]interpret.Mark, error) {
	return w.analyst.Glance(ctx, analyst.Request{Question: question, SessionID: sessionID, InsteadOf: insteadOf, Caller: caller(rules.Caller{})})
}
