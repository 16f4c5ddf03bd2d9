package openai

import (
	"encoding/json"
	"regexp"
	"strings"

	"assay/backend/llm"
)

// Names of parameters that a model or a server may not know; those that turned out so are left out.
const (
	temperature   = "temperature"
	seed          = "seed"
	logprobs      = "logprobs"
	maxTokens     = "max_tokens"
	maxCompletion = "max_completion_tokens"
	streamOptions = "stream_options"
)

// write puts a request into the protocol. The bytes depend on the request and on what is not known alone, so that equal prefixes stay equal.
func (m *model) write(r llm.Request, not map[string]bool) chatRequest {
	out := chatRequest{Model: m.card.Model, Messages: messages(r), Stream: true}
	if m.of.official() {
		out.Store = new(bool) // nothing of a person is kept there for evaluations
	}
	if !not[temperature] {
		out.Temperature = &r.Temperature
	}
	if !not[seed] {
		out.Seed = r.Seed
	}
	out.LogProbs = r.LogProbs && m.card.LogProbs && !not[logprobs]
	if !not[streamOptions] {
		out.StreamOptions = &streamSettings{IncludeUsage: true}
	}
	if newer := m.of.official() && !not[maxCompletion] || not[maxTokens]; newer { // most compatible servers know the old name only
		out.MaxCompletionTokens = r.MaxTokens
	} else {
		out.MaxTokens = r.MaxTokens
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, tool(t))
	}
	if len(r.Schema) > 0 {
		f := chatFormat{Type: "json_schema"}
		f.JSONSchema.Name, f.JSONSchema.Schema, f.JSONSchema.Strict = schemaName(r.SchemaName), r.Schema, strict(r.Schema)
		out.ResponseFormat = &f
	}
	return out
}

// messages gives the conversation. All blocks are one system message: templates of many local models allow no second one.
func messages(r llm.Request) []chatMessage {
	var out []chatMessage
	var system []string
	for _, b := range r.System {
		if b.Text != "" {
			system = append(system, b.Text)
		}
	}
	if len(system) > 0 {
		out = append(out, chatMessage{Role: "system", Content: new(strings.Join(system, "\n\n"))})
	}
	for _, m := range r.Messages {
		for _, res := range m.Results {
			content := res.Content
			if res.Failed {
				content = "error: " + content // the protocol has no place for it
			}
			out = append(out, chatMessage{Role: "tool", Content: &content, ToolCallID: res.CallID})
		}
		switch {
		case m.Role == llm.Assistant && (m.Text != "" || len(m.Calls) > 0):
			out = append(out, assistant(m))
		case m.Role != llm.Assistant && m.Text != "":
			out = append(out, chatMessage{Role: "user", Content: &m.Text})
		}
	}
	return out
}

func assistant(m llm.Message) chatMessage {
	a := chatMessage{Role: "assistant"}
	if m.Text != "" {
		a.Content = &m.Text
	}
	for _, c := range m.Calls {
		f := chatFunction{Name: c.Name, Arguments: string(llm.ObjectOf(c.Arguments))}
		a.ToolCalls = append(a.ToolCalls, chatCall{ID: c.ID, Type: "function", Function: f})
	}
	return a
}

// tool gives a tool with its schema as it is written. One that is no JSON is left out, and the server says what it makes of that.
func tool(t llm.Tool) chatTool {
	out := chatTool{Type: "function"}
	out.Function.Name, out.Function.Description = t.Name, t.Description
	switch {
	case len(t.Schema) == 0:
		out.Function.Parameters = json.RawMessage(`{"type":"object","properties":{}}`)
	case json.Valid(t.Schema):
		out.Function.Parameters = t.Schema
	}
	return out
}

var notInNames = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)

func schemaName(name string) string {
	name = notInNames.ReplaceAllString(name, "_")
	if name == "" {
		return "reply"
	}
	return name[:min(len(name), 64)]
}

// strict says whether a schema is of the part of JSON Schema that OpenAI can hold a model to strictly: every object names all of its
// properties as required and allows no others.
func strict(schema json.RawMessage) bool {
	var node any
	return json.Unmarshal(schema, &node) == nil && strictNode(node)
}

func strictNode(node any) bool {
	switch n := node.(type) {
	case []any:
		for _, v := range n {
			if !strictNode(v) {
				return false
			}
		}
	case map[string]any:
		if properties, is := n["properties"].(map[string]any); is || n["type"] == "object" {
			required, _ := n["required"].([]any)
			if n["additionalProperties"] != false || len(required) != len(properties) {
				return false
			}
		}
		for key, v := range n {
			if key == "properties" || key == "$defs" || key == "definitions" { // names, not words of the language
				for _, one := range asMap(v) {
					if !strictNode(one) {
						return false
					}
				}
				continue
			}
			if key == "oneOf" || key == "allOf" || key == "not" || key == "if" || key == "patternProperties" {
				return false
			}
			if key != "enum" && key != "const" && key != "default" && key != "examples" && !strictNode(v) {
				return false
			}
		}
	}
	return true
}

func asMap(v any) map[string]any { m, _ := v.(map[string]any); return m }
