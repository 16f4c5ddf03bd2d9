package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"assay/backend/llm"
	"assay/backend/minds"
	"assay/backend/workspace"
)

// MindsView is who may think, as far as that is known without asking anybody.
type MindsView struct {
	Mind      string             `json:"mind" doc:"Who thinks where a question does not say it"`
	Local     bool               `json:"local" doc:"It is on this machine"`
	Host      string             `json:"host" doc:"Where it is asked; empty: it is a part of the program"`
	LocalOnly bool               `json:"local_only" doc:"Nothing leaves this machine"`
	Embedding workspace.Likeness `json:"embedding" doc:"Who finds what is alike"`
	Keys      minds.Keys         `json:"keys"`
	Spent     minds.Spent        `json:"spent" doc:"What models used today"`
	Bounds    minds.Budget       `json:"bounds" doc:"What they may use in a day"`
}

// MindBody names a mind.
type MindBody struct {
	Mind      string `json:"mind,omitempty" maxLength:"200" doc:"embedded, or PROVIDER:MODEL; empty: the one that is chosen"`
	RequestID string `json:"request_id,omitempty" maxLength:"64" doc:"A name for this run, made by the client, by which it can be canceled"`
}

// PullBody names a model of Ollama that is to be fetched.
type PullBody struct {
	Model     string `json:"model" minLength:"1" maxLength:"200" doc:"As Ollama calls it, with or without ollama: before it"`
	RequestID string `json:"request_id,omitempty" maxLength:"64" doc:"A name for this run, made by the client, by which it can be canceled"`
}

// PullDone names the mind that a fetched model is.
type PullDone struct {
	Mind string `json:"mind"`
}

// KeyBody is a key that is to be kept. It is never given back.
type KeyBody struct {
	Provider string `json:"provider" enum:"anthropic,openai"`
	Key      string `json:"key" maxLength:"65536"`
	ForNow   bool   `json:"for_now,omitempty" doc:"Until the program ends, and nowhere but in its memory"`
}

// PassphraseBody is a passphrase for the keys.
type PassphraseBody struct {
	Passphrase string `json:"passphrase" maxLength:"1024"`
	Choose     bool   `json:"choose,omitempty" doc:"Put the keys behind it; otherwise it opens those that are behind it"`
}

type mindsOut struct{ Body MindsView }

func (s *Server) registerMinds() {
	register(s, http.MethodGet, "/api/minds", "minds", "Who may think, which keys there are, and what models used today; nobody is asked",
		func(ctx context.Context, _ *struct{}) (*mindsOut, error) { return s.minds(ctx) })
	register(s, http.MethodPost, "/api/minds/find", "findModels", "Ask a provider which models it has",
		func(ctx context.Context, in *struct {
			Body struct {
				Provider string `json:"provider" enum:"ollama,anthropic,openai"`
			}
		},
		) (*struct{ Body minds.Found }, error) {
			ctx, done := s.runs.start(ctx, workLook, "")
			defer done()
			found, err := s.ws.Minds().Find(ctx, in.Body.Provider)
			return &struct{ Body minds.Found }{found}, err
		})
	register(s, http.MethodGet, "/api/minds/leaving", "leaving", "What would leave this machine if a mind were asked; nobody is asked",
		func(_ context.Context, in *struct {
			Mind string `query:"mind" maxLength:"200" doc:"embedded, or PROVIDER:MODEL; empty: the one that is chosen"`
		},
		) (*struct{ Body minds.Leaving }, error) {
			leaving, err := s.ws.Minds().Leaves(in.Mind)
			return &struct{ Body minds.Leaving }{leaving}, err
		})
	register(s, http.MethodPost, "/api/minds/sealed", "sealed", "Try to leave this machine while nothing may, and say whether that could be done",
		func(ctx context.Context, _ *struct{ Body struct{} }) (*struct{ Body llm.Sealed }, error) {
			ctx, done := s.runs.start(ctx, workLook, "")
			defer done()
			return &struct{ Body llm.Sealed }{s.ws.Minds().Guard().SelfTest(ctx)}, nil
		})
	register(s, http.MethodPost, "/api/minds/keys", "setKey", "Keep the key of a provider",
		func(ctx context.Context, in *struct{ Body KeyBody }) (*mindsOut, error) {
			if err := s.ws.Minds().SetKey(ctx, in.Body.Provider, in.Body.Key, in.Body.ForNow); err != nil {
				return nil, err
			}
			return s.minds(ctx)
		})
	register(s, http.MethodDelete, "/api/minds/keys/{provider}", "forgetKey", "Forget the key of a provider",
		func(ctx context.Context, in *struct {
			Provider string `path:"provider" enum:"anthropic,openai"`
		},
		) (*mindsOut, error) {
			if err := s.ws.Minds().ForgetKey(ctx, in.Provider); err != nil {
				return nil, err
			}
			return s.minds(ctx)
		})
	register(s, http.MethodPost, "/api/minds/passphrase", "passphrase", "Choose a passphrase for the keys, or open them with it",
		func(ctx context.Context, in *struct{ Body PassphraseBody }) (*mindsOut, error) {
			err := s.ws.Minds().Unlock(in.Body.Passphrase)
			if in.Body.Choose {
				err = s.ws.Minds().UsePassphrase(ctx, in.Body.Passphrase)
			}
			if err != nil {
				return nil, err
			}
			return s.minds(ctx)
		})
	schemas := s.api.OpenAPI().Components.Schemas
	huma.Register(s.api, huma.Operation{
		OperationID: "tryMind", Method: http.MethodPost, Path: "/api/minds/test", MaxBodyBytes: 1 << 20,
		Summary: "Try a mind with two tiny questions, ten seconds at most. With Accept: text/event-stream each check is sent as it is known, then all of it.",
		Responses: map[string]*huma.Response{"200": {Description: "What came of it", Content: map[string]*huma.MediaType{
			"application/json":  {Schema: schemas.Schema(typeOf[minds.Tried](), true, "")},
			"text/event-stream": {Schema: schemas.Schema(typeOf[minds.Line](), true, "")},
		}}},
	}, s.tryMind)
	schemas.Schema(typeOf[minds.Pulled](), true, "")
	huma.Register(s.api, huma.Operation{
		OperationID: "pullModel", Method: http.MethodPost, Path: "/api/minds/pull", MaxBodyBytes: 1 << 20,
		Summary: "Have the Ollama server fetch a model from the internet; refused while nothing may leave this machine. Answers with events: progress, then done or error.",
		Responses: map[string]*huma.Response{"200": {Description: "Events", Content: map[string]*huma.MediaType{
			"text/event-stream": {Schema: schemas.Schema(typeOf[PullDone](), true, "")},
		}}},
	}, s.pullModel)
}

