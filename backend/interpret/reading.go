// Package interpret is the built-in reader of questions: question + model + conversation -> Frame-QL, with a confidence
// for every slot. It is pure and needs no language model.
//
//	question ─normalise─▶ tokens ─lexicon, index─▶ candidates ─tiling─▶ slots ─assembly─▶ Query ─frameql.Resolve─▶ Reading
package interpret

import (
	"time"

	"assay/backend/frameql"
)

// Request is one question in its conversation.
type Request struct {
	Question string
	Env      frameql.Env
	// NowFromData says that Env.Now is the data's own last date and not the wall clock; it is disclosed as an assumption.
	NowFromData bool
	Asked       time.Time
	History     History      // what the session has said so far
	Corrections []Correction // of the person who asks; they stand above the memos of the model
	Grain       string       // day, week, month, quarter or year: what the person who asks prefers for a course over time that names none; empty: it is chosen
	Memo        string       // what the session defines; it stands above all these
	Bare        bool         // nobody will see the result: whether there is an answer is all that matters, so that clarifications and refusals offer nothing
}

// Result is what the reader made of a question. Exactly one of Reading, Clarify and Refusal is set; Reading may stand
// beside Clarify when the best guess needs to be confirmed.
type Result struct {
	Reading *Reading
	Clarify *Clarification
	Refusal *Declined
	Spans   []Span   // what was understood, even when nothing came of it
	Unread  []string // content words that found no place
	Missing []string // names that the data is not known to have, as written; empty when the question is answered
}

// Reading is one interpretation that resolves.
type Reading struct {
	Query       *frameql.Query
	Plan        *frameql.Plan
	Spans       []Span
	Assumptions []string
	Confirm     []string // what was applied and is confirmed in the answer: one sentence for each slot that is not sure enough
	Unread      []string
	Confidence  float64  // calibrated, of the whole query, 0 to 1
	Ambiguity   float64  // 0: one reading stands alone, 1: another is as good
	Unsure      []Unsure // what may be wrong with it
	Matches     []int    // of each piece that names something, how many things are called so as well as what it was read as
	Defined     []string // terms of memos and of corrections that were used
	Preferred   bool     // its course over time is by the preferred calendar unit
	Follow      *Follow  // how it goes on from the conversation; nil: nothing was said before
}

// Span is a piece of the question and the slot that it fills.
type Span struct {
	Start      int     `json:"start"` // bytes of the question
	End        int     `json:"end"`
	Text       string  `json:"text"`
	Slot       string  `json:"slot"`   // metric dimension value filter time grain aggregate top order comparison entity
	Target     string  `json:"target"` // what it was read as: "revenue", "customers.country = 'Germany'"
	Method     string  `json:"method"` // exact | fuzzy | default | model | invalid
	Confidence float64 `json:"confidence"`

	meaning string // what it was read as, in words; empty: Target
	piece   int    // of the draft that it is a span of
}

// Clarification is one question back with the best guess first.
type Clarification struct {
	Question        string   `json:"question"`
	BestGuess       *Choice  `json:"best_guess"`
	GuessConfidence float64  `json:"guess_confidence"`
	Options         []Choice `json:"options"` // at most two alternatives
	Several         bool     `json:"-"`       // it has several readings, these are all of them, and that is all there is to ask
}

// Choice is one answer to a clarification: asking Question again gives it.
type Choice struct {
	Label    string `json:"label"`
	Question string `json:"question"`
	Value    string `json:"value"`   // canonical Frame-QL that it stands for
	Returns  string `json:"returns"` // what it would give, in words; empty: nobody looked
}

// Declined says why a question is not answered at all.
type Declined struct {
	Code    string           `json:"code"` // OUT_OF_SCOPE NOT_IN_DATA NOT_YET ... (missing.go); a code of frameql where one fits
	Message string           `json:"message"`
	Repairs []frameql.Repair `json:"repairs"` // nearest questions that work
	Tied    bool             `json:"-"`       // its words say that it goes on from the turn before
}

// ValueSet is one column's values for the value index.
type ValueSet struct {
	Entity    string
	Dimension string
	Values    []string // most frequent first
	Complete  bool     // all of them
}
