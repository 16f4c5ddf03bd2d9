package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// worthWords stand for what was done as well as for what it came to: "total payments" may be a number of them or a sum of money.
var worthWords = []string{"sale", "sales", "payment", "expense", "donation", "deposit", "purchase", "refund", "fine", "fee", "cost", "earning", "expenditure", "withdrawal", "bonus", "salary", "rent", "loan", "grant", "contribution", "premium", "settlement"}

// worthOrNumber says whether a total is one of rows that are also sums: "total sales" where a sale has a price. A person is asked which.
func (d *draft) worthOrNumber(i int, m measure) bool {
	t := m.options[0]
	e := d.ix.rowsOf(t)
	if e == nil || !m.star && (t.metric == nil || d.ix.counter(e) != t.metric || !t.metric.Inferred) || d.ix.tallied(e) != nil {
		return false
	}
	from := d.pieces[i].from
	for k := i - 1; k >= 0 && d.is(k, aggregatePiece); k-- {
		from = d.pieces[k].from
	}
	if slices.ContainsFunc(d.tokens[from:d.pieces[i].to], func(t token) bool { return t.norm == "number" || t.norm == "count" }) {
		return false // "total number of sales" says which
	}
	return slices.Contains(worthWords, d.tokens[d.pieces[i].to-1].lemma) && len(d.ix.worths(e)) > 0
}

// worths gives the columns of an entity that add up.
func (ix *Index) worths(e *semantic.Entity) (out []target) {
	if e == nil {
		return nil
	}
	for i := range e.Dimensions {
		if t := (target{entity: e, dim: &e.Dimensions[i]}); isNumeric(t) && (isMeasure(t) && !ix.averaged(t) || ix.declared(t, semantic.Sum) != nil) {
			out = append(out, t)
		}
	}
	return out[:min(len(out), mostOthers)]
}
