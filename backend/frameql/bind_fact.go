package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// rowReducer is an aggregate over the columns of rows.
type rowReducer struct {
	expr    *Expr
	names   []Dim
	repeats bool // a row that stands twice changes the number
}

// findSources decides whose rows are read: those of the metrics, those of the columns that are added up, those that FROM
// names, or the finest entity that the query mentions. There are none when other problems hide them.
func (r *resolver) findSources() {
	hidden := r.metricSources()
	var from []*semantic.Entity
	for i, name := range r.q.From {
		e := r.entity(name)
		if e == nil {
			r.refuseUnknownEntity(name)
			hidden = true
			continue
		}
		r.q.From[i] = e.Name
		from = append(from, e)
	}
	if len(from) > 0 {
		for _, s := range r.sources {
			if !slices.Contains(from, s.entity) {
				r.refuseFromMismatch(s.entity)
				return
			}
		}
	}
	if hidden || r.unknownMetric() {
		return
	}
	rows := r.rowReducers()
	before := len(r.problems)
	for _, x := range rows {
		if x.repeats {
			r.rowSource[x.expr] = r.repeatingSource(x, from)
		}
	}
	if len(r.sources) == 0 && len(r.problems) == before {
		r.inferSource(from)
	}
	for _, x := range rows {
		if !x.repeats {
			r.rowSource[x.expr] = r.insensitiveSource(x, from)
		}
	}
	for _, e := range from {
		if len(r.sources) > 0 && !slices.ContainsFunc(r.sources, func(s *source) bool { return r.reaches(s.entity.Name, e.Name) }) {
			r.refuseFromMismatch(e)
		}
	}
}

// metricSources adds the entities of the leaves under the metrics; true when a metric is broken.
func (r *resolver) metricSources() (hidden bool) {
	for _, m := range r.metrics {
		leaves := r.leavesOf(m, 0)
		if len(leaves) == 0 {
			r.refuseModel(m.Name, text.Say("frameql.no_rows_behind"))
			hidden = true
		}
		for _, l := range leaves {
			if e := r.entity(l.Entity); e != nil {
				r.sourceOf(e)
				continue
			}
			r.refuseModel(l.Name, text.Say("frameql.no_entity", "name", l.Entity))
			hidden = true
		}
	}
	return hidden
}

// leavesOf gives the leaves under a metric, each once.
func (r *resolver) leavesOf(m *semantic.Metric, depth int) []*semantic.Metric {
	if all, ok := r.leafMemo[m]; ok {
		return all
	}
	if depth > maxModelDepth {
		return nil
	}
	var all []*semantic.Metric
	add := func(name string) {
		if part := r.metric(name); part != nil {
			for _, l := range r.leavesOf(part, depth+1) {
				if !slices.Contains(all, l) {
					all = append(all, l)
				}
			}
		}
	}
	switch m.Kind {
	case semantic.Ratio:
		add(m.Numerator)
		add(m.Denominator)
	case semantic.Derived:
		if e, err := r.modelExpr(m.Expr); err == nil {
			for _, name := range e.Idents() {
				if in := inputOf(m, name); in != nil {
					name = in.Metric
				}
				add(name)
			}
		}
	case semantic.Cumulative:
		add(m.Of)
	default:
		all = []*semantic.Metric{m}
	}
	if depth == 0 {
		r.leafMemo[m] = all
	}
	return all
}

// inputOf gives the input that a name of a derived metric's expression stands for; nil: it is a metric.
func inputOf(m *semantic.Metric, name string) *semantic.Input {
	for i := range m.Inputs {
		if strings.EqualFold(m.Inputs[i].Name, name) {
			return &m.Inputs[i]
		}
	}
	return nil
}

// leafEntities gives the entities of the leaves under a metric.
func (r *resolver) leafEntities(m *semantic.Metric) []string {
	var names []string
	for _, l := range r.leavesOf(m, 0) {
		if !slices.Contains(names, l.Entity) {
			names = append(names, l.Entity)
		}
	}
	return names
}

// unknownMetric says whether an expression names something that is neither a metric nor a dimension, so that the
// sources cannot be judged.
func (r *resolver) unknownMetric() bool {
	found := false
	r.walkExpressions(func(e *Expr) {
		if e.Metric != "" && r.refers[e] == nil && r.metric(e.Metric) == nil && r.nothing(dotted{segments: strings.Split(e.Metric, ".")}.dim()) {
			found = true
		}
	})
	return found
}

// walkExpressions visits every part of every metric expression, those of definitions that are used once each.
func (r *resolver) walkExpressions(visit func(*Expr)) {
	seen := map[*Expr]bool{}
	var walk func(e *Expr)
	walk = func(e *Expr) {
		if e == nil || seen[e] {
			return
		}
		seen[e] = true
		visit(e)
		walk(r.refers[e])
		walk(e.Of)
		for _, a := range e.Args {
			walk(a)
		}
	}
	for _, e := range r.expressions() {
		walk(e)
	}
	for _, name := range r.keyNames() {
		walk(r.definition(name))
	}
}

