package analyst

import (
	"context"
	"time"

	"assay/backend/compile"
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/semantic"
	"assay/backend/session"
)

// Engine runs statements. Faults: Canceled, Limit (timeout, memory), Unavailable, Internal.
type Engine interface {
	Cost(ctx context.Context, s frameql.Statement) (PlanCost, error)
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
	Begin(ctx context.Context, r Stored) (turn int, err error)
	Finish(ctx context.Context, requestID string, t session.Turn) error
	// Recent gives the canonical Frame-QL of the last n answered turns of a session, the latest first.
	Recent(ctx context.Context, sessionID string, n int) ([]string, error)
	// Conversation gives the latest turns of a session that came to an outcome, oldest first, without their answers.
	Conversation(ctx context.Context, sessionID string) ([]session.Turn, error)
}

// Stored is a request as it is written at INTAKE, before anything can fail.
type Stored struct {
	RequestID string
	SessionID string
	Question  string
	Actor     string
	Asked     time.Time
	Overrides map[string]string
}

// Knowledge is the immutable view of the workspace that one request works with.
type Knowledge struct {
	Model    *semantic.Model
	Index    *interpret.Index
	Epochs   map[string]string // table -> sha256:...
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
	Values   func(dimension string) (values []string, complete bool)            // of a text; a missing value and the empty text are never among them
	Unique   func(entity string, dimensions []string) (unique bool, known bool) // no two rows agree in all of them
}

// Env is what a query is resolved with: the model and what is known of the data, at a moment.
func (k Knowledge) Env(now time.Time, maxRows int) frameql.Env {
	return frameql.Env{
		Model: k.Model, Now: now, Coverage: k.Coverage, MaxRows: maxRows,
		Rows: k.Rows, Distinct: k.Distinct, Values: k.Values, Unique: k.Unique,
	}
}

// Deps are what an analyst works with.
type Deps struct {
	Engine    Engine
	Memory    Memory
	Frames    func(modelVersion string) Frames // nil: there is no cache
	Now       func() time.Time                 // the wall clock, with its monotonic reading for durations
	NewID     func() string                    // a new identifier, never the same twice
	Knowledge func() Knowledge                 // the view to work with from now on
	MaxRows   int                              // rows of a frame when the request does not say; 0: 10,000
}
