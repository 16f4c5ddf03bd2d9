package frameqltest

import (
	"fmt"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// Step looks at one step of a hierarchy row by row: whether equal values of the finer dimension mean equal values of the
// coarser one.
func (w *World) Step(e *semantic.Entity, finer, coarser string) *semantic.StepAttestation {
	d := &semantic.StepAttestation{SQL: "row by row", Epoch: "drawn"}
	of := map[string][]any{}
	for row := range w.rows(e) {
		p := place{e, row}
		f, c := w.value(p, finer), w.value(p, coarser)
		id := identity(f)
		if _, known := of[id]; !known {
			d.Members++
		}
		if !slices.ContainsFunc(of[id], func(o any) bool { return sameCell(o, c) }) {
			of[id] = append(of[id], c)
			d.Pairs++
		}
		if len(of[id]) > 1 && d.Among == nil {
			d.Member, d.Among = said(f), []*string{said(of[id][0]), said(of[id][1])}
		}
		if f == nil && c != nil {
			d.Bare = said(c)
		}
	}
	return d
}

func said(c any) *string {
	if c == nil {
		return nil
	}
	s := fmt.Sprint(c)
	return &s
}

// widenGrain makes the members that TOP and TOTALS name, and that the grain determines, a part of it: no row becomes two.
func (v *evaluation) widenGrain() {
	var named []frameql.Dim
	if t := v.q.Top; t != nil {
		if named = append(named, t.Dim); t.Per != nil {
			named = append(named, *t.Per)
		}
	}
	for _, set := range v.q.Totals {
		named = append(named, set...)
	}
	for _, k := range v.keysOf(named) {
		if !slices.Contains(v.grain, k) && v.follows(k, v.grain) {
			v.grain = append(v.grain, k)
		}
	}
}

// climbs says whether keys determine another by hierarchies: a coarser dimension of the entity of one of them, or what the
// reference that they determine leads to.
func (v *evaluation) climbs(k key, keys []key) bool {
	t, ok := v.anyReach(k.name)
	if !ok || k.axis || k.grain != "" || t.dim == "" {
		return false
	}
	prefix := strings.TrimSuffix(k.name, t.dim)
	for _, h := range t.entity.Hierarchies {
		for i := 1; i < len(h.Path); i++ {
			finer := key{name: prefix + h.Path[i-1]}
			if h.Path[i] == t.dim && v.holdsHere(h.Step(i-1), prefix) && (slices.Contains(keys, finer) || v.follows(finer, keys)) {
				return true
			}
		}
	}
	for _, j := range v.w.Model.Joins {
		_, beyond := v.w.reach(v.w.Model.Entity(j.To), k.name)
		if beyond && j.Role == "" && !slices.ContainsFunc(j.On, func(on semantic.ColumnPair) bool {
			from := key{name: j.From + "." + on.From}
			return !slices.Contains(keys, from) && !v.climbs(from, keys)
		}) {
			return true
		}
	}
	return false
}

// holdsHere says whether a step holds among the rows of every number: those without a partner have neither value.
func (v *evaluation) holdsHere(d *semantic.StepAttestation, prefix string) bool {
	if d == nil || !d.Holds() || d.Bare == nil {
		return d == nil || d.Holds()
	}
	for _, e := range v.numbers() {
		for _, u := range v.leavesOnly(e) {
			t, ok := v.w.reach(u.leaf.source, strings.TrimSuffix(prefix, "."))
			if !ok || slices.ContainsFunc(t.path, func(j semantic.Join) bool { return !j.Total }) {
				return false
			}
		}
	}
	return true
}

// sameInAll gives the value of a key in the rows of an entity with the values of a scope. All of those that the query counts
// must have the same one: a column that differs among them is not determined, whatever the resolver believes. Buckets tell
// such rows apart too, where there are some in the bucket itself.
func (v *evaluation) sameInAll(e *semantic.Entity, k key, by []int, sc scope) (value any, found bool) {
	agree := func(at *target, check bool) {
		for row := range v.w.rows(e) {
			p := place{e, row}
			if slices.ContainsFunc(by, func(n int) bool { return !sameCell(v.keyOfRow(sc.keys[n], p, at, nil), sc.vals[n]) }) {
				continue
			}
			c := v.keyOfRow(k, p, nil, nil)
			if found && check && !sameCell(c, value) {
				panic(fmt.Sprintf("%s is not determined by %v: %v and %v", k.name, sc.keys, value, c))
			}
			if !found {
				value, found = c, true
			}
		}
	}
	for _, x := range v.numbers() {
		for _, u := range v.leavesOnly(x) {
			if axes := countAxes(sc.keys) > 0; found || u.leaf.source != e || axes && u.leaf.time == nil {
				continue
			} else if axes {
				plain := by
				for n, own := range sc.keys {
					if own.axis {
						by = append(slices.Clip(by), n)
					}
				}
				agree(u.leaf.time, true)
				by = plain
				continue
			}
			agree(nil, true)
		}
	}
	if !found {
		agree(nil, false)
	}
	return value, found
}

// leaveSaid leaves out of a coarser grain what only the members of TOP would say: the rest of them has no such value, and is
// added up.
func (v *evaluation) leaveSaid(out *scope, sc scope) (left bool) {
	if sc.rest == nil {
		return false
	}
	own := slices.DeleteFunc(slices.Clone(sc.keys), sc.rest.covers)
	before := len(out.keys)
	out.keys = slices.DeleteFunc(slices.Clone(out.keys), func(k key) bool {
		return !k.axis && !slices.Contains(sc.keys, k) && !v.follows(k, own)
	})
	return len(out.keys) < before
}
