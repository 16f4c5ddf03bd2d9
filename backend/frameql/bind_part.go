package frameql

import (
	"slices"
	"strings"

	"assay/backend/compile"
	"assay/backend/semantic"
	"assay/backend/text"
)

// withPart gives the times among some candidates as a part of their date.
func withPart(all []candidate, part *semantic.DatePart) []candidate {
	var parts []candidate
	for _, c := range all {
		if c.dim != nil {
			c.part = part
			parts = append(parts, c)
		}
	}
	return parts
}

// isTimed says whether a part is one of the time of every number: a number that counts at another day then has the part of
// that day.
func (r *resolver) isTimed(c reached) bool {
	c.part, c.grain = nil, "day"
	return r.isAxis(c)
}

// barePart binds "day_of_week": the part of the time of every number. In a list of rows it is that of the default time of the
// entity.
func (r *resolver) barePart(part *semantic.DatePart, place any, want use) (ref, bool) {
	switch {
	case len(r.sources) == 0:
		return ref{}, false
	case len(r.times) == 0:
		return r.listedGrain(part.Name, place, want)
	}
	for _, t := range r.times {
		if t.name == "" {
			r.refuseNoTime(t.source, place, part.Name)
			return ref{}, false
		}
		at, ok := r.timeAt(t.source, t.name)
		if !ok {
			return ref{}, false
		}
		if !r.checkPart(ref{entity: at.of, dim: at.dim, part: part, name: Dim{Name: t.name}}, place) {
			return ref{}, false
		}
	}
	if r.oneTime() { // its own name says the same
		full, _ := r.reachable(r.meanings(Dim{Name: r.times[0].name + "." + part.Name}), forGrain)
		if len(full) == 1 && full[0].timed {
			return r.place(full[0], place), true
		}
	}
	first, _ := r.timeAt(r.times[0].source, r.times[0].name)
	return ref{entity: first.of, dim: first.dim, part: part, at: r.nowhere(), timed: true, name: Dim{Name: part.Name}}, true
}

// checkPart refuses a part of what is no time, or of a time that is not known so finely.
func (r *resolver) checkPart(b ref, place any) bool {
	t := b.dim.Type
	whole := func(to string) edit {
		return r.edited(text.Say("frameql.repair_use", "name", to), func(q *Query) {
			q.eachName(func(name, _ *string) {
				if cut, ok := strings.CutSuffix(strings.ToLower(*name), "."+b.part.Name); ok {
					*name = (*name)[:len(cut)]
				}
			})
		})
	}
	switch {
	case t != "" && !t.Temporal():
		r.refuse(place, refusal("TYPE_MISMATCH", "frameql.not_a_time", "name", b.name.Name, "type", typeWord(t)), whole(b.name.Name))
	case !r.calendar.coarsens(b.dim.Granularity, b.part.Unit):
		r.refuse(place, refusal("GRAIN_UNAVAILABLE", "frameql.finer_than_known", "name", b.name.Name, "grain", unitText(b.part.Name), "known", unitText(b.dim.Granularity)))
	case b.part.Unit == "hour" && t == semantic.Date:
		r.refuse(place, refusal("GRAIN_UNAVAILABLE", "frameql.no_hours", "name", b.name.Name))
	default:
		return true
	}
	return false
}

// partOf gives the part of a time.
func partOf(part *semantic.DatePart, v *scalar) *scalar {
	s := &scalar{Op: "call", Text: part.Function, Type: semantic.Integer}
	if v != nil {
		s.Args = []*scalar{v}
	}
	return s
}

// cutsTo says whether a time, as it is cut or as a part of it, determines the same time as it is in another column.
func (r *resolver) cutsTo(fine, coarse ref) bool {
	switch {
	case fine.part != nil:
		return fine.part == coarse.part
	case coarse.part != nil:
		return r.calendar.coarsens(fine.grain, coarse.part.Unit)
	}
	return r.calendar.coarsens(fine.grain, coarse.grain)
}

// allInGrain says whether all of some keys are columns of the grain.
func (r *resolver) allInGrain(keys []int) bool {
	return !slices.ContainsFunc(keys, func(k int) bool { return !slices.Contains(r.grain, k) })
}

// partAxis gives the key among some that cuts the time of the numbers so finely that it determines a part of it; -1: none.
func (r *resolver) partAxis(b ref, keys []int) int {
	if !b.timed {
		return -1
	}
	for _, k := range keys {
		if r.keys[k].ref.axis && r.calendar.coarsens(r.keys[k].ref.unit(), b.part.Unit) {
			return k
		}
	}
	return -1
}

// dropParts takes the parts out of the grain that its axis determines: they are read off the buckets, also off those that
// another period is compared with or that have no rows.
func (r *resolver) dropParts() {
	grain := r.grain
	r.grain = slices.DeleteFunc(slices.Clone(grain), func(k int) bool { return r.partAxis(r.keys[k].ref, grain) >= 0 })
}

// orderByParts sorts rows by their dimensions as they were asked for where parts among them are no columns of the grain.
func (r *resolver) orderByParts() {
	if r.bound.Top != nil || !slices.ContainsFunc(r.parts, func(g grainPart) bool { return !r.allInGrain(g.keys) }) {
		return
	}
	for _, g := range r.parts {
		for _, k := range g.keys {
			cell := r.keyScalar(k)
			r.bound.Order = append(r.bound.Order, compile.SortKey{Output: r.outputOf(cell), Cell: cell})
		}
	}
}
