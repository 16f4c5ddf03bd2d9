package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/text"
)

// AskBody is one question, in a session or in a new one.
type AskBody struct {
	MessageBody
	SessionID string `json:"session_id,omitempty" doc:"The conversation; a new one when absent"`
}

// MessageBody is one question. One of question, frame_ql and sql is set; or question and frame_ql, where the question only says the query in words.
type MessageBody struct {
	Question    string `json:"question,omitempty" doc:"A question in plain words"`
	FrameQL     string `json:"frame_ql,omitempty" doc:"A Frame-QL query to run instead of a question"`
	InsteadOf   string `json:"instead_of,omitempty" maxLength:"128" doc:"The request of the session that this one is another version of; it takes its place and goes on from what stands before that"`
	EditedFrom  string `json:"edited_from,omitempty" maxLength:"128" doc:"The answer, in whatever session, whose query frame_ql was made from by hand; absent: instead_of"`
	RequestID   string `json:"request_id,omitempty" maxLength:"64" doc:"A name for this run, made by the client, by which it can be canceled"`
	Now         string `json:"now,omitempty" doc:"The clock for relative dates, RFC 3339"`
	Memo        string `json:"memo,omitempty"`
	Criticality string `json:"criticality,omitempty" enum:"low,normal,high"`
	Asking      string `json:"asking,omitempty" enum:"first,never" doc:"first: plan, then wait for a word; never: do not wait for one that only the person's own preferences ask for"`
	Confirm     bool   `json:"confirm,omitempty"`
	Level       int    `json:"level,omitempty" minimum:"1" maximum:"5" doc:"The highest autonomy level; it only lowers"`
	SQL         string `json:"sql,omitempty" doc:"A SELECT to run instead of a question"`
	Explain     bool   `json:"explain,omitempty" doc:"Say how the query or the SELECT would be computed, and run nothing"`
	MaxRows     int    `json:"max_rows,omitempty" minimum:"0" maximum:"1000000"`
	NoCache     bool   `json:"no_cache,omitempty"`
	Mind        string `json:"mind,omitempty" maxLength:"200" doc:"Who thinks: embedded, anthropic:MODEL, openai:MODEL or ollama:MODEL; absent: as the settings say"`
}

func (b MessageBody) request(sessionID string) (analyst.Request, error) {
	r := analyst.Request{
		Question: b.Question, FrameQL: b.FrameQL, SessionID: sessionID, InsteadOf: b.InsteadOf, EditedFrom: b.EditedFrom, Memo: b.Memo,
		Criticality: b.Criticality, Asking: b.Asking, Confirm: b.Confirm, Level: b.Level, SQL: b.SQL, MaxRows: b.MaxRows, NoCache: b.NoCache, Explain: b.Explain, Mind: b.Mind,
	}
	if b.Now != "" {
		now, err := time.Parse(time.RFC3339, b.Now)
		if err != nil {
			return r, fault.Wrap(fault.Invalid, "ask", text.Say("api.bad_now", "now", b.Now), text.Say("api.bad_now_hint"), err)
		}
		r.Now = now
	}
	return r, nil
}

type askInput struct {
	Accept string `header:"Accept"`
	Body   AskBody
}

