package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/llm"
)

// check looks at a fault: its code, its trouble, and that a person can read it.
func check(t *testing.T, what string, err error, want llm.Trouble) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Errorf("%s: %v is no fault", what, err)
		return
	}
	if llm.TroubleOf(err) != want || f.Code != want.Code() {
		t.Errorf("%s: %s %s, want %s %s (%s)", what, f.Code, llm.TroubleOf(err), want.Code(), want, fault.Detail(err))
	}
	if said := err.Error(); f.Message == "" || strings.ContainsAny(said, "[{") || strings.Contains(said, Key) {
		t.Errorf("%s: a person reads %q", what, said)
	}
}

// refusals checks what a provider refuses, each asked once: the retries are ours.
func (a Adapter) refusals(t *testing.T) {
	for _, want := range []llm.Trouble{llm.NoCredit, llm.NotAllowed, llm.NoModel, llm.TooLong, llm.TooOften, llm.Overloaded, llm.NotUsed} {
		s := a.Serve(t, Always(Reply{Trouble: want, After: 7 * time.Second}))
		_, err := a.open(t, s.Endpoint()).Send(t.Context(), words("x"), nil)
		check(t, string(want), err, want)
		if n := len(s.Asked()); n != 1 {
			t.Errorf("%s: asked %d times", want, n)
		}
		var f *llm.Failure
		if errors.As(err, &f) && f.After != 7*time.Second {
			t.Errorf("%s: after %v", want, f.After)
		}
	}
	s := a.Serve(t, Always(Text("ok")), func(s *Server) { s.Models[0].Window = 2000 })
	e := s.Endpoint()
	e.Key = "another"
	_, err := a.open(t, e).Send(t.Context(), words("x"), nil)
	check(t, "a wrong key", err, llm.WrongKey)
	p, err := a.New(s.Endpoint())
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Open("not-there").Send(t.Context(), words("x"), nil)
	check(t, "a model that is not there", err, llm.NoModel)
	_, err = p.Open(Model).Send(t.Context(), words(strings.Repeat("many words ", 1000)), nil)
	check(t, "a request beyond the window", err, llm.TooLong)
	if _, err = p.Open(Model).Send(t.Context(), words("x"), nil); err != nil {
		t.Errorf("after all that: %v", err)
	}
}

// wires breaks replies in every way. The parts of a reply that came are no reply.
func (a Adapter) wires(t *testing.T) {
	whole := Reply{Text: "Revenue rose in March by a little.", Calls: []llm.Call{{ID: "c1", Name: "look", Arguments: json.RawMessage(`{"entity":"orders"}`)}}}
	for f, want := range map[Fault]llm.Trouble{
		FaultShort: llm.Broken, FaultGarbage: llm.Malformed, FaultType: llm.Malformed, FaultPage: llm.Malformed, FaultHuge: llm.TooLarge, FaultLate: llm.Overloaded, FaultCut: llm.Broken,
	} {
		r := whole
		r.Fault = f
		s := a.Serve(t, Always(r))
		e := s.Endpoint()
		e.Limits.Bytes = 200_000
		_, err := a.open(t, e).Send(t.Context(), words("x"), nil)
		check(t, string(f), err, want)
		if n := len(s.Asked()); n != 1 {
			t.Errorf("%s: asked %d times", f, n)
		}
	}
	// The connection ends after each of many numbers of bytes: never a reply that looks whole.
	cut := 0
	s := a.Serve(t, func(llm.Request) Reply {
		r := whole
		r.Fault, r.Cut = FaultCut, cut
		return r
	})
	m := a.open(t, s.Endpoint())
	length := a.length(t, whole)
	for cut = 1; cut < length-16; cut += 1 + length/60 { // the last bytes may be an end that nobody needs
		_, err := m.Send(t.Context(), words("x"), nil)
		check(t, "cut in the middle", err, llm.Broken)
	}
	// Nobody listens.
	gone := a.Serve(t, Always(Text("ok")))
	e := gone.Endpoint()
	gone.Close()
	_, err := a.open(t, e).Send(t.Context(), words("x"), nil)
	check(t, "nobody listens", err, llm.NoConnection)
	// It leads elsewhere: the key does not go along.
	followed := 0
	trap := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed++ }))
	defer trap.Close()
	leads := httptest.NewServer(http.RedirectHandler(trap.URL, http.StatusTemporaryRedirect))
	defer leads.Close()
	e = s.Endpoint()
	e.URL = leads.URL
	_, err = a.open(t, e).Send(t.Context(), words("x"), nil)
	check(t, "redirected", err, llm.Malformed)
	if followed > 0 {
		t.Error("the redirection was followed")
	}
}

