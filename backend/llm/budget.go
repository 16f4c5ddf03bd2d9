package llm

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"assay/backend/fault"
	"assay/backend/text"
)

// Bounds are what may be used. 0: no bound. Money can only be bounded for models whose price is known.
type Bounds struct {
	Calls   int           `json:"calls" minimum:"0" doc:"How often a model is asked"`
	Tokens  int           `json:"tokens" minimum:"0" doc:"Of requests and replies together"`
	Time    time.Duration `json:"time" minimum:"0" doc:"Nanoseconds of waiting for models"`
	Dollars float64       `json:"dollars" minimum:"0" doc:"US dollars"`
}

// Spent is what was used.
type Spent struct {
	Calls   int           `json:"calls"`
	Tokens  int           `json:"tokens"`
	Time    time.Duration `json:"time"`
	Dollars float64       `json:"dollars"`
}

func (s Spent) plus(o Spent) Spent {
	return Spent{Calls: s.Calls + o.Calls, Tokens: s.Tokens + o.Tokens, Time: s.Time + o.Time, Dollars: s.Dollars + o.Dollars}
}

// over names the first bound that is exceeded; empty: none.
func (s Spent) over(b Bounds) string {
	switch {
	case b.Calls > 0 && s.Calls > b.Calls:
		return "calls"
	case b.Tokens > 0 && s.Tokens > b.Tokens:
		return "tokens"
	case b.Time > 0 && s.Time >= b.Time:
		return "time"
	case b.Dollars > 0 && s.Dollars > b.Dollars:
		return "money"
	}
	return ""
}

// Day is what was used on one day, for whoever keeps it between two runs of the program.
type Day struct {
	Date  string `json:"date"` // 2006-01-02, as the clock of this machine has it
	Spent Spent  `json:"spent"`
}

// Daily counts what all questions of a day use together. It is safe for concurrent use.
type Daily struct {
	now  func() time.Time
	keep func(Day)

	mu       sync.Mutex
	bounds   Bounds
	day      Day
	reserved Spent
}

// NewDaily goes on from a day that was kept, if it is still that day. keep is called after each use with what is to be kept; nil: nobody does.
func NewDaily(b Bounds, kept Day, now func() time.Time, keep func(Day)) *Daily {
	return &Daily{bounds: b, day: kept, now: now, keep: keep}
}

// Bound changes the bounds, from the next request on.
func (d *Daily) Bound(b Bounds) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.bounds = b
}

// Today gives what was used today.
func (d *Daily) Today() Day {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.turn()
	return d.day
}

// turn begins a new day where one has. What is under way counts for the day on which it ends.
func (d *Daily) turn() {
	if date := d.now().Format(time.DateOnly); date != d.day.Date {
		d.day = Day{Date: date}
	}
}

func (d *Daily) reserve(s Spent) (over string, left time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.turn()
	if over = d.day.Spent.plus(d.reserved).plus(s).over(d.bounds); over == "" {
		d.reserved = d.reserved.plus(s)
		if d.bounds.Time > 0 {
			left = d.bounds.Time - d.day.Spent.Time
		}
	}
	return over, left
}

func (d *Daily) settle(reserved, used Spent) {
	d.mu.Lock()
	d.turn()
	d.reserved = d.reserved.plus(reserved.negative())
	d.day.Spent = d.day.Spent.plus(used)
	day := d.day
	if d.keep != nil {
		d.keep(day) // inside: an older day must not be kept over a newer one
	}
	d.mu.Unlock()
}

func (s Spent) negative() Spent {
	return Spent{Calls: -s.Calls, Tokens: -s.Tokens, Time: -s.Time, Dollars: -s.Dollars}
}

// Budget is what one question may use, and the day that it counts for. It is safe for concurrent use.
//
// Before a request its tokens are estimated, with as many for the reply as it allows, and set aside; a request that would go over a bound is
// not sent. Afterwards what was really used counts. So a bound is exceeded by no more than an estimate is wrong.
type Budget struct {
	bounds Bounds
	daily  *Daily
	now    func() time.Time

	mu              sync.Mutex
	spent, reserved Spent
}

// NewBudget is for one question. daily nil: no day is counted.
func NewBudget(b Bounds, daily *Daily, now func() time.Time) *Budget {
	return &Budget{bounds: b, daily: daily, now: now}
}

