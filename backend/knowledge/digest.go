package knowledge

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Weighed is an item with what its evidence is worth: what depends on the time and on who asks is left out, so that it can be kept until an item changes.
type Weighed struct {
	Item  Item
	worth worth
}

// Weigh works out what the evidence of an item is worth; see Confidence.
func (t Table) Weigh(i Item, steward func(actor string) bool) *Weighed {
	return &Weighed{i, t.worth(i.Evidence, steward)}
}

// Digest is what somebody is told of shared knowledge before a question.
type Digest struct {
	Items []Item // the mandatory ones first, then the others, the weightiest first
	Left  int    // how many more would count for them: there was no room, or they are not told
}

// recentDays is after how many days half of what makes knowledge new is gone. It is shorter than the half-life of confidence: what was decided lately is what people are least used to.
const recentDays = 90

// mostDigest is how many items a digest has at most, however small they are.
const mostDigest = 500

type ranked struct {
	at    int
	score float64
}

// Digest chooses from shared knowledge what a viewer is told, as far as the room goes: what is mandatory first, in the order in which it was made; then what was approved, by
//
//	confidence × recency × relevance
//
// each 0 to 1. An item is left out where another one that counts for the viewer stands in its place. Recency is 1/2 + 1/2·2^(−days since the last change/90), so that age alone takes no more than half. Relevance is the caller's; below 0: it is not to be told. What does not fit is passed over, and what is smaller
// may still fit. The same items, viewer, time and relevance give the same digest, whatever order they come in.
//
// Room and size are in the same unit, such as tokens. Whether an item is told at all is asked of those alone that there is room for; what is not takes none.
func (t Table) Digest(all []*Weighed, to Viewer, now time.Time, relevance func(Item) float64, room int, size func(Item) int, told func(Item) bool) Digest {
	gone := map[string]bool{}
	for i := range all {
		if of := &all[i].Item; of.Supersedes != "" && of.Counts(now) && of.Reaches(to) {
			gone[of.Supersedes] = true
		}
	}
	var order []ranked
	before := func(a, b ranked) int {
		one, other := &all[a.at].Item, &all[b.at].Item
		return cmp.Or(cmp.Compare(b.score, a.score), one.Created.Compare(other.Created), cmp.Compare(one.ID, other.ID))
	}
	count, last := 0, (*ranked)(nil)
	for i := range all {
		of := &all[i].Item
		if !of.Counts(now) || !of.Reaches(to) || gone[of.ID] {
			continue
		}
		near := relevance(*of)
		if near < 0 {
			continue
		}
		count++
		r := ranked{at: i, score: math.Inf(1)}
		if of.Status != Mandatory {
			days := max(now.Sub(of.Changed).Hours()/24, 0)
			r.score = all[i].worth.at(now, t.HalfLife) * (0.5 + 0.5*math.Exp2(-days/recentDays)) * min(near, 1)
		}
		if last != nil && before(r, *last) > 0 {
			continue // so many go before it that it cannot be in the digest
		}
		if order = append(order, r); len(order) == 2*mostDigest {
			slices.SortFunc(order, before)
			order = order[:mostDigest]
			last = &ranked{order[mostDigest-1].at, order[mostDigest-1].score}
		}
	}
	slices.SortFunc(order, before)
	order = order[:min(len(order), mostDigest)]
	b := Digest{Left: count}
	for _, r := range order {
		need := size(all[r.at].Item)
		if need > room || !told(all[r.at].Item) {
			continue
		}
		room, b.Left = room-need, b.Left-1
		b.Items = append(b.Items, all[r.at].Item)
	}
	return b
}
