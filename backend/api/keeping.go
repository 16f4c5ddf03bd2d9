package api

import (
	"context"
	"net/http"
	"time"

	"assay/backend/memory"
)

// SavedQueries are the queries that the person keeps, by name.
type SavedQueries struct {
	Queries []memory.SavedQuery `json:"queries"`
}

// SaveQuery is a query to keep.
type SaveQuery struct {
	Name      string     `json:"name" minLength:"1" maxLength:"500"`
	Language  string     `json:"language" enum:"frame_ql,sql"`
	Text      string     `json:"text" minLength:"1"`
	Replacing *time.Time `json:"replacing,omitempty" doc:"When the query of that name was changed last, which is replaced; absent: the name must be free"`
}

// PageState is how the window stood.
type PageState struct {
	Owner  string             `json:"owner"` // whose it is, in which workspace
	Run    string             `json:"run"`   // of the program: another one after a restart
	Values []memory.PageValue `json:"values"`
}

func (s *Server) registerKeeping() {
	register(s, http.MethodGet, "/api/query/saved", "savedQueries", "The queries that the person keeps, by name",
		func(ctx context.Context, _ *struct{}) (*struct{ Body SavedQueries }, error) {
			all, err := s.ws.SavedQueries(ctx)
			return &struct{ Body SavedQueries }{SavedQueries{all}}, err
		})
	register(s, http.MethodPost, "/api/query/saved", "saveQuery", "Keep a query under a name, in place of another one only when that is said; nothing runs",
		func(ctx context.Context, in *struct{ Body SaveQuery }) (*struct{ Body memory.SavedQuery }, error) {
			q, err := s.ws.SaveQuery(ctx, memory.SavedQuery{Name: in.Body.Name, Language: in.Body.Language, Text: in.Body.Text}, in.Body.Replacing)
			return &struct{ Body memory.SavedQuery }{q}, err
		})
	register(s, http.MethodPatch, "/api/query/saved/{id}", "renameQuery", "Give a saved query another name",
		func(ctx context.Context, in *struct {
			ID   string `path:"id"`
			Body struct {
				Name string `json:"name" minLength:"1" maxLength:"500"`
			}
		},
		) (*struct{ Body memory.SavedQuery }, error) {
			q, err := s.ws.RenameQuery(ctx, in.ID, in.Body.Name)
			return &struct{ Body memory.SavedQuery }{q}, err
		})
	register(s, http.MethodDelete, "/api/query/saved/{id}", "deleteQuery", "Forget a saved query; who wants it back saves it again",
		func(ctx context.Context, in *struct {
			ID string `path:"id"`
		},
		) (*struct{}, error) {
			return &struct{}{}, s.ws.DeleteQuery(ctx, in.ID)
		})
	register(s, http.MethodGet, "/api/page", "pageState", "How the window of the person stood when it was last changed",
		func(ctx context.Context, _ *struct{}) (*struct{ Body PageState }, error) {
			p, err := s.ws.PageState(ctx)
			return &struct{ Body PageState }{PageState(p)}, err
		})
	register(s, http.MethodPatch, "/api/page", "keepPage", "Keep how the window stands; a value is at most 256 KiB, all of them 8 MiB, and the oldest make room",
		func(ctx context.Context, in *struct {
			Body struct {
				Values []memory.PageChange `json:"values" minItems:"1" maxItems:"500"`
			}
		},
		) (*struct{}, error) {
			return &struct{}{}, s.ws.KeepPageState(ctx, in.Body.Values)
		})
}
