package mind_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
	"assay/backend/mind"
	"assay/backend/session"
	"assay/backend/tool"
)

var update = flag.Bool("update", false, "rewrite the golden traces")

// look is a tool that only looks; what it gives back is what it was asked.
func look(name string, do func(ctx context.Context, arguments json.RawMessage) (tool.Result, error)) tool.Tool {
	return tool.Tool{Name: name, Text: name, Schema: json.RawMessage(`{"type":"object"}`), ReadOnly: true, Do: func(ctx context.Context, _ *tool.Desk, a json.RawMessage) (tool.Result, error) {
		return do(ctx, a)
	}}
}

func echo(_ context.Context, a json.RawMessage) (tool.Result, error) {
	return tool.Result{Body: map[string]string{"asked": string(a)}}, nil
}

// query makes a frame of whatever it is given; "bad" is refused, "board" waits, "ask" asks.
func query(name string) tool.Tool {
	t := look(name, func(_ context.Context, a json.RawMessage) (tool.Result, error) {
		switch words := string(a); {
		case strings.Contains(words, "bad"):
			return tool.Result{Problem: &tool.Problem{Kind: "refusal", Message: "refused"}, Ran: &tool.Ran{Refusals: []frameql.Refusal{{Code: "X"}}}}, nil
		case strings.Contains(words, "board"):
			return tool.Result{Body: map[string]string{"waits": "for a person"}, Ran: &tool.Ran{Query: &frameql.Query{}, Waits: "for a person"}}, nil
		case strings.Contains(words, "ask"):
			return tool.Result{Body: map[string]string{"status": "asked"}, Ask: &tool.Asked{Question: "which"}}, nil
		}
		return tool.Result{Body: map[string]string{"frame_id": "art_1"}, Made: []string{"art_1"}, Ran: &tool.Ran{Query: &frameql.Query{}, ID: "art_1"}, Rows: 2, Columns: []string{"revenue"}}, nil
	})
	t.Makes = true
	return t
}

// thinking is one run of the loop with a scripted model.
type thinking struct {
	script llmtest.Script
	card   llm.Card
	tools  []tool.Tool
	bounds mind.Bounds
	before []llm.Message
	ctx    context.Context
}

// run gives what came of it, what the model was asked, and the trace as text.
func (x thinking) run(t *testing.T) (mind.Outcome, []llm.Request, string) {
	t.Helper()
	if x.card.Model == "" {
		x.card = llmtest.Card
	}
	if x.tools == nil {
		x.tools = []tool.Tool{look("look", echo), look("peek", echo), query("execute_frame_ql")}
	}
	if x.ctx == nil {
		x.ctx = t.Context()
	}
	model := llmtest.NewMind(x.card, x.script)
	m := &mind.Model{LLM: model, Tools: x.tools, Bounds: x.bounds, Context: mind.Context{System: []llm.Block{{Name: "L1", Text: "system", Stable: true}}, Before: x.before, Question: llm.Message{Role: llm.User, Text: "question"}}}
	out, trace, err := traced(x.ctx, mind.Loop{Mind: m, Tools: x.tools, Bounds: x.bounds})
	if err != nil && x.ctx.Err() == nil {
		t.Fatal(err)
	}
	return out, model.Asked(), trace
}

// traced lets a loop think, and gives its trace as text.
func traced(ctx context.Context, loop mind.Loop) (mind.Outcome, string, error) {
	var trace strings.Builder
	loop.Desk = &tool.Desk{}
	loop.Step = func(_ context.Context, name string, do func(*session.Step) error) error {
		s := session.Step{Name: name}
		err := do(&s)
		delete(s.Facts, "reply")
		delete(s.Facts, "card")
		facts, _ := json.Marshal(s.Facts)
		fmt.Fprintf(&trace, "%s: %s %s\n", s.Name, s.Note, facts)
		return err
	}
	out, err := loop.Think(ctx)
	fmt.Fprintf(&trace, "ended %s, turns %d, calls %d, ran %d\n", out.Ended, out.Turns, out.Calls, len(out.Ran))
	if out.Problem != nil {
		fmt.Fprintf(&trace, "problem %s\n", fault.CodeOf(out.Problem))
	}
	if err != nil {
		fmt.Fprintf(&trace, "error %v\n", err)
	}
	return out, trace.String(), err
}

