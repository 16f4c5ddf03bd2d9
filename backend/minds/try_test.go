package minds

import (
	"context"
	"slices"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
)

// tried runs the self-test over a wire, and gives the status of each line by its code.
func tried(t *testing.T, script llmtest.Script, options ...func(*llmtest.Server)) (Tried, map[string]string) {
	t.Helper()
	server := llmtest.Ollama(t, script, append([]func(*llmtest.Server){func(s *llmtest.Server) { s.Key = "" }}, options...)...)
	d := newDesk(t, func(d *desk) { d.chosen.Ollama = server.URL })
	var told []Line
	got, err := d.Try(t.Context(), "ollama:"+llmtest.Model, func(l Line) { told = append(told, l) })
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(told, got.Checks) || len(told) != 5 || !got.Local || got.Host == "" {
		t.Errorf("%+v\n%+v", told, got)
	}
	status := map[string]string{}
	for _, l := range got.Checks {
		status[l.Code] = l.Status
		if l.Label == "" || l.Text == "" {
			t.Errorf("%+v", l)
		}
	}
	for _, r := range server.Asked() {
		if r.MaxTokens == 0 || r.MaxTokens > 256 {
			t.Errorf("a reply of any length: %+v", r)
		}
	}
	return got, status
}

func TestTry(t *testing.T) {
	form := func(reply llmtest.Reply) llmtest.Script {
		return func(r llm.Request) llmtest.Reply {
			if len(r.Tools) > 0 {
				return fit(r)
			}
			return reply
		}
	}
	tools := func(reply llmtest.Reply) llmtest.Script {
		return func(r llm.Request) llmtest.Reply {
			if len(r.Tools) > 0 {
				return reply
			}
			return fit(r)
		}
	}
	for name, c := range map[string]struct {
		script  llmtest.Script
		passed  bool
		form    string
		tools   string
		answers string
	}{
		"fit":            {fit, true, passed, passed, passed},
		"weak":           {form(llmtest.Text(`{"fruit":"chair"}`)), true, passed, passed, passed},
		"prose":          {form(llmtest.Text("It is the apple.")), false, failed, notTried, passed},
		"more than JSON": {form(llmtest.Text(`{"fruit":"apple"} as you asked {"fruit":"apple"}`)), false, failed, notTried, passed},
		"other fields":   {form(llmtest.Text(`{"fruit":"apple","why":"it grows"}`)), false, failed, notTried, passed},
		"no tool":        {tools(llmtest.Text("It has five letters.")), true, passed, failed, passed},
		"another tool":   {tools(llmtest.Call("delete_all", `{}`)), true, passed, failed, passed},
		"broken tool":    {tools(llmtest.Call("count_letters", `{"word":5}`)), true, passed, failed, passed},
		"overloaded":     {form(llmtest.Reply{Trouble: llm.Overloaded}), false, notTried, notTried, failed},
		"broken":         {form(llmtest.Reply{Text: `{"fruit":"apple"}`, Fault: llmtest.FaultCut}), false, notTried, notTried, failed},
	} {
		t.Run(name, func(t *testing.T) {
			got, status := tried(t, c.script)
			if got.Passed != c.passed || status["form"] != c.form || status["tools"] != c.tools || status["answers"] != c.answers {
				t.Errorf("%+v", got)
			}
		})
	}
	got, status := tried(t, fit, func(s *llmtest.Server) { s.Models[0].NoTools = true })
	if !got.Passed || status["tools"] != notTried {
		t.Errorf("%+v", got)
	}
}

func TestTryTheEmbeddedMind(t *testing.T) {
	if got, err := newDesk(t, nil).Try(t.Context(), "", nil); err != nil || !got.Passed || got.Host != "" {
		t.Errorf("%+v %v", got, err)
	}
}

// A model that hangs ends with its person's patience.
func TestTryIsCanceled(t *testing.T) {
	asked := make(chan struct{}, 1)
	server := llmtest.Ollama(t, func(llm.Request) llmtest.Reply {
		asked <- struct{}{}
		return llmtest.Reply{Fault: llmtest.FaultHang}
	}, func(s *llmtest.Server) { s.Key = "" })
	d := newDesk(t, func(d *desk) { d.chosen.Ollama = server.URL })
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if _, err := d.Try(ctx, "ollama:"+llmtest.Model, nil); fault.CodeOf(err) != fault.Canceled {
		t.Error(err)
	}
}

// A key never stands in what a test or a search says, whatever the provider says.
func TestAWrongKeyIsNotSaidBack(t *testing.T) {
	server := llmtest.OpenAI(t, fit)
	d := newDesk(t, func(d *desk) { d.chosen.OpenAI = server.URL + "/v1" })
	if err := d.SetKey(t.Context(), OpenAI, canary, true); err != nil {
		t.Fatal(err)
	}
	got, err := d.Try(t.Context(), "openai:"+llmtest.Model, nil)
	if err != nil || got.Passed || got.Checks[0].Status != failed || strings.Contains(got.Checks[0].Text, canary) {
		t.Errorf("%+v %v", got, err)
	}
	f, err := d.Find(t.Context(), OpenAI)
	if err != nil || f.There || strings.Contains(f.Message+f.Hint, canary) {
		t.Errorf("%+v %v", f, err)
	}
}
