package workspace

import (
	"context"

	"assay/backend/analyst"
	"assay/backend/rules"
	"assay/backend/session"
)

// ReplayOptions say how a session is asked again. Zero values are the defaults in parentheses.
type ReplayOptions struct {
	Turns []int // by index (all)
	Anew  bool  // relative dates are counted from now on (from when they were counted then)
	Actor string
}

// Replay asks the turns of a session again and says of each whether the same came of it; the session stays as it is. tell gets each turn as it is done; it
// may be nil. Faults: NotFound, and those of analyst.Replay.
func (w *Workspace) Replay(ctx context.Context, sessionID string, o ReplayOptions, tell func(session.Replayed)) (session.Replay, error) {
	w.refresh(ctx)
	d, err := w.memory.Session(ctx, sessionID)
	if err != nil {
		return session.Replay{}, err
	}
	report := session.Replay{SessionID: d.ID, Title: d.Title, At: w.opts.Now().UTC(), Clock: "recorded", Turns: []session.Replayed{}}
	if o.Anew {
		report.Clock = "now"
	}
	report.Turns, err = w.analyst.Replay(ctx, analyst.Replaying{
		SessionID: d.ID, Turns: d.Turns, Only: o.Turns, Anew: o.Anew, Actor: o.Actor, Caller: caller(rules.Caller{}),
	}, tell)
	for _, t := range report.Turns {
		switch t.Stands {
		case session.StandsSame:
			report.Same++
		case session.StandsDiffer:
			report.Differ++
		default:
			report.Failed++
		}
	}
	return report, err
}
