package analyst

import "time"

// Recommendation is the body of an artifact of kind recommendation: a statement that was written and not run. It runs only when somebody confirms the
// request, which goes through the gate, the rules and the audit log as every other one.
type Recommendation struct {
	RequestID string     `json:"request_id" doc:"What is confirmed to run it"`
	Reading   string     `json:"reading" doc:"What it would answer, for a person"`
	FrameQL   string     `json:"frame_ql" doc:"Canonical; empty: a statement that a person wrote"`
	SQL       string     `json:"sql"`
	Reasons   []string   `json:"reasons" doc:"Why it was not run, the deciding one first"`
	Cost      *PlanCost  `json:"cost" doc:"What it would take; null: not known"`
	Until     *time.Time `json:"until" doc:"When it can be run no more; null: without a limit"`
}
