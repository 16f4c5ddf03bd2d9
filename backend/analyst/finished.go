package analyst

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"assay/backend/fault"
	"assay/backend/knowledge"
	"assay/backend/rules"
)

// Finished is a session that nobody goes on with, with what was asked in it here.
type Finished struct {
	SessionID string
	Revision  int64 // of what came of it: answers, words about them, opinions
	Turn      int   // up to which its questions were looked through before
	Turns     []FinishedTurn
}

// FinishedTurn is a request of it.
type FinishedTurn struct {
	RequestID string
	Turn      int
	Question  string
	Actor     string
	Asked     time.Time
	Right     bool      // its person accepted the answer, or gave it a thumb up, and no thumb down
	At        time.Time // when the last of that was said
	Answer    []byte    // the object of the contract, as JSON; of those that are right
	Taught    bool      // its words taught at once
}

// Confirmed is a meaning with which an answer was read that its person called right.
type Confirmed struct {
	RequestID string
	Meaning   string // the id of a correction of theirs, or of shared knowledge that they see
	Author    string
	Quote     string // the question, without personal values: others may read it
	At        time.Time
}

// QuietFor is how long nothing happens in a session until it counts as finished.
const QuietFor = 30 * time.Minute

// mostLookedBack is how many sessions are looked through at once.
const mostLookedBack = 100

// LookBack looks through the sessions in which nothing happened since a time, as far as they were not yet: which meanings were confirmed by answers that their person called right, and which definitions
// were said in passing. The first is evidence for what its person could already use; the second is noted for that person alone, who says whether it is remembered. Both are found by rules; what people
// wrote is read, and never followed. Looking twice finds the same. It gives how many sessions were looked through.
func (a *Analyst) LookBack(ctx context.Context, since time.Time) (int, error) {
	n := 0
	for {
		all, err := a.deps.Memory.Finished(ctx, since, mostLookedBack)
		if err != nil {
			return n, err
		}
		for _, f := range all {
			if err := a.lookThrough(ctx, f); err != nil {
				return n, err
			}
			n++
		}
		if len(all) < mostLookedBack {
			return n, nil
		}
	}
}

func (a *Analyst) lookThrough(ctx context.Context, f Finished) error {
	var confirmed []Confirmed
	var said []knowledge.Correction
	for _, t := range f.Turns {
		actor, _, _ := a.rules().Of(t.Actor)
		if actor.Kind != rules.Human {
			continue
		}
		if t.Right {
			found, err := a.confirmedBy(ctx, actor, t)
			if err != nil {
				return err
			}
			confirmed = append(confirmed, found...)
		}
		if t.Turn > f.Turn && !t.Taught {
			found, err := a.saidInPassing(ctx, actor, t)
			if err != nil {
				return err
			}
			for i := range found {
				found[i].SessionID = f.SessionID
			}
			said = append(said, found...)
		}
	}
	return a.deps.Memory.LookedThrough(ctx, f, confirmed, said)
}

// confirmedBy are the meanings with which an answer was read, as far as they still mean that and its person may use them.
func (a *Analyst) confirmedBy(ctx context.Context, actor rules.Actor, t FinishedTurn) ([]Confirmed, error) {
	var answer struct {
		Remembered []Remembered `json:"remembered"`
	}
	_ = json.Unmarshal(t.Answer, &answer) // what is damaged confirms nothing, and keeps nothing else from being looked at; it is said where it is opened
	if len(answer.Remembered) == 0 {
		return nil, nil
	}
	own, err := a.deps.Memory.Corrections(ctx, actor.ID)
	if err != nil {
		return nil, err
	}
	var out []Confirmed
	for _, m := range answer.Remembered {
		holds := slices.ContainsFunc(own, func(c knowledge.Correction) bool { return c.ID == m.ID && c.Means == m.Means })
		if m.Agreed && m.Kind == "" {
			i, err := a.deps.Memory.Item(ctx, m.ID)
			if err != nil && fault.CodeOf(err) != fault.NotFound {
				return nil, err
			}
			now := a.deps.Now()
			holds = err == nil && i.Means == m.Means && i.Counts(now) && i.Visible(knowledge.Viewer{Actor: actor.ID, Groups: actor.Groups}, now)
		}
		if holds && !slices.ContainsFunc(out, func(c Confirmed) bool { return c.Meaning == m.ID }) {
			out = append(out, Confirmed{RequestID: t.RequestID, Meaning: m.ID, Author: actor.ID, Quote: a.mask(knowledge.Quoted(t.Question)), At: t.At})
		}
	}
	return out, nil
}

// saidInPassing are the definitions in a question that the model has a meaning for, and that its person did not teach anyway.
func (a *Analyst) saidInPassing(ctx context.Context, actor rules.Actor, t FinishedTurn) ([]knowledge.Correction, error) {
	said := knowledge.InPassing(t.Question)
	if len(said) == 0 {
		return nil, nil
	}
	own, err := a.deps.Memory.Corrections(ctx, actor.ID)
	if err != nil {
		return nil, err
	}
	var out []knowledge.Correction
	for _, c := range said {
		if slices.ContainsFunc(own, func(o knowledge.Correction) bool { return knowledge.Key(o.Term) == knowledge.Key(c.Term) }) {
			continue
		}
		c.Author, c.Detection, c.RequestID = actor.ID, knowledge.ByTranscript, t.RequestID
		switch err := a.understood(ctx, actor, &c); fault.CodeOf(err) {
		case fault.Invalid, fault.Limit, fault.NotFound: // it means nothing here
		case "":
			out = append(out, c)
		default:
			return nil, err
		}
	}
	return out, nil
}
