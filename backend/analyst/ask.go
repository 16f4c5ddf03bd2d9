package analyst

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"assay/backend/chart"
	"assay/backend/fault"
	"assay/backend/mind"
	"assay/backend/risk"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// Request is one question at the door.
type Request struct {
	Question    string
	FrameQL     string       // a query to run; its text is the question, or Question is, which then is not read
	SQL         string       // set instead of Question to run a SELECT
	SessionID   string       // empty: a new session
	InsteadOf   string       // the request of the session that this one is another version of; empty: it is a turn of its own
	EditedFrom  string       // the answer of the actor, in whatever session, whose query FrameQL was made from; empty: that of InsteadOf
	Now         time.Time    // explicit clock; zero: the data's last date if it is older than 3 days, else the wall clock
	Actor       string       // who the caller wants to be; empty: whom the rules bind the caller to
	Caller      rules.Caller // who is there in fact
	Mind        string       // embedded, anthropic:MODEL, openai:MODEL or ollama:MODEL; empty: as the settings of the actor say
	Memo        string       // a session memo
	Confirm     bool         // run what would wait for confirmation
	Level       int          // of autonomy: it only lowers; 0: none is asked for
	MaxRows     int          // 0: 10,000
	NoCache     bool
	Chart       chart.Asked // of a request without a question that could say it
	Criticality string      // low | normal | high; empty: normal
	Asking      string      // first: plan, then wait for a word; never: do not wait; empty: as the words of the question and the rules say
	ContextDays int         // a conversation that is older is not gone on with; 0: however old it is
	Explain     bool        // say how the query or the statement would be computed, and run nothing

	again *repeated // nil: it is asked for the first time
}

// Event is progress of a run: a step, a draft of the narration, or the terminal event, which is an answer or a fault. Terminal events are stored
// before they are emitted.
type Event struct {
	RequestID string        `json:"request_id"`
	SessionID string        `json:"session_id"`
	Step      *session.Step `json:"step,omitempty"`
	// Draft is what holds of the words of a model while it writes them. It is not kept: what it comes to stands in the answer, or what stands in its place.
	Draft  *session.Narration `json:"draft,omitempty"`
	Answer *Answer            `json:"answer,omitempty"`
	Fault  *session.Fault     `json:"fault,omitempty"`
}

// Analyst answers questions. It is safe for concurrent use; one session runs one request at a time.
type Analyst struct {
	deps      Deps
	mind      embedded
	prompts   mind.Prompts
	overrides []override
	stakes    *risk.Lexicon
	charts    *chart.Reader
	builtin   *rules.Rules
	taken     func(edge) // is told of every way that a request takes; nil: nobody listens
	mu        sync.Mutex
	running   map[string]bool // by session
	terms     agreedTerms
	digests   digests
}

// New builds an analyst. It does no I/O.
func New(d Deps) *Analyst {
	if d.MaxRows <= 0 {
		d.MaxRows = defaultMaxRows
	}
	return &Analyst{deps: d, overrides: newOverrides(), stakes: risk.NewLexicon(), charts: chart.NewReader(), builtin: rules.Builtin(), prompts: loadPrompts(), running: map[string]bool{}}
}

const defaultMaxRows = 10_000

// Ask takes one request from INTAKE to CLOSE. emit gets every step as it happens and the terminal event last, on the
// caller's goroutine; it may be nil. Once INTAKE has passed, whatever happens is stored: an answer, a cancellation, a
// failure.
//
// Faults: Conflict (the session runs another request), Invalid (the session's name), Canceled, NotFound (no data), and
// those of the engine and the memory.
func (a *Analyst) Ask(ctx context.Context, req Request, emit func(Event)) (*Answer, error) {
	if emit == nil {
		emit = func(Event) {}
	}
	r, err := a.intake(ctx, req, emit)
	if err != nil {
		return nil, err
	}
	defer a.leave(r.answer.SessionID)
	if err := r.work(ctx); err != nil {
		return nil, r.abandon(ctx, err)
	}
	return r.close(ctx)
}

// work is the straight line from SCOPE to ACCEPT. A mistake of our own in it costs this request and nothing else.
func (r *run) work(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.Wrap(fault.Internal, "ask", text.Say("analyst.internal"), text.Say("analyst.internal_hint"), fmt.Errorf("%v\n%s", p, debug.Stack()))
		}
	}()
	if r.req.SQL != "" {
		return r.workOnStatement(ctx)
	}
	scope, err := r.scope(ctx)
	if err != nil {
		return err
	}
	next, err := r.think(ctx, scope)
	if err != nil {
		return err
	}
	if next.clarify != nil {
		if next, err = r.measure(ctx, next); err != nil {
			return err
		}
	}
	switch {
	case scope.refused != nil: // whatever the data is
		return r.refuse(*scope.refused)
	case next.refuse != nil:
		return r.unfit(ctx, *next.refuse)
	case next.clarify != nil:
		return r.clarify(ctx, next)
	}
	if err := r.move(OnUnderstood); err != nil {
		return err
	}
	refused, err := r.resolve(ctx, next)
	if err != nil {
		return err
	}
	if refused != nil {
		return r.unfit(ctx, *refused)
	}
	if err := r.estimate(ctx); err != nil {
		return err
	}
	switch {
	case r.plan.Query.Explain || r.req.Explain:
		return r.explain(ctx)
	case !r.verdict.Run:
		return r.wait(ctx)
	}
	if err := r.approve(ctx); err != nil {
		return err
	}
	if err := r.execute(ctx); err != nil {
		return err
	}
	if err := r.move(OnRan); err != nil {
		return err
	}
	if refused, err := r.prove(ctx); err != nil {
		return err
	} else if refused != nil {
		r.answer.Frame = nil
		return r.refuse(*refused)
	}
	if err := r.deliver(ctx); err != nil {
		return err
	}
	if err := r.learn(ctx); err != nil {
		return err
	}
	return r.offer()
}

// enter takes a session for one request; false: it is taken.
func (a *Analyst) enter(sessionID string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.running[sessionID] {
		return false
	}
	a.running[sessionID] = true
	return true
}

func (a *Analyst) leave(sessionID string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.running, sessionID)
}
