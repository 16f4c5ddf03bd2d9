package interpret

import (
	"strings"

	"assay/backend/text"
)

// rankBySize lets "the largest city" be ranked by what says how large its members are, where the question names no number: an area before
// a population. It says what it took.
func (d *draft) rankBySize(top *ranking) bool {
	owners := d.rankedMembers(top)
	if len(owners) == 0 {
		return false
	}
	for _, hints := range d.sizes(top.word) {
		if t, ok := d.attribute(hints, owners); ok {
			top.member.options = owners
			top.by = measure{slot: slot{piece: -1, options: []target{t}}}
			top.attribute = true
			d.note(text.Say("interpret.assume_adjective", "word", d.written(top.word), "meaning", labelOf(t.dim.Label, t.dim.Name)))
			return true
		}
	}
	return false
}

// sizes gives the attributes that a superlative of size may be about.
func (d *draft) sizes(i int) (all [][]string) {
	p := d.pieces[i]
	for _, o := range d.ix.english.phrase(d.tokens, p.from, p.to-p.from) {
		if o.class == "sizes" {
			all = append(all, strings.Split(o.id, "/"))
		}
	}
	return all
}

// rankedMembers gives the entities whose members are ranked.
func (d *draft) rankedMembers(top *ranking) (out []target) {
	for _, t := range top.member.options {
		if isEntity(t) {
			out = append(out, t)
		}
	}
	return out
}
