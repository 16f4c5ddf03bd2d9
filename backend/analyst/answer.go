package analyst

import (
	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/session"
)

// Outcome says how a request ended.
type Outcome string

// The outcomes. Asking back is a success.
const (
	OutcomeAnswer  Outcome = "answer"
	OutcomeClarify Outcome = "clarify"
	OutcomeConfirm Outcome = "confirm"
	OutcomeRefuse  Outcome = "refuse"
)

// Answer is the object that every door returns: `ask --json`, POST /api/ask and the window. Fields that do not apply are
// null.
type Answer struct {
	RequestID     string                   `json:"request_id"`
	SessionID     string                   `json:"session_id"`
	Turn          int                      `json:"turn"`
	Question      string                   `json:"question"`
	Outcome       Outcome                  `json:"outcome"`
	Status        string                   `json:"status"`
	Understood    *Understood              `json:"understood"`
	SQL           string                   `json:"sql"` // the statement that would run, when the answer waits before it does; else empty: the frame has it
	Frame         *frameql.Frame           `json:"frame"`
	Explanation   *Explanation             `json:"explanation"`
	Verification  *Verification            `json:"verification"`
	Risk          *Risk                    `json:"risk"`
	Findings      []Finding                `json:"findings"`
	Narration     *session.Narration       `json:"narration"`
	Remembered    []Remembered             `json:"remembered"` // what its person taught that it was read with; empty: nothing
	Learned       *Taught                  `json:"learned"`    // of what its person said, for their questions from now on; null: nothing
	Suggested     *Suggested               `json:"suggested"`  // what a changed part says that a word means, to be remembered on a word of its person; null: nothing
	Supposed      string                   `json:"supposed"`   // what would be, where that was asked, in a sentence; its simulation is among the artifacts
	Chart         *session.Chart           `json:"chart"`
	Followups     []session.Followup       `json:"followups"`
	Clarification *interpret.Clarification `json:"clarification"`
	Probes        []Probe                  `json:"probes"` // readings that were run to see what they would give
	Refusal       *Refused                 `json:"refusal"`
	MetricCard    *MetricCard              `json:"metric_card"`
	Plan          *PlanCost                `json:"plan"`
	Confidence    *float64                 `json:"confidence"`
	Acceptance    *Acceptance              `json:"acceptance"`
	Escalation    *Escalation              `json:"escalation"`
	Artifacts     []ArtifactRef            `json:"artifacts"`
	Sent          []session.Sent           `json:"sent"` // what language models were sent for it; empty: none was asked
	Timings       Timings                  `json:"timings_ms"`
	Trace         []session.Step           `json:"trace"`
}

// Understood is how the question was read.
type Understood struct {
	FrameQL     string           `json:"frame_ql"`
	Query       *frameql.Query   `json:"query"`
	Spans       []interpret.Span `json:"spans"`
	Assumptions []string         `json:"assumptions"`
	Confirm     []string         `json:"confirm"` // slots that were applied without being sure, each as a question; the narration ends with them
	Unread      []string         `json:"unread"`
	Reading     string           `json:"reading"` // in words: "Revenue by category, 1997"

	// How it goes on from the conversation. Empty, and Derived null, for a question that stands alone.
	Derived *Derived            `json:"derived"`
	Carried []interpret.Part    `json:"carried"` // taken over from the turn before; each with the query that leaves it out
	Dropped []interpret.Part    `json:"dropped"` // there before and not here; each with the query that takes it back
	Settled []interpret.Settled `json:"settled"` // words whose meaning the person chose with this turn
}

// Derived says which turn an answer was made from, and by what kinds of change.
type Derived struct {
	Kinds []interpret.PatchKind `json:"kinds"` // PERIOD VALUE NUMBER DIM GRAIN METRIC REDUCE COMPARE SHARE TOP ORDER ATTRIBUTE POPULATION REST RECALL REMOVE CORRECT UNDO SHIFT CHOICE
	From  int                   `json:"from"`  // turn of the session; 0: none was answered yet
}

// Verification is the grade with its checks.
type Verification struct {
	Level  string  `json:"level"` // none A AA AAA contradicted
	Checks []Check `json:"checks"`
}

// Check is one thing that was looked at for the grade.
type Check struct {
	Code    string `json:"code"`
	Status  string `json:"status"` // passed | finding | not_applicable | could_not_check
	Message string `json:"message"`
}

// Risk is how likely the answer is wrong and what that would cost.
type Risk struct {
	ErrorLikelihood float64     `json:"error_likelihood"` // 0 to 1
	Provisional     bool        `json:"provisional"`      // there was no plan yet
	ExpectedCost    string      `json:"expected_cost"`    // low normal high
	Cost            float64     `json:"cost"`             // the same, 0 to 1
	Factors         RiskFactors `json:"factors"`
	AutonomyLevel   int         `json:"autonomy_level"`
	Decision        string      `json:"decision"`
	Reasons         []string    `json:"reasons"`
}

// Escalation names the roles whose matter a request is: of level 1, to do it; of level 4, to know of it.
type Escalation struct {
	Roles  []string `json:"roles"`
	Reason string   `json:"reason"`
}

// RiskFactors are the four parts, each 0 to 1; null where one cannot be known.
type RiskFactors struct {
	Complexity *float64 `json:"complexity"`
	SourceRisk *float64 `json:"source_risk"`
	Novelty    *float64 `json:"novelty"`
	Ambiguity  *float64 `json:"ambiguity"`
}

// Finding is something worth knowing about the plan or the frame.
type Finding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"` // info | caution | critical
	Status   string `json:"status"`   // passed | finding | not_applicable | could_not_check
	Message  string `json:"message"`
}

// Refused is the refusal of the contract.
type Refused struct {
	Code    string            `json:"code"`
	Message string            `json:"message"`
	Rule    string            `json:"rule,omitempty"` // of the gate, when it refused a statement
	Repairs []frameql.Repair  `json:"repairs"`
	All     []frameql.Refusal `json:"all,omitempty"` // every refusal of the query, when there are several

	tied bool // the question goes on from the turn before
}

// PlanCost is what the engine expects before it runs.
type PlanCost struct {
	Rows  int64   `json:"rows"`
	Bytes int64   `json:"bytes"`
	MS    float64 `json:"ms"`
	Basis string  `json:"basis"`
}

// Acceptance says whether the answer waits for somebody.
type Acceptance struct {
	Required bool    `json:"required"`
	Deadline *string `json:"deadline"`
}

// ArtifactRef names an artifact of the session.
type ArtifactRef struct {
	ID   string       `json:"id"`
	Kind session.Kind `json:"kind"`
}

// Timings are milliseconds.
type Timings struct {
	Interpret float64 `json:"interpret"`
	Resolve   float64 `json:"resolve"`
	Plan      float64 `json:"plan"`
	Execute   float64 `json:"execute"`
	Total     float64 `json:"total"`
}
