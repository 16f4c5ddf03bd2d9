package analyst

import (
	"context"
	"encoding/json"
	"slices"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// Thinker is a language model as one request may use it: with the budgets and the routes that are in force.
type Thinker struct {
	Name   string                   // anthropic:MODEL openai:MODEL ollama:MODEL
	Select func(llm.Task) llm.Model // the model of a task; nil as a result: none does it
	Rows   RowsPolicy               // what of rows a model elsewhere may see; one on this machine may see them
	Always bool                     // it is asked even where the reader is certain: to compare the two
	Played bool                     // its replies are those of a recording: nothing is sent
}

// RowsPolicy says what of the rows of data leaves this machine.
type RowsPolicy string

// What may leave.
const (
	RowsNone   RowsPolicy = "none"   // numbers of rows, and names of columns
	RowsMasked RowsPolicy = "masked" // rows whose personal values are replaced
)

// Thinkers gives the model of a name for one request of an actor; nil: nobody but the built-in reader is to think. An empty name is the one that the actor's
// settings choose.
//
// Faults: NotFound (there is no such mind), Unauthorized (nothing may leave this machine, or there is no key), Limit (the budget of the day is used up), Unavailable.
type Thinkers func(ctx context.Context, actor rules.Actor, name string) (*Thinker, error)

// thinkerOf finds the mind of a request. One that was asked for by name must be there; where the settings name one that cannot be asked, the built-in reader thinks, and the answer says why.
func (a *Analyst) thinkerOf(ctx context.Context, actor rules.Actor, req Request) (t *Thinker, unfit string, err error) {
	switch {
	case req.again != nil:
		return req.again.thinker, "", nil
	case req.Mind == session.Embedded, req.SQL != "":
		return nil, "", nil
	case a.deps.Thinkers == nil && req.Mind != "":
		return nil, "", fault.New(fault.NotFound, "ask", text.Say("analyst.no_mind", "mind", req.Mind), text.Say("analyst.no_mind_hint"))
	case a.deps.Thinkers == nil:
		return nil, "", nil
	}
	t, err = a.deps.Thinkers(ctx, actor, req.Mind)
	if err != nil && req.Mind == "" {
		return nil, firstSentence(err), nil
	}
	return t, "", err
}

// ledger is a language model whose every exchange is written down for the answer, and that gets no more to see than may leave.
type ledger struct {
	llm.Model
	mask func(string) string // nil: there are no personal values
	rows RowsPolicy
	note func(session.Sent)
}

// Send masks what goes elsewhere, sends it, and writes down what went where.
func (l ledger) Send(ctx context.Context, r llm.Request, hear func(llm.Chunk)) (llm.Response, error) {
	card := l.Card()
	sent := session.Sent{To: card.Endpoint, Provider: card.Provider, Model: card.Model, Local: card.Local, Task: string(r.Task), Carried: []session.SentPart{}}
	masked := 0
	if !card.Local {
		r, masked = l.leaving(r)
	}
	for _, c := range r.Carries {
		sent.Carried = append(sent.Carried, session.SentPart{Kind: c.Kind, Rows: c.Rows, Columns: append([]string{}, c.Columns...), Bytes: c.Bytes})
	}
	carries := r.Carries
	r.Carries = nil
	raw, err := json.Marshal(r)
	if err != nil {
		return llm.Response{}, err
	}
	r.Carries = carries
	sent.Bytes, sent.Masked = len(raw), masked
	reply, err := l.Model.Send(ctx, r, hear)
	sent.Failed = err != nil
	sent.Received, sent.TokensIn, sent.TokensOut, sent.TokensKept = len(reply.Text), reply.Usage.Input, reply.Usage.Output, reply.Usage.CacheRead
	for _, c := range reply.Calls {
		sent.Received += len(c.Name) + len(c.Arguments)
	}
	l.note(sent)
	return reply, err
}

// leaving gives a request as it may leave this machine, and how many of its texts had something masked.
func (l ledger) leaving(r llm.Request) (llm.Request, int) {
	masked := 0
	hide := func(s string) string {
		if l.mask == nil || s == "" {
			return s
		}
		safe := l.mask(s)
		if safe != s {
			masked++
		}
		return safe
	}
	out := r
	out.System, out.Messages = nil, nil
	for _, b := range r.System {
		b.Text = hide(b.Text)
		out.System = append(out.System, b)
	}
	for _, m := range r.Messages {
		m.Text = hide(m.Text)
		results := m.Results
		m.Results = nil
		for _, one := range results {
			if l.rows != RowsMasked {
				one.Content = withoutRows(one.Name, one.Content)
			}
			one.Content = hide(one.Content)
			m.Results = append(m.Results, one)
		}
		out.Messages = append(out.Messages, m)
	}
	if l.rows != RowsMasked {
		out.Carries = nil
		for _, c := range r.Carries {
			c.Rows, c.Columns = 0, []string{}
			out.Carries = append(out.Carries, c)
		}
	}
	return out, masked
}

// valueless are the tools whose results hold names, kinds and counts alone, and no value of the data.
var valueless = []string{"list_families", "describe_family", "verification_level", "propose_frame_ql", "propose_followups", "discover_fd_dag", "ask_user"}

// bare are the keys of the other results that hold none either.
var bare = []string{"frame_id", "artifact_id", "simulation_id", "frame_ql", "row_count", "n_rows", "status", "served_from", "verification_level", "error_kind", "refusal_kind", "name"}

// withoutRows leaves of the result of a tool what holds no value of the data. What it does not know is left out.
func withoutRows(tool, content string) string {
	if slices.Contains(valueless, tool) {
		return content
	}
	kept := map[string]json.RawMessage{"left_out": json.RawMessage(`"Values of the data do not leave the machine of the person."`)}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(content), &object) == nil {
		for _, k := range bare {
			if v, there := object[k]; there {
				kept[k] = v
			}
		}
	}
	raw, err := json.Marshal(kept)
	if err != nil {
		return `{}`
	}
	return string(raw)
}

// mindName is who thinks: embedded, or a model.
func (r *run) mindName() string {
	if r.thinker == nil {
		return session.Embedded
	}
	return r.thinker.Name
}

// thoughtBy is who thought in fact: a model only where one was asked.
func (r *run) thoughtBy() string {
	if !r.consulted {
		return session.Embedded
	}
	return r.thinker.Name
}
