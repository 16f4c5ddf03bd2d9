package interpret

import (
	"slices"
	"strings"
)

// finishOutcome asks back about a verb that says how the counted rows of the only table ended, where no condition says the same: "how many games did
// they win" is not answered by how many games there are. The results may stand in a column that nobody can read, such as "W 27-20".
func (d *draft) finishOutcome() {
	if d.ix.rowPlace() == nil || len(d.measures) != 1 || !d.measures[0].star && !d.measures[0].distinct {
		return
	}
	for k, t := range d.tokens {
		ends := slices.Contains(outcomes, t.norm) || slices.Contains(outcomes, d.ix.english.verbs[t.norm])
		if ends && (d.leftOut(k) || d.connected(k)) && (k+1 >= len(d.tokens) || d.tokens[k+1].norm != "by") && !d.saysOutcome(t.norm) {
			d.doubt = doubtEvent
		}
	}
}

// connected says whether a word was taken as one that only connects.
func (d *draft) connected(k int) bool {
	i := slices.IndexFunc(d.pieces, func(p *piece) bool { return p.from <= k && k < p.to })
	return i >= 0 && d.uses[i].slot == connects
}

// outcomes are verbs that say how something ended for somebody.
var outcomes = []string{"win", "wins", "won", "lose", "loses", "lost", "beat", "defeated", "awarded", "nominated", "elected", "cancelled", "canceled"}

// saysOutcome says whether a condition says how it ended: the word itself, or a column that is called after it.
func (d *draft) saysOutcome(verb string) bool {
	ending := func(w string) bool {
		return slices.Contains([]string{"result", "outcome", "winner", "winning", "won", "win", "loser", "losing", "lost", "champion", "victory", "award", "nominee", "nominated", "elected", "status", "wins", "position", "place", "finish", "rank"}, w) ||
			verbStem(w) == verbStem(verb)
	}
	if slices.ContainsFunc(words(labelOf(d.measures[0].options[0].name(), "")), ending) {
		return true
	}
	for _, f := range d.filters {
		for _, t := range f.options {
			if t.dim != nil && slices.ContainsFunc(words(strings.ToLower(t.dim.Name)), ending) {
				return true
			}
		}
	}
	return false
}
