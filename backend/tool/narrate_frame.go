package tool

import (
	"context"

	"assay/backend/text"
)

type narrateArguments struct {
	FrameID string `json:"frame_id" doc:"Of execute_frame_ql" most:"200"`
	Intent  string `json:"user_intent" doc:"What the person wants to know" most:"1000"`
}

type narrationBody struct {
	Narration string `json:"narration"`
	FrameID   string `json:"frame_id"`
}

func narrateFrame() Tool {
	return define("narrate_frame", true, func(ctx context.Context, d *Desk, a narrateArguments) (Result, error) {
		if d.Narrate == nil {
			return absent("narrate_frame")
		}
		f, _, p, err := frameOf(ctx, d, a.FrameID)
		if p != nil || err != nil {
			return Result{Problem: p}, err
		}
		words, err := d.Narrate(ctx, a.FrameID, clean(a.Intent, 1000))
		if err != nil {
			return failed(err)
		}
		if words == "" {
			return problem(&Problem{Kind: "failed", Message: text.Say("tool.no_narration"), Name: name(a.FrameID)})
		}
		return Result{Body: narrationBody{d.masked(clean(words, 2000)), name(a.FrameID)}, Rows: f.RowCount}, nil
	})
}
