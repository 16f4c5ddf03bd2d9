package api

import (
	"context"
	"net/http"

	"assay/backend/fault"
	"assay/backend/memory"
	"assay/backend/text"
)

// ForkBody says what a branch goes on from: a turn or an artifact, one of the two.
type ForkBody struct {
	Turn         int    `json:"turn,omitempty" minimum:"1" doc:"The last turn that it takes along, counted from 1"`
	FromArtifact string `json:"from_artifact,omitempty" maxLength:"200" doc:"An artifact of the last turn that it takes along; the version that it belongs to stands in the branch"`
}

func (s *Server) registerFork() {
	register(s, http.MethodPost, "/api/sessions/{id}/fork", "forkSession", "Begin a session that goes on from a turn or an artifact of this one",
		func(ctx context.Context, in *struct {
			ID   string `path:"id"`
			Body ForkBody
		},
		) (*struct{ Body memory.Forked }, error) {
			if (in.Body.Turn == 0) == (in.Body.FromArtifact == "") {
				return nil, fault.New(fault.Invalid, "fork session", text.Say("api.fork_one"), text.Say("api.fork_one_hint"))
			}
			out, err := s.ws.Fork(ctx, in.ID, memory.ForkAt{Turn: in.Body.Turn, Artifact: in.Body.FromArtifact})
			return &struct{ Body memory.Forked }{out}, err
		})
}
