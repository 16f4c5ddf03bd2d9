package openai

import (
	"strings"

	"assay/backend/llm"
)

// known are windows, longest replies and prices in US dollars for a million tokens, by the beginning of a model's name; of several the longest
// counts. Source: public summaries of the provider's price list, June 2026; the list itself was not seen. Models that are not here have no price.
var known = []struct {
	prefix               string
	window, output       int
	input, cached, reply float64
}{
	{"gpt-5.5", 1_000_000, 128_000, 5, 0.50, 30},
	{"gpt-5.4", 1_000_000, 128_000, 2.50, 0.25, 15},
	{"gpt-5.4-mini", 1_000_000, 128_000, 0.75, 0.075, 4.50},
	{"gpt-5.4-nano", 1_000_000, 128_000, 0.20, 0.02, 1.25},
	{"gpt-5.1", 400_000, 128_000, 1.25, 0.125, 10},
	{"gpt-5-mini", 400_000, 128_000, 0.25, 0.025, 2},
	{"gpt-5-nano", 400_000, 128_000, 0.05, 0.005, 0.40},
	{"gpt-4.1", 1_000_000, 32_768, 2, 0.50, 8},
	{"gpt-4.1-mini", 1_000_000, 32_768, 0.40, 0.10, 1.60},
	{"gpt-4.1-nano", 1_000_000, 32_768, 0.10, 0.025, 0.40},
	{"gpt-4o", 128_000, 16_384, 2.50, 1.25, 10},
	{"gpt-4o-mini", 128_000, 16_384, 0.15, 0.075, 0.60},
	{"o3", 200_000, 100_000, 2, 0.50, 8},
	{"o4-mini", 200_000, 100_000, 1.10, 0.275, 4.40},
}

// unpriced are models whose name begins like one that has another price.
var unpriced = []string{"gpt-5.5-pro", "gpt-5.4-pro", "o3-mini", "o3-pro"}

func (p *Provider) card(id string) llm.Card {
	c := llm.Card{Provider: name, Model: id, Endpoint: p.address.Host, Local: p.address.Local, Tools: true, Schema: true, LogProbs: !reasons(id)}
	if !p.official() {
		return c // a name says nothing about the model behind another server
	}
	best := ""
	for _, k := range known {
		if strings.HasPrefix(id, k.prefix) && len(k.prefix) > len(best) {
			best, c.Window, c.Output = k.prefix, k.window, k.output
			c.Price = llm.Price{Input: k.input, Output: k.reply, CacheRead: k.cached, CacheWrite: k.input}
		}
	}
	for _, u := range unpriced {
		if strings.HasPrefix(id, u) {
			c.Price = llm.Price{}
		}
	}
	return c
}

// reasons says whether a model of OpenAI thinks before it answers: these give no likelihoods.
func reasons(id string) bool {
	return strings.HasPrefix(id, "o1") || strings.HasPrefix(id, "o3") || strings.HasPrefix(id, "o4") || strings.HasPrefix(id, "gpt-5")
}
