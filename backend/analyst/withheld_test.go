package analyst

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"assay/backend/frameql"
	"assay/backend/llm/llmtest"
	"assay/backend/mind"
	"assay/backend/rules"
	"assay/backend/session"
)

// elsewhere lets a scripted model that is not on this machine think about every question.
func elsewhere(t *testing.T, rows RowsPolicy, script llmtest.Script, frames ...[][]any) (*desk, *llmtest.Mind) {
	card := llmtest.Card
	card.Local, card.Endpoint = false, "models.example:443"
	d, model := thoughtfully(t, card, script, frames...)
	thinkers := d.deps.Thinkers
	d.deps.Thinkers = func(ctx context.Context, a rules.Actor, name string) (*Thinker, error) {
		th, err := thinkers(ctx, a, name)
		th.Rows, th.Always = rows, true
		return th, err
	}
	return d, model
}

// all is everything that a model was told but what is the same for every question.
func all(t *testing.T, m *llmtest.Mind) string {
	t.Helper()
	var said []any
	for _, r := range m.Asked() {
		said = append(said, r.Messages)
	}
	raw, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestStandInsArePutBack has a question with a slip of the pen: the model elsewhere is told a stand-in for the value that was meant, writes it, and the query is run with the value. What goes back to
// it is what it wrote.
func TestStandInsArePutBack(t *testing.T) {
	for _, wrote := range []string{"SELECT country, revenue AT country WHERE orders.country = '[value 1]'", "SELECT country, revenue AT country WHERE NOT orders.country = '[value 1]'"} {
		d, model := elsewhere(t, RowsNone, llmtest.Say(runs(wrote), llmtest.Text("done with [value 1]")), twoRows(), [][]any{{2155, 2155}})
		a, err := d.ask(t.Context(), Request{Question: "revenue in Gremany", Asking: "never"})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(a.Understood.FrameQL, "'Germany'") || a.Frame == nil {
			t.Errorf("%s was run as %s", wrote, a.Understood.FrameQL)
		}
		told := all(t, model)
		if strings.Contains(told, "Germany") || !strings.Contains(told, "revenue in Gremany") {
			t.Errorf("the model was told %.2000s", told)
		}
		if calls := model.Asked()[1].Messages; !strings.Contains(string(calls[1].Calls[0].Arguments), "[value 1]") {
			t.Errorf("its call went back as %s", calls[1].Calls[0].Arguments)
		}
		done, err := d.Replay(t.Context(), Replaying{SessionID: "s", Turns: []session.Turn{d.turn(t)}, Caller: ada}, nil)
		if err != nil || len(done) != 1 {
			t.Fatal(err, done)
		}
	}
}

// TestTypedGoesAsTyped: what the person typed is no secret, however the data writes it.
func TestTypedGoesAsTyped(t *testing.T) {
	d, model := elsewhere(t, RowsNone, llmtest.Always(llmtest.Text("nothing")), twoRows(), [][]any{{2155, 2155}})
	if _, err := d.ask(t.Context(), Request{Question: "revenue in Germany"}); err != nil {
		t.Fatal(err)
	}
	if told := all(t, model); !strings.Contains(told, "orders.country = 'Germany'") || strings.Contains(told, "[value 1]\\") {
		t.Errorf("%.2000s", told)
	}
}

// TestChosenIsNotTyped has a question that the program offered: its words name a value that its person did not type.
func TestChosenIsNotTyped(t *testing.T) {
	d, model := elsewhere(t, RowsNone, llmtest.Always(llmtest.Text("nothing")), twoRows(), [][]any{{2155, 2155}})
	left, err := json.Marshal(said{Offered: []string{"Revenue in  Germany"}, Number: "4711"})
	if err != nil {
		t.Fatal(err)
	}
	d.memory.before = []session.Turn{{Index: 1, Question: "revenue by country", FrameQL: "SELECT orders.country, revenue AT orders.country", Outcome: string(OutcomeAnswer), Said: left, Asked: wall}}
	if _, err := d.ask(t.Context(), Request{Question: "revenue in Germany"}); err != nil {
		t.Fatal(err)
	}
	if told := all(t, model); strings.Contains(told, "Germany") || !strings.Contains(told, "'[value 1]'") || !strings.Contains(told, "chosen among") {
		t.Errorf("%.2000s", told)
	}
}

// TestWithheld looks at stand-ins in queries, in JSON, and on their way back.
func TestWithheld(t *testing.T) {
	w := newWithheld(true, func(d string) bool { return d == "users.born" }, "more than 100 in Lyon, born 1990-01-01", map[string]bool{"4711": true})
	for source, want := range map[string]string{
		"SELECT revenue WHERE a.b = 'O''Neil \"x\"'":                      "SELECT revenue WHERE a.b = '[value 1]'",
		"SELECT revenue WHERE a.city = 'Lyon'":                            "SELECT revenue WHERE a.city = 'Lyon'",
		"SELECT revenue WHERE a.n > 100 AND a.m > 4711":                   "SELECT revenue WHERE a.n > 100 AND a.m > '[value 2]'",
		"SELECT revenue WHERE a.day >= '1997-01-01'":                      "SELECT revenue WHERE a.day >= '1997-01-01'",
		"SELECT revenue WHERE users.born IN ('1990-01-01', '1991-02-03')": "SELECT revenue WHERE users.born IN ('1990-01-01', '[value 3]')",
		"CASE WHEN x = 'odd' THEN 1 END":                                  "CASE WHEN x = '[value 4]' THEN 1 END",
	} {
		got := w.query(source)
		for i := range 9 { // they are numbered as they come
			got = strings.ReplaceAll(got, "[value "+string(rune('0'+i))+"]", "[value]")
			want = strings.ReplaceAll(want, "[value "+string(rune('0'+i))+"]", "[value]")
		}
		if got != want {
			t.Errorf("%s: %s", source, got)
		}
	}
	w = newWithheld(true, nil, "", nil)
	odd := w.standIn(frameql.Value{Kind: frameql.String, Text: `O'Neil "x"`})
	n := w.standIn(frameql.Value{Kind: frameql.Number, Text: "7"})
	arguments := `{"frame_ql":"SELECT a WHERE b = '` + odd + `' AND c > '` + n + `'","val":"` + n + `","name":"` + odd + `","no":"[value 9]"}`
	back := w.back(arguments)
	var read map[string]any
	if err := json.Unmarshal([]byte(back), &read); err != nil {
		t.Fatal(err, back)
	}
	if read["frame_ql"] != `SELECT a WHERE b = 'O''Neil "x"' AND c > 7` || read["val"] != 7.0 || read["name"] != `O'Neil "x"` || read["no"] != "[value 9]" {
		t.Errorf("%v", read)
	}
	if w.written(back) != arguments || w.written("x") != "x" {
		t.Error("what it wrote is not what goes back to it")
	}
	for _, text := range []string{`told of O'Neil "x".`, `{"a":"O'Neil \"x\""}`, `b = 'O''Neil "x"'`} {
		if left := w.leaving(text); strings.Contains(left, "Neil") {
			t.Errorf("%s left as %s", text, left)
		}
	}
	w.standIn(frameql.Value{Kind: frameql.String, Text: "and"})
	if left := w.leaving("a brand and bandages"); left != "a brand [value 3] bandages" {
		t.Errorf("a value within a word was taken for it: %s", left)
	}
}

// TestExamplesOfOthers go with stand-ins, or not at all where their words say a value otherwise than the query does.
func TestExamplesOfOthers(t *testing.T) {
	w := newWithheld(true, nil, "", nil)
	kept := w.examples([]mind.Example{
		{Question: "how did GERMANY fare?", FrameQL: "SELECT revenue WHERE orders.country = 'Germany'"},
		{Question: "how did our biggest market fare?", FrameQL: "SELECT revenue WHERE orders.country = 'Germany'"},
		{Question: "revenue by country", FrameQL: "SELECT orders.country, revenue"},
	})
	if len(kept) != 2 || kept[0].Question != "how did [value 1] fare?" || !strings.Contains(kept[0].FrameQL, "'[value 1]'") {
		t.Errorf("%+v", kept)
	}
}
