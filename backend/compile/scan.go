package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"assay/backend/semantic"
)

// branchKey is equal for leaves that one scan can give: the same rows, in the same buckets.
func (r *relating) branchKey(l Leaf, ctx int) string {
	key := fmt.Sprint(l.Source, " ", ctx)
	x := r.c.contexts[ctx]
	if r.axis >= 0 || !x.From.IsZero() || !x.To.IsZero() || l.Pick != nil || l.Map.Kind != "" {
		key += " " + l.Time.Signature()
	}
	if l.Pick != nil {
		key += fmt.Sprint(" pick ", l.Pick.Last)
		for _, p := range l.Pick.Per {
			key += " " + p.Signature()
		}
	}
	if l.Map.Kind != "" {
		key += " map " + l.Map.signature()
		if l.Map.Kind != "shift" && !r.preaggregates(l) { // rows meet days one by one: apart from what is grouped first
			key += " rows"
		}
	}
	return key
}

// scanInput is the branch of atoms that one scan gives.
func (r *relating) scanInput(all []*atom) *input { return r.scanOf(all[0].leaf, all[0].ctx, all) }

func (r *relating) scanOf(like Leaf, ctx int, all []*atom) *input {
	x := r.c.contexts[ctx]
	in := &input{atoms: all, adds: !x.Lag && like.Map.ofRows() && !quiet(all), rows: []look{{leaf: like, x: x, m: like.Map}}}
	if like.Map.Kind != "" && like.Map.Kind != "shift" {
		in.step = r.spread(like, ctx, all)
		return in
	}
	if like.Pick != nil && r.axis >= 0 {
		like.pickCut = r.c.key(r.axis).Cut
	}
	s := r.c.base(like, ctx, r.req.only)
	when := like.Time
	if like.Map.Kind == "shift" {
		when = move(when, like.Map.N, strings.TrimPrefix(like.Map.Unit, "fiscal_"))
	}
	for _, k := range r.keys {
		r.c.addKey(s, k, r.keyExpr(k, like.Source, when, x))
		r.settle(s, k)
	}
	if r.axis >= 0 && x.moved() && (len(x.Peers) > 0 || len(r.c.key(r.axis).Cut.Buckets) > 0) { // a bucket without a peer lies nowhere
		s.where = append(s.where, &Scalar{Op: "not_null", Args: []*Scalar{s.col(r.c.keyNames[r.axis]).x}, Type: semantic.Boolean})
	}
	if x.moved() && when != nil && x.From.IsZero() && x.To.IsZero() { // base leaves out the rows without a time; a frame keeps them
		known := when
		if r.axis >= 0 {
			known = cutAt(r.c.key(r.axis).Cut, when)
		}
		s.scan.where = append(s.scan.where, &Scalar{Op: "not_null", Args: []*Scalar{known}, Type: semantic.Boolean})
	}
	for _, a := range all {
		r.addLeaf(s, a)
	}
	if !x.warm.IsZero() && len(r.grain) > 0 {
		in.shown = "shown"
		inside := within(when, x.From, time.Time{})
		one := &Scalar{Op: "case", Args: []*Scalar{inside[0], number(1), number(0)}, HasElse: true, Type: semantic.Integer}
		s.cols = append(s.cols, column{name: "shown", typ: semantic.Integer, agg: &aggregate{reducer: "max", arg: one}})
	}
	if (r.req.exists || len(all) == 0) && len(r.grain) == 0 {
		s.cols = append(s.cols, column{name: "counted", typ: semantic.Integer, agg: &aggregate{reducer: "count"}})
	}
	s.scan.shifted = x.moved() || like.Map.Kind != ""
	s.scan.special = s.scan.special || in.shown != "" || r.req.exists || len(x.Peers) > 0 || len(all)+len(r.keys) == 0
	in.step = s
	return in
}

// base is a scan of a source in a context, without columns: its conditions, the snapshots that count, the members that do
// not.
func (c *compiler) base(like Leaf, ctx int, only *restriction) *step {
	x := c.contexts[ctx]
	source := &c.q.Sources[like.Source]
	s := &step{kind: kindScan, name: c.scanName(like.Source, x), source: source, origin: like.Source, grouped: true, limit: -1}
	s.scan = &scan{time: like.Time, context: ctx}
	for i, w := range source.Where {
		if w != nil && !x.IgnoreFilters && !slices.Contains(x.Ignored, i) {
			s.scan.where = append(s.scan.where, w)
			s.where = append(s.where, c.bind(s, conjuncts(w))...)
		}
	}
	from, to := x.From, x.To
	if !x.warm.IsZero() {
		from = x.warm
	}
	if like.Map.Kind == "shift" {
		from, to = unmoved(from, like.Map.N, like.Map.Unit), unmoved(to, like.Map.N, like.Map.Unit)
	}
	if like.Time != nil && (like.Map.Kind == "" || like.Map.Kind == "shift") {
		s.scan.from, s.scan.to = from, to
		s.where = append(s.where, within(like.Time, from, to)...)
		if x.moved() && from.IsZero() && to.IsZero() { // a row without a time has no bucket that could be moved
			s.where = append(s.where, &Scalar{Op: "not_null", Args: []*Scalar{like.Time}, Type: semantic.Boolean})
		}
	}
	if only != nil {
		c.restrict(s, only, like, x)
	}
	if like.Pick != nil {
		c.pick(s, like, x, from, to, only)
	}
	s.scan.special = s.scan.special || len(s.in) > 0 || like.Map.Kind != ""
	return s
}

