package analyst

import (
	"slices"
	"time"

	"assay/backend/interpret"
	"assay/backend/session"
	"assay/backend/text"
)

// A conversation that is older than its person wants to go on with is not gone on with: the next question is read on its own. Where its words would have gone on from
// something, that is said with whatever comes of it. Another version of a turn goes on from what its turn went on from, however old that is.

// outlivedBy says how many days old a conversation is, where it is too old to be gone on with; 0: it is not.
func (r *run) outlivedBy(turns []session.Turn) int {
	limit := time.Duration(r.req.ContextDays) * 24 * time.Hour
	if limit <= 0 || len(turns) == 0 || r.stored.InsteadOf != "" || r.req.again != nil {
		return 0
	}
	age := r.stored.Asked.Sub(turns[len(turns)-1].Asked)
	if age <= limit {
		return 0
	}
	return int(age / (24 * time.Hour))
}

// noteOutlived finds out whether the words of a question that was read on its own would have gone on from a conversation that is too old.
func (r *run) noteOutlived(alone interpret.Result) {
	if r.req.again != nil { // what it could go on from then is all that it is given
		r.told = r.req.again.told
		return
	}
	if r.outlived != nil && goesOn(alone, r.readWith(*r.outlived)) {
		r.told = r.oldDays
	}
}

// goesOn says whether a question says something else, with the conversation before it, than alone.
func goesOn(alone, with interpret.Result) bool {
	switch {
	case with.Refusal != nil && with.Refusal.Tied:
		return true
	case with.Reading == nil:
		return false
	case alone.Reading != nil && alone.Reading.Query.String() == with.Reading.Query.String():
		return false
	case with.Reading.Follow == nil:
		return alone.Reading == nil
	}
	return !slices.Contains(with.Reading.Follow.Kinds, interpret.PatchShift)
}

// notCarried is the sentence about what a question could not go on from, because it is too old or because its tables are not here; empty: there is none. absent is the key of
// the latter.
func (r *run) notCarried(absent string) string {
	if r.told > 0 {
		return text.Count("analyst.outlived", int64(r.told), "days", r.told)
	}
	return r.tellAbsent(absent)
}
