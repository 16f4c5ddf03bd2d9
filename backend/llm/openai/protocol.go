package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"assay/backend/llm"
)

// What is sent, as far as it is used here.
type (
	chatRequest struct {
		Model               string          `json:"model"`
		Messages            []chatMessage   `json:"messages"`
		Stream              bool            `json:"stream"`
		StreamOptions       *streamSettings `json:"stream_options,omitempty"`
		Store               *bool           `json:"store,omitempty"`
		Temperature         *float64        `json:"temperature,omitempty"`
		Seed                int             `json:"seed,omitempty"`
		LogProbs            bool            `json:"logprobs,omitempty"`
		MaxTokens           int             `json:"max_tokens,omitempty"`
		MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
		Tools               []chatTool      `json:"tools,omitempty"`
		ResponseFormat      *chatFormat     `json:"response_format,omitempty"`
	}
	streamSettings struct {
		IncludeUsage bool `json:"include_usage"`
	}
	chatMessage struct {
		Role       string     `json:"role"`
		Content    *string    `json:"content,omitempty"` // a result may be empty, and is there all the same
		ToolCallID string     `json:"tool_call_id,omitempty"`
		ToolCalls  []chatCall `json:"tool_calls,omitempty"`
	}
	chatCall struct {
		ID       string       `json:"id"`
		Type     string       `json:"type"`
		Function chatFunction `json:"function"`
	}
	chatFunction struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	chatTool struct {
		Type     string `json:"type"`
		Function struct {
			Name        string          `json:"name"`
			Description string          `json:"description,omitempty"`
			Parameters  json.RawMessage `json:"parameters,omitempty"`
		} `json:"function"`
	}
	chatFormat struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"schema"`
			Strict bool            `json:"strict"`
		} `json:"json_schema"`
	}
	embeddingRequest struct {
		Model          string   `json:"model"`
		Input          []string `json:"input"`
		EncodingFormat string   `json:"encoding_format"`
		Dimensions     int      `json:"dimensions,omitempty"`
	}
)

// What is read. Numbers are read as such of any form: servers differ.
type (
	chunk struct {
		Model   string `json:"model"`
		Choices []struct {
			Delta struct {
				Content   string `json:"content"`
				Refusal   string `json:"refusal"`
				ToolCalls []struct {
					Index    float64      `json:"index"`
					ID       string       `json:"id"`
					Function chatFunction `json:"function"`
				} `json:"tool_calls"`
			} `json:"delta"`
			FinishReason string `json:"finish_reason"`
			LogProbs     struct {
				Content []struct {
					Token   string  `json:"token"`
					LogProb float64 `json:"logprob"`
				} `json:"content"`
			} `json:"logprobs"`
		} `json:"choices"`
		Usage *struct {
			PromptTokens        float64 `json:"prompt_tokens"`
			CompletionTokens    float64 `json:"completion_tokens"`
			PromptTokensDetails struct {
				CachedTokens float64 `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`
		} `json:"usage"`
		Error *said `json:"error"`
	}
	modelList struct {
		Data []map[string]json.RawMessage `json:"data"`
	}
	embeddingList struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float64 `json:"embedding"`
		} `json:"data"`
	}
)

// said is an error as the protocol has it. Compatible servers write numbers for codes.
type said struct {
	Code    any    `json:"code"`
	Type    string `json:"type"`
	Message string `json:"message"`
	Param   string `json:"param"`
}

// refused is an answer that is an error, or an error in the middle of one (status 0). What the server said may hold anything: it is looked at,
// and stands in no log.
type refused struct {
	status int
	said   said
}

// Error is for the log.
func (r *refused) Error() string {
	if r.status == 0 {
		return "an error in the stream"
	}
	return fmt.Sprintf("status %d %s", r.status, http.StatusText(r.status))
}

// send sends a request to a path of the server, and gives an answer that is no error.
func (p *Provider) send(ctx context.Context, method, path, accept string, body any) (*http.Response, error) {
	var content bytes.Buffer
	if body != nil {
		write := json.NewEncoder(&content)
		write.SetEscapeHTML(false)
		if err := write.Encode(body); err != nil {
			return nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, p.address.URL.JoinPath(path).String(), &content)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", accept)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if p.key != "" {
		r.Header.Set("Authorization", "Bearer "+p.key)
	}
	res, err := p.client.Do(r)
	if err != nil {
		return nil, err
	}
	if res.StatusCode < http.StatusBadRequest {
		return res, nil
	}
	defer func() { _ = res.Body.Close() }() // it was read, or broke off
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	return nil, &refused{status: res.StatusCode, said: errorIn(raw)}
}

// errorIn reads the error of an answer: most servers put it into an object of its own, some do not. What has another form is left empty.
func errorIn(raw []byte) said {
	var answer struct {
		Error json.RawMessage `json:"error"`
	}
	var e said
	_ = json.Unmarshal(raw, &answer) // an answer that is no JSON says nothing, its status does
	if len(answer.Error) > 0 {
		raw = answer.Error
	}
	_ = json.Unmarshal(raw, &e)
	return e
}

// exchange sends a request and reads its answer into a value.
func (p *Provider) exchange(ctx context.Context, method, path string, body, into any) error {
	res, err := p.send(ctx, method, path, "application/json", body)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // it was read, or broke off
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// longestLine bounds a line of a stream; the wire bounds the whole.
const longestLine = 32 << 20

// stream sends a request and gives the pieces of its answer as they come, until it ends or take returns an error.
func (p *Provider) stream(ctx context.Context, body chatRequest, take func(chunk) error) error {
	res, err := p.send(ctx, http.MethodPost, "chat/completions", "text/event-stream", body)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // the reply is read or given up
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, longestLine)
	var data []byte
	for lines.Scan() {
		line := lines.Bytes()
		if field, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(append(data, bytes.TrimPrefix(field, []byte(" "))...), '\n')
		}
		if len(line) > 0 || len(data) == 0 {
			continue // the event is not over
		}
		if bytes.HasPrefix(data, []byte("[DONE]")) {
			return nil
		}
		var c chunk
		if err := json.Unmarshal(data, &c); err != nil {
			return err
		}
		if c.Error != nil {
			return &refused{said: *c.Error}
		}
		if err := take(c); err != nil {
			return err
		}
		data = data[:0]
	}
	return lines.Err()
}

var _ llm.Provider = (*Provider)(nil)
