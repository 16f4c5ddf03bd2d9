package interpret

import (
	"slices"

	"assay/backend/text"
)

// firstOfAll reads a column whose name is a superlative as that of the one member that it is most true of: "which region has the highest point",
// where a number beside it says how high each of them is. Without that number, or where several members are asked for, it is not.
func (d *draft) firstOfAll(s slot, direction string) bool {
	if d.top != nil || len(d.groups) > 0 || len(d.measures) > 0 || d.subject != nil && (d.subject.piece < 0 || d.plural(d.subject.piece)) {
		return false
	}
	if slices.ContainsFunc(d.tokens, func(t token) bool { return slices.Contains([]string{"each", "every", "all"}, t.norm) }) {
		return false
	}
	by, ok := d.ix.degreeOf(s.options[0])
	if !ok {
		return false
	}
	d.top = &ranking{n: 1, word: s.piece, direction: direction, attribute: true, by: measure{slot: slot{piece: -3, options: []target{by}}}}
	d.top.member = slot{piece: -1, options: []target{{entity: by.entity}}}
	if d.subject != nil {
		d.top.member = *d.subject
	}
	d.subject, d.listing = &d.top.member, true
	if by.dim != s.options[0].dim && !slices.ContainsFunc(d.columns, func(o slot) bool { return len(o.options) > 0 && o.options[0].dim == by.dim }) {
		d.columns = append(d.columns, d.top.by.slot)
	}
	d.note(text.Say("interpret.assume_adjective", "word", d.written(s.piece), "meaning", d.ix.dimensionLabel(by.entity, by.dim)))
	return true
}

// degreeOf gives the number that says how far a column whose name is a superlative goes: itself, or the only number beside it of the same
// superlative, such as the highest elevation beside the highest point.
func (ix *Index) degreeOf(t target) (target, bool) {
	if isNumeric(t) {
		return t, true
	}
	var found []target
	for i := range t.entity.Dimensions {
		dim := &t.entity.Dimensions[i]
		if dim.Type.Numeric() && words(dim.Name)[0] == words(t.dim.Name)[0] {
			found = append(found, target{entity: t.entity, dim: dim})
		}
	}
	if len(found) != 1 {
		return target{}, false
	}
	return found[0], true
}

// finishHighest takes the largest or the smallest value of a column that is called after it: "the highest elevation" of all regions is no average of
// the highest one of each.
func (d *draft) finishHighest() {
	for k := range d.measures {
		m := &d.measures[k]
		if !m.assumed || len(m.options) == 0 || m.options[0].dim == nil {
			continue
		}
		for _, op := range d.ix.english.operators[words(m.options[0].dim.Name)[0]] {
			if reduce := map[string]string{"high": "max", "low": "min"}[op.id]; op.class == "ranking" && reduce != "" {
				m.reduce, m.assumed = reduce, false
			}
		}
	}
}
