package session

import "time"

// Given is what a request was asked with beside its words: with them, enough to ask it again.
type Given struct {
	As          string     `json:"as" enum:"question,frame_ql,sql"`
	FrameQL     string     `json:"frame_ql,omitempty" maxLength:"65536" doc:"The query that the question only says"`
	Now         *time.Time `json:"now,omitempty" doc:"The clock that the person named"`
	Memo        string     `json:"memo,omitempty" maxLength:"65536" doc:"The memo of the session"`
	Mind        string     `json:"mind" maxLength:"200" doc:"Who was to think: embedded"`
	Criticality string     `json:"criticality" enum:"low,normal,high"`
	Asking      string     `json:"asking,omitempty" enum:"first,never,"`
	Confirm     bool       `json:"confirm,omitempty" doc:"What would wait for a word was to run"`
	Level       int        `json:"level,omitempty" minimum:"0" maximum:"5" doc:"The autonomy level that it was lowered to; 0: it was not"`
	MaxRows     int        `json:"max_rows" minimum:"0"`
	NoCache     bool       `json:"no_cache,omitempty"`
	Explain     bool       `json:"explain,omitempty"`
	ContextDays int        `json:"context_days,omitempty" minimum:"0" maximum:"3650" doc:"A conversation that was older was not to be gone on with; absent: however old it was"`
	Chart       string     `json:"chart,omitempty" maxLength:"40" doc:"The chart that was asked for beside the query"`
	ChartWords  string     `json:"chart_words,omitempty" maxLength:"4000" doc:"The words that it was only implied by"`
}

// What a request can be asked as.
const (
	AsQuestion = "question"
	AsFrameQL  = "frame_ql"
	AsSQL      = "sql"
)

// MadeBy is what answered a request, in the versions that it had then.
type MadeBy struct {
	Program  string    `json:"program" maxLength:"200"`
	Mind     string    `json:"mind" maxLength:"200" doc:"embedded, or a model"`
	Prompts  string    `json:"prompts" maxLength:"200" doc:"Version of what a model was told; empty: none was asked"`
	Model    string    `json:"model" maxLength:"200" doc:"Version of the semantic model: a hash; empty: there was none"`
	Rules    string    `json:"rules" maxLength:"200" doc:"Version of the rules: a hash"`
	Clock    time.Time `json:"clock" doc:"The moment from which relative dates were counted, in the zone of the workspace"`
	FromData bool      `json:"from_data" doc:"That moment was the last date of the data"`
	Context  []int     `json:"context" nullable:"false" maxItems:"1000" doc:"The turns that it could go on from, oldest first; empty: none, or it did not look"`
	Outlived int       `json:"outlived,omitempty" minimum:"0" doc:"How many days old the conversation was that its words would have gone on from, and did not, because that was too old; absent: there was none"`
}

// Embedded is the mind that needs no language model.
const Embedded = "embedded"
