package api

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// events writes server-sent events. A reader that went away is noticed by the request's context, not here.
type events struct {
	mu  sync.Mutex
	out io.Writer
}

func startEvents(c huma.Context) *events {
	c.SetHeader("Content-Type", "text/event-stream")
	c.SetHeader("Cache-Control", "no-store")
	c.SetStatus(http.StatusOK)
	return &events{out: c.BodyWriter()}
}

func (e *events) send(name string, data any) {
	raw, err := json.Marshal(data)
	if err != nil {
		raw, _ = json.Marshal(problemOf(err))
		name = "error"
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	_, _ = io.WriteString(e.out, "event: "+name+"\ndata: ")
	_, _ = e.out.Write(raw)
	_, _ = io.WriteString(e.out, "\n\n")
	if f, ok := e.out.(http.Flusher); ok {
		f.Flush()
	}
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func writeProblem(w http.ResponseWriter, p *Problem) {
	secure(w.Header())
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(p.status)
	_ = json.NewEncoder(w).Encode(p)
}
