package workspace

import (
	"context"
	"maps"
	"time"

	"assay/backend/analyst"
	"assay/backend/rules"
	"assay/backend/session"
)

// SessionState is what a session has come to, and what its next question would be asked with.
type SessionState struct {
	SessionID string           `json:"session_id"`
	Title     string           `json:"title"`
	State     session.State    `json:"state"`
	Turns     SessionCounts    `json:"turns"`
	Waiting   []SessionWaiting `json:"waiting" doc:"What waits for a word, the oldest first"`
	Versions  Versions         `json:"versions" doc:"In force now; those that a turn was answered with stand in its made_by"`
}

// SessionCounts counts the turns of a session; of several versions the one that stands in their place.
type SessionCounts struct {
	All       int `json:"all" doc:"That stand in the conversation"`
	Answers   int `json:"answers"`
	AskedBack int `json:"asked_back"`
	ToConfirm int `json:"to_confirm"`
	Refused   int `json:"refused"`
	Failed    int `json:"failed" doc:"Canceled, interrupted and failed ones"`
	Running   int `json:"running"`
	Versions  int `json:"versions" doc:"That do not stand in their place"`
	Cleared   int `json:"cleared" doc:"That were cleared away"`
}

// SessionWaiting is a request that waits.
type SessionWaiting struct {
	RequestID string     `json:"request_id"`
	Turn      int        `json:"turn"`
	Question  string     `json:"question"`
	Stage     string     `json:"stage" enum:"scope,plan,accept" doc:"scope: a question was asked back; plan: it waits before it runs; accept: its result waits"`
	Level     int        `json:"level" doc:"Of autonomy, 5 to 1; 0: none was chosen"`
	Until     *time.Time `json:"until" doc:"Null: for ever"`
}

// Versions are what answers questions now.
type Versions struct {
	Program string            `json:"program"`
	Mind    string            `json:"mind" doc:"embedded, or a model"`
	Prompts string            `json:"prompts" doc:"Version of what a model is told; empty: none is asked"`
	Model   string            `json:"model" doc:"Version of the semantic model: a hash; empty: there is none"`
	Rules   string            `json:"rules" doc:"Version of the rules: a hash"`
	Sources map[string]string `json:"sources" doc:"The epoch of each table that the person may see: a hash of its content"`
}

// CreateSession begins a session in which nothing was asked yet and gives its name. It is kept for a day, and listed once something was asked in it.
func (w *Workspace) CreateSession(ctx context.Context, title string) (string, error) {
	id := newID()
	return id, w.memory.Create(ctx, id, title)
}

// SessionState says what a session has come to. Fault NotFound.
func (w *Workspace) SessionState(ctx context.Context, id string) (SessionState, error) {
	s := SessionState{SessionID: id, Waiting: []SessionWaiting{}}
	head, err := w.memory.SessionHead(ctx, id)
	if err != nil {
		return s, err
	}
	s.Title = head.Title
	turns, err := w.memory.Told(ctx, id)
	if err != nil {
		return s, err
	}
	s.State = analyst.StateOf(turns)
	for _, t := range turns {
		s.Turns.count(t)
	}
	waiting, err := w.memory.Waiting(ctx, id)
	if err != nil {
		return s, err
	}
	for _, x := range waiting {
		one := SessionWaiting{RequestID: x.RequestID, Turn: x.Turn, Question: x.Question, Stage: string(x.Stage), Level: x.Level}
		if !x.Until.IsZero() {
			one.Until = &x.Until
		}
		s.Waiting = append(s.Waiting, one)
	}
	s.Versions = w.versions()
	return s, nil
}

func (c *SessionCounts) count(t session.Turn) {
	switch {
	case !t.Chosen:
		c.Versions++
		return
	case t.Archived != nil:
		c.Cleared++
		return
	}
	c.All++
	switch t.Outcome {
	case string(analyst.OutcomeAnswer):
		c.Answers++
	case string(analyst.OutcomeClarify):
		c.AskedBack++
	case string(analyst.OutcomeConfirm):
		c.ToConfirm++
	case string(analyst.OutcomeRefuse):
		c.Refused++
	case session.Running:
		c.Running++
	default:
		c.Failed++
	}
}

// versions are those that the person of this process is answered with.
func (w *Workspace) versions() Versions {
	v := Versions{Program: w.opts.Version, Mind: session.Embedded, Rules: w.Rules().Version(), Sources: map[string]string{}}
	me, err := w.Identify("", rules.Caller{})
	if err != nil { // who has no role sees nothing
		return v
	}
	k := w.knownTo(me)
	if k.Model != nil {
		v.Model = k.Model.Version
	}
	maps.Copy(v.Sources, k.Epochs)
	return v
}
