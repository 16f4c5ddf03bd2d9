// Package session is the session document: what was asked, what was answered, in typed artifacts, with a trace.
package session

import (
	"encoding/json"
	"time"
)

// Kind is the kind of an artifact.
type Kind string

// The kinds of artifact, and what their bodies are.
const (
	KindFrame         Kind = "frame"
	KindChart         Kind = "chart"
	KindNarration     Kind = "narration"
	KindFollowups     Kind = "followups"
	KindProvenance    Kind = "provenance"
	KindClarification Kind = "clarification"
	KindRefusal       Kind = "refusal"
	KindExplanation   Kind = "explanation"
	KindView          Kind = "view" // how a person looks at the answer: the one artifact that changes

	KindComparison     Kind = "comparison"      // Comparison
	KindSimulation     Kind = "simulation"      // Simulation
	KindStructure      Kind = "structure"       // Structure
	KindQMCard         Kind = "qm_card"         // of package profile: QMCard
	KindDriverAnalysis Kind = "driver_analysis" // DriverAnalysis
	KindRecommendation Kind = "recommendation"  // of package analyst: Recommendation
)

// Artifact is one immutable card of a session. Its ID is art_{session}_{turn}_{index}.
type Artifact struct {
	ID      string          `json:"id"`
	Kind    Kind            `json:"kind" enum:"frame,chart,narration,followups,provenance,clarification,refusal,explanation,view,comparison,simulation,structure,qm_card,driver_analysis,recommendation"`
	Turn    int             `json:"turn"`
	Title   string          `json:"title"`
	Body    json.RawMessage `json:"body"` // by kind: frameql.Frame, Chart, Narration, ...
	Created time.Time       `json:"created"`
}

// Chart is a typed chart intent and the Vega-Lite specification that the program made of it.
type Chart struct {
	Type     string          `json:"type"` // of package chart: bar line area scatter pie histogram box stacked grouped heatmap big_number none
	X        string          `json:"x,omitempty"`
	Y        []string        `json:"y,omitempty"`
	Color    string          `json:"color,omitempty"`
	Frame    string          `json:"frame"` // frame ID; the data is not repeated in the specification
	Reason   string          `json:"reason"`
	Instead  string          `json:"instead,omitempty"` // why it is not of the type that was asked for
	VegaLite json.RawMessage `json:"vega_lite"`
}

// View is how a person wants to look at an answer. It changes with every edit and belongs to the turn.
type View struct {
	Show  string     `json:"show" enum:"chart,table,number,comparison,pivot" doc:"What stands in the place of the chart"`
	Chart *ChartEdit `json:"chart,omitempty" doc:"The edited intent; absent: as the program chose it"`
	// Pinned answers stand before all others.
	Pinned bool `json:"pinned,omitempty"`
	// Title is what the person calls the answer; empty: what the program calls it.
	Title string `json:"title,omitempty" maxLength:"200"`
}

// ChartEdit is a chart intent that a person has edited. Columns are output names of the frame.
type ChartEdit struct {
	Type      string   `json:"type" enum:"bar,stacked,grouped,line,area,scatter,pie,histogram,heatmap,box"`
	X         string   `json:"x" maxLength:"400"`
	Y         []string `json:"y" nullable:"false" maxItems:"8"`
	Color     string   `json:"color" maxLength:"400" doc:"The column of the series; empty: none"`
	Facet     string   `json:"facet" maxLength:"400" doc:"The column of small multiples; empty: none"`
	Aggregate string   `json:"aggregate" enum:"none,sum,mean,median,min,max,count" doc:"Of several rows in one mark"`
	Sort      string   `json:"sort" enum:"frame,descending,ascending,name"`
	Scale     string   `json:"scale" enum:"linear,log"`
	Zero      bool     `json:"zero" doc:"The axis of numbers begins at zero"`
	Labels    bool     `json:"labels" doc:"Each mark has its number"`
	Palette   string   `json:"palette" enum:"category,accent,warm,cool,gray"`
	Across    bool     `json:"across" doc:"Bars lie"`
}

// Narration is text whose every number is locked to a cell.
type Narration struct {
	Text      string     `json:"text"`
	Citations []Citation `json:"citations"`
	By        string     `json:"by"` // template | model
	Model     string     `json:"model,omitempty" maxLength:"200" doc:"Which model wrote the words, as its provider calls it; absent: none did"`
}

