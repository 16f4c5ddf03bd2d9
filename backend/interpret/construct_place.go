package interpret

import "slices"

// readPlace reads "where is Lyon": the attributes of what is named that say where it lies, for the only kind of thing that is called so.
func readPlace(d *draft) {
	if len(d.pieces) < 2 || d.tokens[0].norm != "where" || !d.is(0, gluePiece) && !d.is(0, listPiece) {
		return
	}
	at := -1
	for i := 1; i < len(d.pieces); i++ {
		switch {
		case len(d.values(i)) > 0 && at < 0:
			at = i
		case d.is(i, gluePiece) && at < 0 || d.is(i, stopPiece):
		default:
			return
		}
	}
	if at < 0 {
		return
	}
	var named []target
	for _, t := range d.values(at) {
		if slices.Contains(d.ix.nameColumns(t.entity), t.dim.Name) && !slices.ContainsFunc(named, func(o target) bool { return d.ix.pointsAt(o, t) || d.ix.pointsAt(t, o) }) {
			named = append(named, t)
		}
	}
	if len(named) != 1 {
		return
	}
	e := named[0].entity
	for i := range e.Dimensions {
		dim := &e.Dimensions[i]
		ws := d.ix.english.singulars(words(dim.Name))
		if dim == named[0].dim || !slices.ContainsFunc(ws, func(w string) bool { return slices.Contains(places, w) || slices.Contains(whereabouts, w) }) {
			continue
		}
		d.columns = append(d.columns, slot{piece: -2 - i, options: []target{{entity: e, dim: dim}}})
	}
	if len(d.columns) == 0 {
		return
	}
	p := *d.pieces[at]
	p.names = named
	d.pieces[at] = &p
	for i := range at {
		d.take(i, connects, "")
	}
}

// whereabouts are further words in the names of attributes that say where something lies.
var whereabouts = []string{"location", "address", "place", "street", "continent", "district", "borough", "venue", "site", "area"}
