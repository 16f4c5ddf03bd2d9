package api

import (
	"context"
	"net/http"

	"assay/backend/interpret"
)

// CompletionList is what may come next in a question, the likeliest first.
type CompletionList struct {
	Completions []interpret.Completion `json:"completions"`
}

func (s *Server) registerComplete() {
	register(s, http.MethodGet, "/api/complete", "complete", "Ways to go on with a question that is being written",
		func(_ context.Context, in *struct {
			Q string `query:"q" maxLength:"2000" doc:"The question up to the cursor"`
		},
		) (*struct{ Body CompletionList }, error) {
			return &struct{ Body CompletionList }{CompletionList{append([]interpret.Completion{}, s.ws.Complete(in.Q)...)}}, nil
		})
}
