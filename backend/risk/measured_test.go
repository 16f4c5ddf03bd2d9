package risk

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// TestLikelihoodAgainstOutcomes measures how far the likelihoods of graded answers tell wrong ones from right ones. ASSAY_OUTCOMES names a file with one answer a
// line: {"likelihood": 0.42, "right": true}.
func TestLikelihoodAgainstOutcomes(t *testing.T) {
	path := os.Getenv("ASSAY_OUTCOMES")
	if path == "" {
		t.Skip("ASSAY_OUTCOMES names no file with graded answers, so there is nothing to measure")
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var outcomes []Outcome
	sum, n := map[bool]float64{}, map[bool]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var one struct {
			Likelihood float64
			Right      bool
		}
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		result := Rejected
		if one.Right {
			result = Accepted
		}
		outcomes = append(outcomes, Outcome{At: noon, Result: result, Likelihood: one.Likelihood})
		sum[one.Right], n[one.Right] = sum[one.Right]+one.Likelihood, n[one.Right]+1
	}
	if n[true] == 0 || n[false] == 0 {
		t.Fatalf("%d right and %d wrong answers are too few to tell", n[true], n[false])
	}
	curve := Reliability(outcomes)
	for _, b := range curve {
		t.Logf("%.1f to %.1f: %3d answers, predicted %.2f, observed %.2f", b.From, b.To, b.Count, b.Predicted, b.Observed)
	}
	right, wrong := sum[true]/float64(n[true]), sum[false]/float64(n[false])
	t.Logf("%d right: mean %.3f; %d wrong: mean %.3f; apart %.3f; miscalibration %.3f", n[true], right, n[false], wrong, wrong-right, Miscalibration(curve))
	if wrong-right < 0.15 {
		t.Errorf("wrong answers are only %.3f more likely wrong than right ones, and should be by 0.15", wrong-right)
	}
}