// unmoved gives the first day that lies at t or later once it is moved by units; zero stays.
func unmoved(t time.Time, n int, unit string) time.Time {
	if t.IsZero() {
		return t
	}
	unit = strings.TrimPrefix(unit, "fiscal_")
	day := addUnits(t, -n, unit).AddDate(0, 0, -4)
	for addUnits(day, n, unit).Before(t) {
		day = day.AddDate(0, 0, 1)
	}
	return day
}

// scanName is the name of a scan among the steps.
func (c *compiler) scanName(source int, x Context) string {
	entity := c.q.Sources[source].Nodes[0].Entity
	suffix := "_grouped"
	if x.moved() || x.Lag {
		suffix = "_compared"
	}
	return plainWord(entity) + suffix
}

// plainWord gives a name in letters that every engine takes without quotes.
func plainWord(name string) string {
	var word strings.Builder
	for _, r := range strings.ToLower(name) {
		if r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' && word.Len() > 0 {
			word.WriteRune(r)
		}
	}
	return strings.Trim(word.String(), "_")
}

// keyExpr is a key over the rows of a source.
func (r *relating) keyExpr(k, source int, when *Scalar, x Context) *Scalar {
	key := r.c.key(k)
	if key.Part != nil && when != nil && when.Op == "move" {
		part := *key.Part
		part.Args = []*Scalar{when}
		return &part
	}
	if !key.Axis {
		if source < len(key.Exprs) && key.Exprs[source] != nil {
			return key.Exprs[source]
		}
		if slices.Contains(r.grain, k) {
			r.c.broken("key " + key.Name + " that a source does not reach")
		}
		return null(key.Type)
	}
	if when == nil {
		r.c.broken("an axis for a number without a time")
		return null(key.Type)
	}
	if !r.placed(k) { // an attribute of the members, wherever they count
		if when.Op == "move" {
			when = when.Args[0]
		}
		x = Context{}
	}
	return r.c.axisKey(k, when, x)
}

// placed says whether numbers lie on an axis key: it is in the grain, or is cut from one that is.
func (r *relating) placed(k int) bool {
	return r.c.key(k).Axis && (slices.Contains(r.grain, k) || r.c.cutsFrom(k, r.grain))
}

func (c *compiler) addKey(s *step, k int, x *Scalar) {
	name := c.keyNames[k]
	typ := c.key(k).Type
	if c.key(k).Axis && typ == "" {
		typ = cutType(c.key(k).Cut)
	}
	s.cols = append(s.cols, column{name: name, key: true, typ: typ, x: c.bind(s, []*Scalar{x})[0]})
	if s.scan != nil {
		s.scan.keys = append(s.scan.keys, name)
	}
}

// loose says whether a key is carried along with a grain that determines it by declaration only.
func (r *relating) loose(k int) bool { return r.c.key(k).Declared && !slices.Contains(r.grain, k) }

// settle makes a loose key, the last column of a step, one of its values in each group, so that it makes no groups of its own.
func (r *relating) settle(s *step, k int) {
	if !r.loose(k) {
		return
	}
	last := &s.cols[len(s.cols)-1]
	last.key, last.agg, last.x = false, &aggregate{reducer: "one", arg: last.x}, nil
	if s.scan != nil {
		s.scan.keys, s.scan.special = s.scan.keys[:len(s.scan.keys)-1], true
	}
}

func (r *relating) addLeaf(s *step, a *atom) {
	agg := r.c.aggregate(s, a.leaf)
	if a.leaf.Reducer == "count" && len(s.keys()) == 0 && r.partly(a) {
		agg.null = true // 0 only within the data
	}
	s.cols = append(s.cols, column{name: a.col, typ: a.typ, agg: agg})
	if s.scan != nil {
		s.scan.leaves = append(s.scan.leaves, scanLeaf{a.col, a.leaf})
	}
}

// aggregate is the reducer of a leaf. What is missing stays so: whether it means 0 is said where branches meet.
func (c *compiler) aggregate(s *step, l Leaf) *aggregate {
	a := &aggregate{reducer: l.Reducer, distinct: l.Distinct, param: l.Param, discrete: l.Discrete, null: !l.Zero && l.Reducer == "count"}
	if l.Expr != nil {
		a.arg = c.bind(s, []*Scalar{l.Expr})[0]
	}
	if l.Filter != nil {
		a.filter = c.bind(s, []*Scalar{l.Filter})[0]
	}
	if l.Reducer == "first" || l.Reducer == "last" {
		if l.Time == nil {
			c.broken(l.Reducer + " without a time")
			return a
		}
		a.order = c.bind(s, append([]*Scalar{l.Time}, l.Tie...))
	}
	return a
}

