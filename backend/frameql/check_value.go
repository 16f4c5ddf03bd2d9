package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// checkValues refuses to compare a text with a value that it never has. Nothing is refused where not all values are
// known.
func (r *resolver) checkValues(p *Pred, b ref) {
	if r.env.Values == nil || b.dim.Type != semantic.Text {
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
		others = r.dimensionsWith(v)
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
func (r *resolver) dimensionsWith(v string) []string {
	var names []string
	for i := range r.model.Entities {
		e := &r.model.Entities[i]
		if slices.ContainsFunc(r.sources, func(s *source) bool { return !r.reaches(s.entity.Name, e.Name) }) {
			continue
		}
		for k := range e.Dimensions {
			d := &e.Dimensions[k]
			if d.Type != semantic.Text || d.PII != "" || len(names) == 5 {
				continue
			}
			if values, _ := r.env.Values(e.Name + "." + d.Name); slices.Contains(values, v) {
				names = append(names, e.Name+"."+d.Name)
			}
		}
	}
	return names
}
