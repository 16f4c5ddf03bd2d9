package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// measureOf reads a piece as a number: a metric, a measure column, or the count of an entity's rows. agg is the reducer
// that was asked for; empty: none. nil when the piece is no number.
func (d *draft) measureOf(i int, agg string) *measure {
	m := &measure{slot: slot{piece: i}, reduce: agg}
	metrics, entities, dims := d.metrics(i), d.entities(i), d.names(i, isNumeric)
	if agg == "count" && len(entities) > 0 && len(metrics) > 0 && entities[0].score >= metrics[0].score && !countsRows(metrics[0]) {
		metrics = nil // rows that are called so are counted, and no column of them that is called so too is added up
	}
	switch agg {
	case "count", "":
		if agg == "" {
			dims = d.names(i, isMeasure)
		}
		if len(entities) > 0 && (len(metrics) == 0 || entities[0].score > metrics[0].score) {
			m.options, m.star, m.reduce = entities, true, "count"
			return m
		}
		if len(metrics) > 0 {
			m.options, m.reduce = metrics, ""
			if agg == "count" {
				d.countAmount(m, i)
			}
			return m
		}
		if agg == "count" {
			dims = d.dimensions(i)
		}
	default:
		if len(metrics) > 0 && (len(dims) == 0 || metrics[0].score >= dims[0].score) {
			m.options = metrics
			return m
		}
		if agg == "sum" && len(entities) > 0 {
			m.options, m.star, m.reduce = entities, true, "count"
			return m
		}
	}
	if len(dims) == 0 {
		return nil
	}
	m.options = dims
	if agg == "" {
		m.reduce, m.assumed = "sum", true
	}
	if agg == "count" {
		m.distinct = true
		if isMeasure(dims[0]) && !d.ix.averaged(dims[0]) {
			m.reduce, m.distinct = "sum", false
			d.countAmount(m, i)
		}
	}
	return m
}

// number gives the Frame-QL expression of one meaning of the measure. per is the inner grain of a measure in two steps.
func (ix *Index) number(m measure, t target, per *frameql.Grain) *frameql.Expr {
	if e, column := ix.ofTallied(m, t); column != nil {
		sum := ix.number(measure{reduce: "sum"}, target{entity: e, dim: column}, nil)
		if sum.At = per; per == nil || m.reduce == "" || m.reduce == "count" {
			return sum
		}
		return &frameql.Expr{Reduce: m.reduce, Of: sum}
	}
	switch {
	case m.star && t.entity != nil && (m.reduce == "count" || m.reduce == "") && per == nil && ix.severalRows(t.entity) != nil:
		return &frameql.Expr{Reduce: "count", Dist: true, Of: &frameql.Expr{Metric: t.entity.Name + "." + ix.severalRows(t.entity).Name}}
	case t.metric != nil, m.star && ix.counter(t.entity) != nil:
		metric := t.metric
		if metric == nil {
			metric = ix.counter(t.entity)
		}
		e := &frameql.Expr{Metric: metric.Name, At: per}
		if m.reduce == "" || m.reduce == "count" || redundant(m.reduce, metric) && per == nil {
			return e
		}
		return &frameql.Expr{Reduce: m.reduce, Of: e}
	case m.star:
		count := &frameql.Expr{Reduce: "count", Star: true, At: per}
		if per == nil {
			return count
		}
		return &frameql.Expr{Reduce: m.reduce, Of: count}
	case m.assumed && per == nil:
		return ix.usual(t)
	default:
		if x := ix.declared(t, semantic.Reducer(m.reduce)); x != nil && per == nil && !m.distinct {
			return &frameql.Expr{Metric: x.Name}
		}
		column := &frameql.Expr{Metric: t.entity.Name + "." + t.dim.Name}
		if per != nil {
			return &frameql.Expr{Reduce: m.reduce, Of: &frameql.Expr{Reduce: "sum", Of: column, At: per}}
		}
		return &frameql.Expr{Reduce: m.reduce, Dist: m.distinct, Of: column}
	}
}

// rowsOf gives the entity whose rows one meaning of a measure is computed from.
func (ix *Index) rowsOf(t target) *semantic.Entity {
	if t.metric != nil {
		return ix.base(t.metric)
	}
	return t.entity
}

// disclose says in words what a number leaves open: an average of a sum is one over rows.
func (ix *Index) disclose(m measure, t target) string {
	if m.amount != nil {
		return text.Say("interpret.assume_not_added", "amount", ix.targetLabel(*m.amount))
	}
	if column := ix.reducedColumn(t); m.tally && column != nil {
		return text.Say("interpret.assume_added", "column", labelOf(column.Label, column.Name))
	}
	if t.dim != nil && m.assumed && ix.averaged(t) {
		return text.Say("interpret.assume_average", "what", labelOf(t.dim.Label, t.dim.Name))
	}
	if e, column := ix.ofTallied(m, t); column != nil {
		return text.Say("interpret.assume_tallied", "entity", labelOf(e.Label, e.Name), "column", labelOf(column.Label, column.Name))
	}
	if t.metric == nil || m.reduce == "" || m.reduce == "count" || m.reduce == "sum" || redundant(m.reduce, t.metric) || len(m.per) > 0 {
		return ""
	}
	base := ix.base(t.metric)
	if base == nil {
		return ""
	}
	return text.Say("interpret.assume_per_row", "metric", labelOf(t.metric.Label, t.metric.Name), "entity", labelOf(base.Label, base.Name))
}

