package analyst

import (
	"context"
	"time"

	"assay/backend/compile"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/knowledge"
	"assay/backend/mind"
	"assay/backend/risk"
	"assay/backend/rules"
	"assay/backend/semantic"
	"assay/backend/session"
	"assay/backend/tool"
)

// Engine runs statements. Faults: Canceled, Limit (timeout, memory), Unavailable, Internal.
type Engine interface {
	// Admit says whether a statement that a person wrote is one read-only SELECT over tables that they may see.
	Admit(ctx context.Context, sql string, visible func(table string) bool) (Admission, error)
	// Tables gives the tables that a statement of our own reads, as the gate finds them.
	Tables(ctx context.Context, s frameql.Statement) ([]string, error)
	Cost(ctx context.Context, s frameql.Statement) (PlanCost, error)
	// Plan gives the operators with which the engine would compute a statement, each before those that it reads from.
	Plan(ctx context.Context, s frameql.Statement) ([]ExplainedOperator, error)
	Query(ctx context.Context, s frameql.Statement) (*frameql.Frame, error) // rows, columns' types, SQL, truncation; nothing else
	// Aside is Query for what is asked beside an answer and is the same for many questions: the result may be one of before
	// over the same data, and must not be changed.
	Aside(ctx context.Context, s frameql.Statement) (*frameql.Frame, error)
}

// Frames is the cache of frames, as the definitions of one model see it.
type Frames interface {
	// Serve says whether a stored frame answers a branch, and why or why not: a sentence.
	Serve(b compile.Branch) (*compile.Served, string)
	// Observe tells that a branch was answered from the base data, and how long that took.
	Observe(b compile.Branch, took time.Duration, rows int64)
	// Query runs a statement that reads frames, or base, which gives the same rows, where the frames fail; the frame says
	// by its SQL which one it was. Faults as of Engine.
	Query(ctx context.Context, s, base frameql.Statement) (*frameql.Frame, error)
	Cost(ctx context.Context, s frameql.Statement) (PlanCost, error)
}

