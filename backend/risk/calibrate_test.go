package risk

import (
	"encoding/json"
	"math"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/backend/fault"
)

// The nearest point of the bounded simplex: no other point that is tried lies nearer, and it keeps every bound.
func TestProjectionIsTheNearestPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var x, least, most [4]float64
		old := drawWeights(t).parts()
		step := rapid.SampledFrom([]float64{0.01, 0.05, 1}).Draw(t, "step")
		for i := range x {
			x[i] = rapid.Float64Range(-2, 3).Draw(t, "x")
			least[i], most[i] = max(LeastWeight, old[i]-step), min(MostWeight, old[i]+step)
		}
		p := project(x, least, most)
		sum := 0.0
		for i := range p {
			sum += p[i]
			if p[i] < least[i]-1e-12 || p[i] > most[i]+1e-12 {
				t.Fatalf("%v leaves %v to %v", p, least, most)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("%v add up to %v", p, sum)
		}
		near := distance(x, p)
		random := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		for range 200 { // any other allowed point: move something from one part to another
			q, i, j := p, random.Intn(4), random.Intn(4)
			move := random.Float64() * min(most[i]-q[i], q[j]-least[j])
			q[i], q[j] = q[i]+move, q[j]-move
			if i != j && distance(x, q) < near-1e-9 {
				t.Fatalf("%v is nearer to %v than %v", q, x, p)
			}
		}
	})
}

func distance(a, b [4]float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return sum
}

func TestProjectionOfWhatIsAllowedChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWeights(t)
		p := project(w.parts(), [4]float64{0.1, 0.1, 0.1, 0.1}, [4]float64{0.5, 0.5, 0.5, 0.5})
		if math.Sqrt(distance(w.parts(), p)) > 1e-9 {
			t.Fatalf("%v became %v", w, p)
		}
	})
}

// driven makes outcomes of which the failures follow one factor (or none: -1), with the likelihood as it would have been.
func driven(seed int64, n, factor int) []Outcome {
	random := rand.New(rand.NewSource(seed))
	var all []Outcome
	for i := range n {
		var x [4]float64
		for j := range x {
			x[j] = random.Float64()
		}
		chance := 0.3
		if factor >= 0 {
			chance = x[factor] * x[factor]
		}
		o := Outcome{At: noon.Add(-time.Duration(i) * time.Hour), Result: Accepted, Factors: Factors{&x[0], &x[1], &x[2], &x[3]}}
		if random.Float64() < chance {
			o.Result = []string{Rejected, Corrected}[random.Intn(2)]
		}
		o.Likelihood, _ = Likelihood(o.Factors, WeightSet{Weights: StartWeights()})
		all = append(all, o)
	}
	return all
}

