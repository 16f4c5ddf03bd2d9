package risk

import (
	"math"
	"time"
)

// The results of a request as they count for calibration. What was abandoned or expired says nothing about right or wrong.
const (
	Accepted  = "accepted"
	Rejected  = "rejected"
	Corrected = "corrected"
)

// Outcome is what became of a request, with the factors and the likelihood as they were when it was judged.
type Outcome struct {
	At         time.Time `json:"at"`
	Result     string    `json:"result"` // accepted rejected corrected
	Factors    Factors   `json:"factors"`
	Likelihood float64   `json:"likelihood"`
}

// counts says whether an outcome tells anything.
func (o Outcome) counts() bool {
	return o.Result == Accepted || o.Result == Rejected || o.Result == Corrected
}

func (o Outcome) failed() bool { return o.Result == Rejected || o.Result == Corrected }

// Bin is one stretch of a reliability curve: of Count requests whose likelihood was From <= x < To (the last one up to and with
// 1), the mean likelihood and the share that failed.
type Bin struct {
	From      float64 `json:"from"`
	To        float64 `json:"to"`
	Predicted float64 `json:"predicted"`
	Observed  float64 `json:"observed"`
	Count     int     `json:"count"`
}

const curveBins = 10

// Reliability gives the curve of outcomes in ten bins, those without a request left out.
func Reliability(outcomes []Outcome) []Bin {
	bins := make([]Bin, curveBins)
	for _, o := range outcomes {
		likelihood := valid(&o.Likelihood)
		if !o.counts() || likelihood == nil {
			continue
		}
		b := &bins[min(int(*likelihood*curveBins), curveBins-1)]
		b.Predicted += *likelihood
		b.Count++
		if o.failed() {
			b.Observed++
		}
	}
	curve := []Bin{}
	for i, b := range bins {
		if b.Count > 0 {
			n := float64(b.Count)
			curve = append(curve, Bin{From: float64(i) / curveBins, To: float64(i+1) / curveBins, Predicted: b.Predicted / n, Observed: b.Observed / n, Count: b.Count})
		}
	}
	return curve
}

// Miscalibration is the mean distance between predicted and observed over the curve, weighted by the counts (the expected
// calibration error): 0 is perfect; 0 for an empty curve.
func Miscalibration(curve []Bin) float64 {
	sum, n := 0.0, 0
	for _, b := range curve {
		sum, n = sum+math.Abs(b.Predicted-b.Observed)*float64(b.Count), n+b.Count
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}
