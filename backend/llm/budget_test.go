package llm_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
)

// clock is a time that a test turns on.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func morning() *clock { return &clock{at: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)} }

// costly is a model of which each request takes a second and uses 100 tokens, for a dollar.
func costly(c *clock) *llmtest.Mind {
	card := llmtest.Card
	card.Price = llm.Price{Input: 10_000, Output: 10_000, CacheRead: 1_000}
	return llmtest.NewMind(card, func(llm.Request) llmtest.Reply {
		c.add(time.Second)
		return llmtest.Reply{Text: "yes", Usage: llm.Usage{Input: 60, Output: 40}}
	})
}

func TestBudgetOfAQuestion(t *testing.T) {
	for name, bounds := range map[string]llm.Bounds{"calls": {Calls: 3}, "tokens": {Tokens: 310}, "time": {Time: 3 * time.Second}, "money": {Dollars: 3.05}} {
		c := morning()
		mind := costly(c)
		b := llm.NewBudget(bounds, nil, c.now)
		m := b.Model(mind)
		q := ask("x")
		q.MaxTokens = 40 // are set aside
		for n := 1; n <= 5; n++ {
			_, err := m.Send(t.Context(), q, nil)
			if n <= 3 && err != nil {
				t.Errorf("%s: request %d: %v", name, n, err)
			}
			if n > 3 && (fault.CodeOf(err) != fault.Limit || strings.ContainsAny(err.Error(), "[{")) {
				t.Errorf("%s: request %d: %v", name, n, err)
			}
		}
		if len(mind.Asked()) != 3 {
			t.Errorf("%s: asked %d times", name, len(mind.Asked()))
		}
		if s := b.Spent(); s.Calls != 3 || s.Tokens != 300 || s.Time != 3*time.Second || s.Dollars < 2.999 || s.Dollars > 3.001 {
			t.Errorf("%s: spent %+v", name, s)
		}
	}
}

func TestBudgetOfADay(t *testing.T) {
	c := morning()
	mind := costly(c)
	var kept llm.Day
	daily := llm.NewDaily(llm.Bounds{Calls: 3}, llm.Day{Date: "2026-03-01", Spent: llm.Spent{Calls: 3}}, c.now, func(d llm.Day) { kept = d })
	send := func() error {
		_, err := llm.NewBudget(llm.Bounds{Calls: 2}, daily, c.now).Model(mind).Send(t.Context(), ask("x"), nil)
		return err
	}
	for range 3 {
		if err := send(); err != nil {
			t.Fatal("what was used yesterday counts today:", err)
		}
	}
	if err := send(); fault.CodeOf(err) != fault.Limit || !strings.Contains(err.Error(), "Tomorrow") {
		t.Errorf("the day: %v", err)
	}
	if kept.Date != "2026-03-02" || kept.Spent.Calls != 3 || kept.Spent.Tokens != 300 || daily.Today() != kept {
		t.Errorf("kept %+v", kept)
	}
	// The program ends, and begins again.
	daily = llm.NewDaily(llm.Bounds{Calls: 3}, kept, c.now, nil)
	if err := send(); fault.CodeOf(err) != fault.Limit {
		t.Errorf("the day is forgotten: %v", err)
	}
	daily.Bound(llm.Bounds{Calls: 4})
	if err := send(); err != nil {
		t.Error(err)
	}
	c.add(24 * time.Hour)
	if err := send(); err != nil || daily.Today().Spent.Calls != 1 {
		t.Errorf("the next day: %v, %+v", err, daily.Today())
	}
}