func TestTheFactorThatDrivesErrorsGainsWeight(t *testing.T) {
	for factor := range 4 {
		for seed := range int64(10) {
			h := History{}
			for range 20 {
				next, learned, reason := h.Learn(driven(seed, 400, factor), noon, CalibrateOptions{})
				if !learned {
					t.Fatal(reason)
				}
				h = next
			}
			w := h.Current().Weights.parts()
			if w[factor] < 0.45 {
				t.Errorf("factor %d, seed %d: %v", factor, seed, w)
			}
			if err := h.Check(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestWithoutACauseWeightsStayNear(t *testing.T) {
	for seed := range int64(20) {
		set, learned, _ := Calibrate(History{}.Current(), driven(seed, 400, -1), noon, CalibrateOptions{})
		start := StartWeights().parts()
		for i, w := range set.Weights.parts() {
			if !learned || math.Abs(w-start[i]) > 0.015 {
				t.Errorf("seed %d: %v", seed, set.Weights)
			}
		}
	}
}

func TestCalibrationKeepsItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old := WeightSet{Weights: drawWeights(t)}
		o := CalibrateOptions{LearningRate: rapid.Float64Range(0, 50).Draw(t, "rate")}
		set, _, _ := Calibrate(old, driven(rapid.Int64().Draw(t, "seed"), rapid.IntRange(0, 120).Draw(t, "n"), rapid.IntRange(-1, 3).Draw(t, "factor")), noon, o)
		if err := set.Weights.Check(); err != nil {
			t.Fatal(err)
		}
		for i, w := range set.Weights.parts() {
			if math.Abs(w-old.Weights.parts()[i]) > 0.05+1e-9 {
				t.Fatalf("%v became %v", old.Weights, set.Weights)
			}
		}
	})
}

func TestTooLittleTeachesNothing(t *testing.T) {
	many := driven(1, 300, 0)
	for name, outcomes := range map[string][]Outcome{
		"nothing":       nil,
		"few":           many[:29],
		"no failure":    changed(many, func(o *Outcome) { o.Result = Accepted }),
		"no success":    changed(many, func(o *Outcome) { o.Result = Rejected }),
		"abandoned":     changed(many, func(o *Outcome) { o.Result = "abandoned" }),
		"long ago":      changed(many, func(o *Outcome) { o.At = noon.AddDate(0, 0, -31) }),
		"in the future": changed(many, func(o *Outcome) { o.At = noon.Add(time.Second) }),
	} {
		h := History{}
		next, learned, reason := h.Learn(outcomes, noon, CalibrateOptions{})
		if learned || !reflect.DeepEqual(next, h) || !strings.Contains(reason, "outcomes") {
			t.Errorf("%s: learned %v, %+v, %q", name, learned, next, reason)
		}
	}
	constant := changed(many, func(o *Outcome) { o.Factors.Complexity = known(0.5) })
	unknown := changed(many, func(o *Outcome) { o.Factors.Complexity = nil })
	for _, outcomes := range [][]Outcome{constant, unknown} {
		if set, learned, _ := Calibrate(History{}.Current(), outcomes, noon, CalibrateOptions{}); !learned || set.Correlations[0] != 0 {
			t.Errorf("learned %v, correlations %v", learned, set.Correlations)
		}
	}
}

func changed(outcomes []Outcome, change func(*Outcome)) []Outcome {
	var all []Outcome
	for _, o := range outcomes {
		change(&o)
		all = append(all, o)
	}
	return all
}

func TestSteppingBackGivesExactlyTheFormer(t *testing.T) {
	sets := []History{{}}
	for i := range 5 {
		next, learned, reason := sets[i].Learn(driven(int64(i), 200, i%4), noon.AddDate(0, 0, i), CalibrateOptions{})
		if !learned {
			t.Fatal(reason)
		}
		raw, err := json.Marshal(next)
		if err != nil {
			t.Fatal(err)
		}
		var read History
		if err := json.Unmarshal(raw, &read); err != nil || !reflect.DeepEqual(read, next) || read.Check() != nil {
			t.Fatalf("it does not survive being stored: %v\n%+v\n%+v", err, read, next)
		}
		sets = append(sets, read)
	}
	h := sets[5]
	for i := 4; i >= 0; i-- {
		back, err := h.StepBack()
		if err != nil || !reflect.DeepEqual(back.Current(), sets[i].Current()) || len(back.Sets) != 5 {
			t.Fatalf("step back to %d: %v, %+v", i, err, back.Current())
		}
		h = back
	}
	if _, err := h.StepBack(); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("before the first: %v", err)
	}
	again, learned, _ := h.Learn(driven(9, 200, 2), noon, CalibrateOptions{})
	if !learned || again.Current().Version != 6 || again.Current().Parent != 0 || again.Check() != nil {
		t.Errorf("learned again: %+v", again.Current())
	}
}

func TestDamagedHistoriesAreRefused(t *testing.T) {
	good, _, _ := History{}.Learn(driven(1, 200, 0), noon, CalibrateOptions{})
	for name, damage := range map[string]func(*History){
		"a weight above its bound": func(h *History) { h.Sets[0].Weights = Weights{0.7, 0.1, 0.1, 0.1} },
		"a weight that is missing": func(h *History) { h.Sets[0].Weights.Novelty = 0 },
		"a sum that is not 1":      func(h *History) { h.Sets[0].Weights = Weights{0.3, 0.3, 0.3, 0.3} },
		"no number":                func(h *History) { h.Sets[0].Weights.Novelty = math.NaN() },
		"a version twice":          func(h *History) { h.Sets = append(h.Sets, h.Sets[0]) },
		"its own parent":           func(h *History) { h.Sets[0].Parent = 1 },
		"a version that is gone":   func(h *History) { h.InForce = 7 },
	} {
		h := History{Sets: append([]WeightSet{}, good.Sets...), InForce: good.InForce}
		damage(&h)
		if err := h.Check(); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReliabilityCurve(t *testing.T) {
	of := func(likelihood float64, results ...string) (all []Outcome) {
		for _, r := range results {
			all = append(all, Outcome{At: noon, Result: r, Likelihood: likelihood})
		}
		return all
	}
	var all []Outcome
	all = append(all, of(0.05, Accepted, Accepted, Accepted, Rejected)...)
	all = append(all, of(0.72, Corrected, Accepted)...)
	all = append(all, of(1, Rejected)...)
	all = append(all, of(0.5, "abandoned", "expired")...)
	all = append(all, of(math.NaN(), Rejected)...)
	want := []Bin{{0, 0.1, 0.05, 0.25, 4}, {0.7, 0.8, 0.72, 0.5, 2}, {0.9, 1, 1, 1, 1}}
	got := Reliability(all)
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		for _, pair := range [][2]float64{{got[i].From, want[i].From}, {got[i].To, want[i].To}, {got[i].Predicted, want[i].Predicted}, {got[i].Observed, want[i].Observed}} {
			if math.Abs(pair[0]-pair[1]) > 1e-9 || got[i].Count != want[i].Count {
				t.Errorf("bin %d: %+v, want %+v", i, got[i], want[i])
			}
		}
	}
	if off := Miscalibration(got); math.Abs(off-(4*0.2+2*0.22)/7) > 1e-9 || Miscalibration(nil) != 0 {
		t.Errorf("miscalibration %v", off)
	}
}
