package api

import (
	"context"
	"net/http"

	"assay/backend/interpret"
	"assay/backend/reading"
	"assay/backend/workspace"
)

// MarkList is what is understood of a question that is being written.
type MarkList struct {
	Marks []interpret.Mark `json:"marks" nullable:"false"`
}

func (s *Server) registerReading() {
	register(s, http.MethodPost, "/api/requests/{id}/alternatives", "alternatives", "What a part of the reading of a request may become, or what may be added to it",
		func(ctx context.Context, in *struct {
			RequestPath
			Body reading.Asked
		},
		) (*struct{ Body reading.Menu }, error) {
			menu, err := s.ws.Alternatives(ctx, in.ID, in.Body)
			return &struct{ Body reading.Menu }{menu}, err
		})
	register(s, http.MethodPost, "/api/requests/{id}/edit", "editReading", "The query of a request with one part of its reading changed; nothing is run",
		func(ctx context.Context, in *struct {
			RequestPath
			Body reading.Change
		},
		) (*struct{ Body workspace.Edited }, error) {
			edited, err := s.ws.EditReading(ctx, in.ID, in.Body)
			return &struct{ Body workspace.Edited }{edited}, err
		})
	register(s, http.MethodPost, "/api/requests/{id}/choose", "chooseVersion", "Make a request the version of its turn that stands there, and that later questions go on from",
		func(ctx context.Context, in *struct {
			RequestPath
			Body struct{}
		},
		) (*struct{}, error) {
			return &struct{}{}, s.ws.ChooseVersion(ctx, in.ID)
		})
	register(s, http.MethodGet, "/api/glance", "glance", "What is understood of a question that is being written",
		func(ctx context.Context, in *struct {
			Q         string `query:"q" maxLength:"2000" doc:"The question"`
			Session   string `query:"session" maxLength:"128" doc:"The conversation that it goes on; absent: it stands alone"`
			InsteadOf string `query:"instead_of" maxLength:"128" doc:"The request that it is another version of"`
		},
		) (*struct{ Body MarkList }, error) {
			marks, err := s.ws.Glance(ctx, in.Q, in.Session, in.InsteadOf)
			return &struct{ Body MarkList }{MarkList{append([]interpret.Mark{}, marks...)}}, err
		})
}
