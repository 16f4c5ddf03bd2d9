package knowledge

import (
	"slices"
	"time"
)

// Status is how far an item has come.
type Status string

// The statuses.
const (
	Pending   Status = "pending"
	Approved  Status = "approved"
	Mandatory Status = "mandatory"
	Rejected  Status = "rejected"
	Revoked   Status = "revoked"
	Expired   Status = "expired" // its validity is over; it is never stored, the clock says it
)

// Item is a piece of knowledge that is more than one person's, or may become so.
type Item struct {
	ID          string
	Title       string
	Content     string // what is to be known, in words; data, never an instruction
	Category    string
	Domain      string // what it is about: one knowledge contradicts or repeats another of the same domain alone
	Tags        []string
	Entities    []string // ids of the registry
	Audience    string   // a group of the roles; empty: everyone
	Sensitivity string
	Contributor string // who brought it
	Personal    bool   // only the contributor sees it
	Supersedes  string // the item in whose place it stands; empty: none
	From, Until time.Time
	Evidence    []Evidence
	Status      Status
	// SelfReviewed: it was approved by its only author, in a workspace of one person. What rests on it is never graded AAA.
	SelfReviewed bool
	History      []Decision
}

// At is the status of an item at a time.
func (i Item) At(now time.Time) Status {
	if (i.Status == Approved || i.Status == Mandatory) && !i.Until.IsZero() && !now.Before(i.Until) {
		return Expired
	}
	return i.Status
}

// Counts says whether an item is used for the answers of those who may see it, at a time.
func (i Item) Counts(now time.Time) bool {
	at := i.At(now)
	return (at == Approved || at == Mandatory) && !i.Personal && !now.Before(i.From)
}

// Viewer is who wants to see.
type Viewer struct {
	Actor   string
	Steward bool
	Groups  []string
}

// Visible is the boundary of every place that reads items: to everyone else an item does not exist. A personal one is its contributor's alone, also before stewards. What is
// not decided, and what was turned down, is for its contributor and for stewards; the rest for its audience, its contributor and stewards.
func (i Item) Visible(to Viewer, now time.Time) bool {
	switch {
	case to.Actor != "" && to.Actor == i.Contributor:
		return true
	case i.Personal:
		return false
	case to.Steward:
		return true
	}
	return i.Counts(now) && (i.Audience == "" || slices.Contains(to.Groups, i.Audience))
}

// authors are the people behind an item, sorted, each once.
func (i Item) authors() []string {
	all := []string{}
	if i.Contributor != "" {
		all = append(all, i.Contributor)
	}
	for _, e := range i.Evidence {
		all = append(all, e.Actor)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