// Memory keeps what must survive a crash. Begin returns only after the request is durable on disk.
type Memory interface {
	// Begin gives the request its turn. Fault NotFound: InsteadOf is no request of the session.
	Begin(ctx context.Context, r Stored) (turn int, err error)
	// Record adds to the audit log, and returns only after that is durable on disk.
	Record(ctx context.Context, r Record) error
	// Warn does that, and tells others of it, both or nothing.
	Warn(ctx context.Context, r Record, notices []Notice) error
	// Step keeps a step that ended of a request that runs: it returns only after it would outlive the program. position counts from 0.
	Step(ctx context.Context, requestID string, position int, s session.Step) error
	// Finish makes durable what came of a request; its trace takes the place of its steps.
	Finish(ctx context.Context, requestID string, c Closing) error
	// Standing says how a request stands. Fault NotFound.
	Standing(ctx context.Context, requestID string) (Standing, error)
	// Settle moves a request that waits, all of it or nothing. Fault Conflict: it does not stand as it did.
	Settle(ctx context.Context, s Settlement) error
	// SaveFeedback keeps what a person says of an answer, in place of what was said before, and the record of it, both or
	// nothing; nil takes it back. Fault NotFound.
	SaveFeedback(ctx context.Context, requestID, actor string, f *session.Feedback, metrics []string, r Record) error
	// Feedback is what a person says of an answer; nil: nothing.
	Feedback(ctx context.Context, requestID string) (*session.Feedback, error)
	// Serious gives the metrics that an actor's answers were about whose error the actor called serious since then.
	Serious(ctx context.Context, actor string, since time.Time) ([]string, error)
	// Corrections lists what a person taught, by term, and nobody else's.
	Corrections(ctx context.Context, author string) ([]knowledge.Correction, error)
	// KeepCorrection keeps what a person taught, and the record of it, both or nothing; id and times are given to it. It gives back what it takes the place of; nil: nothing.
	// Fault Limit: the person taught too much.
	KeepCorrection(ctx context.Context, c *knowledge.Correction, r Record) (before *knowledge.Correction, err error)
	// ChangeCorrection gives a correction of its author another term or meaning. Faults: NotFound, Conflict (another one has that term).
	ChangeCorrection(ctx context.Context, c *knowledge.Correction, r Record) error
	// ForgetCorrection removes a correction of its author without a trace. Fault NotFound, also of somebody else's.
	ForgetCorrection(ctx context.Context, author, id string, r Record) error
	// TakeBackCorrection removes a correction of its author and puts back what it took the place of, which is given; nil: nothing. Faults: those of ForgetCorrection.
	TakeBackCorrection(ctx context.Context, author, id string, r Record) (*knowledge.Correction, error)
	// NoteMeaning keeps what a word may mean to a person, by a request of theirs, until something is said of it; an id is given to it. It says what became of the same before. A second note of a
	// request about the same term is the first one.
	NoteMeaning(ctx context.Context, c *knowledge.Correction) (knowledge.Noted, error)
	// NotedMeaning gives what was noted of its author. Fault NotFound, also of somebody else's.
	NotedMeaning(ctx context.Context, author, id string) (knowledge.Correction, error)
	// OpenMeanings lists what was noted of an author who said nothing of it yet, the latest first.
	OpenMeanings(ctx context.Context, author string) ([]knowledge.Correction, error)
	// SettleMeaning keeps whether the author wanted what was noted to be remembered. Fault NotFound, also of somebody else's.
	SettleMeaning(ctx context.Context, author, id string, kept bool) error
	// Finished lists sessions in which nothing happened since a time and that were not looked through as they are now, the one that rests longest first, with what was asked in them here.
	Finished(ctx context.Context, since time.Time, most int) ([]Finished, error)
	// LookedThrough keeps what was found in a session, all of it or nothing, in place of what was confirmed in it before. It does nothing where the session went on meanwhile.
	LookedThrough(ctx context.Context, f Finished, confirmed []Confirmed, said []knowledge.Correction) error
	// Item gives a piece of shared knowledge, whoever may see it. Fault NotFound.
	Item(ctx context.Context, id string) (knowledge.Item, error)
	// Agreed lists the shared knowledge that gives a word a meaning and was approved or mandated, or that the context files say: with the last decision of each kind about it, and without its evidence, whoever
	// may see it.
	Agreed(ctx context.Context) ([]knowledge.Item, error)
	// SaidSince gives since when the context files say what they say of words, by knowledge.AsSaid; the zero time: since before they were looked at.
	SaidSince(ctx context.Context) (map[string]time.Time, error)
	// Decided gives what became of the shared knowledge that is approved or mandatory since so many changes of it as ItemChanges counts, with its evidence, whoever may see it; since none: all of it.
	Decided(ctx context.Context, since int64) (knowledge.Changes, error)
	// Asked gives the canonical Frame-QL of what an actor was answered from one time until before another, in sessions that were not deleted, the latest first and most at most.
	Asked(ctx context.Context, actor string, from, until time.Time, most int) ([]AskedFor, error)
	// ItemChanges counts the changes of shared knowledge.
	ItemChanges(ctx context.Context) (int64, error)
	// Preferences lists how a person wants answers to look, and nobody else's.
	Preferences(ctx context.Context, author string) ([]knowledge.Preference, error)
	// KeepPreference keeps what a person prefers, and the record of it, both or nothing; id and times are given to it. It gives back what it takes the place of; nil: nothing.
	KeepPreference(ctx context.Context, p *knowledge.Preference, r Record) (before *knowledge.Preference, err error)
	// ForgetPreference removes a preference of its author without a trace. Fault NotFound, also of somebody else's.
	ForgetPreference(ctx context.Context, author, id string, r Record) error
	// Waiting lists the requests of a session that wait for somebody, the oldest first.
	Waiting(ctx context.Context, sessionID string) ([]Standing, error)
	// Due lists the requests whose waiting is over by then.
	Due(ctx context.Context, now time.Time) ([]Standing, error)
	// Place gives the session of a request and its place there: the turn of the first of its versions. Fault NotFound.
	Place(ctx context.Context, requestID string) (sessionID string, place int, err error)
	// Recent gives the canonical Frame-QL of the last n answered turns before a place of a session (0: of all), the latest
	// first. Of a turn with several versions the chosen one counts, as in Conversation.
	Recent(ctx context.Context, sessionID string, before, n int) ([]string, error)
	// Conversation gives the latest turns before a place of a session (0: all) that came to an outcome, oldest first, without
	// their answers. Of a turn with several versions it gives the one that was chosen last, in the place of the first.
	Conversation(ctx context.Context, sessionID string, before int) ([]session.Turn, error)
}

// Stored is a request as it is written at INTAKE, before anything can fail.
type Stored struct {
	RequestID string
	SessionID string
	Question  string
	Actor     string
	Asked     time.Time
	Overrides map[string]string
	InsteadOf string // the request of this session that it is another version of; empty: a turn of its own
	Worded    bool   // a query was given, and Question only says it
	Given     session.Given
}

// Closing is what came of a request, with all that becomes durable together with it.
type Closing struct {
	Turn    session.Turn
	Stage   Stage        // where it rests
	Level   int          // of autonomy; 0: none was chosen
	Until   time.Time    // when the waiting is over; zero: never
	Ending  rules.Ending // what happens then
	Notices []Notice
	Records []Record // of the audit log
}

// Standing is how a request stands.
type Standing struct {
	RequestID string       `json:"request_id"`
	SessionID string       `json:"session_id"`
	Turn      int          `json:"turn"`
	Question  string       `json:"question"`
	FrameQL   string       `json:"frame_ql"`
	Actor     string       `json:"actor"`
	Asked     time.Time    `json:"asked"`
	Outcome   string       `json:"outcome"`
	Status    string       `json:"status"` // as it was answered
	Stage     Stage        `json:"stage"`
	Level     int          `json:"level"`
	Until     time.Time    `json:"until"` // zero: never
	Ending    rules.Ending `json:"ending"`
	Settled   Happening    `json:"settled"` // what became of it; empty: it waits, or never did
	By        string       `json:"by"`      // who settled it; empty: the clock
	How       string       `json:"how"`
	InsteadOf string       `json:"-"` // the request that it is another version of; empty: none
	Answer    []byte       `json:"-"` // the object of the contract, as JSON
}

