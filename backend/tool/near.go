package tool

import (
	"cmp"
	"slices"
	"strings"

	"assay/backend/spelling"
	"assay/backend/text"
)

// mostAvailable names stand with a problem.
const mostAvailable = 20

// unknown is the problem of a name that is not there: with the one that was likely meant, and others that there are, the nearest first.
func unknown(kind, key, wanted string, known []string) *Problem {
	p := &Problem{Kind: kind, Message: text.Say(key, "name", name(wanted)), Name: name(wanted)}
	ranked := nearest(wanted, known)
	if len(ranked) > 0 && near(wanted, ranked[0]) {
		p.Suggestion = text.Say("tool.did_you_mean", "name", name(ranked[0]))
	}
	p.Available = names(ranked[:min(len(ranked), mostAvailable)])
	return p
}

// nearest orders names by how like a word they are; equally like ones keep their order.
func nearest(word string, known []string) []string {
	all := slices.Clone(known)
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(apart(word, a), apart(word, b)) })
	return slices.Compact(all)
}

// apart is how far a word is from a name, or from the part of it behind a dot.
func apart(word, known string) int {
	const far = 12
	word, known = strings.ToLower(name(word)), strings.ToLower(name(known))
	least := spelling.Distance(word, known, far)
	if _, last, dotted := strings.Cut(known, "."); dotted {
		least = min(least, 1+spelling.Distance(word, last, far))
	}
	if len(word) >= 3 && strings.Contains(known, word) {
		least = min(least, 2)
	}
	return least
}

func near(word, known string) bool { return apart(word, known) <= len([]rune(name(word)))/3+1 }
