package interpret

import (
	"slices"
	"strings"

	"assay/backend/text"
)

// rankByAdjective reads superlatives that name what they rank by: "most expensive products", "newest employees", "best
// selling products". What the adjective stands for is looked up in the model and disclosed.
func (d *draft) rankByAdjective(i, next int, top *ranking, hints []string) bool {
	if hints[0] == lastHint {
		return d.rankByLast(i, top)
	}
	member := d.leadingMember(i)
	if d.groupable(next) {
		member = next
	}
	if member < 0 {
		return false
	}
	owners := d.entities(member)
	if d.keyBehind(member + 1) { // "the cheapest product by standard cost" says itself by what
		d.takeMember(top, member)
		return d.rankBy(top, member+1)
	}
	for _, hint := range hints {
		for _, t := range d.hinted(hint, owners) {
			switch {
			case isDimension(t) && len(owners) > 0 && t.entity == owners[0].entity:
				d.takeMember(top, member)
				top.member.options = owners
				top.by = measure{slot: slot{piece: -1, options: []target{t}}}
				top.attribute = true
			case isMetric(t):
				d.takeMember(top, member)
				top.by = measure{slot: slot{piece: -1, options: []target{t}}}
			default:
				continue
			}
			if t.metric != nil {
				d.note(text.Say("interpret.assume_adjective", "word", d.written(i), "meaning", labelOf(t.metric.Label, t.metric.Name)))
			} else if len(hints) > 1 || hint == defaultTimeHint {
				d.note(text.Say("interpret.assume_adjective", "word", d.written(i), "meaning", labelOf(t.dim.Label, t.dim.Name)))
			}
			return true
		}
	}
	return false
}

// keyBehind says whether "by" with a number stands behind a member.
func (d *draft) keyBehind(i int) bool {
	for j := i; j < len(d.pieces); j++ {
		if !d.is(j, groupPiece, "by") {
			continue
		}
		_, at := d.aggregateAt(j + 1)
		if len(d.metrics(at)) > 0 || len(d.names(at, func(t target) bool { return isNumeric(t) && !slices.Contains(t.entity.Key, t.dim.Name) })) > 0 {
			return true
		}
	}
	return false
}

// defaultTimeHint stands in the lexicon for the default time of the members.
const defaultTimeHint = "@time"

// hinted gives the things that an adjective may rank by.
func (d *draft) hinted(hint string, owners []target) []target {
	if hint != defaultTimeHint {
		return d.ix.names.terms[join(d.ix.english.singulars(strings.Fields(hint)))]
	}
	if len(owners) == 0 {
		return nil
	}
	e := owners[0].entity
	if dim := e.Dimension(e.DefaultTime); dim != nil {
		return []target{{entity: e, dim: dim}}
	}
	return nil
}

// written gives a piece as it stands in the question.
func (d *draft) written(i int) string {
	p := d.pieces[i]
	parts := make([]string, 0, p.to-p.from)
	for _, t := range d.tokens[p.from:p.to] {
		parts = append(parts, t.text)
	}
	return strings.Join(parts, " ")
}
