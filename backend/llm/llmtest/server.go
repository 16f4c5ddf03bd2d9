package llmtest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"assay/backend/llm"
)

// Server is a scripted mind behind a real wire: an HTTP server on the loopback that speaks the protocol of one provider. It refuses what the
// provider would refuse: a wrong key, a model that is not there, a request that is longer than the window, a conversation that the protocol
// does not allow.
type Server struct {
	*httptest.Server
	Key    string // that it wants; empty: none
	Models []ServedModel

	OldFormat     bool  // it cannot hold a reply to a schema but by a tool (Anthropic)
	NoTemperature bool  // its models take none (Anthropic, OpenAI)
	CacheFrom     int   // tokens of the shortest prefix that is kept (Anthropic); 0: 1,024
	PullSteps     []any // lines of a pull (Ollama)

	protocol protocol
	script   Script
	cache    cache

	mu    sync.Mutex
	heard []Heard
	calls int
}

// ServedModel is a model that a server has.
type ServedModel struct {
	Name      string
	Window    int
	NoTools   bool
	Thinks    bool
	Digest    string
	Bytes     int64
	Elsewhere string // host that a server passes it on to (Ollama)
}

// Heard is a request as it came over the wire.
type Heard struct {
	Path    string
	Header  http.Header
	Body    []byte
	Request llm.Request // what it asks a model; zero for other paths
	Cached  Cached      // of its prefix (Anthropic)
}

// protocol is what differs between providers.
type protocol interface {
	name() string
	// ask reads a request for a reply. A refusal names the trouble and says why.
	ask(s *Server, body []byte) (asked, *refusal)
	// refuse writes a refusal with the status and body that the provider gives it.
	refuse(t llm.Trouble, why string) (status int, body string)
	// stream gives the events of a reply, in order, and its content type.
	stream(s *Server, a asked, r Reply) (events []string, contentType string)
	// broken gives the event of a fault: a piece that cannot be read, or the news that the provider failed.
	broken(f Fault) string
	// serve answers other paths.
	serve(s *Server, w http.ResponseWriter, r *http.Request, body []byte) bool
	chat() string // the path of requests for replies
	key(h http.Header) string
}

// asked is a request for a reply.
type asked struct {
	llm.Request
	model  string
	forced bool // the reply goes by a tool
	cached Cached
}

type refusal struct {
	trouble llm.Trouble
	why     string
}

// Model is the model that servers have where a test names none.
const Model = "test-model"

// Key is the key that servers want where a test sets none.
const Key = "test-key-8c1f"

func serve(t testing.TB, p protocol, script Script, options []func(*Server)) *Server {
	s := &Server{Key: Key, Models: []ServedModel{{Name: Model, Window: 100_000, Digest: "sha256:5f1e", Bytes: 42 << 20}}, protocol: p, script: script}
	for _, o := range options {
		o(s)
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// Endpoint is how an adapter reaches the server, with a guard whose switch is off.
func (s *Server) Endpoint() llm.Endpoint {
	e := llm.Endpoint{URL: s.URL, Key: s.Key, Guard: llm.NewGuard(func() bool { return false })}
	if s.protocol.name() == "openai" {
		e.URL += "/v1"
	}
	return e
}

// Heard gives what came so far, in the order in which it came.
func (s *Server) Heard() []Heard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Heard(nil), s.heard...)
}

// Asked gives the requests for replies so far.
func (s *Server) Asked() []llm.Request {
	var all []llm.Request
	for _, h := range s.Heard() {
		if h.Path == s.protocol.chat() {
			all = append(all, h.Request)
		}
	}
	return all
}

// ServeHTTP is that of http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // whoever asked has gone
	}
	h := Heard{Path: r.URL.Path, Header: r.Header.Clone(), Body: body}
	if s.Key != "" && s.protocol.key(r.Header) != s.Key {
		s.hear(h)
		s.refuse(w, llm.WrongKey, "the key is not right", 0)
		return
	}
	if r.URL.Path != s.protocol.chat() {
		s.hear(h)
		if !s.protocol.serve(s, w, r, body) {
			http.NotFound(w, r)
		}
		return
	}
	a, no := s.protocol.ask(s, body)
	h.Request, h.Cached = a.Request, a.cached
	s.hear(h)
	if no == nil {
		no = s.limits(a)
	}
	if no != nil {
		s.refuse(w, no.trouble, no.why, 0)
		return
	}
	s.reply(w, r, a, s.script(a.Request))
}

