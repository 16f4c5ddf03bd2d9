package risk

import (
	"math"
	"strconv"

	"assay/backend/text"
)

// Factors are the four parts of an error likelihood, each 0 to 1; nil: it cannot be known.
type Factors struct {
	Complexity *float64 `json:"complexity"`
	SourceRisk *float64 `json:"source_risk"`
	Novelty    *float64 `json:"novelty"`
	Ambiguity  *float64 `json:"ambiguity"`
}

// parts gives the factors in the order of Weights.parts.
func (f Factors) parts() [4]*float64 {
	return [4]*float64{valid(f.Complexity), valid(f.SourceRisk), valid(f.Novelty), valid(f.Ambiguity)}
}

// Evidence is what is known when a request is judged. A zero field means that it is not known or not asked for.
type Evidence struct {
	Shape    *Shape // nil: there is no plan yet, so that the likelihood is provisional
	Sources  []Source
	Golden   Nearest
	Meanings Meanings
	Stakes   Stakes
	Weights  *Weights // nil: equal
}

// Assessment is the risk of one request. Likelihood is 0 to 1; without any factor it is 1 and says so.
type Assessment struct {
	Likelihood   float64  `json:"likelihood"`
	Provisional  bool     `json:"provisional"`   // judged at SCOPE, before a plan; judge again at PLAN and after a clarification
	RecheckFirst bool     `json:"recheck_first"` // novelty is high: check epochs and model version before planning
	Factors      Factors  `json:"factors"`
	Weights      Weights  `json:"weights"` // in force, before renormalising
	Cost         Cost     `json:"cost"`
	Reasons      []string `json:"reasons"`
}

// Assess judges. It has no memory: the same evidence gives the same assessment, and after a clarification new evidence
// gives a new one.
func Assess(e Evidence) Assessment {
	a := Assessment{Provisional: e.Shape == nil, Weights: EqualWeights()}
	if e.Weights != nil {
		a.Weights = *e.Weights
	}
	say := func(reasons ...string) { a.Reasons = append(a.Reasons, reasons...) }

	if e.Shape == nil {
		say(text.Say("risk.complexity_unknown"))
	} else {
		a.Factors.Complexity = known(e.Shape.Complexity())
		say(text.Say("risk.complexity", "value", figure(*a.Factors.Complexity), "parts", e.Shape.words()))
	}
	source, reasons := SourceRisk(e.Sources)
	a.Factors.SourceRisk = source
	say(reasons...)
	novelty, reason := Novelty(e.Golden)
	a.Factors.Novelty = novelty
	say(reason)
	if novelty != nil && *novelty >= HighNovelty {
		a.RecheckFirst = true
		say(text.Say("risk.recheck_first", "value", figure(*novelty), "limit", figure(HighNovelty)))
	}
	ambiguity, reason := e.Meanings.Ambiguity()
	a.Factors.Ambiguity = known(ambiguity)
	say(reason)

	likelihood, used := Likelihood(a.Factors, a.Weights)
	a.Likelihood = likelihood
	key := "risk.likelihood"
	if a.Provisional {
		key = "risk.likelihood_provisional"
	}
	say(text.Say(key, "value", figure(likelihood), "used", used, "weights", a.Weights.words(a.Factors)))

	a.Cost = e.Stakes.Cost()
	say(a.Cost.Reasons...)
	return a
}

// Likelihood is the weighted mean of the factors that are known, and how many these are; 1 when there is none, because
// nothing speaks for the answer.
func Likelihood(f Factors, w Weights) (likelihood float64, used int) {
	sum, total := 0.0, 0.0
	weights := w.parts()
	for i, factor := range f.parts() {
		if factor != nil {
			sum, total, used = sum+weights[i]**factor, total+weights[i], used+1
		}
	}
	if total <= 0 {
		return 1, 0
	}
	return clamp(sum / total), used
}

// figure writes a share with two digits: 0.46.
func figure(x float64) string { return strconv.FormatFloat(math.Round(x*100)/100, 'f', 2, 64) }