func call(name string, n int) llmtest.Reply { return llmtest.Call(name, fmt.Sprintf(`{"n":%d}`, n)) }

// counting is a script that never comes to an end: every call is another one.
func counting(name string) llmtest.Script {
	var n atomic.Int64
	return func(r llm.Request) llmtest.Reply {
		if len(r.Messages) > 0 && strings.Contains(r.Messages[len(r.Messages)-1].Text, "no more tools") {
			return llmtest.Text("I found nothing.")
		}
		return call(name, int(n.Add(1)))
	}
}

// TestBounds has a test for each bound; their traces are golden files.
func TestBounds(t *testing.T) {
	slow := look("slow", func(ctx context.Context, _ json.RawMessage) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	})
	deaf := look("deaf", func(context.Context, json.RawMessage) (tool.Result, error) {
		<-t.Context().Done() // does not heed its own end
		return tool.Result{}, nil
	})
	huge := look("huge", func(context.Context, json.RawMessage) (tool.Result, error) {
		return tool.Result{Body: strings.Repeat("x", 20<<10), Rows: 9}, nil
	})
	broken := look("broken", func(context.Context, json.RawMessage) (tool.Result, error) {
		return tool.Result{}, fault.New(fault.Unavailable, "look", "The engine is gone.", "")
	})
	mistaken := look("mistaken", func(context.Context, json.RawMessage) (tool.Result, error) { panic("a mistake") })
	brief := mind.DefaultBounds()
	brief.Tool = time.Millisecond

	cases := []struct {
		name string
		thinking
		check func(out mind.Outcome, asked []llm.Request) error
	}{
		{"answers at once", thinking{script: llmtest.Say(call("execute_frame_ql", 1), llmtest.Text("done"))}, func(out mind.Outcome, _ []llm.Request) error {
			return want(out.Ended == "done" && out.Last() != nil && out.Last().ID == "art_1", "no frame")
		}},
		{"eight turns and a last word", thinking{script: counting("look")}, func(out mind.Outcome, asked []llm.Request) error {
			last := asked[len(asked)-1]
			return want(out.Ended == "turns" && out.Turns == 9 && strings.Contains(last.Messages[len(last.Messages)-1].Text, "no more tools"), "turns %d", out.Turns)
		}},
		{"the same call again", thinking{script: llmtest.Say(llmtest.Call("look", `{"a":1,"b":2}`), llmtest.Call("look", `{ "b": 2, "a": 1 }`), llmtest.Text("done"))}, func(_ mind.Outcome, asked []llm.Request) error {
			return want(strings.Contains(results(asked[2])[0].Content, "duplicate_call"), "it was made")
		}},
		{"the same call after three others", thinking{script: llmtest.Say(call("look", 1), call("look", 2), call("look", 3), call("look", 4), call("look", 1), llmtest.Text("done"))}, func(_ mind.Outcome, asked []llm.Request) error {
			return want(!strings.Contains(results(asked[5])[0].Content, "duplicate_call"), "it was refused")
		}},
		{"a nudge after five calls", thinking{script: counting("look")}, func(_ mind.Outcome, asked []llm.Request) error {
			nudged := asked[5].Messages[len(asked[5].Messages)-1]
			return want(strings.Contains(nudged.Text, "Are you stuck") && asked[4].Messages[len(asked[4].Messages)-1].Text == "", "no nudge: %q", nudged.Text)
		}},
		{"four tools at once", thinking{script: llmtest.Say(llmtest.Calls(
			llm.Call{Name: "look", Arguments: []byte(`{"n":1}`)}, llm.Call{Name: "look", Arguments: []byte(`{"n":2}`)}, llm.Call{Name: "peek", Arguments: []byte(`{"n":1}`)},
			llm.Call{Name: "peek", Arguments: []byte(`{"n":2}`)}, llm.Call{Name: "peek", Arguments: []byte(`{"n":3}`)},
		), llmtest.Text("done"))}, func(_ mind.Outcome, asked []llm.Request) error {
			came := results(asked[1])
			return want(!came[3].Failed && strings.Contains(came[4].Content, "too_many_calls"), "%v", came)
		}},
		{"a call too many, made in the next turn", thinking{script: llmtest.Say(llmtest.Calls(
			llm.Call{Name: "look", Arguments: []byte(`{"n":1}`)}, llm.Call{Name: "look", Arguments: []byte(`{"n":2}`)}, llm.Call{Name: "peek", Arguments: []byte(`{"n":1}`)},
			llm.Call{Name: "peek", Arguments: []byte(`{"n":2}`)}, llm.Call{Name: "peek", Arguments: []byte(`{"n":3}`)},
		), call("peek", 3), llmtest.Text("done"))}, func(_ mind.Outcome, asked []llm.Request) error {
			return want(!results(asked[2])[0].Failed, "it was refused: %v", results(asked[2]))
		}},
		{"a tool that takes too long", thinking{bounds: brief, tools: []tool.Tool{slow}, script: llmtest.Say(call("slow", 1), llmtest.Text("done"))}, problem("timeout")},
		{"a tool that hears nothing", thinking{bounds: brief, tools: []tool.Tool{deaf}, script: llmtest.Say(call("deaf", 1), llmtest.Text("done"))}, problem("timeout")},
		{"a result that is too large", thinking{tools: []tool.Tool{huge}, script: llmtest.Say(call("huge", 1), llmtest.Text("done"))}, func(out mind.Outcome, asked []llm.Request) error {
			for _, c := range asked[1].Carries {
				if c.Rows != 0 {
					return errors.New("rows that were left out are in the ledger")
				}
			}
			return problem("too_large")(out, asked)
		}},
		{"a tool that fails", thinking{tools: []tool.Tool{broken}, script: llmtest.Say(call("broken", 1), llmtest.Text("done"))}, problem("The engine is gone.")},
		{"a tool with a mistake", thinking{tools: []tool.Tool{mistaken}, script: llmtest.Say(call("mistaken", 1), llmtest.Text("done"))}, problem("failed")},
		{"a tool that is not there", thinking{script: llmtest.Say(llmtest.Call("lok\u202e", `{}`), llmtest.Text("done"))}, problem("Did you mean look?")},
		{"no arguments at all", thinking{script: llmtest.Say(llmtest.Call("look", ``), llmtest.Text("done"))}, func(_ mind.Outcome, asked []llm.Request) error {
			return want(strings.Contains(results(asked[1])[0].Content, `{}`), "it failed")
		}},
		{"arguments that are no JSON", thinking{script: llmtest.Say(llmtest.Call("look", `{"n":`), llmtest.Text("done"))}, func(_ mind.Outcome, asked []llm.Request) error {
			back := asked[1].Messages[len(asked[1].Messages)-2].Calls[0].Arguments
			return want(json.Valid(back), "the provider would get back %s", back)
		}},
		{"a query that waits for a person", thinking{script: llmtest.Say(llmtest.Call("execute_frame_ql", `"board"`))}, func(out mind.Outcome, _ []llm.Request) error {
			return want(out.Ended == "waits" && out.Last().Waits != "", "%s", out.Ended)
		}},
		{"a question to the person", thinking{script: llmtest.Say(llmtest.Call("execute_frame_ql", `"ask"`))}, func(out mind.Outcome, _ []llm.Request) error {
			return want(out.Ended == "asked" && out.Ask.Question == "which", "%s", out.Ended)
		}},
		{"a refusal, then a repair", thinking{script: llmtest.Say(llmtest.Call("execute_frame_ql", `"bad"`), call("execute_frame_ql", 1), llmtest.Text("done"))}, func(out mind.Outcome, _ []llm.Request) error {
			return want(len(out.Ran) == 2 && out.Last().ID == "art_1", "%v", out.Ran)
		}},
		{"a model that says no", thinking{script: llmtest.Say(llmtest.Reply{Stop: llm.StopRefused})}, failed(fault.Invalid)},
		{"a wrong key", thinking{script: llmtest.Say(llmtest.Reply{Trouble: llm.WrongKey})}, failed(fault.Unauthorized)},
		{"a stream that breaks off", thinking{script: llmtest.Say(call("execute_frame_ql", 1), llmtest.Reply{Text: "half of a", Fault: llmtest.FaultCut})}, func(out mind.Outcome, _ []llm.Request) error {
			return want(fault.CodeOf(out.Problem) == fault.Unavailable && out.Last() != nil, "what was run is lost")
		}},
		{"a window that is full", thinking{card: small(400), before: []llm.Message{{Role: llm.User, Text: strings.Repeat("old ", 400)}, {Role: llm.Assistant, Text: "answer"}}, script: llmtest.Say(llmtest.Text("done")), bounds: replies(100)}, func(_ mind.Outcome, asked []llm.Request) error {
			return want(len(asked[0].Messages) == 1, "the old turn went along")
		}},
		{"a window that cannot hold the question", thinking{card: small(20), script: llmtest.Say(llmtest.Text("done")), bounds: replies(10)}, failed(fault.Limit)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			out, asked, trace := c.run(t)
			if err := c.check(out, asked); err != nil {
				t.Errorf("%v\n%s", err, trace)
			}
			golden(t, strings.ReplaceAll(c.name, " ", "_"), trace)
		})
	}
}

