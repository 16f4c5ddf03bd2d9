package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// finishWhere reads "where" before members that are listed or ranked: it asks for where they are or come from, as in "where is
// the oldest skipper from" and "where do the customers live".
func (d *draft) finishWhere() {
	if len(d.pieces) == 0 || d.tokens[0].norm != "where" || !d.unread(0) || !d.listing || d.subject == nil || len(d.measures) > 0 || slices.ContainsFunc(d.columns, d.askedFor) {
		return
	}
	e := d.subject.options[0].entity
	asked := [][]string{places, whereabouts}
	if words := lowered(d.tokens); slices.Contains(words, "from") {
		asked = [][]string{origins, places}
	} else if slices.Contains(words, "born") {
		asked = [][]string{births}
	}
	for _, said := range asked {
		for i := range e.Dimensions {
			if d.ix.saysWhere(&e.Dimensions[i], said) {
				d.columns = append(d.columns, slot{piece: -2 - i, options: []target{{entity: e, dim: &e.Dimensions[i]}}})
			}
		}
		if slices.ContainsFunc(d.columns, d.askedFor) {
			d.take(0, connects, "")
			return
		}
	}
}

// askedFor says whether a column is asked for, and not only what members are ranked by.
func (d *draft) askedFor(s slot) bool {
	return d.top == nil || s.piece != d.top.word && s.piece != d.top.by.piece
}

// saysWhere says whether one of the words is in the name of a text.
func (ix *Index) saysWhere(dim *semantic.Dimension, said []string) bool {
	return dim.Type == semantic.Text && slices.ContainsFunc(ix.english.singulars(words(dim.Name)), func(w string) bool { return slices.Contains(said, w) })
}

// What is in the names of attributes that say where somebody comes from, and where somebody was born.
var (
	origins = []string{"hometown", "home", "origin", "native", "nationality", "citizenship", "birthplace"}
	births  = []string{"birthplace", "birth", "born"}
)
