package api

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"assay/backend/analyst"
	"assay/backend/profile"
	"assay/backend/session"
)

// SessionHead is a session in the drawer.
type SessionHead struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	Turns   int       `json:"turns"`
}

// SessionList is every session, newest first.
type SessionList struct {
	Sessions []SessionHead `json:"sessions"`
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
	register(s, http.MethodGet, "/api/sessions", "sessions", "All sessions, newest first",
		func(ctx context.Context, _ *struct{}) (*struct{ Body SessionList }, error) {
			heads, err := s.ws.Memory().Sessions(ctx)
			if err != nil {
				return nil, err
			}
			list := SessionList{Sessions: []SessionHead{}}
			for _, h := range heads {
				list.Sessions = append(list.Sessions, SessionHead{h.ID, h.Title, h.Created, h.Updated, h.Turns})
			}
			return &struct{ Body SessionList }{list}, nil
		})
	register(s, http.MethodGet, "/api/sessions/{id}", "session", "A session with all its turns",
		func(ctx context.Context, in *sessionPath) (*struct{ Body *session.Document }, error) {
			doc, err := s.ws.Memory().Session(ctx, in.ID)
			return &struct{ Body *session.Document }{doc}, err
		})
	register(s, http.MethodPatch, "/api/sessions/{id}", "renameSession", "Give a session another title",
		func(ctx context.Context, in *struct {
			ID   string `path:"id"`
			Body struct {
				Title string `json:"title" minLength:"1" maxLength:"200"`
			}
		},
		) (*struct{}, error) {
			return &struct{}{}, s.ws.Memory().Rename(ctx, in.ID, in.Body.Title)
		})
	register(s, http.MethodDelete, "/api/sessions/{id}", "deleteSession", "Delete a session",
		func(ctx context.Context, in *sessionPath) (*struct{}, error) {
			return &struct{}{}, s.ws.Memory().Delete(ctx, in.ID)
		})
}
