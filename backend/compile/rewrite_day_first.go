package compile

import (
	"slices"

	"assay/backend/semantic"
	"assay/backend/text"
)

// dayFirst groups by the day, or beside many other groups by the number of the month, and cuts these into months afterwards:
// cutting the time of every row costs more than grouping it. The values are reduced again, so that only what can be had
// from parts of the rows allows it.
func dayFirst(c *compiler, root *step) (*step, bool, string) {
	applied, why := false, text.Say("compile.day_first_none")
	for _, s := range c.plainScans(root) {
		col := firstCut(s)
		if col == nil {
			continue
		}
		groups, byMonth, missing := c.dayGroups(s, col)
		switch {
		case missing == "" && byMonth:
			why = text.Say("compile.month_first", "column", col.Text, "groups", groups, "rows", s.source.Rows)
			c.splitByMonth(s, col)
			applied = true
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

// manyDays is from how many groups by day on those by month are found faster, though a month costs more to find than a day.
const manyDays = 10_000

// dayGroups estimates the groups of a scan by day or by month, or says what is missing.
func (c *compiler) dayGroups(s *step, col *Scalar) (groups int64, byMonth bool, missing string) {
	var others []*Scalar
	months := true
	for _, k := range s.keyColumns() {
		switch {
		case !mentions(k.x, col):
			others = append(others, k.x)
		case cutColumn(k.x) == nil || dayOf(k.x, col, col) == nil:
			return 0, false, text.Say("compile.day_first_finer", "key", k.name)
		default:
			months = months && ofMonths(k.x, col)
		}
	}
	if name := notAgain(s); name != "" {
		return 0, false, text.Say("compile.not_again", "number", name)
	}
	days, rest := c.dayCount(s, col), c.groups(s, others)
	if days == 0 || rest == 0 || s.source.Rows == 0 {
		return 0, false, text.Say("compile.sizes_unknown")
	}
	if groups = (days/30 + 1) * rest; months && days*rest > manyDays && s.fewGroups(groups) {
		return groups, true, ""
	}
	if groups = days * rest; !s.fewGroups(groups) {
		return 0, false, text.Say("compile.many_groups", "groups", groups, "rows", s.source.Rows)
	}
	return groups, false, ""
}

// ofMonths says whether an expression over a time is the same for all times of a month.
func ofMonths(x, col *Scalar) bool {
	id := col.Signature()
	bare, cut := 0, 0
	x.each(func(p *Scalar) {
		if p.Signature() == id {
			bare++
		}
		if p.Op == "trunc" && p.Zone == "" && len(p.Buckets) == 0 && p.Args[0].Signature() == id &&
			slices.Contains([]string{"month", "quarter", "year", "fiscal_month", "fiscal_quarter", "fiscal_year"}, p.Text) {
			cut++
		}
	})
	return bare == cut && bare > 0
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

// splitByMonth makes a scan the reduction of one that groups by the number of the month; what is cut then is the first time
// of each. That the days were counted says that no time is infinite, which has no month.
func (c *compiler) splitByMonth(s *step, col *Scalar) {
	t := finerOf(s, c.partName(s, "month"))
	t.where = s.where
	part := func(unit string) *Scalar {
		return &Scalar{Op: "call", Text: unit, Args: []*Scalar{col}, Type: semantic.Integer}
	}
	number := op2("+", op2("*", part("year"), number(12), semantic.Integer), part("month"), semantic.Integer)
	r := reduce(s, t)
	for _, k := range s.cols {
		switch {
		case !k.key:
			r.value(k)
		case mentions(k.x, col):
			t.key("month_number", number, semantic.Integer)
			first := t.part("first_time", &aggregate{reducer: "min", arg: col}, col.Type)
			r.key(k, k.x.replace(func(p *Scalar) *Scalar {
				if p.Signature() == col.Signature() {
					return first
				}
				return nil
			}))
		default:
			r.key(k, t.key(k.name, k.x, k.typ))
		}
	}
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
