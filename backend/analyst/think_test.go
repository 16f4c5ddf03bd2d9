package analyst

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
	"assay/backend/mind"
	"assay/backend/rules"
	"assay/backend/session"
)

// thoughtfully lets a scripted model think at a desk.
func thoughtfully(t testing.TB, card llm.Card, script llmtest.Script, rows ...[][]any) (*desk, *llmtest.Mind) {
	d := newDesk(t, shopKnowledge(t), rows...)
	model := llmtest.NewMind(card, script)
	d.deps.Thinkers = func(_ context.Context, _ rules.Actor, name string) (*Thinker, error) {
		if name != "" && name != "scripted:mind" {
			return nil, fault.New(fault.NotFound, "ask", "There is no such mind.", "")
		}
		return &Thinker{Name: "scripted:mind", Rows: RowsMasked, Select: func(llm.Task) llm.Model { return model }}, nil
	}
	return d, model
}

func runs(query string) llmtest.Reply {
	raw, _ := json.Marshal(map[string]string{"frame_ql": query})
	return llmtest.Call("execute_frame_ql", string(raw))
}

// vague is a question that the reader cannot make anything of, and whose words are none of the shop's.
const vague = "how did we fare lately compared to our hopes"

func twoRows() [][]any {
	return [][]any{{"Germany", "12.50"}, {"France", "7.50"}}
}

func TestModelAnswersWhatTheReaderCannot(t *testing.T) {
	d, model := thoughtfully(t, llmtest.Card, llmtest.Say(runs("SELECT country, revenue AT country"), llmtest.Text("done 42"),
		llmtest.Text("{r0.country} has the highest revenue, {r0.revenue}."), llmtest.Text(`{"questions":["revenue in Germany","revenue by moon phase"]}`)), twoRows(), [][]any{{2155, 2155}})
	a, err := d.ask(t.Context(), Request{Question: vague, Asking: "never"})
	if err != nil {
		t.Fatal(err)
	}
	if n := a.Narration; n.By != "model" || !strings.Contains(n.Text, "Germany has the highest revenue, 12.50 USD.") {
		t.Errorf("narration %+v", n)
	}
	offered := 0
	for _, f := range a.Followups {
		if f.Question == "revenue in Germany" {
			offered++
		}
		if strings.Contains(f.Question, "moon") {
			t.Error("a question without an answer is offered")
		}
	}
	if offered != 1 {
		t.Errorf("follow-ups %+v", a.Followups)
	}
	if a.Outcome != OutcomeAnswer || a.Frame == nil || len(a.Frame.Rows) != 2 || a.Understood.FrameQL != "SELECT orders.country, revenue AT orders.country" {
		t.Fatalf("%s, %+v, %+v", a.Outcome, a.Understood, a.Refusal)
	}
	if len(model.Asked()) != 4 || len(a.Sent) != 4 || !a.Sent[0].Local || a.Sent[0].Bytes == 0 {
		t.Errorf("asked %d times, ledger %+v", len(model.Asked()), a.Sent)
	}
	if a.Confidence == nil || *a.Confidence != modelAgrees {
		t.Errorf("confidence %v", a.Confidence)
	}
	if strings.Contains(a.Narration.Text, "42") {
		t.Errorf("the model's number is shown: %s", a.Narration.Text)
	}
	turn := d.turn(t)
	if turn.MadeBy.Mind != "scripted:mind" || turn.MadeBy.Prompts == "" || turn.Given.Mind != "scripted:mind" {
		t.Errorf("made by %+v", turn.MadeBy)
	}
	frames := 0
	for _, x := range turn.Artifacts {
		if x.Kind == session.KindFrame {
			frames++
		}
	}
	if frames != 1 {
		t.Errorf("%d frames are kept", frames)
	}
	if queries := strings.Count(strings.Join(d.log, "\n"), "record decision"); queries != 2 {
		t.Errorf("%d decisions are in the audit log", queries)
	}
}

