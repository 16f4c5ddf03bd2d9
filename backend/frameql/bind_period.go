package frameql

import (
	"slices"
	"strings"
	"time"

	"assay/backend/semantic"
)

// bindPeriod binds DURING to a time dimension and to the calendar.
func (r *resolver) bindPeriod() {
	d := r.q.Time
	if d == nil {
		return
	}
	use, bad := ResolvePeriod(d.Period, r.env.Now, r.model)
	if bad != nil {
		r.refusePeriod(d, bad)
	}
	on, ok := r.periodDimension(d)
	if bad != nil || !ok {
		return
	}
	if on.dim != nil {
		use.On = on.fullName()
	}
	r.plan.Period = &use
	if use.From.IsZero() && use.To.IsZero() {
		return
	}
	if r.env.Coverage != nil {
		first, last, known := r.env.Coverage(use.On)
		if known && (!use.To.IsZero() && !use.To.After(first) || use.From.After(last)) {
			r.refuseOutside(d, use, first, last)
			return
		}
	}
	t := r.value(on.node, on.dim)
	r.bound.timeCol = t
	at := func(op string, when time.Time) *scalar {
		if when.IsZero() {
			return nil
		}
		return &scalar{op: op, typ: semantic.Boolean, args: []*scalar{t, {op: "date", text: when.Format(time.DateOnly), typ: semantic.Date}}}
	}
	r.bound.period = and(at(">=", use.From), at("<", use.To))
}

// periodDimension gives the dimension of DURING: the one behind ON, or the default. ALL TIME needs none.
func (r *resolver) periodDimension(d *During) (ref, bool) {
	if d.On == nil {
		if r.fact == nil {
			return ref{}, false
		}
		if d.Period.Kind == "all_time" && len(r.times()) != 1 {
			return ref{}, true
		}
		return r.defaultTime(d, "")
	}
	b, ok := r.dimension(*d.On, d.On, forTime)
	if !ok {
		return ref{}, false
	}
	if b.dim == nil || b.grain != "" || b.dim.Type != "" && !b.dim.Type.Temporal() {
		r.refuseNotTime(b, d.On)
		return ref{}, false
	}
	*d.On = b.name
	return b, true
}

// times gives the default times of the metrics that are used, or of the fact: "entity.dimension", each once.
func (r *resolver) times() []string {
	var all []string
	add := func(owner *semantic.Entity, name string) {
		if name == "" || owner == nil {
			return
		}
		if !strings.Contains(name, ".") {
			name = owner.Name + "." + name
		}
		if !slices.ContainsFunc(all, func(t string) bool { return strings.EqualFold(t, name) }) {
			all = append(all, name)
		}
	}
	var metricTimes func(m *semantic.Metric, depth int)
	metricTimes = func(m *semantic.Metric, depth int) {
		parts := []string{m.Numerator, m.Denominator}
		if m.Kind == semantic.Derived {
			parts = nil
			if e, err := semantic.ParseExpr(m.Expr); err == nil {
				parts = e.Idents()
			}
		}
		switch {
		case m.Time != "":
			owner := r.entity(m.Entity)
			if owner == nil {
				owner = r.fact
			}
			add(owner, m.Time)
		case m.Kind == semantic.Ratio || m.Kind == semantic.Derived:
			for _, name := range parts {
				if p := r.metric(name); p != nil && depth < maxModelDepth {
					metricTimes(p, depth+1)
				}
			}
		default:
			if e := r.entity(m.Entity); e != nil {
				add(e, e.DefaultTime)
			}
		}
	}
	for _, m := range r.metrics {
		metricTimes(m, 0)
	}
	if len(all) == 0 && r.fact != nil {
		add(r.fact, r.fact.DefaultTime)
	}
	return all
}

// defaultTime binds the one default time. grain is what it is wanted for; empty for DURING.
func (r *resolver) defaultTime(place any, grain string) (ref, bool) {
	all := r.times()
	switch len(all) {
	case 0:
		r.refuseTimeRequired(place, grain)
		return ref{}, false
	case 1:
		d := Dim{Name: all[0]}
		if len(r.meanings(d)) == 0 {
			r.refuseModel(r.fact.Name, noDimension(all[0]))
			return ref{}, false
		}
		b, ok := r.dimension(d, place, forTime)
		if ok && (b.dim == nil || b.dim.Type != "" && !b.dim.Type.Temporal()) {
			r.refuseNotTime(b, place)
			return ref{}, false
		}
		return b, ok
	}
	r.refuseTimeAmbiguous(place, grain, all)
	return ref{}, false
}
