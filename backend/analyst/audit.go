package analyst

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/rules"
	"assay/backend/session"
)

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
	AuditProbe      = "probe"      // a reading is run to see what it would give
	AuditOpened     = "opened"     // rows are looked at beside the answers: all of an answer, or a table
	AuditOutcome    = "outcome"    // what came of a request
	AuditAcceptance = "acceptance" // somebody, or time, settled what waited
	AuditFeedback   = "feedback"   // a person said what an answer was like, or took that back
	AuditCorrection = "correction" // a person taught a meaning, changed it or had it forgotten
	AuditSecurity   = "security"   // a person wanted to teach what is a matter of the rules; those who keep them were told
	AuditKnowledge  = "knowledge"  // shared knowledge was offered, found, supported, decided about, written for review or merged
	AuditRefused    = "refused"    // the door turned something away
	AuditRetention  = "retention"  // old records went
	AuditForgotten  = "forgotten"  // a session was removed for good, and why
)

// Decided is the body of a decision: the query log, as far as it is known before the statement runs.
type Decided struct {
	Question    string            `json:"natural_language"` // masked
	Criticality string            `json:"stated_criticality"`
	Overrides   map[string]string `json:"overrides,omitempty"`
	Role        string            `json:"role"`
	Mind        string            `json:"mind"`                // who thought: embedded, or a model
	ReplayOf    string            `json:"replay_of,omitempty"` // the request that this one asks again

	FrameQL    string   `json:"frame_ql,omitempty"` // masked
	Entities   []string `json:"matched_entities"`
	Domains    []string `json:"domains"`
	Confidence *float64 `json:"routing_confidence"` // of the reading; null: a person wrote the query

	SQL       string          `json:"generated_sql"` // masked
	SQLSHA256 string          `json:"sql_sha256"`    // of the exact bytes
	Dialect   frameql.Dialect `json:"dialect"`
	Tables    []string        `json:"tables"`
	Rule      string          `json:"gate_rule,omitempty"` // that refused it; empty: the gate lets it pass

	Model    string            `json:"model_version"`
	Epochs   map[string]string `json:"epochs"`
	Plan     *PlanCost         `json:"plan"`
	Risk     *Risk             `json:"risk"`
	Rules    []string          `json:"rules"` // that spoke
	Status   string            `json:"status"`
	Runs     bool              `json:"runs"`
	Deadline *string           `json:"deadline"`
}

// probed is the body of a probe.
type probed struct {
	FrameQL   string `json:"frame_ql"` // masked, as SQL
	SQL       string `json:"generated_sql"`
	SQLSHA256 string `json:"sql_sha256"` // of the exact bytes
}

// Ended is the body of an outcome.
type Ended struct {
	Outcome  string  `json:"outcome"`
	Status   string  `json:"status"`
	Rows     *int    `json:"rows"`              // of the frame; null: there is none
	EngineMS float64 `json:"execution_time_ms"` // of the statement
	Fault    string  `json:"fault,omitempty"`   // its code
	Grade    string  `json:"grade,omitempty"`
}

// mask takes personal values out of a text that is kept where others read it.
func (a *Analyst) mask(text string) string {
	if a.deps.Mask == nil {
		return text
	}
	return a.deps.Mask(text)
}

// quoted is a text in quotes, in SQL and in Frame-QL.
var quoted = regexp.MustCompile(`'(?:[^']|'')*'|\$\w*\$(?s:.*?)\$\w*\$`)

// masked is mask for a text of this request: where it touches personal columns, no value that it names stays either.
func (r *run) masked(words string) string {
	if r.personal() {
		words = quoted.ReplaceAllString(words, "'<VALUE>'")
	}
	return r.a.mask(words)
}

// maskedQuestion is the question as others may read it.
func (r *run) maskedQuestion() string {
	words := r.stored.Question
	if u := r.answer.Understood; u != nil && r.personal() && r.req.SQL == "" && r.req.FrameQL == "" {
		spans := slices.Clone(u.Spans)
		slices.SortFunc(spans, func(a, b interpret.Span) int { return b.Start - a.Start })
		for _, s := range spans {
			if s.Slot == "value" && s.Start >= 0 && s.Start < s.End && s.End <= len(words) {
				words = words[:s.Start] + "<VALUE>" + words[s.End:]
			}
		}
	}
	return r.masked(words)
}

// personal says whether the request may name personal values: a query that reads dimensions that are tagged so, and every
// statement by hand, whose columns no model stands behind.
func (r *run) personal() bool {
	if r.plan == nil {
		return r.req.SQL != ""
	}
	return slices.ContainsFunc(r.plan.Dimensions, func(name string) bool { d := r.knowledge.Model.Dimension(name); return d != nil && d.PII != "" })
}

// record makes a record of this request.
func (r *run) record(kind string, body any) (Record, error) {
	raw, err := json.Marshal(body)
	return Record{Kind: kind, RequestID: r.answer.RequestID, SessionID: r.answer.SessionID, Actor: r.actor.ID, Body: raw}, err
}

// approve writes down that the statement runs, and why it may. What cannot be written down does not run.
func (r *run) approve(ctx context.Context) error {
	if err := r.writeDown(ctx, AuditDecision, r.decided()); err != nil {
		return err
	}
	return r.move(OnApproved)
}

// writeDown adds to the audit log, as a step of the trace.
func (r *run) writeDown(ctx context.Context, kind string, body any) error {
	_, err := r.step(ctx, "audit", func(*session.Step) error {
		record, err := r.record(kind, body)
		if err != nil {
			return err
		}
		return r.a.deps.Memory.Record(ctx, record)
	})
	return err
}

func (r *run) decided() Decided {
	a := r.answer
	d := Decided{
		Question: r.maskedQuestion(), Criticality: r.req.Criticality, Overrides: r.stored.Overrides, Role: r.actor.Role, Mind: r.thoughtBy(),
		Confidence: a.Confidence, SQL: r.masked(r.sql.SQL), SQLSHA256: hash(r.sql.SQL), Dialect: r.sql.Dialect, Tables: tableNames(r.objects),
		Plan: a.Plan, Risk: a.Risk, Status: r.verdict.Status, Runs: r.verdict.Run, Entities: []string{}, Domains: []string{}, Rules: []string{},
	}
	if r.req.again != nil {
		d.ReplayOf = r.req.again.requestID
	}
	if r.knowledge.Model != nil {
		d.Model = r.knowledge.Model.Version
	}
	if r.plan != nil {
		d.FrameQL, d.Entities, d.Domains, d.Epochs = r.masked(r.plan.Query.String()), listOf(r.plan.Entities), listOf(r.domains()), r.epochs()
	}
	for _, reason := range r.verdict.Reasons {
		d.Rules = append(d.Rules, reason.Rule)
	}
	if a.Acceptance != nil {
		d.Deadline = a.Acceptance.Deadline
	}
	return d
}

// ended is what came of the request, as it is closed.
func (r *run) ended(t session.Turn) Ended {
	e := Ended{Outcome: t.Outcome, Status: t.Status}
	if f := r.answer.Frame; f != nil && t.Fault == nil {
		e.Rows, e.EngineMS = &f.RowCount, milliseconds(f.Took)
	}
	if v := r.answer.Verification; v != nil {
		e.Grade = v.Level
	}
	if t.Fault != nil {
		e.Fault = t.Fault.Code
	}
	return e
}

func tableNames(objects []rules.Object) []string {
	all := []string{}
	for _, o := range objects {
		all = append(all, o.Schema+"."+o.Table)
	}
	return all
}
