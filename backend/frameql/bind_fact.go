package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// findFact decides whose rows are read: the entity of the metrics, the one that FROM names, or the finest one that
// the query mentions. It stays nil when other problems hide it.
func (r *resolver) findFact() {
	facts, hidden := r.metricFacts()
	var from []*semantic.Entity
	for i, name := range r.q.From {
		e := r.entity(name)
		if e == nil {
			r.refuseUnknownEntity(name)
			hidden = true
			continue
		}
		r.q.From[i] = e.Name
		from = append(from, e)
	}
	switch {
	case len(facts) > 1:
		r.refuseCrossFact(facts)
	case len(facts) == 1:
		r.setFact(facts[0])
		if len(from) > 0 && !slices.Contains(from, facts[0]) {
			r.refuseFromMismatch(facts[0])
		}
	case hidden || r.unknownMetric():
	case len(from) > 0:
		r.setFact(r.finest(from))
		if r.fact == nil {
			r.refuseNotYetNamed(text.Say("frameql.several_facts", "names", strings.Join(r.q.From, ", ")), r.edited(
				text.Say("frameql.repair_from", "name", from[0].Name), func(q *Query) { q.From = q.From[:1] }))
		}
	default:
		r.inferFact()
	}
	for _, e := range from {
		if r.fact != nil && !r.reaches(r.fact.Name, e.Name) {
			r.refuseFromMismatch(e)
		}
	}
}

func (r *resolver) setFact(e *semantic.Entity) {
	r.fact = e
	if e != nil {
		r.nodes = []node{{entity: e, total: true}}
	}
}

// metricFacts gives the entities of the leaves under the metrics; hidden when a metric is broken.
func (r *resolver) metricFacts() (facts []*semantic.Entity, hidden bool) {
	for _, m := range r.metrics {
		names := r.leafEntities(m, 0)
		if len(names) == 0 {
			r.refuseModel(m.Name, text.Say("frameql.no_rows_behind"))
			hidden = true
		}
		for _, name := range names {
			e := r.entity(name)
			if e == nil {
				r.refuseModel(m.Name, text.Say("frameql.no_entity", "name", name))
				hidden = true
			} else if !slices.Contains(facts, e) {
				facts = append(facts, e)
			}
		}
	}
	return facts, hidden
}

func (r *resolver) leafEntities(m *semantic.Metric, depth int) []string {
	if depth > maxModelDepth {
		return nil
	}
	var names []string
	add := func(name string) {
		if part := r.metric(name); part != nil {
			for _, e := range r.leafEntities(part, depth+1) {
				if !slices.Contains(names, e) {
					names = append(names, e)
				}
			}
		}
	}
	switch m.Kind {
	case semantic.Ratio:
		add(m.Numerator)
		add(m.Denominator)
	case semantic.Derived:
		if e, err := semantic.ParseExpr(m.Expr); err == nil {
			for _, name := range e.Idents() {
				add(name)
			}
		}
	default:
		names = []string{m.Entity}
	}
	return names
}

// unknownMetric says whether an expression names something that is neither a metric nor a dimension, so that the fact
// cannot be judged.
func (r *resolver) unknownMetric() bool {
	found := false
	var walk func(e *Expr)
	walk = func(e *Expr) {
		if e == nil {
			return
		}
		if e.Metric != "" && r.metric(e.Metric) == nil && len(r.meanings(Dim{Name: e.Metric})) == 0 {
			found = true
		}
		walk(e.Of)
		for _, a := range e.Args {
			walk(a)
		}
	}
	for _, it := range r.q.Select {
		walk(it.Expr)
	}
	return found
}

// finest gives the entity from which all the others can be looked up; nil when there is none.
func (r *resolver) finest(all []*semantic.Entity) *semantic.Entity {
	for _, e := range all {
		if !slices.ContainsFunc(all, func(o *semantic.Entity) bool { return !r.reaches(e.Name, o.Name) }) {
			return e
		}
	}
	return nil
}

// inferFact finds the entity from the dimensions. What is added up decides alone, for its rows are what is counted;
// else everything in SELECT and AT has a say, and the conditions only when there is nothing else.
func (r *resolver) inferFact() {
	added, counted := r.reducedNames()
	mentions := added
	if len(mentions) == 0 {
		mentions = slices.Concat(counted, r.shownNames())
	}
	if len(mentions) == 0 {
		mentions = r.filteredNames()
	}
	firm, loose, unknown := r.entitiesOf(mentions)
	switch {
	case unknown && len(firm) == 0:
		return // UNKNOWN_NAME will be told where it stands
	case len(firm) == 0 && len(loose) == 0:
		r.refuseNoFact(nil)
	case len(firm) == 0:
		if common := r.common(loose); common != nil {
			r.setFact(common)
			return
		}
		r.refuseAmbiguousName(mentions[0], loose[0])
	default:
		if r.setFact(r.finest(firm)); r.fact == nil && !unknown {
			r.refuseNoFact(firm)
		}
	}
}

// reducedNames gives the dimensions under reducers: those whose repetition would change the number, and the others.
func (r *resolver) reducedNames() (added, counted []Dim) {
	var walk func(e *Expr, into *[]Dim)
	walk = func(e *Expr, into *[]Dim) {
		if e == nil {
			return
		}
		if e.Reduce != "" {
			into = &added
			if e.Reduce == "min" || e.Reduce == "max" || e.Dist {
				into = &counted
			}
		}
		if e.Metric != "" && into != nil && r.metric(e.Metric) == nil {
			*into = append(*into, Dim{Name: e.Metric})
		}
		walk(e.Of, into)
		for _, a := range e.Args {
			walk(a, into)
		}
	}
	for _, e := range r.expressions() {
		walk(e, nil)
	}
	return added, counted
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
	return all
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
			if c.dim == nil { // an entity before everything else of that name
				choices = []*semantic.Entity{e}
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
		case len(choices) == 0 && !timeGrains[strings.ToUpper(d.Name)]:
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
