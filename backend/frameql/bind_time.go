package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// leafTime is the time by which a number of a source is placed on the calendar.
type leafTime struct {
	source int
	name   string // "orders.order_date"; empty: it has none
}

// boundTime is a time dimension at a node of a source.
type boundTime struct {
	node int
	path []int
	dim  *semantic.Dimension
	of   *semantic.Entity
}

// findTimes notes the time of every number of the query: that of the metric, else the default of its entity. A number
// over columns of an entity without a default takes the one time that the metrics of its rows have. DURING ... ON
// replaces them all.
func (r *resolver) findTimes() {
	add := func(t leafTime) {
		if !slices.Contains(r.times, t) {
			r.times = append(r.times, t)
		}
	}
	for _, m := range r.metrics {
		for _, l := range r.leavesOf(m, 0) {
			if e := r.entity(l.Entity); e != nil {
				add(leafTime{r.sourceOf(e), r.timeName(e, l.Time)})
			}
		}
	}
	for _, e := range r.rowsInOrder() {
		if s := r.rowSource[e]; s >= 0 && s < len(r.sources) {
			add(leafTime{s, r.rowTimeName(s)})
		}
	}
	if d := r.q.Time; d != nil && d.On != nil {
		r.bindOn(d)
	}
}

// rowsInOrder gives the reducers over rows in the order of the query.
func (r *resolver) rowsInOrder() []*Expr {
	var all []*Expr
	if len(r.rowSource) > 0 {
		r.walkExpressions(func(e *Expr) {
			if _, ok := r.rowSource[e]; ok {
				all = append(all, e)
			}
		})
	}
	return all
}

// timeName gives "entity.dimension" of a metric's time, or of the default of its entity; empty: there is none.
func (r *resolver) timeName(e *semantic.Entity, own string) string {
	name := own
	if name == "" {
		name = e.DefaultTime
	}
	if name != "" && !strings.Contains(name, ".") {
		name = e.Name + "." + name
	}
	return name
}

func (r *resolver) rowTimeName(s int) string {
	if name := r.timeName(r.sources[s].entity, ""); name != "" {
		return name
	}
	one := ""
	for _, m := range r.metrics {
		for _, l := range r.leavesOf(m, 0) {
			e := r.entity(l.Entity)
			if e != r.sources[s].entity {
				continue
			}
			switch name := r.timeName(e, l.Time); {
			case one == "" || strings.EqualFold(one, name):
				one = name
			default:
				return ""
			}
		}
	}
	return one
}

// bindOn binds the time behind ON, which every source must reach.
func (r *resolver) bindOn(d *During) {
	b, ok := r.dimension(*d.On, d.On, forTime)
	if !ok {
		return
	}
	if b.dim == nil || b.grain != "" || b.part != nil || b.dim.Type != "" && !b.dim.Type.Temporal() {
		r.refuseNotTime(b, d.On)
		return
	}
	*d.On = b.name
	r.onTime = &b
	for i := range r.times {
		r.times[i].name = b.fullName()
	}
	var once []leafTime
	for _, t := range r.times {
		if !slices.Contains(once, t) {
			once = append(once, t)
		}
	}
	r.times = once
}

// timeAt binds a time of a source by name; false where it has none, and after a refusal: the model has no such dimension or no
// path leads there.
func (r *resolver) timeAt(s int, name string) (boundTime, bool) {
	if r.onTime != nil {
		n := r.onTime.at[s]
		return boundTime{n, r.sources[s].nodes[n].path, r.onTime.dim, r.onTime.entity}, true
	}
	key := timeKey{r.sources[s], name}
	if known, ok := r.timeMemo[key]; ok {
		return known.boundTime, known.ok
	}
	t, ok := r.findTime(s, name)
	r.timeMemo[key] = timeFound{t, ok}
	return t, ok
}

// timeKey is a time of a source by name; timeFound what it is bound to.
type timeKey struct {
	source *source
	name   string
}

type timeFound struct {
	boundTime
	ok bool
}

func (r *resolver) findTime(s int, name string) (boundTime, bool) {
	var found []boundTime
	for _, c := range r.meanings(Dim{Name: name}) {
		if c.dim == nil {
			continue
		}
		if paths := r.ways(r.sources[s].entity.Name, c.way, c.entity); len(paths) == 1 {
			found = append(found, boundTime{-1, paths[0], c.dim, c.entity})
		}
	}
	if len(found) != 1 {
		if name != "" {
			r.refuseModel(r.sources[s].entity.Name, noDimension(name))
		}
		return boundTime{}, false
	}
	t := found[0]
	r.joinable(t.path, nil)
	t.node = r.nodeFor(r.sources[s], t.path)
	return t, true
}