// Citation locks text[Start:End] (bytes of UTF-8) to a cell. Row -1 with an empty Column stands for the frame's row
// count, the one number of a narration that is not a cell. Where there is a Formula the number was worked out from Cells; Row and Column are the first
// of them.
type Citation struct {
	Start   int         `json:"start"`
	End     int         `json:"end"`
	Frame   string      `json:"frame"`
	Row     int         `json:"row"`
	Column  string      `json:"column"`
	Formula string      `json:"formula,omitempty" maxLength:"2000" doc:"How the number was worked out: diff(r1.revenue,r0.revenue); absent: it stands in the cell"`
	Cells   []CitedCell `json:"cells,omitempty" nullable:"false" maxItems:"2" doc:"What the formula is made of"`
}

// CitedCell is a cell of the frame of a citation; row -1 stands for the whole column.
type CitedCell struct {
	Row    int    `json:"row"`
	Column string `json:"column"`
}

// Followup is a question that may be asked next.
type Followup struct {
	Title    string `json:"title"`
	Question string `json:"question"`
}

// Step is one entry of the trace.
type Step struct {
	Name    string         `json:"name"`   // intake interpret resolve plan execute check chart narrate followups close
	Status  string         `json:"status"` // started | done | failed
	Started time.Time      `json:"started"`
	TookMS  float64        `json:"took_ms"`
	Note    string         `json:"note,omitempty"`  // for a person: "41,203 rows"
	Input   string         `json:"input,omitempty"` // hash
	Output  string         `json:"output,omitempty"`
	Facts   map[string]any `json:"facts,omitempty"`
}

// Turn is one question with everything that came of it.
type Turn struct {
	Index     int             `json:"index"`
	Place     int             `json:"place"`                // the index of the first version of the turn; its own when it is that, or the only one
	InsteadOf string          `json:"instead_of,omitempty"` // the request that it is another version of
	Chosen    bool            `json:"chosen"`               // of the versions, it stands in their place: it is shown, and later questions go on from it
	Worded    bool            `json:"worded,omitempty"`     // the query was given, and the question only says it
	RequestID string          `json:"request_id"`
	Question  string          `json:"question"`
	Asked     time.Time       `json:"asked"`
	Outcome   string          `json:"outcome"` // an outcome of the contract, or one of the states below
	Status    string          `json:"status"`
	FrameQL   string          `json:"frame_ql"` // canonical, of what was understood; empty: nothing was
	Answer    json.RawMessage `json:"answer"`   // the whole object of the contract; null when there is none
	Fault     *Fault          `json:"fault"`    // why there is no answer; null when there is one
	Artifacts []Artifact      `json:"artifacts"`
	Trace     []Step          `json:"trace"`
	Said      json.RawMessage `json:"said,omitempty"` // what the turns after it may go on from; the reader's own affair
	Feedback  *Feedback       `json:"feedback"`       // what its person says of the answer; null: nothing
	Given     *Given          `json:"given"`          // what it was asked with; null: of a version that did not keep it
	MadeBy    *MadeBy         `json:"made_by"`        // what answered it; null: not finished, or of a version that did not keep it
	Archived  *time.Time      `json:"archived,omitempty" doc:"Since when it is out of the conversation, which was cleared; absent: it stands there"`
	Holding   *Holding        `json:"holding"` // whether it still held when it was asked again; null: it was not

	Elsewhere *Elsewhere `json:"elsewhere,omitempty" doc:"Where it came from, with its answer, which nobody verified since; absent: it was asked here"`
}

// How a turn without an answer stands.
const (
	Running     = ""            // not finished; its process is alive
	Interrupted = "interrupted" // its process died before it finished
	Canceled    = "canceled"    // the person stopped it
	Failed      = "failed"      // the machine could not; see Fault
)

// Feedback is what a person says of an answer.
type Feedback struct {
	Thumb   string    `json:"thumb" enum:"up,down"`
	Reason  string    `json:"reason"` // of the list of its thumb; empty: none
	Words   string    `json:"words"`
	Serious bool      `json:"serious"` // the error would have cost much
	At      time.Time `json:"at"`
}

// Fault is a failure as a session keeps it: what a person may read, without the cause that belongs in a log.
type Fault struct {
	Code    string `json:"code"` // of package fault
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// Document is a session.
type Document struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"` // given by the first question
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	Turns   []Turn    `json:"turns"`
	Origin  *Origin   `json:"origin"` // null: it began by itself

	Imported *Imported `json:"imported"` // the file that it came with: it is read and forked, and nothing is asked in it; null: it was made here
}

// Origin says which session a session was forked from. Its turns up to and with Turn are the first ones of the branch.
type Origin struct {
	SessionID string `json:"session_id"` // it may have been deleted since
	Title     string `json:"title"`      // as it was called when it was forked from
	Turn      int    `json:"turn"`       // counted from 1
	Artifact  string `json:"artifact,omitempty" maxLength:"200" doc:"That it was forked from; absent: from the turn"`
}
