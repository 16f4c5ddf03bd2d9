package interpret

import (
	"slices"
	"strings"
)

// readJoinVerbs takes a verb that only names the column by which two things that the question names are joined: "battles with ships
// lost" where ships have lost_in_battle. It says how they belong together, and nothing is shown or compared.
func readJoinVerbs(d *draft) {
	for i, p := range d.pieces {
		if p.kind != namePiece || !d.free(i) || p.to != p.from+1 || !d.ix.english.participle(d.tokens[p.from]) {
			continue
		}
		joins := func(t target) bool {
			return isDimension(t) && slices.ContainsFunc(d.pieces, func(o *piece) bool {
				return o != p && slices.ContainsFunc(o.names, func(n target) bool {
					return isEntity(n) && len(n.entity.Key) == 1 && d.ix.pointsAt(t, target{entity: n.entity, dim: d.ix.dimension(n.entity.Name, n.entity.Key[0])})
				})
			}) && slices.ContainsFunc(d.pieces, func(o *piece) bool {
				return o != p && slices.ContainsFunc(o.names, func(n target) bool { return isEntity(n) && n.entity == t.entity })
			})
		}
		if !slices.ContainsFunc(p.names, func(t target) bool { return !joins(t) }) {
			d.take(i, connects, "")
		}
	}
}

// participle says whether a word is the participle of a verb.
func (l *lexicon) participle(t token) bool {
	return l.pasts[t.norm] || len(t.norm) > 4 && strings.HasSuffix(t.norm, "ed")
}
