package api

import (
	"context"
	"net/http"
	"slices"

	"assay/backend/analyst"
	"assay/backend/memory"
	"assay/backend/rules"
	"assay/backend/session"
)

// Standing is how a request stands, whether its answer may be kept as an example of a right one, and whether it was.
type Standing struct {
	analyst.Standing
	MayBeGolden bool `json:"may_be_golden"`
	Kept        bool `json:"kept"`
}

// Inbox is what a person is told, the newest first.
type Inbox struct {
	Notices []memory.StoredNotice `json:"notices"`
}

// RequestPath names a request in a path. It is exported because the parameters of an embedded type are only read when it is.
type RequestPath struct {
	ID string `path:"id" maxLength:"128"`
}

func (s *Server) registerRequests() {
	register(s, http.MethodGet, "/api/requests/{id}", "standing", "How a request stands",
		func(ctx context.Context, in *RequestPath) (*struct{ Body Standing }, error) {
			st, err := s.ws.Memory().Standing(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			return s.standingOf(ctx, st)
		})
	register(s, http.MethodGet, "/api/requests/{id}/sent", "sentTexts", "What was sent to language models elsewhere for a request, word for word and masked as it was then; nothing where nothing went, or it was not kept",
		func(ctx context.Context, in *RequestPath) (*struct{ Body session.SentTexts }, error) {
			_, turn, err := s.ws.Memory().Find(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			sent := analyst.TextsSent(turn.Trace)
			if sent.Requests == nil {
				sent = session.SentTexts{Requests: []session.SentText{}, Texts: map[string]string{}}
			}
			return &struct{ Body session.SentTexts }{sent}, nil
		})
	register(s, http.MethodPost, "/api/requests/{id}/say", "say", "Say a word about a request that waits",
		func(ctx context.Context, in *struct {
			RequestPath
			Body struct {
				On  string `json:"on" enum:"accepted,rejected,declined,handled" doc:"What is said"`
				How string `json:"how,omitempty" enum:"explicit,export,copy,pin,share" doc:"Of accepted: by a word, or by what was done with the result"`
			}
		},
		) (*struct{ Body Standing }, error) {
			st, err := s.ws.Say(ctx, analyst.Word{RequestID: in.ID, On: analyst.Happening(in.Body.On), How: in.Body.How})
			if err != nil {
				return nil, err
			}
			return s.standingOf(ctx, st)
		})
	register(s, http.MethodPost, "/api/requests/{id}/feedback", "opine", "Say what an answer is like",
		func(ctx context.Context, in *struct {
			RequestPath
			Body struct {
				Thumb   string `json:"thumb" enum:"up,down"`
				Reason  string `json:"reason,omitempty" enum:",right,clear,useful,wrong,misread,incomplete,unclear,slow,other" doc:"Why; the first three are of a thumb up, the others but the last of a thumb down"`
				Words   string `json:"words,omitempty" maxLength:"2000"`
				Serious bool   `json:"serious,omitempty" doc:"The error would have cost much"`
			}
		},
		) (*struct{ Body FeedbackKept }, error) {
			said := &session.Feedback{Thumb: in.Body.Thumb, Reason: in.Body.Reason, Words: in.Body.Words, Serious: in.Body.Serious}
			said, learned, err := s.ws.Opine(ctx, analyst.Opinion{RequestID: in.ID, Feedback: said})
			if err != nil {
				return nil, err
			}
			return &struct{ Body FeedbackKept }{FeedbackKept{*said, learned}}, nil
		})
	register(s, http.MethodDelete, "/api/requests/{id}/feedback", "unopine", "Take back what was said of an answer",
		func(ctx context.Context, in *RequestPath) (*struct{}, error) {
			_, _, err := s.ws.Opine(ctx, analyst.Opinion{RequestID: in.ID})
			return &struct{}{}, err
		})
	register(s, http.MethodPost, "/api/requests/{id}/keep", "keepGolden", "Keep an answer that was accepted as an example of a right one",
		func(ctx context.Context, in *struct {
			RequestPath
			Body struct{}
		},
		) (*struct{ Body memory.Golden }, error) {
			g, err := s.ws.KeepGolden(ctx, in.ID, "", rules.Caller{})
			return &struct{ Body memory.Golden }{g}, err
		})
	register(s, http.MethodGet, "/api/inbox", "inbox", "What the person is told",
		func(ctx context.Context, _ *struct{}) (*struct{ Body Inbox }, error) {
			notices, err := s.ws.Inbox(ctx, "", rules.Caller{})
			return &struct{ Body Inbox }{Inbox{notices}}, err
		})
	register(s, http.MethodPost, "/api/inbox/{id}/read", "readNotice", "Mark a notice as read",
		func(ctx context.Context, in *struct {
			ID   int64 `path:"id" minimum:"1"`
			Body struct{}
		},
		) (*struct{}, error) {
			return &struct{}{}, s.ws.ReadNotice(ctx, in.ID, "", rules.Caller{})
		})
}

// FeedbackKept is what was said of an answer, as it is kept.
type FeedbackKept struct {
	session.Feedback
	Learned *analyst.Taught `json:"learned" doc:"What its words say that a term means, for the person's questions from now on; null: nothing"`
}

func (s *Server) standingOf(ctx context.Context, st analyst.Standing) (*struct{ Body Standing }, error) {
	body := Standing{Standing: st, MayBeGolden: st.Settled == analyst.OnAccepted && st.How == analyst.HowExplicit && st.FrameQL != ""}
	if body.MayBeGolden {
		goldens, err := s.ws.Memory().Goldens(ctx)
		if err != nil {
			return nil, err
		}
		body.Kept = slices.ContainsFunc(goldens, func(g memory.Golden) bool { return g.RequestID == st.RequestID })
	}
	return &struct{ Body Standing }{body}, nil
}
