package rules

import (
	"math"
	"slices"
	"strings"

	"assay/backend/risk"
	"assay/backend/text"
)

// Judge says what may happen with a request. It is a function of its argument and of the rules: the same case gives the
// same verdict.
//
// It guarantees: more risk, another trigger or a level that was asked for never raise the level; the level is above the
// matrix's only by "trust routine", from 4 to 5; what is blocked does not run; nothing runs provisionally.
func (rules *Rules) Judge(c Case) Verdict {
	j := &judgement{rules: rules, c: c, v: Verdict{Provisional: c.Provisional, Level: highest}}
	if j.forbidden() {
		return j.v
	}
	j.matrix()
	j.trustRoutine()
	j.preferences()
	j.mandatoryReview()
	j.triggers()
	j.ceilings()
	j.beforeTheRun()
	j.decide()
	return j.v
}

// judgement is one case while it is judged.
type judgement struct {
	rules *Rules
	c     Case
	v     Verdict
	fired []string // the rules that matter for a route
}

func (j *judgement) say(rule, sentence string) Reason {
	r := Reason{rule, sentence}
	j.v.Reasons = append(j.v.Reasons, r)
	return r
}

// cap lowers the level to atMost, and says why. It never raises.
func (j *judgement) cap(rule string, atMost int, sentence string) {
	j.v.Level = min(j.v.Level, max(atMost, lowest))
	j.fired = append(j.fired, rule)
	j.say(rule, sentence)
}

// forbidden stops what nobody may do: writing, and reading what the role does not see. The reason names no object, because
// that it is there is nothing that the person may know.
func (j *judgement) forbidden() bool {
	switch {
	case j.c.Action != "" && j.c.Action != Query && j.c.Action != Recommend:
		j.say(RuleAction, text.Say("rules.no_writing"))
	case !j.rules.Whitelist(j.c.Actor).All(j.c.Objects):
		j.say(RuleWhitelist, text.Say("rules.not_visible", "role", j.c.Actor.Role))
	default:
		return false
	}
	j.v.Level, j.v.Decision, j.v.Status = lowest, Block, StatusBlocked
	j.v.Acceptance = Acceptance{Waiting: Waiting{Then: EndNever}}
	return true
}

// matrix gives the level of the seed's table: rows by likelihood, columns by cost.
func (j *judgement) matrix() {
	j.c.Likelihood = j.share(j.c.Likelihood, "rules.bad_likelihood")
	j.c.Cost = j.share(j.c.Cost, "rules.bad_cost")
	from := 0.0
	for _, row := range j.rules.Matrix {
		if row.Below > 0 && j.c.Likelihood >= row.Below {
			from = row.Below
			continue
		}
		level, column := row.Low, "rules.cost_low"
		if j.costly() {
			level, column = row.High, "rules.cost_high"
		}
		j.v.Level = level
		key := "rules.matrix"
		if row.Below == 0 {
			key = "rules.matrix_top"
		}
		j.say(RuleMatrix, text.Say(key, "likelihood", figure(j.c.Likelihood), "from", figure(from), "below", figure(row.Below),
			"cost", text.Say(column, "cost", figure(j.c.Cost), "limit", figure(risk.HighCost)), "level", level))
		return
	}
}

// share reads a number from 0 to 1. What is none counts as the worst: unknown risk is high risk.
func (j *judgement) share(x float64, key string) float64 {
	if math.IsNaN(x) || x < 0 || x > 1 {
		j.say(RuleUnknownRisk, text.Say(key))
		return 1
	}
	return math.Round(x*1e9) / 1e9 // 0.3 and not 0.30000000000000004: it is compared with limits
}

func (j *judgement) costly() bool { return j.c.Cost >= risk.HighCost }

// trustRoutine is the one rule that raises: from 4 to 5, for a person who wants it, when the request is simple and an error
// is not expensive. At a high cost others are to hear of the answer, which is not for the person to waive.
func (j *judgement) trustRoutine() {
	a, complexity := j.c.Actor, j.c.Complexity
	if !a.TrustRoutine || a.Kind != Human || j.v.Level != 4 || j.costly() || complexity == nil || !(*complexity >= 0 && *complexity < j.rules.Routine) {
		return
	}
	j.v.Level = 5
	j.say(RuleTrustRoutine, text.Say("rules.trust_routine", "complexity", figure(*complexity), "limit", figure(j.rules.Routine)))
}

// preferences lower the level as the person wants it, unless the person wants it otherwise this once.
func (j *judgement) preferences() {
	a := j.c.Actor
	var confirmed []string
	for _, d := range j.domains() {
		if slices.ContainsFunc(a.AlwaysConfirm, func(x string) bool { return strings.EqualFold(x, d) }) {
			confirmed = append(confirmed, d)
		}
	}
	if !a.ReviewAll && len(confirmed) == 0 {
		return
	}
	if j.c.Overrides.JustDoIt && !j.c.Overrides.ConfirmFirst {
		j.say(RuleJustDoIt, text.Say("rules.just_do_it"))
		return
	}
	if a.ReviewAll {
		j.cap(RuleReviewAll, 4, text.Say("rules.review_all"))
	}
	if len(confirmed) > 0 {
		j.cap(RuleAlwaysConfirm, 3, text.Say("rules.always_confirm", "domains", strings.Join(confirmed, ", ")))
	}
}

// mandatoryReview keeps what is too risky from closing without a person, whatever anyone prefers.
func (j *judgement) mandatoryReview() {
	product := math.Round(j.c.Likelihood*j.c.Cost*1e9) / 1e9
	if product > j.rules.Review {
		j.cap(RuleReview, 3, text.Say("rules.mandatory_review", "likelihood", figure(j.c.Likelihood), "cost", figure(j.c.Cost),
			"product", figure(product), "limit", figure(j.rules.Review)))
	}
}

// ceilings are what a role, an agent and the request itself allow at most.
func (j *judgement) ceilings() {
	role, known := j.rules.Role(j.c.Actor.Role)
	switch {
	case !known:
		j.cap(RuleRole, lowest, text.Say("rules.role_unknown"))
	case role.AtMost < highest:
		j.cap(RuleRole, role.AtMost, text.Say("rules.role_at_most", "role", role.Name, "level", role.AtMost))
	}
	if j.c.Actor.Kind != Human {
		j.cap(RuleAgent, j.rules.AgentsAtMost, text.Say("rules.agent_at_most", "level", j.rules.AgentsAtMost))
	}
	if j.c.Action == Recommend {
		j.cap(RuleAction, 2, text.Say("rules.recommend_asked"))
	}
	if j.c.Level != 0 && j.c.Level < j.v.Level {
		j.cap(RuleLevel, j.c.Level, text.Say("rules.level_asked", "level", max(j.c.Level, lowest)))
	}
}

// domains are the different ones, in order and without regard to case.
func (j *judgement) domains() []string {
	var all []string
	for _, d := range j.c.Domains {
		if d != "" && !slices.ContainsFunc(all, func(x string) bool { return strings.EqualFold(x, d) }) {
			all = append(all, d)
		}
	}
	slices.Sort(all)
	return all
}