// TestOldResultsMakeRoom has a model whose window holds the latest result only.
func TestOldResultsMakeRoom(t *testing.T) {
	large := look("large", func(_ context.Context, a json.RawMessage) (tool.Result, error) {
		return tool.Result{Body: string(a) + strings.Repeat("y", 1500)}, nil
	})
	_, asked, trace := thinking{card: small(900), bounds: replies(50), tools: []tool.Tool{large}, script: llmtest.Say(call("large", 1), call("large", 2), llmtest.Text("done"))}.run(t)
	last := asked[2].Messages
	if first := last[2].Results[0].Content; !strings.Contains(first, "left_out") {
		t.Errorf("the first result is still there: %.40s", first)
	}
	if second := last[4].Results[0].Content; !strings.Contains(second, "yyy") {
		t.Errorf("the latest result is gone: %.40s", second)
	}
	golden(t, "old_results_make_room", trace)
}

// TestDeafToolsEndTogether has four tools at once that do not heed their end: each has its time from its own start, so that they take no longer than one.
func TestDeafToolsEndTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		over := make(chan struct{})
		defer close(over)
		deaf := look("deaf", func(context.Context, json.RawMessage) (tool.Result, error) { <-over; return tool.Result{}, nil })
		var calls []llm.Call
		for i := range 4 {
			calls = append(calls, llm.Call{Name: "deaf", Arguments: fmt.Appendf(nil, `{"n":%d}`, i)})
		}
		began := time.Now()
		_, asked, trace := thinking{tools: []tool.Tool{deaf}, script: llmtest.Say(llmtest.Calls(calls...), llmtest.Text("done"))}.run(t)
		if took := time.Since(began); took != mind.DefaultBounds().Tool {
			t.Errorf("four tools took %s", took)
		}
		for _, r := range results(asked[1]) {
			if !strings.Contains(r.Content, "timeout") {
				t.Errorf("%s", r.Content)
			}
		}
		golden(t, "four_tools_that_hear_nothing", trace)
	})
}

