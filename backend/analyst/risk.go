package analyst

import (
	"math"

	"assay/backend/text"
)

// The weights of a plan's complexity. What is counted is what makes a query hard to get right; 1 is the ceiling.
const (
	perJoin      = 0.10
	perSubquery  = 0.25
	perWindow    = 0.25
	perAggregate = 0.05 // beyond the first
)

// risk says how likely the answer is wrong, from what is known before it runs. A part that cannot be known is null and
// the likelihood is the mean of the others. Novelty needs a memory of questions that were confirmed, which is not there.
//
// Until a workspace has rules on autonomy every request proceeds at level 5, and the reasons say so.
func (r *run) risk() *Risk {
	c := r.plan.Complexity
	complexity := math.Min(1, float64(c.Joins)*perJoin+float64(c.Subqueries)*perSubquery+float64(c.Windows)*perWindow+float64(max(c.Aggregates-1, 0))*perAggregate)
	source := sourceRisk(r.used())
	ambiguity := r.ambiguity
	likelihood := (complexity + source + ambiguity) / 3

	risk := &Risk{
		ErrorLikelihood: rounded(likelihood),
		ExpectedCost:    "low",
		Factors:         RiskFactors{Complexity: share(complexity), SourceRisk: share(source), Ambiguity: share(ambiguity)},
		AutonomyLevel:   5,
		Decision:        "proceed",
		Reasons:         []string{text.Say("analyst.reason_no_rules"), text.Say("analyst.reason_novelty")},
	}
	if r.criticality() == "high" {
		risk.ExpectedCost = "high"
		risk.Reasons = append(risk.Reasons, text.Say("analyst.reason_high_stakes"))
	}
	if source > 0 {
		risk.Reasons = append(risk.Reasons, text.Say("analyst.reason_source"))
	}
	if ambiguity > 0 {
		risk.Reasons = append(risk.Reasons, text.Say("analyst.reason_ambiguity"))
	}
	return risk
}

// criticality is what the request says, unless its words say more.
func (r *run) criticality() string {
	if c := r.stored.Overrides[overrideCriticality]; c != "" {
		return c
	}
	return r.req.Criticality
}

// sourceRisk is the mean over all that is used: 1 for what inference proposed, one half for what nobody described.
func sourceRisk(used []object) float64 {
	if len(used) == 0 {
		return 0
	}
	sum := 0.0
	for _, o := range used {
		switch {
		case o.inferred:
			sum++
		case !o.documented:
			sum += 0.5
		}
	}
	return sum / float64(len(used))
}

func share(x float64) *float64 {
	x = rounded(x)
	return &x
}

func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }
