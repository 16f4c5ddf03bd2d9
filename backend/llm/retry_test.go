package llm_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
)

// patience counts its pauses instead of waiting, and always draws 0.5.
func patience(pauses *[]time.Duration) llm.Patience {
	return llm.Patience{
		Sleep:  func(_ context.Context, d time.Duration) error { *pauses = append(*pauses, d); return nil },
		Random: func() float64 { return 0.5 },
	}
}

func TestRetriesOnlyWhatMayPass(t *testing.T) {
	for trouble, times := range map[llm.Trouble]int{
		llm.TooOften: 3, llm.Overloaded: 3, llm.NoConnection: 3, llm.Broken: 3,
		llm.Silent: 1, llm.TooSlow: 1, llm.WrongKey: 1, llm.NoCredit: 1, llm.NoModel: 1, llm.TooLong: 1, llm.Malformed: 1, llm.TooLarge: 1, llm.StaysHere: 1,
	} {
		mind := llmtest.NewMind(llmtest.Card, llmtest.Always(llmtest.Reply{Trouble: trouble}))
		var pauses []time.Duration
		_, err := llm.WithRetries(mind, patience(&pauses)).Send(t.Context(), ask("x"), nil)
		if llm.TroubleOf(err) != trouble || len(mind.Asked()) != times {
			t.Errorf("%s: asked %d times, want %d: %v", trouble, len(mind.Asked()), times, err)
		}
		if times == 3 && !reflect.DeepEqual(pauses, []time.Duration{400 * time.Millisecond, 800 * time.Millisecond}) {
			t.Errorf("%s: pauses %v", trouble, pauses)
		}
	}
}

func TestRetryHonoursWhatTheProviderAsksFor(t *testing.T) {
	late := llmtest.Reply{Trouble: llm.TooOften, After: 5 * time.Second}
	mind := llmtest.NewMind(llmtest.Card, llmtest.Say(late, late, llmtest.Text("yes")))
	var pauses []time.Duration
	res, err := llm.WithRetries(mind, patience(&pauses)).Send(t.Context(), ask("x"), nil)
	if err != nil || res.Text != "yes" || !reflect.DeepEqual(pauses, []time.Duration{5200 * time.Millisecond, 5400 * time.Millisecond}) {
		t.Errorf("%v, %v, pauses %v", res, err, pauses)
	}
	mind = llmtest.NewMind(llmtest.Card, llmtest.Always(llmtest.Reply{Trouble: llm.TooOften, After: time.Minute}))
	pauses = nil
	if _, err = llm.WithRetries(mind, patience(&pauses)).Send(t.Context(), ask("x"), nil); len(pauses) > 0 || len(mind.Asked()) != 1 || err == nil {
		t.Errorf("a minute is too long: %v, asked %d times", pauses, len(mind.Asked()))
	}
}

// TestNothingIsHeardTwice says that a reply of which a piece is on the screen is not begun anew.
func TestNothingIsHeardTwice(t *testing.T) {
	script := func() llmtest.Script {
		return llmtest.Say(llmtest.Reply{Text: "one two three four", Fault: llmtest.FaultCut}, llmtest.Text("one two three four"))
	}
	var pauses []time.Duration
	heard := ""
	mind := llmtest.NewMind(llmtest.Card, script())
	_, err := llm.WithRetries(mind, patience(&pauses)).Send(t.Context(), ask("x"), func(c llm.Chunk) { heard += c.Text })
	if llm.TroubleOf(err) != llm.Broken || heard != "one two" || len(mind.Asked()) != 1 {
		t.Errorf("heard %q, %v", heard, err)
	}
	mind = llmtest.NewMind(llmtest.Card, script())
	res, err := llm.WithRetries(mind, patience(&pauses)).Send(t.Context(), ask("x"), nil)
	if err != nil || res.Text != "one two three four" {
		t.Errorf("nobody listened, and yet: %v, %v", res, err)
	}
}

func TestCancelingEndsAPause(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	mind := llmtest.NewMind(llmtest.Card, llmtest.Always(llmtest.Reply{Trouble: llm.Overloaded}))
	p := llm.Patience{Sleep: func(ctx context.Context, _ time.Duration) error { stop(); return ctx.Err() }}
	if _, err := llm.WithRetries(mind, p).Send(ctx, ask("x"), nil); fault.CodeOf(err) != fault.Canceled || len(mind.Asked()) != 1 {
		t.Errorf("%v, asked %d times", err, len(mind.Asked()))
	}
}
