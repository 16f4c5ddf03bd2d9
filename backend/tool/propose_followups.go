package tool

import "context"

type followupsArguments struct {
	FrameID string `json:"frame_id" doc:"Of execute_frame_ql" most:"200"`
	Summary string `json:"conversation_summary,omitempty" doc:"What was talked about" most:"2000"`
}

type followupsBody struct {
	Followups []string `json:"followups"`
}

func proposeFollowups() Tool {
	return define("propose_followups", true, func(ctx context.Context, d *Desk, a followupsArguments) (Result, error) {
		if d.Followups == nil {
			return absent("propose_followups")
		}
		if _, _, p, err := frameOf(ctx, d, a.FrameID); p != nil || err != nil {
			return Result{Problem: p}, err
		}
		found, err := d.Followups(ctx, a.FrameID)
		if err != nil {
			return failed(err)
		}
		b := followupsBody{Followups: []string{}}
		for _, f := range found[:min(len(found), 4)] {
			b.Followups = append(b.Followups, d.masked(clean(f.Question, longestText)))
		}
		return Result{Body: b}, nil
	})
}
