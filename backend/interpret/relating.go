package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// onlyRelates says whether the rows of an entity say nothing but what belongs to what. Rows with more, such as the lines of an order, are
// things of their own: the freight of an order is no number of the products on its lines.
func onlyRelates(m *semantic.Model, e *semantic.Entity) bool {
	return !slices.ContainsFunc(e.Dimensions, func(d semantic.Dimension) bool {
		joins := slices.ContainsFunc(m.Joins, func(j semantic.Join) bool {
			return j.From == e.Name && slices.ContainsFunc(j.On, func(p semantic.ColumnPair) bool { return p.From == d.Name || d.Column != "" && p.From == d.Column })
		})
		return !joins && !slices.Contains(e.Key, d.Name)
	})
}

// relatingTables gives, for two entities, those that point at both and say nothing else.
func relatingTables(m *semantic.Model) map[[2]string][]string {
	out := map[[2]string][]string{}
	for i := range m.Entities {
		e := &m.Entities[i]
		if !onlyRelates(m, e) {
			continue
		}
		for _, a := range m.Joins {
			for _, b := range m.Joins {
				pair := [2]string{a.To, b.To}
				if a.From == e.Name && b.From == e.Name && a.To != b.To && a.ToOne() && b.ToOne() && !slices.Contains(out[pair], e.Name) {
					out[pair] = append(out[pair], e.Name)
				}
			}
		}
	}
	return out
}

// nest moves the conditions on what only a table of its own relates to something that the question names into a quantifier of that table:
// in "writers of papers on the topic Tea" the topic is one of the papers, in "Swiss writers of papers" the country is one of the
// writers. It gives the entity whose rows the rest is about, which without such conditions is q; nil when that is not clear.
func (c *composer) nest(r *relation, q *semantic.Entity) *semantic.Entity {
	paths := c.draft.ix.paths
	for _, far := range r.entities {
		about := func(p *frameql.Pred) bool { return p != nil && p.Quant == "" && ownerOf(p) == far.Name }
		lists := append(slices.Clone(r.each), r.preds)
		if !slices.ContainsFunc(lists, func(ps []*frameql.Pred) bool { return slices.ContainsFunc(ps, about) }) {
			continue
		}
		before := c.namedBefore(r, far)
		by := paths.relates[[2]string{before.Name, far.Name}]
		if len(by) != 1 || q != nil && (q.Name == by[0] || before == c.lead.rows || paths.reaches(before.Name, far.Name)) {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(r.entities), func(e *semantic.Entity) bool { return e == far })
		of := c.draft.ix.spanning(rest)
		if of != nil {
			of = c.bridged(of, rest)
		}
		if of == nil || of.Name == by[0] || before == c.lead.rows && (len(r.each) > 0 || r.quant != "any") {
			continue
		}
		for _, ps := range lists {
			for i, p := range ps {
				if about(p) {
					ps[i] = &frameql.Pred{Quant: "any", Entity: by[0], Pred: p}
				}
			}
		}
		if before == c.lead.rows {
			own := func(p *frameql.Pred) bool { return p != nil && p.Quant != "" && p.Entity == by[0] }
			r.own = slices.DeleteFunc(slices.Clone(r.preds), func(p *frameql.Pred) bool { return !own(p) })
			r.preds = slices.DeleteFunc(r.preds, own)
		}
		r.entities = rest
		return of
	}
	return q
}

func ownerOf(p *frameql.Pred) string {
	owner, _, _ := cutName(p.Dim)
	return owner
}

// namedBefore gives what the question names nearest before the first mention of an entity: related rows, else the members.
func (c *composer) namedBefore(r *relation, e *semantic.Entity) *semantic.Entity {
	first := r.places[slices.Index(r.entities, e)]
	for i, o := range r.entities {
		if o == e {
			first = min(first, r.places[i])
		}
	}
	before, at := c.lead.rows, -1
	for i, o := range r.entities {
		if o != e && r.places[i] < first && r.places[i] > at {
			before, at = o, r.places[i]
		}
	}
	return before
}
