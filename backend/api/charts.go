package api

import (
	"context"
	"net/http"

	"assay/backend/chart"
	"assay/backend/session"
)

// Marked is what a person marked in a chart.
type Marked struct {
	Members []MarkedMember `json:"members" nullable:"false" maxItems:"200" doc:"Members of columns of the frame"`
	Time    *MarkedTime    `json:"time,omitempty" doc:"A stretch of a column of time"`
}

// MarkedMember is a cell of a dimension, as the frame has it.
type MarkedMember struct {
	Column string `json:"column" minLength:"1" maxLength:"400"`
	Value  any    `json:"value"`
}

// MarkedTime is a range of buckets, both ends in it, as the frame has them.
type MarkedTime struct {
	Column string `json:"column" minLength:"1" maxLength:"400"`
	First  string `json:"first" minLength:"1" maxLength:"40"`
	Last   string `json:"last" minLength:"1" maxLength:"40"`
}

// NextQuestion is a question that marks in a chart lead to.
type NextQuestion struct {
	Title   string `json:"title"`
	FrameQL string `json:"frame_ql"`
}

// NextQuestions are they, the plainest first.
type NextQuestions struct {
	Questions []NextQuestion `json:"questions" nullable:"false"`
}

func (s *Server) registerCharts() {
	// An artifact of the session has this body; no route returns it by itself.
	s.api.OpenAPI().Components.Schemas.Schema(typeOf[session.View](), true, "")
	register(s, http.MethodPost, "/api/requests/{id}/narrow", "narrow", "The questions that marks in a chart lead to",
		func(ctx context.Context, in *struct {
			RequestPath
			Body Marked
		},
		) (*struct{ Body NextQuestions }, error) {
			cut := chart.Cut{}
			for _, m := range in.Body.Members {
				cut.Members = append(cut.Members, chart.Member{Column: m.Column, Value: m.Value})
			}
			if t := in.Body.Time; t != nil {
				cut.Time = &chart.Stretch{Column: t.Column, First: t.First, Last: t.Last}
			}
			next, err := s.ws.Narrow(ctx, in.ID, cut)
			if err != nil {
				return nil, err
			}
			out := NextQuestions{Questions: []NextQuestion{}}
			for _, n := range next {
				out.Questions = append(out.Questions, NextQuestion{Title: n.Title, FrameQL: n.FrameQL})
			}
			return &struct{ Body NextQuestions }{out}, nil
		})
	register(s, http.MethodPost, "/api/requests/{id}/view", "saveView", "Keep how the person looks at an answer",
		func(ctx context.Context, in *struct {
			RequestPath
			Body session.View
		},
		) (*struct{}, error) {
			return &struct{}{}, s.ws.SaveView(ctx, in.ID, in.Body)
		})
}
