package frameql

import (
	"strings"

	"assay/backend/text"
)

// refuseSortKey says that a sort key, or a name in HAVING, is not a column of the result.
func (r *resolver) refuseSortKey(name string, place any) {
	var edits []edit
	if _, ok := place.(*Order); ok {
		edits = append(edits, r.withDimension(name), r.edited(text.Say("frameql.repair_without", "what", "ORDER BY"), func(q *Query) { q.Order = nil }))
	} else if p, ok := place.(*Pred); ok {
		edits = append(edits, r.withDimension(name), r.withoutCondition(p))
	} else {
		edits = append(edits, r.topByMetric()...)
	}
	r.refuse(place, refusal("INVALID_ORDER_OR_TOP", "frameql.not_in_result", "name", name), edits...)
}

// refuseTopDimension says that TOP ranks something that the rows do not stand for.
func (r *resolver) refuseTopDimension(b ref, place *Dim) {
	var grain []string
	var edits []edit
	for _, g := range r.parts {
		name := g.ref.name.String()
		grain = append(grain, name)
		edits = append(edits, r.edited(text.Say("frameql.repair_use", "name", name), func(q *Query) {
			if place == &r.q.Top.Dim {
				q.Top.Dim = g.ref.name
			} else {
				q.Top.Per = &g.ref.name
			}
		}))
	}
	edits = append(edits, r.withDimension(b.name.dottedName()), r.edited(text.Say("frameql.repair_without", "what", "TOP"), func(q *Query) { q.Top = nil }))
	r.refuse(place, refusal("INVALID_ORDER_OR_TOP", "frameql.top_dimension", "name", b.name.String(), "grain", strings.Join(grain, ", ")), edits...)
}

// refuseTopKey says that members are ranked by a number, when a member has several rows.
func (r *resolver) refuseTopKey(t *Top) {
	r.refuse(&t.By, refusal("INVALID_ORDER_OR_TOP", "frameql.top_key", "name", keyText(t.By), "dimension", t.Dim.String()), r.topByMetric()...)
}

func (r *resolver) topByMetric() []edit {
	var edits []edit
	for _, m := range r.metrics {
		edits = append(edits, r.edited(text.Say("frameql.repair_by", "name", m.Name), func(q *Query) {
			if q.Top != nil {
				q.Top.By = Key{Out: m.Name}
			}
		}))
	}
	return append(edits, r.edited(text.Say("frameql.repair_without", "what", "TOP"), func(q *Query) { q.Top = nil }))
}

// refuseTopPer says that members cannot be ranked within themselves.
func (r *resolver) refuseTopPer(t *Top) {
	r.refuse(t.Per, refusal("INVALID_ORDER_OR_TOP", "frameql.top_per", "name", t.Per.String(), "dimension", t.Dim.String()),
		r.edited(text.Say("frameql.repair_without", "what", "PER"), func(q *Query) { q.Top.Per = nil }))
}

// refuseOther says that single rows, or members that are not ranked by a number, have no rest that could be added up.
func (r *resolver) refuseOther(t *Top) {
	r.refuse(t, refusal("INVALID_ORDER_OR_TOP", "frameql.top_other", "dimension", t.Dim.String()),
		append([]edit{r.edited(text.Say("frameql.repair_without", "what", "WITH OTHER"), func(q *Query) { q.Top.Other = false })}, r.topByMetric()...)...)
}

// refuseTopOfRows says that rows without a key are only counted off in one order.
func (r *resolver) refuseTopOfRows(t *Top) {
	r.refuse(t, refusal("INVALID_ORDER_OR_TOP", "frameql.top_rows", "dimension", t.Dim.String()),
		r.edited(text.Say("frameql.repair_without", "what", "ORDER BY, LIMIT, PER"), func(q *Query) { q.Order, q.Limit, q.Offset, q.Top.Per = nil, nil, 0, nil }),
		r.edited(text.Say("frameql.repair_without", "what", "TOP"), func(q *Query) { q.Top = nil }))
}

// refuseOtherBuckets says that the rest of the buckets has no place on the axis.
func (r *resolver) refuseOtherBuckets(t *Top) {
	r.refuse(t, refusal("INVALID_ORDER_OR_TOP", "frameql.top_buckets", "dimension", t.Dim.String()),
		r.edited(text.Say("frameql.repair_without", "what", "WITH OTHER"), func(q *Query) { q.Top.Other = false }),
		r.edited(text.Say("frameql.repair_without", "what", "TOP"), func(q *Query) { q.Top = nil }))
}
