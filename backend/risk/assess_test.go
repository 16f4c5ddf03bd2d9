package risk

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/backend/semantic"
)

var noon = time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)

func TestComplexityOfKnownShapes(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape Shape
		want  float64
	}{
		{"nothing", Shape{}, 0},
		{"one metric by one dimension", Shape{Aggregates: 1}, 0},
		{"over a join", Shape{Joins: 1, Aggregates: 1}, 0.29},
		{"two metrics over two joins", Shape{Joins: 2, Aggregates: 2}, 0.59},
		{"a share over two joins", Shape{Joins: 2, Windows: 1, Aggregates: 1}, 0.62},
		{"two CTEs, a join, a subquery", Shape{Joins: 1, CTEs: 2, Subqueries: 1, Aggregates: 1}, 0.69},
		{"five joins and three windows", Shape{Joins: 5, Windows: 3, Aggregates: 1}, 0.92},
		{"negative counts", Shape{Joins: -3, Aggregates: -1}, 0},
	} {
		if got := c.shape.Complexity(); math.Abs(got-c.want) > 0.005 {
			t.Errorf("%s: %.3f, want %.2f", c.name, got, c.want)
		}
	}
}

func drawShape(t *rapid.T) Shape {
	n := rapid.IntRange(-2, 3000)
	return Shape{n.Draw(t, "joins"), n.Draw(t, "ctes"), n.Draw(t, "windows"), n.Draw(t, "subqueries"), n.Draw(t, "aggregates")}
}

func TestMoreOfAnythingNeverLowersComplexity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := drawShape(t)
		before := shape.Complexity()
		counts := reflect.ValueOf(&shape).Elem()
		part := counts.Field(rapid.IntRange(0, counts.NumField()-1).Draw(t, "part"))
		part.SetInt(part.Int() + rapid.Int64Range(0, 10).Draw(t, "more"))
		after := shape.Complexity()
		if after < before || before < 0 || after > 1 {
			t.Fatalf("%v: %v, then %v", shape, before, after)
		}
	})
}

func drawFactor(t *rapid.T, name string) *float64 {
	if rapid.Bool().Draw(t, name+" unknown") {
		return nil
	}
	return known(rapid.Float64Range(0, 1).Draw(t, name))
}

func drawFactors(t *rapid.T) Factors {
	return Factors{drawFactor(t, "complexity"), drawFactor(t, "source"), drawFactor(t, "novelty"), drawFactor(t, "ambiguity")}
}

// drawWeights gives weights that may be in force.
func drawWeights(t *rapid.T) Weights {
	var x, least, most [4]float64
	for i := range x {
		x[i], least[i], most[i] = rapid.Float64Range(-1, 1).Draw(t, "weight"), LeastWeight, MostWeight
	}
	return weightsOf(project(x, least, most))
}

func TestLikelihoodIsAMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, w := drawFactors(t), WeightSet{Weights: drawWeights(t)}
		got, used := Likelihood(f, w)
		least, most, n := 1.0, 0.0, 0
		for _, x := range f.parts() {
			if x == nil {
				x = known(upperHalf)
			} else {
				n++
			}
			least, most = min(least, *x), max(most, *x)
		}
		if got < least-1e-9 || got > most+1e-9 || used != n {
			t.Fatalf("%v from %d, but the parts lie within %v and %v", got, used, least, most)
		}
	})
}

func TestWhatIsNotKnownIsNotZero(t *testing.T) {
	if got, used := Likelihood(Factors{}, WeightSet{Weights: StartWeights()}); got != upperHalf || used != 0 {
		t.Errorf("nothing is known: %v from %d", got, used)
	}
	inferred := []Source{{Entity: "Orders", Inferred: true}}
	near := Nearest{Similarity: 1, Question: "orders", Of: 1}
	if got := Assess(Evidence{Shape: &Shape{}, Sources: inferred, Golden: near}); got.Likelihood < LeastUnreviewed {
		t.Errorf("of an inferred model: %v", got.Likelihood)
	}
	plain, doubted := Assess(Evidence{Shape: &Shape{}, Sources: inferred}), Assess(Evidence{Shape: &Shape{}, Sources: inferred, Doubts: []Doubt{{0.4, "Why."}}})
	if doubted.Likelihood <= plain.Likelihood || !strings.Contains(strings.Join(doubted.Reasons, " "), "Why.") {
		t.Errorf("%v with a doubt, %v without: %v", doubted.Likelihood, plain.Likelihood, doubted.Reasons)
	}
	var outcomes []Outcome
	for i := range 60 {
		result := Accepted
		if i%10 == 0 {
			result = Rejected
		}
		outcomes = append(outcomes, Outcome{At: noon, Result: result, Factors: Factors{Complexity: known(0.2), Ambiguity: known(0.1)}})
	}
	set, learned, _ := Calibrate(WeightSet{Weights: StartWeights()}, outcomes, noon, CalibrateOptions{})
	if !learned || set.unknown(1) >= 0.5 || set.unknown(0) != upperHalf {
		t.Errorf("learned %v: an unknown source risk counts as %v, an unknown complexity as %v", learned, set.unknown(1), set.unknown(0))
	}
}