// Spent gives what the question has used so far.
func (b *Budget) Spent() Spent {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

// Model is m within the budget. Where it is asked again by WithRetries each time counts, so that this one stands inside:
// WithRetries(budget.Model(m), ...). Fault Limit: a bound is reached; nothing was sent, or it was stopped because its time was over.
func (b *Budget) Model(m Model) Model { return &budgeted{Model: m, b: b} }

type budgeted struct {
	Model
	b *Budget
}

// Send is that of Model.
func (m *budgeted) Send(ctx context.Context, r Request, hear func(Chunk)) (Response, error) {
	card := m.Card()
	guess := Usage{Input: Estimate(r), Output: r.MaxTokens}
	want := Spent{Calls: 1, Tokens: guess.Input + guess.Output, Dollars: card.Price.Of(guess)}
	left, whose, err := m.b.reserve(want)
	if err != nil {
		return Response{}, err
	}
	if left > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, left, errOutOfTime)
		defer cancel()
	}
	begun := m.b.now()
	res, err := m.Model.Send(ctx, r, hear)
	m.b.settle(want, Spent{Calls: 1, Tokens: res.Usage.Input + res.Usage.Output, Time: m.b.now().Sub(begun), Dollars: card.Price.Of(res.Usage)})
	if err != nil && errors.Is(context.Cause(ctx), errOutOfTime) {
		return res, m.b.reached(whose, "time")
	}
	return res, err
}

// Embedder is e within the budget. Its protocols say not what was used: tokens count as they are estimated. Fault Limit as of Model.
func (b *Budget) Embedder(e Embedder) Embedder { return &budgetedEmbedder{Embedder: e, b: b} }

type budgetedEmbedder struct {
	Embedder
	b *Budget
}

// Embed is that of Embedder.
func (e *budgetedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	want := Spent{Calls: 1}
	for _, t := range texts {
		want.Tokens += EstimateText(t)
	}
	left, whose, err := e.b.reserve(want)
	if err != nil {
		return nil, err
	}
	if left > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, left, errOutOfTime)
		defer cancel()
	}
	begun := e.b.now()
	vectors, err := e.Embedder.Embed(ctx, texts)
	e.b.settle(want, Spent{Calls: 1, Tokens: want.Tokens, Time: e.b.now().Sub(begun)})
	if err != nil && errors.Is(context.Cause(ctx), errOutOfTime) {
		return nil, e.b.reached(whose, "time")
	}
	return vectors, err
}

var errOutOfTime = errors.New("the time of the budget is used up")

// reserve sets aside what a request may use. left is the time that it has, and whose it is; 0: no bound.
func (b *Budget) reserve(want Spent) (left time.Duration, whose string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if over := b.spent.plus(b.reserved).plus(want).over(b.bounds); over != "" {
		return 0, "", b.reached("question", over)
	}
	whose = "question"
	if b.bounds.Time > 0 {
		left = b.bounds.Time - b.spent.Time
	}
	if b.daily != nil {
		over, ofDay := b.daily.reserve(want)
		if over != "" {
			return 0, "", b.reached("day", over)
		}
		if ofDay > 0 && (left == 0 || ofDay < left) {
			left, whose = ofDay, "day"
		}
	}
	b.reserved = b.reserved.plus(want)
	return left, whose, nil
}

func (b *Budget) settle(reserved, used Spent) {
	b.mu.Lock()
	b.reserved = b.reserved.plus(reserved.negative())
	b.spent = b.spent.plus(used)
	b.mu.Unlock()
	if b.daily != nil {
		b.daily.settle(reserved, used)
	}
}

// reached is the fault of a bound: whose it is (question or day), and what it is of.
func (b *Budget) reached(whose, of string) error {
	bounds := b.bounds
	if whose == "day" {
		b.daily.mu.Lock()
		bounds = b.daily.bounds
		b.daily.mu.Unlock()
	}
	amount := map[string]string{
		"calls": strconv.Itoa(bounds.Calls), "tokens": strconv.Itoa(bounds.Tokens), "time": bounds.Time.String(),
		"money": strconv.FormatFloat(bounds.Dollars, 'f', 2, 64),
	}[of]
	return fault.New(fault.Limit, "ask model", text.Say("llm.budget_"+whose+"_"+of, "amount", amount), text.Say("llm.budget_"+whose+"_hint"))
}

// Of gives what a usage costs, in US dollars.
func (p Price) Of(u Usage) float64 {
	plain := u.Input - u.CacheRead - u.CacheWrite
	return (float64(plain)*p.Input + float64(u.Output)*p.Output + float64(u.CacheRead)*p.CacheRead + float64(u.CacheWrite)*p.CacheWrite) / 1e6
}
