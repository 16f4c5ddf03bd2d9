package analyst

import (
	"context"
	"strings"
	"testing"

	"assay/backend/frameql"
)

// A frame whose data changed under the request says so, and one of the present data does not.
func TestStaleFrame(t *testing.T) {
	for epoch, want := range map[string]string{"sha256:2": "", "sha256:old": "caution: The numbers come from a stored frame of other data than there is now: lines has changed. Ask again."} {
		f := oneCategory(3)
		f.SourceEpochs = map[string]string{"lines": "sha256:2"}
		r := &run{plan: &frameql.Plan{}, knowledge: Knowledge{Model: shop(t)}, answer: blank(Stored{}), cached: &cachedPlan{}, read: map[string]string{"lines": epoch, "frm_1": "x"}}
		r.answer.Frame, r.answer.Verification = f, &Verification{Level: "A"}
		r.look()
		if got := found(r.answer, frameql.CacheStale); got != want {
			t.Errorf("%s: %q", epoch, got)
		}
	}
}

// What the numbers rest on is asked once more at most, and an answer stands when that fails or gives other rows.
func TestEvidenceThatFails(t *testing.T) {
	k := shopKnowledge(t)
	for name, second := range map[string][][]any{"other rows": {{"Else", 1, 2, 3, 4}}, "nothing": nil} {
		rows := [][][]any{{{"Beverages", 2.5}}, {{10, 10}}}
		if second != nil {
			rows = append(rows[:1], second, rows[1])
		}
		d := newDesk(t, k, rows...)
		a, err := d.ask(context.Background(), Request{FrameQL: "SELECT category, AVG(lines.amount) AS a AT category"})
		if err != nil || a.Frame == nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := found(a, frameql.SmallN); !strings.Contains(got, "was not counted") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// An answer that was to be proven and comes out otherwise on the second path is refused, with the number.
func TestNotReproduced(t *testing.T) {
	k := shopKnowledge(t)
	k.Unique = func(string, []string) (bool, bool) { return true, true }
	ask := func(rows ...[][]any) *Answer {
		t.Helper()
		a, err := newDesk(t, k, rows...).ask(context.Background(), Request{FrameQL: "SELECT category, revenue AT category OPTIONS (verify = 'AAA')"})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	first, counted := [][]any{{"Beverages", int64(30)}, {"Produce", int64(12)}}, [][]any{{int64(50), int64(50)}}
	if a := ask(first, counted, [][]any{{"Beverages", int64(30)}, {"Produce", int64(12)}}, [][]any{{int64(42)}}); a.Frame == nil || a.Verification.Level != "AAA" {
		t.Errorf("equal on both paths: %+v %+v", a.Verification, a.Refusal)
	}
	for want, more := range map[string][][][]any{
		"A second path gives 31.00 for Revenue in row 1, where the first gave 30.00. That is less than AAA.": {{{"Beverages", int64(31)}, {"Produce", int64(12)}}},
		"A second path gives 1 rows where the first gave 2. That is less than AAA.":                          {{{"Beverages", int64(30)}}},
		"Revenue adds up to 42.0000, and the whole is 43.0000. That is less than AAA.":                       {{{"Beverages", int64(30)}, {"Produce", int64(12)}}, {{int64(43)}}},
	} {
		a := ask(append([][][]any{first, counted}, more...)...)
		if a.Refusal == nil || a.Frame != nil || a.Refusal.Code != "ATTESTATION_TOO_LOW" || a.Refusal.Message != want {
			t.Errorf("want %q, got %+v", want, a.Refusal)
			continue
		}
		if repairs := a.Refusal.Repairs; len(repairs) != 2 || !strings.Contains(repairs[0].FrameQL, "verify = 'AA')") || strings.Contains(repairs[1].FrameQL, "OPTIONS") {
			t.Errorf("repairs %+v", repairs)
		}
	}
}

// A second notice of a code is said with the first.
func TestOneNoticeOfACode(t *testing.T) {
	all := frameql.AddNotice(nil, frameql.Notice{Code: "X", Severity: frameql.Info, Facts: map[string]any{"n": 1}, Text: "One."})
	all = frameql.AddNotice(all, frameql.Notice{Code: "X", Severity: frameql.Caution, Facts: map[string]any{"n": 2}, Text: "Two."})
	all = frameql.AddNotice(all, frameql.Notice{Code: "X", Severity: frameql.Info, Facts: map[string]any{"n": 1}, Text: "One."})
	if len(all) != 1 || all[0].Text != "One. Two." || all[0].Severity != frameql.Caution {
		t.Fatalf("%+v", all)
	}
	if also := all[0].Facts["also"].([]map[string]any); len(also) != 1 || also[0]["n"] != 2 || all[0].Facts["n"] != 1 {
		t.Errorf("facts %+v", all[0].Facts)
	}
}
