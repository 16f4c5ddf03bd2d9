package anthropic

import (
	"encoding/json"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"assay/backend/llm"
)

// replyTool is the tool that a model has to use where its reply is to fit a schema and it knows no other way.
const replyTool = "reply"

// breakpoints is how many ends of prefixes the provider keeps for one request.
const breakpoints = 4

// plan is how a request is written for one model: what it turned out not to know is left out.
type plan struct {
	forced bool // a schema goes as a tool
	cool   bool // the temperature is not sent
}

// write puts a request into the protocol. The bytes depend on the request and the plan alone, so that equal prefixes stay equal.
func write(r llm.Request, c llm.Card, p plan) sdk.MessageNewParams {
	out := sdk.MessageNewParams{Model: c.Model, MaxTokens: int64(r.MaxTokens)}
	if r.MaxTokens == 0 {
		out.MaxTokens = int64(min(c.Output, 16_384)) // the protocol wants a number
	}
	if !p.cool {
		out.Temperature = sdk.Float(r.Temperature)
	}
	var ends []*sdk.CacheControlEphemeralParam // where prefixes end, in order
	for _, b := range r.System {
		if b.Text == "" {
			continue // the protocol knows no empty blocks
		}
		out.System = append(out.System, sdk.TextBlockParam{Text: b.Text})
	}
	i := 0
	for _, b := range r.System {
		if b.Text == "" {
			continue
		}
		if b.Stable {
			ends = append(ends, &out.System[i].CacheControl)
		}
		i++
	}
	for _, t := range r.Tools {
		out.Tools = append(out.Tools, tool(t.Name, t.Description, t.Schema))
	}
	for _, m := range r.Messages {
		role, blocks := message(m)
		if len(blocks) == 0 {
			continue
		}
		if last := len(out.Messages) - 1; last >= 0 && out.Messages[last].Role == role {
			out.Messages[last].Content = append(out.Messages[last].Content, blocks...)
		} else {
			out.Messages = append(out.Messages, sdk.MessageParam{Role: role, Content: blocks})
		}
	}
	ends = append(ends, messageEnds(r, out)...)
	for i, end := range ends {
		if len(ends) <= breakpoints || i < breakpoints/2 || i >= len(ends)-breakpoints/2 { // the first tiers and the latest turns
			*end = sdk.NewCacheControlEphemeralParam()
		}
	}
	if len(r.Schema) > 0 {
		schema(&out, r, p)
	}
	return out
}

// messageEnds gives the last blocks of the messages that are stable.
func messageEnds(r llm.Request, out sdk.MessageNewParams) []*sdk.CacheControlEphemeralParam {
	var flat []*sdk.ContentBlockParamUnion
	for m := range out.Messages {
		for b := range out.Messages[m].Content {
			flat = append(flat, &out.Messages[m].Content[b])
		}
	}
	var ends []*sdk.CacheControlEphemeralParam
	n := 0
	for _, m := range r.Messages {
		_, blocks := message(m)
		n += len(blocks)
		if !m.Stable || len(blocks) == 0 {
			continue
		}
		if end := flat[n-1].GetCacheControl(); end != nil {
			ends = append(ends, end)
		}
	}
	return ends
}

func message(m llm.Message) (sdk.MessageParamRole, []sdk.ContentBlockParamUnion) {
	var blocks []sdk.ContentBlockParamUnion
	for _, res := range m.Results { // results come before any text of the same side
		content := res.Content
		if content == "" {
			content = "(nothing)"
		}
		blocks = append(blocks, sdk.NewToolResultBlock(res.CallID, content, res.Failed))
	}
	if strings.TrimSpace(m.Text) != "" {
		blocks = append(blocks, sdk.NewTextBlock(m.Text))
	}
	for _, call := range m.Calls {
		blocks = append(blocks, sdk.NewToolUseBlock(call.ID, llm.ObjectOf(call.Arguments), call.Name))
	}
	if m.Role == llm.Assistant {
		return sdk.MessageParamRoleAssistant, blocks
	}
	return sdk.MessageParamRoleUser, blocks
}

// tool keeps the bytes of the schema: the library would sort its properties.
func tool(name, description string, schema json.RawMessage) sdk.ToolUnionParam {
	t := sdk.ToolParam{Name: name}
	if description != "" {
		t.Description = sdk.String(description)
	}
	if len(schema) == 0 {
		schema = json.RawMessage(`{"type":"object","properties":{}}`)
	}
	param.SetJSON(schema, &t.InputSchema)
	return sdk.ToolUnionParam{OfTool: &t}
}

// schema holds the reply to the schema: by the format of the output, or by a tool that has to be used.
func schema(out *sdk.MessageNewParams, r llm.Request, p plan) {
	if !p.forced {
		param.SetJSON([]byte(`{"type":"json_schema","schema":`+string(r.Schema)+`}`), &out.OutputConfig.Format)
		return
	}
	out.Tools = append(out.Tools, tool(replyTool, "Gives the reply. Use it once, with the whole reply.", r.Schema))
	if len(r.Tools) > 0 {
		out.ToolChoice = sdk.ToolChoiceUnionParam{OfAny: &sdk.ToolChoiceAnyParam{}}
		return
	}
	out.ToolChoice = sdk.ToolChoiceParamOfTool(replyTool)
}
