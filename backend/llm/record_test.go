package llm_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
)

// ask is a request that differs by its words.
func ask(words string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: words}}}
}

// TestPlayerGivesWhatWasRecorded records texts, calls whose arguments are no JSON, and a failure, and hears them again without the model.
func TestPlayerGivesWhatWasRecorded(t *testing.T) {
	mind := llmtest.NewMind(llmtest.Card, llmtest.Say(
		llmtest.Text("first"), llmtest.Call("look", `{"at": 1`), llmtest.Call("look", `{"at": 1}`),
		llmtest.Reply{Trouble: llm.TooOften}, llmtest.Text("second")))
	var tape bytes.Buffer
	rec := llm.NewRecorder(mind, &tape, true)
	questions := []string{"a", "b", "c", "d", "a"}
	var want []llm.Response
	var failed []error
	for _, q := range questions {
		res, err := rec.Send(t.Context(), ask(q), nil)
		want, failed = append(want, res), append(failed, err)
	}
	if rec.Err() != nil || rec.Card() != mind.Card() {
		t.Fatal(rec.Err(), rec.Card())
	}
	if strings.Count(tape.String(), "\n") != len(questions) || !strings.Contains(tape.String(), `"text":"a"`) {
		t.Fatalf("the recording is\n%s", tape.String())
	}
	player, err := llm.NewPlayer(mind.Card(), &tape)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range questions {
		var heard strings.Builder
		res, err := player.Send(t.Context(), ask(q), func(c llm.Chunk) { heard.WriteString(c.Text) })
		if fault.CodeOf(err) != fault.CodeOf(failed[i]) || err != nil && err.Error() != failed[i].Error() {
			t.Errorf("%s: failed with %v, and was recorded with %v", q, err, failed[i])
		}
		if !reflect.DeepEqual(res, want[i]) || heard.String() != want[i].Text {
			t.Errorf("%s: played %+v, recorded %+v", q, res, want[i])
		}
	}
	if res, err := player.Send(t.Context(), ask("a"), nil); err != nil || res.Text != "second" {
		t.Errorf("asked once more, it says %q, %v", res.Text, err)
	}
	if _, err := player.Send(t.Context(), ask("never"), nil); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a request that was not recorded: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := player.Send(stopped, ask("a"), nil); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("a canceled request: %v", err)
	}
}

// TestRecorderKeepsHashesOnly says that nothing of the person is in a recording that is not whole.
func TestRecorderKeepsHashesOnly(t *testing.T) {
	var tape bytes.Buffer
	rec := llm.NewRecorder(llmtest.NewMind(llmtest.Card, llmtest.Say(llmtest.Text("yes"))), &tape, false)
	if _, err := rec.Send(t.Context(), ask("private words"), nil); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(tape.String(), "private") || !strings.Contains(tape.String(), llm.Hash(ask("private words"))) {
		t.Error(tape.String())
	}
}

func TestCanceledIsNotRecorded(t *testing.T) {
	var tape bytes.Buffer
	rec := llm.NewRecorder(llmtest.NewMind(llmtest.Card, llmtest.Say(llmtest.Text("yes"))), &tape, false)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := rec.Send(ctx, ask("x"), nil); fault.CodeOf(err) != fault.Canceled || tape.Len() > 0 {
		t.Error(err, tape.String())
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestRecorderThatCannotWriteStillAnswers(t *testing.T) {
	rec := llm.NewRecorder(llmtest.NewMind(llmtest.Card, llmtest.Always(llmtest.Text("yes"))), full{}, false)
	if res, err := rec.Send(t.Context(), ask("x"), nil); err != nil || res.Text != "yes" {
		t.Error(res, err)
	}
	if rec.Err() == nil {
		t.Error("the recorder does not say that it could not write")
	}
}

func TestBadRecordings(t *testing.T) {
	for _, tape := range []string{"no JSON", `{"hash":"x"}`, `{"response":{}}`, "\n" + `{"hash":"x","response":{},"failed":{}}`} {
		if _, err := llm.NewPlayer(llmtest.Card, strings.NewReader(tape)); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("%q: %v", tape, err)
		}
	}
}
