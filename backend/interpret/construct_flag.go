package interpret

import "assay/backend/semantic"

// readFlags reads yes-or-no attributes as conditions: "discontinued products", "products that are not discontinued".
func readFlags(d *draft) {
	for i := range d.pieces {
		ts := d.names(i, d.isFlag)
		if len(ts) == 0 || d.is(i-1, groupPiece) {
			continue
		}
		truth := i + 1
		for d.is(truth, gluePiece, "is") || d.is(truth, comparePiece, "eq") {
			truth++
		}
		f := filter{slot: slot{piece: i, options: ts, near: d.neighbor(i)}, named: -1, op: "is_true"}
		if e := d.beside(i + 1); e != nil {
			f.near = e
		}
		if j := d.negation(i); j >= 0 {
			f.op = "is_false"
			d.take(j, "filter", "not")
		}
		if d.free(truth) && d.is(truth, truthPiece) {
			if d.pieces[truth].id == "false" {
				f.op = map[string]string{"is_true": "is_false", "is_false": "is_true"}[f.op]
			}
			for k := i + 1; k < truth; k++ {
				d.take(k, connects, "")
			}
			d.take(truth, "value", d.pieces[truth].id)
		}
		d.filters = append(d.filters, f)
		d.take(i, "filter", ts[0].name())
	}
}

// negation gives the free negation word that governs a piece, over glue; -1 when there is none.
func (d *draft) negation(i int) int {
	j := i - 1
	for d.is(j, gluePiece, "in", "is", "with") {
		j--
	}
	if d.is(j, notPiece, "not") && d.free(j) {
		return j
	}
	return -1
}

// isFlag says whether a dimension answers yes or no: by its type, or because its only values in the data do.
func (d *draft) isFlag(t target) bool {
	if isBoolean(t) {
		return true
	}
	yes, no := d.ix.values.flags(t.dim)
	return isDimension(t) && t.dim.Type == semantic.Text && yes != "" && no != ""
}
