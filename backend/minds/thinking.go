package minds

import (
	"cmp"
	"context"

	"assay/backend/llm"
)

// Thinking is who thinks about one request.
type Thinking struct {
	Name   string                   // PROVIDER:MODEL: of who plans, or else of who does the rest
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

// Thinking gives who thinks about one request; nil: the embedded mind alone. A mind that is named does everything; an empty name is what the
// person chose, with another mind for each task where they chose one.
//
// Faults: as of Model; Limit where the budget of the day is used up.
func (m *Minds) Thinking(ctx context.Context, s string) (*Thinking, error) {
	c := m.deps.Chosen()
	names := map[llm.Task]string{llm.Planning: s, llm.Narration: s, llm.Followups: s, llm.Judging: s}
	if s == "" {
		names = map[llm.Task]string{
			llm.Planning: cmp.Or(c.Planning, c.Mind), llm.Narration: cmp.Or(c.Narration, c.Mind), llm.Followups: cmp.Or(c.Followups, c.Mind), llm.Judging: c.Mind,
		}
	}
	t := &Thinking{}
	models := map[llm.Task]llm.Model{}
	for _, task := range []llm.Task{llm.Planning, llm.Narration, llm.Followups, llm.Judging} {
		model, err := m.Model(ctx, names[task])
		if err != nil {
			return nil, err
		}
		if model == nil {
			continue
		}
		if t.Name == "" {
			t.Name = names[task]
		}
		models[task] = model
	}
	if t.Name == "" {
		return nil, nil
	}
	t.Select = func(task llm.Task) llm.Model {
		if model, ok := models[task]; ok {
			return model
		}
		return nil
	}
	return t, nil
}

func (m *Minds) Spent(ctx context.Context) (Spent, error) { return Spent{}, nil }
