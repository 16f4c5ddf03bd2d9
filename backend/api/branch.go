package api

import (
	"context"
	"net/http"
)

// Branched is a session that goes on from a turn of another one.
type Branched struct {
	SessionID string `json:"session_id"`
}

func (s *Server) registerBranch() {
	register(s, http.MethodPost, "/api/sessions/{id}/branch", "branchSession", "Begin a session that goes on from a turn of this one",
		func(ctx context.Context, in *struct {
			ID   string `path:"id"`
			Body struct {
				Turn int `json:"turn" minimum:"1" doc:"The last turn that it takes along, counted from 1"`
			}
		},
		) (*struct{ Body Branched }, error) {
			id, err := s.ws.Branch(ctx, in.ID, in.Body.Turn)
			if err != nil {
				return nil, err
			}
			return &struct{ Body Branched }{Branched{id}}, nil
		})
}
