package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// A hierarchy of the model says that a city lies in one country. So equal cities mean equal countries, wherever a grain is
// compared: its steps are dependencies like those of a key, as far as they hold in the data. A missing value is a member
// like any other, and the rows without a partner are among those without a value.

// trust is which steps of hierarchies are believed.
type trust int

const (
	measured trust = iota // those that were measured to hold
	declared              // also those that nobody measured
	anyway                // also those that do not hold: to say why not
)

// climbing is what determined knows while it is asked, and the declared steps that the plan rests on.
type climbing struct {
	trust    trust
	open     []climb // what is being asked about: hierarchies may go in circles
	taken    []climb // what the present answer rests on
	unproven bool    // a step was met that nobody measured
	declared []climb // of the whole plan
}

// climb is one step of a hierarchy on a node of a source.
type climb struct {
	source, node int
	hierarchy    *semantic.Hierarchy
	step         int // from Path[step] to Path[step+1]
}

// determined says whether equal values of some keys mean equal values of a column: exact dependencies, and those that the
// model declares and nobody measured, which are noted.
func (r *resolver) determined(b ref, keys []int) bool {
	r.climbs.unproven = false
	ok := r.determinedAs(measured, b, keys)
	if !ok && r.climbs.unproven {
		if ok = r.determinedAs(declared, b, keys); ok {
			r.climbs.declared = append(r.climbs.declared, r.climbs.taken...)
		}
	}
	return ok
}

func (r *resolver) determinedAs(t trust, b ref, keys []int) bool {
	r.climbs.trust, r.climbs.taken = t, nil
	ok := r.follows(b, keys)
	r.climbs.trust = measured
	return ok
}

// climbsTo says whether keys determine a dimension of a node by a step of a hierarchy. Buckets of the axis determine none:
// those of a comparand lie elsewhere.
func (r *resolver) climbsTo(s, n int, dim string, keys []int) bool {
	e := r.sources[s].nodes[n].entity
	for i := range e.Hierarchies {
		h := &e.Hierarchies[i]
		for k := 1; k < len(h.Path); k++ {
			at := climb{s, n, h, k - 1}
			finer := dimensionOf(e, h.Path[k-1])
			if !strings.EqualFold(h.Path[k], dim) || slices.Contains(r.climbs.open, at) || !r.believes(at) {
				continue
			}
			still := slices.DeleteFunc(slices.Clone(keys), func(k int) bool { return r.keys[k].ref.axis })
			nodes := make([]int, len(r.sources))
			nodes[s] = n
			before := len(r.climbs.taken)
			r.climbs.open = append(r.climbs.open, at)
			ok := r.determinedIn(s, ref{at: nodes, entity: e, dim: finer}, still, 0)
			r.climbs.open = r.climbs.open[:len(r.climbs.open)-1]
			if ok {
				r.climbs.taken = append(r.climbs.taken, at)
				return true
			}
			r.climbs.taken = r.climbs.taken[:before]
		}
	}
	return false
}

// believes says whether a step counts.
func (r *resolver) believes(c climb) bool {
	d := c.hierarchy.Step(c.step)
	switch {
	case d == nil:
		r.climbs.unproven = true
		return r.climbs.trust >= declared
	case r.holds(c, d):
		return true
	}
	return r.climbs.trust == anyway
}

// holds says whether a step that was measured holds among the rows of the source: those that have no partner on the node are
// without both values.
func (r *resolver) holds(c climb, d *semantic.StepAttestation) bool {
	return d.Holds() && (d.Bare == nil || r.sources[c.source].partnered(c.node))
}

// impliedOf says whether keys determine a dimension by its name in the rows of every leaf of a metric.
func (r *resolver) impliedOf(m *semantic.Metric, name string, keys []int) bool {
	return !slices.ContainsFunc(r.leavesOf(m, 0), func(l *semantic.Metric) bool { return !r.implied(r.entitySource(l.Entity), name, keys) })
}

// implied says whether keys determine a dimension by its name: one of the fact of a source, or entity.dimension of what it
// reaches.
func (r *resolver) implied(s int, name string, keys []int) bool {
	if s < 0 {
		return false
	}
	entity, dim, dotted := strings.Cut(name, ".")
	for n := range r.sources[s].nodes {
		e := r.sources[s].nodes[n].entity
		if !dotted && n == 0 {
			entity, dim = e.Name, name
		}
		if d := dimensionOf(e, dim); d != nil && strings.EqualFold(entity, e.Name) {
			nodes := r.nowhere()
			nodes[s] = n
			return r.determined(ref{at: nodes, entity: e, dim: d}, keys)
		}
	}
	return false
}

