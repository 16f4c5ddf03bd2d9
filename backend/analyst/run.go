package analyst

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"assay/backend/chart"
	"assay/backend/compile"
	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/llm"
	"assay/backend/risk"
	"assay/backend/rules"
	"assay/backend/session"
	"assay/backend/text"
)

// run is one request on its way. Its answer fills up step by step.
type run struct {
	a         *Analyst
	req       Request
	emit      func(Event)
	stored    Stored
	place     int         // of the turn that it is another version of: it goes on from what stands before that; 0: it is none
	question  string      // what is read: the question without the words of its overrides, byte for byte in place
	drawn     chart.Asked // what its words say of the chart
	redraw    bool        // its words say nothing else: the answer before it, drawn so
	knowledge Knowledge
	began     time.Time
	answer    *Answer
	trace     []session.Step

	env      frameql.Env
	fromData bool                   // env.Now is the data's last date
	outlived *interpret.History     // the conversation that is too old to be gone on with; nil: it is not, or nobody looked
	oldDays  int                    // how old it is
	told     int                    // its days, where the words would have gone on from it and that is said
	known    []Remembered           // what terms mean for the person who asks
	recalled []Remembered           // of these, the ones about words of the question
	prefers  []knowledge.Preference // how the person who asks wants answers to look
	heard    []interpret.Turn       // the answered turns that it may go on from
	defined  bool                   // the session memo defined a word of the question
	context  []int                  // the turns that it could go on from, oldest first; nil: it did not look
	absent   []string               // tables that the latest of them read and that are not here
	plan     *frameql.Plan
	sql      frameql.Statement  // over the base data
	cached   *cachedPlan        // nil: no stored frame answers a part of it
	branches []compile.Branch   // the scans of the base data
	uses     []compile.CacheUse // what the cache said of them
	stack    session.Stack
	checks   []Check // of the frame; those of the grade stand before them

	seen      *evidence         // what the numbers rest on; nil: it was not asked, or not found out
	unmatched []unmatched       // the joins along which rows may lose their partner
	read      map[string]string // the epochs that the engine read
	words     string            // the reading in words
	shows     string            // hash of what the frame shows

	relaxations []relaxed // an empty answer without one of its conditions each, where that has rows

	begun   bool // it is in the memory
	stage   Stage
	actor   rules.Actor // who asks
	stakes  risk.Stakes // what the request says of them
	given   *risk.Shape // of a statement that a person wrote; nil: a query or a question was asked
	objects []rules.Object
	verdict rules.Verdict
	until   time.Time    // when what it waits for is over; zero: never, or it waits for nothing
	ending  rules.Ending // what happens then
	notices []Notice

	thinker   *Thinker                  // nil: the built-in reader alone
	mindless  string                    // why the model of the settings cannot be asked; empty: it can, or there is none
	sent      *sentLog                  // what models were sent
	held      *withheld                 // what of the data a model elsewhere does not get to see; nil: none was asked
	models    []llm.Model               // that were asked
	likely    []float64                 // logarithms of how likely the pieces of a model's query were that name something
	consulted bool                      // a language model was asked
	wrote     narrated                  // what came of asking a model for words; zero: none was asked
	prompts   string                    // version of what a model was told; empty: none was asked
	trials    map[string]*run           // what a mind ran for the person, by the id of the artifact of its frame
	ran       map[string]*frameql.Frame // the same, by statement
	pushed    map[string]bool           // ids of frames that are artifacts already

	follow    *interpret.Follow // how the reading goes on from the conversation
	ambiguity float64           // of the reading; 0 for a query that a person wrote
	matches   []int             // of each name in it, how many things are called so
	unsure    []interpret.Unsure
	differs   []string // sentences: where the query of a model is something else than the question says
}

// step does one thing, times it, and tells of it as it begins and as it ends. That it ended is kept before it is told.
func (r *run) step(ctx context.Context, name string, do func(*session.Step) error) (float64, error) {
	s, err := r.timed(ctx, name, do)
	if lost := r.keep(ctx, s); lost != nil && err == nil {
		err = lost
	}
	return s.TookMS, err
}

// keep keeps that a step ended, and then tells of it. What cannot be kept is not told.
func (r *run) keep(ctx context.Context, s session.Step) error {
	if r.begun {
		if err := r.a.deps.Memory.Step(context.WithoutCancel(ctx), r.answer.RequestID, len(r.trace)-1, s); err != nil {
			return sentence(err)
		}
	}
	r.tell(s)
	return nil
}

// timed is step, but for the end, which is not kept and not told of yet.
func (r *run) timed(ctx context.Context, name string, do func(*session.Step) error) (session.Step, error) {
	began := r.a.deps.Now()
	s := session.Step{Name: name, Status: "started", Started: began.UTC()}
	r.tell(s)
	err := ctx.Err()
	if err == nil {
		err = do(&s)
	}
	s.Status, s.TookMS = "done", milliseconds(r.a.deps.Now().Sub(began))
	if err != nil {
		s.Status = "failed"
		err = sentence(err)
		s.Note = err.Error()
	}
	r.trace = append(r.trace, s)
	return s, err
}

func (r *run) tell(s session.Step) {
	r.emit(Event{RequestID: r.answer.RequestID, SessionID: r.answer.SessionID, Step: &s})
}

// sentence makes sure that an error has words for a person: faults pass as they are, a stopped context becomes Canceled,
// an expired one Limit, anything else is our own mistake.
func sentence(err error) error {
	if isFault(err) {
		return err
	}
	switch code := fault.CodeOf(err); code {
	case fault.Canceled:
		return fault.Wrap(code, "ask", text.Say("analyst.canceled"), text.Say("analyst.canceled_hint"), err)
	case fault.Limit:
		return fault.Wrap(code, "ask", text.Say("analyst.timeout"), text.Say("analyst.timeout_hint"), err)
	default:
		return fault.Wrap(fault.Internal, "ask", text.Say("analyst.internal"), text.Say("analyst.internal_hint"), err)
	}
}

// listOf gives a list that is not null in JSON.
func listOf[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// milliseconds are cut to microseconds and never negative: a wall clock may be set back.
func milliseconds(d time.Duration) float64 {
	return float64(max(d, 0).Microseconds()) / 1000
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(sum[:])
}