// TestReaderCostsNoCall has questions that are read for certain: no model is asked.
func TestReaderCostsNoCall(t *testing.T) {
	d, model := thoughtfully(t, llmtest.Card, llmtest.Always(llmtest.Text("no")), twoRows(), [][]any{{2155, 2155}})
	a, err := d.ask(t.Context(), Request{Question: "revenue by country"})
	if err != nil || a.Outcome != OutcomeAnswer {
		t.Fatalf("%v, %+v", err, a)
	}
	for _, r := range model.Asked() {
		if r.Task == llm.Planning {
			t.Error("a model was asked what the reader knew")
		}
	}
}

func TestModelIsRefusedAndMendsIt(t *testing.T) {
	d, model := thoughtfully(t, llmtest.Card, llmtest.Say(runs("SELECT profit AT country"), runs("SELECT country, revenue AT country"), llmtest.Text("done")), twoRows(), [][]any{{2155, 2155}})
	a, err := d.ask(t.Context(), Request{Question: vague, Asking: "never"})
	if err != nil || a.Outcome != OutcomeAnswer {
		t.Fatalf("%v, %+v", err, a)
	}
	if told := model.Asked()[1].Messages; !strings.Contains(told[len(told)-1].Results[0].Content, "profit") {
		t.Errorf("the model was not told why: %+v", told[len(told)-1])
	}
}

// TestModelThatStrays leaves out what the reader read for certain: the person is asked before it runs as an answer.
func TestModelThatStrays(t *testing.T) {
	d, _ := thoughtfully(t, llmtest.Card, llmtest.Say(runs("SELECT order_count"), llmtest.Text("done")), [][]any{{int64(5)}}, [][]any{{5, 5}}, [][]any{{int64(5)}})
	a, err := d.ask(t.Context(), Request{Question: "revenue of the wonky ones in Germany"})
	if err != nil {
		t.Fatal(err)
	}
	if a.Outcome != OutcomeClarify {
		t.Errorf("%s %+v", a.Outcome, a.Understood)
	}
}

// TestModelFails has models that fail in every way: the reader's word stands, and the answer says what happened.
func TestModelFails(t *testing.T) {
	for _, c := range []struct {
		name   string
		script llmtest.Script
	}{
		{"prose", llmtest.Always(llmtest.Text("Revenue was 42 million."))},
		{"a wrong key", llmtest.Always(llmtest.Reply{Trouble: llm.WrongKey})},
		{"no model", llmtest.Always(llmtest.Reply{Trouble: llm.NoModel})},
		{"a broken stream", llmtest.Always(llmtest.Reply{Text: `{"x":`, Fault: llmtest.FaultCut})},
		{"a tool that is not there", llmtest.Say(llmtest.Call("rm", `{}`), llmtest.Text(""))},
		{"arguments of the wrong type", llmtest.Say(llmtest.Call("execute_frame_ql", `{"frame_ql":7}`), llmtest.Call("execute_frame_ql", `[1]`), llmtest.Text(""))},
		{"an endless loop", func(r llm.Request) llmtest.Reply {
			return llmtest.Call("list_families", fmt.Sprintf(`{"x":%d}`, len(r.Messages)))
		}},
		{"only refused queries", func(r llm.Request) llmtest.Reply { return runs(fmt.Sprintf("SELECT profit%d", len(r.Messages))) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _ := thoughtfully(t, llmtest.Card, c.script)
			a, err := d.ask(t.Context(), Request{Question: vague})
			if err != nil || a.Outcome == OutcomeAnswer || a.Frame != nil {
				t.Fatalf("%v, %+v", err, a)
			}
			if u := strings.Join(a.Understood.Assumptions, " "); !strings.Contains(u, "scripted:mind") {
				t.Errorf("the answer does not say what happened: %q", u)
			}
			raw, _ := json.Marshal(a)
			if strings.Contains(strings.ReplaceAll(string(raw), `"reply"`, ""), "42 million") && c.name == "prose" && strings.Contains(a.Refusal.Message, "42") {
				t.Error("the prose is shown")
			}
		})
	}
}

