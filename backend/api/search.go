package api

import (
	"context"
	"net/http"

	"assay/backend/memory"
)

// SessionHits are what a search found, the best first.
type SessionHits struct {
	Hits []memory.Hit `json:"hits"`
}

func (s *Server) registerSearch() {
	register(s, http.MethodGet, "/api/sessions/search", "searchSessions",
		"Turns that have all words of a query in their texts: those of pinned sessions first, then the latest; those of one session behind each other",
		func(ctx context.Context, in *struct {
			Query string `query:"q" maxLength:"400" doc:"Words, or their beginnings; case and accents do not matter, a sign is a sign"`
			Limit int    `query:"limit" minimum:"1" maximum:"200" default:"20"`
		},
		) (*struct{ Body SessionHits }, error) {
			hits, err := s.ws.Memory().Search(ctx, in.Query, in.Limit)
			return &struct{ Body SessionHits }{SessionHits{hits}}, err
		})
}
