package api

import (
	"context"
	"net/http"

	"assay/backend/session"
	"assay/backend/workspace"
)

// ReplayBody says how a session is asked again.
type ReplayBody struct {
	RequestID string `json:"request_id,omitempty" maxLength:"64" doc:"A name for this call, made by the client, by which it can be canceled"`
	Turns     []int  `json:"turns,omitempty" maxItems:"1000" doc:"By their number; absent: all"`
	Clock     string `json:"clock,omitempty" enum:"recorded,now" doc:"From when relative dates are counted; absent: recorded"`
}

// AgainBody asks an answer again.
type AgainBody struct {
	RequestID string `json:"request_id,omitempty" maxLength:"64" doc:"A name for this call, made by the client, by which it can be canceled"`
}

// UnsettledList are answers whose data or definitions changed.
type UnsettledList struct {
	Answers []workspace.Unsettled `json:"answers" nullable:"false"`
}

func (s *Server) registerReplay() {
	register(s, http.MethodPost, "/api/sessions/{id}/replay", "replaySession", "Ask the turns of a session again and compare each step with what was recorded; the session stays as it is. Canceled by request_id",
		func(ctx context.Context, in *struct {
			ID   string `path:"id" maxLength:"128"`
			Body ReplayBody
		},
		) (*struct{ Body session.Replay }, error) {
			ctx, done := s.runs.start(ctx, workQuestion, in.Body.RequestID)
			defer done()
			report, err := s.ws.Replay(ctx, in.ID, workspace.ReplayOptions{Turns: in.Body.Turns, Anew: in.Body.Clock == "now"}, nil)
			return &struct{ Body session.Replay }{report}, err
		})
	register(s, http.MethodGet, "/api/answers/unsettled", "unsettledAnswers", "Accepted and pinned answers whose data or definitions changed since they were given",
		func(ctx context.Context, in *struct {
			Session string `query:"session" maxLength:"128" doc:"Absent: of all sessions"`
		},
		) (*struct{ Body UnsettledList }, error) {
			all, err := s.ws.Unsettled(ctx, in.Session)
			return &struct{ Body UnsettledList }{UnsettledList{all}}, err
		})
	register(s, http.MethodPost, "/api/requests/{id}/again", "askAgain", "Ask an answer again over the data and the definitions of now, and keep whether it still holds. Canceled by request_id",
		func(ctx context.Context, in *struct {
			ID   string `path:"id" maxLength:"128"`
			Body AgainBody
		},
		) (*struct{ Body session.Holding }, error) {
			ctx, done := s.runs.start(ctx, workQuestion, in.Body.RequestID)
			defer done()
			h, err := s.ws.AskAgain(ctx, in.ID)
			return &struct{ Body session.Holding }{h}, err
		})
	register(s, http.MethodGet, "/api/requests/{id}/holding", "holding", "Whether an answer still held when it was last asked again, with both frames; null: it was not",
		func(ctx context.Context, in *struct {
			ID string `path:"id" maxLength:"128"`
		},
		) (*struct{ Body *session.Holding }, error) {
			h, err := s.ws.Memory().Holding(ctx, in.ID)
			return &struct{ Body *session.Holding }{h}, err
		})
}