// redundant says whether a reducer only repeats what the metric does anyway: the total of a sum, the average of a ratio.
func redundant(reduce string, m *semantic.Metric) bool {
	switch {
	case reduce == "sum":
		return m.Reducer == semantic.Sum || m.Reducer == semantic.Count || m.Kind == semantic.Derived
	case reduce == "avg":
		return m.Reducer == semantic.Avg || m.Kind == semantic.Ratio
	default:
		return string(m.Reducer) == reduce
	}
}

// base gives the entity whose rows a metric is computed from; nil when its parts have different ones or none is known.
func (ix *Index) base(m *semantic.Metric) *semantic.Entity {
	for range 8 { // ratios of ratios end somewhere; a cycle does not
		switch {
		case m == nil:
			return nil
		case m.Leaf() || m.Entity != "":
			return ix.entities[m.Entity]
		case m.Kind == semantic.Ratio:
			m = ix.metrics[m.Numerator]
		default:
			m = ix.firstPart(m)
		}
	}
	return nil
}

// firstPart gives the first metric that a derived metric names.
func (ix *Index) firstPart(m *semantic.Metric) *semantic.Metric {
	start := -1
	for i := 0; i <= len(m.Expr); i++ {
		inName := i < len(m.Expr) && (m.Expr[i] == '_' || m.Expr[i] >= 'a' && m.Expr[i] <= 'z' || m.Expr[i] >= 'A' && m.Expr[i] <= 'Z' || m.Expr[i] >= '0' && m.Expr[i] <= '9')
		switch {
		case inName && start < 0:
			start = i
		case !inName && start >= 0:
			if part := ix.metrics[m.Expr[start:i]]; part != nil && part != m {
				return part
			}
			start = -1
		}
	}
	return nil
}

// counter gives the metric that counts all rows of an entity; nil when none is declared.
func (ix *Index) counter(e *semantic.Entity) *semantic.Metric {
	for i := range ix.model.Metrics {
		m := &ix.model.Metrics[i]
		if m.Entity != e.Name || m.Hidden || m.Filter != "" || !m.Leaf() {
			continue
		}
		switch {
		case m.Reducer == semantic.Count && (m.Expr == "*" || m.Expr == ""):
			return m
		case (m.Reducer == semantic.CountDistinct || m.Reducer == semantic.Count) && slices.Equal(e.Key, []string{m.Expr}):
			return m
		}
	}
	return nil
}

// event gives the entity that the metric's time lies on: the document behind the rows (orders behind order lines).
func (ix *Index) event(m *semantic.Metric, base *semantic.Entity) *semantic.Entity {
	if base == nil {
		return nil
	}
	name := base.DefaultTime
	if m != nil && m.Time != "" {
		name = m.Time
	}
	if owner, _, ok := cutName(name); ok {
		return ix.entities[owner]
	}
	return base
}

// timeOf gives the time dimension of a metric or of an entity, as entity.dimension; empty when there is none.
func (ix *Index) timeOf(m *semantic.Metric, base *semantic.Entity) string {
	if base == nil {
		return ""
	}
	name := base.DefaultTime
	if m != nil && m.Time != "" {
		name = m.Time
	}
	if _, _, ok := cutName(name); ok || name == "" {
		return name
	}
	return base.Name + "." + name
}

// ratiosOf gives the metrics that divide a metric by something: what an average of it may mean.
func (ix *Index) ratiosOf(m *semantic.Metric) []*semantic.Metric {
	var out []*semantic.Metric
	for i := range ix.model.Metrics {
		if x := &ix.model.Metrics[i]; m != nil && x.Kind == semantic.Ratio && x.Numerator == m.Name && !x.Hidden {
			out = append(out, x)
		}
	}
	return out
}

// prominence orders the metrics that a person may see by how likely they are asked for without being named: amounts
// before counts before ratios, money before the rest, what is good when it grows first, the head of a family first.
func (ix *Index) prominence() []*semantic.Metric {
	weight := func(m *semantic.Metric) int {
		w := 0
		switch {
		case m.Leaf() && m.Reducer == semantic.Sum:
		case m.Leaf() && (m.Reducer == semantic.Count || m.Reducer == semantic.CountDistinct):
			w += 4
		default:
			w += 8
		}
		if m.Unit == "" || m.Unit != ix.model.Workspace.Currency {
			w += 2
		}
		if m.Better != "up" {
			w += 6
		}
		if m.Filter != "" {
			w += 4
		}
		if m.Family != "" && m.Family != m.Name {
			w++
		}
		return w
	}
	var out []*semantic.Metric
	for i := range ix.model.Metrics {
		if m := &ix.model.Metrics[i]; !m.Hidden && ix.base(m) != nil {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b *semantic.Metric) int { return weight(a) - weight(b) })
	return out
}
