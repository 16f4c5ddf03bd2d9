package openai

import (
	"encoding/json"
	"regexp"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

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
func (m *model) write(r llm.Request, not map[string]bool) sdk.ChatCompletionNewParams {
	out := sdk.ChatCompletionNewParams{Model: m.card.Model, Messages: messages(r)}
	if m.of.official() {
		out.Store = sdk.Bool(false) // nothing of a person is kept there for evaluations
	}
	if !not[temperature] {
		out.Temperature = sdk.Float(r.Temperature)
	}
	if r.Seed != 0 && !not[seed] {
		out.Seed = sdk.Int(int64(r.Seed))
	}
	if r.LogProbs && m.card.LogProbs && !not[logprobs] {
		out.Logprobs = sdk.Bool(true)
	}
	if !not[streamOptions] {
		out.StreamOptions = sdk.ChatCompletionStreamOptionsParam{IncludeUsage: sdk.Bool(true)}
	}
	switch newer := m.of.official() && !not[maxCompletion] || not[maxTokens]; { // most compatible servers know the old name only
	case r.MaxTokens == 0:
	case newer:
		out.MaxCompletionTokens = sdk.Int(int64(r.MaxTokens))
	default:
		out.MaxTokens = sdk.Int(int64(r.MaxTokens))
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, tool(t))
	}
	if len(r.Schema) > 0 {
		f := shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: schemaName(r.SchemaName), Schema: r.Schema, Strict: sdk.Bool(strict(r.Schema))}
		out.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: f}
	}
	return out
}

// messages gives the conversation. All blocks are one system message: templates of many local models allow no second one.
func messages(r llm.Request) []sdk.ChatCompletionMessageParamUnion {
	var out []sdk.ChatCompletionMessageParamUnion
	var system []string
	for _, b := range r.System {
		if b.Text != "" {
			system = append(system, b.Text)
		}
	}
	if len(system) > 0 {
		out = append(out, sdk.SystemMessage(strings.Join(system, "\n\n")))
	}
	for _, m := range r.Messages {
		for _, res := range m.Results {
			content := res.Content
			if res.Failed {
				content = "error: " + content // the protocol has no place for it
			}
			out = append(out, sdk.ToolMessage(content, res.CallID))
		}
		switch {
		case m.Role == llm.Assistant && (m.Text != "" || len(m.Calls) > 0):
			out = append(out, assistant(m))
		case m.Role != llm.Assistant && m.Text != "":
			out = append(out, sdk.UserMessage(m.Text))
		}
	}
	return out
}

func assistant(m llm.Message) sdk.ChatCompletionMessageParamUnion {
	var a sdk.ChatCompletionAssistantMessageParam
	if m.Text != "" {
		a.Content.OfString = sdk.String(m.Text)
	}
	for _, c := range m.Calls {
		f := sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: string(llm.ObjectOf(c.Arguments))}
		a.ToolCalls = append(a.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{OfFunction: &sdk.ChatCompletionMessageFunctionToolCallParam{ID: c.ID, Function: f}})
	}
	return sdk.ChatCompletionMessageParamUnion{OfAssistant: &a}
}

// tool keeps the bytes of the schema: the library would sort its properties.
func tool(t llm.Tool) sdk.ChatCompletionToolUnionParam {
	schema := t.Schema
	if len(schema) == 0 {
		schema = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	raw, err := json.Marshal(struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	}{t.Name, t.Description, schema})
	f := shared.FunctionDefinitionParam{Name: t.Name}
	if err == nil { // a schema that is no JSON is left out, and the server says what it makes of that
		param.SetJSON(raw, &f)
	}
	return sdk.ChatCompletionFunctionTool(f)
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
