package analyst

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/session"
)

// What may happen to a request before it rests. TestLifecycle has a case for each; TestEveryWay walks the table of stages.
var courses = []string{
	"door -> conflict", "door -> invalid", "intake -> fault", "intake -> canceled", "intake -> scope",
	"scope -> fault", "scope -> canceled", "scope -> refuse by memo", "scope -> refuse by reader", "scope -> refuse by syntax", "scope -> clarify", "scope -> plan",
	"plan -> refuse", "plan -> fault", "plan -> canceled", "plan -> confirm", "plan -> execute",
	"execute -> fault", "execute -> canceled", "execute -> deliver",
	"deliver -> canceled", "deliver -> accept", "accept -> close", "close -> fault", "anywhere -> mistake",
}

const byCategory = "SELECT revenue AT products.category DURING 1997"

func categoryRows() [][][]any {
	return [][][]any{
		{{"Beverages", dec("267868.18")}, {"Produce", dec("99984.58")}},
		{{int64(2155), int64(1059), int64(1059)}},
	}
}

func TestLifecycle(t *testing.T) {
	walked := map[string]bool{}
	edge := func(name string, walk func(t *testing.T)) {
		if !slices.Contains(courses, name) {
			t.Errorf("%q is no edge", name)
		}
		walked[name] = true
		t.Run(name, walk)
	}
	k := shopKnowledge(t)

	edge("door -> conflict", func(t *testing.T) {
		d := newDesk(t, k, categoryRows()...)
		d.engine.onQuery = func() {
			d.engine.onQuery = nil
			_, err := d.Ask(t.Context(), Request{FrameQL: byCategory, SessionID: "s", Caller: ada}, nil)
			wantFault(t, err, fault.Conflict, "still working")
		}
		if _, err := d.ask(t.Context(), Request{FrameQL: byCategory, SessionID: "s"}); err != nil {
			t.Fatal(err)
		}
		d.engine.rows = categoryRows()
		if _, err := d.ask(t.Context(), Request{FrameQL: byCategory, SessionID: "s"}); err != nil {
			t.Errorf("after it: %v", err)
		}
	})
	edge("door -> invalid", func(t *testing.T) {
		for _, name := range []string{strings.Repeat("x", 129), "a\nb", "a\xff"} {
			d := newDesk(t, k)
			_, err := d.ask(t.Context(), Request{Question: "revenue", SessionID: name})
			wantFault(t, err, fault.Invalid, "name of the session")
			if len(d.log) > 0 {
				t.Errorf("%q: %v", name, d.log)
			}
		}
	})
	edge("intake -> fault", func(t *testing.T) {
		d := newDesk(t, k)
		d.memory.beginErr = fault.New(fault.Unavailable, "begin", "There is no space left.", "")
		_, err := d.ask(t.Context(), Request{Question: "revenue", SessionID: "s"})
		wantFault(t, err, fault.Unavailable, "no space")
		if got := strings.Join(d.log, ", "); got != "intake started, begin, intake failed" {
			t.Errorf("log %s", got)
		}
		d.memory.beginErr = nil
		d.engine.rows = categoryRows()
		if _, err := d.ask(t.Context(), Request{FrameQL: byCategory, SessionID: "s"}); err != nil {
			t.Errorf("the session is not free again: %v", err)
		}
	})
	edge("intake -> canceled", func(t *testing.T) {
		d := newDesk(t, k)
		ctx, stop := context.WithCancel(t.Context())
		stop()
		_, err := d.ask(ctx, Request{Question: "revenue"})
		wantFault(t, err, fault.Canceled, "stopped")
		if slices.Contains(d.log, "begin") {
			t.Errorf("log %v", d.log)
		}
	})
	edge("intake -> scope", func(t *testing.T) {
		d := newDesk(t, k)
		if _, err := d.ask(t.Context(), Request{Question: "What is the salary, please confirm first?", Actor: "os:ada"}); err != nil {
			t.Fatal(err)
		}
		r := d.memory.begun[0]
		if r.Question != "What is the salary, please confirm first?" || r.Actor != "os:ada" || r.Overrides["confirm"] != "first" || r.SessionID != "id1" || r.RequestID != "id2" {
			t.Errorf("stored %+v", r)
		}
		if d.log[0] != "intake started" || d.log[1] != "begin" || d.log[2] != "step" || d.log[3] != "intake done" {
			t.Errorf("log %v", d.log)
		}
	})
	edge("scope -> fault", func(t *testing.T) {
		d := newDesk(t, Knowledge{})
		_, err := d.ask(t.Context(), Request{Question: "revenue"})
		wantFault(t, err, fault.NotFound, "no data")
		turn := d.turn(t)
		if turn.Outcome != session.Failed || turn.Fault == nil || turn.Fault.Code != "not_found" || turn.Fault.Hint != "Import a file first." {
			t.Errorf("turn %+v", turn)
		}
		if last := d.events[len(d.events)-1]; last.Fault == nil || d.log[len(d.log)-2] != "finish" {
			t.Errorf("the failure is not stored before it is emitted: %v", d.log)
		}
	})
	for name, at := range map[string]string{"scope -> canceled": "interpret started", "plan -> canceled": "plan started", "deliver -> canceled": "narrate started"} {
		edge(name, func(t *testing.T) {
			d := newDesk(t, k, categoryRows()...)
			ctx, stop := context.WithCancel(t.Context())
			_, err := d.Ask(ctx, Request{FrameQL: byCategory, Caller: ada}, func(e Event) {
				d.events = append(d.events, e)
				if e.Step != nil && e.Step.Name+" "+e.Step.Status == at {
					stop()
				}
			})
			canceled(t, d, err)
		})
	}
	edge("execute -> canceled", func(t *testing.T) {
		d := newDesk(t, k, categoryRows()...)
		ctx, stop := context.WithCancel(t.Context())
		d.engine.onQuery = stop
		_, err := d.ask(ctx, Request{FrameQL: byCategory})
		canceled(t, d, err)
		if len(d.engine.seen) != 1 {
			t.Errorf("%d statements ran", len(d.engine.seen))
		}
	})
	edge("scope -> refuse by memo", func(t *testing.T) {
		for _, question := range []string{"average SALARY by country", "salaries", "revenue by birth-date"} {
			d := newDesk(t, k)
			a, err := d.ask(t.Context(), Request{Question: question})
			refused(t, d, a, err, "OUT_OF_SCOPE", "Pay and personal details are not for analysis.")
		}
		d := newDesk(t, k)
		a, err := d.ask(t.Context(), Request{Question: "revenue by category", Memo: "## Refuse\n- revenue: Not today."})
		refused(t, d, a, err, "OUT_OF_SCOPE", "Not today.")
		d = newDesk(t, k)
		a, err = d.ask(t.Context(), Request{FrameQL: "SELECT salary AT ()"})
		refused(t, d, a, err, "OUT_OF_SCOPE", "Pay")
	})
	edge("scope -> refuse by reader", func(t *testing.T) {
		d := newDesk(t, k)
		a, err := d.ask(t.Context(), Request{Question: "xyzzy frobnicate the quux"})
		refused(t, d, a, err, a.Refusal.Code, "")
	})
	edge("scope -> refuse by syntax", func(t *testing.T) {
		for _, query := range []string{"SELECT", `{"v":1,"select":7}`} {
			d := newDesk(t, k)
			a, err := d.ask(t.Context(), Request{FrameQL: query})
			refused(t, d, a, err, "SYNTAX", "")
			if a.Question != query {
				t.Errorf("question %q", a.Question)
			}
		}
	})
	edge("scope -> clarify", clarifies)
	edge("plan -> refuse", func(t *testing.T) {
		d := newDesk(t, k)
		a, err := d.ask(t.Context(), Request{FrameQL: "SELECT revenu AT ()"})
		refused(t, d, a, err, "UNKNOWN_NAME", "revenu")
		if len(a.Refusal.Repairs) == 0 || !strings.Contains(a.Refusal.Repairs[0].FrameQL, "revenue") {
			t.Errorf("repairs %+v", a.Refusal.Repairs)
		}
	})
	edge("plan -> fault", func(t *testing.T) {
		d := newDesk(t, k)
		d.engine.costErr = errors.New("driver: bad connection")
		_, err := d.ask(t.Context(), Request{FrameQL: byCategory})
		wantFault(t, err, fault.Internal, "mistake in the program")
		if turn := d.turn(t); turn.Outcome != session.Failed || turn.FrameQL == "" || strings.Contains(turn.Fault.Message, "driver") {
			t.Errorf("turn %+v", turn)
		}
	})
	edge("plan -> confirm", func(t *testing.T) {
		d := newDesk(t, k)
		a, err := d.ask(t.Context(), Request{Question: "revenue by category in 1997, please confirm first"})
		if err != nil {
			t.Fatal(err)
		}
		if a.Outcome != OutcomeConfirm || a.Status != "needs_confirmation" || a.Plan == nil || a.Frame != nil || a.Understood.FrameQL == "" || a.Risk.Decision != "confirm" {
			t.Errorf("answer %+v", a)
		}
		if slices.Contains(d.log, "query") {
			t.Error("it ran")
		}
		d = newDesk(t, k, categoryRows()...)
		if a, err = d.ask(t.Context(), Request{Question: "revenue by category in 1997, please confirm first", Confirm: true}); err != nil || a.Outcome != OutcomeAnswer {
			t.Errorf("confirmed: %v, %+v", err, a)
		}
	})
	edge("execute -> fault", func(t *testing.T) {
		d := newDesk(t, k)
		d.engine.queryErr = fault.New(fault.Limit, "query", "The statement took longer than 60 s.", "Ask for less.")
		_, err := d.ask(t.Context(), Request{FrameQL: byCategory})
		wantFault(t, err, fault.Limit, "60 s")
		turn := d.turn(t)
		last := turn.Trace[len(turn.Trace)-1]
		if turn.Outcome != session.Failed || turn.Fault.Code != "limit" || last.Name != "execute" || last.Status != "failed" || string(turn.Answer) != "" {
			t.Errorf("turn %+v", turn)
		}
	})
	edge("close -> fault", func(t *testing.T) {
		d := newDesk(t, k, categoryRows()...)
		d.memory.finishErr = fault.New(fault.Unavailable, "finish", "There is no space left.", "")
		a, err := d.ask(t.Context(), Request{FrameQL: byCategory})
		wantFault(t, err, fault.Unavailable, "no space")
		if a != nil || slices.Contains(d.log, "answer") || slices.Contains(d.log, "fault") {
			t.Errorf("what could not be stored was given out: %v", d.log)
		}
	})
	edge("anywhere -> mistake", func(t *testing.T) {
		d := newDesk(t, k)
		d.engine.onQuery = func() { panic("a bug") }
		_, err := d.ask(t.Context(), Request{FrameQL: byCategory})
		wantFault(t, err, fault.Internal, "mistake in the program")
		if !strings.Contains(fault.Detail(err), "a bug") || d.turn(t).Outcome != session.Failed {
			t.Errorf("detail %s", fault.Detail(err))
		}
	})
	for _, name := range []string{"scope -> plan", "plan -> execute", "execute -> deliver", "deliver -> accept", "accept -> close"} {
		edge(name, func(t *testing.T) {
			d := newDesk(t, k, categoryRows()...)
			a, err := d.ask(t.Context(), Request{Question: "revenue by category in 1997"})
			if err != nil {
				t.Fatal(err)
			}
			want := "intake started, begin, step, intake done, interpret started, step, interpret done, resolve started, step, resolve done, plan started, cost, step, plan done, " +
				"audit started, record decision, step, audit done, execute started, query, " + // the statement, and its population
				"query, step, execute done, check started, step, check done, chart started, step, chart done, narrate started, step, narrate done, " +
				"followups started, step, followups done, close started, finish, close done, answer"
			if got := strings.Join(d.log, ", "); got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
			if a.Outcome != OutcomeAnswer || a.Status != "completed" || a.Acceptance == nil || a.Acceptance.Required {
				t.Errorf("answer %+v", a)
			}
			turn := d.turn(t)
			var stored Answer
			if err := json.Unmarshal(turn.Answer, &stored); err != nil || stored.RequestID != a.RequestID || turn.Outcome != "answer" || turn.FrameQL != a.Frame.FrameQL {
				t.Errorf("stored %+v, %v", turn, err)
			}
		})
	}

	for _, name := range courses {
		if !walked[name] {
			t.Errorf("nobody walks %q", name)
		}
	}
}

