package knowledge

import (
	"slices"
	"strings"
)

// Corrected is a correction of a person, as far as it matters to whether others said the same.
type Corrected struct {
	ID     string
	Actor  string
	Domain string
}

// Agreement asks when corrections make a candidate.
type Agreement struct {
	MoreThan   int     // different senior people: more than this
	Similarity float64 // 0 to 1: more than this
	Senior     func(actor string) bool
	// Alike is how much two corrections mean the same, 0 to 1; 0 for two that say the opposite.
	Alike func(a, b Corrected) float64
}

// Candidate is what several people said, for a person to decide about. Nothing follows from it by itself.
type Candidate struct {
	Domain      string
	Corrections []string // ids, sorted
	Seniors     []string // the different senior people among them, sorted
}

// Reached says whether, with a correction, enough people have said the same. It does not depend on the order of the others; what one person says often counts once, and
// what is said in another domain, or by nobody, does not.
func (a Agreement) Reached(of Corrected, others []Corrected) (Candidate, bool) {
	c := Candidate{Domain: of.Domain, Corrections: []string{}, Seniors: []string{}}
	for _, o := range append([]Corrected{of}, others...) {
		if o.Domain != of.Domain || o.Actor == "" || o.ID != of.ID && a.Alike(of, o) <= a.Similarity {
			continue
		}
		c.Corrections = append(c.Corrections, o.ID)
		if a.Senior(o.Actor) {
			c.Seniors = append(c.Seniors, o.Actor)
		}
	}
	for _, list := range []*[]string{&c.Corrections, &c.Seniors} {
		slices.SortFunc(*list, strings.Compare)
		*list = slices.Compact(*list)
	}
	return c, len(c.Seniors) > a.MoreThan
}
