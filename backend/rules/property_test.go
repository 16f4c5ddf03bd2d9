package rules

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// drawCase draws a request of any kind, and drawRules a workspace whose files load.
func drawCase(rt *rapid.T) Case {
	share := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 0.2, 0.3, 0.4, 0.5, 0.7, 1}))
	c := Case{
		Actor: Actor{
			Kind: rapid.SampledFrom([]Kind{Human, Human, Agent}).Draw(rt, "kind"), Role: rapid.SampledFrom([]string{"analyst", "steward", "agent", "ghost"}).Draw(rt, "role"),
			ReviewAll: rapid.Bool().Draw(rt, "review"), TrustRoutine: rapid.Bool().Draw(rt, "trust"),
			AlwaysConfirm: rapid.SliceOfN(rapid.SampledFrom([]string{"finance", "sales"}), 0, 2).Draw(rt, "always"),
		},
		Action:     rapid.SampledFrom([]Action{"", Query, Query, Recommend, Modify}).Draw(rt, "action"),
		Likelihood: share.Draw(rt, "likelihood"), Cost: share.Draw(rt, "cost"),
		Domains:     rapid.SliceOfN(rapid.SampledFrom([]string{"finance", "sales", "ops", "hr"}), 0, 4).Draw(rt, "domains"),
		Sensitive:   rapid.SliceOfN(rapid.Just("people"), 0, 1).Draw(rt, "sensitive"),
		Overrides:   Overrides{rapid.Bool().Draw(rt, "first"), rapid.Bool().Draw(rt, "doit")},
		Level:       rapid.IntRange(-1, 7).Draw(rt, "level"),
		Confirmed:   rapid.Bool().Draw(rt, "confirmed"),
		Provisional: rapid.Bool().Draw(rt, "provisional"),
	}
	if rapid.Bool().Draw(rt, "known") {
		x := share.Draw(rt, "complexity")
		c.Complexity = &x
	}
	if rapid.Bool().Draw(rt, "planned") {
		c.Plan = &Plan{
			Bytes: rapid.Int64Range(-1, 3e11).Draw(rt, "bytes"), Rows: rapid.Int64Range(-1, 3e8).Draw(rt, "rows"),
			Runtime: time.Duration(rapid.IntRange(-1, 30).Draw(rt, "minutes")) * time.Minute,
		}
	}
	return c
}

// drawRules varies what autonomy.yaml may say.
func drawRules(rt *rapid.T) *Rules {
	rules := *Builtin()
	level, rows := rapid.IntRange(1, 5), []Row(nil)
	low, high, below := 5, 5, 0.0
	for i := rapid.IntRange(1, 4).Draw(rt, "rows"); i > 0; i-- {
		low = min(low, level.Draw(rt, "low"))
		high = min(high, low, level.Draw(rt, "high"))
		below += rapid.Float64Range(0.01, 0.24).Draw(rt, "below")
		rows = append(rows, Row{below, low, high})
	}
	rows[len(rows)-1].Below = 0
	rules.Matrix = rows
	rules.Review = rapid.Float64Range(0, 1).Draw(rt, "review above")
	rules.Routine = rapid.Float64Range(0, 1).Draw(rt, "routine below")
	rules.AgentsAtMost = level.Draw(rt, "agents")
	for _, t := range []*Trigger{&rules.Triggers.Scan, &rules.Triggers.Runtime, &rules.Triggers.Rows, &rules.Triggers.Domains, &rules.Triggers.Sensitive} {
		t.AtMost = level.Draw(rt, "at most")
		t.Then = rapid.SampledFrom([]Then{ThenNothing, ThenWarn, ThenConfirm}).Draw(rt, "then")
	}
	return &rules
}

