package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// readFirstWords reads who comes first by an adjective that names what it ranks by: "cheapest first", "oldest first", "starting with
// the youngest". What it stands for is looked up when it is known who is sorted.
func readFirstWords(d *draft) {
	for i, p := range d.pieces {
		if !d.free(i) || p.kind != adjectivePiece && !d.is(i, orderPiece, "asc", "desc") {
			continue
		}
		phrase, first := strings.CutSuffix(strings.ToLower(d.written(i)), " first")
		var ids []string
		for _, o := range d.ix.english.operators[phrase] {
			if o.class == "adjectives" {
				ids = append(ids, o.id)
			}
		}
		after, before := d.saysFirst(i+1), d.startsWith(i)
		if len(ids) == 0 || p.kind == adjectivePiece && !after && before < 0 || p.kind == orderPiece && !first {
			continue
		}
		switch {
		case after:
			d.take(i+1, connects, "")
		case before >= 0:
			d.take(before, connects, "")
		}
		d.take(i, "order", "first")
		d.order = append(d.order, ordering{hints: ids, desc: d.is(i, orderPiece, "desc")})
	}
}

// saysFirst says whether a piece is the word "first" that ends an order: "cheapest first".
func (d *draft) saysFirst(i int) bool {
	return i < len(d.pieces) && d.free(i) && strings.EqualFold(d.written(i), "first") && (d.ix.ends(d.tokens, d.pieces[i].to) || !d.is(i+1, namePiece))
}

// startsWith gives the piece of "starting with" before an adjective; -1: there is none.
func (d *draft) startsWith(i int) int {
	from := d.pieces[i].from
	for from > 0 && d.tokens[from-1].norm == "the" {
		from--
	}
	if from < 2 || d.tokens[from-1].norm != "with" || !oneOf("starting", "beginning", "start", "begin")(d.tokens[from-2].norm) {
		return -1
	}
	return slices.IndexFunc(d.pieces, func(p *piece) bool { return p.from <= from-2 && p.to > from-2 })
}

// firstBy finds the attribute of an entity that the adjective of an order stands for, and whether its largest value comes first.
func (d *draft) firstBy(hints []string, e *semantic.Entity) (by target, desc, ok bool) {
	for _, id := range hints {
		direction, names, _ := strings.Cut(id, " ")
		keep := func(t target) bool { return isDimension(t) && t.entity == e && (isNumeric(t) || isTemporal(t)) }
		if t, _, ok := d.ranksBy(strings.Split(names, "/"), []target{{entity: e}}, keep); ok {
			return t, direction == "high", true
		}
	}
	return target{}, false, false
}

// finishFirstWords sorts the members of a list by what the adjective of the order stands for. Where another key is named, the adjective
// only gives its direction.
func (d *draft) finishFirstWords() {
	if d.subject == nil || len(d.subject.options) == 0 {
		return
	}
	for k := 0; k < len(d.order); k++ {
		o := &d.order[k]
		if len(o.hints) == 0 {
			continue
		}
		by, desc, ok := d.firstBy(o.hints, d.subject.options[0].entity)
		named := slices.IndexFunc(d.order, func(o ordering) bool { return o.by != nil && len(o.hints) == 0 })
		switch {
		case named >= 0:
			if ok && slices.ContainsFunc(d.order[named].by.options, func(t target) bool { return t.dim == by.dim && t.entity == by.entity }) {
				d.order[named].desc = desc
			}
			d.order = slices.Delete(d.order, k, k+1)
			k--
		case ok:
			o.by, o.desc = &measure{slot: slot{piece: -1, options: []target{by}}}, desc
		}
	}
}
