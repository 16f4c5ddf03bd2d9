package rules

import "time"

// Action is what a request wants.
type Action string

// The actions.
const (
	Query     Action = "query"     // run a reading statement; the zero value means the same
	Recommend Action = "recommend" // say what would be run
	Modify    Action = "modify"    // write: never allowed
)

// Case is what a request is judged by. It is judged at SCOPE, provisionally, and again at PLAN, and anew after a
// clarification.
type Case struct {
	Actor       Actor
	Action      Action
	Likelihood  float64  // of an error, 0 to 1; anything else, NaN among it, counts as 1
	Cost        float64  // of an error, 0 to 1; anything else counts as 1
	Complexity  *float64 // 0 to 1; nil: not known
	Provisional bool     // there is no plan yet: nothing may run
	Plan        *Plan    // nil: nothing is known about the run, which then waits for confirmation
	Domains     []string // that what is read belongs to
	Sensitive   []string // what is read and tagged as sensitive, as the person knows it
	Objects     []Object // that the statement reads, as the gate found them
	Overrides   Overrides
	Level       int  // a level that was asked for: it only lowers; 0: none
	Confirmed   bool // a person saw this plan, or waived that beforehand, and wants it to run
}

// Plan is what a run is expected to take; a negative number is not known.
type Plan struct {
	Bytes   int64
	Runtime time.Duration
	Rows    int64
}

// Object is a table by the names that its engine knows.
type Object struct{ Schema, Table string }

// Overrides are what the words of one request ask for.
type Overrides struct {
	ConfirmFirst bool // "please confirm before executing"
	JustDoIt     bool // "just do it": waives the actor's own preferences, and no other rule
}

// Decision is what follows from a level.
type Decision string

// The decisions.
const (
	Proceed       Decision = "proceed"   // 5: run, and close
	Notify        Decision = "notify"    // 4: run, and tell others
	Confirm       Decision = "confirm"   // 3: run, and wait for acceptance; or, at any level that runs, wait before the run
	RecommendOnly Decision = "recommend" // 2: show the statement, the person runs it
	Block         Decision = "block"     // 1: a person takes over; or it is not allowed
)

// The statuses of an answer that a verdict may give.
const (
	StatusCompleted    = "completed"
	StatusPending      = "pending_acceptance" // it ran, and a person must accept the result
	StatusConfirmation = "needs_confirmation" // it did not run yet
	StatusRecommended  = "recommended"
	StatusHuman        = "human_only"
	StatusBlocked      = "blocked"
)

// The rules that a reason may name.
const (
	RuleMatrix        = "matrix"
	RuleTrustRoutine  = "trust_routine"
	RuleReviewAll     = "review_all"
	RuleAlwaysConfirm = "always_confirm"
	RuleJustDoIt      = "just_do_it"
	RuleReview        = "mandatory_review"
	RuleScan          = "scan"
	RuleRuntime       = "runtime"
	RuleRows          = "rows"
	RuleDomains       = "domains"
	RuleSensitive     = "sensitive"
	RuleRole          = "role"
	RuleAgent         = "agent"
	RuleLevel         = "level"
	RuleConfirmFirst  = "confirm_first"
	RulePlan          = "plan"      // nothing is known about the run
	RuleConfirmed     = "confirmed" // a person wants it to run
	RuleAction        = "action"
	RuleWhitelist     = "whitelist"
	RuleUnknownRisk   = "unknown_risk"
)

// Reason is why, as a sentence that names the rule's numbers.
type Reason struct {
	Rule string `json:"rule"`
	Text string `json:"text"`
}

// Verdict is what may happen.
type Verdict struct {
	Level       int          `json:"level"` // 1 to 5
	Decision    Decision     `json:"decision"`
	Status      string       `json:"status"` // of the answer: completed pending_acceptance needs_confirmation recommended human_only blocked
	Run         bool         `json:"run"`    // whether the statement may run now
	Provisional bool         `json:"provisional"`
	Confirm     Confirmation `json:"confirm"`
	Warnings    []Reason     `json:"warnings"`
	Acceptance  Acceptance   `json:"acceptance"` // of the result, once there is one; of a recommendation, how long it holds
	Tell        []string     `json:"tell"`       // level 4: the roles that hear of the answer
	TakesOver   []string     `json:"takes_over"` // level 1: the roles that get the request
	Reasons     []Reason     `json:"reasons"`    // in the order in which the rules spoke
}

// Confirmation says whether the run waits for somebody's word. It has nothing to do with accepting a result.
type Confirmation struct {
	Needed bool     `json:"needed"`
	Why    []Reason `json:"why"`
	Waits  Waiting  `json:"waits"` // as a recommendation does: a plan that nobody confirms expires
}

// Acceptance says what a result waits for.
type Acceptance struct {
	Required bool `json:"required"` // explicitly: level 3 and below. Otherwise using the result accepts it
	Waiting
}

// Sentences gives the reasons as texts.
func (v Verdict) Sentences() []string {
	var all []string
	for _, r := range v.Reasons {
		all = append(all, r.Text)
	}
	return all
}
