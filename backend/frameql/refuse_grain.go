package frameql

import (
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// refuseGrainMismatch says that a column of SELECT has several values in one row of the grain.
func (r *resolver) refuseGrainMismatch(b ref, it *Item) {
	var grain []string
	for _, g := range r.parts {
		grain = append(grain, g.ref.name.String())
	}
	name := b.name.String()
	why := refusal("GRAIN_MISMATCH", "frameql.grain_mismatch", "name", name, "grain", strings.Join(grain, ", "))
	r.refuse(it, r.withBrokenStep(why, r.keyRefs(b), r.grain),
		r.edited(text.Say("frameql.repair_add_grain", "name", name), func(q *Query) { q.At.Dims = append(q.At.Dims, b.name) }),
		r.edited(text.Say("frameql.repair_without", "what", "AT"), func(q *Query) { q.At = nil }),
		r.spliceItem(it))
}

// spliceItem leaves an item of SELECT out, and only it.
func (r *resolver) spliceItem(it *Item) edit {
	for i := range r.q.Select {
		if &r.q.Select[i] == it {
			return r.edited(text.Say("frameql.repair_leave_out", "name", it.text()), func(q *Query) {
				q.Select = append(q.Select[:i], q.Select[i+1:]...)
			})
		}
	}
	return edit{}
}

func (it Item) text() string {
	if it.Dim != nil {
		return it.Dim.String()
	}
	return it.Expr.String()
}

// refuseNoKey says that an entity has no key (of one column) that could stand for it.
func (r *resolver) refuseNoKey(b ref, place any) {
	var edits []edit
	if b.entity.Display != "" {
		edits = append(edits, r.renamed(b.name.Name, b.name.Name+"."+b.entity.Display))
	}
	for i := range b.entity.Dimensions {
		if len(edits) < 3 && b.entity.Dimensions[i].Type == semantic.Text {
			edits = append(edits, r.renamed(b.name.Name, b.name.Name+"."+b.entity.Dimensions[i].Name))
		}
	}
	key := "frameql.no_key"
	if len(b.entity.Key) > 1 {
		key = "frameql.composite_key_here"
	}
	r.refuse(place, refusal("GRAIN_UNAVAILABLE", key, "entity", b.entity.Name), edits...)
}

// checkGrain says whether a dimension can be cut by its grain.
func (r *resolver) checkGrain(b ref, place any) bool {
	t := b.dim.Type
	drop := func() edit {
		return r.edited(text.Say("frameql.repair_use", "name", b.name.Name), func(q *Query) {
			q.eachName(func(name, grain *string) {
				if grain != nil && strings.EqualFold(*grain, b.grain) && (strings.EqualFold(*name, b.name.Name) || strings.HasSuffix(strings.ToLower(b.name.Name), "."+strings.ToLower(*name))) {
					*grain = ""
				}
			})
		})
	}
	switch {
	case t != "" && !t.Temporal():
		r.refuse(place, refusal("TYPE_MISMATCH", "frameql.not_a_time", "name", b.name.Name, "type", typeWord(t)), drop())
	case !r.calendar.knows(b.grain):
		r.refuseNoUnit(b, place)
	case !r.calendar.coarsens(b.dim.Granularity, b.grain):
		r.refuse(place, refusal("GRAIN_UNAVAILABLE", "frameql.finer_than_known", "name", b.name.Name, "grain", unitText(b.grain), "known", unitText(b.dim.Granularity)),
			r.regrained(b, b.dim.Granularity))
	case b.grain == "hour" && t == semantic.Date:
		r.refuse(place, refusal("GRAIN_UNAVAILABLE", "frameql.no_hours", "name", b.name.Name), r.regrained(b, "day"))
	default:
		return true
	}
	return false
}

// regrained cuts by another unit wherever one is used, bare or behind a name.
func (r *resolver) regrained(b ref, unit string) edit {
	return r.edited(text.Say("frameql.repair_use", "name", unitText(unit)), func(q *Query) {
		q.eachName(func(name, grain *string) {
			switch {
			case grain != nil && strings.EqualFold(*grain, b.grain):
				*grain = unit
			case strings.EqualFold(*name, b.grain):
				*name = unit
			case grain != nil && *grain == "" && strings.HasSuffix(strings.ToLower(*name), "."+b.grain):
				*name = (*name)[:len(*name)-len(b.grain)-1]
				*grain = unit
			}
		})
	})
}

// refuseNoUnit says that the calendar of the workspace has no such unit.
func (r *resolver) refuseNoUnit(b ref, place any) {
	plain := "month"
	switch b.grain {
	case "fiscal_year", "fiscal_quarter", "fiscal_week":
		plain = strings.TrimPrefix(b.grain, "fiscal_")
	}
	r.refuse(place, refusal("CALENDAR_UNDEFINED", "frameql.no_fiscal_calendar", "what", strings.ToUpper(b.grain)), r.regrained(b, plain))
}

// refuseRequired says that a metric has a meaning only with a dimension in the grain.
func (r *resolver) refuseRequired(m *semantic.Metric, dim string) {
	r.refuse(nil, refusal("NON_ADDITIVE_GRAIN", "frameql.required_dimension", "metric", m.Name, "dimension", dim),
		r.withDimension(dim), r.without(m.Name))
}

// withDimension adds a dimension to SELECT and to the grain.
func (r *resolver) withDimension(name string) edit {
	d := dotted{segments: strings.Split(name, ".")}.dim()
	return r.edited(text.Say("frameql.repair_add", "name", name), func(q *Query) {
		q.Select = append([]Item{{Dim: &d}}, q.Select...)
		if q.At != nil {
			q.At.Dims = append(q.At.Dims, d)
		}
	})
}

// refuseForbidden says that a metric means nothing at a grain.
func (r *resolver) refuseForbidden(m *semantic.Metric, b ref) {
	r.refuse(nil, refusal("GRAIN_UNAVAILABLE", "frameql.forbidden_grain", "metric", m.Name, "grain", b.name.String()),
		r.without(b.name.String()), r.without(m.Name))
}

// refuseNonAdditive says that the values of a metric do not add up over rows.
func (r *resolver) refuseNonAdditive(m *semantic.Metric) {
	edits := []edit{}
	for _, f := range []string{"AVG", "MIN", "MAX"} {
		edits = append(edits, r.renamedExpr(m, f))
	}
	r.refuse(nil, refusal("NON_ADDITIVE_GRAIN", "frameql.non_additive", "metric", m.Name), edits...)
}

// renamedExpr puts a reducer around a metric wherever it is asked for by its name alone.
func (r *resolver) renamedExpr(m *semantic.Metric, reducer string) edit {
	reduced := func() *Expr { return &Expr{Reduce: strings.ToLower(reducer), Of: &Expr{Metric: m.Name}} }
	return r.edited(text.Say("frameql.repair_use", "name", reduced().String()), func(q *Query) {
		for i := range q.Select {
			it := &q.Select[i]
			if it.Dim != nil && strings.EqualFold(it.Dim.Name, m.Name) || it.Expr != nil && bareMetric(it.Expr) && strings.EqualFold(it.Expr.Metric, m.Name) {
				it.Dim, it.Expr = nil, reduced()
			}
		}
		key := func(k *Key) {
			if strings.EqualFold(k.Out, m.Name) {
				k.Out, k.Expr = "", reduced()
			}
		}
		if q.Top != nil {
			key(&q.Top.By)
		}
		for i := range q.Order {
			key(&q.Order[i].Key)
		}
	})
}

// refuseSemiAdditive says that the sum of a level over time means nothing.
func (r *resolver) refuseSemiAdditive(e *Expr, m *semantic.Metric) {
	use := func(text string) func() string { return func() string { return text } }
	name := Dim{Name: m.Name}.String()
	average, most := "AVG("+name+")", "MAX("+name+")"
	r.refuse(e, refusal("SEMI_ADDITIVE_TIME", "frameql.semi_additive", "metric", m.Name, "time", r.timeName(r.entity(m.Entity), m.Time)),
		r.spliced(text.Say("frameql.repair_only", "name", m.Name), e, use(name)),
		r.spliced(text.Say("frameql.repair_use", "name", average), e, use(average)),
		r.spliced(text.Say("frameql.repair_use", "name", most), e, use(most)))
}

// refuseMixed says that a metric may not be added up over the values of a dimension, such as a currency.
func (r *resolver) refuseMixed(m *semantic.Metric, dim string) {
	r.refuse(nil, refusal("MIXED_UNITS", "frameql.mixed_dimension", "metric", m.Name, "dimension", dim), r.withDimension(dim))
}