// TestBudgetHoldsAtOnce sends many requests together: what is under way counts.
func TestBudgetHoldsAtOnce(t *testing.T) {
	c := morning()
	mind := costly(c)
	daily := llm.NewDaily(llm.Bounds{Calls: 1000}, llm.Day{}, c.now, nil)
	m := llm.NewBudget(llm.Bounds{Calls: 7}, daily, c.now).Model(mind)
	var all sync.WaitGroup
	var mu sync.Mutex
	refused := 0
	for range 30 {
		all.Go(func() {
			if _, err := m.Send(t.Context(), ask("x"), nil); err != nil {
				mu.Lock()
				refused++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if len(mind.Asked()) != 7 || refused != 23 || daily.Today().Spent.Calls != 7 {
		t.Errorf("asked %d times, refused %d, the day %+v", len(mind.Asked()), refused, daily.Today())
	}
}

func TestBudgetEndsARequestWhoseTimeIsOver(t *testing.T) {
	c := morning()
	mind := llmtest.NewMind(llmtest.Card, llmtest.Always(llmtest.Reply{Fault: llmtest.FaultDeaf}))
	b := llm.NewBudget(llm.Bounds{Time: time.Nanosecond}, nil, c.now)
	if _, err := b.Model(mind).Send(t.Context(), ask("x"), nil); fault.CodeOf(err) != fault.Limit || !strings.Contains(err.Error(), "waited") {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := llm.NewBudget(llm.Bounds{Time: time.Hour}, nil, c.now).Model(mind).Send(ctx, ask("x"), nil); fault.CodeOf(err) != fault.Canceled {
		t.Error(err)
	}
}

// TestRetriesCountInABudget puts the budget inside: each time that a model is asked counts.
func TestRetriesCountInABudget(t *testing.T) {
	c := morning()
	mind := llmtest.NewMind(llmtest.Card, llmtest.Always(llmtest.Reply{Trouble: llm.Overloaded}))
	var pauses []time.Duration
	b := llm.NewBudget(llm.Bounds{Calls: 2}, nil, c.now)
	if _, err := llm.WithRetries(b.Model(mind), patience(&pauses)).Send(t.Context(), ask("x"), nil); fault.CodeOf(err) != fault.Limit || len(mind.Asked()) != 2 {
		t.Errorf("%v, asked %d times", err, len(mind.Asked()))
	}
}

func TestPrice(t *testing.T) {
	p := llm.Price{Input: 3, Output: 15, CacheRead: 0.3, CacheWrite: 3.75}
	if got := p.Of(llm.Usage{Input: 1_000_000, Output: 100_000, CacheRead: 600_000, CacheWrite: 200_000}); got < 3.029 || got > 3.031 { // 0.6 + 1.5 + 0.18 + 0.75
		t.Errorf("costs %v", got)
	}
}

// TestEveryTroubleCanBeRead says that each has a code and sentences with nothing left open.
func TestEveryTroubleCanBeRead(t *testing.T) {
	card := llm.Card{Provider: "ollama", Model: "tiny", Endpoint: "127.0.0.1:11434"}
	for _, trouble := range []llm.Trouble{
		llm.WrongKey, llm.NoCredit, llm.NotAllowed, llm.NoModel, llm.NoTools, llm.TooLong, llm.TooOften, llm.Overloaded, llm.NoConnection, llm.Broken,
		llm.Silent, llm.TooSlow, llm.TooLarge, llm.Malformed, llm.NotUsed, llm.StaysHere, llm.BadEndpoint,
	} {
		f := llm.Fail(trouble, card, 0, nil)
		if f.Code == fault.Internal || f.Code == "" || f.Message == "" || f.Hint == "" || strings.ContainsAny(f.Error(), "[{") {
			t.Errorf("%s: %s %q %q", trouble, f.Code, f.Message, f.Hint)
		}
		if llm.TroubleOf(f) != trouble {
			t.Errorf("%s is lost in its fault", trouble)
		}
	}
}

type countingEmbedder struct{ asked int }

func (*countingEmbedder) Name() string   { return "counting" }
func (*countingEmbedder) Card() llm.Card { return llm.Card{Model: "counting"} }
func (e *countingEmbedder) Embed(_ context.Context, texts []string) ([][]float32, error) {
	e.asked++
	return make([][]float32, len(texts)), nil
}

// An embedder counts for the day, and is not asked beyond its bounds.
func TestEmbeddersKeepWithinTheDay(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC) }
	day := llm.NewDaily(llm.Bounds{Tokens: 5}, llm.Day{}, now, nil)
	under := &countingEmbedder{}
	e := llm.NewBudget(llm.Bounds{}, day, now).Embedder(under)
	if _, err := e.Embed(t.Context(), []string{"twelve bytes", ""}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"twelve bytes"}); fault.CodeOf(err) != fault.Limit || under.asked != 1 {
		t.Errorf("asked %d times, %v", under.asked, err)
	}
	if got := day.Today().Spent; got.Calls != 1 || got.Tokens != 3 {
		t.Errorf("%+v", got)
	}
}
