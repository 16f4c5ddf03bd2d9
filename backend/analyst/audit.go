package analyst

import "encoding/json"

// Record is what the audit log keeps of one event, before anything comes of it. No secret and no personal value is in it:
// texts are masked, and the exact bytes are there as their SHA-256 alone.
type Record struct {
	Kind      string // one of the kinds below
	RequestID string
	SessionID string
	Actor     string
	Body      json.RawMessage
}

// The kinds of records.
const (
	AuditDecision   = "decision"   // a statement was judged, and may run or may not
	AuditOutcome    = "outcome"    // what came of a request
	AuditAcceptance = "acceptance" // somebody, or time, settled what waited
	AuditRefused    = "refused"    // the door turned something away
	AuditRetention  = "retention"  // old records went
)
