package interpret

import (
	"slices"

	"assay/backend/interpret/thesaurus"
	"assay/backend/semantic"
	"assay/backend/text"
)

// standingClass stands before the words of the lexicon that say how rows stand to one another.
const standingClass = "standing "

// stands says whether the one word of a piece that nobody used is of one of the classes of standing.
func (d *draft) stands(i int, classes ...string) bool {
	if i < 0 || i >= len(d.pieces) || !d.free(i) || d.pieces[i].to-d.pieces[i].from != 1 || d.pieces[i].kind == namePiece {
		return false
	}
	w := d.tokens[d.pieces[i].from].norm
	return slices.ContainsFunc(classes, func(c string) bool {
		_, ok := d.ix.english.scope[standingClass+c][w]
		return ok
	})
}

// rowPlace gives the place of the rows in their file; nil where the model has none.
func (ix *Index) rowPlace() *target {
	if len(ix.model.Entities) != 1 {
		return nil
	}
	e := &ix.model.Entities[0]
	for i := range e.Dimensions {
		if e.Dimensions[i].IsRowPlace() {
			return &target{entity: e, dim: &e.Dimensions[i]}
		}
	}
	return nil
}

// readBeside reads what stands next to a row that is named: "who is listed after Ines", "the harbour before Arl". One in the singular is the
// very next one; how many there are counts all of them.
func readBeside(d *draft) {
	place := d.ix.rowPlace()
	if place == nil {
		return
	}
	for i := range d.pieces {
		anchor, ok := d.anchor(i)
		if !ok {
			continue
		}
		words, after := d.besideWords(i)
		if len(words) == 0 {
			continue
		}
		d.sameAsAsked(&anchor, i)
		beside := bound{operand: &measure{slot: slot{piece: -1, options: []target{*place}}, reduce: "max", only: []filter{anchor}}, members: true}
		f := filter{slot: slot{piece: -1, options: []target{*place}}, named: -1, op: "gt", bound: beside}
		if !after {
			f.op, f.bound.operand.reduce = "lt", "min"
		}
		if !d.asksCount() && !d.askRow(*place, after, i, anchor.options) {
			continue
		}
		d.filters = append(d.filters, f)
		said := ""
		for _, k := range words {
			d.take(k, "filter", f.op)
			said = d.written(k)
		}
		d.take(i, "value", anchor.options[0].name())
		d.note(text.Say("interpret.assume_row_order", "word", said))
		return
	}
}

// anchor gives the condition that a named row meets.
func (d *draft) anchor(i int) (filter, bool) {
	f := filter{slot: slot{piece: i}, named: -1, op: "eq"}
	switch {
	case d.free(i) && d.is(i, namePiece) && len(d.values(i)) > 0 && len(d.values(i)) == len(d.pieces[i].names):
		f.options, f.values = d.values(i), []*piece{d.valuePiece(i)}
	case d.free(i) && d.is(i, withinPiece):
		f = d.wordsWithin(i)
	default:
		return f, false
	}
	return f, true
}

// sameAsAsked lets the column that is asked for say what the named row is called so in: "which driver is listed after Ines".
func (d *draft) sameAsAsked(f *filter, i int) {
	var meant []target
	for _, o := range f.options {
		for j := range i {
			if slices.ContainsFunc(d.dimensions(j), func(t target) bool { return t.dim == o.dim }) {
				meant = append(meant, o)
				break
			}
		}
	}
	if len(meant) > 0 {
		f.options = meant
	}
}

// besideWords gives the words before a named row that say on which side of it the asked ones stand.
func (d *draft) besideWords(i int) (words []int, after bool) {
	side := false
	for j := i - 1; j >= 0; j-- {
		switch {
		case d.is(j, gluePiece):
			continue
		case d.stands(j, "after", "before"):
			if side {
				return nil, false
			}
			side, after = true, d.stands(j, "after")
			words = append(words, j)
			continue
		case d.stands(j, "next"):
			if !side { // "next to Ines"
				side, after = true, true
			}
			words = append(words, j)
			continue
		case side && d.stands(j, "listed"):
			words = append(words, j)
			continue
		}
		break
	}
	if !side {
		return nil, false
	}
	return words, after
}

// asksCount says whether the question asks how many there are.
func (d *draft) asksCount() bool {
	return slices.ContainsFunc(d.pieces, func(p *piece) bool { return p.kind == aggregatePiece && p.id == "count" })
}

