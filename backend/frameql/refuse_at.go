package frameql

import (
	"slices"
	"strings"

	"assay/backend/text"
)

func grainText(g *Grain) string {
	var w printer
	w.grain(g)
	return "AT " + w.String()
}

// withoutGrain gives an expression without the grain around it.
func withoutGrain(e *Expr) *Expr {
	if e.Op == "at" {
		return e.Args[0].clone()
	}
	c := e.clone()
	c.At = nil
	return c
}

// aroundGrain gives a reducer over an expression at a grain.
func aroundGrain(reducer string, e *Expr) *Expr { return &Expr{Reduce: reducer, Of: e.clone()} }

// refuseNeedsReducer says that the values at a finer grain need a second step to become one.
func (r *resolver) refuseNeedsReducer(e *Expr) {
	var edits []edit
	for _, reducer := range []string{"avg", "sum", "median"} {
		w := aroundGrain(reducer, e)
		edits = append(edits, r.spliced(text.Say("frameql.repair_use", "name", w.String()), e, w.String))
	}
	edits = append(edits, r.spliced(text.Say("frameql.repair_only", "name", withoutGrain(e).String()), e, withoutGrain(e).String))
	r.refuse(e, refusal("REAGGREGATION_REQUIRED", "frameql.needs_reducer", "expression", withoutGrain(e).String(), "grain", grainText(e.At)), edits...)
}

// refuseInnerGrain says that a reducer over numbers needs the grain of its numbers.
func (r *resolver) refuseInnerGrain(e *Expr) {
	var edits []edit
	for _, name := range r.keysToGroupBy() {
		w := e.clone()
		w.Of = withAt(w.Of, &Grain{Dims: []Dim{{Name: name}}})
		edits = append(edits, r.spliced(text.Say("frameql.repair_use", "name", w.String()), e, w.String))
	}
	edits = append(edits, r.spliced(text.Say("frameql.repair_only", "name", e.Of.String()), e, e.Of.String), r.withoutExpr(e))
	r.refuse(e, refusal("REAGGREGATION_REQUIRED", "frameql.inner_grain", "expression", e.String(), "inner", e.Of.String()), edits...)
}

// withAt puts a grain around an expression.
func withAt(e *Expr, g *Grain) *Expr {
	return &Expr{Op: "at", Args: []*Expr{e.clone()}, At: g}
}

// keysToGroupBy gives entities that the sources reach and that have a key.
func (r *resolver) keysToGroupBy() []string {
	var names []string
	for i := range r.model.Entities {
		e := &r.model.Entities[i]
		if len(e.Key) > 0 && len(r.sources) > 0 && !slices.ContainsFunc(r.sources, func(s *source) bool { return !r.reaches(s.entity.Name, e.Name) }) {
			names = append(names, e.Name)
		}
	}
	return names[:min(len(names), 4)]
}

// refuseLag says that a number is no other one bucket before, and offers it at the axis of the rows.
func (r *resolver) refuseLag(e *Expr, unit string, axis int) {
	near := e.clone()
	near.At = &Grain{Dims: r.keyDims([]int{axis})}
	r.refuse(e, refusal("INVALID_WINDOW", "frameql.lag_unit", "expression", e.String(), "unit", unitText(unit)),
		r.spliced(text.Say("frameql.repair_use", "name", near.String()), e, near.String), r.withoutExpr(e))
}

// keyDims gives the dimensions of some keys as they are written.
func (r *resolver) keyDims(keys []int) []Dim {
	var dims []Dim
	for _, k := range keys {
		dims = append(dims, r.keys[k].ref.name)
	}
	return dims
}

