package frameql

import (
	"slices"
	"time"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// bindPeriod binds DURING to the times of the numbers and to the calendar.
func (r *resolver) bindPeriod() {
	r.contexts = []compile.Context{{}}
	d := r.q.Time
	if d == nil {
		return
	}
	use, bad := r.calendar.resolve(d.Period, r.settings.now)
	if bad != nil {
		r.refusePeriod(d, bad)
		return
	}
	if len(r.sources) == 0 || d.On != nil && r.onTime == nil {
		return
	}
	names, ok := r.periodTimes(d)
	if !ok {
		return
	}
	if name := r.daysOnly(use.From, use.To); name != "" {
		r.refuseWithinDay(d, use, name)
		return
	}
	if len(names) > 0 {
		use.On = names[0]
	}
	if !r.ends.IsZero() && use.To.After(r.ends) {
		use.To = r.ends
	}
	r.period = &use
	r.plan.Period = &use
	r.inCoverage(d, use, names)
	if len(r.times) > 0 {
		r.contexts[0] = compile.Context{From: use.From, To: use.To}
	}
}

// daysOnly names a time of the numbers, or of the rows, that holds days where a period begins or ends within one; empty: the
// period can be told from the data.
func (r *resolver) daysOnly(from, to time.Time) string {
	if from.Equal(dayOf(from)) && to.Equal(dayOf(to)) {
		return ""
	}
	for _, t := range r.timesOfRows() {
		if b, ok := r.timeAt(t.source, t.name); ok && b.dim.Type == semantic.Date { // a number may have no time
			return b.of.Name + "." + b.dim.Name
		}
	}
	return ""
}

// timesOfRows gives the times of the numbers, or of a list of rows its own.
func (r *resolver) timesOfRows() []leafTime {
	switch {
	case len(r.times) > 0:
		return r.times
	case r.onTime != nil:
		return []leafTime{{0, r.onTime.fullName()}}
	}
	return []leafTime{{0, r.timeName(r.fact(), "")}}
}

// periodTimes gives the dimensions that a period is about. ALL TIME needs none.
func (r *resolver) periodTimes(d *During) ([]string, bool) {
	var names []string
	for _, t := range r.timesOfRows() {
		switch {
		case t.name != "":
			if b, ok := r.timeAt(t.source, t.name); !ok {
				return nil, false
			} else if !b.dim.Type.Temporal() && b.dim.Type != "" {
				r.refuseNotTime(ref{entity: b.of, dim: b.dim, name: Dim{Name: t.name}}, d)
				return nil, false
			}
			if !slices.Contains(names, t.name) {
				names = append(names, t.name)
			}
		case d.Period.Kind != "all_time":
			r.refuseNoTime(t.source, d, "")
			return nil, false
		}
	}
	if d.Period.Kind == "all_time" && len(names) > 1 {
		names = nil
	}
	return names, true
}

// inCoverage refuses a period that lies wholly outside the data of every time, and notes where it does of some.
func (r *resolver) inCoverage(d *During, use PeriodUse, names []string) {
	outside := 0
	var first, last time.Time
	for i, name := range names {
		from, to, known := r.coverage(name)
		if known && (!use.To.IsZero() && !use.To.After(from) || use.From.After(to)) {
			outside++
			r.notice(OutsideCoverage, Caution, "frameql.notice_outside", "dimension", name, "first", from.Format(time.DateOnly), "last", to.Format(time.DateOnly))
		}
		if i == 0 {
			first, last = from, to
		}
	}
	if outside < len(names) || outside == 0 {
		return
	}
	if use.From.After(last) && slices.ContainsFunc(r.metrics, func(m *semantic.Metric) bool { return !m.Leaf() }) {
		r.beyond = func() { r.refuseOutside(d, use, first, last) } // unless the numbers run on
		return
	}
	r.refuseOutside(d, use, first, last)
}

// checkBeyond refuses a period after the data when some number has no value there: a running total and a window do.
func (r *resolver) checkBeyond() {
	if r.beyond != nil && slices.ContainsFunc(r.leaves, func(l compile.Leaf) bool {
		return l.Map.Kind != "all" && l.Map.Kind != "to_date" && l.Map.Kind != "window"
	}) {
		r.beyond()
	}
}

// covered gives the first and last day of the data of all times; false when it is not known of each.
func (r *resolver) covered() (first, last time.Time, ok bool) {
	for _, t := range r.times {
		from, to, known := r.coverage(t.name)
		if !known { // of a fact without rows
			continue
		}
		ok = true
		if from = dayOf(from); first.IsZero() || from.Before(first) {
			first = from
		}
		if to = dayOf(to); to.After(last) {
			last = to
		}
	}
	return first, last, ok
}

// dayOf gives the calendar day of an instant, as periods are given.
func dayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// periodCondition writes a period as a condition over rows, for a list that has no numbers to place in time.
func (r *resolver) periodCondition() *scalar {
	p := r.period
	if p == nil || len(r.times) > 0 {
		return nil
	}
	t := r.timeOf(0, p.On)
	if t == nil {
		return nil
	}
	return during(t, p.From, p.To)
}

// momentLiteral writes midnight as its day.
func momentLiteral(t time.Time) *scalar {
	if dayOf(t).Equal(t) {
		return dateLiteral(t)
	}
	return &scalar{Op: "timestamp", Text: t.Format("2006-01-02 15:04:05.999999"), Type: semantic.Timestamp}
}

func dateLiteral(t time.Time) *scalar {
	return &scalar{Op: "date", Text: t.Format(time.DateOnly), Type: semantic.Date}
}