// Settlement moves a request that waits.
type Settlement struct {
	RequestID string
	From, To  Stage
	On        Happening
	By        string // an actor; empty: the clock
	How       string // explicit, or what was done with the result: export copy pin share
	Notices   []Notice
	Records   []Record
}

// Notice tells somebody about a request, or about what somebody wanted.
type Notice struct {
	RequestID string // empty: it is about none
	Kind      string // one of the kinds below
	Actor     string // whom it is for; empty: everyone of the role
	Role      string
	Words     string
}

// The kinds of notices.
const (
	NoticeTakeOver  = "take_over" // level 1: somebody of the role has to do it
	NoticeNotable   = "notable"   // level 4: somebody of the role should know of it
	NoticeAbandoned = "abandoned" // level 3: nobody accepted it in time
	NoticeExpired   = "expired"   // level 2, or a run that nobody confirmed
	NoticeFlagged   = "flagged"   // level 4: time accepted it, and nobody looked
	NoticeSecurity  = "security"  // somebody wanted to teach what is a matter of the rules
)

// Knowledge is the immutable view of the workspace that one request works with.
type Knowledge struct {
	Model    *semantic.Model
	Index    *interpret.Index
	Epochs   map[string]string      // table -> sha256:...
	Notes    map[string][]TableNote // table -> what was not taken of its file as it stands there
	Coverage func(dimension string) (first, last time.Time, ok bool)
	Zone     *time.Location // where the workspace's days begin; nil: UTC
	// Await waits, as long as is worth it, for the values of the data, which are still being read; true: a newer Knowledge
	// has them. nil: they are all here.
	Await func(context.Context) bool

	// LookUp asks the data for values that begin with names which a question has and nobody knows: of columns that have too many
	// values to know all. nil: there are none, or nobody looks.
	LookUp func(ctx context.Context, names []string) []interpret.ValueSet

	// What was measured of the data. Each may be nil: nothing is known.
	Rows     func(entity string) int64                                          // 0: not known
	Distinct func(dimension string) int64                                       // of "entity.dimension": about how many values; 0: not known
	Number   func(table, column string) *compile.Number                         // nil: no exact number
	Values   func(dimension string) (values []string, complete bool)            // of a text; a missing value and the empty text are never among them
	Unique   func(entity string, dimensions []string) (unique bool, known bool) // no two rows agree in all of them
}

// Env is what a query is resolved with: the model and what is known of the data, at a moment.
func (k Knowledge) Env(now time.Time, maxRows int) frameql.Env {
	return frameql.Env{
		Model: k.Model, Now: now, Coverage: k.Coverage, MaxRows: maxRows,
		Rows: k.Rows, Distinct: k.Distinct, Values: k.Values, Unique: k.Unique, Number: k.Number,
	}
}

// Golden gives what is most like a question, or its query, among the queries that the actor may find and that were confirmed
// to be right.
type Golden func(ctx context.Context, actor rules.Actor, question, frameQL string) risk.Nearest

// Deps are what an analyst works with.
type Deps struct {
	Engine    Engine
	Memory    Memory
	Frames    func(modelVersion string) Frames // nil: there is no cache
	Now       func() time.Time                 // the wall clock, with its monotonic reading for durations
	NewID     func() string                    // a new identifier, never the same twice
	Knowledge func(rules.Actor) Knowledge      // what an actor may know, to work with from now on
	MaxRows   int                              // rows of a frame when the request does not say; 0: 10,000
	Rules     func() *rules.Rules              // in force from now on; nil: those that are built in
	Weights   func() risk.WeightSet            // of the factors of an error; nil: those of the start
	Golden    Golden                           // nil: there are none
	Recheck   func(context.Context) bool       // looks whether data or model have changed, takes that over, and says so; nil: nobody looks
	Mask      func(string) string              // takes personal values out of a text; nil: there are none
	Missing   func(rules.Actor) string         // says what of the workspace cannot be read, as far as an actor may know; empty, or nil: nothing
	Version   string                           // of the program
	Taught    func(knowledge.Correction)       // is told of what a person taught, once that is kept, and does not hold it up; nil: nobody listens

	// What a language model needs. Each may be nil: then there is none.
	Thinkers Thinkers
	Skills   func(rules.Actor) []tool.Tool // that the workspace adds
	Facts    func(rules.Actor) tool.Facts  // what the tools measure
	// Examples gives verified queries whose questions are like one, the most alike first.
	Examples func(ctx context.Context, actor rules.Actor, question string, most int) []mind.Example
	// Artifact gives an artifact of a session of the actor; false: there is none.
	Artifact func(ctx context.Context, actor rules.Actor, sessionID, id string) (session.Artifact, bool, error)
}
