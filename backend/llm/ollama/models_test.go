package ollama

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"assay/backend/llm"
	"assay/backend/llm/llmtest"
)

func open(t *testing.T, s *llmtest.Server, g *llm.Guard, options ...Option) *Provider {
	t.Helper()
	e := s.Endpoint()
	if g != nil {
		e.Guard = g
	}
	p, err := New(e, options...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestModelsThatAreElsewhere says that a model which the server of this machine only passes on is not local, and gets nothing while nothing
// may leave.
func TestModelsThatAreElsewhere(t *testing.T) {
	s := llmtest.Ollama(t, llmtest.Always(llmtest.Text("ok")), func(s *llmtest.Server) {
		s.Models = append(s.Models, llmtest.ServedModel{Name: "large:cloud", Window: 8192}, llmtest.ServedModel{Name: "hidden", Window: 8192, Elsewhere: "https://ollama.com"})
	})
	closed := open(t, s, llm.NewGuard(nil))
	for name, local := range map[string]bool{llmtest.Model: true, "large:cloud": false, "hidden": false} {
		_, err := closed.Open(name).Send(t.Context(), say("x", 5), nil)
		if local != (err == nil) || !local && llm.TroubleOf(err) != llm.StaysHere {
			t.Errorf("%s: %v", name, err)
		}
		if c := closed.Open(name).Card(); c.Local != local {
			t.Errorf("%s: %+v", name, c)
		}
		if _, err := open(t, s, nil).Open(name).Send(t.Context(), say("x", 5), nil); err != nil {
			t.Errorf("%s, while the switch is off: %v", name, err)
		}
	}
	e, err := closed.Embedder(t.Context(), "hidden")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = e.Embed(t.Context(), []string{"x"}); llm.TroubleOf(err) != llm.StaysHere {
		t.Errorf("vectors: %v", err)
	}
}

func TestModelsThatCannotUseTools(t *testing.T) {
	s := llmtest.Ollama(t, llmtest.Always(llmtest.Text("ok")), func(s *llmtest.Server) { s.Models[0].NoTools = true })
	m := open(t, s, nil).Open(llmtest.Model)
	r := say("x", 5)
	r.Tools = []llm.Tool{{Name: "look"}}
	if _, err := m.Send(t.Context(), r, nil); llm.TroubleOf(err) != llm.NoTools || len(s.Asked()) > 0 {
		t.Error(err)
	}
	if m.Card().Tools {
		t.Error("the card does not say so")
	}
}

// TestWhatAModelIsLoadedFor looks at the window: of the model, or what Window allows, and the same for every request.
func TestWhatAModelIsLoadedFor(t *testing.T) {
	for _, c := range []struct {
		options []Option
		window  int
		want    string
	}{{nil, 4096, `"num_ctx":4096`}, {nil, 131_072, `"num_ctx":16384`}, {[]Option{Window(32_768)}, 131_072, `"num_ctx":32768`}} {
		s := llmtest.Ollama(t, llmtest.Always(llmtest.Text("ok")), func(s *llmtest.Server) { s.Models[0].Window, s.Models[0].Thinks = c.window, true })
		m := open(t, s, nil, c.options...).Open(llmtest.Model)
		for range 2 {
			if _, err := m.Send(t.Context(), say("x", 5), nil); err != nil {
				t.Fatal(err)
			}
		}
		shown := 0
		for _, h := range s.Heard() {
			if h.Path == "/api/show" {
				shown++
			} else if !bytes.Contains(h.Body, []byte(c.want)) || !bytes.Contains(h.Body, []byte(`"think":false`)) {
				t.Errorf("sent %s, want %s", h.Body, c.want)
			}
		}
		if shown != 1 {
			t.Errorf("the server was asked %d times what the model is", shown)
		}
	}
}

func TestAModelThatWasPulledAgain(t *testing.T) {
	s := llmtest.Ollama(t, llmtest.Always(llmtest.Text("ok")))
	p := open(t, s, nil)
	first, err := p.Embedder(t.Context(), llmtest.Model)
	if err != nil {
		t.Fatal(err)
	}
	s.Models[0].Digest, s.Models[0].Window = "sha256:9999", 2048
	cards, err := p.List(t.Context())
	if err != nil || cards[0].Digest != "sha256:9999" || cards[0].Window != 2048 {
		t.Errorf("%+v, %v", cards, err)
	}
	second, err := p.Embedder(t.Context(), llmtest.Model)
	if err != nil || first.Name() == second.Name() {
		t.Errorf("vectors of other weights have the same name: %s", second.Name())
	}
}

func TestPull(t *testing.T) {
	steps := []any{
		map[string]any{"status": "pulling manifest"},
		map[string]any{"status": "pulling 5f1e", "total": 100, "completed": 40},
		map[string]any{"status": "pulling 5f1e", "total": 100, "completed": 100},
		map[string]any{"status": "success"},
	}
	s := llmtest.Ollama(t, nil, func(s *llmtest.Server) { s.PullSteps = steps })
	var told []Pulled
	if err := open(t, s, nil).Pull(t.Context(), "new", func(p Pulled) { told = append(told, p) }); err != nil {
		t.Error(err)
	}
	want := []Pulled{{Status: "pulling manifest"}, {"pulling 5f1e", 100, 40}, {"pulling 5f1e", 100, 100}, {Status: "success"}}
	if !reflect.DeepEqual(told, want) {
		t.Errorf("told %+v", told)
	}
	asked := len(s.Heard())
	if err := open(t, s, llm.NewGuard(nil)).Pull(t.Context(), "new", nil); llm.TroubleOf(err) != llm.StaysHere || len(s.Heard()) != asked || !strings.Contains(err.Error(), "registry.ollama.ai") {
		t.Errorf("while nothing leaves: %v", err)
	}
	s.PullSteps = steps[:2]
	if err := open(t, s, nil).Pull(t.Context(), "new", nil); llm.TroubleOf(err) != llm.Broken {
		t.Errorf("a pull that ends early: %v", err)
	}
	s.PullSteps = []any{map[string]any{"error": "pull model manifest: file does not exist"}}
	if err := open(t, s, nil).Pull(t.Context(), "new", nil); llm.TroubleOf(err) != llm.NoModel {
		t.Errorf("a model that is nowhere: %v", err)
	}
}

func TestVersionAndWhatIsLoaded(t *testing.T) {
	s := llmtest.Ollama(t, nil)
	p := open(t, s, nil)
	if v, err := p.Version(t.Context()); err != nil || v != "0.6.8" {
		t.Error(v, err)
	}
	if l, err := p.Loaded(t.Context()); err != nil || !reflect.DeepEqual(l, []Loaded{{Model: llmtest.Model, Bytes: 42 << 20}}) {
		t.Error(l, err)
	}
	s.Close()
	if _, err := p.Version(t.Context()); llm.TroubleOf(err) != llm.NoConnection {
		t.Error(err)
	}
}

// TestARequestThatCannotBeWritten asks the library to sign, with no key to sign by.
func TestARequestThatCannotBeWritten(t *testing.T) {
	t.Setenv("OLLAMA_AUTH", "1")
	t.Setenv("HOME", t.TempDir())
	s := llmtest.Ollama(t, nil)
	if _, err := open(t, s, nil).Version(t.Context()); llm.TroubleOf(err) != llm.NotUsed || len(s.Heard()) > 0 {
		t.Error(err)
	}
}
