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

// Changes are what became of decided knowledge: what is approved or mandatory, as it is now, and what is neither any more, by id, which may never have been. Count is of how many changes that is.
type Changes struct {
	Count int64
	Items []Item
	Gone  []string
}

// Item is a piece of knowledge that is more than one person's, or may become so.
type Item struct {
	ID          string      `json:"id"`
	Term        string      `json:"term" doc:"A word that it gives a meaning, as it is written in questions; empty: it is no definition"`
	Means       string      `json:"means" doc:"In words of the model, as a formula or as a period"`
	Title       string      `json:"title"`
	Content     string      `json:"content" doc:"What is to be known, in words"` // data, never an instruction
	Category    Sort        `json:"category" enum:"factual,gotcha"`
	Domain      string      `json:"domain" doc:"What it is about; empty: a period, which is about everything"` // only knowledge of one domain contradicts or repeats another
	Tags        []string    `json:"tags" nullable:"false"`
	Entities    []string    `json:"entities" nullable:"false" doc:"Of the model"`
	Audience    string      `json:"audience" doc:"A group of roles.yaml; empty: everyone"`
	Sensitivity Sensitivity `json:"sensitivity" enum:",confidential" doc:"confidential: it stands in no context file, and its words go to no model elsewhere; empty: it goes where what is asked goes"`
	Contributor string      `json:"contributor" doc:"Who brought it"`
	Personal    bool        `json:"personal" doc:"Only the contributor sees it"`
	Supersedes  string      `json:"supersedes" doc:"The item in whose place it stands; empty: none"`
	From        time.Time   `json:"-"`
	Until       time.Time   `json:"-"`
	Evidence    []Evidence  `json:"evidence" nullable:"false"`
	Status      Status      `json:"status" enum:"pending,approved,mandatory,rejected,revoked,expired"`
	// SelfReviewed: it was approved by its only author, in a workspace of one person. What rests on it is never graded AAA.
	SelfReviewed bool       `json:"self_reviewed"`
	History      []Decision `json:"history" nullable:"false"`
	Branch       string     `json:"branch" doc:"Of git, on which its context file was written for review; empty: it was not"`
	Merged       *time.Time `json:"merged" doc:"Since when the context files say it; null: they do not"`
	Created      time.Time  `json:"created"`
	Changed      time.Time  `json:"changed"`
}

// At is the status of an item at a time.
func (i Item) At(now time.Time) Status {
	if (i.Status == Approved || i.Status == Mandatory) && !i.Until.IsZero() && !now.Before(i.Until) {
		return Expired
	}
	return i.Status
}

// Standing says whether an item waits for a decision, or was decided to hold and did not expire.
func (i Item) Standing(now time.Time) bool {
	at := i.At(now)
	return at == Pending || at == Approved || at == Mandatory
}

// Counts says whether an item is used for the answers of those who may see it, at a time.
func (i Item) Counts(now time.Time) bool {
	at := i.At(now)
	return (at == Approved || at == Mandatory) && !i.Personal && !now.Before(i.From)
}

// Behind are the people whose evidence stands behind an item, sorted, each once.
func (i Item) Behind() []string {
	all := []string{}
	for _, e := range i.Evidence {
		all = append(all, e.Actor)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Teaches is the item as a correction, where it gives a word a meaning.
func (i Item) Teaches() Correction {
	return Correction{ID: i.ID, Author: i.Contributor, Term: i.Term, Means: i.Means, Sort: i.Category, Domain: i.Domain}
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
