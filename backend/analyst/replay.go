package analyst

import (
	"context"
	"encoding/json"
	"time"

	"assay/backend/fault"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// Replaying says which turns are to be asked again, and for whom.
type Replaying struct {
	SessionID string
	Turns     []session.Turn // of a session, all that the ones to be asked may go on from among them
	Only      []int          // the turns to ask, by index; nil: all of them
	Anew      bool           // relative dates are counted anew; else from when they were counted then
	AsRead    bool           // what was understood is asked, not the words: whether an answer still holds, and not whether it is still read so
	Actor     string         // who the caller wants to be
	Caller    rules.Caller
}

// Replay asks recorded turns again, in their order, and says of each whether the same came of it. It goes the way of every request: through
// the gate, the rules and the audit log, over what the caller may see now, and always over the base data. The session stays as it is, and nothing waits
// for anybody. tell gets each turn as it is done; it may be nil.
//
// A turn that fails is told of and the next one goes on. Faults: Canceled, Unauthorized (the actor).
func (a *Analyst) Replay(ctx context.Context, what Replaying, tell func(session.Replayed)) ([]session.Replayed, error) {
	if tell == nil {
		tell = func(session.Replayed) {}
	}
	stage := newRehearsal(a.deps.Memory, what.SessionID)
	player := New(a.deps)
	player.deps.Memory, player.deps.Now, player.deps.Recheck, player.deps.Frames = stage, stage.clock(a.deps.Now), nil, nil
	all := []session.Replayed{}
	for _, then := range what.Turns {
		if !what.asks(then) {
			stage.skip(then)
			continue
		}
		done, err := player.askAgain(ctx, stage, then, what)
		if err != nil {
			return all, err
		}
		all = append(all, done)
		tell(done)
	}
	return all, nil
}

// asks says whether a turn is to be asked: one that was finished, and had an outcome.
func (what Replaying) asks(t session.Turn) bool {
	switch Outcome(t.Outcome) {
	case OutcomeAnswer, OutcomeClarify, OutcomeConfirm, OutcomeRefuse:
	default:
		return false
	}
	if what.Only == nil {
		return true
	}
	for _, i := range what.Only {
		if i == t.Index {
			return true
		}
	}
	return false
}

// askAgain asks one turn. An error is the end of all.
func (a *Analyst) askAgain(ctx context.Context, stage *rehearsal, then session.Turn, what Replaying) (session.Replayed, error) {
	failed := func(why string) session.Replayed {
		stage.skip(then)
		return session.Replayed{
			Turn: then.Index, RequestID: then.RequestID, Question: then.Question, Stands: session.StandsFailed, Words: why, Since: []string{}, Steps: []session.ReplayedStep{},
		}
	}
	req := askedAgain(then)
	if m := then.MadeBy; m != nil && m.Mind != session.Embedded {
		if req.again.thinker = recorded(then); req.again.thinker == nil {
			return failed(text.Say("analyst.replay_mind", "mind", m.Mind)), nil
		}
	}
	if what.AsRead && then.FrameQL != "" && req.SQL == "" {
		req.Question, req.FrameQL = "", then.FrameQL
		req.again.differs = differedThen(then)
	}
	if what.Anew {
		req.again.made = nil
	}
	req.SessionID, req.Actor, req.Caller, req.NoCache = stage.sessionID, what.Actor, what.Caller, true
	if then.Outcome == string(OutcomeAnswer) { // it ran then on somebody's word, or without one; whoever replays it gives theirs
		req.Confirm = true
	}
	stage.enter(then)
	_, err := a.Ask(ctx, req, nil)
	switch {
	case fault.CodeOf(err) == fault.Canceled, fault.CodeOf(err) == fault.Unauthorized:
		return session.Replayed{}, err
	case err != nil:
		return failed(sentence(err).Error()), nil
	}
	now := stage.leave()
	return session.CompareTurns(then, now), nil
}

// differedThen returns where the query of a model differed from the question when it was first asked.
func differedThen(t session.Turn) []string {
	var answer Answer
	if json.Unmarshal(t.Answer, &answer) != nil || answer.Understood == nil || t.MadeBy == nil || t.MadeBy.Mind == session.Embedded {
		return nil
	}
	return answer.Understood.Confirm
}

// clock is the wall clock as it stood when the turn was asked that is asked again; durations stay what they are.
func (s *rehearsal) clock(wall func() time.Time) func() time.Time {
	s.wall = wall
	return func() time.Time { return wall().Add(s.back) }
}
