package risk

import (
	"math"
	"slices"
	"time"

	"assay/backend/text"
)

// CalibrateOptions bound a calibration. Zero values are the defaults.
type CalibrateOptions struct {
	Days         int     // how far back outcomes count; 0: 30
	MinOutcomes  int     // fewer give no new weights; 0: 30
	MinOfEach    int     // failures and successes that there must be at least; 0: 5
	LearningRate float64 // how far a correlation of 1 pulls; 0: 0.1
	MaxStep      float64 // how far one calibration may move a weight; 0: 0.05
}

func (o CalibrateOptions) filled() CalibrateOptions {
	pick := func(x *int, otherwise int) {
		if *x <= 0 {
			*x = otherwise
		}
	}
	pick(&o.Days, 30)
	pick(&o.MinOutcomes, 30)
	pick(&o.MinOfEach, 5)
	if !(o.LearningRate > 0) {
		o.LearningRate = 0.1
	}
	if !(o.MaxStep > 0) {
		o.MaxStep = 0.05
	}
	return o
}

// WeightSet is a set of weights and what it rests on. It is a value to be stored as JSON.
type WeightSet struct {
	Version        int        `json:"version"` // 1 is the first; every set has its own
	Parent         int        `json:"parent"`  // the version that was in force when it was made; 0: none
	At             time.Time  `json:"at"`
	Weights        Weights    `json:"weights"`
	Outcomes       int        `json:"outcomes"` // that it rests on
	Failures       int        `json:"failures"`
	Correlations   [4]float64 `json:"correlations"`   // of complexity, source risk, novelty, ambiguity with failure, -1 to 1; 0: none or too few
	Reliability    []Bin      `json:"reliability"`    // of these outcomes, as they were judged at the time
	Miscalibration float64    `json:"miscalibration"` // of the curve
	Unknown        [4]float64 `json:"unknown"`        // what a factor counts as where it is not known; 0: the middle of its upper half
}

// upperHalf is what a factor counts as that is not known: the middle of the upper half of what it may be. weightOfHalf is how many
// outcomes it takes to weigh as much.
const (
	upperHalf    = 0.75
	weightOfHalf = 20
)

func (s WeightSet) unknown(factor int) float64 {
	if x := s.Unknown[factor]; x > 0 {
		return clamp(x)
	}
	return upperHalf
}

// unknownBy is what a factor counts as where it is not known, by what became of the answers of which it was not.
func unknownBy(outcomes []Outcome, factor int) float64 {
	n, failed := float64(weightOfHalf), upperHalf*weightOfHalf
	for _, o := range outcomes {
		if o.Factors.parts()[factor] == nil {
			n++
			if o.failed() {
				failed++
			}
		}
	}
	return failed / n
}

// Calibrate learns new weights from the outcomes of the last days before now:
//
//	new = nearest weights within bounds to (old + learning rate * correlation of each factor with failure)
//
// A correlation counts only by what it exceeds its own standard error (1/sqrt(n)), so that noise moves nothing; a factor that
// was known in fewer than half of the least number of outcomes keeps its pull at none. No weight leaves 0.1 to 0.5 or moves by
// more than MaxStep, and they add up to 1. What an unknown factor counts as moves from its upper half to the share of the answers
// without it that failed. learned is false, with a reason, when there is too little to learn from: then set
// holds the old weights and must not be stored as a new version.
func Calibrate(old WeightSet, outcomes []Outcome, now time.Time, o CalibrateOptions) (set WeightSet, learned bool, reason string) {
	o = o.filled()
	recent := slices.DeleteFunc(slices.Clone(outcomes), func(x Outcome) bool {
		return !x.counts() || x.At.After(now) || x.At.Before(now.AddDate(0, 0, -o.Days))
	})
	failures := 0
	for _, x := range recent {
		if x.failed() {
			failures++
		}
	}
	set = old
	set.At, set.Outcomes, set.Failures, set.Correlations = now, len(recent), failures, [4]float64{}
	set.Reliability = Reliability(recent)
	set.Miscalibration = Miscalibration(set.Reliability)
	if len(recent) < o.MinOutcomes || failures < o.MinOfEach || len(recent)-failures < o.MinOfEach {
		return set, false, text.Say("risk.too_few_outcomes", "n", len(recent), "failures", failures, "least", o.MinOutcomes, "each", o.MinOfEach)
	}

	weights := old.Weights.parts()
	var target, least, most [4]float64
	for i := range weights {
		set.Correlations[i] = correlation(recent, i, o.MinOutcomes/2)
		target[i] = weights[i] + o.LearningRate*set.Correlations[i]
		least[i] = math.Max(LeastWeight, weights[i]-o.MaxStep)
		most[i] = math.Min(MostWeight, weights[i]+o.MaxStep)
	}
	set.Weights = weightsOf(project(target, least, most))
	for i := range set.Unknown {
		set.Unknown[i] = unknownBy(recent, i)
	}
	return set, true, text.Say("risk.calibrated", "n", len(recent), "failures", failures, "weights", set.Weights.words())
}

// correlation is Pearson's, of a factor with failure (1) and success (0), less its standard error; 0 when the factor was known
// fewer than least times or never differed.
func correlation(outcomes []Outcome, factor, least int) float64 {
	var n, sx, sy, sxx, syy, sxy float64
	for _, o := range outcomes {
		x := o.Factors.parts()[factor]
		if x == nil {
			continue
		}
		y := 0.0
		if o.failed() {
			y = 1
		}
		n, sx, sy, sxx, syy, sxy = n+1, sx+*x, sy+y, sxx+*x**x, syy+y*y, sxy+*x*y
	}
	vx, vy := sxx-sx*sx/n, syy-sy*sy/n
	if n < float64(max(least, 2)) || vx < 1e-12 || vy < 1e-12 {
		return 0
	}
	r := (sxy - sx*sy/n) / math.Sqrt(vx*vy)
	beyond := math.Abs(r) - 1/math.Sqrt(n)
	if beyond <= 0 {
		return 0
	}
	return math.Copysign(math.Min(1, beyond), r)
}