func (s *Server) registerAsk() {
	schemas := s.api.OpenAPI().Components.Schemas
	answered := map[string]*huma.Response{"200": {Description: "The answer", Content: map[string]*huma.MediaType{
		"application/json":  {Schema: schemas.Schema(typeOf[analyst.Answer](), true, "")},
		"text/event-stream": {Schema: schemas.Schema(typeOf[analyst.Event](), true, "")},
	}}}
	huma.Register(s.api, huma.Operation{
		OperationID: "ask", Method: http.MethodPost, Path: "/api/ask", MaxBodyBytes: 1 << 20, Responses: answered,
		Summary: "Ask a question, or run a Frame-QL query. With Accept: text/event-stream the steps, and what a model writes as far as it holds, are sent as they happen, then the answer.",
	}, s.ask)
	huma.Register(s.api, huma.Operation{
		OperationID: "message", Method: http.MethodPost, Path: "/api/sessions/{id}/message", MaxBodyBytes: 1 << 20, Responses: answered,
		Summary: "Ask a question, or run a Frame-QL query, in a session. With Accept: text/event-stream the steps, and what a model writes as far as it holds, are sent as they happen, then the answer.",
	}, s.message)
	huma.Register(s.api, huma.Operation{
		OperationID: "confirm", Method: http.MethodPost, Path: "/api/requests/{id}/confirm", Responses: answered,
		Summary: "Run what waits for a word before it runs. With Accept: text/event-stream the steps, and what a model writes as far as it holds, are sent as they happen, then the answer.",
	}, s.confirm)
	register(s, http.MethodPost, "/api/requests/{id}/cancel", "cancel", "Cancel a run by the id that its client gave it",
		func(_ context.Context, in *struct {
			ID string `path:"id" maxLength:"64"`
		},
		) (*struct{ Body Canceled }, error) {
			return &struct{ Body Canceled }{Canceled{s.runs.cancel(in.ID)}}, nil
		})
}

// Canceled says whether a run of that id was under way.
type Canceled struct {
	Canceled bool `json:"canceled"`
}

type messageInput struct {
	RequestPath
	Accept string `header:"Accept"`
	Body   MessageBody
}

func (s *Server) ask(ctx context.Context, in *askInput) (*huma.StreamResponse, error) {
	return s.askIn(ctx, in.Body.SessionID, in.Accept, in.Body.MessageBody)
}

// message asks in a session that is there.
func (s *Server) message(ctx context.Context, in *messageInput) (*huma.StreamResponse, error) {
	if _, err := s.ws.Memory().SessionHead(ctx, in.ID); err != nil {
		return nil, problemOf(err)
	}
	return s.askIn(ctx, in.ID, in.Accept, in.Body)
}

func (s *Server) askIn(ctx context.Context, sessionID, accept string, body MessageBody) (*huma.StreamResponse, error) {
	request, err := body.request(sessionID)
	if err != nil {
		return nil, problemOf(err)
	}
	return s.run(ctx, accept, body.RequestID, func(ctx context.Context, emit func(analyst.Event)) (*analyst.Answer, error) {
		return s.ws.Ask(ctx, request, emit)
	})
}

type confirmInput struct {
	RequestPath
	Accept string `header:"Accept"`
	Body   struct {
		RequestID string `json:"request_id,omitempty" maxLength:"64" doc:"A name for the run, made by the client, by which it can be canceled"`
	}
}

func (s *Server) confirm(ctx context.Context, in *confirmInput) (*huma.StreamResponse, error) {
	return s.run(ctx, in.Accept, in.Body.RequestID, func(ctx context.Context, emit func(analyst.Event)) (*analyst.Answer, error) {
		return s.ws.Confirm(ctx, analyst.Word{RequestID: in.ID}, emit)
	})
}

// run gives the answer that the work ends with: as JSON, or as the last of the events that happen on the way. While it works it can be
// canceled by the name that the client gave it.
func (s *Server) run(ctx context.Context, accept, name string, work func(context.Context, func(analyst.Event)) (*analyst.Answer, error)) (*huma.StreamResponse, error) {
	if !strings.Contains(accept, "text/event-stream") {
		ctx, done := s.runs.start(ctx, workQuestion, name)
		defer done()
		answer, err := work(ctx, nil)
		if err != nil {
			return nil, problemOf(err)
		}
		return &huma.StreamResponse{Body: func(c huma.Context) {
			c.SetHeader("Content-Type", "application/json")
			_ = json.NewEncoder(c.BodyWriter()).Encode(answer) // the reader may be gone; the answer is stored
		}}, nil
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		out := startEvents(c)
		ctx, done := s.runs.start(c.Context(), workQuestion, name)
		defer done()
		answer, err := work(ctx, func(e analyst.Event) {
			switch {
			case e.Step != nil:
				out.send("step", e)
			case e.Draft != nil:
				out.send("draft", e)
			}
		})
		if err != nil {
			out.send("error", problemOf(err))
			return
		}
		out.send("answer", answer)
	}}, nil
}
