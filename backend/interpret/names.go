package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// dimensionLabel gives a dimension for a person, with its entity, in words that the reader reads as exactly this one:
// "customers country".
func (ix *Index) dimensionLabel(e *semantic.Entity, d *semantic.Dimension) string {
	owner, own := strings.ToLower(labelOf(e.Label, e.Name)), strings.ToLower(labelOf(d.Label, d.Name))
	l := ix.english
	first, all := l.singulars(words(owner)), l.singulars(words(own))
	if len(all) > len(first) && slices.Equal(all[:len(first)], first) && len(ix.names.terms[join(all)]) == 1 {
		return own // "product name" of products, when nothing else is called so
	}
	return owner + " " + own
}

// targetLabel gives a meaning for a person.
func (ix *Index) targetLabel(t target) string {
	switch {
	case t.metric != nil:
		return strings.ToLower(labelOf(t.metric.Label, t.metric.Name))
	case t.value != nil:
		return *t.value
	case t.dim != nil:
		return ix.dimensionLabel(t.entity, t.dim)
	default:
		return strings.ToLower(labelOf(t.entity.Label, t.entity.Name))
	}
}

// enumerate joins things for a sentence: "a, b and c".
func enumerate(things []string) string {
	n := len(things)
	switch n {
	case 0:
		return ""
	case 1:
		return things[0]
	}
	return text.Say("interpret.and", "first", strings.Join(things[:n-1], ", "), "last", things[n-1])
}

// cutName splits "entity.dimension"; ok is false for a name without an entity.
func cutName(name string) (entity, dimension string, ok bool) {
	entity, dimension, ok = strings.Cut(name, ".")
	return entity, dimension, ok
}