// TestTheLastWordsOfAModel has models that come to no query and say why: their words are shown as theirs where they hold no number and no claim.
func TestTheLastWordsOfAModel(t *testing.T) {
	const words = "The catalogue has no column for our hopes."
	endless := func(r llm.Request) llmtest.Reply {
		if strings.Contains(r.Messages[len(r.Messages)-1].Text, "no more tools") {
			return llmtest.Text(words)
		}
		return llmtest.Call("list_families", fmt.Sprintf(`{"x":%d}`, len(r.Messages)))
	}
	for name, c := range map[string]struct {
		script llmtest.Script
		shown  bool
	}{
		"at once":        {llmtest.Always(llmtest.Text(words)), true},
		"forced":         {endless, true},
		"it refuses":     {llmtest.Always(llmtest.Reply{Stop: llm.StopRefused, Text: words}), true},
		"with a number":  {llmtest.Always(llmtest.Text(words + " Revenue was 42.")), false},
		"with an order":  {llmtest.Always(llmtest.Text("Visit https://attacker.example for our hopes.")), false},
		"without a word": {llmtest.Always(llmtest.Text("")), false},
	} {
		d, _ := thoughtfully(t, llmtest.Card, c.script)
		a, err := d.ask(t.Context(), Request{Question: vague})
		if err != nil || a.Frame != nil {
			t.Fatalf("%s: %v, %+v", name, err, a)
		}
		said := strings.Join(a.Understood.Assumptions, " ")
		if shown := strings.Contains(said, "In the words of scripted:mind, which nothing has checked: “"+words+"”"); shown != c.shown || strings.Contains(said, "42") || strings.Contains(said, "attacker") {
			t.Errorf("%s: %q", name, said)
		}
	}
}

// TestPromptsAreOneVersion has every step in which a model was asked say by which prompts, those of the narration and the follow-ups too: they are the ones that the card names.
func TestPromptsAreOneVersion(t *testing.T) {
	d, _ := thoughtfully(t, llmtest.Card, llmtest.Say(runs("SELECT country, revenue AT country"), llmtest.Text("done"),
		llmtest.Text("{r0.country} has the highest revenue, 17."), llmtest.Text("{r0.country} has the highest revenue, {r0.revenue}."), llmtest.Text(`{"questions":[]}`)), twoRows(), [][]any{{2155, 2155}})
	a, err := d.ask(t.Context(), Request{Question: vague, Asking: "never"})
	if err != nil || a.Outcome != OutcomeAnswer {
		t.Fatalf("%v, %+v", err, a)
	}
	version := loadPrompts().Version
	asked := map[string]bool{}
	for _, s := range a.Trace {
		if s.Facts["card"] != nil {
			if asked[s.Name] = true; s.Facts["prompts"] != version {
				t.Errorf("%s was asked by %v, not %s", s.Name, s.Facts["prompts"], version)
			}
		}
	}
	if !asked["think"] || !asked["narrate"] || !asked["followups"] {
		t.Errorf("asked in %v", asked)
	}
	if version == mind.LoadPrompts().Version {
		t.Error("the prompts of the narration are not in the version")
	}
	card := cardFact(t, d, "mind")
	if !strings.Contains(card.Text, version) || len(card.Lines) != 2 || card.Lines[1].Text != "1 text of mind did not hold against the table. The next one did." {
		t.Errorf("the card says %+v", card)
	}
}

// TestReplacedTextsAreCounted has a model whose texts do not hold: the card says how many, and whose sentence it is.
func TestReplacedTextsAreCounted(t *testing.T) {
	d, _ := thoughtfully(t, llmtest.Card, llmtest.Say(runs("SELECT country, revenue AT country"), llmtest.Text("done"),
		llmtest.Text("It rose by 17 percent."), llmtest.Text("It rose by 18 percent."), llmtest.Text(`{"questions":[]}`)), twoRows(), [][]any{{2155, 2155}})
	a, err := d.ask(t.Context(), Request{Question: vague, Asking: "never"})
	if err != nil || a.Outcome != OutcomeAnswer || a.Narration.By == "model" {
		t.Fatalf("%v, %+v", err, a)
	}
	if card := cardFact(t, d, "mind"); len(card.Lines) != 2 || card.Lines[1].Text != "2 texts of mind did not hold against the table. The sentence is Assay's own." {
		t.Errorf("the card says %+v", card)
	}
}

