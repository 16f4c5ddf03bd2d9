package memory

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/session"
)

const (
	day      = 24 * time.Hour
	keepDays = 90 * day
)

// expiring writes down which sessions are told to go, and when, in days from noon.
func expiringIn(t *testing.T, m *Memory) string {
	t.Helper()
	heads, err := m.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, h := range heads {
		when := "-"
		if h.Expires != nil {
			when = h.Expires.Sub(noon).Round(time.Hour).String()
		}
		all = append(all, h.ID+" "+when)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func TestUnusedSessionsAreToldOfAndForgotten(t *testing.T) {
	now := &clock{t: noon}
	m := at(t, now)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
	}
	for _, id := range []string{"unused", "pinned", "answer-pinned", "waits", "asked-back", "running", "noted", "seen", "settled", "golden"} {
		_, err := m.Begin(t.Context(), request("r-"+id, id, "question of "+id))
		must(err)
		if id == "running" {
			continue
		}
		c := analyst.Closing{Turn: turn(id, 1)}
		switch id {
		case "waits", "settled":
			c.Stage = analyst.StageAccept
		case "asked-back":
			c.Stage, c.Turn.Outcome = analyst.StageScope, "clarify"
		}
		must(m.Finish(t.Context(), "r-"+id, c))
	}
	must(m.Pin(t.Context(), "pinned", true))
	must(m.SaveView(t.Context(), "r-answer-pinned", session.View{Show: "table", Pinned: true}))
	must(m.AddGolden(t.Context(), Golden{ID: "g", Question: "question of golden", FrameQL: "SELECT revenue", Owner: "ada", RequestID: "r-golden"}))

	expire := func(keep time.Duration, told, forgotten, left string) {
		t.Helper()
		got, err := m.Expire(t.Context(), keep)
		slices.Sort(got.Told)
		slices.Sort(got.Forgotten)
		if err != nil || strings.Join(got.Told, " ") != told || strings.Join(got.Forgotten, " ") != forgotten {
			t.Errorf("after %v: told %v, forgot %v, %v", now.now().Sub(noon), got.Told, got.Forgotten, err)
		}
		if all := expiringIn(t, m); left != "" && all != left {
			t.Errorf("after %v: %s\nwant %s", now.now().Sub(noon), all, left)
		}
	}
	expire(keepDays, "", "", "")
	now.forward(80 * day)
	expire(keepDays, "", "", "")
	must(m.SaveFeedback(t.Context(), "r-noted", "ada", &session.Feedback{Thumb: "up", At: now.now()}, nil, analyst.Record{Kind: "feedback"}))
	must(m.SaveView(t.Context(), "r-seen", session.View{Show: "table"}))
	must(m.Settle(t.Context(), analyst.Settlement{RequestID: "r-settled", From: analyst.StageAccept, To: analyst.StageClose, On: analyst.OnAccepted, By: "ada", How: "explicit"}))
	now.forward(4 * day) // the 84th
	expire(keepDays, "asked-back golden unused", "",
		"answer-pinned -, asked-back 2184h0m0s, golden 2184h0m0s, noted -, pinned -, running -, seen -, settled -, unused 2184h0m0s, waits -")
	expire(keepDays, "", "", "") // once

	// Who keeps sessions for longer, or for ever, is told of nothing; who keeps them for less is told first.
	expire(365*day, "", "", "answer-pinned -, asked-back -, golden -, noted -, pinned -, running -, seen -, settled -, unused -, waits -")
	expire(30*day, "asked-back golden unused", "", "answer-pinned -, asked-back 2184h0m0s, golden 2184h0m0s, noted -, pinned -, running -, seen -, settled -, unused 2184h0m0s, waits -")
	expire(0, "", "", "answer-pinned -, asked-back -, golden -, noted -, pinned -, running -, seen -, settled -, unused -, waits -")
	now.forward(2 * day) // the 86th
	expire(keepDays, "asked-back golden unused", "", "answer-pinned -, asked-back 2232h0m0s, golden 2232h0m0s, noted -, pinned -, running -, seen -, settled -, unused 2232h0m0s, waits -")

	// A session that is asked in, cleared or pinned meanwhile stays.
	r := request("again", "asked-back", "and now")
	r.Asked = now.now()
	_, err := m.Begin(t.Context(), r)
	must(err)
	must(m.Finish(t.Context(), "again", analyst.Closing{Turn: turn("asked-back", 2)}))
	now.forward(7 * day) // the 93rd
	expire(keepDays, "", "golden unused", "answer-pinned -, asked-back -, noted -, pinned -, running -, seen -, settled -, waits -")
	goldens, err := m.Goldens(t.Context())
	if err != nil || len(goldens) != 1 || goldens[0].RequestID != "" || goldens[0].Question != "question of golden" {
		t.Errorf("golden queries %+v, %v", goldens, err)
	}

	// What waits stays until it is settled. A workspace that was not opened for a year tells first.
	now.forward(365 * day)
	expire(keepDays, "asked-back noted seen settled", "", "")
	must(m.Settle(t.Context(), analyst.Settlement{RequestID: "r-waits", From: analyst.StageAccept, To: analyst.StageClose, On: analyst.OnTimedOut, How: "timeout"}))
	must(m.Pin(t.Context(), "seen", true))
	now.forward(7 * day)
	expire(keepDays, "waits", "asked-back noted settled", "answer-pinned -, pinned -, running -, seen -, waits 11328h0m0s")
	if v, err := m.VerifyAudit(t.Context()); err != nil || !v.Valid {
		t.Errorf("%+v, %v", v, err)
	}
	log, err := m.Audit(t.Context(), AuditFilter{SessionID: "noted"})
	if err != nil || len(log) == 0 || log[len(log)-1].Kind != analyst.AuditForgotten || string(log[len(log)-1].Body) != `{"why":"unused"}` {
		t.Errorf("%+v, %v", log, err)
	}
}

// wide is an answer with so many rows.
func wide(t testing.TB, sessionID string, index, rows int) session.Turn {
	t.Helper()
	frame := map[string]any{
		"id": "f1", "columns": []map[string]any{{"name": "city", "role": "dimension", "type": "text"}}, "rows": slices.Repeat([][]string{{"a city with a name <that> is long"}}, rows),
		"row_count": rows, "truncated": nil, "reasons": []any{map[string]any{"column": "city", "code": "zero_base", "rows": []int{0}}}, "sql": "SELECT 1", "frame_ql": "SELECT city",
	}
	chart := map[string]any{"type": "bar", "x": "city", "vega_lite": map[string]any{"mark": "bar"}}
	answer, err := json.Marshal(map[string]any{"outcome": "answer", "frame": frame, "chart": chart, "verification": map[string]any{"level": "AA"}, "n": json.Number("12345678901234567890.50")})
	if err != nil {
		t.Fatal(err)
	}
	s := session.Stack{SessionID: sessionID, Turn: index}
	for kind, body := range map[session.Kind]any{session.KindFrame: frame, session.KindChart: chart, session.KindProvenance: map[string]any{"facts": []any{}}} {
		if err := s.Push(kind, "", body, noon); err != nil {
			t.Fatal(err)
		}
	}
	return session.Turn{Outcome: "answer", Status: "completed", FrameQL: "SELECT city", Answer: answer, Artifacts: s.Artifacts, Trace: []session.Step{}}
}

func TestRowsAreLetGoOldestFirstAndPinnedLast(t *testing.T) {
	now := &clock{t: noon}
	m := at(t, now)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(fault.Detail(err))
		}
	}
	for _, id := range []string{"pinned", "oldest", "answer-pinned", "newer", "newest"} {
		now.forward(time.Hour)
		for k := 1; k <= 2; k++ {
			r := request(id+string(rune('0'+k)), id, "cities")
			r.Asked = now.now()
			_, err := m.Begin(t.Context(), r)
			must(err)
			must(m.Finish(t.Context(), r.RequestID, analyst.Closing{Turn: wide(t, id, k, 2000)}))
		}
	}
	must(m.Pin(t.Context(), "pinned", true))
	must(m.SaveView(t.Context(), "answer-pinned1", session.View{Show: "table", Pinned: true}))
	must(m.SaveHolding(t.Context(), "oldest1", session.Holding{At: noon, Stands: session.HoldingHolds, Comparison: &session.Comparison{}}))
	_, bytes, err := m.Traces(t.Context())
	must(err)
	if p, err := m.Prune(t.Context(), bytes); err != nil || p.Answers != 0 {
		t.Errorf("nothing is too large, and %+v went: %v", p, err)
	}
	gone := func() string {
		t.Helper()
		var all []string
		for _, id := range []string{"oldest", "answer-pinned", "newer", "newest", "pinned"} {
			d, err := m.Session(t.Context(), id)
			must(err)
			for _, turn := range d.Turns {
				var a struct {
					Frame struct {
						Rows      []any
						RowCount  int `json:"row_count"`
						Truncated *struct {
							Total int `json:"total_rows"`
						}
						Reasons []any
						LetGo   *time.Time `json:"let_go"`
						SQL     string
						FrameQL string `json:"frame_ql"`
					}
					Chart        map[string]any
					Verification struct{ Level string }
				}
				must(json.Unmarshal(turn.Answer, &a))
				if f := a.Frame; f.LetGo == nil {
					if len(f.Rows) != 2000 || f.RowCount != 2000 || a.Chart["vega_lite"] == nil {
						t.Errorf("%s has %d rows and says nothing of it", turn.RequestID, len(f.Rows))
					}
					continue
				} else if len(f.Rows) != 0 || f.RowCount != 0 || f.Truncated == nil || f.Truncated.Total != 2000 || f.Reasons == nil || len(f.Reasons) != 0 || !f.LetGo.Equal(now.now()) ||
					f.SQL != "SELECT 1" || f.FrameQL != "SELECT city" || a.Chart["vega_lite"] != nil || a.Chart["x"] != "city" || a.Verification.Level != "AA" || !strings.Contains(string(turn.Answer), "12345678901234567890.50") {
					t.Errorf("%s: %+v", turn.RequestID, a)
				}
				for _, x := range turn.Artifacts {
					if x.Kind == session.KindFrame && (strings.Contains(string(x.Body), "is long") || !strings.Contains(string(x.Body), `"let_go"`)) {
						t.Errorf("%s: the artifact has its rows", turn.RequestID)
					}
				}
				all = append(all, turn.RequestID)
			}
		}
		return strings.Join(all, " ")
	}
	per := bytes / 10
	for _, c := range []struct {
		left int64 // answers that there is room for
		want string
	}{
		{8, "oldest1 oldest2 answer-pinned2 newer1"},
		{5, "oldest1 oldest2 answer-pinned2 newer1 newer2 newest1 newest2"},
		{1, "oldest1 oldest2 answer-pinned1 answer-pinned2 newer1 newer2 newest1 newest2 pinned1 pinned2"},
	} {
		if _, err := m.Prune(t.Context(), c.left*per); err != nil {
			t.Fatal(err)
		}
		if got := gone(); got != c.want {
			t.Errorf("room for %d: %s went, want %s", c.left, got, c.want)
		}
		must(m.Scrub(t.Context()))
		if _, now, err := m.Traces(t.Context()); err != nil || now > c.left*per+160<<10 { // tables that are empty take 4 KiB each
			t.Errorf("room for %d: the file has %d of %d bytes, %v", c.left, now, bytes, err)
		}
	}
	if h, err := m.Holding(t.Context(), "oldest1"); err != nil || h == nil || h.Comparison != nil || h.Stands != session.HoldingHolds {
		t.Errorf("%+v, %v", h, err)
	}
	must(m.Check(t.Context()))
}

func TestForgetFindsNothingToDoInAFreshFile(t *testing.T) {
	m := open(t, filepath.Join(t.TempDir(), "memory.sqlite"))
	if got, err := m.Expire(t.Context(), keepDays); err != nil || len(got.Told)+len(got.Forgotten) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if p, err := m.Prune(t.Context(), 1<<30); err != nil || p.Answers != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	if err := m.Scrub(t.Context()); err != nil {
		t.Error(err)
	}
	if any, _, err := m.Traces(t.Context()); err != nil || any {
		t.Errorf("%v, %v", any, err)
	}
}
