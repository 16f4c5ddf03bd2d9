package frameql

import (
	"slices"
	"strings"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// quantified binds ANY, ALL and NO across a one-to-many edge: whether related rows pass a condition.
func (r *resolver) quantified(p *Pred) []*scalar {
	e := r.entity(p.Entity)
	if e == nil {
		r.refuseUnknown(Dim{Name: p.Entity}, p, forFilter)
		return nil
	}
	p.Entity = e.Name
	var all []*scalar
	for i := range r.sources {
		var c *scalar
		switch paths := r.plainest(r.shortest(r.sources[i].entity.Name, e.Name)); len(paths) {
		case 0:
			c = r.relatedMany(p, i, e)
		case 1:
			c = r.relatedOne(p, i, paths[0])
		default:
			r.refuseAmbiguousMeeting(p, r.sources[i].entity, e, paths)
		}
		if c == nil {
			return nil
		}
		all = append(all, c)
	}
	return all
}

// relatedOne is a quantifier over the one row that a lookup finds.
func (r *resolver) relatedOne(p *Pred, s int, path []int) *scalar {
	r.joinable(path, p)
	src := r.sources[s]
	n := r.nodeFor(src, path)
	there := r.partner(src, n)
	if there == nil {
		there = &scalar{Op: "bool", Text: "true", Type: semantic.Boolean}
	}
	test := there
	if p.Pred != nil {
		inner := r.innerCondition(p.Pred, src.nodes[n].entity)
		if inner == nil {
			return nil
		}
		onto := r.moved(inner, src, n)
		if onto == nil {
			return nil
		}
		if p.Quant == "all" {
			return truth(and(there, isTrue("not", truth(onto, false))), true)
		}
		test = and(there, onto)
	}
	if p.Quant == "all" { // of no condition: always
		return &scalar{Op: "bool", Text: "true", Type: semantic.Boolean}
	}
	return truth(test, p.Quant == "no")
}

// partner says whether there is a row on a node; nil: always, as far as the joins tell.
func (r *resolver) partner(s *source, n int) *scalar {
	join := s.nodes[n].join
	if join == nil {
		return nil
	}
	var keys *scalar
	for _, on := range join.On {
		if dim := dimensionOf(s.nodes[n].entity, on.To); dim != nil {
			keys = and(keys, isTrue("not_null", r.value(s, n, dim)))
		}
	}
	return keys
}

// truth makes a condition two-valued: not known is not true.
func truth(s *scalar, opposite bool) *scalar {
	yes, no := "true", "false"
	if opposite {
		yes, no = no, yes
	}
	return &scalar{Op: "case", HasElse: true, Type: semantic.Boolean, Args: []*scalar{
		s, {Op: "bool", Text: yes, Type: semantic.Boolean}, {Op: "bool", Text: no, Type: semantic.Boolean},
	}}
}

// innerSource is a bound condition with the entity and the joins that it reads.
type innerSource struct {
	source *source
	where  *scalar
}

// innerCondition binds the condition of a quantifier over the rows of its entity.
func (r *resolver) innerCondition(p *Pred, e *semantic.Entity) *innerSource {
	in := &innerSource{source: newSource(e)}
	r.within([]*source{in.source}, func() {
		if c := r.condition(p); c != nil {
			in.where = c[0]
		}
	})
	if in.where == nil {
		return nil
	}
	return in
}

// moved reads a condition over an entity at the node of another source where that entity stands.
func (r *resolver) moved(in *innerSource, to *source, n int) *scalar {
	nodes := make([]int, len(in.source.nodes))
	for i, own := range in.source.nodes {
		nodes[i] = r.nodeFor(to, slices.Concat(to.nodes[n].path, own.path))
	}
	return renumbered(in.where, nodes)
}

func renumbered(s *scalar, nodes []int) *scalar {
	if s == nil {
		return nil
	}
	c := *s
	if c.Op == "col" {
		c.Node = nodes[s.Node]
	}
	c.Args = make([]*scalar, len(s.Args))
	for i, a := range s.Args {
		c.Args[i] = renumbered(a, nodes)
	}
	if s.Sub != nil {
		sub := *s.Sub
		sub.On = slices.Clone(sub.On)
		for i := range sub.On {
			sub.On[i].Parent = renumbered(sub.On[i].Parent, nodes)
		}
		if s.Sub.Lookup != nil {
			l := *s.Sub.Lookup
			l.Keys = slices.Clone(l.Keys)
			for i := range l.Keys {
				l.Keys[i] = renumbered(l.Keys[i], nodes)
			}
			sub.Lookup = &l
		}
		c.Sub = &sub
	}
	return &c
}

// meeting is where the rows of a source and those of a quantifier come together.
type meeting struct {
	outer, inner []int // paths to the common entity
}

// meetings gives the nearest common entities of two: the ways of equal length that are shortest.
func (r *resolver) meetings(fact, many *semantic.Entity) []meeting {
	var best []meeting
	least := -1
	for i := range r.model.Entities {
		common := r.model.Entities[i].Name
		outer := r.plainest(r.shortest(fact.Name, common))
		inner := r.plainest(r.shortest(many.Name, common))
		for _, a := range outer {
			for _, b := range inner {
				switch n := len(a) + len(b); {
				case least < 0 || n < least:
					least, best = n, []meeting{{a, b}}
				case n == least:
					best = append(best, meeting{a, b})
				}
			}
		}
	}
	return best
}

// relatedMany is a quantifier over the rows of the many side.
func (r *resolver) relatedMany(p *Pred, s int, e *semantic.Entity) *scalar {
	src := r.sources[s]
	all := r.meetings(src.entity, e)
	switch {
	case len(all) == 0:
		return r.relatedAcross(p, src, e)
	case len(all) > 1:
		var ways [][]int
		for _, m := range all {
			ways = append(ways, m.inner)
		}
		r.refuseAmbiguousMeeting(p, src.entity, e, ways)
		return nil
	}
	m := all[0]
	r.joinable(m.outer, p)
	r.joinable(m.inner, p)
	in := &innerSource{source: newSource(e)}
	if p.Pred != nil {
		if in = r.innerCondition(p.Pred, e); in == nil {
			return nil
		}
	}
	return r.existing(p, src, in, nil, m)
}

// existing says whether rows of the many side meet those of a source and pass the condition; there is what they need
// besides, to be related at all.
func (r *resolver) existing(p *Pred, src *source, in *innerSource, there *scalar, m meeting) *scalar {
	last := &r.model.Joins[m.inner[len(m.inner)-1]]
	before := r.nodeFor(in.source, m.inner[:len(m.inner)-1])
	common := r.nodeFor(src, m.outer)
	sub := &compile.Sub{On: r.pairs(last,
		func(from *semantic.Dimension) *scalar { return r.value(in.source, before, from) },
		func(to *semantic.Dimension) *scalar { return r.value(src, common, to) },
		in.source.nodes[before].entity, src.nodes[common].entity)}
	for i := range sub.On { // the many side is the own one here
		sub.On[i].Parent, sub.On[i].Own = sub.On[i].Own, sub.On[i].Parent
	}
	if there != nil {
		sub.Where = append(sub.Where, there)
	}
	if in.where != nil {
		where := in.where
		if p.Quant == "all" {
			where = isTrue("not", truth(where, false))
		}
		sub.Where = append(sub.Where, where)
	}
	sub.Nodes = r.boundNodes(in.source)
	r.noteSub(in.source)
	exists := &scalar{Op: "exists", Sub: sub, Type: semantic.Boolean}
	switch {
	case p.Quant == "no", p.Quant == "all" && p.Pred != nil:
		return isTrue("not", exists)
	case p.Quant == "all": // of no condition: always
		return &scalar{Op: "bool", Text: "true", Type: semantic.Boolean}
	}
	return exists
}

// noteSub notes the entities and joins that a condition reads besides those of the sources.
func (r *resolver) noteSub(s *source) {
	for _, n := range s.nodes {
		r.noteEntity(n.entity.Name)
		if n.join != nil {
			r.noteJoin(n.join)
		}
	}
}

func (r *resolver) noteEntity(name string) {
	if !slices.Contains(r.plan.Entities, name) {
		r.plan.Entities = append(r.plan.Entities, name)
	}
}

func (r *resolver) noteUse(use JoinUse) {
	if !slices.ContainsFunc(r.plan.Joins, func(o JoinUse) bool { return sameJoin(o, use) }) {
		r.plan.Joins = append(r.plan.Joins, use)
	}
}

func (r *resolver) noteJoin(j *semantic.Join) {
	r.noteUse(JoinUse{From: j.From, To: j.To, Role: j.Role})
	r.noteColumns(j)
}

func sameJoin(a, b JoinUse) bool {
	return strings.EqualFold(a.From, b.From) && strings.EqualFold(a.To, b.To) && strings.EqualFold(a.Role, b.Role)
}
