//go:build cgo && unix

package speed

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/api"
	"assay/backend/llm"
	"assay/backend/llm/anthropic"
	"assay/backend/llm/llmtest"
	"assay/backend/llm/ollama"
	"assay/backend/llm/openai"
	"assay/backend/rules"
	"assay/backend/workspace"
)

// wires are the adapters with the servers that stand for their providers.
var wires = []struct {
	name  string
	serve func(testing.TB, llmtest.Script, ...func(*llmtest.Server)) *llmtest.Server
	open  func(llm.Endpoint) (llm.Provider, error)
}{
	{"anthropic", llmtest.Anthropic, func(e llm.Endpoint) (llm.Provider, error) { return anthropic.New(e) }},
	{"openai", llmtest.OpenAI, func(e llm.Endpoint) (llm.Provider, error) { return openai.New(e) }},
	{"ollama", llmtest.Ollama, func(e llm.Endpoint) (llm.Provider, error) { return ollama.New(e) }},
}

// thinking opens the Northwind sample with a model that thinks about every question, over a wire, with the budget and the retries of every model.
func thinking(b *testing.B, task llm.Task, server *llmtest.Server, open func(llm.Endpoint) (llm.Provider, error)) *workspace.Workspace {
	b.Helper()
	p, err := open(server.Endpoint())
	if err != nil {
		b.Fatal(err)
	}
	m := llm.WithRetries(llm.NewBudget(llm.Bounds{}, nil, time.Now).Model(p.Open(llmtest.Model)), llm.Patience{})
	w, err := workspace.OpenSample(b.Context(), "northwind", workspace.Options{DataDir: b.TempDir(), Now: time.Now, Thinkers: func(context.Context, rules.Actor, string) (*analyst.Thinker, error) {
		return &analyst.Thinker{Name: "wire:" + llmtest.Model, Rows: analyst.RowsMasked, Always: task == llm.Planning, Select: func(asked llm.Task) llm.Model {
			if asked != task {
				return nil
			}
			return m
		}}, nil
	}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = w.Close() })
	return w
}

// spans are times between what a provider did and what came of it.
type spans struct {
	mu    sync.Mutex
	since time.Time
	all   []float64 // ms
}

func (s *spans) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since = time.Now()
}

func (s *spans) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.since.IsZero() {
		s.all, s.since = append(s.all, float64(time.Since(s.since).Microseconds())/1000), time.Time{}
	}
}

// What a turn of ours may take, and the first word of a model from its wire to whoever listens, both in ms. The median is held to it.
const (
	turnAim = 20
	wordAim = 150
)

func (s *spans) report(b *testing.B, aim float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.Sort(s.all)
	if len(s.all) == 0 {
		b.Fatal("nothing was measured")
	}
	b.ReportMetric(s.all[len(s.all)/2], "p50-ms")
	b.ReportMetric(aim, "aim-ms")
	if s.all[len(s.all)/2] > aim {
		b.Errorf("the median of %.1f ms misses the aim of %.0f ms", s.all[len(s.all)/2], aim)
	}
	b.ReportMetric(s.all[len(s.all)*95/100], "p95-ms")
	b.ReportMetric(s.all[len(s.all)-1], "max-ms")
}

// BenchmarkLoopTurn is what a turn of the loop takes that is ours: from the first byte of a reply on the wire to the next request, which has come whole. In between the reply is read,
// the tools it calls do their work, the steps are kept, the next request is built and written. A run has eight turns; two of them run a query.
func BenchmarkLoopTurn(b *testing.B) {
	for _, wire := range wires {
		b.Run(wire.name, func(b *testing.B) {
			var between spans
			turn := 0
			moves := []llmtest.Reply{
				llmtest.Call("list_families", `{}`),
				llmtest.Calls(llm.Call{Name: "describe_family", Arguments: []byte(`{"name":"revenue"}`)}, llm.Call{Name: "describe_family", Arguments: []byte(`{"name":"customers"}`)}),
				llmtest.Call("search_values", `{"words":"germany"}`),
				llmtest.Call("verification_level", `{}`),
				llmtest.Call("execute_frame_ql", `{"frame_ql":"SELECT customers.country, revenue DURING 1997"}`),
				llmtest.Call("propose_frame_ql", `{"intent_summary":"revenue by category in 1997"}`),
				llmtest.Call("execute_frame_ql", `{"frame_ql":"SELECT categories.category_name, revenue DURING 1997"}`),
				llmtest.Text("done"),
			}
			server := wire.serve(b, func(llm.Request) llmtest.Reply {
				between.end()
				reply := moves[turn%len(moves)]
				if turn++; turn%len(moves) != 0 {
					reply.Begun = between.begin
				}
				return reply
			}, func(s *llmtest.Server) { s.Models[0].Window = 200_000 })
			w := thinking(b, llm.Planning, server, wire.open)
			for b.Loop() {
				before := turn
				a, err := w.Ask(b.Context(), analyst.Request{Question: "revenue by category in 1997", NoCache: true}, nil)
				if err != nil {
					b.Fatal(err)
				}
				if turn-before != len(moves) {
					b.Fatalf("%d turns: %v", turn-before, a.Understood.Assumptions)
				}
			}
			between.report(b, turnAim)
		})
	}
}

// BenchmarkFirstWord is how long the first piece of what a model writes takes from the provider's wire to whoever listens to the answer over HTTP, as the window does. What the window
// adds to that is measured in a browser (make first-word).
func BenchmarkFirstWord(b *testing.B) {
	for _, wire := range wires {
		b.Run(wire.name, func(b *testing.B) {
			var between spans
			reply := llmtest.Text("{r3.category_name} leads with {r3.revenue}. {r7.category_name} is lowest.")
			reply.Begun = between.begin
			server := wire.serve(b, llmtest.Always(reply))
			w := thinking(b, llm.Narration, server, wire.open)
			doors := api.New(w, api.Options{})
			web := httptest.NewServer(doors)
			b.Cleanup(func() { web.Close(); doors.Close() })
			for b.Loop() {
				if err := firstWord(b.Context(), web.URL, between.end); err != nil {
					b.Fatal(err)
				}
			}
			between.report(b, wordAim)
		})
	}
}

// firstWord asks a question, and calls heard when the first piece of the narration has come.
func firstWord(ctx context.Context, url string, heard func()) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/api/ask", strings.NewReader(`{"question":"revenue by category in 1997"}`))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	drafts := 0
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		if lines.Text() != "event: draft" {
			continue
		}
		if drafts++; drafts == 1 {
			heard()
		}
	}
	if drafts == 0 {
		return fmt.Errorf("no draft came")
	}
	return lines.Err()
}
