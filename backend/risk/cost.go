package risk

import (
	"math"
	"slices"
	"strings"

	"assay/backend/text"
)

// Stakes are what makes an error expensive. The zero value is an ordinary question.
type Stakes struct {
	Criticality  string   `json:"criticality"` // low normal high, as stated; empty: normal
	Audience     []string `json:"audience"`    // of Audiences; what else it says is left out
	Irreversible bool     `json:"irreversible"`
	Urgent       bool     `json:"urgent"`
	Serious      []string `json:"serious"` // what it is about where the person called an error serious lately, as labels
}

// Audiences are who may read an answer besides who asked, by what an error before them costs.
var audiences = map[string]float64{
	"team":      0.4,
	"customer":  0.6,
	"executive": 0.7,
	"board":     0.8,
	"investor":  0.9,
	"auditor":   0.9,
	"regulator": 1,
	"public":    1,
}

// The costs of a stated criticality, and what haste and what cannot be undone add: haste leaves less time to notice an
// error, and a figure that was filed or published stays.
const (
	lowCost          = 0.2
	normalCost       = 0.4
	highCost         = 0.7
	seriousCost      = 0.6
	urgentAdds       = 0.05
	irreversibleAdds = 0.15
	// HighCost is the cost from which it is labelled high; below 0.3 it is low.
	HighCost      = 0.5
	ordinaryStart = 0.3
)

// Cost is what an error is expected to cost, 0 to 1.
type Cost struct {
	Value   float64  `json:"value"`
	Label   string   `json:"label"` // low normal high
	Reasons []string `json:"reasons"`
}

// Cost is the greatest of what the criticality, the audience and serious errors of before say, with a little for haste and for what cannot be undone.
// Reading undoes nothing, so that a plain question adds nothing there.
func (s Stakes) Cost() Cost {
	value, reasons := normalCost, []string{}
	switch strings.ToLower(s.Criticality) {
	case "low":
		value = lowCost
		reasons = append(reasons, text.Say("risk.stated_low"))
	case "high":
		value = highCost
		reasons = append(reasons, text.Say("risk.stated_high"))
	}
	for _, who := range slices.Compact(slices.Sorted(slices.Values(s.Audience))) {
		if cost, ok := audiences[who]; ok {
			value = math.Max(value, cost)
			reasons = append(reasons, text.Say("risk.audience", "who", text.Say("risk.audience_"+who), "value", figure(cost)))
		}
	}
	if len(s.Serious) > 0 {
		value = math.Max(value, seriousCost)
		reasons = append(reasons, text.Say("risk.serious", "what", strings.Join(s.Serious, ", "), "value", figure(seriousCost)))
	}
	if s.Irreversible {
		value += irreversibleAdds
		reasons = append(reasons, text.Say("risk.irreversible", "value", figure(irreversibleAdds)))
	}
	if s.Urgent {
		value += urgentAdds
		reasons = append(reasons, text.Say("risk.urgent", "value", figure(urgentAdds)))
	}
	value = math.Round(clamp(value)*1e6) / 1e6 // 0.45 and not 0.45000000000000001: it is compared with limits
	c := Cost{Value: value, Label: labelOf(value)}
	reasons = append(reasons, text.Say("risk.cost", "value", figure(value), "label", text.Say("risk.cost_"+c.Label)))
	c.Reasons = reasons
	return c
}

func labelOf(cost float64) string {
	switch {
	case cost >= HighCost:
		return "high"
	case cost >= ordinaryStart:
		return "normal"
	}
	return "low"
}