func (s *Server) hear(h Heard) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard, h)
}

func (s *Server) model(name string) (ServedModel, bool) {
	for _, m := range s.Models {
		if m.Name == name {
			return m, true
		}
	}
	return ServedModel{}, false
}

func (s *Server) limits(a asked) *refusal {
	m, ok := s.model(a.model)
	switch {
	case !ok:
		return &refusal{llm.NoModel, "there is no model " + a.model}
	case m.Window > 0 && llm.Estimate(a.Request)+a.MaxTokens > m.Window:
		return &refusal{llm.TooLong, "longer than the window of " + strconv.Itoa(m.Window)}
	case m.NoTools && len(a.Tools) > 0:
		return &refusal{llm.NoTools, a.model + " does not support tools"}
	case len(a.Messages) == 0:
		return &refusal{llm.NotUsed, "there are no messages"}
	}
	return nil
}

func (s *Server) refuse(w http.ResponseWriter, t llm.Trouble, why string, after int) {
	status, body := s.protocol.refuse(t, why)
	w.Header().Set("Content-Type", "application/json")
	if after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(after))
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body) // whoever asked may have gone
}

func (s *Server) reply(w http.ResponseWriter, r *http.Request, a asked, reply Reply) {
	if reply.Trouble != "" && reply.Fault == "" {
		s.refuse(w, reply.Trouble, "as the script has it", int(reply.After.Seconds()))
		return
	}
	for i := range reply.Calls {
		if reply.Calls[i].ID == "" {
			reply.Calls = append([]llm.Call(nil), reply.Calls...) // the script may give it again
			reply.Calls[i].ID = s.nextID()
		}
	}
	events, contentType := s.protocol.stream(s, a, reply)
	switch reply.Fault {
	case FaultDeaf:
		wait(r, reply)
		return
	case FaultPage:
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html><body>"+reply.Text+"</body></html>\n")
		return
	}
	w.Header().Set("Content-Type", contentType)
	send := func(body string) bool {
		_, err := io.WriteString(w, body)
		http.NewResponseController(w).Flush() //nolint:errcheck // the next write says so too
		return err == nil
	}
	if reply.Begun != nil {
		reply.Begun()
	}
	half := strings.Join(events[:max(len(events)/2, 1)], "")
	switch reply.Fault {
	case "":
		for _, e := range events {
			if !send(e) {
				return
			}
		}
	case FaultCut:
		whole := strings.Join(events, "")
		cut := reply.Cut
		if cut == 0 {
			cut = len(whole) / 2
		}
		send(whole[:min(cut, len(whole))])
		panic(http.ErrAbortHandler) // the connection ends without the end of the body
	case FaultShort:
		send(half)
	case FaultGarbage, FaultType, FaultLate:
		send(half + s.protocol.broken(reply.Fault) + strings.Join(events[max(len(events)/2, 1):], ""))
	case FaultHuge:
		piece := strings.Join(events[len(events)/3:max(len(events)/2, len(events)/3+1)], "")
		send(half)
		for send(strings.Repeat(piece, 100)) {
		}
	case FaultHang:
		send(half)
		wait(r, reply)
	case FaultDrip:
		send(half)
		for i := 0; i < 3; i++ {
			send(" ") // of no protocol anything yet
		}
		wait(r, reply)
	}
}

func wait(r *http.Request, reply Reply) {
	if reply.Reached != nil {
		reply.Reached()
	}
	<-r.Context().Done()
}

func (s *Server) nextID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	return "call_" + strconv.Itoa(s.calls)
}

// event is one of a stream of events.
func event(name string, data any) string {
	if name != "" {
		name = "event: " + name + "\n"
	}
	return name + "data: " + encode(data) + "\n\n"
}

// encode writes JSON with raw parts as they are, white space and all.
func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // a script gave what is no JSON where JSON has to be
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, encode(v)) // whoever asked may have gone
}

// vector is what the servers embed a text as: the same for the same text, and of any length.
func vector(text string) []float64 {
	v := make([]float64, 8)
	for i, r := range text {
		v[(i+int(r))%len(v)] += float64(r%13) + 1
	}
	v[0] += 0.5
	return v
}