// inGrain makes a dimension that the output grain determines a part of it: the rows stay the same.
func (r *resolver) inGrain(b ref) (grainPart, bool) {
	if r.partAxis(b, r.grain) >= 0 { // it is read off the buckets
		return grainPart{}, false
	}
	refs := r.keyRefs(b)
	if len(refs) == 0 || len(r.leaves) == 0 || slices.ContainsFunc(refs, func(k ref) bool { return k.axis || !r.determined(k, r.grain) }) {
		return grainPart{}, false
	}
	part := grainPart{ref: b, shown: true}
	for _, k := range refs {
		i := r.addKey(k)
		r.keys[i].depends, r.keys[i].declared = nil, false
		part.keys = append(part.keys, i)
		if !slices.Contains(r.grain, i) {
			r.grain = append(slices.Clip(r.grain), i)
		}
	}
	r.parts = append(r.parts, part)
	return part, true
}

// bringAlong makes the keys of a coarser grain columns of the rows that it is placed in: in every source that gives such rows,
// also where the number at the coarser grain reads another. It gives these columns: of rows without a time of their own, a time is
// an attribute. Where the rows of one of these sources do not determine them it refuses.
func (r *resolver) bringAlong(e *Expr, keys []int, st stand) (brought []int, ok bool) {
	if slices.ContainsFunc(keys, func(k int) bool { return !r.keys[k].ref.axis && slices.Contains(r.keys[k].ref.at, -1) }) {
		told := len(r.problems)
		for i := range e.At.Dims {
			if b, ok := r.dimension(e.At.Dims[i], &e.At.Dims[i], forGrain); ok {
				for _, k := range r.keyRefs(b) {
					r.addKey(k)
				}
			}
		}
		r.problems = r.problems[:told]
		if !r.allDetermined(keys, st.keys) {
			r.refuseIncomparable(e, keys, st)
			return nil, false
		}
	}
	brought = make([]int, len(keys))
	for i, k := range keys {
		brought[i] = r.determinedKey(r.keys[k].ref, st.keys)
	}
	return brought, true
}

// shows says whether a dimension is a column of the result.
func (r *resolver) shows(b ref) bool {
	return !slices.ContainsFunc(r.keyRefs(b), func(k ref) bool {
		return !slices.ContainsFunc(r.outputs, func(o output) bool { return o.key >= 0 && r.keys[o.key].ref.same(k) })
	})
}

// lackHierarchies names the steps that the plan rests on and nobody measured.
func (r *resolver) lackHierarchies() {
	told := map[string]bool{}
	for _, c := range r.climbs.declared {
		finer, coarser := r.stepNames(c)
		if id := finer + " " + coarser; !told[id] {
			told[id] = true
			r.lack(&r.plan.Unattested, "HIERARCHY_DECLARED", "frameql.step_declared", "finer", finer, "coarser", coarser)
		}
	}
}

func (r *resolver) stepNames(c climb) (finer, coarser string) {
	entity := r.sources[c.source].nodes[c.node].entity.Name
	return entity + "." + c.hierarchy.Path[c.step], entity + "." + c.hierarchy.Path[c.step+1]
}

// withBrokenStep adds to a refusal the step of a hierarchy that would make it needless if it held, with what contradicts it.
func (r *resolver) withBrokenStep(why *Refusal, some []ref, keys []int) *Refusal {
	for _, b := range some {
		if r.follows(b, keys) || !r.determinedAs(anyway, b, keys) {
			continue
		}
		for _, c := range r.climbs.taken {
			if d := c.hierarchy.Step(c.step); d != nil && !r.holds(c, d) {
				r.explainStep(why, c, d)
				return why
			}
		}
	}
	return why
}

// explainStep tells which member has several values: of all rows, or with those that have no partner.
func (r *resolver) explainStep(why *Refusal, c climb, d *semantic.StepAttestation) {
	finer, coarser := r.stepNames(c)
	member, among := d.Member, d.Among
	if d.Holds() {
		member, among = nil, []*string{d.Bare, nil}
	}
	said := func(value *string, name string) string {
		if value == nil {
			return text.Say("frameql.step_missing", "name", name)
		}
		return *value
	}
	pairs := []any{
		"finer", finer, "coarser", coarser, "member", said(member, c.hierarchy.Path[c.step]),
		"one", said(among[0], c.hierarchy.Path[c.step+1]), "other", said(among[1], c.hierarchy.Path[c.step+1]),
	}
	why.Message += " " + text.Say("frameql.step_broken", pairs...)
	for k, v := range factsOf(append(pairs, "members", d.Members, "pairs", d.Pairs, "sql", d.SQL, "epoch", d.Epoch)) {
		why.Facts[k] = v
	}
}

// refsOf gives the columns of some keys.
func (r *resolver) refsOf(keys []int) []ref {
	var all []ref
	for _, k := range keys {
		all = append(all, r.keys[k].ref)
	}
	return all
}
