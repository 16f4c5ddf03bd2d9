package workspace

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/llm"
	"assay/backend/llm/llmtest"
	"assay/backend/memory"
	"assay/backend/rules"
)

// embedding is a workspace with two golden queries, and an Ollama server that has a model that stays and one that it passes on.
type embedding struct {
	*Workspace
	server *llmtest.Server
	front  *httptest.Server
	mode   atomic.Int32 // of what stands before the server
	held   chan struct{}
	at     time.Time
}

const (
	passes = iota
	fails
	holds
)

func newEmbedding(t *testing.T) *embedding {
	t.Helper()
	e := &embedding{at: noon(), held: make(chan struct{})}
	e.server = llmtest.Ollama(t, llmtest.Always(llmtest.Text("done")), func(s *llmtest.Server) {
		s.Key, s.Models = "", []llmtest.ServedModel{{Name: "near", Digest: "sha256:0011223344556677"}, {Name: "far", Digest: "sha256:8899aabbccddeeff", Elsewhere: "far.example:443"}}
	})
	to, err := url.Parse(e.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	pass := httputil.NewSingleHostReverseProxy(to)
	e.front = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch e.mode.Load() {
		case fails:
			http.Error(w, "out of order", http.StatusInternalServerError)
			return
		case holds:
			select {
			case <-e.held:
			case <-r.Context().Done():
				return
			}
		}
		pass.ServeHTTP(w, r)
	}))
	t.Cleanup(e.front.Close)
	w, err := Open(t.Context(), Target{}, Options{DataDir: t.TempDir(), Now: func() time.Time { return e.at }})
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	t.Cleanup(func() { _ = w.Close() })
	e.Workspace = w
	w.likeness.patch = 0
	who, err := w.Identify("", rules.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	for id, question := range map[string]string{"one": "revenue by category in 1997", "two": "freight of orders for ann.miller@example.com"} {
		g := memory.Golden{ID: id, Question: question, FrameQL: "SELECT revenue AT categories.category_name DURING 1997", Owner: who.ID, Model: w.Knowledge().Model.Version}
		if err := w.memory.AddGolden(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.recall(t.Context()); err != nil {
		t.Fatal(fault.Detail(err))
	}
	return e
}

func (e *embedding) choose(t *testing.T, name string, localOnly bool) error {
	t.Helper()
	s := e.Settings()
	s.Minds.Ollama, s.Minds.Embedding, s.LocalOnly = e.front.URL, name, localOnly
	_, err := e.Choose(t.Context(), s)
	return err
}

// embedded are the texts that the server was asked about, in the order in which they came.
func (e *embedding) embedded() (texts string, requests int) {
	for _, h := range e.server.Heard() {
		if h.Path == "/api/embed" {
			texts += string(h.Body) + "\n"
			requests++
		}
	}
	return texts, requests
}

func (e *embedding) ask(t *testing.T, question string) (*analyst.Answer, string) {
	t.Helper()
	a, err := e.Ask(t.Context(), analyst.Request{Question: question}, nil)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	if a.Risk == nil {
		t.Fatalf("%s: %s %+v", question, a.Outcome, a.Refusal)
	}
	return a, strings.Join(a.Risk.Reasons, "\n")
}

// TestAChosenModelFindsWhatIsAlike: what is kept is embedded once, a question is sent once, both stand in the ledger of the answer, and no personal value and no Frame-QL leaves.
func TestAChosenModelFindsWhatIsAlike(t *testing.T) {
	e := newEmbedding(t)
	if err := e.choose(t, "ollama:far", false); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if err := e.AwaitLikeness(t.Context()); err != nil {
		t.Fatal(fault.Detail(err))
	}
	a, reasons := e.ask(t, "revenue by category in 1996")
	if !strings.Contains(reasons, "ollama:far said how alike they are.") {
		t.Error(reasons)
	}
	kinds := map[string]int{}
	for _, s := range a.Sent {
		if s.Task != string(llm.Embedding) || s.Local || s.Failed {
			t.Errorf("%+v", s)
		}
		for _, c := range s.Carried {
			kinds[c.Kind]++
		}
	}
	if len(kinds) != 2 || kinds["example"] != 1 || kinds["question"] != 1 {
		t.Errorf("the ledger is %+v", a.Sent)
	}
	texts, requests := e.embedded()
	for _, never := range []string{"ann.miller", "SELECT"} {
		if strings.Contains(texts, never) {
			t.Errorf("%s was sent: %s", never, texts)
		}
	}
	if !strings.Contains(texts, "revenue by category in 1996") || requests != 3 {
		t.Errorf("%d requests: %s", requests, texts)
	}
	if a, _ = e.ask(t, "revenue by category in 1998"); len(a.Sent) != 1 {
		t.Errorf("what was sent before stands in one ledger: %+v", a.Sent)
	}
	// The same model anew: what it embedded lies in its file. Another one has a file of its own, and is asked.
	_, before := e.embedded()
	for name, more := range map[string]int{"ollama:far": 1, "ollama:near": 2} {
		if err := e.choose(t, "", false); err != nil {
			t.Fatal(err)
		}
		if err := e.choose(t, name, false); err != nil {
			t.Fatal(err)
		}
		if err := e.AwaitLikeness(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, now := e.embedded(); now-before != more {
			t.Errorf("%s was asked %d times, want %d", name, now-before, more)
		}
		_, before = e.embedded()
	}
	if files, _ := filepath.Glob(filepath.Join(e.Dir(), ".assay", "recall-*.vectors")); len(files) != 2 {
		t.Errorf("%v", files)
	}
	if spent := e.Minds().Spent(); spent.Calls < 5 || spent.Tokens == 0 {
		t.Errorf("the day has used %+v", spent)
	}
}

// TestAModelThatIsAwayHoldsNothingUp: neither one that fails nor one that hangs keeps a workspace from answering, and the answer says who compared in its place.
func TestAModelThatIsAwayHoldsNothingUp(t *testing.T) {
	e := newEmbedding(t)
	e.mode.Store(holds)
	if err := e.choose(t, "ollama:near", true); err != nil {
		t.Fatal(fault.Detail(err))
	}
	if _, reasons := e.ask(t, "revenue by category in 1996"); !strings.Contains(reasons, "ollama:near is still embedding what is kept") || !strings.Contains(reasons, "Novelty is 0.") {
		t.Error(reasons)
	}
	e.mode.Store(passes)
	close(e.held)
	if err := e.AwaitLikeness(t.Context()); err != nil {
		t.Fatal(fault.Detail(err))
	}
	e.mode.Store(fails)
	a, reasons := e.ask(t, "revenue by country in 1997")
	if !strings.Contains(reasons, "because ollama:near could not be asked") || a.Frame == nil {
		t.Errorf("%s\n%+v", reasons, a.Refusal)
	}
	if len(a.Sent) != 1 || !a.Sent[0].Failed || !a.Sent[0].Local {
		t.Errorf("%+v", a.Sent)
	}
	if got := e.Likeness(); got.Ready || !strings.Contains(got.Text, "could not be asked") {
		t.Errorf("%+v", got)
	}
	if a, _ = e.ask(t, "revenue by category in 1998"); len(a.Sent) != 0 {
		t.Errorf("it was asked again at once: %+v", a.Sent)
	}
	e.mode.Store(passes)
	e.at = e.at.Add(2 * time.Minute)
	e.likeness.patch = time.Minute
	if _, reasons := e.ask(t, "freight by shipper"); !strings.Contains(reasons, "ollama:near said how alike") {
		t.Error(reasons)
	}
}

// TestTheSwitchKeepsEmbeddersHere: a model elsewhere is not chosen while nothing may leave, one that a local server passes on is not asked, and whoever turns the switch on takes it back.
func TestTheSwitchKeepsEmbeddersHere(t *testing.T) {
	e := newEmbedding(t)
	if err := e.choose(t, "openai:text-embedding-3-small", true); fault.CodeOf(err) != fault.Unauthorized {
		t.Errorf("%v", err)
	}
	if err := e.choose(t, "anthropic:m", false); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("%v", err)
	}
	if err := e.choose(t, "ollama:far", true); err != nil {
		t.Fatal(err)
	}
	if err := e.AwaitLikeness(t.Context()); fault.CodeOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "Nothing leaves this machine") {
		t.Errorf("%v", err)
	}
	if texts, requests := e.embedded(); requests != 0 {
		t.Errorf("it was sent %s", texts)
	}
	if err := e.choose(t, "ollama:near", true); err != nil {
		t.Fatal(err)
	}
	if err := e.AwaitLikeness(t.Context()); err != nil {
		t.Error(fault.Detail(err))
	}
	if err := e.choose(t, "openai:text-embedding-3-small", false); err != nil {
		t.Fatal(err)
	}
	s := e.Settings()
	s.LocalOnly = true
	if s, err := e.Choose(t.Context(), s); err != nil || s.Minds.Embedding != "" {
		t.Errorf("%+v %v", s.Minds, err)
	}
}
