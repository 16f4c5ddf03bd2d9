package compile

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// totalsRollup computes what is coarser (total rows, the whole of a share, the members of TOP) from the groups of a finer
// scan over the same rows, in place of a scan of its own, where every number can be reduced again.
func totalsRollup(c *compiler, root *step) (*step, bool, string) {
	applied, why := false, text.Say("compile.totals_rollup_none")
	scans := c.openScans(root)
	for _, coarse := range scans {
		if coarse.source == nil { // rolled up already
			continue
		}
		for _, fine := range scans {
			if fine == coarse || !sameRows(fine, coarse) || len(fine.keyColumns()) < len(coarse.keyColumns()) {
				continue
			}
			keys := coarse.keysOver(fine)
			if keys == nil {
				continue
			}
			if name := notAgain(coarse); name != "" {
				if !applied {
					why = text.Say("compile.not_again", "number", name)
				}
				continue
			}
			if groups := c.groups(fine, keyExprs(fine)); groups > 0 && fine.source.Rows > 0 && groups > fine.source.Rows/2 {
				if !applied {
					why = text.Say("compile.many_groups", "groups", groups, "rows", fine.source.Rows)
				}
				continue
			}
			rollUp(coarse, fine, keys)
			applied, why = true, text.Say("compile.totals_rollup", "keys", strings.Join(fine.keys(), ", "))
			break
		}
	}
	return root, applied, why
}

// sameRows says whether two scans read the same rows.
func sameRows(a, b *step) bool {
	if a.source == nil || b.source == nil || a.source != b.source || len(a.where) != len(b.where) {
		return false
	}
	has := func(s *step, w *Scalar) bool {
		return slices.ContainsFunc(s.where, func(x *Scalar) bool { return x.Signature() == w.Signature() })
	}
	for i := range a.where {
		if !has(b, a.where[i]) || !has(a, b.where[i]) {
			return false
		}
	}
	return true
}

func keyExprs(s *step) []*Scalar {
	all := []*Scalar{}
	for _, k := range s.keyColumns() {
		all = append(all, k.x)
	}
	return all
}

// keysOver gives the keys of a scan over the groups of a finer one; nil: they cannot be had from there.
func (s *step) keysOver(fine *step) []*Scalar {
	all := []*Scalar{}
	for _, k := range s.keyColumns() {
		var found *Scalar
		for _, f := range fine.keyColumns() {
			switch {
			case f.x.Signature() == k.x.Signature():
				found = ref(0, f.name, f.typ)
			case found == nil && f.x.Op == "trunc" && k.x.Op == "trunc" && f.x.Args[0].Signature() == k.x.Args[0].Signature() && coarsens(f.x, k.x):
				found = recut(k.x, ref(0, f.name, semantic.Date))
			}
		}
		if found == nil {
			return nil
		}
		all = append(all, found)
	}
	return all
}

// coarsens says whether the buckets of one cut are made of whole ones of another, by the calendar alone.
func coarsens(fine, coarse *Scalar) bool {
	if len(fine.Buckets) > 0 || len(coarse.Buckets) > 0 || fine.Zone != coarse.Zone || fine.From != coarse.From || fine.N != coarse.N || fine.Param != coarse.Param {
		return false
	}
	switch fine.Text {
	case "day":
		return coarse.Text != "hour" && coarse.Text != "day"
	case "month":
		return slices.Contains([]string{"quarter", "year", "fiscal_quarter", "fiscal_year"}, coarse.Text)
	case "quarter":
		return coarse.Text == "year"
	}
	return false
}

// rollUp makes a scan the reduction of another, which gets the columns that it lacks for that.
func rollUp(coarse, fine *step, keys []*Scalar) {
	f := &finer{step: fine, names: &names{taken: map[string]bool{}}, made: map[string]string{}}
	for _, col := range fine.cols {
		f.names.taken[strings.ToLower(col.name)] = true
		if col.agg != nil && !col.agg.zero { // where what is missing is said to be 0, its parts are not known any more
			id := "value " + col.agg.signature()
			if col.agg.null {
				id += " or missing"
			}
			f.made[id] = col.name
		}
	}
	r := reduce(coarse, f)
	for _, col := range coarse.cols {
		if !col.key {
			id := f.reuse(col)
			r.value(col)
			delete(f.made, id) // for this number only: others may need what is missing
			continue
		}
		r.key(col, keys[0])
		keys = keys[1:]
	}
	r.replace(coarse)
}

// reuse lets a sum that is 0 where it is missing be taken for an aggregate that is so too, and gives what it is noted as.
func (f *finer) reuse(c column) string {
	if c.agg == nil || !c.agg.zero || c.agg.reducer != "sum" && c.agg.reducer != "count" {
		return ""
	}
	id := "value " + c.agg.signature()
	if c.agg.null {
		id += " or missing"
	}
	if _, known := f.made[id]; known {
		return ""
	}
	for _, own := range f.cols {
		if own.agg != nil && own.agg.zero && own.agg.null == c.agg.null && own.agg.signature() == c.agg.signature() {
			f.made[id] = own.name
			return id
		}
	}
	return ""
}
