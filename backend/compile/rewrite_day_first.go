package compile

import (
	"assay/backend/semantic"
	"assay/backend/text"
)

// dayFirst groups by the day and cuts the days into months afterwards: cutting the time of every row costs more than
// grouping it. The values of the days are reduced again, so that only what can be had from parts of the rows allows it.
func dayFirst(c *compiler, root *step) (*step, bool, string) {
	applied, why := false, text.Say("compile.day_first_none")
	for _, s := range c.plainScans(root) {
		col := firstCut(s)
		if col == nil {
			continue
		}
		groups, missing := c.dayGroups(s, col)
		switch {
		case missing == "":
			why = text.Say("compile.day_first", "column", col.Text, "groups", groups, "rows", s.source.Rows)
			c.splitByDay(s, col)
			applied = true
		case !applied:
			why = missing
		}
	}
	return root, applied, why
}

// firstCut gives the time column that the keys of a scan cut; nil: none.
func firstCut(s *step) *Scalar {
	for _, k := range s.keyColumns() {
		if col := cutColumn(k.x); col != nil {
			return col
		}
	}
	return nil
}

// dayGroups estimates the groups of a scan by day, or says what is missing.
func (c *compiler) dayGroups(s *step, col *Scalar) (groups int64, missing string) {
	var others []*Scalar
	for _, k := range s.keyColumns() {
		switch {
		case !mentions(k.x, col):
			others = append(others, k.x)
		case cutColumn(k.x) == nil || dayOf(k.x, col, col) == nil:
			return 0, text.Say("compile.day_first_finer", "key", k.name)
		}
	}
	if name := notAgain(s); name != "" {
		return 0, text.Say("compile.not_again", "number", name)
	}
	days, rest := c.dayCount(s, col), c.groups(s, others)
	if days == 0 || rest == 0 || s.source.Rows == 0 {
		return 0, text.Say("compile.sizes_unknown")
	}
	if groups = days * rest; !s.fewGroups(groups) {
		return 0, text.Say("compile.many_groups", "groups", groups, "rows", s.source.Rows)
	}
	return groups, ""
}

// notAgain names the first number of a scan that cannot be computed from parts of its rows; empty: all can.
func notAgain(s *step) string {
	for _, v := range s.values() {
		if v.agg == nil || !v.agg.reducibleAgain() {
			return v.name
		}
	}
	return ""
}

// splitByDay makes a scan the reduction of one that groups by the day.
func (c *compiler) splitByDay(s *step, col *Scalar) {
	t := finerOf(s, c.partName(s, "day"))
	t.where = s.where
	r := reduce(s, t)
	r.overDays(s, col)
	r.replace(s)
}

// overDays gives a reduction the columns of a scan, over groups by day.
func (r *reduction) overDays(s *step, col *Scalar) {
	for _, k := range s.cols {
		switch {
		case !k.key:
			r.value(k)
		case mentions(k.x, col):
			at := day(col)
			r.key(k, dayOf(k.x, col, r.from.key(col.Text, at, semantic.Date)))
		default:
			r.key(k, r.from.key(k.name, k.x, k.typ))
		}
	}
}
