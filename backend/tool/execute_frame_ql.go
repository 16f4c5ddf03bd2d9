package tool

import (
	"context"

	"assay/backend/text"
)

type executeArguments struct {
	FrameQL written `json:"frame_ql" doc:"The query: Frame-QL as text, or as its JSON form"`
}

// waitingBody is given where a query is not run before a person says so.
type waitingBody struct {
	Status  string `json:"status"`
	Why     string `json:"why"`
	FrameQL string `json:"frame_ql,omitempty"`
}

func executeFrameQL() Tool {
	return define("execute_frame_ql", true, func(ctx context.Context, d *Desk, a executeArguments) (Result, error) {
		if d.Run == nil {
			return absent("execute_frame_ql")
		}
		q, p := parsed(a.FrameQL)
		if p != nil {
			return problem(p)
		}
		ran, err := d.Run(ctx, q)
		if err != nil {
			return failed(err)
		}
		return d.given(ran, q.String())
	})
}

// given says what came of a query that was to run: a frame, refusals with what would run, or why it waits.
func (d *Desk) given(ran Ran, source string) (Result, error) {
	if ran.Query != nil {
		source = ran.Query.String()
	}
	switch {
	case len(ran.Refusals) > 0:
		return Result{Problem: refused("refusal", source, ran.Refusals), Ran: &ran}, nil
	case ran.Waits != "":
		return Result{Body: waitingBody{"waits_for_person", clean(ran.Waits, longestText), shown(source)}, Ran: &ran}, nil
	case ran.Frame == nil:
		return Result{Problem: &Problem{Kind: "failed", Message: text.Say("tool.no_result"), FrameQL: shown(source)}, Ran: &ran}, nil
	}
	b, r := d.bodyOf(ran.Frame, ran.ID)
	b.Served, b.Level = ran.Served, ran.Level
	r.Ran, r.Made = &ran, made(ran.ID)
	return r, nil
}

func made(ids ...string) (all []string) {
	for _, id := range ids {
		if id != "" {
			all = append(all, id)
		}
	}
	return all
}
