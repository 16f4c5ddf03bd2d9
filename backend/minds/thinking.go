package minds

import (
	"cmp"
	"context"
	"time"

	"assay/backend/llm"
)

// Thinking is who thinks about one request.
type Thinking struct {
	Name   string                   // PROVIDER:MODEL: of who plans, or else of who does the rest
	Select func(llm.Task) llm.Model // nil as a result: the embedded mind does it
	Budget *llm.Budget              // of the request
}

// Spent is what models used on a day.
type Spent struct {
	Day     string  `json:"day" doc:"YYYY-MM-DD, by the clock of this machine"`
	Calls   int     `json:"calls"`
	Tokens  int     `json:"tokens" doc:"Of requests and replies together"`
	Seconds int     `json:"seconds" doc:"That models took"`
	USD     float64 `json:"usd" doc:"US dollars, by the list prices that are known"`
}

// Thinking gives who thinks about one request; nil: the embedded mind alone. A mind that is named does everything; an empty name is what the
// person chose, with another mind for each task where they chose one. Every model keeps within the budgets of the request and of the day, and
// is asked again where it was unavailable.
//
// Faults: as of Model.
func (m *Minds) Thinking(ctx context.Context, s string) (*Thinking, error) {
	c := m.deps.Chosen()
	names := map[llm.Task]string{llm.Planning: s, llm.Narration: s, llm.Followups: s, llm.Judging: s, llm.Sorting: s}
	if s == "" {
		names = map[llm.Task]string{
			llm.Planning: cmp.Or(c.Planning, c.Mind), llm.Narration: cmp.Or(c.Narration, c.Mind), llm.Followups: cmp.Or(c.Followups, c.Mind), llm.Judging: c.Mind, llm.Sorting: c.Mind,
		}
	}
	t := &Thinking{Budget: llm.NewBudget(c.Question.bounds(), m.today(), m.deps.Now)}
	models := map[llm.Task]llm.Model{}
	for _, task := range []llm.Task{llm.Planning, llm.Narration, llm.Followups, llm.Judging, llm.Sorting} {
		model, err := m.Model(ctx, names[task])
		if err != nil {
			return nil, err
		}
		if model == nil {
			continue
		}
		t.Name = cmp.Or(t.Name, names[task])
		models[task] = llm.WithRetries(t.Budget.Model(model), m.deps.Patience)
	}
	if t.Name == "" {
		return nil, nil
	}
	t.Select = func(task llm.Task) llm.Model { return models[task] }
	return t, nil
}

func (b Budget) bounds() llm.Bounds {
	return llm.Bounds{Calls: b.Calls, Tokens: b.Tokens, Time: time.Duration(b.Seconds) * time.Second, Dollars: b.USD}
}

// today gives the count of the day, with the bounds of now.
func (m *Minds) today() *llm.Daily {
	m.mu.Lock()
	defer m.mu.Unlock()
	bounds := m.deps.Chosen().Day.bounds()
	if m.daily == nil {
		var kept llm.Day
		if m.deps.Day != nil {
			kept = m.deps.Day()
		}
		m.daily = llm.NewDaily(bounds, kept, m.deps.Now, m.deps.Keep)
	}
	m.daily.Bound(bounds)
	return m.daily
}

// Spent gives what models used today.
func (m *Minds) Spent() Spent {
	d := m.today().Today()
	return Spent{Day: d.Date, Calls: d.Spent.Calls, Tokens: d.Spent.Tokens, Seconds: int(d.Spent.Time / time.Second), USD: d.Spent.Dollars}
}

// Judges names the mind that compares pieces of shared knowledge; empty: the embedded one is chosen, which compares them by rules alone, or it may not be asked. It asks nobody.
func (m *Minds) Judges() string {
	n, err := m.Name("")
	if err != nil || n.Provider == "" || m.May(n) != nil {
		return ""
	}
	return n.String()
}
