package knowledge_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"assay/backend/fault"
	"assay/backend/knowledge"
)

var now = time.Date(2026, 10, 1, 9, 0, 0, 0, time.UTC)

func steward(actor string) bool { return actor == "steward" }

func said(actor string, d knowledge.Detection, ago time.Duration) knowledge.Evidence {
	return knowledge.Evidence{Actor: actor, Detection: d, At: now.Add(-ago)}
}

func TestConfidence(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for _, c := range []struct {
		name string
		all  []knowledge.Evidence
		want float64
	}{
		{"nothing", nil, 0},
		{"a correction", []knowledge.Evidence{said("a", knowledge.ByCorrection, 0)}, 0.9},
		{"a definition", []knowledge.Evidence{said("a", knowledge.ByDefinition, 0)}, 0.9},
		{"a confirmation", []knowledge.Evidence{said("a", knowledge.ByConfirmation, 0)}, 0.6},
		{"found in what was said", []knowledge.Evidence{said("a", knowledge.ByTranscript, 0)}, 0.5},
		{"a way that nobody knows", []knowledge.Evidence{said("a", "certainty", 0)}, 0.6},
		{"the same person twice", []knowledge.Evidence{said("a", knowledge.ByTranscript, 0), said("a", knowledge.ByTranscript, 0)}, 0.5},
		{"two people", []knowledge.Evidence{said("a", knowledge.ByTranscript, 0), said("b", knowledge.ByTranscript, 0)}, 0.55},
		{"a steward", []knowledge.Evidence{said("a", knowledge.ByTranscript, 0), said("steward", knowledge.ByTranscript, 0)}, 0.75},
		{"never more than certain", []knowledge.Evidence{said("steward", knowledge.ByCorrection, 0)}, 1},
		{"half of it after a year", []knowledge.Evidence{said("a", knowledge.ByCorrection, year)}, 0.45},
		{"the last word counts", []knowledge.Evidence{said("a", knowledge.ByCorrection, 9*year), said("b", knowledge.ByConfirmation, 0)}, 0.95},
		{"not below its floor", []knowledge.Evidence{said("a", knowledge.ByCorrection, 40*year)}, 0.3},
		{"an order does not age", []knowledge.Evidence{said("a", knowledge.ByMandate, 40*year)}, 1},
		{"a clock that went back", []knowledge.Evidence{said("a", knowledge.ByCorrection, -year)}, 0.9},
	} {
		if got := knowledge.DefaultTable().Confidence(c.all, steward, now); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestConfidenceFollowsFromEvidence holds it to what it is a function of: not of the order, not of what is said twice, never less for one person more.
func TestConfidenceFollowsFromEvidence(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		evidence := rapid.Custom(func(rt *rapid.T) knowledge.Evidence {
			return knowledge.Evidence{
				Actor:     rapid.SampledFrom([]string{"a", "b", "c", "steward"}).Draw(rt, "actor"),
				Detection: rapid.SampledFrom([]knowledge.Detection{"", knowledge.ByCorrection, knowledge.ByDefinition, knowledge.ByConfirmation, knowledge.ByMandate, knowledge.ByTranscript}).Draw(rt, "detection"),
				At:        now.Add(-time.Duration(rapid.IntRange(-100, 5000).Draw(rt, "days")) * 24 * time.Hour),
			}
		})
		all := rapid.SliceOfN(evidence, 1, 8).Draw(rt, "evidence")
		table := knowledge.DefaultTable()
		got := table.Confidence(all, steward, now)
		if !(got > 0 && got <= 1) {
			rt.Fatalf("%v", got)
		}
		if mixed := table.Confidence(rapid.Permutation(all).Draw(rt, "order"), steward, now); mixed != got {
			rt.Fatalf("another order gives %v, not %v", mixed, got)
		}
		if twice := table.Confidence(slices.Concat(all, all), steward, now); twice != got {
			rt.Fatalf("the same twice gives %v, not %v", twice, got)
		}
		more := slices.Concat(all, []knowledge.Evidence{{Actor: "d", Detection: knowledge.ByTranscript, At: all[0].At}})
		if with := table.Confidence(more, steward, now); with < got {
			rt.Fatalf("one person more gives %v, not %v", with, got)
		}
		if later := table.Confidence(all, steward, now.Add(time.Hour)); later > got {
			rt.Fatalf("an hour later it is %v, not %v", later, got)
		}
	})
}

func TestATableThatCannotBe(t *testing.T) {
	if err := knowledge.DefaultTable().Check(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*knowledge.Table){
		"missing":         func(t *knowledge.Table) { delete(t.Base, knowledge.ByTranscript) },
		"above 1":         func(t *knowledge.Table) { t.Base[knowledge.ByCorrection] = 1.1 },
		"no number":       func(t *knowledge.Table) { t.Verifier = math.NaN() },
		"less than 0":     func(t *knowledge.Table) { t.Steward = -0.1 },
		"floor above":     func(t *knowledge.Table) { t.Floor[knowledge.ByTranscript] = 0.6 },
		"no time at all":  func(t *knowledge.Table) { t.HalfLife = 0 },
		"floor too large": func(t *knowledge.Table) { t.Floor[knowledge.ByMandate] = 2 },
	} {
		table := knowledge.DefaultTable()
		spoil(&table)
		if err := table.Check(); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