// restrict leaves out the rows whose members are shown by TOP.
func (c *compiler) restrict(s *step, only *restriction, like Leaf, x Context) {
	j := join{input: len(s.in), kind: joinAnti}
	if only.moved.moved() {
		x = only.moved
	}
	for _, k := range slices.Sorted(maps.Keys(only.pairs)) {
		var own *Scalar
		if key := c.key(k); key.Axis {
			own = c.axisKey(k, like.Time, x)
		} else {
			own = key.Exprs[like.Source]
		}
		if own == nil {
			c.broken("members that a source does not reach")
			return
		}
		j.on = append(j.on, compare("same", ref(len(s.in), only.pairs[k], c.key(k).Type), own))
	}
	s.in = append(s.in, only.step)
	s.joins = append(s.joins, j)
}

// pick keeps the snapshots of a semi-additive leaf: the last (or first) of each bucket among the rows of the period,
// whatever conditions on other columns say. The rest of members that hold the time has snapshots of its own.
func (c *compiler) pick(s *step, like Leaf, x Context, from, to time.Time, only *restriction) {
	p := &step{kind: kindPick, name: "snapshots", source: s.source, origin: s.origin, grouped: true, limit: -1}
	for i, w := range s.source.Where {
		if w != nil && !x.IgnoreFilters && !slices.Contains(x.Ignored, i) {
			for _, part := range conjuncts(w) {
				if onlyAbout(part, like.Time) {
					p.where = append(p.where, part)
				}
			}
		}
	}
	p.where = append(p.where, within(like.Time, from, to)...)
	if like.pickCut != nil {
		p.cols = append(p.cols, column{name: "bucket", key: true, x: cutAt(like.pickCut, like.Time)})
	}
	reducer := "min"
	if like.Pick.Last {
		reducer = "max"
	}
	j := join{input: len(s.in), kind: joinInner}
	for i, per := range like.Pick.Per {
		name := "per_" + itoa(i+1)
		p.cols = append(p.cols, column{name: name, key: true, typ: per.Type, x: per})
		j.on = append(j.on, compare("same", ref(len(s.in), name, per.Type), per))
	}
	p.cols = append(p.cols, column{name: "picked", typ: like.Time.Type, agg: &aggregate{reducer: reducer, arg: like.Time}})
	j.on = append(j.on, compare("=", ref(len(s.in), "picked", like.Time.Type), like.Time))
	if only != nil && slices.ContainsFunc(only.members, func(k int) bool { return c.isTimeOf(k, like) }) {
		c.restrict(p, only, like, x)
	}
	s.in = append(s.in, p)
	s.joins = append(s.joins, j)
}

// isTimeOf says whether a key is the time of a leaf, cut or not.
func (c *compiler) isTimeOf(k int, l Leaf) bool {
	key := c.key(k)
	return key.Axis || l.Source < len(key.Exprs) && key.Exprs[l.Source].Signature() == l.Time.Signature()
}

// snapshots gives a leaf without its pick where each group holds one snapshot only: the axis is as fine as the time is, or
// the time itself is in the grain.
func (c *compiler) snapshots(l Leaf, grain []int) Leaf {
	if l.Pick == nil {
		return l
	}
	if a := c.finest(grain); a >= 0 && l.Time.Type == semantic.Date && c.key(a).Cut.Text == "day" {
		l.Pick = nil
		return l
	}
	if slices.ContainsFunc(grain, func(k int) bool { return !c.key(k).Axis && c.isTimeOf(k, l) }) {
		l.Pick = nil
	}
	return l
}

// onlyAbout says whether a condition names no other column than those of x.
func onlyAbout(c, x *Scalar) bool {
	own := map[string]bool{}
	x.each(func(s *Scalar) {
		if s.Op == "col" {
			own[s.Signature()] = true
		}
	})
	other := c.any(func(s *Scalar) bool {
		return s.Op == "col" && !own[s.Signature()] || s.Sub != nil
	})
	return !other && c.any(func(s *Scalar) bool { return s.Op == "col" })
}

// bind prepares expressions over rows for a step: subqueries become steps, and what is looked up is joined on.
func (c *compiler) bind(s *step, all []*Scalar) []*Scalar {
	out := make([]*Scalar, len(all))
	for i, x := range all {
		out[i] = x.replace(func(p *Scalar) *Scalar {
			if p.Sub == nil {
				return nil
			}
			if p.Op == "exists" {
				return c.exists(p)
			}
			return c.lookup(s, p)
		})
	}
	return out
}

// exists makes the rows of the many side a step of their own.
func (c *compiler) exists(p *Scalar) *Scalar {
	inner := &step{kind: kindScan, source: &Source{Nodes: p.Sub.Nodes}, origin: -1, limit: -1}
	for _, on := range p.Sub.On {
		inner.where = append(inner.where, compare("=", on.Own, &Scalar{Op: "outer", Args: []*Scalar{on.Parent}}))
	}
	for _, w := range p.Sub.Where {
		inner.where = append(inner.where, c.bind(inner, conjuncts(w))...)
	}
	return &Scalar{Op: "exists", step: inner, Type: semantic.Boolean}
}