func TestLikelihoodNeverFallsWithAFactor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, w := drawFactors(t), drawWeights(t)
		before, _ := Likelihood(f, WeightSet{Weights: w})
		if f.Ambiguity == nil {
			return
		}
		f.Ambiguity = known(*f.Ambiguity + rapid.Float64Range(0, 1-*f.Ambiguity).Draw(t, "more"))
		if after, _ := Likelihood(f, WeightSet{Weights: w}); after < before-1e-12 {
			t.Fatalf("%v, then %v", before, after)
		}
	})
}

func TestFactorsOutOfBoundsAreCutOrNotKnown(t *testing.T) {
	equal := WeightSet{Weights: Weights{0.25, 0.25, 0.25, 0.25}}
	got, used := Likelihood(Factors{Complexity: known(7), Novelty: known(-3), Ambiguity: known(math.NaN())}, equal)
	if want := (1 + upperHalf + 0 + upperHalf) / 4; got != want || used != 2 {
		t.Errorf("%v from %d, want %v", got, used, want)
	}
}

// warehouse is a model of which one entity is well kept, one is not, and one was inferred.
func warehouse(t *testing.T) *semantic.Model {
	t.Helper()
	m := &semantic.Model{
		Name: "desk",
		Registry: semantic.Registry{
			Owners:    []semantic.Owner{{Name: "sales", ResponseHours: 96}},
			Freshness: semantic.Freshness{EveryDays: 20},
		},
		Entities: []semantic.Entity{
			{
				Name: "orders", Label: "Orders", Owner: &semantic.Owner{Name: "data", ResponseHours: 24}, Freshness: &semantic.Freshness{Validated: "2026-01-05", EveryDays: 30},
				Dimensions: []semantic.Dimension{{Name: "id", Description: "key", Tests: []string{"unique"}}, {Name: "paid", Description: "when", Tests: []string{"not_null"}}},
			},
			{
				Name: "visits", Label: "Visits", Owner: &semantic.Owner{Name: "sales"}, Freshness: &semantic.Freshness{Validated: "2025-12-16"},
				Dimensions: []semantic.Dimension{{Name: "id", Description: "key"}, {Name: "seen"}, {Name: "by"}, {Name: "page"}},
			},
			{Name: "bare", Dimensions: []semantic.Dimension{{Name: "id"}, {Name: "x"}}},
			{Name: "guessed", Inferred: true, Dimensions: []semantic.Dimension{{Name: "id", Description: "key"}}},
			{Name: "empty"},
		},
	}
	return m
}

func TestSourceRiskOfWhatIsDeclared(t *testing.T) {
	m := warehouse(t)
	for _, c := range []struct {
		name     string
		entities []string
		want     float64 // -1: not known
		says     string
	}{
		{"all is well", []string{"orders"}, 0, "documentation 1.00, tests 1.00, freshness 1.00, owner's response 1.00"},
		// documentation 0.25, tests 0, freshness 0.5 (30.5 of 20 days), response 0.5 (96 h, by the registry)
		{"half is well", []string{"visits"}, 0.69, "documentation 0.25, tests 0.00"},
		{"two entities", []string{"orders", "visits", "orders"}, 0.34, "over 2 entities"},
		{"nothing but columns", []string{"bare"}, 1, "Of 1 of 1 entities, how soon its owner answers is not declared"},
		{"inferred", []string{"guessed"}, -1, "cannot be known"},
		{"inferred beside declared", []string{"guessed", "orders"}, 0, "1 of 2 entities were inferred"},
		{"no entity", nil, -1, "cannot be known"},
		{"unknown name", []string{"gone"}, -1, "cannot be known"},
		{"without dimensions", []string{"empty"}, -1, "cannot be known"},
	} {
		got, reasons := SourceRisk(SourcesOf(m, c.entities, noon))
		if c.want < 0 != (got == nil) || got != nil && math.Abs(*got-c.want) > 0.011 {
			t.Errorf("%s: %s, want %.2f", c.name, show(got), c.want)
		}
		if said := strings.Join(reasons, " "); !strings.Contains(said, c.says) {
			t.Errorf("%s: it says %q, want %q", c.name, said, c.says)
		}
	}
	m.Inferred = true
	if got, _ := SourceRisk(SourcesOf(m, []string{"orders"}, noon)); got != nil {
		t.Errorf("of an inferred model: %v", *got)
	}
}