// TestCancel ends the loop while the model is asked, and while a tool works.
func TestCancel(t *testing.T) {
	for _, name := range []string{"model", "tool"} {
		ctx, cancel := context.WithCancel(t.Context())
		waits := look("waits", func(ctx context.Context, _ json.RawMessage) (tool.Result, error) {
			cancel()
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		})
		script := llmtest.Say(call("waits", 1), llmtest.Text("done"))
		if name == "model" {
			script = func(llm.Request) llmtest.Reply { cancel(); return llmtest.Reply{Fault: llmtest.FaultHang} }
		}
		_, trace, err := traced(ctx, mind.Loop{
			Mind:  &mind.Model{LLM: llmtest.NewMind(llmtest.Card, script), Tools: []tool.Tool{waits}, Context: mind.Context{Question: llm.Message{Role: llm.User, Text: "q"}}},
			Tools: []tool.Tool{waits},
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		golden(t, "canceled_while_the_"+name+"_works", trace)
	}
}

// TestForm asks a model without tools: once, and twice more when it is refused.
func TestForm(t *testing.T) {
	card := llmtest.Card
	card.Tools = false
	for _, c := range []struct {
		name    string
		replies []llmtest.Reply
		asked   int
		last    bool
	}{
		{"at once", []llmtest.Reply{llmtest.Text(`"good"`)}, 1, true},
		{"after two repairs", []llmtest.Reply{llmtest.Text(`"bad"`), llmtest.Text(`"bad two"`), llmtest.Text(`"good"`)}, 3, true},
		{"never", []llmtest.Reply{llmtest.Text(`"bad"`), llmtest.Text(`"bad two"`), llmtest.Text(`"bad three"`), llmtest.Text(`"good"`)}, 3, false},
		{"the same again", []llmtest.Reply{llmtest.Text(`"bad"`), llmtest.Text(`"bad"`), llmtest.Text(`"good"`)}, 3, true},
	} {
		model := llmtest.NewMind(card, llmtest.Say(c.replies...))
		tools := []tool.Tool{query("execute_frame_ql")}
		out, trace, err := traced(t.Context(), mind.Loop{
			Mind:  &mind.Form{LLM: model, Schema: json.RawMessage(`{"type":"string"}`), Context: mind.Context{Question: llm.Message{Role: llm.User, Text: "q"}}},
			Tools: tools,
		})
		golden(t, "form_"+strings.ReplaceAll(c.name, " ", "_"), trace)
		if err != nil || len(model.Asked()) != c.asked || (out.Last() != nil) != c.last {
			t.Errorf("%s: %v, asked %d times, ran %v", c.name, err, len(model.Asked()), out.Last())
		}
		for _, r := range model.Asked() {
			if r.Temperature != 0 || len(r.Schema) == 0 || len(r.Tools) != 0 {
				t.Errorf("%s: a request with temperature %v, schema %s, %d tools", c.name, r.Temperature, r.Schema, len(r.Tools))
			}
		}
	}
}

func small(window int) llm.Card {
	card := llmtest.Card
	card.Window = window
	return card
}

func replies(tokens int) mind.Bounds {
	b := mind.DefaultBounds()
	b.Reply = tokens
	return b
}

func want(ok bool, format string, a ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, a...)
}

// problem wants the model to have been told something.
func problem(words string) func(mind.Outcome, []llm.Request) error {
	return func(_ mind.Outcome, asked []llm.Request) error {
		if len(asked) < 2 {
			return fmt.Errorf("asked %d times", len(asked))
		}
		came := results(asked[1])
		return want(came[0].Failed && strings.Contains(came[0].Content, words), "%v", came)
	}
}

// results are the latest ones that a request holds.
func results(r llm.Request) []llm.Result {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if len(r.Messages[i].Results) > 0 {
			return r.Messages[i].Results
		}
	}
	return nil
}

// failed wants the thinking to have ended with a fault, and without an error of the request.
func failed(code fault.Code) func(mind.Outcome, []llm.Request) error {
	return func(out mind.Outcome, _ []llm.Request) error {
		return want(fault.CodeOf(out.Problem) == code, "%v", out.Problem)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "traces", name+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	held, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(held) != got {
		t.Errorf("the trace differs from %s:\n%s", path, got)
	}
}
