package tool

import (
	"context"
	"encoding/json"
	"time"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/semantic"
	"assay/backend/session"
)

// Tool is one thing that a mind may do.
type Tool struct {
	Name     string
	Text     string          // what a model reads: what it is for, and a worked example; Markdown
	Schema   json.RawMessage // of the arguments: a JSON Schema of an object without additional properties
	ReadOnly bool            // it changes nothing; all of ours do not
	Makes    bool            // it may make something that the person sees
	// Do does it. Arguments that do not fit the schema, and whatever else a mind can mend, are a Problem of the result; an error is a failure of the
	// machine, or the end of the request.
	Do func(ctx context.Context, d *Desk, arguments json.RawMessage) (Result, error)
}

// Result is what a tool gives back. Exactly one of Body and Problem is set.
type Result struct {
	Body    any      // compact, in JSON
	Problem *Problem // what a mind can mend

	Made []string // ids of artifacts that the person sees now
	Ran  *Ran     // a query was run for the person, or would be: of execute_frame_ql and run_sql
	Ask  *Asked   // the person is to be asked: the request ends with that

	Rows    int      // rows of data in the body
	Columns []string // whose values are in it
}

// Problem says what was wrong with a call, so that the next one can be right.
type Problem struct {
	Kind string `json:"error_kind"` // unknown_tool bad_arguments unknown_family unknown_column unknown_artifact not_profiled would_refuse refusal too_large failed duplicate_call timeout not_linear ...
	// RefusalKind is the code of the first refusal of a query: UNKNOWN_NAME, FANOUT_DIMENSION, SYNTAX ...
	RefusalKind string   `json:"refusal_kind,omitempty"`
	Message     string   `json:"message"`
	Name        string   `json:"name,omitempty"` // the name that is not known
	FrameQL     string   `json:"frame_ql,omitempty"`
	Available   []string `json:"available,omitempty"` // at most 20
	Suggestion  string   `json:"suggestion,omitempty"`
	Repairs     []string `json:"repairs,omitempty"` // queries that would run
}

// Asked is a question back to the person.
type Asked struct {
	Question string
	Options  []interpret.Choice // each with a query that resolves, or a question
}

// Ran is what came of a query that a mind wanted to run. Either there is a frame, or there are refusals, or it waits for a person.
type Ran struct {
	Query    *frameql.Query // canonical, where it resolved
	SQL      string         // of a statement that was written by hand
	Frame    *frameql.Frame
	ID       string // of the artifact of the frame
	Level    string // of attestation: none A AA AAA
	Served   string // engine_cache | backend
	Refusals []frameql.Refusal
	Waits    string // why it is not run before a person says so; empty: it does not wait
}

// Desk is what the tools work with during one request. Functions that are nil are not there; a tool that needs one says so.
type Desk struct {
	Model    *semantic.Model
	Env      frameql.Env
	Question string
	Epochs   map[string]string

	// Read is the built-in reader: what it makes of words.
	Read func(words string) interpret.Result
	// Run takes a query through the gate, the rules and the audit log, and runs it. The frame becomes an artifact.
	Run func(ctx context.Context, q *frameql.Query) (Ran, error)
	// RunSQL does the same with a statement that was written by hand. What it gives has no grade.
	RunSQL func(ctx context.Context, sql string) (Ran, error)
	// Served says from where a query would be answered: engine_cache | backend.
	Served func(q *frameql.Query) string
	// Level is the grade that an answer over these entities can have: none A AA AAA, and what is outstanding for the next one.
	Level func() Attested
	// Narrate says a frame in words whose numbers are the program's.
	Narrate func(ctx context.Context, id, intent string) (string, error)
	// Followups gives questions that go on from a frame, each of which has an answer.
	Followups func(ctx context.Context, id string) ([]session.Followup, error)
	// Recall gives an artifact of this session, or of this request. false: there is none that this person may see.
	Recall func(ctx context.Context, id string) (session.Artifact, bool, error)
	// Show makes something that the person sees, and gives its id.
	Show func(kind session.Kind, title string, body any) (string, error)
	// Profile measures a column of an entity exactly.
	Profile func(ctx context.Context, entity, column string) (Profile, error)
	// Dependencies finds which columns of an entity determine which, on the rows that are there.
	Dependencies func(ctx context.Context, entity string, columns []string) (Dependencies, error)
	// Search gives values of the data that are like words, the best first.
	Search func(ctx context.Context, words string, most int) ([]Value, error)
	// Personal says whether the values of a dimension (entity.dimension) are nobody's business by the rules of the workspace, besides what the model tags.
	Personal func(dimension string) bool
	// Mask takes personal values out of a text, and says how many.
	Mask func(string) (string, int)
	Now  func() time.Time
}

// Attested counts how far the objects of a model are attested.
type Attested struct {
	Level       string         `json:"level"`  // of the model: the lowest of what is used
	Counts      map[string]int `json:"counts"` // by level: none A AA AAA
	Outstanding []string       `json:"outstanding"`
}

// Profile is what was measured of a column. Counts are exact.
type Profile struct {
	Entity      string     `json:"entity"`
	Column      string     `json:"column"`
	Type        string     `json:"dtype"`
	Rows        int64      `json:"n_rows"`
	Distinct    int64      `json:"nunique"`
	NullRate    float64    `json:"null_rate"` // 0 to 1
	Cardinality string     `json:"cardinality_class"`
	Hint        string     `json:"kind_hint"`
	Min         any        `json:"min,omitempty"`
	Max         any        `json:"max,omitempty"`
	Top         []TopValue `json:"top_values"` // none of a personal column
}

// TopValue is a value and how many rows have it.
type TopValue struct {
	Value any   `json:"value"`
	Rows  int64 `json:"rows"`
}

// Dependencies are what columns determine of each other, on the rows that are there.
type Dependencies struct {
	Entity     string     `json:"entity"`
	Rows       int64      `json:"n_rows"`
	Constants  []string   `json:"constants"`
	Keys       [][]string `json:"keys"`
	Equivalent [][]string `json:"equivalent"`     // columns that determine each other
	Edges      []Edge     `json:"edges"`          // reduced: what follows from others is left out; of equivalent columns the first stands for all
	Left       int        `json:"left,omitempty"` // columns that were left out, because there are too many
}

// Edge says that the value of one column determines that of another.
type Edge struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Value is a value of the data.
type Value struct {
	Dimension string  `json:"dimension"`
	Value     string  `json:"value"`
	Like      float64 `json:"like"` // 0 to 1
}