// cardFact gives a line of the card behind the hallmark.
func cardFact(t *testing.T, d *desk, code string) Fact {
	t.Helper()
	for _, x := range d.turn(t).Artifacts {
		var card Provenance
		if x.Kind != session.KindProvenance {
			continue
		}
		if err := json.Unmarshal(x.Body, &card); err != nil {
			t.Fatal(err)
		}
		for _, f := range card.Facts {
			if f.Code == code {
				return f
			}
		}
	}
	t.Fatal("the card has no " + code)
	return Fact{}
}

// TestEmbeddedAnswerStays has models that hang, drip, cost too much, or say too much, asked about a question that the reader has an answer to: that answer stands, and it is said why.
func TestEmbeddedAnswerStays(t *testing.T) {
	for name, reply := range map[string]llmtest.Reply{
		"hangs": {Fault: llmtest.FaultHang}, "drips": {Text: "a b c", Fault: llmtest.FaultDrip}, "is deaf": {Fault: llmtest.FaultDeaf}, "no credit": {Trouble: llm.NoCredit}, "too long": {Trouble: llm.TooLong},
		"never ends": {Text: "x", Fault: llmtest.FaultHuge}, "overloaded": {Trouble: llm.Overloaded}, "a wrong key": {Trouble: llm.WrongKey}, "prose": llmtest.Text(strings.Repeat("Revenue was 42. ", 10_000)),
		"a budget that ends": runs("SELECT profit"),
	} {
		t.Run(name, func(t *testing.T) {
			d, model := thoughtfully(t, llmtest.Card, llmtest.Always(reply), twoRows(), [][]any{{2155, 2155}})
			thinkers := d.deps.Thinkers
			d.deps.Thinkers = func(ctx context.Context, a rules.Actor, mind string) (*Thinker, error) {
				th, err := thinkers(ctx, a, mind)
				planner := llm.Model(model)
				if name == "a budget that ends" {
					planner = llm.NewBudget(llm.Bounds{Calls: 1}, nil, time.Now).Model(model)
				}
				th.Always, th.Plan = true, 1500*time.Millisecond // long enough that it is asked on a busy machine too
				th.Select = func(task llm.Task) llm.Model {
					if task != llm.Planning {
						return nil
					}
					return planner
				}
				if !endless(reply.Fault) {
					th.Plan = time.Minute
				}
				return th, err
			}
			a, err := d.ask(t.Context(), Request{Question: "revenue by country"})
			if err != nil || a.Outcome != OutcomeAnswer || a.Frame == nil || len(a.Frame.Rows) != 2 {
				t.Fatalf("%v, %+v", err, a)
			}
			if said := strings.Join(a.Understood.Assumptions, " "); !strings.Contains(said, "scripted:mind") || endless(reply.Fault) && !strings.Contains(said, "1.5 seconds") {
				t.Errorf("the answer does not say what happened: %q", said)
			}
			if len(a.Sent) == 0 {
				t.Error("the ledger has nothing of it")
			}
		})
	}
}

// endless says whether a fault ends only with the time for it.
func endless(f llmtest.Fault) bool {
	return f == llmtest.FaultHang || f == llmtest.FaultDrip || f == llmtest.FaultDeaf
}

// TestNoAnswerSaysWhatWasSent has a question that is refused after a model was asked: its session has a card that says what went where.
func TestNoAnswerSaysWhatWasSent(t *testing.T) {
	card := llmtest.Card
	card.Local, card.Endpoint, card.Digest = false, "models.example:443", "sha256:4711"
	d, _ := thoughtfully(t, card, llmtest.Always(llmtest.Text("nothing")))
	a, err := d.ask(t.Context(), Request{Question: vague})
	if err != nil || a.Outcome != OutcomeRefuse {
		t.Fatalf("%v %+v", err, a)
	}
	for _, x := range d.turn(t).Artifacts {
		if x.Kind == session.KindProvenance {
			if said := string(x.Body); !strings.Contains(said, "models.example:443") || !strings.Contains(said, "sha256:4711") {
				t.Errorf("%s", said)
			}
			return
		}
	}
	t.Error("there is no card")
}

