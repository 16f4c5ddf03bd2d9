package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

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
		if d.ownValue(i, f) {
			continue
		}
		if ts[0].denied {
			f.op = "is_false"
		}
		if j := d.negation(i); j >= 0 {
			f.op = map[string]string{"is_true": "is_false", "is_false": "is_true"}[f.op]
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

// ownValue says whether a word that is a flag of something else is a value of the members beside it: active customers have the status, and not only
// bought what is active.
func (d *draft) ownValue(i int, f filter) bool {
	of := func(t target) bool { return t.entity == f.near }
	return f.near != nil && !slices.ContainsFunc(f.options, of) && slices.ContainsFunc(d.values(i), of)
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

// isFlag says whether a dimension answers yes or no: by its type, because its only values in the data do, or because it is a number that is
// called so, such as is_open.
func (d *draft) isFlag(t target) bool { return d.ix.isFlag(t) }

func (ix *Index) isFlag(t target) bool {
	if isBoolean(t) {
		return true
	}
	if !isDimension(t) || t.dim.Type != semantic.Text {
		return isDimension(t) && isFlagNumber(t.dim)
	}
	yes, no := ix.values.flags(t.dim)
	return yes != "" && no != ""
}

// isFlagNumber says whether a whole number is 1 for yes and 0 for no, by its name.
func isFlagNumber(d *semantic.Dimension) bool {
	ws := words(d.Name)
	return d.Type == semantic.Integer && len(ws) > 1 && slices.Contains([]string{"is", "has", "was", "can"}, ws[0])
}

// opposites gives the yes-or-no attributes that a word is the opposite of: "closed" of is_open, "inactive" of active.
func (ix *Index) opposites(word string) []target {
	said := slices.Clone(ix.english.opposites[word])
	for _, prefix := range []string{"un", "in", "non", "dis"} {
		if rest, ok := strings.CutPrefix(word, prefix); ok && len(rest) > 3 {
			said = append(said, rest)
		}
	}
	var out []target
	for _, w := range said {
		for _, t := range ix.names.terms[w] {
			if ix.isFlag(t) && t.match != fuzzyMatch {
				t.denied = true
				out = append(out, t)
			}
		}
	}
	return out
}
