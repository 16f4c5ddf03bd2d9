package rules

import (
	"slices"
	"strings"
	"time"

	"assay/backend/text"
)

// triggers apply the policies on what a request does.
func (j *judgement) triggers() {
	t := j.rules.Triggers
	if j.planUnknown() { // as expensive as any
		j.trigger(RulePlan, Trigger{AtMost: t.Scan.AtMost, Then: ThenConfirm}, text.Say("rules.plan_unknown"))
	}
	if p := j.c.Plan; p != nil {
		if gb := float64(p.Bytes) / 1e9; gb > t.Scan.Limit {
			j.trigger(RuleScan, t.Scan, text.Say("rules.scan", "gb", figure(gb), "limit", figure(t.Scan.Limit)))
		}
		if m := p.Runtime.Minutes(); m > t.Runtime.Limit {
			j.trigger(RuleRuntime, t.Runtime, text.Say("rules.runtime", "minutes", figure(m), "limit", figure(t.Runtime.Limit)))
		}
		if n := float64(p.Rows) / 1e6; n > t.Rows.Limit {
			j.trigger(RuleRows, t.Rows, text.Say("rules.rows", "millions", figure(n), "limit", figure(t.Rows.Limit)))
		}
	}
	if domains := j.domains(); len(domains) > 0 && float64(len(domains)) >= t.Domains.Limit {
		j.trigger(RuleDomains, t.Domains, text.Say("rules.domains", "n", len(domains), "domains", strings.Join(domains, ", "), "limit", figure(t.Domains.Limit)))
	}
	if len(j.c.Sensitive) > 0 {
		sensitive := slices.Compact(slices.Sorted(slices.Values(j.c.Sensitive)))
		j.trigger(RuleSensitive, t.Sensitive, text.Say("rules.sensitive", "names", strings.Join(sensitive, ", ")))
	}
}

// trigger applies one policy that holds: its cap, and what else it asks for.
func (j *judgement) trigger(rule string, t Trigger, sentence string) {
	if t.AtMost < highest {
		sentence += " " + text.Say("rules.trigger_cap", "level", t.AtMost)
	}
	switch t.Then {
	case ThenWarn:
		sentence += " " + text.Say("rules.trigger_warn")
		j.v.Warnings = append(j.v.Warnings, Reason{rule, sentence})
	case ThenConfirm:
		sentence += " " + text.Say("rules.trigger_confirm")
		j.v.Confirm.Why = append(j.v.Confirm.Why, Reason{rule, sentence})
	case ThenNothing:
	}
	j.cap(rule, t.AtMost, sentence)
}

// planUnknown says whether nobody knows what the run will take.
func (j *judgement) planUnknown() bool {
	p := j.c.Plan
	return !j.c.Provisional && (p == nil || p.Bytes < 0 && p.Runtime < 0 && p.Rows < 0)
}

// beforeTheRun says whether the run waits for somebody's word: because it is costly, because nobody knows what it takes, or
// because the person said so. The word must be a person's.
func (j *judgement) beforeTheRun() {
	wait := func(rule, sentence string) { j.v.Confirm.Why = append(j.v.Confirm.Why, j.say(rule, sentence)) }
	if j.c.Overrides.ConfirmFirst {
		wait(RuleConfirmFirst, text.Say("rules.confirm_first"))
	}
	if len(j.v.Confirm.Why) == 0 {
		return
	}
	if j.confirmed() {
		return
	}
	j.v.Confirm.Needed, j.v.Confirm.Waits = true, j.rules.Acceptance[2]
}

func (j *judgement) confirmed() bool { return j.c.Confirmed && j.c.Actor.Kind == Human }

// decide turns the level into what happens.
func (j *judgement) decide() {
	v := &j.v
	v.Acceptance = Acceptance{Required: v.Level <= 3, Waiting: j.rules.Acceptance[v.Level]}
	switch {
	case v.Level == 1:
		v.Decision, v.Status = Block, StatusHuman
		v.TakesOver = j.rules.TakesOver.to(j.domains(), j.fired)
		j.say(RuleMatrix, text.Say("rules.goes_to", "roles", strings.Join(v.TakesOver, ", ")))
	case v.Level == 2 && !(j.confirmed() && j.c.Action != Recommend):
		v.Decision, v.Status = RecommendOnly, StatusRecommended
	case v.Confirm.Needed:
		v.Decision, v.Status = Confirm, StatusConfirmation
	case v.Level == 2: // the person runs what was recommended: it is theirs, and waits for their acceptance like level 3
		j.say(RuleConfirmed, text.Say("rules.person_runs"))
		v.Acceptance.Waiting = j.rules.Acceptance[3]
		v.Decision, v.Status, v.Run = Confirm, StatusPending, true
	case v.Level == 3:
		v.Decision, v.Status, v.Run = Confirm, StatusPending, true
	case v.Level == 4:
		v.Decision, v.Status, v.Run = Notify, StatusCompleted, true
	default:
		v.Decision, v.Status, v.Run = Proceed, StatusCompleted, true
	}
	if v.Level == 4 {
		v.Tell = j.rules.IsTold.to(j.domains(), j.fired)
	}
	if v.Level <= 2 && !v.Run { // nothing waits before a run that does not happen
		v.Confirm = Confirmation{}
	}
	v.Run = v.Run && !v.Provisional
}

// MustClarify says whether a question goes back to the person, given its ambiguity and the confidence of each slot of its
// reading, all 0 to 1, and why.
func (rules *Rules) MustClarify(ambiguity float64, slots map[string]float64) []Reason {
	var why []Reason
	if !(ambiguity < rules.Clarify.Ambiguity) { // NaN asks, too
		why = append(why, Reason{"ambiguity_from", text.Say("rules.ambiguous", "value", figure(ambiguity), "limit", figure(rules.Clarify.Ambiguity))})
	}
	var names []string
	for name := range slots {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !(slots[name] >= rules.Clarify.Slot) {
			why = append(why, Reason{"slot_below", text.Say("rules.slot_unsure", "slot", name, "value", figure(slots[name]), "limit", figure(rules.Clarify.Slot))})
		}
	}
	return why
}

// Due gives when a wait that began then is over; false: never.
func (w Waiting) Due(began time.Time) (time.Time, bool) {
	if w.Then == EndNever || w.After <= 0 {
		return time.Time{}, false
	}
	return began.Add(w.After), true
}
