package frameql

import (
	"slices"
	"strings"
	"time"

	"assay/backend/compile"
	"assay/backend/text"
)

// bindTotals binds TOTALS: the whole, or the members of the dimensions that it names, together where they stand together.
func (r *resolver) bindTotals() {
	for i := range r.q.Totals {
		set := r.q.Totals[i]
		if len(set) == 0 {
			r.addTotal([]int{}, nil)
			continue
		}
		keys, bound := []int{}, true
		for k := range set {
			d := &set[k]
			b, ok := r.dimension(*d, d, forGrain)
			if !ok {
				bound = false
				continue
			}
			*d = b.name
			part := slices.IndexFunc(r.parts, func(g grainPart) bool { return g.ref.same(b) })
			if part < 0 && r.shows(b) {
				if _, ok := r.inGrain(b); ok {
					part = len(r.parts) - 1
				}
			}
			if part < 0 || len(r.parts[part].keys) == 0 || !r.allInGrain(r.parts[part].keys) {
				r.refuseTotals(d, "frameql.totals_dimension")
				bound = false
				continue
			}
			for _, n := range r.parts[part].keys {
				if !slices.Contains(keys, n) {
					keys = append(keys, n)
				}
			}
		}
		if bound {
			slices.Sort(keys)
			r.addTotal(keys, &set[0])
		}
	}
}

func (r *resolver) addTotal(keys []int, place any) {
	switch {
	case len(r.leaves) == 0 && len(r.problems) == 0:
		r.refuseTotals(place, "frameql.totals_of_list")
	case len(keys) == len(r.grain) && len(r.problems) == 0:
		r.refuseTotals(place, "frameql.totals_same")
	case !slices.ContainsFunc(r.bound.Totals, func(t []int) bool { return slices.Equal(t, keys) }):
		r.bound.Totals = append(r.bound.Totals, keys)
		var names []string
		for _, k := range keys {
			names = append(names, r.keys[k].ref.name.String())
		}
		r.plan.Totals = append(r.plan.Totals, names)
	}
}

func (r *resolver) refuseTotals(place any, key string) {
	var grain []string
	for _, g := range r.parts {
		grain = append(grain, g.ref.name.String())
	}
	name := ""
	if d, ok := place.(*Dim); ok {
		name = d.String()
	}
	r.refuse(place, refusal("GRAIN_MISMATCH", key, "name", name, "grain", strings.Join(grain, ", ")),
		r.edited(text.Say("frameql.repair_without", "what", "TOTALS"), func(q *Query) { q.Totals = nil }))
}

// bindFill binds FILL: the buckets of the axis that have no rows. Without it a metric may ask to be shown in every one.
func (r *resolver) bindFill() {
	mode := r.q.Fill
	axis := r.finestAxis(r.grain)
	if mode == "" && axis >= 0 {
		mode = r.metricFill()
	}
	if mode == "" || mode == "none" {
		return
	}
	if axis < 0 {
		if len(r.sources) > 0 {
			r.refuseAxisRequired(nil, "FILL "+strings.ToUpper(mode))
		}
		return
	}
	r.inOrder(nil, "FILL "+strings.ToUpper(mode), r.grain)
	f := &compile.Fill{Axis: axis, Mode: mode}
	if p := r.period; p != nil {
		f.From, f.To = p.From, p.To
	}
	f.Throughout = mode == "zero" && r.q.Fill == "" && r.zeroThroughout(f.To)
	if first, last, known := r.covered(); known && !f.Throughout {
		if f.To.IsZero() && !f.From.IsZero() {
			f.To = last.AddDate(0, 0, 1)
		}
		if !f.From.IsZero() && f.From.Before(first) || f.To.After(last.AddDate(0, 0, 1)) {
			r.notice(OutsideCoverage, Info, "frameql.notice_coverage", "first", first.Format("2006-01-02"), "last", last.Format("2006-01-02"))
		}
	}
	r.bound.Fill, r.plan.Fill = f, mode
}

// metricFill gives how metrics that fill gaps by themselves want it: 0 before missing.
func (r *resolver) metricFill() string {
	mode := ""
	for _, name := range sortedKeys(r.usedMetrics) {
		switch m := r.metric(name); {
		case m.Fill == "zero":
			return "zero"
		case m.Fill != "":
			mode = m.Fill
		}
	}
	return mode
}

// zeroThroughout says whether a gap outside of the data is 0 as well: the period is bounded, and every metric of which no rows
// mean 0 declares itself that each bucket without rows is 0.
func (r *resolver) zeroThroughout(to time.Time) bool {
	return !to.IsZero() && !slices.ContainsFunc(r.leaves, func(l compile.Leaf) bool {
		m := r.metric(l.Name)
		return l.Zero && (m == nil || m.Fill != "zero")
	})
}

// axisEdits gives the ways to put a time axis into a query.
func (r *resolver) axisEdits() []edit {
	if len(r.times) == 0 {
		return nil
	}
	return []edit{r.withDimension("month"), r.withDimension("day"), r.withDimension("year")}
}