// TestWhatWasSentIsKept has the words that went elsewhere in the trace of the turn, each once, as masked as they went; what stays here is not kept again.
func TestWhatWasSentIsKept(t *testing.T) {
	for _, local := range []bool{false, true} {
		card := llmtest.Card
		card.Local = local
		d, _ := thoughtfully(t, card, llmtest.Say(llmtest.Call("list_families", `{}`), llmtest.Text("nothing")))
		d.deps.Mask = func(s string) string { return strings.ReplaceAll(s, "hopes", "[hopes]") }
		if _, err := d.ask(t.Context(), Request{Question: vague}); err != nil {
			t.Fatal(err)
		}
		trace := d.turn(t).Trace
		fact, there := trace[len(trace)-1].Facts[SentFact]
		if there == local {
			t.Fatalf("local %v: kept %v", local, there)
		}
		if local {
			continue
		}
		var kept session.SentTexts
		if err := decoded(fact, &kept); err != nil || len(kept.Requests) != 2 || len(kept.Requests[1].Parts) <= len(kept.Requests[0].Parts) {
			t.Fatalf("%v %+v", err, kept.Requests)
		}
		said := ""
		for i, part := range kept.Requests[1].Parts {
			if i < 2 && part != kept.Requests[0].Parts[i] {
				t.Error("what is the same is kept twice")
			}
			said += kept.Texts[part]
		}
		if !strings.Contains(said, "how did we fare lately") || !strings.Contains(said, "[hopes]") || strings.Contains(said, "our hopes") || !strings.Contains(said, "metric_families") {
			t.Errorf("%.500s", said)
		}
	}
}

func TestNoSuchMind(t *testing.T) {
	d, _ := thoughtfully(t, llmtest.Card, llmtest.Always(llmtest.Text("")))
	_, err := d.ask(t.Context(), Request{Question: "revenue by country", Mind: "ollama:nothing"})
	wantFault(t, err, fault.NotFound, "no such mind")
	d = newDesk(t, shopKnowledge(t))
	_, err = d.ask(t.Context(), Request{Question: "revenue by country", Mind: "ollama:nothing"})
	wantFault(t, err, fault.NotFound, "ollama:nothing")
}

// TestFormFillsInAQuery has a model without tools.
func TestFormFillsInAQuery(t *testing.T) {
	card := llmtest.Card
	card.Tools = false
	d, model := thoughtfully(t, card, llmtest.Say(llmtest.Text(`{"select":[{"metric":"revenue"}],"at":["orders.country"]}`)), twoRows(), [][]any{{2155, 2155}})
	a, err := d.ask(t.Context(), Request{Question: vague, Asking: "never"})
	if err != nil || a.Outcome != OutcomeAnswer {
		t.Fatalf("%v, %+v %+v", err, a.Refusal, a.Understood)
	}
	if r := model.Asked()[0]; len(r.Schema) == 0 || !strings.Contains(string(r.Schema), "revenue") {
		t.Errorf("the schema is not that of the model: %.200s", r.Schema)
	}
}

