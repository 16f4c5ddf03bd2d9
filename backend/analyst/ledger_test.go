package analyst

import (
	"context"
	"sync"
	"testing"

	"assay/backend/llm"
	"assay/backend/llm/llmtest"
)

// deaf is a model that answers only when it is let go on, and does not listen to its context.
type deaf struct {
	llm.Model
	reached, goOn chan struct{}
	asked         int
}

func (d *deaf) Send(ctx context.Context, r llm.Request, hear func(llm.Chunk)) (llm.Response, error) {
	d.asked++
	close(d.reached)
	<-d.goOn
	return d.Model.Send(context.WithoutCancel(ctx), r, hear)
}

// TestLedgerHasWhatIsStillOut has a model that is no longer waited for: what was sent stands in the ledger, without a reply, and what comes later changes nothing that was given out.
func TestLedgerHasWhatIsStillOut(t *testing.T) {
	m := &deaf{Model: llmtest.NewMind(llmtest.Card, llmtest.Always(llmtest.Text("late"))), reached: make(chan struct{}), goOn: make(chan struct{})}
	log := &sentLog{}
	l := ledger{Model: m, log: log}
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	wait.Go(func() {
		_, _ = sendWithin(ctx, waited{l, &wait}, llm.Request{Task: llm.Narration, Carries: []llm.Carried{{Kind: "question", Bytes: 3}}}, nil)
	})
	<-m.reached
	cancel()
	given := log.list(true)
	if len(given) != 1 || !given[0].Failed || given[0].Bytes == 0 || given[0].Carried[0].Kind != "question" || given[0].Received != 0 {
		t.Errorf("the ledger has %+v", given)
	}
	close(m.goOn)
	wait.Wait()
	if again := log.list(true); again[0].Received != 0 || !again[0].Failed {
		t.Errorf("it was changed after it was given out: %+v", again)
	}
	if _, err := l.Send(t.Context(), llm.Request{}, nil); err == nil || m.asked != 1 {
		t.Error("something was sent that no ledger has")
	}
}

// waited is a model whose every exchange is waited for at the end of a test.
type waited struct {
	llm.Model
	wait *sync.WaitGroup
}

func (w waited) Send(ctx context.Context, r llm.Request, hear func(llm.Chunk)) (llm.Response, error) {
	w.wait.Add(1)
	defer w.wait.Done()
	return w.Model.Send(ctx, r, hear)
}

// TestLedgerIsAmended writes down what came where it came in time, and that nothing did where it failed.
func TestLedgerIsAmended(t *testing.T) {
	log := &sentLog{}
	m := llmtest.NewMind(llmtest.Card, llmtest.Say(llmtest.Text("twelve"), llmtest.Reply{Trouble: llm.WrongKey}))
	l := ledger{Model: m, log: log}
	for range 2 {
		_, _ = l.Send(t.Context(), llm.Request{Task: llm.Planning}, nil)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	_, _ = l.Send(canceled, llm.Request{}, nil)
	all := log.list(false)
	if len(all) != 2 || all[0].Failed || all[0].Received != 6 || !all[1].Failed || len(m.Asked()) != 2 {
		t.Errorf("%+v", all)
	}
}
