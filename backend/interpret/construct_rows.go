package interpret

import "assay/backend/text"

// readRows reads an entity with something to group by as the number of its rows: "orders by country", "customers per
// city".
func readRows(d *draft) {
	if len(d.measures) == 0 && !d.listing { // "customers with revenue above 10000" show the revenue too
		for _, h := range d.having {
			d.measures = append(d.measures, h.measure)
		}
	}
	if len(d.measures) > 0 || d.listing || len(d.groups) == 0 && !d.trend || d.doubt != "" {
		return
	}
	i := d.anyEntity()
	if i < 0 || d.is(i-1, listPiece) && !d.plural(i) && d.ix.countable(d.pieces[i], d.tokens) { // "and which course they teach" asks for it, and not how many
		return
	}
	es := d.entities(i)
	m := measure{slot: slot{piece: i, options: es}, reduce: "count", star: true}
	d.measures = append(d.measures, m)
	d.subject = &m.slot
	d.take(i, "metric", es[0].name())
	d.uses[i].method = MethodDefault
	d.note(text.Say("interpret.assume_count", "entity", labelOf(es[0].entity.Label, es[0].entity.Name)))
}