// timeOf gives the expression of a time of a source; nil when there is none.
func (r *resolver) timeOf(s int, name string) *scalar {
	t, ok := r.timeAt(s, name)
	if !ok {
		return nil
	}
	return r.timeValue(r.sources[s], t.node, t.dim)
}

// sourceTime gives the one time of the numbers of a source, for what is asked of its rows and not of a number.
func (r *resolver) sourceTime(s int, b ref) *scalar {
	var names []string
	unit := b.grain
	if b.part != nil {
		unit = b.part.Name
	}
	for _, t := range r.times {
		if t.source == s && !slices.Contains(names, t.name) {
			names = append(names, t.name)
		}
	}
	if len(names) != 1 {
		r.refuseTimeAmbiguous(nil, unit, names)
		return nil
	}
	return r.timeOf(s, names[0])
}

// isAxis says whether a time dimension is the metric time of every number whose source reaches it.
func (r *resolver) isAxis(c reached) bool {
	if c.dim == nil || c.grain == "" && c.dim.Type != semantic.Date {
		return false
	}
	matched := false
	for _, t := range r.times {
		if t.name == "" {
			return false
		}
		if len(c.paths[t.source]) == 0 {
			continue
		}
		if b, _ := r.timeAt(t.source, t.name); b.dim != c.dim || !slices.Equal(b.path, c.paths[t.source][0]) {
			return false
		}
		matched = true
	}
	return matched
}

// isTimeOfAll says whether a date, as part of a key, is the time of every number: the days of a level.
func (r *resolver) isTimeOfAll(b ref) bool {
	if b.dim.Type != semantic.Date || len(r.times) == 0 {
		return false
	}
	for _, t := range r.times {
		if at, _ := r.timeAt(t.source, t.name); at.dim != b.dim || at.node != b.at[t.source] {
			return false
		}
	}
	return true
}

// bareGrain binds "month": the time of every number, cut by it. In a list of rows it is the default time of the entity.
func (r *resolver) bareGrain(grain string, place any, want use) (ref, bool) {
	switch {
	case semantic.DatePartNamed(grain) != nil:
		return r.barePart(semantic.DatePartNamed(grain), place, want)
	case len(r.sources) == 0:
		return ref{}, false
	case len(r.times) == 0:
		return r.listedGrain(grain, place, want)
	}
	for _, t := range r.times {
		if t.name == "" {
			r.refuseNoTime(t.source, place, grain)
			return ref{}, false
		}
	}
	if !r.cutsTimes(grain, place) {
		return ref{}, false
	}
	first, _ := r.timeAt(r.times[0].source, r.times[0].name)
	b := ref{entity: first.of, dim: first.dim, grain: grain, at: r.nowhere(), axis: true, name: Dim{Name: grain}}
	if r.oneTime() { // its own name says the same
		d := Dim{Name: r.times[0].name, Grain: grain}
		if full, _ := r.reachable(r.meanings(canonicalDim(d.Name, d.Grain)), forGrain); len(full) == 1 && full[0].axis {
			return r.place(full[0], place), true
		}
	}
	return b, true
}

// oneTime says whether all numbers have one time, by name.
func (r *resolver) oneTime() bool {
	return !slices.ContainsFunc(r.times, func(t leafTime) bool { return !strings.EqualFold(t.name, r.times[0].name) })
}

// cutsTimes says whether the times of all numbers can be cut by a grain.
func (r *resolver) cutsTimes(grain string, place any) bool {
	for _, t := range r.times {
		b, ok := r.timeAt(t.source, t.name)
		if !ok {
			return false
		}
		if !r.checkGrain(ref{entity: b.of, dim: b.dim, grain: grain, name: Dim{Name: t.name, Grain: grain}}, place) {
			return false
		}
	}
	return true
}

func (r *resolver) listedGrain(grain string, place any, want use) (ref, bool) {
	e := r.fact()
	name := r.timeName(e, "")
	if r.onTime != nil {
		name = r.onTime.name.Name
	}
	if name == "" {
		r.refuseNoTime(0, place, grain)
		return ref{}, false
	}
	d := canonicalDim(name, grain)
	if r.nothing(d) {
		r.refuseModel(e.Name, noDimension(name))
		return ref{}, false
	}
	return r.dimension(d, place, want)
}

// refuseNoTime says that nothing tells which time of a source is meant.
func (r *resolver) refuseNoTime(s int, place any, grain string) {
	var times []string
	e := r.sources[s].entity
	for i := range e.Dimensions {
		if d := &e.Dimensions[i]; d.Type.Temporal() && d.DerivedFrom == "" && d.Expr == "" {
			times = append(times, e.Name+"."+d.Name)
		}
	}
	if len(times) > 1 {
		r.refuseTimeAmbiguous(place, grain, times)
		return
	}
	r.refuseTimeRequired(s, place, grain)
}
