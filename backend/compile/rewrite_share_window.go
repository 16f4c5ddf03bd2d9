package compile

import (
	"slices"

	"assay/backend/text"
)

// shareWindow takes the whole of a share from a window over the parts, where these are all there: a coarser scan of the same
// rows, which is read for nothing else, becomes a sum over the finer groups.
func shareWindow(c *compiler, root *step) (*step, bool, string) {
	applied, why := false, text.Say("compile.share_window_none")
	plain := c.openScans(root)
	readers := map[*step]int{}
	for _, s := range walk(root) {
		for _, in := range s.reads() {
			readers[in]++
		}
	}
	for _, s := range walk(root) {
		if s.kind != kindAttach || len(s.in) != 2 || readers[s.in[1]] != 1 || !slices.Contains(plain, s.in[0]) || !slices.Contains(plain, s.in[1]) {
			continue
		}
		parts, whole := s.in[0], s.in[1]
		if !sameRows(parts, whole) {
			continue
		}
		over, missing := windows(parts, whole, s.joins)
		switch {
		case missing == "":
			attachWindows(s, over)
			applied, why = true, text.Say("compile.share_window")
		case !applied:
			why = missing
		}
	}
	return root, applied, why
}

// windows gives the columns of the coarser scan as windows over the groups of the finer one, or says what is missing.
func windows(parts, whole *step, joins []join) (over []column, missing string) {
	var partition []*Scalar
	if len(joins) != 1 || len(joins[0].on) != len(whole.keyColumns()) {
		return nil, text.Say("compile.share_window_none")
	}
	for _, k := range whole.keyColumns() {
		i := slices.IndexFunc(parts.cols, func(p column) bool { return p.key && p.x.Signature() == k.x.Signature() })
		if i < 0 || !joinedBy(joins[0], parts.cols[i].name, k.name) {
			return nil, text.Say("compile.share_window_none")
		}
		partition = append(partition, ref(0, parts.cols[i].name, k.typ))
	}
	for _, v := range whole.values() {
		i := slices.IndexFunc(parts.cols, func(p column) bool {
			return p.agg != nil && p.agg.zero == v.agg.zero && p.agg.null == v.agg.null && p.agg.signature() == v.agg.signature()
		})
		if i < 0 || !v.agg.reducibleAgain() || v.agg.reducer == "avg" {
			return nil, text.Say("compile.not_again", "number", v.name)
		}
		again := again(v.agg, nil)
		over = append(over, column{name: v.name, typ: v.typ, win: &window{function: again.reducer, arg: ref(0, parts.cols[i].name, v.typ), partition: partition}})
	}
	return over, ""
}

// attachWindows makes a step that joined a coarser scan read windows in its place.
func attachWindows(s *step, over []column) {
	w := selects(kindWindow, "with_whole", s.in[0])
	w.pass(0, s.in[0].allNames()...)
	used := &names{taken: map[string]bool{}}
	for _, n := range w.allNames() {
		used.take(n)
	}
	place := map[string]string{}
	for _, col := range over {
		place[col.name] = used.take(col.name)
		col.name = place[col.name]
		w.cols = append(w.cols, col)
	}
	s.in, s.joins, s.kind = []*step{w}, nil, kindWindow
	for i := range s.cols {
		s.cols[i].x = s.cols[i].x.replace(func(p *Scalar) *Scalar {
			if p.Op == "ref" && p.Index == 1 {
				return ref(0, place[p.Text], p.Type)
			}
			return nil
		})
	}
}

// joinedBy says whether a join compares a column with one of the joined step, neither of them moved.
func joinedBy(j join, own, other string) bool {
	return slices.ContainsFunc(j.on, func(c *Scalar) bool {
		a, b := c.Args[0], c.Args[1]
		return c.Op == "same" && a.Op == "ref" && a.Index == 0 && a.Text == own && b.Op == "ref" && b.Index == 1 && b.Text == other
	})
}