func dimsText(dims []Dim) string {
	var names []string
	for _, d := range dims {
		names = append(names, d.String())
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// refuseIncomparable says that a grain is neither coarser nor finer than the one where it stands.
func (r *resolver) refuseIncomparable(e *Expr, keys []int, st stand) {
	here := r.keyDims(st.keys)
	var edits []edit
	var shared []Dim
	for _, d := range e.At.Dims {
		if slices.Contains(here, d) {
			shared = append(shared, d)
		}
	}
	at := func(dims []Dim) *Expr {
		c := e.clone()
		c.At = &Grain{Dims: dims}
		return c
	}
	if e.Fn == "" {
		both := slices.Clone(e.At.Dims)
		for _, d := range here {
			if !slices.Contains(both, d) {
				both = append(both, d)
			}
		}
		w := aroundGrain("avg", at(both))
		edits = append(edits, r.spliced(text.Say("frameql.repair_use", "name", w.String()), e, w.String))
	}
	c := at(shared)
	edits = append(edits, r.spliced(text.Say("frameql.repair_use", "name", c.String()), e, c.String))
	if e.Fn == "" {
		plain := withoutGrain(e)
		edits = append(edits, r.spliced(text.Say("frameql.repair_only", "name", plain.String()), e, plain.String))
	}
	edits = append(edits, r.withoutExpr(e))
	why := refusal("AT_INCOMPARABLE", "frameql.incomparable", "inner", dimsText(r.keyDims(keys)), "grain", dimsText(here))
	r.withBrokenStep(why, r.refsOf(keys), st.keys)
	if why.Facts["finer"] == nil {
		r.withBrokenStep(why, r.refsOf(st.keys), keys)
	}
	r.refuse(e, why, edits...)
}

// refuseInnerIncomparable says that the inner grain of a reducer does not say to which row its values belong.
func (r *resolver) refuseInnerIncomparable(e *Expr, keys []int, st stand) {
	here := r.keyDims(st.keys)
	w := e.clone()
	for _, k := range st.keys {
		if d := r.keys[k].ref; !slices.Contains(keys, k) && !r.determined(d, keys) {
			w.Of.At.Dims = append(w.Of.At.Dims, d.name)
		}
	}
	why := refusal("AT_INCOMPARABLE", "frameql.inner_incomparable", "inner", dimsText(r.keyDims(keys)), "grain", dimsText(here))
	r.refuse(e, r.withBrokenStep(why, r.refsOf(st.keys), keys),
		r.spliced(text.Say("frameql.repair_use", "name", w.String()), e, w.String), r.withoutExpr(e))
}

// refuseAxisRequired says that something runs along the time and that the rows have none.
func (r *resolver) refuseAxisRequired(place any, what string) {
	edits := r.axisEdits()
	switch x := place.(type) {
	case *Expr:
		edits = append(edits, r.withoutExpr(x))
	case *Comparand:
		edits = append(edits, r.withoutCompare())
	default:
		if r.q.Fill != "" {
			edits = append(edits, r.edited(text.Say("frameql.repair_without", "what", "FILL"), func(q *Query) { q.Fill = "" }))
		}
	}
	if len(r.times) > 0 && !slices.ContainsFunc(r.times, func(t leafTime) bool { return t.name != "" }) {
		r.refuseNoTime(r.times[0].source, place, "")
		return
	}
	r.refuse(place, refusal("TIME_DIMENSION_REQUIRED", "frameql.axis_required", "what", what), edits...)
}

// refuseOpenPeriod says that a period without an end has none before it.
func (r *resolver) refuseOpenPeriod(c *Comparand) {
	r.refuse(c, refusal("PERIOD_MISALIGNED", "frameql.open_period", "period", r.period.Label), r.withoutCompare())
}

// refuseMisaligned says that a period is not over and that the other is.
func (r *resolver) refuseMisaligned(c *Comparand, p PeriodUse, elapsed int) {
	set := func(v string) edit {
		return r.edited(text.Say("frameql.repair_use", "name", "partial = "+v), func(q *Query) {
			for i := range q.Options {
				if q.Options[i].Name == "partial" {
					q.Options[i].Value = Value{Kind: String, Text: v}
					return
				}
			}
			q.Options = append(q.Options, Option{Name: "partial", Value: Value{Kind: String, Text: v}})
		})
	}
	key := "frameql.misaligned"
	if r.over(p) {
		key = "frameql.misaligned_data"
	}
	r.refuse(c, refusal("PERIOD_MISALIGNED", key, "period", p.Label, "days", elapsed, "length", daysBetween(p.From, p.To)),
		set("match"), set("none"), r.withoutCompare())
}