// TestAFormNamesValuesOnlyHere has a model without tools here, and two elsewhere: the schema that holds its query, and what it hears of a refused one, name
// values of the data only where the person lets rows leave.
func TestAFormNamesValuesOnlyHere(t *testing.T) {
	for _, c := range []struct {
		local          bool
		rows           RowsPolicy
		schema, reason bool // name values
	}{{true, RowsNone, true, true}, {false, RowsNone, false, false}, {false, RowsMasked, false, true}} {
		card := llmtest.Card
		card.Tools, card.Local = false, c.local
		wrong := llmtest.Text(`{"select":[{"metric":"revenue"}],"where":{"dim":"orders.country","op":"eq","val":"Germanyy"}}`)
		d, model := thoughtfully(t, card, llmtest.Say(wrong, llmtest.Text(`{"select":[{"metric":"revenue"}]}`)), [][]any{{"20.00"}}, [][]any{{2155, 2155}})
		k := shopKnowledge(t)
		k.Values = func(dimension string) ([]string, bool) {
			return []string{"Germany", "France", "Brazil"}, dimension == "orders.country"
		}
		d.deps.Knowledge = func(rules.Actor) Knowledge { return k }
		thinkers := d.deps.Thinkers
		d.deps.Thinkers = func(ctx context.Context, a rules.Actor, name string) (*Thinker, error) {
			th, err := thinkers(ctx, a, name)
			th.Rows = c.rows
			return th, err
		}
		if a, err := d.ask(t.Context(), Request{Question: vague, Asking: "never"}); err != nil || len(model.Asked()) < 2 {
			t.Fatalf("%v after %d requests, %+v", err, len(model.Asked()), a)
		}
		said, err := json.Marshal(model.Asked()[1].Messages)
		if err != nil {
			t.Fatal(err)
		}
		if schema := strings.Contains(string(model.Asked()[0].Schema), `"Brazil"`); schema != c.schema {
			t.Errorf("%+v: the schema names values: %v", c, schema)
		}
		if reason := strings.Contains(string(said), "'Germany'"); reason != c.reason {
			t.Errorf("%+v: the refusal names values: %v, %s", c, reason, said)
		}
	}
}

// TestModelAsksBack shows the question of the program, not the words of the model.
func TestModelAsksBack(t *testing.T) {
	d, _ := thoughtfully(t, llmtest.Card, llmtest.Say(llmtest.Call("ask_user", `{"question":"Do you mean sales, up 42 percent?","options":[{"label":"Sales!","frame_ql":"SELECT revenue"},{"label":"Orders","frame_ql":"SELECT order_count"}]}`)),
		[][]any{{"20.00"}}, [][]any{{int64(5)}})
	a, err := d.ask(t.Context(), Request{Question: vague})
	if err != nil || a.Outcome != OutcomeClarify {
		t.Fatalf("%v, %+v", err, a)
	}
	if c := a.Clarification; strings.Contains(c.Question, "42") || c.BestGuess.Label != "Revenue" || len(c.Options) != 1 || c.BestGuess.Value == "" {
		t.Errorf("%+v", c)
	}
}

// TestRowsStay sends a model elsewhere nothing of rows where the person did not say so.
func TestRowsStay(t *testing.T) {
	card := llmtest.Card
	card.Local, card.Endpoint = false, "models.example:443"
	for _, policy := range []RowsPolicy{"", RowsNone, RowsMasked} {
		d, model := thoughtfully(t, card, llmtest.Say(runs("SELECT country, revenue AT country"), llmtest.Text("done")), twoRows(), [][]any{{2155, 2155}})
		thinkers := d.deps.Thinkers
		d.deps.Thinkers = func(ctx context.Context, a rules.Actor, name string) (*Thinker, error) {
			th, err := thinkers(ctx, a, name)
			th.Rows = policy
			return th, err
		}
		d.deps.Mask = func(s string) string { return strings.ReplaceAll(s, "France", "[country]") }
		a, err := d.ask(t.Context(), Request{Question: vague + " in France", Asking: "never"})
		if err != nil {
			t.Fatal(err)
		}
		var sent []llm.Message
		for _, r := range model.Asked() {
			sent = append(sent, r.Messages...)
		}
		raw, _ := json.Marshal(sent)
		if at := strings.Index(string(raw), "France"); at >= 0 {
			t.Errorf("%q: a masked value was sent: %s", policy, raw[max(0, at-60):at+20])
		}
		if sent := strings.Contains(string(raw), "7.5"); sent != (policy == RowsMasked) {
			t.Errorf("%q: rows were sent: %v", policy, sent)
		}
		rows := 0
		for _, s := range a.Sent {
			for _, part := range s.Carried {
				rows += part.Rows
			}
		}
		if (rows > 0) != (policy == RowsMasked) {
			t.Errorf("%q: the ledger has %d rows", policy, rows)
		}
		for _, x := range d.turn(t).Artifacts {
			if x.Kind == session.KindProvenance && !strings.Contains(string(x.Body), "models.example:443") {
				t.Errorf("the provenance does not say where it went: %s", x.Body)
			}
		}
	}
}