// length gives how many bytes a reply has on the wire.
func (a Adapter) length(t *testing.T, r Reply) int {
	s := a.Serve(t, Always(r))
	req, p := words("x"), s.protocol
	events, _ := p.stream(s, asked{Request: req, model: Model}, r)
	return len(strings.Join(events, ""))
}

// silence checks the limits of time, with timers that the test rings.
func (a Adapter) silence(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault Fault
		ring  time.Duration
		want  llm.Trouble
	}{
		{"nothing comes", FaultDeaf, 11 * time.Second, llm.Silent},
		{"it stops", FaultHang, 12 * time.Second, llm.Silent},
		{"it drips", FaultDrip, 13 * time.Second, llm.TooSlow},
		{"nothing comes for too long", FaultDeaf, 13 * time.Second, llm.TooSlow},
	} {
		timers := &timers{}
		reached := make(chan struct{})
		var once sync.Once
		r := Reply{Text: "Revenue rose in March.", Fault: c.fault, Reached: func() { once.Do(func() { close(reached) }) }}
		s := a.Serve(t, Always(r))
		e := s.Endpoint()
		e.Limits = llm.Limits{First: 11 * time.Second, Idle: 12 * time.Second, Total: 13 * time.Second, After: timers.after}
		go func() {
			<-reached
			timers.ring(c.ring)
		}()
		_, err := a.open(t, e).Send(t.Context(), words("x"), nil)
		check(t, c.name, err, c.want)
	}
}

// timers ring when a test says so: those that are set, and those of the same length that are set later.
type timers struct {
	mu   sync.Mutex
	rung time.Duration
	set  map[*func()]time.Duration
}

func (k *timers) after(d time.Duration, f func()) func() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if d == k.rung {
		go f()
		return func() {}
	}
	if k.set == nil {
		k.set = map[*func()]time.Duration{}
	}
	id := &f
	k.set[id] = d
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.set, id)
	}
}

func (k *timers) ring(d time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.rung = d
	for id, of := range k.set {
		if of == d {
			go (*id)()
		}
	}
}

// canceling stops requests before they begin, while nothing comes, and in the middle of a reply.
func (a Adapter) canceling(t *testing.T) {
	isCanceled := func(what string, err error) {
		t.Helper()
		if fault.CodeOf(err) != fault.Canceled {
			t.Errorf("%s: %v", what, fault.Detail(err))
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	s := a.Serve(t, Always(Text("ok")))
	_, err := a.open(t, s.Endpoint()).Send(ctx, words("x"), nil)
	isCanceled("before it began", err)
	if n := len(s.Asked()); n > 0 {
		t.Errorf("before it began: asked %d times", n)
	}
	for _, f := range []Fault{FaultDeaf, FaultHang, FaultDrip} {
		ctx, stop := context.WithCancel(t.Context())
		s := a.Serve(t, Always(Reply{Text: "Revenue rose in March.", Fault: f, Reached: stop}))
		_, err := a.open(t, s.Endpoint()).Send(ctx, words("x"), nil)
		isCanceled(string(f), err)
	}
	ctx, stop = context.WithCancel(t.Context())
	s = a.Serve(t, Always(Reply{Text: "Revenue rose in March.", Fault: FaultHuge}))
	heard := 0
	_, err = a.open(t, s.Endpoint()).Send(ctx, words("x"), func(llm.Chunk) {
		heard++
		if heard == 3 {
			stop()
		}
	})
	isCanceled("in the middle of a reply", err)
	if heard > 3 {
		t.Errorf("%d pieces were heard after it was stopped", heard-3)
	}
	deadline, end := context.WithDeadlineCause(t.Context(), time.Unix(0, 0), context.DeadlineExceeded)
	defer end()
	if _, err = a.open(t, s.Endpoint()).Send(deadline, words("x"), nil); fault.CodeOf(err) != fault.Limit {
		t.Errorf("out of time: %v", err)
	}
}
