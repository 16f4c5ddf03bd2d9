package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// checkValues refuses to compare a text with a value that it never has. Nothing is refused where not all values are
// known.
func (r *resolver) checkValues(p *Pred, b ref) {
	if r.env.Values == nil || b.dim.Type != semantic.Text || b.grain != "" {
		return
	}
	var asked []string
	switch {
	case (p.Op == "eq" || p.Op == "ne") && p.Val != nil && p.Val.Kind == String:
		asked = []string{p.Val.Text}
	case p.Op == "in" || p.Op == "not_in":
		for _, v := range p.Vals {
			if v.Kind == String {
				asked = append(asked, v.Text)
			}
		}
	}
	if len(asked) == 0 {
		return
	}
	known, complete := r.env.Values(b.fullName())
	if !complete {
		return
	}
	for _, v := range asked {
		if v != "" && !slices.Contains(known, v) {
			r.refuseUnknownValue(p, b, v, known)
		}
	}
}

// refuseUnknownValue says that a column never has a value, with the nearest that it has, or with the columns that do have
// it.
func (r *resolver) refuseUnknownValue(p *Pred, b ref, v string, known []string) {
	swap := func(to string) edit {
		return r.rewritten(p, func(c *Pred) {
			if c.Val != nil && c.Val.Text == v {
				c.Val = &Value{Kind: String, Text: to}
			}
			for i := range c.Vals {
				if c.Vals[i].Text == v {
					c.Vals[i].Text = to
				}
			}
		})
	}
	var edits []edit
	var others []string
	nearest := nearestValues(v, known)
	if len(nearest) == 0 || nearestDistance(v, nearest[0]) > 0 {
		others = r.dimensionsWith(v, b)
	}
	for _, to := range nearest {
		edits = append(edits, swap(to))
	}
	var elsewhere []edit
	for _, name := range others {
		elsewhere = append(elsewhere, r.rewritten(p, func(c *Pred) { c.Dim, c.Grain = name, "" }))
	}
	if len(others) > 1 {
		why := refusal("AMBIGUOUS_VALUE", "frameql.value_elsewhere", "value", v, "name", b.name.String(), "candidates", strings.Join(others, ", "))
		why.Facts["candidates"] = others
		r.refuse(p, why, append(elsewhere, append(edits, r.withoutCondition(p))...)...)
		return
	}
	key := "frameql.value_unknown"
	if len(nearest)+len(others) == 0 {
		key = "frameql.value_unknown_alone"
	}
	why := refusal("VALUE_NOT_FOUND", key, "value", v, "name", b.name.String(), "candidates", strings.Join(append(slices.Clone(nearest), others...), ", "))
	why.Facts["candidates"] = append(slices.Clone(nearest), others...)
	r.refuse(p, why, append(append(edits, elsewhere...), r.withoutCondition(p))...)
}

// nearestDistance is 0 for values that differ in case and marks only.
func nearestDistance(a, b string) int { return nearness(plain(a), plain(b)) }

// nearestValues gives up to three values that somebody may have meant, the nearest first.
func nearestValues(v string, known []string) []string {
	type close struct {
		value    string
		distance int
	}
	var all []close
	for _, k := range known {
		if d := nearestDistance(v, k); d >= 0 {
			all = append(all, close{k, d})
		}
	}
	slices.SortStableFunc(all, func(a, b close) int { return a.distance - b.distance })
	var values []string
	for _, c := range all[:min(len(all), maxRepairs)] {
		values = append(values, c.value)
	}
	return values
}

// dimensionsWith gives the other text dimensions that every source reaches and that have a value.
func (r *resolver) dimensionsWith(v string, b ref) []string {
	var names []string
	for i := range r.model.Entities {
		e := &r.model.Entities[i]
		if slices.ContainsFunc(r.sources, func(s *source) bool { return !r.reaches(s.entity.Name, e.Name) }) {
			continue
		}
		for k := range e.Dimensions {
			d := &e.Dimensions[k]
			if d.Type != semantic.Text || d == b.dim || d.PII != "" || len(names) == 5 {
				continue
			}
			if values, _ := r.env.Values(e.Name + "." + d.Name); slices.Contains(values, v) {
				names = append(names, e.Name+"."+d.Name)
			}
		}
	}
	return names
}

// checkSize refuses a result that is far larger than may be shown, where its size is known.
func (r *resolver) checkSize() {
	limit := r.settings.maxRows
	if r.bound.Limit != nil || r.bound.Top != nil || r.q.Where != nil || r.q.Having != nil || r.nesting > 0 || r.period != nil {
		return
	}
	rows, n := int64(0), int64(1)
	for _, s := range r.sources {
		if r.rows(s.entity.Name) == 0 {
			return
		}
		rows += r.rows(s.entity.Name)
	}
	if !(r.bound.Listing && len(r.grain) == 0) {
		for _, k := range r.grain {
			size := r.sizeOf(k)
			if size == 0 {
				return
			}
			if n *= size; n > rows {
				break
			}
		}
		rows = min(rows, n)
	}
	if rows <= int64(limit) {
		return
	}
	var edits []edit
	if len(r.metrics) > 0 && len(r.parts) > 0 && len(r.parts[0].keys) > 0 {
		by, part := r.metrics[0].Name, r.parts[0].ref.name
		edits = append(edits, r.edited(text.Say("frameql.repair_top", "name", part.String()), func(q *Query) {
			q.Top = &Top{N: 100, Dim: part, By: Key{Out: by}}
		}))
	}
	hundred := 100
	edits = append(edits, r.edited(text.Say("frameql.repair_use", "name", "LIMIT 100"), func(q *Query) { q.Limit = &hundred }))
	for i := len(r.parts) - 1; i >= 0 && len(r.parts) > 1; i-- {
		edits = append(edits, r.without(r.parts[i].ref.name.String()))
	}
	r.refuse(nil, refusal("CARDINALITY_LIMIT", "frameql.too_many_rows", "rows", rows, "limit", limit), edits...)
}

// sizeOf is about how many values a key has; 0: not known.
func (r *resolver) sizeOf(k int) int64 {
	b := r.keys[k].ref
	if b.grain == "" && !b.axis {
		if r.env.Distinct == nil {
			return 0
		}
		return r.env.Distinct(b.fullName())
	}
	if r.env.Coverage == nil {
		return 0
	}
	first, last, ok := r.env.Coverage(b.fullName())
	if !ok {
		return 0
	}
	return int64(last.Sub(first).Hours()/24/r.calendar.days(b.unit())) + 1
}

// checkAttested refuses a plan that is known less well than OPTIONS verify asks for.
func (r *resolver) checkAttested() {
	if r.settings.verify == "" || r.settings.verify == "A" {
		return
	}
	for _, use := range r.plan.Joins {
		for i := range r.model.Joins {
			j := &r.model.Joins[i]
			if !sameJoin(use, JoinUse{From: j.From, To: j.To, Role: j.Role}) {
				continue
			}
			pairs := []any{"from", j.From, "to", j.To, "verify", r.settings.verify}
			switch a := j.Attested; {
			case a == nil:
				r.refuseVerify("frameql.only_declared", pairs)
			case a.Orphans > 0:
				r.refuseVerify("frameql.orphans", append(pairs, "rows", a.Orphans))
			}
		}
	}
	if r.model.Inferred {
		r.refuseVerify("frameql.only_inferred", []any{"verify", r.settings.verify})
	}
}

func (r *resolver) refuseVerify(key string, pairs []any) {
	r.refuse(nil, refusal("ATTESTATION_TOO_LOW", key, pairs...), r.withoutOption("verify"))
}
