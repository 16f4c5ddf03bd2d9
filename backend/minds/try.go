package minds

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/text"
)

// Tried is what came of the self-test of a mind.
type Tried struct {
	Mind   string `json:"mind"`
	Host   string `json:"host" doc:"Where it was asked; empty: nowhere"`
	Local  bool   `json:"local"`
	Passed bool   `json:"passed" doc:"It can be used: it answers, and its reply can be read"`
	MS     int64  `json:"ms"`
	Checks []Line `json:"checks" nullable:"false"`
}

// Line is one thing that was tried.
type Line struct {
	Code   string `json:"code" enum:"answers,first,speed,form,tools"`
	Status string `json:"status" enum:"passed,failed,not_tried"`
	Label  string `json:"label"`
	Text   string `json:"text" doc:"What came of it"`
}

// What became of a line.
const (
	passed   = "passed"
	failed   = "failed"
	notTried = "not_tried"
)

// tryWait bounds a self-test.
const tryWait = 10 * time.Second

// Try asks a mind two tiny questions that hold nothing of the person's: one whose reply is to have a form, one that wants a tool. tell gets each
// line as it is known; it may be nil. Nothing of it counts as a fault but that the mind cannot be asked at all.
//
// Faults: as of Model; Canceled.
func (m *Minds) Try(ctx context.Context, mind string, tell func(Line)) (Tried, error) {
	n, err := m.Name(mind)
	if err != nil {
		return Tried{}, err
	}
	began := m.deps.Now()
	t := Tried{Mind: n.String(), Local: true, Checks: []Line{}}
	say := func(code, status, words string) {
		line := Line{Code: code, Status: status, Label: text.Say("minds.try_" + code), Text: words}
		t.Checks = append(t.Checks, line)
		if tell != nil {
			tell(line)
		}
	}
	if n.Provider == "" {
		say("answers", passed, text.Say("minds.try_embedded"))
		t.Passed = true
		return t, nil
	}
	model, err := m.Model(ctx, n.String())
	if err != nil {
		return Tried{}, err
	}
	within, cancel := context.WithTimeout(ctx, tryWait)
	defer cancel()
	t.Host, t.Local = m.deps.Chosen().host(n), model.Card().Local && m.deps.Chosen().Local(n)
	model = llm.NewBudget(llm.Bounds{}, m.today(), m.deps.Now).Model(model) // a test counts for the day too
	t.Passed = m.tryForm(within, model, say)
	m.tryTools(within, model, t.Passed, say)
	t.MS = m.deps.Now().Sub(began).Milliseconds()
	if ctx.Err() != nil {
		return Tried{}, ctx.Err()
	}
	return t, nil
}

// formAsked is the form of the reply to the first question.
const formAsked = `{"type":"object","properties":{"fruit":{"type":"string","enum":["chair","apple","stone"]}},"required":["fruit"],"additionalProperties":false}`

func (m *Minds) tryForm(ctx context.Context, model llm.Model, say func(code, status, words string)) bool {
	began, first := m.deps.Now(), time.Duration(-1)
	reply, err := model.Send(ctx, llm.Request{
		Task: llm.Testing, Schema: json.RawMessage(formAsked), SchemaName: "fruit", MaxTokens: 64,
		Messages: []llm.Message{{Role: llm.User, Text: `Which of these words names a fruit: chair, apple, stone? Reply with JSON like {"fruit":"..."} and nothing else.`}},
	}, func(llm.Chunk) {
		if first < 0 {
			first = m.deps.Now().Sub(began)
		}
	})
	took := m.deps.Now().Sub(began)
	if err != nil {
		message, hint := words(err)
		say("answers", failed, strings.TrimSpace(message+" "+hint))
		for _, code := range []string{"first", "speed", "form"} {
			say(code, notTried, text.Say("minds.try_no_answer"))
		}
		return false
	}
	say("answers", passed, text.Say("minds.try_answered", "model", shown(reply.Model)))
	if first < 0 {
		say("first", failed, text.Say("minds.try_no_text"))
	} else {
		say("first", passed, text.Say("minds.try_ms", "ms", first.Milliseconds()))
	}
	if rest := took - max(first, 0); reply.Usage.Output > 1 && rest > 0 {
		say("speed", passed, text.Say("minds.try_speed_is", "rate", int(float64(reply.Usage.Output)/rest.Seconds()+0.5), "tokens", reply.Usage.Output))
	} else {
		say("speed", notTried, text.Say("minds.try_too_short"))
	}
	var got struct {
		Fruit *string `json:"fruit"`
	}
	d := json.NewDecoder(bytes.NewReader([]byte(reply.Text)))
	d.DisallowUnknownFields()
	switch err := d.Decode(&got); {
	case err != nil || d.More() || got.Fruit == nil:
		say("form", failed, text.Say("minds.try_no_form"))
		return false
	case *got.Fruit != "apple":
		say("form", passed, text.Say("minds.try_form_wrong"))
	default:
		say("form", passed, text.Say("minds.try_form_held"))
	}
	return true
}

func (m *Minds) tryTools(ctx context.Context, model llm.Model, answers bool, say func(code, status, words string)) {
	switch {
	case !answers:
		say("tools", notTried, text.Say("minds.try_no_answer"))
		return
	case !model.Card().Tools:
		say("tools", notTried, text.Say("minds.try_without_tools"))
		return
	}
	const name = "count_letters"
	reply, err := model.Send(ctx, llm.Request{
		Task: llm.Testing, MaxTokens: 128,
		Tools: []llm.Tool{{Name: name, Description: "Counts the letters of a word.", Schema: json.RawMessage(
			`{"type":"object","properties":{"word":{"type":"string"}},"required":["word"],"additionalProperties":false}`)}},
		Messages: []llm.Message{{Role: llm.User, Text: "Use the tool count_letters to count the letters of the word apple."}},
	}, nil)
	if err != nil {
		message, _ := words(err)
		if fault.CodeOf(err) == fault.Limit {
			message = text.Say("minds.no_time")
		}
		say("tools", failed, message)
		return
	}
	for _, c := range reply.Calls {
		var args struct {
			Word *string `json:"word"`
		}
		if c.Name == name && json.Unmarshal(c.Arguments, &args) == nil && args.Word != nil {
			say("tools", passed, text.Say("minds.try_tools_used"))
			return
		}
	}
	say("tools", failed, text.Say("minds.try_no_tools"))
}
