package workspace

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// Unsettled is an answer that somebody relies on, and whose data or definitions are not those that it was given over.
type Unsettled struct {
	RequestID string           `json:"request_id"`
	SessionID string           `json:"session_id"`
	Turn      int              `json:"turn"`
	Question  string           `json:"question"`
	Because   []string         `json:"because" nullable:"false" doc:"What changed: sentences"`
	Holding   *session.Holding `json:"holding" doc:"What came of asking it again over what is there now; null: it was not asked again since"`
}

// Unsettled lists the accepted and pinned answers of a session, or of all of them, whose data or definitions changed since they were given. What was asked
// again over what is there now says what came of it.
func (w *Workspace) Unsettled(ctx context.Context, sessionID string) ([]Unsettled, error) {
	w.refresh(ctx)
	ids, err := w.memory.Relied(ctx, sessionID)
	if err != nil {
		return nil, err
	}
	all := []Unsettled{}
	for _, id := range ids {
		of, turn, err := w.memory.Find(ctx, id)
		if err != nil {
			if fault.CodeOf(err) == fault.NotFound {
				continue // it was deleted meanwhile
			}
			return nil, err
		}
		then, now, err := w.standsOn(turn)
		if err != nil {
			return nil, err
		}
		because := now.since(then)
		if len(because) == 0 {
			continue
		}
		u := Unsettled{RequestID: id, SessionID: of, Turn: turn.Index, Question: turn.Question, Because: because}
		if h := turn.Holding; h != nil && h.State == now.hash() {
			u.Holding = h
		}
		all = append(all, u)
	}
	return all, nil
}

// AskAgain asks an answer again, as it was understood, from the same clock, over the data and the definitions of now, and keeps what came of it. The answer stays as it
// is. Faults: NotFound, Conflict (it is no answer with rows), and those of analyst.Replay.
func (w *Workspace) AskAgain(ctx context.Context, requestID string) (session.Holding, error) {
	w.refresh(ctx)
	sessionID, turn, err := w.memory.Find(ctx, requestID)
	if err != nil {
		return session.Holding{}, err
	}
	_, now, err := w.standsOn(turn)
	if err != nil {
		return session.Holding{}, err
	}
	done, err := w.analyst.Replay(ctx, analyst.Replaying{SessionID: sessionID, Turns: []session.Turn{turn}, AsRead: true, Caller: caller(rules.Caller{})}, nil)
	if err != nil {
		return session.Holding{}, err
	}
	h := session.HoldingOf(done[0], w.opts.Now().UTC(), now.hash())
	return h, w.memory.SaveHolding(ctx, requestID, h)
}

// ground is what the rows of an answer stand on: the data that was read, and the statement that the definitions make of the query.
type ground struct {
	epochs map[string]string // by table
	sql    string            // over the base data; empty: the query has no answer any more
	model  string            // version of the definitions; empty: not known
}

func (g ground) hash() string { return session.Hash([]any{g.epochs, g.sql}) }

// since says what changed since another ground.
func (g ground) since(then ground) []string {
	all := []string{}
	for _, table := range slices.Sorted(maps.Keys(then.epochs)) {
		switch epoch, there := g.epochs[table]; {
		case !there:
			all = append(all, text.Say("workspace.table_gone", "table", table))
		case epoch != then.epochs[table]:
			all = append(all, text.Say("session.since_table", "table", table))
		}
	}
	if g.sql != then.sql && g.model != then.model { // data that reaches further may change the statement too
		all = append(all, text.Say("session.since_model"))
	}
	return all
}

// standsOn gives what an answer stood on when it was given, and what it would stand on now. Fault Conflict: it is no answer with rows.
func (w *Workspace) standsOn(t session.Turn) (then, now ground, err error) {
	var a analyst.Answer
	if len(t.Answer) > 0 {
		if err := json.Unmarshal(t.Answer, &a); err != nil {
			return then, now, fault.Wrap(fault.Internal, "ask again", text.Say("workspace.result_none"), "", err)
		}
	}
	if a.Frame == nil {
		return then, now, fault.New(fault.Conflict, "ask again", text.Say("workspace.result_none"), "")
	}
	then = ground{epochs: a.Frame.SourceEpochs, sql: a.Frame.SQL}
	if a.Frame.BaseSQL != "" {
		then.sql = a.Frame.BaseSQL
	}
	if t.MadeBy != nil {
		then.model = t.MadeBy.Model
	}
	present := w.whole()
	now = ground{epochs: map[string]string{}, sql: then.sql, model: present.Model.Version}
	for table := range then.epochs {
		if epoch, there := present.Epochs[table]; there {
			now.epochs[table] = epoch
		}
	}
	if t.FrameQL != "" {
		now.sql = w.statementNow(t)
	}
	return then, now, nil
}

// statementNow is the statement that the definitions of now make of what a turn asked, from its clock.
func (w *Workspace) statementNow(t session.Turn) string {
	q, err := frameql.Parse(t.FrameQL)
	if err != nil {
		return ""
	}
	k, rows, clock := w.Knowledge(), w.opts.MaxRows, t.Asked
	if t.Given != nil && t.Given.MaxRows > 0 {
		rows = t.Given.MaxRows
	}
	if t.MadeBy != nil {
		clock = t.MadeBy.Clock
	}
	if k.Zone != nil {
		clock = clock.In(k.Zone)
	}
	plan, refusals := frameql.Resolve(q, k.Env(clock, rows))
	if len(refusals) > 0 {
		return ""
	}
	st, err := plan.Statement(frameql.DuckDB)
	if err != nil {
		return ""
	}
	return st.SQL
}
