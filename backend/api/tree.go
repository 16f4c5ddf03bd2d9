package api

import (
	"context"
	"net/http"

	"assay/backend/memory"
)

// SessionTree is the family of a session: each session behind the one that it was forked from.
type SessionTree struct {
	Sessions []memory.Branch `json:"sessions"`
}

func (s *Server) registerTree() {
	register(s, http.MethodGet, "/api/sessions/{id}/tree", "sessionTree", "The session, those that it descends from, and all that descend from these",
		func(ctx context.Context, in *sessionPath) (*struct{ Body SessionTree }, error) {
			tree, err := s.ws.Memory().Tree(ctx, in.ID)
			return &struct{ Body SessionTree }{SessionTree{tree}}, err
		})
}
