package frameql

import (
	"strings"

	"assay/backend/text"
)

// Notice is what a reader of the numbers should know: the answer stands, and this is said with it. An answer has each
// code once.
type Notice struct {
	Code     string         `json:"code"`     // INCOMPLETE_PERIOD, ZERO_BASE, ...: the warnings of the design
	Severity string         `json:"severity"` // info | caution
	Facts    map[string]any `json:"facts"`    // what the text is made of: names, counts, shares
	Text     string         `json:"text"`
}

// The codes of notices. The resolver gives what follows from the query and the model, the analyst what the numbers say.
const (
	IncompletePeriod = "INCOMPLETE_PERIOD"     // the data covers only a part of the period, or of a unit at its edge
	OutsideCoverage  = "OUTSIDE_COVERAGE"      // a period, a comparand or a bucket lies where there is no data
	ZeroBase         = "ZERO_BASE"             // a divisor is 0
	NoBase           = "NO_BASE"               // a divisor is missing
	IncompleteWindow = "INCOMPLETE_WINDOW"     // a moving window begins before the data does
	SignChange       = "SIGN_CHANGE"           // a relative change from a negative base
	UnmatchedRows    = "UNMATCHED_ROWS"        // keys that are set and lead nowhere
	ShareOver        = "SHARE_GT_100"          // shares that make more than the whole
	NullMember       = "NULL_MEMBER"           // much of what is counted belongs to no member
	SmallN           = "SMALL_N"               // an average, a ratio or a percentile of few rows
	CacheStale       = "CACHE_STALE"           // a stored frame of other data than the request began with
	MultiValued      = "MULTIVALUED_DIMENSION" // the parts add up to more than the whole
)

// The severities of a notice.
const (
	Info    = "info"
	Caution = "caution"
)

// AddNotice adds a notice. A second one of its code is said with the first: its sentence is appended, its facts are listed
// under "also", and the graver severity holds.
func AddNotice(all []Notice, n Notice) []Notice {
	for i := range all {
		old := &all[i]
		if old.Code != n.Code {
			continue
		}
		if strings.Contains(old.Text, n.Text) {
			return all
		}
		old.Text += " " + n.Text
		if n.Severity == Caution {
			old.Severity = Caution
		}
		also, _ := old.Facts["also"].([]map[string]any)
		facts := map[string]any{"also": append(also, n.Facts)}
		for k, v := range old.Facts {
			if k != "also" {
				facts[k] = v
			}
		}
		old.Facts = facts
		return all
	}
	return append(all, n)
}

// notice notes what a reader of the numbers should know. Pairs fill the text and are its facts.
func (r *resolver) notice(code, severity, key string, pairs ...any) {
	r.plan.Notices = AddNotice(r.plan.Notices, Notice{Code: code, Severity: severity, Facts: factsOf(pairs), Text: text.Say(key, pairs...)})
}

// factsOf makes pairs of names and values into facts.
func factsOf(pairs []any) map[string]any {
	facts := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if name, ok := pairs[i].(string); ok {
			facts[name] = pairs[i+1]
		}
	}
	return facts
}
