package rules

import (
	"maps"
	"slices"
)

// Wishes are what a person prefers by a word of their own, beside what roles.yaml says of them. An agent has none.
type Wishes struct {
	ReviewAll     bool
	TrustRoutine  bool
	AlwaysConfirm []string // domains
}

// WithWishes gives the same rules for everybody but an actor, whose wishes hold in Identify from now on. What the file says
// stays: a wish adds a review or a domain, and trust in what is routine only where the file does not ask for a review.
func (rules *Rules) WithWishes(actor string, w Wishes) *Rules {
	changed := *rules
	changed.wishes = maps.Clone(rules.wishes)
	if changed.wishes == nil {
		changed.wishes = map[string]Wishes{}
	}
	changed.wishes[actor] = w
	return &changed
}

// WithWishesOf gives the rules with the wishes that hold in others: those of before the files were read anew.
func (rules *Rules) WithWishesOf(before *Rules) *Rules {
	changed := *rules
	changed.wishes = before.wishes
	return &changed
}

// wished adds an actor's wishes.
func (rules *Rules) wished(a Actor) Actor {
	w, ok := rules.wishes[a.ID]
	if !ok || a.Kind == Agent {
		return a
	}
	a.TrustRoutine = a.TrustRoutine || w.TrustRoutine && !a.ReviewAll && !w.ReviewAll
	a.ReviewAll = a.ReviewAll || w.ReviewAll
	for _, domain := range w.AlwaysConfirm {
		if !slices.Contains(a.AlwaysConfirm, domain) {
			a.AlwaysConfirm = append(slices.Clone(a.AlwaysConfirm), domain)
		}
	}
	return a
}
