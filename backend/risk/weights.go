package risk

import (
	"math"
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// Weights say how much each factor counts. In force they lie within LeastWeight and MostWeight and add up to 1.
type Weights struct {
	Complexity float64 `json:"complexity"`
	SourceRisk float64 `json:"source_risk"`
	Novelty    float64 `json:"novelty"`
	Ambiguity  float64 `json:"ambiguity"`
}

// The bounds of a weight: below, a factor would be switched off; above, one would decide alone.
const (
	LeastWeight = 0.1
	MostWeight  = 0.5
)

// StartWeights are those of a workspace in which nothing was learned yet. How a question was read says more than how long its
// statement is: of the everyday questions of the evaluation, long ones were wrong no more often than short ones.
func StartWeights() Weights {
	return Weights{Complexity: 0.1, SourceRisk: 0.3, Novelty: 0.2, Ambiguity: 0.4}
}

// parts gives the weights in the order of Factors.parts.
func (w Weights) parts() [4]float64 {
	return [4]float64{w.Complexity, w.SourceRisk, w.Novelty, w.Ambiguity}
}

func weightsOf(p [4]float64) Weights { return Weights{p[0], p[1], p[2], p[3]} }

// factorKeys name the factors in the order of parts.
var factorKeys = [4]string{"risk.factor_complexity", "risk.factor_source", "risk.factor_novelty", "risk.factor_ambiguity"}

// Check refuses weights that are out of bounds or do not add up: fault.Invalid.
func (w Weights) Check() error {
	sum := 0.0
	for _, x := range w.parts() {
		if !(x >= LeastWeight-1e-9 && x <= MostWeight+1e-9) {
			return fault.New(fault.Invalid, "check weights", text.Say("risk.weight_out_of_bounds", "value", figure(x), "least", figure(LeastWeight), "most", figure(MostWeight)), text.Say("risk.weights_hint"))
		}
		sum += x
	}
	if math.Abs(sum-1) > 1e-9 {
		return fault.New(fault.Invalid, "check weights", text.Say("risk.weights_sum", "value", figure(sum)), text.Say("risk.weights_hint"))
	}
	return nil
}

// words lists the weights: "complexity 0.15, source risk 0.25".
func (w Weights) words() string {
	var parts []string
	for i, weight := range w.parts() {
		parts = append(parts, text.Say(factorKeys[i])+" "+figure(weight))
	}
	return strings.Join(parts, ", ")
}

// project gives the point nearest to x (least squares) of those with least <= p <= most in each part and the sum 1. Such a
// point must exist: the sum of least is at most 1 and that of most at least 1.
//
// The nearest point is x - shift, cut to the bounds, for the one shift at which the sum is 1. That sum falls with the shift
// and is linear between the shifts at which a part meets a bound, so that the right stretch is searched and solved.
func project(x, least, most [4]float64) [4]float64 {
	at := func(shift float64) (p [4]float64, sum float64) {
		for i := range x {
			p[i] = math.Min(most[i], math.Max(least[i], x[i]-shift))
			sum += p[i]
		}
		return p, sum
	}
	var bends []float64
	for i := range x {
		bends = append(bends, x[i]-most[i], x[i]-least[i])
	}
	slices.Sort(bends)
	low, high := bends[0], bends[len(bends)-1] // the sums there are those of most and of least
	for _, bend := range bends {
		if _, sum := at(bend); sum >= 1 {
			low = bend
		} else {
			high = bend
			break
		}
	}
	_, above := at(low)
	_, below := at(high)
	shift := low
	if above > below {
		shift = low + (above-1)/(above-below)*(high-low)
	}
	p, _ := at(shift)
	return p
}
