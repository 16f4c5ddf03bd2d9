package analyst

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/rules"
	"assay/backend/session"
)

// walk remembers the ways that requests take.
func walk(d *desk, taken map[edge]bool) *desk {
	d.taken = func(e edge) { taken[e] = true }
	return d
}

// TestEveryWay takes every way of the table of stages and fails for one that no case takes, and for one that a case takes
// otherwise than it says.
func TestEveryWay(t *testing.T) {
	k := shopKnowledge(t)
	k.Unique = func(string, []string) (bool, bool) { return true, true }
	taken := map[edge]bool{}
	ask := func(r Request, prepare ...func(*desk)) func(t *testing.T) *desk {
		return func(t *testing.T) *desk {
			d := walk(newDesk(t, k, categoryRows()...), taken)
			for _, p := range prepare {
				p(d)
			}
			_, _ = d.ask(t.Context(), r)
			return d
		}
	}
	stopAt := func(step string, r Request, prepare ...func(*desk)) func(t *testing.T) *desk {
		return func(t *testing.T) *desk {
			d := walk(newDesk(t, k, categoryRows()...), taken)
			for _, p := range prepare {
				p(d)
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			r.Caller = ada
			_, _ = d.Ask(ctx, r, func(e Event) {
				if e.Step != nil && e.Step.Name+" "+e.Step.Status == step {
					stop()
				}
			})
			return d
		}
	}
	say := func(before func(t *testing.T) *desk, on Happening, how string, caller rules.Caller) func(t *testing.T) *desk {
		return func(t *testing.T) *desk {
			d := before(t)
			if _, err := d.Say(t.Context(), Word{RequestID: d.memory.standings[0].RequestID, On: on, How: how, Caller: caller}); err != nil {
				t.Errorf("%s: %v", on, err)
			}
			return d
		}
	}
	later := func(before func(t *testing.T) *desk, wait time.Duration) func(t *testing.T) *desk {
		return func(t *testing.T) *desk {
			d := before(t)
			now := d.deps.Now
			d.deps.Now = func() time.Time { return now().Add(wait) }
			if n, err := d.Sweep(t.Context()); n != 1 || err != nil {
				t.Errorf("%d were settled, %v", n, err)
			}
			return d
		}
	}
	again := func(before func(t *testing.T) *desk, r Request) func(t *testing.T) *desk {
		return func(t *testing.T) *desk {
			d := before(t)
			d.engine.rows = categoryRows()
			d.memory.before = []session.Turn{d.turn(t)}
			r.SessionID = d.memory.standings[0].SessionID
			if _, err := d.ask(t.Context(), r); err != nil {
				t.Error(err)
			}
			return d
		}
	}
	level := func(n int) func(t *testing.T) *desk { return ask(Request{FrameQL: byCategory, Level: n}) }
	bug := func(d *desk) { d.engine.costErr = errors.New("a bug") }
	full := fault.New(fault.Unavailable, "finish", "There is no space left.", "")

	for name, c := range map[string]struct {
		walk func(t *testing.T) *desk
		last edge // that it takes
	}{
		"a question is understood":   {ask(Request{Question: "revenue by category in 1997"}), edge{StageDeliver, OnShown, StageAccept}},
		"a statement is run":         {ask(Request{SQL: "SELECT 1"}), edge{StageDeliver, OnShown, StageAccept}},
		"a question is unclear":      {unclear(k, taken), edge{StageScope, OnUnclear, StageScope}},
		"nothing is understood":      {ask(Request{Question: "xyzzy frobnicate the quux"}), edge{StageScope, OnRefused, StageClose}},
		"a query is refused":         {ask(Request{FrameQL: "SELECT revenu AT ()"}), edge{StagePlan, OnRefused, StageClose}},
		"a statement is refused":     {ask(Request{SQL: "DROP TABLE orders"}), edge{StagePlan, OnRefused, StageClose}},
		"a query is explained":       {ask(Request{FrameQL: "EXPLAIN " + byCategory}), edge{StagePlan, OnExplained, StageClose}},
		"a statement is explained":   {ask(Request{SQL: "SELECT 1", Explain: true}), edge{StagePlan, OnExplained, StageClose}},
		"a run is costly":            {ask(Request{FrameQL: byCategory}, costly), edge{StagePlan, OnCostly, StagePlan}},
		"level 2":                    {level(2), edge{StagePlan, OnAdvised, StagePlan}},
		"level 1":                    {level(1), edge{StagePlan, OnHandedOver, StagePlan}},
		"a table is not to be seen":  {ask(Request{FrameQL: byCategory}, blind), edge{StagePlan, OnBlocked, StageClose}},
		"the numbers do not agree":   {ask(Request{FrameQL: proven}, disagree), edge{StageDeliver, OnRefused, StageClose}},
		"the question is not stored": {ask(Request{Question: "revenue"}, func(d *desk) { d.memory.beginErr = full }), edge{}},
		"there is no data":           {noData(taken), edge{StageScope, OnBroke, StageClose}},
		"the plan breaks":            {ask(Request{FrameQL: byCategory}, bug), edge{StagePlan, OnBroke, StageClose}},
		"the log cannot be written":  {ask(Request{FrameQL: byCategory}, func(d *desk) { d.memory.recordErr = full }), edge{StagePlan, OnBroke, StageClose}},
		"the statement breaks":       {ask(Request{FrameQL: byCategory}, func(d *desk) { d.engine.queryErr = errors.New("a bug") }), edge{StageExecute, OnBroke, StageClose}},
		"the answer breaks":          {ask(Request{FrameQL: proven}, breaksLater), edge{StageDeliver, OnBroke, StageClose}},
		"the answer is not stored":   {ask(Request{FrameQL: byCategory}, func(d *desk) { d.memory.finishErr = full }), edge{StageAccept, OnBroke, StageClose}},
		"a refusal is not stored":    {ask(Request{FrameQL: "SELECT revenu AT ()"}, func(d *desk) { d.memory.finishErr = full }), edge{StageClose, OnBroke, StageClose}},
		"stopped in scope":           {stopAt("interpret started", Request{Question: "revenue"}), edge{StageScope, OnCanceled, StageClose}},
		"stopped in plan":            {stopAt("plan started", Request{FrameQL: byCategory}), edge{StagePlan, OnCanceled, StageClose}},
		"stopped in execute":         {stopAt("execute started", Request{FrameQL: byCategory}), edge{StageExecute, OnCanceled, StageClose}},
		"stopped in deliver":         {stopAt("narrate started", Request{FrameQL: byCategory}), edge{StageDeliver, OnCanceled, StageClose}},
		"stopped in accept":          {stopAt("close started", Request{FrameQL: byCategory}), edge{StageAccept, OnCanceled, StageClose}},
		"stopped in close":           {stopAt("close started", Request{FrameQL: "SELECT revenu AT ()"}), edge{StageClose, OnCanceled, StageClose}},

		"another turn answers":     {again(unclear(k, taken), Request{FrameQL: byCategory}), edge{StageScope, OnAnswered, StageClose}},
		"the run is confirmed":     {confirmed(ask(Request{FrameQL: byCategory}, costly)), edge{StagePlan, OnConfirmed, StageClose}},
		"the run is declined":      {say(ask(Request{FrameQL: byCategory}, costly), OnDeclined, "", ada), edge{StagePlan, OnDeclined, StageClose}},
		"a person did it":          {say(level(1), OnHandled, "", steward), edge{StagePlan, OnHandled, StageClose}},
		"the advice expires":       {later(level(2), 8*24*time.Hour), edge{StagePlan, OnExpired, StageClose}},
		"the person accepts":       {say(level(3), OnAccepted, "", ada), edge{StageAccept, OnAccepted, StageClose}},
		"the person uses it":       {say(level(5), OnAccepted, HowExport, ada), edge{StageAccept, OnAccepted, StageClose}},
		"the person rejects":       {say(level(5), OnRejected, "", ada), edge{StageAccept, OnRejected, StageClose}},
		"the person asks anew":     {again(ask(Request{Question: "revenue by country in 1997"}), Request{Question: "actually, I meant number of orders"}), edge{StageAccept, OnRevised, StageClose}},
		"time accepts level 5":     {later(level(5), 25*time.Hour), edge{StageAccept, OnTimedOut, StageClose}},
		"time flags level 4":       {later(level(4), 49*time.Hour), edge{StageAccept, OnFlagged, StageClose}},
		"time abandons level 3":    {later(level(3), 73*time.Hour), edge{StageAccept, OnAbandoned, StageClose}},
		"stopped before it begins": {stopped(k, taken), edge{}},
	} {
		t.Run(name, func(t *testing.T) {
			before := map[edge]bool{}
			for e := range taken {
				before[e] = true
				delete(taken, e)
			}
			c.walk(t)
			if c.last != (edge{}) && !taken[c.last] {
				t.Errorf("it does not take %v; it takes %v", c.last, taken)
			}
			for e := range before {
				taken[e] = true
			}
		})
	}
	for _, e := range edges {
		if !taken[e] {
			t.Errorf("no case takes the way from %s, when it is %s, to %s", e.from, e.on, e.to)
		}
	}
	for e := range taken {
		if to, ok := after(e.from, e.on); !ok || to != e.to {
			t.Errorf("%v is not in the table", e)
		}
	}
}

// steward is somebody of the role that requests of level 1 go to.
var steward = rules.Caller{OSUser: "sam"}

// bound are the built-in rules in which sam is a steward.
func bound() *rules.Rules {
	r := *rules.Builtin()
	r.Actors = append(r.Actors, rules.Actor{ID: "sam", Kind: rules.Human, Role: "steward", OSUsers: []string{"sam"}})
	return &r
}

// proven is a query whose numbers are computed twice.
const proven = "SELECT category, revenue AT category OPTIONS (verify = 'AAA')"

func costly(d *desk) { d.engine.bytes = 200e9 }

// blind leaves the role of who asks without a table.
func blind(d *desk) {
	d.deps.Rules = func() *rules.Rules {
		r := *rules.Builtin()
		r.Roles = append([]rules.Role(nil), r.Roles...)
		for i := range r.Roles {
			r.Roles[i].Tables = []string{"products"}
		}
		return &r
	}
}

// disagree gives other numbers the second time.
func disagree(d *desk) {
	d.engine.rows = append(categoryRows(), [][]any{{"Beverages", dec("1")}, {"Produce", dec("2")}})
}

// breaksLater breaks when the frame is computed a second time.
func breaksLater(d *desk) {
	n := 0
	d.engine.onQuery = func() {
		if n++; n == 3 {
			d.engine.queryErr = fault.New(fault.Limit, "query", "It takes too long.", "")
		}
	}
}

func noData(taken map[edge]bool) func(t *testing.T) *desk {
	return func(t *testing.T) *desk {
		d := walk(newDesk(t, Knowledge{}), taken)
		_, _ = d.ask(t.Context(), Request{Question: "revenue"})
		return d
	}
}

func unclear(k Knowledge, taken map[edge]bool) func(t *testing.T) *desk {
	return func(t *testing.T) *desk {
		d := walk(newDesk(t, k), taken)
		a, err := d.ask(t.Context(), Request{Question: halfUnderstood})
		if err != nil || a.Outcome != OutcomeClarify {
			t.Fatalf("%+v, %v", a, err)
		}
		return d
	}
}

func confirmed(before func(t *testing.T) *desk) func(t *testing.T) *desk {
	return func(t *testing.T) *desk {
		d := before(t)
		d.engine.rows = categoryRows()
		a, err := d.Confirm(t.Context(), Word{RequestID: d.memory.standings[0].RequestID, Caller: ada}, nil)
		if err != nil || a.Outcome != OutcomeAnswer {
			t.Errorf("%+v, %v", a, err)
		}
		return d
	}
}

func stopped(k Knowledge, taken map[edge]bool) func(t *testing.T) *desk {
	return func(t *testing.T) *desk {
		d := walk(newDesk(t, k), taken)
		ctx, stop := context.WithCancel(t.Context())
		stop()
		_, _ = d.ask(ctx, Request{Question: "revenue"})
		return d
	}
}

// TestAnImpossibleWayEndsTheRequest: what is not in the table is a mistake of ours, and never goes on.
func TestAnImpossibleWayEndsTheRequest(t *testing.T) {
	r := run{a: New(Deps{}), stage: StageScope}
	if err := r.move(OnShown); fault.CodeOf(err) != fault.Internal || !strings.Contains(fault.Detail(err), "scope cannot be shown") || r.stage != StageScope {
		t.Errorf("%v, in %s", err, r.stage)
	}
}
