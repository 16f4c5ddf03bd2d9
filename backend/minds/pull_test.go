package minds

import (
	"strings"
	"testing"

	"assay/backend/fault"
	"assay/backend/llm/llmtest"
)

// TestPull has a server fetch a model: not while nothing may leave, since the server would go to the internet, and only by a name that Ollama has.
func TestPull(t *testing.T) {
	steps := []any{map[string]any{"status": "pulling 5f1e", "total": 100, "completed": 40}, map[string]any{"status": "success"}}
	server := llmtest.Ollama(t, nil, func(s *llmtest.Server) { s.Key, s.PullSteps = "", steps })
	d := newDesk(t, func(d *desk) { d.chosen.Ollama = server.URL })
	asked := len(server.Heard())
	_, err := d.Pull(t.Context(), "new:1b", nil)
	wantCode(t, err, fault.Unauthorized, "Nothing leaves this machine", "new:1b", "registry.ollama.ai", "local-only=false")
	if len(server.Heard()) != asked {
		t.Error("the server was asked while nothing may leave")
	}
	d.localOnly = false
	for _, name := range []string{"new:1b", "ollama:new:1b"} {
		var told []string
		n, err := d.Pull(t.Context(), name, func(p Pulled) { told = append(told, p.Status) })
		if err != nil || n != (Name{Ollama, "new:1b"}) || strings.Join(told, ", ") != "pulling 5f1e, success" {
			t.Errorf("%s: %v, %v, told %v", name, n, err, told)
		}
	}
	_, err = d.Pull(t.Context(), "a b", nil)
	wantCode(t, err, fault.Invalid)
	server.PullSteps = []any{map[string]any{"error": "pull model manifest: file does not exist"}}
	_, err = d.Pull(t.Context(), "nowhere", nil)
	wantCode(t, err, fault.NotFound, "no model called nowhere")
	server.PullSteps = steps[:1]
	_, err = d.Pull(t.Context(), "new:1b", nil)
	wantCode(t, err, fault.Unavailable)
	d.chosen.Ollama = "http://127.0.0.1:9"
	_, err = d.Pull(t.Context(), "new:1b", nil)
	wantCode(t, err, fault.Unavailable, "No Ollama server answers")
}
