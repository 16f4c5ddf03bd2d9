package risk

import (
	"math"
	"time"

	"assay/backend/semantic"
	"assay/backend/text"
)

// Source is what is known of one entity, each 0 (bad) to 1 (good); nil: it cannot be known.
type Source struct {
	Entity        string   `json:"entity"` // its label
	Inferred      bool     `json:"inferred"`
	Documentation *float64 `json:"documentation"` // share of its dimensions that have a description
	Tests         *float64 `json:"tests"`         // share of its dimensions that have a test
	Freshness     *float64 `json:"freshness"`     // how recently it was validated, against its promise
	OwnerResponse *float64 `json:"owner_response"`
}

// Owners who answer within a day are as good as can be; those who need a week are no help.
const (
	promptHours = 24.0
	lateHours   = 168.0
)

// SourcesOf reads what the model declares of the entities, at a moment; names that it does not have are left out. What
// inference proposed has nothing that a person vouches for, so that nothing is known of it.
func SourcesOf(m *semantic.Model, entities []string, now time.Time) []Source {
	var all []Source
	seen := map[string]bool{}
	for _, name := range entities {
		e := m.Entity(name)
		if e == nil || seen[name] {
			continue
		}
		seen[name] = true
		s := Source{Entity: e.Label, Inferred: m.Inferred || e.Inferred}
		if s.Entity == "" {
			s.Entity = e.Name
		}
		if !s.Inferred {
			s.Documentation = shareOf(e.Dimensions, func(d semantic.Dimension) bool { return d.Description != "" })
			s.Tests = shareOf(e.Dimensions, func(d semantic.Dimension) bool { return len(d.Tests) > 0 })
			s.Freshness = freshness(e.Freshness, m.Registry.Freshness, now)
			s.OwnerResponse = ownerResponse(e.Owner, m.Registry.Owners)
		}
		all = append(all, s)
	}
	return all
}

func shareOf(dimensions []semantic.Dimension, has func(semantic.Dimension) bool) *float64 {
	if len(dimensions) == 0 {
		return nil
	}
	n := 0
	for _, d := range dimensions {
		if has(d) {
			n++
		}
	}
	return known(float64(n) / float64(len(dimensions)))
}

// freshness is 1 while the promise of the entity (else of the model) holds, and falls to 0 at twice its days. A date that is
// no date, that has not come yet, or a promise of no days says nothing.
func freshness(own *semantic.Freshness, ofModel semantic.Freshness, now time.Time) *float64 {
	promise := ofModel
	if own != nil {
		promise = *own
		if promise.EveryDays <= 0 {
			promise.EveryDays = ofModel.EveryDays
		}
	}
	validated, err := time.Parse(time.DateOnly, promise.Validated)
	days := now.Sub(validated).Hours() / 24
	if err != nil || promise.EveryDays <= 0 || days < -1 {
		return nil
	}
	return known(clamp(2 - days/float64(promise.EveryDays)))
}

// ownerResponse is 1 for an answer within a day and falls to 0 at a week. An owner who is only named has the hours that the
// registry gives the name; nobody, or no hours, says nothing.
func ownerResponse(o *semantic.Owner, registered []semantic.Owner) *float64 {
	if o == nil {
		return nil
	}
	hours := o.ResponseHours
	for _, r := range registered {
		if hours <= 0 && r.Name == o.Name {
			hours = r.ResponseHours
		}
	}
	if hours <= 0 {
		return nil
	}
	return known(clamp((lateHours - float64(hours)) / (lateHours - promptHours)))
}

// SourceRisk gives 1 - the mean of what is known of each source, and of these the mean; nil when nothing is known. The
// reasons are sentences, also for what had to be left out.
func SourceRisk(sources []Source) (risk *float64, reasons []string) {
	sum, n := 0.0, 0
	parts := []struct {
		key string
		of  func(Source) *float64
	}{
		{"risk.documentation", func(s Source) *float64 { return s.Documentation }},
		{"risk.tests", func(s Source) *float64 { return s.Tests }},
		{"risk.freshness", func(s Source) *float64 { return s.Freshness }},
		{"risk.owner_response", func(s Source) *float64 { return s.OwnerResponse }},
	}
	missing := make([]int, len(parts))
	inferred := 0
	for _, s := range sources {
		if s.Inferred {
			inferred++
			continue
		}
		good, factors := 0.0, 0
		for i, part := range parts {
			v := valid(part.of(s))
			if v == nil {
				missing[i]++
				continue
			}
			good, factors = good+*v, factors+1
		}
		if factors > 0 {
			sum, n = sum+1-good/float64(factors), n+1
		}
	}
	if n == 0 {
		return nil, []string{text.Say("risk.source_unknown")}
	}
	risk = known(sum / float64(n))
	reasons = append(reasons, text.Count("risk.source", int64(n), "value", figure(*risk), "n", n, "parts", partWords(sources, parts[0].of, parts[1].of, parts[2].of, parts[3].of)))
	for i, part := range parts {
		if missing[i] > 0 {
			reasons = append(reasons, text.Say("risk.part_unknown", "part", text.Say(part.key), "n", missing[i], "of", len(sources)-inferred))
		}
	}
	if inferred > 0 {
		reasons = append(reasons, text.Say("risk.some_inferred", "n", inferred, "of", len(sources)))
	}
	return risk, reasons
}

// partWords gives the means of the parts: "documented 80 %, tested 25 %".
func partWords(sources []Source, documentation, tests, fresh, owner func(Source) *float64) string {
	mean := func(of func(Source) *float64) string {
		sum, n := 0.0, 0
		for _, s := range sources {
			if v := valid(of(s)); v != nil && !s.Inferred {
				sum, n = sum+*v, n+1
			}
		}
		if n == 0 {
			return text.Say("risk.not_known")
		}
		return figure(sum / float64(n))
	}
	return text.Say("risk.source_parts", "documentation", mean(documentation), "tests", mean(tests), "freshness", mean(fresh), "owner", mean(owner))
}

func known(x float64) *float64 { return &x }

// valid is a factor between 0 and 1; nil for none and for what is no number.
func valid(x *float64) *float64 {
	if x == nil || math.IsNaN(*x) {
		return nil
	}
	return known(clamp(*x))
}

func clamp(x float64) float64 { return math.Min(1, math.Max(0, x)) }
