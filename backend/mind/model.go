package mind

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/session"
	"assay/backend/text"
	"assay/backend/tool"
)

// Model is a language model that uses tools.
type Model struct {
	LLM     llm.Model
	Tools   []tool.Tool
	Context Context
	Bounds  Bounds
	Hear    func(llm.Chunk) // its words as they come; nil: nobody listens
}

// Next asks the model once.
func (m *Model) Next(ctx context.Context, seen Seen) (Move, error) {
	b := m.Bounds.orDefault()
	r := m.Context.request(llm.Planning, b.Reply)
	for _, t := range m.Tools {
		r.Tools = append(r.Tools, llm.Tool{Name: t.Name, Description: t.Text, Schema: t.Schema})
	}
	r.Messages = append(r.Messages, transcript(seen)...)
	if seen.Last {
		r.Messages = append(r.Messages, llm.Message{Role: llm.User, Text: lastWords})
	}
	if err := fit(&r, m.LLM.Card().Window, b.Window, len(m.Context.Before)); err != nil {
		return Move{}, err
	}
	reply, err := send(ctx, m.LLM, r, m.Context.Version, m.Hear)
	if err != nil {
		return Move{}, err
	}
	if reply.Stop == llm.StopRefused {
		return Move{Text: reply.Text}, fault.New(fault.Invalid, "think", text.Say("mind.model_refused"), text.Say("mind.model_refused_hint"))
	}
	return Move{Calls: reply.Calls, Text: reply.Text}, nil
}

// lastWords force the end. It is for a mind, not for a person.
const lastWords = "Status: no more tools for this question. Say in one sentence, without any number, what you came to and what is missing."

// send asks a model once, and writes into the step of the trace what that took and what came of it.
func send(ctx context.Context, m llm.Model, r llm.Request, version string, hear func(llm.Chunk)) (llm.Response, error) {
	s := stepOf(ctx)
	card := m.Card()
	s.Input = llm.Hash(r)
	s.Facts = map[string]any{"card": card, "prompts": version, "prefix": prefixHash(r)}
	reply, err := m.Send(ctx, r, hear)
	if err != nil {
		s.Facts["failed"] = string(fault.CodeOf(err))
		return reply, err
	}
	s.Facts["tokens"] = map[string]any{
		"input": reply.Usage.Input, "output": reply.Usage.Output, "cache_read": reply.Usage.CacheRead, "cache_write": reply.Usage.CacheWrite,
	}
	s.Facts["reply"] = reply
	return reply, nil
}

// prefixHash is the hash of what is the same for every question over a model and its memos: two requests with the same one share a cache.
func prefixHash(r llm.Request) string {
	stable := []any{}
	for _, b := range r.System {
		if b.Stable {
			stable = append(stable, b)
		}
	}
	for _, t := range r.Tools {
		stable = append(stable, t)
	}
	return session.Hash(stable)
}

// transcript is what was done for this question so far, as messages.
func transcript(seen Seen) []llm.Message {
	var all []llm.Message
	for i, round := range seen.Rounds {
		calls := slices.Clone(round.Move.Calls)
		results := make([]llm.Result, 0, len(calls))
		for j := range calls {
			calls[j].ID = fmt.Sprintf("call_%d_%d", i, j) // ids of ours: replies are replayed
			calls[j].Arguments = sound(calls[j].Arguments)
			results = append(results, llm.Result{CallID: calls[j].ID, Name: calls[j].Name, Content: round.Results[j].Content, Failed: round.Results[j].Failed, Holds: holds(round.Results[j])})
		}
		all = append(all, llm.Message{Role: llm.Assistant, Text: round.Move.Text, Calls: calls}, llm.Message{Role: llm.Tools, Results: results})
		if i+1 < len(seen.Rounds) && seen.Rounds[i+1].Nudge != "" {
			all = append(all, llm.Message{Role: llm.User, Text: seen.Rounds[i+1].Nudge})
		}
	}
	if seen.Nudge != "" {
		all = append(all, llm.Message{Role: llm.User, Text: seen.Nudge})
	}
	return all
}

// sound gives arguments that a provider takes back: an object. What the model wrote instead it has been told of.
func sound(arguments json.RawMessage) json.RawMessage {
	var object map[string]any
	if json.Unmarshal(arguments, &object) != nil || object == nil {
		return json.RawMessage("{}")
	}
	return arguments
}

// kinds says what the results of tools hold. What a tool that is not listed gives is of the rows.
var kinds = map[string]string{
	"list_families": "catalogue", "describe_family": "catalogue", "verification_level": "catalogue", "discover_fd_dag": "catalogue", "ask_user": "catalogue",
	"propose_frame_ql": "statement", "execute_frame_ql": "statement", "run_sql": "statement", "recall_artifact": "statement", "search_values": "values", "column_profile": "profile",
}

// holds says what of the data the result of a tool holds.
func holds(r Returned) llm.Carried {
	kind, listed := kinds[r.Call.Name]
	switch {
	case r.Failed && kind != "statement":
		kind = "catalogue" // it names what there is
	case !listed, kind == "statement" && r.Rows > 0:
		kind = "rows"
	case kind == "catalogue" && len(r.Columns) > 0:
		kind = "values"
	}
	return llm.Carried{Kind: kind, Rows: r.Rows, Columns: append([]string{}, r.Columns...)}
}

// fit makes a request small enough for a window: the conversation before the question goes first, the oldest of it, then the results of tools, the oldest
// first. What the model is told, its tools and the question stay. before is how many messages of the request are the conversation. A window of 0 is not known, and holds everything.
//
// Fault Limit: it does not fit all the same.
func fit(r *llm.Request, window int, share float64, before int) error {
	if window <= 0 {
		return nil
	}
	room := int(float64(window)*share) - r.MaxTokens
	tokens := func() int {
		counted := *r
		counted.Schema = nil // it holds the reply, and is not read by the model
		return llm.Estimate(counted)
	}
	for before > 0 && tokens() > room {
		drop := min(2, before) // a question and what came of it
		r.Messages, before = slices.Delete(slices.Clone(r.Messages), 0, drop), before-drop
	}
	for i := range r.Messages {
		if tokens() <= room {
			return nil
		}
		if r.Messages[i].Role != llm.Tools || i+1 >= len(r.Messages)-1 {
			continue // what came last is what it goes on from
		}
		results := slices.Clone(r.Messages[i].Results)
		for j := range results {
			results[j].Content, results[j].Holds = `{"left_out":"An older result. Call the tool again if it is needed."}`, llm.Carried{}
		}
		r.Messages[i].Results = results
	}
	if tokens() > room {
		return fault.New(fault.Limit, "think", text.Say("mind.window_full"), text.Say("mind.window_full_hint"))
	}
	return nil
}
