package interpret

import (
	"slices"
	"strings"
)

// finishOutcome leaves a verb unread that says how the counted rows of the only table ended, where no condition says the same: "how many games did
// they win" is not answered by how many games there are. The results may stand in a column that nobody can read, such as "W 27-20".
func (d *draft) finishOutcome() {
	if d.ix.rowPlace() == nil || len(d.measures) != 1 || !d.measures[0].star && !d.measures[0].distinct {
		return
	}
	for i, p := range d.pieces {
		if p.kind != stopPiece && d.uses[i].slot != connects && p.kind != unknownPiece {
			continue
		}
		for _, t := range d.tokens[p.from:p.to] {
			if outcome := d.ix.english.verbs[t.norm]; slices.Contains(outcomes, t.norm) || slices.Contains(outcomes, outcome) {
				if p.to < len(d.tokens) && d.tokens[p.to].norm == "by" || d.tokens[p.to-1].norm == "by" || d.saysOutcome(t.norm) {
					return
				}
				left := *p
				left.kind = unknownPiece
				d.pieces[i], d.uses[i] = &left, use{}
				return
			}
		}
	}
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