func canceled(t *testing.T, d *desk, err error) {
	t.Helper()
	wantFault(t, err, fault.Canceled, "stopped")
	turn := d.turn(t)
	if turn.Outcome != session.Canceled || len(turn.Artifacts) != 0 || turn.Fault == nil || turn.Fault.Code != "canceled" {
		t.Errorf("turn %+v", turn)
	}
	if last := d.events[len(d.events)-1]; last.Fault == nil {
		t.Errorf("the last event is %+v", last)
	}
}

func refused(t *testing.T, d *desk, a *Answer, err error, code, words string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if a.Outcome != OutcomeRefuse || a.Refusal == nil || a.Refusal.Code != code || !strings.Contains(a.Refusal.Message, words) || a.Refusal.Message == "" {
		t.Fatalf("answer %+v, refusal %+v", a, a.Refusal)
	}
	if len(a.Artifacts) != 1 || a.Artifacts[0].Kind != session.KindRefusal || a.Frame != nil || slices.Contains(d.log, "query") {
		t.Errorf("artifacts %+v, log %v", a.Artifacts, d.log)
	}
	if turn := d.turn(t); turn.Outcome != "refuse" || turn.Artifacts[0].ID != a.Artifacts[0].ID {
		t.Errorf("turn %+v", turn)
	}
}
