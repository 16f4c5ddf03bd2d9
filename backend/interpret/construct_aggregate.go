package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// readAggregates reads "total revenue", "average unit price", "minimum and maximum freight", "average revenue per
// customer".
func readAggregates(d *draft) {
	d.averageAlso()
	for i := 0; i < len(d.pieces); i++ {
		if !d.reducer(i) {
			continue
		}
		reducers := []int{i}
		at := i + 1
		for { // "minimum, average and maximum"
			j := at
			for d.is(j, gluePiece, "and", "in") {
				j++
			}
			if !d.reducer(j) {
				at = j
				if at > 0 && d.is(at-1, gluePiece, "and") {
					at = reducers[len(reducers)-1] + 1
				}
				break
			}
			reducers = append(reducers, j)
			at = j + 1
		}
		if d.is(at, aggregatePiece, "count") && d.uses[at].slot == connects {
			at++
		}
		if d.is(at, grainPiece) && d.free(at) && d.pieces[at].adverb { // "average monthly revenue", "total quarterly sales"
			d.byGrain(reducers, at)
			continue
		}
		d.aggregate(reducers, at)
	}
}

// byGrain reads a statistic with a calendar unit before its number: an average over one value a month, a total of each month.
func (d *draft) byGrain(reducers []int, at int) {
	before := len(d.measures)
	d.aggregate(reducers, at+1)
	for k := before; k < len(d.measures); k++ {
		m := &d.measures[k]
		if m.reduce == "sum" || m.reduce == "count" || m.reduce == "" || len(m.per) > 0 {
			continue
		}
		if m.options[0].metric == nil && !m.star {
			d.invalid = true // an average of the months' averages is not what "average monthly price" says
		}
		m.per = []slot{{piece: at, grain: d.pieces[at].id}}
		if d.doubt == doubtRows {
			d.doubt = ""
		}
		d.take(at, "grain", d.pieces[at].id)
	}
}

func (d *draft) reducer(i int) bool {
	return d.free(i) && d.is(i, aggregatePiece, "sum", "avg", "min", "max", "median", "stddev")
}

// aggregate files one measure for every reducer over every operand: "average weight and height" averages both.
func (d *draft) aggregate(reducers []int, at int) {
	operands := []int{}
	for {
		m := d.measureOf(at, d.pieces[reducers[0]].id)
		if m == nil {
			break
		}
		operands = append(operands, at)
		if !d.is(at+1, gluePiece, "and") || len(d.names(at+2, func(t target) bool { return isMetric(t) || isMeasure(t) })) == 0 || d.saysReducer(at+2) {
			break
		}
		at += 2
	}
	if len(operands) == 0 {
		return
	}
	if next := operands[len(operands)-1] + 1; d.saysSumOf(reducers[0]) && (len(operands) > 1 || d.is(next, gluePiece, "and") && len(d.metrics(next+1)) > 0) {
		d.invalid = true // "the sum of stock and returns" is one number, and not that of the stock
	}
	for k, at := range operands {
		for _, r := range reducers {
			agg := d.pieces[r].id
			m := d.measureOf(at, agg)
			if k > 0 && agg == "sum" {
				m = d.measureOf(at, "")
			}
			if m == nil {
				d.invalid = true
				return
			}
			if agg == "avg" {
				d.nest(m, at)
			}
			if t := m.options[0]; agg != "sum" && len(m.per) == 0 && t.metric != nil && !redundant(agg, t.metric) && !d.isColumn(t) {
				d.doubt = doubtRows
			}
			if agg == "sum" && k == 0 && len(d.measures) == 0 && d.worthOrNumber(at, *m) {
				d.doubt = doubtWorth
			}
			m.near = d.neighborAfter(at)
			if e := d.beside(at - 1); e != nil && m.near == nil {
				m.near = e
			}
			d.measures = append(d.measures, *m)
		}
	}
	for _, at := range operands {
		d.take(at, "metric", d.measures[len(d.measures)-1].options[0].name())
	}
	for _, r := range reducers {
		d.take(r, "aggregate", d.pieces[r].id)
	}
}

// saysSumOf says whether a reducer is written "sum of": what stands behind it is added up to one number.
func (d *draft) saysSumOf(i int) bool {
	p := d.pieces[i]
	return slices.ContainsFunc(d.tokens[p.from:p.to], func(t token) bool { return t.norm == "sum" })
}

// averageAlso reads "average price and score" where "average price" is a metric by that name: the score is averaged too.
func (d *draft) averageAlso() {
	for i := range d.pieces {
		ms := d.metrics(i)
		if len(ms) == 0 || !ms[0].metric.Leaf() || ms[0].metric.Reducer != semantic.Avg || !d.saysReducer(i) {
			continue
		}
		for k := i; d.is(k+1, gluePiece, "and") && len(d.names(k+2, isMeasure)) > 0 && !d.saysReducer(k+2); k += 2 {
			m := measure{slot: slot{piece: k + 2, options: d.names(k+2, isMeasure), near: d.neighborAfter(k + 2)}, reduce: "avg"}
			d.measures = append(d.measures, m)
			d.take(k+2, "metric", m.options[0].name())
		}
	}
}

// saysReducer says whether the words of a name begin with a reducer of their own: "maximum temperature and average rainfall".
func (d *draft) saysReducer(i int) bool {
	return slices.ContainsFunc(d.ix.english.operators[d.tokens[d.pieces[i].from].norm], func(o operator) bool { return o.class == "aggregates" })
}

// nest reads "average revenue per customer" over a number that is added up or counted as one in two steps: a value for
// each customer, then their average. Over a plain column ("average freight per shipper") that is one of two readings.
func (d *draft) nest(m *measure, at int) {
	if m == nil || !d.is(at+1, groupPiece, "each") || !d.free(at+1) || !d.groupable(at+2) {
		return
	}
	if !m.star && redundantAll(*m) {
		return
	}
	if !m.star && d.isColumn(m.options[0]) {
		d.doubt = doubtPer
		return
	}
	m.per = append(m.per, d.perAt(at+2))
	d.take(at+1, connects, "")
	d.take(at+2, "dimension", d.pieces[at+2].label())
}

func (d *draft) perAt(i int) slot {
	s := slot{piece: i, options: d.members(i)}
	if d.is(i, grainPiece) {
		s.grain = d.pieces[i].id
	}
	return s
}

// redundantAll says whether every meaning of the measure is an average already.
func redundantAll(m measure) bool {
	return !slices.ContainsFunc(m.options, func(t target) bool { return !isMetric(t) || !redundant(m.reduce, t.metric) })
}

// isColumn says whether a number is a column of its rows, one value a row.
func (d *draft) isColumn(t target) bool {
	if t.metric == nil {
		return true
	}
	return t.metric.Leaf() && t.metric.Reducer != semantic.Count && t.metric.Reducer != semantic.CountDistinct && d.ix.dimension(t.metric.Entity, t.metric.Expr) != nil
}

// label gives a piece for a span before bind has chosen.
func (p *piece) label() string {
	if len(p.names) > 0 {
		return p.names[0].name()
	}
	return p.id
}
