package semantic

import (
	"maps"
	"slices"
	"strings"
)

// FamilyTime is the family of all time dimensions in Additivity.Per.
const FamilyTime = "time"

// The words of Additivity that are no rule of a snapshot.
const (
	Additive    = "additive"
	NonAdditive = "none"
)

// SemiAdditive says how a semi-additive metric is taken over time: by the rule for time, else for one of the time
// dimensions (the first by name), else by the default. ok is false for a metric that is not semi-additive.
func (m *Metric) SemiAdditive() (s Semi, ok bool) {
	if word, set := m.Additivity.Per[FamilyTime]; set {
		return parseSemi(word)
	}
	// A rule of a snapshot stands for dimensions of time only: the loader refuses it anywhere else.
	for _, name := range slices.Sorted(maps.Keys(m.Additivity.Per)) {
		if s, ok := parseSemi(m.Additivity.Per[name]); ok {
			return s, true
		}
	}
	return parseSemi(m.Additivity.Default)
}

// String gives the word of Additivity: "semi(last)", "semi(last, per: [account_id])".
func (s Semi) String() string {
	if len(s.Per) == 0 {
		return "semi(" + s.Pick + ")"
	}
	return "semi(" + s.Pick + ", per: [" + strings.Join(s.Per, ", ") + "])"
}

func semiPicks() []string { return []string{"last", "first", "avg", "min", "max"} }

// parseSemi reads "semi(last)" and "semi(first, per: [a, b])".
func parseSemi(word string) (Semi, bool) {
	inner, ok := strings.CutPrefix(strings.TrimSpace(word), "semi(")
	if !ok || !strings.HasSuffix(inner, ")") {
		return Semi{}, false
	}
	pick, per, more := strings.Cut(strings.TrimSuffix(inner, ")"), ",")
	s := Semi{Pick: strings.TrimSpace(pick)}
	if !slices.Contains(semiPicks(), s.Pick) {
		return Semi{}, false
	}
	if !more {
		return s, true
	}
	per, named := strings.CutPrefix(strings.TrimSpace(per), "per:")
	per = strings.TrimSpace(per)
	if !named || !strings.HasPrefix(per, "[") || !strings.HasSuffix(per, "]") {
		return Semi{}, false
	}
	for _, name := range strings.Split(per[1:len(per)-1], ",") {
		name = strings.TrimSpace(name)
		if name == "" {
			return Semi{}, false
		}
		s.Per = append(s.Per, name)
	}
	return s, true
}

// canonicalAdditivity gives the one spelling of a word of Additivity.
func canonicalAdditivity(word string) (string, bool) {
	word = strings.TrimSpace(word)
	if word == Additive || word == NonAdditive {
		return word, true
	}
	s, ok := parseSemi(word)
	return s.String(), ok
}