// isRows says whether an expression is made of the columns of one row.
func (r *resolver) isRows(e *Expr) bool {
	if e.At != nil || e.Filter != nil || e.Fn != "" || e.Reduce != "" {
		return false
	}
	if def := r.refers[e]; def != nil {
		known, ok := r.rowMemo[def]
		if !ok {
			known = r.isRows(def)
			r.rowMemo[def] = known
		}
		return known
	}
	if e.Op != "" {
		return !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !r.isRows(a) })
	}
	return r.metric(e.Metric) == nil
}

// rowReducers gives every aggregate over rows in the query.
func (r *resolver) rowReducers() []rowReducer {
	var all []rowReducer
	r.walkExpressions(func(e *Expr) {
		switch {
		case e.Reduce == "":
		case e.Star:
			all = append(all, rowReducer{expr: e})
		case r.isRows(e.Of):
			x := rowReducer{expr: e, repeats: !e.Dist && e.Reduce != "min" && e.Reduce != "max" && e.Reduce != "any" && e.Reduce != "all"}
			r.rowNames(e.Of, &x.names)
			if len(x.names) == 0 || len(x.names) == 1 && e.Reduce == "count" && r.meansEntity(x.names[0]) {
				x.repeats = false // a constant is of whatever rows are read; members are counted once each
			}
			all = append(all, x)
		}
	})
	return all
}

func (r *resolver) rowNames(e *Expr, into *[]Dim) {
	if def := r.refers[e]; def != nil {
		r.rowNames(def, into)
		return
	}
	if e.Metric != "" {
		if d := (dotted{segments: strings.Split(e.Metric, ".")}).dim(); !slices.Contains(*into, d) {
			*into = append(*into, d)
		}
	}
	for _, a := range e.Args {
		r.rowNames(a, into)
	}
}

func (r *resolver) meansEntity(d Dim) bool {
	all := r.meanings(d)
	return len(all) > 0 && all[0].dim == nil
}

// repeatingSource gives the source of a reducer whose rows may not be repeated: the entity of its columns. -1: there is none.
func (r *resolver) repeatingSource(x rowReducer, from []*semantic.Entity) int {
	firm, loose, _ := r.entitiesOf(x.names)
	var own *semantic.Entity
	if len(firm) > 0 {
		own = r.finest(firm)
	} else if len(loose) > 0 {
		own = r.chosen(loose, from)
	}
	switch {
	case len(firm)+len(loose) == 0: // no column, or units of time alone
		return r.insensitiveSource(x, from)
	case own == nil && len(firm) > 0:
		r.refuseNoFact(firm)
		return -1
	case own == nil:
		r.refuseAmbiguousName(x.names, loose[0])
		return -1
	case len(from) > 0 && !slices.Contains(from, own):
		if f := r.finest(from); f != nil && r.reaches(f.Name, own.Name) {
			own = f
		}
	}
	return r.sourceOf(own)
}

// chosen gives the entity that an ambiguous name means in this query: the one that is read anyway, or the only common
// one.
func (r *resolver) chosen(loose [][]*semantic.Entity, from []*semantic.Entity) *semantic.Entity {
	for _, s := range r.sources {
		if !slices.ContainsFunc(loose, func(c []*semantic.Entity) bool { return !slices.Contains(c, s.entity) }) {
			return s.entity
		}
	}
	for _, e := range from {
		if !slices.ContainsFunc(loose, func(c []*semantic.Entity) bool { return !slices.Contains(c, e) }) {
			return e
		}
	}
	return r.common(loose)
}

// insensitiveSource gives the source of a reducer that does not mind repetition, or reads no column as COUNT(*) and SUM(1)
// do: one that is read anyway when it leads to the columns, else their own entity.
func (r *resolver) insensitiveSource(x rowReducer, from []*semantic.Entity) int {
	if len(x.names) == 0 && len(r.sources) > 1 {
		r.refuseWhoseRows(x.expr)
		return -1
	}
	for i, s := range r.sources {
		if !slices.ContainsFunc(x.names, func(d Dim) bool { return !r.leadsTo(s.entity, d) }) {
			return i
		}
	}
	if len(r.metrics) > 0 {
		firm, loose, _ := r.entitiesOf(x.names)
		own := r.finest(firm)
		if own == nil && len(loose) > 0 {
			own = r.chosen(loose, from)
		}
		if own != nil {
			return r.sourceOf(own)
		}
	}
	return min(len(r.sources)-1, 0) // -1: no rows are known
}

func (r *resolver) leadsTo(e *semantic.Entity, d Dim) bool {
	return slices.ContainsFunc(r.meanings(d), func(c candidate) bool { return len(r.ways(e.Name, c.way, c.entity)) > 0 })
}

// finest gives the entity from which all the others can be looked up; nil when there is none.
func (r *resolver) finest(all []*semantic.Entity) *semantic.Entity {
	for _, e := range all {
		if !slices.ContainsFunc(all, func(o *semantic.Entity) bool { return !r.reaches(e.Name, o.Name) }) {
			return e
		}
	}
	return nil
}
