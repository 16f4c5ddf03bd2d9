package anthropic

import (
	"regexp"
	"strings"

	"assay/backend/llm"
)

// known are windows, longest replies and prices in US dollars for a million tokens, by the beginning of a model's name; of several the longest
// counts. Source: platform.claude.com/docs/en/about-claude/pricing, March 2026, seen again in November (writing to the cache for five minutes costs 1.25 times the input,
// reading from it a tenth). Models that are not here have no price, and the window of the smallest.
var known = []struct {
	prefix         string
	window, output int
	input, reply   float64
}{
	{"claude-opus-4-6", 1_000_000, 128_000, 5, 25},
	{"claude-opus-4-5", 200_000, 64_000, 5, 25},
	{"claude-opus-4-1", 200_000, 32_000, 15, 75},
	{"claude-opus-4-2025", 200_000, 32_000, 15, 75},
	{"claude-sonnet-4-6", 1_000_000, 64_000, 3, 15},
	{"claude-sonnet-4", 200_000, 64_000, 3, 15},
	{"claude-haiku-4-5", 200_000, 64_000, 1, 5},
	{"claude-3-5-haiku", 200_000, 8_192, 0.80, 4},
	{"claude-3-haiku", 200_000, 4_096, 0.25, 1.25},
}

func (p *Provider) card(id string) llm.Card {
	c := llm.Card{
		Provider: name, Model: id, Endpoint: p.address.Host, Local: p.address.Local,
		Window: 200_000, Output: 8_192, Tools: true, Schema: true,
	}
	best := ""
	for _, k := range known {
		if strings.HasPrefix(id, k.prefix) && len(k.prefix) > len(best) {
			best, c.Window, c.Output = k.prefix, k.window, k.output
			c.Price = llm.Price{Input: k.input, Output: k.reply, CacheRead: k.input / 10, CacheWrite: k.input * 1.25}
		}
	}
	if p.address.Local {
		c.Price = llm.Price{} // a compatible server of this machine
	}
	return c
}

// before were models that cannot be held to a schema by output_config: the reply is taken from a tool that they have to use.
var before = regexp.MustCompile(`^claude-(2|3|instant|opus-4-0|sonnet-4-0|opus-4-2025|sonnet-4-2025)`)

func hasFormat(id string) bool { return !before.MatchString(id) }