// TestMoreRiskNeverRaises worsens one thing of a request at a time.
func TestMoreRiskNeverRaises(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules, c := drawRules(rt), drawCase(rt)
		before := rules.Judge(c)
		worse := c
		switch rapid.IntRange(0, 8).Draw(rt, "worse") {
		case 0:
			worse.Likelihood = rapid.Float64Range(c.Likelihood, 1).Draw(rt, "more likely")
		case 1:
			worse.Cost = rapid.Float64Range(c.Cost, 1).Draw(rt, "more costly")
		case 2:
			if c.Complexity != nil {
				x := rapid.Float64Range(*c.Complexity, 1).Draw(rt, "more complex")
				worse.Complexity = &x
			}
		case 3:
			worse.Complexity = nil
		case 4:
			worse.Domains = append(append([]string{}, c.Domains...), rapid.SampledFrom([]string{"finance", "hr", "legal"}).Draw(rt, "domain"))
		case 5:
			worse.Sensitive = append(append([]string{}, c.Sensitive...), "salaries")
		case 6:
			if c.Plan != nil {
				p := Plan{c.Plan.Bytes + 1e11, c.Plan.Runtime + 11*time.Minute, c.Plan.Rows + 1e8}
				worse.Plan = &p
			}
		case 7:
			worse.Overrides.ConfirmFirst = true
		case 8:
			worse.Objects = append(worse.Objects, Object{"hr", "salary"})
			for i := range rules.Roles {
				rules.Roles[i].Schemas = []string{"main"}
			}
		}
		after := rules.Judge(worse)
		if after.Level > before.Level {
			rt.Fatalf("level %d rose to %d: %v", before.Level, after.Level, after.Sentences())
		}
		if after.Run && !before.Run {
			rt.Fatalf("what did not run now runs: %v", after.Sentences())
		}
	})
}

// TestLevelFlagOnlyLowers, and it gives the level that was asked for when that is lower.
func TestLevelFlagOnlyLowers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules, c := drawRules(rt), drawCase(rt)
		c.Level = 0
		free := rules.Judge(c)
		c.Level = rapid.IntRange(1, 9).Draw(rt, "asked")
		if got := rules.Judge(c).Level; got != min(free.Level, c.Level) {
			rt.Fatalf("asked for %d, free %d, got %d", c.Level, free.Level, got)
		}
	})
}

// TestVerdictsAreSound holds for every request: nothing is above the matrix but by trust in routine, what is blocked or
// provisional does not run, and nothing of level 3 or below is accepted by the clock.
func TestVerdictsAreSound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rules, c := drawRules(rt), drawCase(rt)
		v := rules.Judge(c)
		plain := rules.Judge(Case{Actor: Actor{Kind: Human, Role: "analyst"}, Likelihood: c.Likelihood, Cost: c.Cost, Provisional: true})
		matrix := Rules{Matrix: rules.Matrix, Review: 1, Roles: rules.Roles}
		ceiling := matrix.Judge(Case{Actor: Actor{Kind: Human, Role: "analyst"}, Likelihood: c.Likelihood, Cost: c.Cost, Provisional: true}).Level
		switch {
		case v.Level < 1 || v.Level > 5:
			rt.Fatalf("level %d", v.Level)
		case v.Level > ceiling && !(ceiling == 4 && v.Level == 5 && c.Actor.TrustRoutine && c.Actor.Kind == Human && c.Cost < 0.5):
			rt.Fatalf("level %d above the matrix's %d: %v", v.Level, ceiling, v.Sentences())
		case v.Level > plain.Level && c.Likelihood*c.Cost > rules.Review+1e-9:
			rt.Fatalf("a preference beat the mandatory review: %v", v.Sentences())
		case v.Run && (v.Level == 1 || v.Decision == Block || c.Provisional || v.Status == StatusConfirmation || v.Status == StatusRecommended):
			rt.Fatalf("it runs at level %d, %s, %s", v.Level, v.Decision, v.Status)
		case v.Run && c.Action == Modify:
			rt.Fatal("a write runs")
		case v.Level <= 3 && (v.Acceptance.Then == EndAccept || v.Acceptance.Then == EndFlag):
			rt.Fatalf("level %d is accepted by the clock", v.Level)
		case len(v.Reasons) == 0:
			rt.Fatal("no reasons")
		case v.Level == 1 && v.Status != StatusBlocked && len(v.TakesOver) == 0, v.Level == 4 && len(v.Tell) == 0:
			rt.Fatal("nobody takes over, or nobody is told")
		case c.Actor.Kind == Agent && v.Level > rules.AgentsAtMost:
			rt.Fatalf("an agent has level %d", v.Level)
		}
	})
}
