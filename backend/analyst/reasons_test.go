package analyst

import (
	"fmt"
	"strings"
	"testing"

	"assay/backend/frameql"
)

func TestEmptyQuotientsSayWhy(t *testing.T) {
	rows := [][]any{{"Beverages", dec("3"), dec("2"), dec("1"), 0.5}, {"Produce", dec("3"), dec("0"), dec("3"), nil}, {"Seafood", dec("3"), nil, nil, nil}}
	explained := [][]any{{"Beverages", dec("3"), dec("2"), dec("1"), 0.5, nil}, {"Produce", dec("3"), dec("0"), dec("3"), nil, "zero_base"}, {"Seafood", dec("3"), nil, nil, nil, "no_base"}}
	counted := [][]any{{int64(9), int64(8)}}
	d := newDesk(t, shopKnowledge(t), rows, counted, explained)
	a, err := d.ask(t.Context(), Request{FrameQL: "SELECT category, revenue DURING 1997 COMPARE TO PREVIOUS PERIOD"})
	if err != nil {
		t.Fatal(err)
	}
	want := "[{revenue_change_pct zero_base [1]} {revenue_change_pct no_base [2]}]"
	if got := fmt.Sprint(a.Frame.Reasons); got != want {
		t.Errorf("reasons %s, want %s", got, want)
	}
	if len(d.engine.seen) < 3 || !strings.Contains(d.engine.seen[2].SQL, "revenue_change_pct_reason") {
		t.Errorf("statements %d", len(d.engine.seen))
	}
	if got := found(a, "ZERO_BASE"); got != "info: 1 cell is empty because the divisor is zero: Relative change of revenue." {
		t.Errorf("ZERO_BASE %q", got)
	}
	if got := found(a, "NO_BASE"); got != "info: 1 cell is empty because there is no value to divide by: Relative change of revenue." {
		t.Errorf("NO_BASE %q", got)
	}
}

func TestReasonsThatFailLeaveTheAnswer(t *testing.T) {
	rows := [][]any{{"Produce", dec("3"), nil, nil, nil}}
	d := newDesk(t, shopKnowledge(t), rows, [][]any{{int64(9), int64(8)}}) // the engine has nothing for the third statement
	a, err := d.ask(t.Context(), Request{FrameQL: "SELECT category, revenue DURING 1997 COMPARE TO PREVIOUS PERIOD"})
	if err != nil || a.Outcome != OutcomeAnswer || a.Frame.Reasons == nil || len(a.Frame.Reasons) != 0 || found(a, "NO_BASE") != "" {
		t.Errorf("answer %+v, %v", a, err)
	}
	if len(d.engine.seen) != 3 {
		t.Errorf("%d statements", len(d.engine.seen))
	}
}

func TestNoReasonIsAskedForWithoutEmptyQuotients(t *testing.T) {
	rows := [][]any{{"Produce", nil}}
	d := newDesk(t, shopKnowledge(t), rows, [][]any{{int64(9), int64(8)}})
	if _, err := d.ask(t.Context(), Request{FrameQL: "SELECT category, revenue DURING 1997"}); err != nil {
		t.Fatal(err)
	}
	if len(d.engine.seen) != 2 {
		t.Errorf("%d statements for a sum without a value", len(d.engine.seen))
	}
}

func TestReasonColumns(t *testing.T) {
	f := frame([]frameql.Column{category1, revenue, metric("revenue_reason", "decimal", "")})
	for names, want := range map[string]string{
		"category/revenue/revenue_reason":                                      "[-1 -1 -1]",
		"category/revenue/revenue_reason/revenue_reason":                       "[-1 2 -1]",
		"category/revenue/revenue_reason/revenue_reason/revenue_reason_reason": "[-1 2 4]",
		"category/revenue":                      "[]",
		"category/revenue/revenue_reason/other": "[]",
	} {
		if got := fmt.Sprint(reasonColumns(f, strings.Split(names, "/"))); got != want {
			t.Errorf("%s: %s, want %s", names, got, want)
		}
	}
}
