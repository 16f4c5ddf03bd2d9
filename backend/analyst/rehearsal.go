package analyst

import (
	"context"
	"slices"
	"time"

	"assay/backend/session"
)

// rehearsal stands in for the memory while turns are asked again: what came of those before is the conversation, nothing becomes a
// session, and what runs is written into the real audit log. It is used by one request at a time.
type rehearsal struct {
	Memory // the audit log, and what is known of people

	sessionID string
	done      []session.Turn // what came of those before, with what they leave behind

	wall func() time.Time
	back time.Duration // from now to when the turn was asked
	then session.Turn  // that is asked
	now  session.Turn  // what came of it
}

func newRehearsal(m Memory, sessionID string) *rehearsal {
	return &rehearsal{Memory: m, sessionID: sessionID}
}

// enter begins a turn.
func (s *rehearsal) enter(t session.Turn) {
	s.then, s.now = t, session.Turn{}
	s.back = t.Asked.Sub(s.wall())
}

// leave ends it and gives what came of it.
func (s *rehearsal) leave() session.Turn {
	s.done = append(s.done, s.now)
	return s.now
}

// skip takes a turn as it was recorded: those after it may go on from it.
func (s *rehearsal) skip(t session.Turn) { s.done = append(s.done, t) }

func (s *rehearsal) Begin(_ context.Context, r Stored) (int, error) {
	s.now = session.Turn{Index: s.then.Index, Place: s.then.Place, Question: r.Question, Asked: r.Asked, RequestID: r.RequestID, Given: &r.Given}
	return s.then.Index, nil
}

// Step keeps nothing: what is asked again leaves no trace but in the report.
func (s *rehearsal) Step(context.Context, string, int, session.Step) error { return nil }

func (s *rehearsal) Finish(ctx context.Context, _ string, c Closing) error {
	place := s.now.Place
	s.now = c.Turn
	s.now.Place = place
	for _, r := range c.Records {
		if err := s.Memory.Record(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// Place is asked of versions, and each is asked as a turn of its own.
func (s *rehearsal) Place(context.Context, string) (string, int, error) {
	return s.sessionID, s.then.Place, nil
}

func (s *rehearsal) Waiting(context.Context, string) ([]Standing, error) { return nil, nil }

// Conversation gives what came of the turns that the recorded one could go on from; where that was not kept, of all before it, the last of several versions.
func (s *rehearsal) Conversation(context.Context, string, int) ([]session.Turn, error) {
	var all []session.Turn
	if m := s.then.MadeBy; m != nil {
		for _, index := range m.Context {
			if at := slices.IndexFunc(s.done, func(t session.Turn) bool { return t.Index == index }); at >= 0 {
				all = append(all, s.done[at])
			}
		}
		return all, nil
	}
	return s.standing(func(o string) bool {
		return slices.Contains([]string{string(OutcomeAnswer), string(OutcomeClarify), string(OutcomeConfirm), string(OutcomeRefuse)}, o)
	}), nil
}

// Recent gives the queries of the answers before.
func (s *rehearsal) Recent(_ context.Context, _ string, _, n int) ([]string, error) {
	var queries []string
	answered := s.standing(func(o string) bool { return o == string(OutcomeAnswer) })
	slices.Reverse(answered)
	for _, t := range answered {
		if t.FrameQL != "" && len(queries) < n {
			queries = append(queries, t.FrameQL)
		}
	}
	return queries, nil
}

// standing gives of each place before the turn that is asked the last version with such an outcome.
func (s *rehearsal) standing(outcome func(string) bool) []session.Turn {
	var all []session.Turn
	for _, t := range s.done {
		if t.Place >= s.then.Place || !outcome(t.Outcome) {
			continue
		}
		if at := slices.IndexFunc(all, func(o session.Turn) bool { return o.Place == t.Place }); at >= 0 {
			all[at] = t
		} else {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b session.Turn) int { return a.Place - b.Place })
	return all
}
