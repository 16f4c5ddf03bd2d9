package knowledge

import (
	"regexp"
	"slices"
	"strings"
)

// Sorted is what a model says that words are about.
type Sorted struct {
	Sort  Sort   `json:"sort"`
	Term  string `json:"term"`
	Means string `json:"means"` // of a gotcha: the rows that do not count; of a preference: the wish in a sentence
}

var (
	numeral = regexp.MustCompile(`[0-9]+(?:[.,][0-9]+)*`)
	literal = regexp.MustCompile(`'[^']*'|"[^"]*"|“[^”]*”`)
)

// Holds gives what a model says of words as a correction; false: it does not hold. A term stands in the words, or is what the answer before shows; nothing between quotation marks, and no number,
// is another one than in the words. What it means is looked at by who compiles it. A preference has its sentence in Means.
func (s Sorted) Holds(words, number string) (Correction, bool) {
	rest := Line(words)
	c := Correction{Quote: rest, Sort: s.Sort}
	term, means := bare(Line(s.Term)), bare(Line(s.Means))
	if invents(rest, Line(s.Means)) != "" {
		return c, false
	}
	switch s.Sort {
	case Permission:
		return c, true
	case Preferred:
		c.Means = means
		return c, means != ""
	case Factual, Gotcha:
	default:
		return c, false
	}
	switch {
	case Key(term) == "" || Key(means) == "":
		return c, false
	case !Says(rest, term) && (number == "" || Key(term) != Key(number)):
		return c, false
	}
	if c = c.defines(term, means); s.Sort == Gotcha {
		c = c.leavesOut(term, means)
	}
	return c, c.Check() == nil
}

// Says says whether words hold others, one after the other, however they are written.
func Says(words, part string) bool {
	return strings.Contains(" "+Key(words)+" ", " "+Key(part)+" ")
}

// invents gives the first number or quoted text of a meaning that the words do not have; empty: there is none.
func invents(words, means string) string {
	there := numeral.FindAllString(words, -1)
	for _, n := range numeral.FindAllString(means, -1) {
		if !slices.Contains(there, n) {
			return n
		}
	}
	for _, l := range literal.FindAllString(means, -1) {
		if !Says(words, l) {
			return l
		}
	}
	return ""
}