// pullModel tells of each part that a server fetches, and of each hundredth of it.
func (s *Server) pullModel(_ context.Context, in *struct{ Body PullBody }) (*huma.StreamResponse, error) {
	return &huma.StreamResponse{Body: func(c huma.Context) {
		out := startEvents(c)
		ctx, done := s.runs.start(c.Context(), workLook, in.Body.RequestID)
		defer done()
		part, hundredth := "", int64(-1)
		mind, err := s.ws.Minds().Pull(ctx, in.Body.Model, func(at minds.Pulled) {
			now := int64(0)
			if at.Total > 0 {
				now = 100 * at.Completed / at.Total
			}
			if at.Status != part || now != hundredth {
				part, hundredth = at.Status, now
				out.send("progress", at)
			}
		})
		if err != nil {
			out.send("error", problemOf(err))
			return
		}
		out.send("done", PullDone{mind.String()})
	}}, nil
}

func (s *Server) minds(ctx context.Context) (*mindsOut, error) {
	m, settings := s.ws.Minds(), s.ws.Settings()
	leaving, err := m.Leaves("")
	if err != nil {
		return nil, err
	}
	return &mindsOut{MindsView{
		Mind: leaving.Mind, Local: leaving.Local, Host: leaving.Host, LocalOnly: settings.LocalOnly, Embedding: s.ws.Likeness(), Keys: m.Keys(ctx), Spent: m.Spent(), Bounds: settings.Minds.Day,
	}}, nil
}

type tryInput struct {
	Accept string `header:"Accept"`
	Body   MindBody
}

func (s *Server) tryMind(ctx context.Context, in *tryInput) (*huma.StreamResponse, error) {
	if !strings.Contains(in.Accept, "text/event-stream") {
		ctx, done := s.runs.start(ctx, workLook, in.Body.RequestID)
		defer done()
		tried, err := s.ws.Minds().Try(ctx, in.Body.Mind, nil)
		if err != nil {
			return nil, problemOf(err)
		}
		return &huma.StreamResponse{Body: func(c huma.Context) {
			c.SetHeader("Content-Type", "application/json")
			_ = json.NewEncoder(c.BodyWriter()).Encode(tried) // the reader may be gone
		}}, nil
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		out := startEvents(c)
		ctx, done := s.runs.start(c.Context(), workLook, in.Body.RequestID)
		defer done()
		tried, err := s.ws.Minds().Try(ctx, in.Body.Mind, func(l minds.Line) { out.send("check", l) })
		if err != nil {
			out.send("error", problemOf(err))
			return
		}
		out.send("done", tried)
	}}, nil
}
