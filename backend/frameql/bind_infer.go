package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// inferSource finds the rows of a query that has no metric and adds nothing up: those that FROM names, or the entity
// that everything in SELECT and AT belongs to; the conditions have a say only when there is nothing else.
func (r *resolver) inferSource(from []*semantic.Entity) {
	if len(from) > 0 {
		if e := r.finest(from); e != nil {
			r.sourceOf(e)
		} else {
			r.refuseNoFact(from)
		}
		return
	}
	mentions := slices.Concat(r.countedNames(), r.shownNames())
	if !slices.ContainsFunc(mentions, func(d Dim) bool { return !r.isUnit(d) }) {
		mentions = append(mentions, r.filteredNames()...)
	}
	firm, loose, unknown := r.entitiesOf(mentions)
	switch {
	case unknown && len(firm) == 0:
		return // UNKNOWN_NAME will be told where it stands
	case len(firm) == 0 && len(loose) == 0:
		if r.hint != nil {
			r.sourceOf(r.hint)
			return
		}
		r.refuseNoFact(nil)
	case len(firm) == 0:
		if common := r.common(loose); common != nil {
			r.sourceOf(common)
			return
		}
		r.refuseAmbiguousName(mentions, loose[0])
	default:
		if e := r.finest(firm); e != nil {
			r.sourceOf(e)
		} else if !unknown {
			r.inferFact(firm)
		}
	}
}

// inferFact reads the rows of the one entity that leads to several others, none of which leads to the rest.
func (r *resolver) inferFact(mentioned []*semantic.Entity) {
	all := r.leadingToAll(mentioned)
	if len(all) != 1 {
		r.refuseNoFact(mentioned)
		return
	}
	r.sourceOf(all[0])
	r.q.From = []string{all[0].Name} // so that it means the same when the model grows
	r.assume("frameql.assume_from", "name", r.entityWords(all[0].Name))
}

// leadingToAll gives the entities from whose rows all of some can be looked up.
func (r *resolver) leadingToAll(mentioned []*semantic.Entity) []*semantic.Entity {
	var all []*semantic.Entity
	for i := range r.model.Entities {
		e := &r.model.Entities[i]
		if !slices.ContainsFunc(mentioned, func(o *semantic.Entity) bool { return !r.reaches(e.Name, o.Name) }) {
			all = append(all, e)
		}
	}
	return all
}

// countedNames gives the columns under reducers that do not mind repetition.
func (r *resolver) countedNames() []Dim {
	var all []Dim
	for _, x := range r.rowReducers() {
		if !x.repeats {
			all = append(all, x.names...)
		}
	}
	return all
}

// expressions gives every metric expression of the query.
func (r *resolver) expressions() []*Expr {
	var all []*Expr
	for _, it := range r.q.Select {
		all = append(all, it.Expr)
	}
	if r.q.Top != nil {
		all = append(all, r.q.Top.By.Expr)
	}
	for _, o := range r.q.Order {
		all = append(all, o.Expr)
	}
	var preds func(p *Pred)
	preds = func(p *Pred) {
		if p == nil {
			return
		}
		all = append(all, p.Left, p.Expr)
		preds(p.Not)
		for _, c := range slices.Concat(p.And, p.Or) {
			preds(c)
		}
	}
	preds(r.q.Having)
	return slices.DeleteFunc(all, func(e *Expr) bool { return e == nil })
}

// keyNames gives the bare names of sort keys and of HAVING.
func (r *resolver) keyNames() []string {
	var all []string
	if r.q.Top != nil {
		all = append(all, r.q.Top.By.Out)
	}
	for _, o := range r.q.Order {
		all = append(all, o.Out)
	}
	var preds func(p *Pred)
	preds = func(p *Pred) {
		if p == nil {
			return
		}
		all = append(all, p.Out)
		if p.ValDim != nil {
			all = append(all, p.ValDim.dottedName())
		}
		preds(p.Not)
		for _, c := range slices.Concat(p.And, p.Or) {
			preds(c)
		}
	}
	preds(r.q.Having)
	return slices.DeleteFunc(all, func(s string) bool { return s == "" })
}

func (r *resolver) shownNames() []Dim {
	var dims []Dim
	for _, it := range r.q.Select {
		if it.Dim != nil {
			dims = append(dims, *it.Dim)
		}
	}
	if r.q.At != nil {
		dims = append(dims, r.q.At.Dims...)
	}
	return dims
}

func (r *resolver) filteredNames() []Dim {
	var dims []Dim
	var walk func(p *Pred)
	walk = func(p *Pred) {
		if p == nil {
			return
		}
		if p.Dim != "" {
			dims = append(dims, Dim{Name: p.Dim, Grain: p.Grain})
		}
		walk(p.Not)
		for _, c := range slices.Concat(p.And, p.Or) {
			walk(c)
		}
	}
	walk(r.q.Where)
	if r.q.Time != nil && r.q.Time.On != nil {
		dims = append(dims, *r.q.Time.On)
	}
	return dims
}

// entitiesOf gives the entities that names certainly mean, the choices of those that may mean several, and whether
// a name means nothing.
func (r *resolver) entitiesOf(names []Dim) (firm []*semantic.Entity, loose [][]*semantic.Entity, unknown bool) {
	for _, d := range names {
		var choices []*semantic.Entity
		for _, c := range r.meanings(d) {
			e := c.entity
			if c.way[0].role { // the role is an attribute of the entities that it leaves
				for _, j := range r.model.Joins {
					if from := r.entity(j.From); strings.EqualFold(j.Role, c.way[0].name) && from != nil && !slices.Contains(choices, from) {
						choices = append(choices, from)
					}
				}
				continue
			}
			if c.dim == nil { // an entity before everything else of that name, but for an attribute of the entity that leads there
				if len(choices) == 0 {
					choices = []*semantic.Entity{e}
				}
				break
			}
			if !slices.Contains(choices, e) {
				choices = append(choices, e)
			}
		}
		switch {
		case len(choices) == 1 && !slices.Contains(firm, choices[0]):
			firm = append(firm, choices[0])
		case len(choices) > 1:
			loose = append(loose, choices)
		case len(choices) == 0 && !r.isUnit(d):
			unknown = true
		}
	}
	return firm, loose, unknown
}

// common gives the one entity that every choice holds; nil when there are several or none.
func (r *resolver) common(loose [][]*semantic.Entity) *semantic.Entity {
	var both []*semantic.Entity
	for _, e := range loose[0] {
		if !slices.ContainsFunc(loose, func(c []*semantic.Entity) bool { return !slices.Contains(c, e) }) {
			both = append(both, e)
		}
	}
	if len(both) == 1 {
		return both[0]
	}
	return nil
}
