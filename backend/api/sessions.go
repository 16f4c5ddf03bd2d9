package api

import (
	"context"
	"net/http"
	"reflect"

	"assay/backend/analyst"
	"assay/backend/frameql"
	"assay/backend/memory"
	"assay/backend/profile"
	"assay/backend/session"
	"assay/backend/workspace"
)

// SessionList is every session, those that are archived too: the pinned ones first, then the newest.
type SessionList struct {
	Sessions []memory.SessionHead `json:"sessions"`
}

// SessionCreated names a session that begins.
type SessionCreated struct {
	SessionID string `json:"session_id"`
}

type sessionPath struct {
	ID string `path:"id"`
}

func (s *Server) registerSessions() {
	// The body of an artifact is JSON of its kind; the page wants the shapes that no route returns by themselves.
	for _, body := range []reflect.Type{
		typeOf[analyst.Provenance](), typeOf[analyst.Recommendation](), typeOf[session.Comparison](), typeOf[session.Simulation](),
		typeOf[session.Structure](), typeOf[session.DriverAnalysis](), typeOf[profile.QMCard](),
	} {
		s.api.OpenAPI().Components.Schemas.Schema(body, true, "")
	}
	register(s, http.MethodGet, "/api/sessions", "sessions", "All sessions, the pinned ones first, then the newest",
		func(ctx context.Context, _ *struct{}) (*struct{ Body SessionList }, error) {
			heads, err := s.ws.Memory().Sessions(ctx)
			if err != nil {
				return nil, err
			}
			return &struct{ Body SessionList }{SessionList{heads}}, nil
		})
	register(s, http.MethodPost, "/api/sessions", "createSession", "Begin a session; it stands in the list once something was asked in it",
		func(ctx context.Context, in *struct {
			Body struct {
				Title string `json:"title,omitempty" maxLength:"4000" doc:"It is cut at its usual length; absent: the first question gives it"`
			}
		},
		) (*struct{ Body SessionCreated }, error) {
			id, err := s.ws.CreateSession(ctx, in.Body.Title)
			return &struct{ Body SessionCreated }{SessionCreated{id}}, err
		})
	register(s, http.MethodGet, "/api/sessions/{id}/state", "sessionState", "What a session has come to, what waits in it, and what its next question would be answered with",
		func(ctx context.Context, in *sessionPath) (*struct {
			Body workspace.SessionState
		}, error,
		) {
			state, err := s.ws.SessionState(ctx, in.ID)
			return &struct{ Body workspace.SessionState }{state}, err
		})
	register(s, http.MethodGet, "/api/sessions/{id}", "session", "A session with all its turns; what was sent for one, word for word, has a route of its own",
		func(ctx context.Context, in *sessionPath) (*struct{ Body *session.Document }, error) {
			doc, err := s.ws.Memory().Session(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			withDigits(doc)
			for _, turn := range doc.Turns {
				for _, step := range turn.Trace {
					analyst.ShortenSent(step) // half a megabyte a turn, which nobody looks at in a list of turns
				}
			}
			return &struct{ Body *session.Document }{doc}, nil
		})
	register(s, http.MethodPatch, "/api/sessions/{id}", "changeSession", "Give a session another title, pin it, or put it out of sight",
		func(ctx context.Context, in *struct {
			ID   string `path:"id"`
			Body struct {
				Title    string `json:"title,omitempty" minLength:"1" maxLength:"4000" doc:"It is cut at its usual length"`
				Pinned   *bool  `json:"pinned,omitempty" doc:"It stands before the others, and is not archived"`
				Archived *bool  `json:"archived,omitempty" doc:"It is out of sight, and not pinned"`
			}
		},
		) (*struct{}, error) {
			var err error
			if in.Body.Title != "" {
				err = s.ws.Memory().Rename(ctx, in.ID, in.Body.Title)
			}
			if err == nil && in.Body.Pinned != nil {
				err = s.ws.Memory().Pin(ctx, in.ID, *in.Body.Pinned)
			}
			if err == nil && in.Body.Archived != nil {
				err = s.ws.Memory().Archive(ctx, in.ID, *in.Body.Archived)
			}
			return &struct{}{}, err
		})
	for _, way := range []struct {
		path, id, summary string
		do                func(context.Context, string) (memory.Cleared, error)
	}{
		{"/api/sessions/{id}/clear", "clearSession", "Clear the conversation of a session: its turns are kept, and nothing goes on from them", s.clear},
		{"/api/sessions/{id}/unclear", "unclearSession", "Bring back what the last clearing put out of the conversation", s.unclear},
	} {
		register(s, http.MethodPost, way.path, way.id, way.summary,
			func(ctx context.Context, in *struct {
				ID   string `path:"id"`
				Body struct{}
			},
			) (*struct{ Body memory.Cleared }, error) {
				done, err := way.do(ctx, in.ID)
				return &struct{ Body memory.Cleared }{done}, err
			})
	}
	register(s, http.MethodDelete, "/api/sessions/{id}", "deleteSession", "Delete a session; it can be restored for 30 days, unless it is deleted for ever",
		func(ctx context.Context, in *struct {
			ID      string `path:"id"`
			Forever bool   `query:"forever" doc:"It is removed at once with all that is its own, also when it was deleted before, and nothing brings it back"`
		},
		) (*struct{}, error) {
			if in.Forever {
				return &struct{}{}, s.purge(ctx, in.ID)
			}
			return &struct{}{}, s.ws.Memory().Delete(ctx, in.ID)
		})
	register(s, http.MethodPost, "/api/sessions/{id}/restore", "restoreSession", "Bring a deleted session back",
		func(ctx context.Context, in *struct {
			ID   string `path:"id"`
			Body struct{}
		},
		) (*struct{}, error) {
			return &struct{}{}, s.ws.Memory().Restore(ctx, in.ID)
		})
}

func (s *Server) clear(ctx context.Context, id string) (memory.Cleared, error) {
	return s.ws.Memory().Clear(ctx, id)
}

func (s *Server) unclear(ctx context.Context, id string) (memory.Cleared, error) {
	return s.ws.Memory().Unclear(ctx, id)
}

// purge removes a session for good, and the files of it and of its answers that wait to be fetched.
func (s *Server) purge(ctx context.Context, id string) error {
	requests, err := s.ws.PurgeSession(ctx, id)
	if len(requests) > 0 || err == nil {
		s.exports.forget(append(requests, id))
	}
	return err
}

// withDigits lets the cells of a session that was stored when they were JSON numbers of any size keep their digits in a page.
func withDigits(doc *session.Document) {
	for i := range doc.Turns {
		turn := &doc.Turns[i]
		turn.Answer = frameql.KeepDigits(turn.Answer)
		for k := range turn.Artifacts {
			turn.Artifacts[k].Body = frameql.KeepDigits(turn.Artifacts[k].Body)
		}
	}
}