// TestReplayPlaysTheModel asks a turn again that a model thought about: its replies are those of the recording.
func TestReplayPlaysTheModel(t *testing.T) {
	rows := [][][]any{twoRows(), {{2155, 2155}}, twoRows(), {{2155, 2155}}}
	d, model := thoughtfully(t, llmtest.Card, llmtest.Say(runs("SELECT profit"), runs("SELECT country, revenue AT country"), llmtest.Text("done")), rows...)
	if _, err := d.ask(t.Context(), Request{Question: vague, Asking: "never"}); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(d.turn(t))
	if err != nil {
		t.Fatal(err)
	}
	var then session.Turn
	if err := json.Unmarshal(raw, &then); err != nil {
		t.Fatal(err)
	}
	asked := len(model.Asked())
	d.engine.rows = [][][]any{twoRows(), {{2155, 2155}}}
	done, err := d.Replay(t.Context(), Replaying{SessionID: "s", Turns: []session.Turn{then}, Caller: ada}, nil)
	if err != nil || len(done) != 1 {
		t.Fatalf("%v %+v", err, done)
	}
	if done[0].Stands != session.StandsSame {
		t.Errorf("it stands %s: %s %+v", done[0].Stands, done[0].Words, done[0].Steps)
	}
	if len(model.Asked()) != asked {
		t.Error("the model was asked again")
	}
}

// TestReplayComparesTheWordsOfTheModel asks a turn again whose narration a model wrote, by its question and by what was read of it, which needs no planning: the words are
// those of then, and where the recorded reply is another one, the report says at which step.
func TestReplayComparesTheWordsOfTheModel(t *testing.T) {
	d, model := thoughtfully(t, llmtest.Card, llmtest.Say(runs("SELECT country, revenue AT country"), llmtest.Text("done"),
		llmtest.Text("{r0.country} has the highest revenue, {r0.revenue}."), llmtest.Text(`{"questions":["revenue in Germany"]}`)), twoRows(), [][]any{{2155, 2155}})
	a, err := d.ask(t.Context(), Request{Question: vague, Asking: "never"})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(d.turn(t))
	if err != nil {
		t.Fatal(err)
	}
	again := func(raw []byte, asRead bool) session.Replayed {
		t.Helper()
		var then session.Turn
		if err := json.Unmarshal(raw, &then); err != nil {
			t.Fatal(err)
		}
		d.engine.rows = [][][]any{twoRows(), {{2155, 2155}}}
		done, err := d.Replay(t.Context(), Replaying{SessionID: a.SessionID, Turns: []session.Turn{then}, Caller: ada, AsRead: asRead}, nil)
		if err != nil || len(done) != 1 {
			t.Fatalf("%v %+v", err, done)
		}
		return done[0]
	}
	asked := len(model.Asked())
	for _, asRead := range []bool{false, true} {
		if r := again(raw, asRead); r.Stands != session.StandsSame {
			t.Errorf("as read %v: it stands %s at %s: %s", asRead, r.Stands, r.Step, r.Words)
		}
	}
	bent := strings.ReplaceAll(string(raw), "{r0.country} has the highest revenue", "{r0.country} leads with the highest revenue")
	if bent == string(raw) {
		t.Fatal("the reply is not in the trace")
	}
	if r := again([]byte(bent), false); r.Stands != session.StandsDiffer || r.Step != "narrate" || !strings.Contains(r.Words, "Now as: Revenue by country: Germany is highest") {
		t.Errorf("with another reply it stands %s at %s: %s", r.Stands, r.Step, r.Words)
	}
	if len(model.Asked()) != asked {
		t.Error("the model was asked again")
	}
}

