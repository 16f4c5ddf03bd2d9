package risk

import (
	"math"
	"slices"
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
	Doubts   []Doubt
	Stakes   Stakes
	Learned  *WeightSet // nil: nothing was learned
}

// Doubt is something in the answer itself that may be wrong.
type Doubt struct {
	Share  float64 // of such answers that were wrong because of it, 0 to 1
	Reason string  // a sentence
}

// LeastUnreviewed is the least likelihood of an error while a person has not reviewed what is used.
const LeastUnreviewed = 0.3

// Assessment is the risk of one request. Likelihood is 0 to 1.
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
	learned := WeightSet{Weights: StartWeights()}
	if e.Learned != nil {
		learned = *e.Learned
	}
	a := Assessment{Provisional: e.Shape == nil, Weights: learned.Weights}
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

	for i, factor := range a.Factors.parts() {
		if factor == nil {
			say(text.Say("risk.counts_as", "factor", text.Say(factorKeys[i]), "value", figure(learned.unknown(i))))
		}
	}
	likelihood, used := Likelihood(a.Factors, learned)
	if d := strongest(e.Doubts); d.Share > 0 {
		likelihood = max(likelihood, doubted(a.Factors, learned, d))
		say(text.Say("risk.doubt", "reason", d.Reason, "value", figure(d.Share)))
	}
	if slices.ContainsFunc(e.Sources, func(s Source) bool { return s.Inferred }) && likelihood < LeastUnreviewed {
		likelihood = LeastUnreviewed
		say(text.Say("risk.unreviewed", "least", figure(LeastUnreviewed)))
	}
	a.Likelihood = likelihood
	key := "risk.likelihood"
	if a.Provisional {
		key = "risk.likelihood_provisional"
	}
	say(text.Say(key, "value", figure(likelihood), "used", used, "weights", a.Weights.words()))

	a.Cost = e.Stakes.Cost()
	say(a.Cost.Reasons...)
	return a
}

// strongest is the doubt that weighs most, the first of several; the zero Doubt: there is none. Doubts of one answer often have one
// cause, so that the others add nothing.
func strongest(all []Doubt) (most Doubt) {
	for _, d := range all {
		if share := valid(&d.Share); share != nil && *share > most.Share {
			most = Doubt{*share, d.Reason}
		}
	}
	return most
}

// doubted is how likely an error is by a doubt, which is another view of what the ambiguity tells: the two do not add up.
func doubted(f Factors, learned WeightSet, d Doubt) float64 {
	f.Ambiguity = known(0)
	otherwise, _ := Likelihood(f, learned)
	return 1 - (1-otherwise)*(1-d.Share)
}

// Likelihood is the weighted mean of the factors, and how many of them are known. One that is not known counts as what the
// outcomes say of it, and as the middle of its upper half while they say nothing.
func Likelihood(f Factors, learned WeightSet) (likelihood float64, used int) {
	sum, total := 0.0, 0.0
	weights := learned.Weights.parts()
	for i, factor := range f.parts() {
		value := learned.unknown(i)
		if factor != nil {
			value, used = *factor, used+1
		}
		sum, total = sum+weights[i]*value, total+weights[i]
	}
	return clamp(sum / total), used
}

// figure writes a share with two digits: 0.46.
func figure(x float64) string { return strconv.FormatFloat(math.Round(x*100)/100, 'f', 2, 64) }
