package api

import (
	"context"
	"net/http"
	"time"

	"assay/backend/knowledge"
	"assay/backend/review"
	"assay/backend/rules"
	"assay/backend/workspace"
)

// SharedList is the shared knowledge that the person may see, what waits for a decision first. What is not theirs to see does not exist.
type SharedList struct {
	Items   []review.Reviewed `json:"items" nullable:"false"`
	Waiting int               `json:"waiting" doc:"How many wait for a decision that this person can give"`
}

// OfferBody names what the person taught and puts before the stewards.
type OfferBody struct {
	CorrectionID string `json:"correction_id" maxLength:"128"`
}

// VerdictBody is a decision.
type VerdictBody struct {
	Verdict knowledge.Verdict `json:"verdict" enum:"approve,mandate,reject,revoke,endorse,make_personal,make_shared"`
	Reason  string            `json:"reason,omitempty" maxLength:"2000" doc:"Needed to mandate, to reject and to revoke"`
}

// ReachBody says whom a piece of knowledge is for, all of it: what is not named it has not.
type ReachBody struct {
	Audience    string                `json:"audience,omitempty" maxLength:"128" doc:"A group of roles.yaml; empty: everyone"`
	From        *time.Time            `json:"valid_from,omitempty" doc:"Absent: from its decision on"`
	Until       *time.Time            `json:"valid_until,omitempty" doc:"Absent: without an end"`
	Supersedes  string                `json:"supersedes,omitempty" maxLength:"128" doc:"The item in whose place it stands; empty: none"`
	Sensitivity knowledge.Sensitivity `json:"sensitivity,omitempty" enum:",confidential"`
	Reason      string                `json:"reason,omitempty" maxLength:"2000"`
}

func (b ReachBody) reach() knowledge.Reach {
	to := knowledge.Reach{Audience: b.Audience, Supersedes: b.Supersedes, Sensitivity: b.Sensitivity}
	if b.From != nil {
		to.From = *b.From
	}
	if b.Until != nil {
		to.Until = *b.Until
	}
	return to
}

// ProposeBody says how the context file is written.
type ProposeBody struct {
	Direct bool `json:"direct,omitempty" doc:"Into the workspace as it is, for somebody who works alone; else onto a branch of git"`
}

// ItemPath names a piece of shared knowledge in a path. It is exported because the parameters of an embedded type are only read when it is.
type ItemPath struct {
	ID string `path:"id" maxLength:"128"`
}

func (s *Server) registerKnowledge() {
	register(s, http.MethodGet, "/api/knowledge", "sharedKnowledge", "Shared knowledge, and what waits to become so",
		func(ctx context.Context, _ *struct{}) (*struct{ Body SharedList }, error) {
			all, err := s.ws.Shared(ctx, "", rules.Caller{})
			list := SharedList{Items: all}
			for _, v := range all {
				if v.Stands == knowledge.Pending && decides(v) {
					list.Waiting++
				}
			}
			return &struct{ Body SharedList }{list}, err
		})
	register(s, http.MethodPost, "/api/knowledge", "offerCorrection", "Put what the person taught before the stewards",
		func(ctx context.Context, in *struct{ Body OfferBody }) (*struct{ Body review.Reviewed }, error) {
			v, err := s.ws.OfferCorrection(ctx, in.Body.CorrectionID, "", rules.Caller{})
			return &struct{ Body review.Reviewed }{v}, err
		})
	register(s, http.MethodGet, "/api/knowledge/{id}", "sharedItem", "A piece of shared knowledge",
		func(ctx context.Context, in *ItemPath) (*struct{ Body review.Reviewed }, error) {
			v, err := s.ws.SharedItem(ctx, in.ID, "", rules.Caller{})
			return &struct{ Body review.Reviewed }{v}, err
		})
	register(s, http.MethodGet, "/api/knowledge/{id}/blast", "lookAhead", "What would come of a piece of knowledge, worked out here",
		func(ctx context.Context, in *ItemPath) (*struct{ Body review.Blast }, error) {
			b, err := s.ws.LookAhead(ctx, in.ID, "", rules.Caller{})
			return &struct{ Body review.Blast }{b}, err
		})
	register(s, http.MethodPost, "/api/knowledge/{id}/decisions", "decide", "Decide about a piece of knowledge",
		func(ctx context.Context, in *struct {
			ItemPath
			Body VerdictBody
		},
		) (*struct{ Body review.Reviewed }, error) {
			v, err := s.ws.Decide(ctx, in.ID, in.Body.Verdict, in.Body.Reason, "", rules.Caller{})
			return &struct{ Body review.Reviewed }{v}, err
		})
	register(s, http.MethodPost, "/api/knowledge/written", "writeItem", "Put something that is to be known, and gives no word a meaning, before the stewards",
		func(ctx context.Context, in *struct{ Body knowledge.Description }) (*struct{ Body review.Reviewed }, error) {
			v, err := s.ws.WriteItem(ctx, in.Body, "", rules.Caller{})
			return &struct{ Body review.Reviewed }{v}, err
		})
	register(s, http.MethodPost, "/api/knowledge/{id}/description", "describeItem", "Say otherwise what a piece of knowledge is called, says in words and is about",
		func(ctx context.Context, in *struct {
			ItemPath
			Body struct {
				knowledge.Description
				Reason string `json:"reason,omitempty" maxLength:"2000"`
			}
		},
		) (*struct{ Body review.Reviewed }, error) {
			v, err := s.ws.DescribeItem(ctx, in.ID, in.Body.Description, in.Body.Reason, "", rules.Caller{})
			return &struct{ Body review.Reviewed }{v}, err
		})
	register(s, http.MethodDelete, "/api/knowledge/{id}", "forgetItem", "Forget what the person wrote down, without a trace",
		func(ctx context.Context, in *ItemPath) (*struct{}, error) {
			return &struct{}{}, s.ws.ForgetItem(ctx, in.ID, "", rules.Caller{})
		})
	register(s, http.MethodPost, "/api/knowledge/{id}/reach", "directItem", "Say whom a piece of knowledge is for, from when until when, in the place of which other, and how far it may travel",
		func(ctx context.Context, in *struct {
			ItemPath
			Body ReachBody
		},
		) (*struct{ Body review.Reviewed }, error) {
			v, err := s.ws.DirectItem(ctx, in.ID, in.Body.reach(), in.Body.Reason, "", rules.Caller{})
			return &struct{ Body review.Reviewed }{v}, err
		})
	register(s, http.MethodPost, "/api/knowledge/{id}/judgments", "judgeItem", "Have the model that is chosen compare a piece of knowledge with what else is known about the same, in one request",
		func(ctx context.Context, in *ItemPath) (*struct{ Body review.Reviewed }, error) {
			v, err := s.ws.JudgeItem(ctx, in.ID, "", rules.Caller{})
			return &struct{ Body review.Reviewed }{v}, err
		})
	register(s, http.MethodPost, "/api/knowledge/{id}/proposal", "proposeFile", "Write the context file of what was approved, for people to review and merge",
		func(ctx context.Context, in *struct {
			ItemPath
			Body ProposeBody
		},
		) (*struct{ Body workspace.Proposed }, error) {
			p, err := s.ws.ProposeFile(ctx, in.ID, in.Body.Direct, "", rules.Caller{})
			return &struct{ Body workspace.Proposed }{p}, err
		})
}

// decides says whether a person can approve or reject a piece of knowledge.
func decides(v review.Reviewed) bool {
	for _, m := range v.May {
		if m == knowledge.Approve || m == knowledge.Reject {
			return true
		}
	}
	return false
}
