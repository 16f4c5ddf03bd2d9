package compile

import (
	"slices"

	"assay/backend/semantic"
)

// filterPeriods is one_scan where days cannot stand in for rows (distinct counts, medians, many other groups): the stack of
// branches becomes one scan whose aggregates are filtered by their period, and whose axis lies where the period of the row
// puts it. The periods must be apart from each other, so that a row belongs to one.
func (c *compiler) filterPeriods(root *step) (merged int) {
	plain := c.openScans(root)
	for _, s := range walk(root) {
		if s.kind != kindCollapse || len(s.in) != 1 || s.in[0].kind != kindStack || len(s.joins)+len(s.where) > 0 || s.served != nil {
			continue
		}
		if m := c.merging(s, plain); m != nil {
			m.merge(s)
			merged++
		}
	}
	return merged
}

// merging is a stack of branches that one scan can give.
type merging struct {
	arms    []*step   // of the stack
	scans   []*step   // by arm
	periods []*Scalar // by arm: the rows that are its own
	common  []*Scalar
	gap     bool // there are days between the periods
}

// merging says whether the branches of a collapse read the same rows of periods that are apart; nil: they do not.
func (c *compiler) merging(s *step, plain []*step) *merging {
	m := &merging{arms: s.in[0].in}
	for _, arm := range m.arms {
		if len(arm.in) != 1 || len(arm.joins)+len(arm.where) > 0 || arm.grouped || !slices.Contains(plain, arm.in[0]) {
			return nil
		}
		scan := arm.in[0]
		if scan.scan == nil || scan.scan.time == nil || scan.scan.from.IsZero() || scan.scan.to.IsZero() {
			return nil
		}
		m.scans = append(m.scans, scan)
	}
	if !m.apart() || !m.split() {
		return nil
	}
	for _, col := range s.cols {
		if !m.can(col) {
			return nil
		}
	}
	return m
}

// apart says whether the periods do not overlap, over one source and one time, and lie close together.
func (m *merging) apart() bool {
	sorted := slices.SortedFunc(slices.Values(m.scans), func(a, b *step) int { return a.scan.from.Compare(b.scan.from) })
	read := sorted[0].scan.to.Sub(sorted[0].scan.from)
	for i, s := range sorted[1:] {
		before := sorted[i]
		if s.source != before.source || s.scan.time.Signature() != before.scan.time.Signature() || s.scan.from.Before(before.scan.to) {
			return false
		}
		m.gap = m.gap || !s.scan.from.Equal(before.scan.to)
		read += s.scan.to.Sub(s.scan.from)
	}
	from, to := hull(m.scans)
	return len(m.scans) > 1 && to.Sub(from) < 3*read
}

// split takes the conditions apart: those of all branches, and those of the period of each; false: there are others.
func (m *merging) split() bool {
	for i, s := range m.scans {
		own := within(s.scan.time, s.scan.from, s.scan.to)
		m.periods = append(m.periods, and(own...))
		var rest []*Scalar
		for _, w := range s.where {
			if !slices.ContainsFunc(own, func(x *Scalar) bool { return x.Signature() == w.Signature() }) {
				rest = append(rest, w)
			}
		}
		if i == 0 {
			m.common = rest
			continue
		}
		if !slices.EqualFunc(m.common, rest, func(a, b *Scalar) bool { return a.Signature() == b.Signature() }) {
			return false
		}
	}
	return true
}

// can says whether a column of the collapse can be had from one scan.
func (m *merging) can(c column) bool {
	if c.key {
		return c.x != nil && c.x.Op == "ref" && !slices.ContainsFunc(m.scans, func(s *step) bool { return s.col(c.name) == nil || s.col(c.name).x == nil })
	}
	if c.agg == nil || c.agg.arg == nil || c.agg.arg.Op != "ref" {
		return false
	}
	if c.name == "shown" {
		return c.agg.reducer == "max" && !slices.ContainsFunc(m.arms, func(a *step) bool { return a.col("shown") == nil || a.col("shown").x == nil })
	}
	_, from := m.given(c)
	if from == nil || from.agg == nil || c.agg.reducer != "one" {
		return false
	}
	// a count in a group without rows of the period would be 0, where the stack says that it is missing
	return from.agg.reducer != "count" || c.agg.zero || from.agg.null || from.agg.filter == nil
}

// given finds the branch that gives a column of the collapse; nil: none or several.
func (m *merging) given(c column) (arm int, from *column) {
	for i, a := range m.arms {
		own := a.col(c.agg.arg.Text)
		if own == nil || own.x == nil || own.x.Op != "ref" {
			continue
		}
		if from != nil {
			return 0, nil
		}
		arm, from = i, m.scans[i].col(own.x.Text)
	}
	return arm, from
}

// merge makes the collapse the one scan.
func (m *merging) merge(s *step) {
	first := m.scans[0]
	one := &step{kind: kindScan, name: first.name, source: first.source, origin: first.origin, inner: first.inner, grouped: true, limit: -1}
	from, to := hull(m.scans)
	one.where = append(slices.Clone(m.common), within(first.scan.time, from, to)...)
	if m.gap {
		var any *Scalar
		for _, p := range m.periods {
			if any == nil {
				any = p
			} else {
				any = compare("or", any, p)
			}
		}
		one.where = append(one.where, any)
	}
	for _, c := range s.cols {
		switch {
		case c.key:
			c.x = m.byPeriod(func(i int) *Scalar { return m.scans[i].col(c.name).x }, c.typ)
		case c.name == "shown":
			c.agg = &aggregate{reducer: "max", arg: m.byPeriod(m.shown, semantic.Integer)}
		default:
			i, own := m.given(c)
			agg := *own.agg
			agg.filter = and(agg.filter, m.periods[i])
			agg.null = agg.null || agg.reducer == "count" && !c.agg.zero
			agg.zero = c.agg.zero
			c.agg = &agg
		}
		one.cols = append(one.cols, c)
	}
	*s = *one
}

// shown is what an arm says of its rows: a constant, or what its scan says of each row.
func (m *merging) shown(i int) *Scalar {
	x := m.arms[i].col("shown").x
	if x.Op != "ref" {
		return x
	}
	return m.scans[i].col(x.Text).agg.arg
}

// byPeriod gives an expression over the rows that depends on the period in which a row lies.
func (m *merging) byPeriod(of func(i int) *Scalar, typ semantic.Type) *Scalar {
	whole := &Scalar{Op: "case", Type: typ, HasElse: true}
	same := true
	for i := range m.scans {
		x := of(i)
		same = same && x.Signature() == of(0).Signature()
		if i < len(m.scans)-1 {
			whole.Args = append(whole.Args, m.periods[i])
		}
		whole.Args = append(whole.Args, x)
	}
	if same {
		return of(0)
	}
	return whole
}
