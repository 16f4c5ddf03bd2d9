package frameql

import (
	"slices"
	"strings"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// semiAdditive gives a leaf as a level is taken over time: of the last or first snapshot of each bucket, or reduced over
// the days. Where a group is of one day, or of one instant, the compiler picks nothing.
func (r *resolver) semiAdditive(m *semantic.Metric, l compile.Leaf, st stand) *scalar {
	semi, ok := m.SemiAdditive()
	if !ok || l.Reducer != string(m.Reducer) && !l.Distinct {
		return r.leafCell(l, st)
	}
	if l.Time == nil {
		r.refuseNoTime(l.Source, nil, "")
		return nil
	}
	if st.window == inSum {
		r.refuse(nil, refusal("SEMI_ADDITIVE_TIME", "frameql.semi_additive", "metric", m.Name, "time", r.timeName(r.entity(m.Entity), m.Time)),
			r.withoutWindows(), r.without(m.Name))
		return nil
	}
	if semi.Pick != "first" && semi.Pick != "last" {
		return r.overDays(l, semi.Pick, st)
	}
	src := r.sources[l.Source]
	l.Pick = &compile.Pick{Last: semi.Pick == "last"}
	var per []string
	for _, name := range semi.Per {
		b, ok := r.perDimension(m, src, name)
		if !ok {
			return nil
		}
		l.Pick.Per = append(l.Pick.Per, b)
		per = append(per, name)
	}
	coarser := len(r.q.Totals) > 0 || r.q.Top != nil && r.q.Top.Other
	if len(per) > 0 && (coarser || !r.singleSnapshots(l, st)) && !r.snapshotsUnique(m, src, per, l) {
		return nil
	}
	return r.leafCell(l, st)
}

// perDimension gives a dimension of whose members each has its own snapshot; false after a refusal.
func (r *resolver) perDimension(m *semantic.Metric, src *source, name string) (*scalar, bool) {
	if dim := dimensionOf(src.entity, name); dim != nil {
		return r.value(src, 0, dim), true
	}
	for _, c := range r.candidates(strings.Split(name, ".")) {
		if paths := r.ways(src.entity.Name, c.way, c.entity); c.dim != nil && len(paths) == 1 {
			return r.value(src, r.nodeFor(src, paths[0]), c.dim), r.joinable(paths[0], nil)
		}
	}
	r.refuseModel(m.Name, noDimension(name))
	return nil, false
}

// singleSnapshots says whether each group holds one snapshot only: the axis is as fine as the time is, or the time itself
// is in the grain.
func (r *resolver) singleSnapshots(l compile.Leaf, st stand) bool {
	for _, k := range st.keys {
		b := r.keys[k].ref
		switch {
		case b.axis && l.Time.Type == semantic.Date && b.unit() == "day":
			return true
		case !b.axis && b.grain == "" && b.part == nil && l.Source < len(b.at) && b.at[l.Source] >= 0:
			if signature(r.on(b, l.Source)) == signature(l.Time) {
				return true
			}
		}
	}
	return false
}

// overDays reduces the sums of single days, of those that have one. The grain is that of the row, also in total rows,
// and the day.
func (r *resolver) overDays(l compile.Leaf, reducer string, st stand) *scalar {
	day, ok := r.dayAxis()
	if !ok {
		return nil
	}
	l.Zero = false
	s := r.leafCell(l, st)
	t := s.Type
	if reducer == "avg" {
		t = semantic.Float
	}
	return &scalar{Op: "reduce", Text: reducer, Args: []*scalar{s}, Keys: []int{day}, Type: t, Currency: s.Currency}
}

// dayAxis gives the key of the days of the metrics' time.
func (r *resolver) dayAxis() (int, bool) {
	b, ok := r.bareGrain("day", nil, forGrain)
	if !ok {
		return -1, false
	}
	return r.addKey(b), true
}

func withKey(keys []int, k int) []int {
	if slices.Contains(keys, k) {
		return keys
	}
	return append(append([]int{}, keys...), k)
}

// snapshotsUnique refuses to pick a snapshot for each member when a member was measured to have several at one time.
func (r *resolver) snapshotsUnique(m *semantic.Metric, src *source, per []string, l compile.Leaf) bool {
	if r.env.Unique == nil {
		return true
	}
	names := append([]string{}, per...)
	for i := range src.entity.Dimensions {
		d := &src.entity.Dimensions[i]
		if l.Time.Op == "col" && l.Time.Node == 0 && d.Physical() == l.Time.Text {
			names = append(names, d.Name)
			break
		}
	}
	if unique, known := r.env.Unique(src.entity.Name, names); known && !unique {
		r.refuse(nil, refusal("ATTESTATION_TOO_LOW", "frameql.snapshots_repeat", "metric", m.Name, "entity", src.entity.Name,
			"key", strings.Join(names, ", ")), r.renamedExpr(m, "AVG"), r.renamedExpr(m, "MAX"), r.without(m.Name))
		return false
	}
	return true
}
