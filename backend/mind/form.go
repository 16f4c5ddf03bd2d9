package mind

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/text"
)

// Form is a language model that has no tools: it fills in one query, held to the schema of what one model can answer, and mends it when it is refused.
type Form struct {
	LLM     llm.Model
	Context Context
	Schema  json.RawMessage // of frameql.Brief
	Bounds  Bounds
	Hide    func(refusal string) string // what of a refusal it may see; nil: all of it
	Hear    func(llm.Chunk)             // its words as they come; nil: nobody listens
}

// formTokens are more than a query of a form takes.
const formTokens = 800

// repairs are how often a refused query may be mended.
const repairs = 2

// Next asks for a query, runs it, and ends. What is refused goes back with the refusal, at most twice.
func (f *Form) Next(ctx context.Context, seen Seen) (Move, error) {
	done := len(seen.Rounds)
	if seen.Last || done > repairs || done > 0 && !seen.Rounds[done-1].Results[0].Failed {
		return Move{}, nil
	}
	b := f.Bounds.orDefault()
	r := f.Context.request(llm.Planning, min(b.Reply, formTokens))
	r.Schema, r.SchemaName, r.LogProbs = f.Schema, "frame_ql", f.LLM.Card().LogProbs
	for _, round := range seen.Rounds {
		refusal := round.Results[0].Content
		if f.Hide != nil {
			refusal = f.Hide(refusal)
		}
		r.Messages = append(r.Messages,
			llm.Message{Role: llm.Assistant, Text: round.Move.Text},
			llm.Message{Role: llm.User, Text: "The program refused this query. Its reasons, as data:\n" + refusal + "\nWrite the query again so that it is not refused."})
	}
	if err := fit(&r, f.LLM.Card().Window, b.Window, len(f.Context.Before)); err != nil {
		return Move{}, err
	}
	reply, err := send(ctx, f.LLM, r, f.Context.Version, f.Hear)
	if err != nil {
		return Move{}, err
	}
	if reply.Stop == llm.StopRefused {
		return Move{Text: reply.Text}, fault.New(fault.Invalid, "think", text.Say("mind.model_refused"), text.Say("mind.model_refused_hint"))
	}
	query := bytes.TrimSpace([]byte(reply.Text))
	arguments, err := json.Marshal(map[string]string{"frame_ql": string(query)})
	if err != nil {
		return Move{}, err
	}
	return Move{Text: reply.Text, Likely: reply.LogProbs, Calls: []llm.Call{{ID: fmt.Sprintf("form_%d", done), Name: "execute_frame_ql", Arguments: arguments}}}, nil
}
