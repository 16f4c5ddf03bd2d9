package compile

import (
	"slices"
	"time"

	"assay/backend/semantic"
	"assay/backend/text"
)

// oneScan puts one scan under branches that read the same rows of different periods: a period beside the one before is
// read once, grouped by the day, and each branch reduces the days that are its own.
func oneScan(c *compiler, root *step) (*step, bool, string) {
	applied, why := false, text.Say("compile.one_scan_none")
	for _, arms := range c.periods(root) {
		col := arms[0].scan.time
		groups, missing := c.sharedGroups(arms, col)
		switch {
		case missing == "":
			applied, why = true, text.Say("compile.one_scan", "branches", len(arms), "groups", groups, "rows", arms[0].source.Rows)
			c.share(arms, col)
		case !applied:
			why = missing
		}
	}
	if c.filterPeriods(root) > 0 && !applied {
		applied, why = true, text.Say("compile.one_scan_filter")
	}
	return root, applied, why
}

// periods gives the scans that differ in nothing but their period, and in what they group by and aggregate, in sets.
func (c *compiler) periods(root *step) [][]*step {
	var order []string
	sets := map[string][]*step{}
	for _, s := range c.openScans(root) {
		if s.scan == nil || s.scan.time == nil || s.scan.time.Op != "col" || s.scan.time.Type != semantic.Date && s.scan.time.Type != semantic.Timestamp {
			continue
		}
		id := itoa(s.origin) + " " + s.scan.time.Signature()
		for _, w := range s.where {
			if dayOf(w, s.scan.time, s.scan.time) == nil {
				id += " " + w.Signature()
			}
		}
		if sets[id] == nil {
			order = append(order, id)
		}
		sets[id] = append(sets[id], s)
	}
	var all [][]*step
	for _, id := range order {
		if len(sets[id]) > 1 {
			all = append(all, sets[id])
		}
	}
	return all
}

// sharedGroups estimates the groups of the one scan under some others, or says what is missing.
func (c *compiler) sharedGroups(arms []*step, col *Scalar) (groups int64, missing string) {
	var others []*Scalar
	var days, span int64
	from, to := hull(arms)
	for _, s := range arms {
		for _, k := range s.keyColumns() {
			switch {
			case !mentions(k.x, col):
				others = append(others, k.x)
			case dayOf(k.x, col, col) == nil:
				return 0, text.Say("compile.one_scan_key", "key", k.name)
			}
		}
		if name := notAgain(s); name != "" {
			return 0, text.Say("compile.not_again", "number", name)
		}
		own := c.dayCount(s, col)
		if own == 0 {
			return 0, text.Say("compile.sizes_unknown")
		}
		days, span = days+own, max(span, own)
	}
	if !from.IsZero() && !to.IsZero() {
		span = int64(to.Sub(from).Hours() / 24)
	}
	if span > 3*days {
		return 0, text.Say("compile.one_scan_far", "days", span, "read", days)
	}
	rest := c.groups(arms[0], others)
	if rest == 0 || arms[0].source.Rows == 0 {
		return 0, text.Say("compile.sizes_unknown")
	}
	if groups = span * rest; !arms[0].fewGroups(groups) {
		return 0, text.Say("compile.many_groups", "groups", groups, "rows", arms[0].source.Rows)
	}
	return groups, ""
}

// hull gives the shortest period that holds those of some scans; zero: open.
func hull(arms []*step) (from, to time.Time) {
	from, to = arms[0].scan.from, arms[0].scan.to
	for _, s := range arms[1:] {
		if s.scan.from.IsZero() || s.scan.from.Before(from) {
			from = s.scan.from
		}
		if s.scan.to.IsZero() || !to.IsZero() && s.scan.to.After(to) {
			to = s.scan.to
		}
	}
	return from, to
}

// share makes scans reductions of one that groups by the day: conditions that all of them have stay below, those of their
// own periods are about the day.
func (c *compiler) share(arms []*step, col *Scalar) {
	t := finerOf(arms[0], c.partName(arms[0], "day"))
	common := map[string]bool{}
	for _, w := range arms[0].where {
		everywhere := !slices.ContainsFunc(arms[1:], func(s *step) bool {
			return !slices.ContainsFunc(s.where, func(x *Scalar) bool { return x.Signature() == w.Signature() })
		})
		if everywhere {
			common[w.Signature()] = true
			t.where = append(t.where, w)
		}
	}
	from, to := hull(arms)
	for _, w := range within(col, from, to) {
		if !common[w.Signature()] {
			t.where = append(t.where, w)
		}
	}
	for _, s := range arms {
		r := reduce(s, t)
		for _, w := range s.where {
			if !common[w.Signature()] {
				r.only = and(r.only, dayOf(w, col, t.key(col.Text, day(col), semantic.Date)))
			}
		}
		r.overDays(s, col)
		r.replace(s)
	}
}
