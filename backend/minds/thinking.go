package minds

import (
	"context"

	"assay/backend/llm"
)

// Thinking is who thinks about one request.
type Thinking struct {
	Name   string                   // PROVIDER:MODEL, of who plans
	Select func(llm.Task) llm.Model // nil as a result: the embedded mind does it
}

// Spent is what models used on a day.
type Spent struct {
	Day     string  `json:"day" doc:"YYYY-MM-DD, by the clock of this machine"`
	Calls   int     `json:"calls"`
	Tokens  int     `json:"tokens"`
	Seconds int     `json:"seconds"`
	USD     float64 `json:"usd"`
}

// Thinking gives who thinks about one request.
func (m *Minds) Thinking(ctx context.Context, s string) (*Thinking, error) {
	return nil, nil
}

func (m *Minds) Spent(ctx context.Context) (Spent, error) { return Spent{}, nil }
