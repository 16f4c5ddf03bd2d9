package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// sent is a request as its hash and a recording have it: all that decides what a model gets to see, in one order, and nothing else. The task,
// the names of the blocks, where prefixes end and what is the person's change no reply.
type sent struct {
	System      []string        `json:"system,omitempty"`
	Tools       []sentTool      `json:"tools,omitempty"`
	Messages    []sentMessage   `json:"messages,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	MaxTokens   int             `json:"max_tokens,omitempty"`
	Temperature float64         `json:"temperature"`
	Seed        int             `json:"seed,omitempty"`
	LogProbs    bool            `json:"log_probs,omitempty"`
}

type sentTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
}

type sentMessage struct {
	Role    Role         `json:"role"`
	Text    string       `json:"text,omitempty"`
	Calls   []sentCall   `json:"calls,omitempty"`
	Results []sentResult `json:"results,omitempty"`
}

type sentCall struct {
	ID        string `json:"id,omitempty"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // text: they may be no JSON
}

type sentResult struct {
	CallID  string `json:"call_id,omitempty"`
	Name    string `json:"name,omitempty"`
	Content string `json:"content"`
	Failed  bool   `json:"failed,omitempty"`
}

// Hash names a request by what a model gets to see of it: 64 hexadecimal digits. Two requests with the same hash are the same to every model.
// The order of the properties of a schema counts, because models write them in that order; white space in it does not.
func Hash(r Request) string {
	raw, err := json.Marshal(canonical(r))
	if err != nil { // no value of it can fail to encode: schemas were made valid
		panic(err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

func canonical(r Request) sent {
	s := sent{Schema: compact(r.Schema), MaxTokens: r.MaxTokens, Temperature: r.Temperature, Seed: r.Seed, LogProbs: r.LogProbs}
	for _, b := range r.System {
		s.System = append(s.System, b.Text)
	}
	for _, t := range r.Tools {
		s.Tools = append(s.Tools, sentTool{Name: t.Name, Description: t.Description, Schema: compact(t.Schema)})
	}
	for _, m := range r.Messages {
		one := sentMessage{Role: m.Role, Text: m.Text}
		for _, c := range m.Calls {
			one.Calls = append(one.Calls, sentCall{ID: c.ID, Name: c.Name, Arguments: string(c.Arguments)})
		}
		for _, res := range m.Results {
			one.Results = append(one.Results, sentResult{CallID: res.CallID, Name: res.Name, Content: res.Content, Failed: res.Failed})
		}
		s.Messages = append(s.Messages, one)
	}
	return s
}

// compact takes the white space out of JSON. What is none becomes a JSON string.
func compact(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		quoted, _ := json.Marshal(string(raw)) // a string always encodes
		return quoted
	}
	return b.Bytes()
}
