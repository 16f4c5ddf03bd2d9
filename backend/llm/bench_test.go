package llm_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"assay/backend/llm"
	"assay/backend/llm/anthropic"
	"assay/backend/llm/llmtest"
	"assay/backend/llm/ollama"
	"assay/backend/llm/openai"
)

type opened struct {
	serve func(t testing.TB, script llmtest.Script, options ...func(*llmtest.Server)) *llmtest.Server
	open  func(e llm.Endpoint) (llm.Provider, error)
}

var adapters = map[string]opened{
	"anthropic": {llmtest.Anthropic, func(e llm.Endpoint) (llm.Provider, error) { return anthropic.New(e) }},
	"openai":    {llmtest.OpenAI, func(e llm.Endpoint) (llm.Provider, error) { return openai.New(e) }},
	"ollama":    {llmtest.Ollama, func(e llm.Endpoint) (llm.Provider, error) { return ollama.New(e) }},
}

// heavy is a request as the loop sends it: 24 KiB of system, ten tools, a conversation.
func heavy() llm.Request {
	r := llm.Request{System: []llm.Block{{Text: strings.Repeat("All that a model is told. ", 600), Stable: true}, {Text: strings.Repeat("A memo. ", 1000), Stable: true}}, MaxTokens: 500}
	for range 10 {
		r.Tools = append(r.Tools, llm.Tool{Name: "look", Description: strings.Repeat("Looks at a column. ", 20), Schema: []byte(`{"type":"object","properties":{"entity":{"type":"string"},"column":{"type":"string"}},"required":["entity","column"],"additionalProperties":false}`)})
	}
	for range 5 {
		r.Messages = append(r.Messages, llm.Message{Role: llm.User, Text: "revenue by region"}, llm.Message{Role: llm.Assistant, Text: strings.Repeat("It rose. ", 50)})
	}
	r.Messages = append(r.Messages, llm.Message{Role: llm.User, Text: "and by month?"})
	return r
}

// BenchmarkSend is a whole exchange over the loopback through an adapter with budget and retries. "bare-ns" is the same bytes by plain HTTP,
// which the provider and the network would take anyway; "own-ns" is what is ours.
func BenchmarkSend(b *testing.B) {
	for name, a := range adapters {
		b.Run(name, func(b *testing.B) {
			s := a.serve(b, llmtest.Always(llmtest.Text(strings.Repeat("a word ", 50))))
			p, err := a.open(s.Endpoint())
			if err != nil {
				b.Fatal(err)
			}
			m := llm.WithRetries(llm.NewBudget(llm.Bounds{}, nil, time.Now).Model(p.Open(llmtest.Model)), llm.Patience{})
			r := heavy()
			send := func() {
				if _, err := m.Send(b.Context(), r, func(llm.Chunk) {}); err != nil {
					b.Fatal(err)
				}
			}
			send()
			heard := s.Heard()
			bare := bareTime(b, s.URL, heard[len(heard)-1])
			b.ResetTimer()
			for b.Loop() {
				send()
			}
			each := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(bare, "bare-ns")
			b.ReportMetric(each-bare, "own-ns")
		})
	}
}

func bareTime(b *testing.B, url string, h llmtest.Heard) float64 {
	const n = 200
	began := time.Now()
	for range n {
		q, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url+h.Path, bytes.NewReader(h.Body))
		if err != nil {
			b.Fatal(err)
		}
		q.Header = h.Header.Clone()
		res, err := http.DefaultClient.Do(q)
		if err != nil {
			b.Fatal(err)
		}
		if _, err = io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != http.StatusOK {
			b.Fatal(res.Status, err)
		}
		_ = res.Body.Close()
	}
	return float64(time.Since(began).Nanoseconds()) / n
}

// BenchmarkFirstPiece is from when a provider begins to send to when the first piece of text is heard.
func BenchmarkFirstPiece(b *testing.B) {
	for name, a := range adapters {
		b.Run(name, func(b *testing.B) {
			begun := make(chan time.Time, 1)
			s := a.serve(b, llmtest.Always(llmtest.Reply{Text: "a few words of a reply", Begun: func() { begun <- time.Now() }}))
			p, err := a.open(s.Endpoint())
			if err != nil {
				b.Fatal(err)
			}
			m := p.Open(llmtest.Model)
			r := heavy()
			var sum, most time.Duration
			n := 0
			for b.Loop() {
				var first time.Time
				if _, err := m.Send(b.Context(), r, func(llm.Chunk) {
					if first.IsZero() {
						first = time.Now()
					}
				}); err != nil {
					b.Fatal(err)
				}
				d := first.Sub(<-begun)
				sum, most, n = sum+d, max(most, d), n+1
			}
			b.ReportMetric(float64(sum.Microseconds())/float64(n), "first-µs")
			b.ReportMetric(float64(most.Microseconds()), "most-µs")
		})
	}
}

func BenchmarkHash(b *testing.B) {
	r := heavy()
	for b.Loop() {
		llm.Hash(r)
	}
}