// TestResultsWithoutValues keeps of results what holds no value of the data.
func TestResultsWithoutValues(t *testing.T) {
	held := newWithheld(true, nil, "", nil)
	for tool, content := range map[string]string{
		"narrate_frame":      `{"narration":"Revenue was 42","frame_id":"art_1"}`,
		"simulate_goal_seek": `{"needed":42,"observed":7,"simulation_id":"art_1","lever":{"label":"x","needed":42}}`,
		"search_values":      `{"values":[{"value":"42"}]}`,
		"execute_frame_ql":   `{"error_kind":"refusal","message":"Did you mean 42?","repairs":["SELECT revenue WHERE orders.country = '42'"]}`,
		"a_skill":            `[42]`,
		"another_skill":      `{"status":"42","name":"42","frame_id":"42","members":["42"]}`,
		"describe_family":    `{"kind":"dimension","name":"orders","members":[{"name":"country","values":["42"]}],"derived_dimensions":[{"name":"zone","default":"42"}],"family_root":{"filter":"status = '42'"}}`,
		"propose_frame_ql":   `{"frame_ql":"SELECT revenue WHERE orders.country = '42'","justification":"x = 42","alternatives":[{"label":"42","frame_ql":"SELECT revenue WHERE orders.country IN ('42', 'b')"}]}`,
		"propose_followups":  `{"followups":["revenue in 42"]}`,
		"column_profile":     `{"name":"country","min":"42","max":"42","top_values":[["42",3]],"nunique":3}`,
		"recall_artifact":    `{"artifact_id":"art_1","title":"Revenue in 42","rows":[["42"]],"body":{"text":"42"}}`,
	} {
		if left := held.result(tool, content); strings.Contains(left, "42") || !json.Valid([]byte(left)) {
			t.Errorf("%s: %s", tool, left)
		}
	}
	kept := held.result("describe_family", `{"kind":"dimension","name":"orders","members":[{"name":"country","type":"text"}]}`)
	if !strings.Contains(kept, `"country"`) || !strings.Contains(kept, `"text"`) {
		t.Errorf("names of the model are left out: %s", kept)
	}
	if proposed := held.result("propose_frame_ql", `{"frame_ql":"SELECT revenue WHERE orders.country = 'x'"}`); !strings.Contains(proposed, "orders.country = '[value ") {
		t.Errorf("a query without its stand-in: %s", proposed)
	}
}

// TestModelIsToldWhatItsPersonTaught: of the words of the question, and of nobody else's and no other words; and the answer says so.
func TestModelIsToldWhatItsPersonTaught(t *testing.T) {
	d, model := thoughtfully(t, llmtest.Card, llmtest.Say(runs("SELECT country, revenue AT country"), llmtest.Text("done"), llmtest.Text("x"), llmtest.Text("{}")), twoRows(), [][]any{{2155, 2155}})
	d.memory.corrections = []knowledge.Correction{
		{ID: "a", Author: "os:ada", Term: "hopes", Means: "revenue"},
		{ID: "b", Author: "os:ada", Term: "karma", Means: "good deeds"},
		{ID: "c", Author: "somebody else", Term: "hopes", Means: "units"},
	}
	a, err := d.ask(t.Context(), Request{Question: vague, Asking: "never"})
	if err != nil {
		t.Fatal(err)
	}
	sent, err := json.Marshal(model.Asked())
	if err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]bool{`"taught":[{"term":"hopes","means":"revenue"}]`: true, "karma": false, "units\"}]": false} {
		if strings.Contains(strings.ReplaceAll(string(sent), `\"`, `"`), words) != want {
			t.Errorf("the model was told %q: want %v", words, want)
		}
	}
	if !slices.ContainsFunc(a.Understood.Assumptions, func(s string) bool { return strings.Contains(s, "told that “hopes” means revenue") }) {
		t.Errorf("it says %q", a.Understood.Assumptions)
	}
}