// askRow asks for what stands in the first or last of the rows that meet the conditions: the column that the question names before them, else
// the one that another row was named by, else what members are called by.
func (d *draft) askRow(place target, first bool, until int, like []target) bool {
	if d.top != nil || d.listing || len(d.measures) > 0 {
		return false
	}
	asked := d.askedOfRow(until, like)
	if asked == nil {
		return false
	}
	by := measure{slot: slot{piece: -1, options: []target{place}}, reduce: "min"}
	direction := "low"
	if !first {
		by.reduce, direction = "max", "high"
	}
	d.listing = true
	d.columns = append(d.columns, *asked)
	if asked.piece >= 0 {
		d.take(asked.piece, "dimension", asked.options[0].name())
	}
	if asked.piece > 0 && d.plural(asked.piece) && len(d.entities(asked.piece)) == 0 {
		return true // "which drivers are listed after Ines": all of them
	}
	d.top = &ranking{n: 1, direction: direction, member: *asked, by: by, word: until}
	return true
}

// askedOfRow gives the column that is asked for: one named before a piece, or what "who" and a noun for the rows stand for.
func (d *draft) askedOfRow(until int, like []target) *slot {
	for j := range until {
		if ts := d.dimensions(j); len(ts) > 0 && d.free(j) {
			return &slot{piece: j, options: ts}
		}
	}
	for j := range until {
		if es := d.entities(j); len(es) > 0 {
			if dim := d.ix.called(es[0].entity, d.tokens[d.pieces[j].to-1].lemma); dim != nil {
				return &slot{piece: j, options: []target{{entity: es[0].entity, dim: dim}}}
			}
		}
	}
	if len(d.pieces) == 0 || !d.free(0) || d.pieces[0].to == d.pieces[0].from {
		return nil
	}
	if !d.is(0, listPiece) && !d.is(0, gluePiece) {
		return nil
	}
	if len(like) == 1 && like[0].dim != nil {
		return &slot{piece: 0, options: []target{{entity: like[0].entity, dim: like[0].dim}}}
	}
	e := &d.ix.model.Entities[0]
	dim := d.ix.called(e, "person")
	if dim == nil {
		return nil
	}
	return &slot{piece: 0, options: []target{{entity: e, dim: dim}}}
}

// called gives the column by which the rows of a table are called where a noun stands for them: one whose name is a kind of it, else what
// they are displayed by, else the first text.
func (ix *Index) called(e *semantic.Entity, noun string) *semantic.Dimension {
	for i := range e.Dimensions {
		dim := &e.Dimensions[i]
		ws := ix.english.singulars(words(labelOf(dim.Label, dim.Name)))
		if dim.Type == semantic.Text && dim.PII == "" && len(ws) > 0 && isKindOf(ws[len(ws)-1], noun) {
			return dim
		}
	}
	if dim := e.Dimension(e.Display); dim != nil {
		return dim
	}
	for i := range e.Dimensions {
		if dim := &e.Dimensions[i]; dim.Type == semantic.Text && dim.PII == "" && !isYear(dim) {
			return dim
		}
	}
	return nil
}

// isKindOf says whether a noun usually means a kind of another one: a driver is a person.
func isKindOf(noun, general string) bool {
	of, senses := sensesOf(general), sensesOf(noun)
	if len(of) == 0 || len(senses) == 0 {
		return false
	}
	seen := []thesaurus.Concept{senses[0].Concept}
	for k := 0; k < len(seen) && k < 64; k++ {
		if seen[k] == of[0].Concept {
			return true
		}
		seen = append(seen, thesaurus.Above(seen[k])...)
	}
	return false
}

// readFirstRow reads the first and the last of the rows, where they have no time of their own: "the last harbour listed", "which race came
// first".
func readFirstRow(d *draft) {
	place := d.ix.rowPlace()
	if place == nil || d.top != nil || d.asksCount() {
		return
	}
	for i := range d.pieces {
		if !d.is(i, adjectivePiece, "high @time", "low @time") || !d.free(i) || d.is(i+1, numberPiece) {
			continue
		}
		w := d.tokens[d.pieces[i].from].norm
		if w != "first" && w != "last" {
			continue
		}
		until := i
		if len(d.dimensions(i+1)) > 0 || len(d.entities(i+1)) > 0 {
			until = i + 2
		}
		by := *place
		if ys := d.names(i+1, func(t target) bool { return isNumeric(t) && isYear(t.dim) }); len(ys) > 0 {
			by = ys[0] // "the last year"
		}
		if !d.askRow(by, w == "first", until, nil) {
			return
		}
		if d.top == nil {
			d.invalid = true // "the last drivers": how many of them?
			return
		}
		d.take(i, "top", d.top.direction)
		d.placedThere(i)
		if by == *place {
			d.note(text.Say("interpret.assume_row_order", "word", w))
		}
		return
	}
}

// placedThere takes the words beside "first" and "last" that only say that rows stand in the table.
func (d *draft) placedThere(i int) {
	for _, j := range []int{i - 1, i + 1, i + 2, i + 3} {
		switch {
		case d.stands(j, "listed", "group"):
			d.take(j, connects, "")
		case j > i && (len(d.dimensions(j)) > 0 || len(d.entities(j)) > 0) && j == i+1:
			d.take(j, connects, "")
		}
	}
}