func show(x *float64) string {
	if x == nil {
		return "not known"
	}
	return figure(*x)
}

func TestFreshnessKeepsToItsPromise(t *testing.T) {
	own := func(validated string, days int) *semantic.Freshness {
		return &semantic.Freshness{Validated: validated, EveryDays: days}
	}
	for name, c := range map[string]struct {
		own  *semantic.Freshness
		want string
	}{
		"today": {own("2026-01-15", 7), "1.00"}, "promise just kept": {own("2026-01-05", 11), "1.00"}, "half over": {own("2025-12-31", 10), "0.45"},
		"twice over": {own("2025-01-01", 10), "0.00"}, "no date": {own("soon", 10), "not known"}, "in the future": {own("2026-03-01", 10), "not known"},
		"no promise": {own("2026-01-15", 0), "not known"}, "none": {nil, "not known"},
	} {
		if got := show(freshness(c.own, semantic.Freshness{}, noon)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestNovelty(t *testing.T) {
	for _, c := range []struct {
		near Nearest
		want string
		says string
	}{
		{Nearest{}, "not known", "no golden queries"},
		{Nearest{Similarity: 1, Question: "revenue by month", Of: 3}, "0.00", "“revenue by month” (1.00)"},
		{Nearest{Similarity: 0.25, Question: "revenue|month", Of: 1}, "0.75", "the only golden query is “revenue|month”"},
		{Nearest{Similarity: -0.2, Question: "x", Of: 4}, "1.00", "none of 4 golden queries"},
		{Nearest{Similarity: math.NaN(), Of: 4}, "not known", "no golden queries"},
	} {
		got, reason := Novelty(c.near)
		if show(got) != c.want || !strings.Contains(reason, c.says) {
			t.Errorf("%v: %s, %q", c.near, show(got), reason)
		}
	}
}

func TestAmbiguity(t *testing.T) {
	two := func(a, b float64) []Candidate { return []Candidate{{a, "net"}, {b, "gross"}} }
	for _, c := range []struct {
		name string
		m    Meanings
		want float64
	}{
		{"nothing seen", Meanings{}, 0},
		{"one meaning twice", Meanings{Candidates: []Candidate{{0.9, "net"}, {0.9, "net"}}}, 0},
		{"two that are as good", Meanings{Candidates: two(0.8, 0.8)}, 0.6},
		{"one that is far behind", Meanings{Candidates: two(1, 0.1)}, 0.06},
		{"a tail that does not fit", Meanings{Candidates: append(two(0.8, 0.8), Candidate{0, "tax"}, Candidate{0, "fee"})}, 0.6},
		{"a rival that does not fit at all", Meanings{Candidates: two(0.1, 0)}, 0},
		{"a name of two columns", Meanings{Matches: []int{1, 2}}, 0.2},
		{"a name of five columns and rivals", Meanings{Candidates: two(0.9, 0.9), Matches: []int{5}}, 0.92},
		{"as the reader says", Meanings{Conflict: known(0.5), Candidates: two(1, 1)}, 0.3},
		{"a model that is sure", Meanings{Candidates: two(0.8, 0.8), LogProbs: []float64{0, 0}}, 0.6},
		{"a model that doubts", Meanings{LogProbs: []float64{math.Log(0.5), math.Log(0.25)}}, 0.3125},
		{"what is no probability", Meanings{LogProbs: []float64{2, math.NaN()}}, 0},
	} {
		if got, _ := c.m.Ambiguity(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestAmbiguityStaysInBoundsAndRises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Meanings{
			Matches:  rapid.SliceOfN(rapid.IntRange(-1, 40), 0, 5).Draw(t, "matches"),
			LogProbs: rapid.SliceOfN(rapid.Float64Range(-30, 1), 0, 5).Draw(t, "log probs"),
		}
		for range rapid.IntRange(0, 6).Draw(t, "candidates") {
			m.Candidates = append(m.Candidates, Candidate{rapid.Float64Range(-0.5, 1.5).Draw(t, "score"), rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "definition")})
		}
		before, _ := m.Ambiguity()
		m.Matches = append(m.Matches, rapid.IntRange(0, 50).Draw(t, "another"))
		after, _ := m.Ambiguity()
		if before < 0 || after > 1 || after < before-1e-12 {
			t.Fatalf("%v, then %v", before, after)
		}
	})
}

func TestAssessmentOfAFamiliarQuestion(t *testing.T) {
	a := Assess(Evidence{
		Shape: &Shape{Joins: 1, Aggregates: 1}, Sources: SourcesOf(warehouse(t), []string{"orders"}, noon),
		Golden: Nearest{Similarity: 0.9, Question: "revenue by month", Of: 12},
	})
	// 0.1 * 0.293 + 0.3 * 0 + 0.2 * 0.1 + 0.4 * 0
	if math.Abs(a.Likelihood-0.049) > 0.001 || a.Provisional || a.RecheckFirst || a.Cost.Label != "normal" || a.Cost.Value != 0.4 {
		t.Errorf("%+v", a)
	}
	for _, says := range []string{
		"Complexity is 0.29: 1 join, 1 aggregate.", "Source risk is 0.00 over 1 entity", "Novelty is 0.10: the most similar of 12 golden queries",
		"Ambiguity is 0.00", "The likelihood of an error is 0.05, with 4 of 4 parts known and the weights: complexity 0.10, source risk 0.30, novelty 0.20, ambiguity 0.40.",
		"An error is expected to cost 0.40 of 1 (normal).",
	} {
		if !strings.Contains(strings.Join(a.Reasons, "\n"), says) {
			t.Errorf("no reason says %q: %q", says, a.Reasons)
		}
	}
}

func TestAssessmentOfAFirstQuestion(t *testing.T) {
	a := Assess(Evidence{Meanings: Meanings{Candidates: []Candidate{{0.8, "net"}, {0.8, "gross"}}}})
	if math.Abs(a.Likelihood-0.69) > 1e-9 || !a.Provisional || a.RecheckFirst || a.Factors.Complexity != nil || a.Factors.SourceRisk != nil || a.Factors.Novelty != nil {
		t.Errorf("%+v", a)
	}
	if said := strings.Join(a.Reasons, "\n"); !strings.Contains(said, "0.69 for now, with 1 of 4 parts known") {
		t.Errorf("it says %q", said)
	}
	clarified := Assess(Evidence{})
	if math.Abs(clarified.Likelihood-0.45) > 1e-9 {
		t.Errorf("after a clarification: %v", clarified.Likelihood)
	}
}

func TestHighNoveltyChecksFirst(t *testing.T) {
	for similarity, want := range map[float64]bool{0: true, 0.2: true, 0.31: false, 1: false} {
		if a := Assess(Evidence{Shape: &Shape{}, Golden: Nearest{Similarity: similarity, Of: 2}}); a.RecheckFirst != want {
			t.Errorf("similarity %v: %v", similarity, a.RecheckFirst)
		}
	}
}

func TestAssessmentStaysInBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, shape := drawWeights(t), drawShape(t)
		a := Assess(Evidence{Shape: &shape, Learned: &WeightSet{Weights: w}, Golden: Nearest{Similarity: rapid.Float64Range(-1, 2).Draw(t, "near"), Of: rapid.IntRange(0, 3).Draw(t, "of")}})
		if !(a.Likelihood >= 0 && a.Likelihood <= 1) || len(a.Reasons) < 5 {
			t.Fatalf("%+v", a)
		}
		for _, reason := range a.Reasons {
			if strings.ContainsAny(reason, "{}[]") || strings.Contains(reason, "NaN") {
				t.Fatalf("reason %q", reason)
			}
		}
		if _, err := json.Marshal(a); err != nil {
			t.Fatal(err)
		}
	})
}
