package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// lastHint stands in the lexicon for the last time that something was recorded of the members.
const lastHint = "@last"

// rankByLast reads "the customer who placed an order most recently": members by the last of the rows that record what they
// did. "The document that was created most recently" is about the time of the members themselves.
func (d *draft) rankByLast(i int, top *ranking) bool {
	host := -1
	for k := range i {
		if d.free(k) && len(d.entities(k)) > 0 {
			host = k
			break
		}
	}
	if host < 0 || unclear(d.entities(host)) {
		return false
	}
	of := d.entities(host)[0]
	rows, at := d.rowsDone(host)
	switch {
	case rows == nil && at < 0 && d.onlyCame(host, i) && of.entity.Dimension(of.entity.DefaultTime) != nil:
		top.by = measure{slot: slot{piece: -1, options: []target{{entity: of.entity, dim: of.entity.Dimension(of.entity.DefaultTime)}}}}
		top.attribute = true
	case rows != nil:
		if at >= 0 {
			d.take(at, "entity", rows.Name)
		}
		top.by = measure{slot: slot{piece: -1, options: []target{{entity: rows, dim: rows.Dimension(rows.DefaultTime)}}}, reduce: "max"}
		if top.direction == "low" {
			top.by.reduce = "min"
		}
	default:
		return false
	}
	for k := host + 1; k < len(d.pieces); k++ {
		if w := d.word(k); d.is(k, unknownPiece) && w != "" && d.ix.english.events[verbStem(w)[1:]] {
			d.take(k, connects, "") // "started a policy"
		}
	}
	d.takeMember(top, host)
	top.member.options = []target{of}
	if top.n <= 0 {
		top.n = 1
	}
	return true
}

// rowsDone gives the rows with a time that record what members did, and the piece that names them or -1: what stands behind
// the members, else what the verb records. nil: none, or several as likely.
func (d *draft) rowsDone(host int) (*semantic.Entity, int) {
	of := d.entities(host)[0].entity
	timed := func(e *semantic.Entity) bool {
		return e != nil && e != of && e.Dimension(e.DefaultTime) != nil && d.mayHaveMany(e, of)
	}
	for k := host + 1; k < len(d.pieces); k++ {
		for _, e := range d.entities(k) {
			if timed(e.entity) {
				return e.entity, k
			}
		}
		if len(d.entities(k)) > 0 {
			if e := d.actBetween(host, len(d.pieces)); timed(e) {
				return e, -1
			}
			return nil, k
		}
	}
	if e := d.actBetween(host, len(d.pieces)); timed(e) {
		return e, -1
	}
	return nil, -1
}

// onlyCame says whether the words between members and their rank say no more than that they came to be.
func (d *draft) onlyCame(host, rank int) bool {
	end := rank + 2
	if end > len(d.pieces) {
		end = len(d.pieces)
	}
	return slices.ContainsFunc(d.tokens[d.pieces[host].to:d.pieces[end-1].to], func(t token) bool {
		return t.kind == wordToken && d.ix.english.events[verbStem(t.norm)[1:]]
	})
}

// word gives the one word of a piece that nobody has used; empty when there is none.
func (d *draft) word(i int) string {
	if !d.free(i) || d.pieces[i].to-d.pieces[i].from != 1 {
		return ""
	}
	return d.tokens[d.pieces[i].from].norm
}
