package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// fitWords scores one meaning of a slot by what stands elsewhere in the question: what is asked for, who acts, and the rest of a name.
func (d *draft) fitWords(s *slot, t target, l lead) (score float64) {
	if t.value != nil && !t.named && l.t.dim == t.dim && l.t.entity == t.entity && !onlyIs(s.options, t) {
		score += bindItself // "the capital of Luxembourg" is no matter of capitals that are called so
	}
	if t.value == nil && t.score < scoreSynonym && d.saysRest(s, t) {
		score += bindRest
	}
	if s.acts && d.isOf(t, l.rows) {
		score += bindActs
	}
	if t.value == nil || t.dim == nil {
		return score
	}
	if m := d.meeting(l.rows, t.entity); m != nil && d.ix.leadsBack(t, m) {
		score += bindItsOwnJoin
	}
	return score
}

// saysRest says whether the words of a name that were left out stand elsewhere in the question, and those of no other meaning do: "how
// high is the highest point" is about the highest elevation before the lowest one.
func (d *draft) saysRest(s *slot, t target) bool {
	if s.piece < 0 {
		return false
	}
	p := d.pieces[s.piece]
	elsewhere := append(slices.Clone(d.tokens[:p.from]), d.tokens[p.to:]...)
	said := func(o target) bool {
		return o.dim != nil && o.entity == t.entity && slices.ContainsFunc(words(o.dim.Name), func(w string) bool {
			return slices.ContainsFunc(elsewhere, func(k token) bool { return k.norm == w || k.lemma == w })
		})
	}
	return said(t) && slices.ContainsFunc(s.options, func(o target) bool { return o.dim != nil && o.entity == t.entity && !said(o) })
}

// onlyIs says whether all meanings are of the dimension of one of them.
func onlyIs(options []target, t target) bool {
	return !slices.ContainsFunc(options, func(o target) bool { return o.dim != t.dim || o.entity != t.entity })
}

// isOf says whether a value is what members are called by, or stands in a column that only says which member the rows belong to.
func (d *draft) isOf(t target, members *semantic.Entity) bool {
	if t.value == nil || t.dim == nil {
		return false
	}
	if t.entity == members {
		return d.identifies(t) || d.ix.ownName(members, t.dim)
	}
	return d.ix.leadsBack(t, members) || slices.ContainsFunc(members.Dimensions, func(own semantic.Dimension) bool {
		return d.ix.pointsAt(target{entity: members, dim: &own}, t)
	})
}
