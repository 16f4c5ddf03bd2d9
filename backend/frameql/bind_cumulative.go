package frameql

import (
	"assay/backend/compile"
	"assay/backend/semantic"
	"assay/backend/text"
)

// accumulated gives a cumulative metric of the model: each row counts on every day of its window. A coarser bucket than
// a day shows its last day, or the first one, or the average; without an axis it is what the last day of the period says.
func (r *resolver) accumulated(m *semantic.Metric, st stand, depth int) *scalar {
	shape, ok := r.windowOf(m)
	if !ok {
		return nil
	}
	if st.input != nil && st.input.shift.Kind != "" { // the running total of another time
		past := st.input.shift
		if past.Kind != "shift" {
			r.refuse(nil, refusal("OUT_OF_SCOPE", "frameql.offset_of_total", "metric", m.Name), r.without(m.Name))
			return nil
		}
		shape.Offset, shape.OffsetUnit = past.N, past.Unit
	}
	inside := semanticInput{shift: shape}
	if st.input != nil {
		inside.filter = st.input.filter
	}
	st.input = &inside
	axis := r.finestAxis(st.keys)
	if last := m.PeriodAgg == "" || m.PeriodAgg == "last"; axis < 0 || last || r.keys[axis].ref.unit() == "day" || r.keys[axis].ref.unit() == "hour" {
		if st.window == inSum {
			r.refuse(nil, refusal("INVALID_WINDOW", "frameql.window_over", "expression", m.Name), r.withoutWindows(), r.without(m.Name))
			return nil
		}
		return r.part(m, m.Of, st, depth) // a coarser bucket shows its last day
	}
	day, ok := r.dayAxis()
	if !ok {
		return nil
	}
	s := r.part(m, m.Of, st.at(withKey(st.keys, day)), depth)
	if s == nil {
		return nil
	}
	how, t := m.PeriodAgg, s.Type
	if st.window == inSum && how != "average" {
		r.refuse(nil, refusal("INVALID_WINDOW", "frameql.window_over", "expression", m.Name), r.withoutWindows(), r.without(m.Name))
		return nil
	}
	if how == "average" {
		how, t = "avg", semantic.Float
	}
	return &scalar{Op: "reduce", Text: how, Args: []*scalar{s}, Keys: []int{day}, Type: t, Currency: s.Currency}
}

func (r *resolver) windowOf(m *semantic.Metric) (compile.TimeMap, bool) {
	shape := compile.TimeMap{Kind: "all"}
	switch {
	case m.Window != nil:
		shape = compile.TimeMap{Kind: "window", N: m.Window.N, Unit: m.Window.Unit}
	case m.ToDate != "":
		shape = compile.TimeMap{Kind: "to_date", Unit: m.ToDate}
	}
	if shape.Unit != "" && !r.calendar.knows(shape.Unit) {
		r.refuse(nil, refusal("CALENDAR_UNDEFINED", "frameql.no_fiscal_calendar", "what", unitText(shape.Unit)), r.without(m.Name))
		return shape, false
	}
	if shape.N < 0 || shape.Kind == "window" && shape.N == 0 {
		r.refuseModel(m.Name, text.Say("frameql.window_empty"))
		return shape, false
	}
	if shape.Kind == "to_date" || r.calendar.own(shape.Unit) {
		shape.Cut = r.trunc(shape.Unit)
	}
	return shape, true
}
