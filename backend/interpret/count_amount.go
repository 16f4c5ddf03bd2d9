package interpret

import (
	"maps"
	"slices"

	"assay/backend/semantic"
)

// A question for how many there are of something is never answered with a sum of what is only called so. Where a column
// says how many of them each row has (passengers of flights), the sum of it is the number, and the answer says that it was
// added up. Anything else by that name is an amount: "how many sales", where sales is money. Then rows are counted, and
// the person is asked whether that was meant.

// countsRows says whether a target is a metric that counts.
func countsRows(t target) bool {
	return t.metric != nil && (t.metric.Reducer == semantic.Count || t.metric.Reducer == semantic.CountDistinct)
}

// countAmount settles how many there are of what a measure adds up.
func (d *draft) countAmount(m *measure, i int) {
	t := m.options[0]
	if t.metric != nil && (!t.metric.Leaf() || t.metric.Reducer != semantic.Sum) && (countsRows(t) || t.metric.Unit == "" || t.metric.Unit != d.ix.model.Workspace.Currency) {
		return
	}
	if d.holdsHowMany(t, i) {
		m.tally = t.metric == nil || t.metric.Inferred
		return
	}
	rows := d.ix.rowsOf(t)
	if rows == nil {
		return
	}
	event := d.ix.event(t.metric, rows)
	if event == nil {
		event = rows
	}
	m.amount, m.reduce, m.star = &t, "count", true
	m.options = []target{{entity: event, match: t.match, score: t.score}}
}

// reducedColumn gives the column that a target reduces as it stands; nil when it computes more.
func (ix *Index) reducedColumn(t target) *semantic.Dimension {
	if t.metric == nil {
		return t.dim
	}
	return ix.dimension(t.metric.Entity, t.metric.Expr)
}

// holdsHowMany says whether a number says how many there are of what a piece names: a person declared a number of units so, or its name
// says it, or the word is one for what is won, scored or cast.
func (d *draft) holdsHowMany(t target, i int) bool {
	column := d.ix.reducedColumn(t)
	unit, name := "", ""
	if column != nil {
		unit, name = column.Unit, labelOf(column.Label, column.Name)
	}
	if t.metric != nil {
		unit = t.metric.Unit
	}
	currency := d.ix.model.Workspace.Currency
	switch {
	case unit != "" && (unit == currency || unit == "%"), semantic.NamesMoney(name):
		return false
	case t.metric != nil && !t.metric.Inferred, t.counts, slices.Contains(d.ix.english.tallied, d.tokens[d.pieces[i].to-1].lemma):
		return true
	}
	ws := words(name)
	return slices.ContainsFunc(ws, func(w string) bool {
		return slices.Contains(counting, w) || w == "quantity" || w == "headcount" || d.ix.english.singular(w) != w || semantic.Plural(w) == w
	})
}

// addedUp gives, beside each candidate that counts rows, the one that adds up the amount.
func (d *draft) addedUp(counted []candidate) (all []candidate) {
	for _, c := range counted {
		other, picks := *d, maps.Clone(c.picks)
		other.measures = slices.Clone(d.measures)
		m, t := &other.measures[0], *d.measures[0].amount
		picks[m.piece], m.star, m.amount, m.reduce, m.options = t, false, nil, "sum", []target{t}
		rows := d.ix.rowsOf(t)
		l := lead{slot: m.piece, t: t, rows: rows, event: d.ix.event(t.metric, rows), score: c.lead.score}
		all = append(all, other.compose(l, picks, c.score-0.1))
	}
	return all
}
