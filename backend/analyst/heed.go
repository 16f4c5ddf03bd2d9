package analyst

import (
	"strings"

	"assay/backend/frameql"
	"assay/backend/interpret"
	"assay/backend/risk"
	"assay/backend/text"
)

// unheeded is how likely an answer is wrong because the query of a model and its question differ.
const unheeded = 0.4

// mustAsk says whether the reader understood every word and asks which of several things is meant: that is for the person to say, and
// for no model.
func (r *run) mustAsk(found scope) bool {
	asks := found.result.Clarify != nil && (found.result.Reading == nil || !found.hasty)
	return asks && len(found.result.Unread) == 0 && len(found.result.Missing) == 0
}

// heed compares the query of a model with the question. What differs is an assumption that its person confirms.
func (r *run) heed(read interpret.Result, plan *frameql.Plan) {
	var before []*frameql.Query
	for _, t := range r.heard {
		if t.Query != nil {
			before = append(before, t.Query)
		}
	}
	for _, d := range r.knowledge.Index.Heeds(r.question, read, plan, r.env, before) {
		r.differs = append(r.differs, d.Words)
	}
	r.answer.Understood.Confirm = append(r.answer.Understood.Confirm, r.differs...)
}

// asAsked is the check that the query of a model does what the question says; false: the reader wrote it, or they agree.
func (r *run) asAsked() (Check, bool) {
	if len(r.differs) == 0 {
		return Check{}, false
	}
	return Check{Code: "AS_ASKED", Status: "finding", Message: text.Say("analyst.check_as_asked", "differences", strings.Join(r.differs, " "))}, true
}

// differences are doubts about a query that differs from its question.
func (r *run) differences() []risk.Doubt {
	if len(r.differs) == 0 {
		return nil
	}
	return []risk.Doubt{{Share: unheeded, Reason: strings.Join(r.differs, " ")}}
}
