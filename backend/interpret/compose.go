package interpret

import (
	"math/big"
	"slices"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// compose writes the query of one assignment.
func (d *draft) compose(l lead, a assignment, score float64) candidate {
	c := composer{draft: d, lead: l, picks: a, query: &frameql.Query{V: 1}, filters: len(d.filters)}
	if d.listing || len(d.measures) == 0 && l.slot != -1 || d.top != nil && d.top.attribute {
		c.broken = len(d.measures) > 0 // a list has no place for a number: never drop it
		c.list()
	} else {
		c.group()
		c.measure()
	}
	c.keepEither()
	c.time()
	c.define()
	if d.against != nil {
		c.query.Compare = []frameql.Comparand{*d.against}
		c.broken = c.broken || c.query.Time == nil
	}
	c.rank()
	c.sort()
	c.spellNames()
	c.broken = c.broken || d.invalid || c.dropsRole()
	return candidate{judged: judged{query: c.query}, score: score, broken: c.broken, open: c.open, draft: d, lead: l, picks: a, notes: c.notes, defined: c.defined, preferred: c.preferred}
}

// composer writes one query, clause by clause.
type composer struct {
	draft     *draft
	lead      lead
	picks     assignment
	query     *frameql.Query
	notes     []string      // assumptions of composing
	defined   []string      // terms of memos
	preferred bool          // its course over time is by the preferred calendar unit
	dims      []frameql.Dim // what the rows are grouped by, in order
	beside    int           // how many of them are only shown beside the others
	broken    bool          // some slot could not be written: this is no reading of the question
	open      []*role       // in which of these roles a member is meant is not said
	meant     []*role       // roles in which members are read
	filters   int           // how many conditions on rows the whole question has
}

// member gives the columns of a thing to group by, and what the grain is called: the display of an entity stands in the
// SELECT list, the entity in AT.
func (c *composer) member(s slot) (columns []frameql.Dim, grain frameql.Dim) {
	t, named := c.pick(s)
	switch {
	case !named:
		grain = frameql.Dim{Name: s.grain}
	case t.dim != nil:
		grain = frameql.Dim{Name: dimensionName(t), Grain: s.grain}
	case c.draft.ix.severalRows(t.entity) != nil:
		grain = frameql.Dim{Name: t.entity.Name + "." + c.draft.ix.severalRows(t.entity).Name}
	default:
		if name := c.draft.ix.display(t.entity); c.lead.via == t.entity && len(name) == 1 && !slices.Contains(t.entity.Key, name[0]) { // its rows are what relates: each has one
			grain = frameql.Dim{Name: t.owner() + "." + name[0]}
			break
		}
		for _, name := range c.draft.ix.display(t.entity) {
			columns = append(columns, frameql.Dim{Name: t.owner() + "." + name})
		}
		return columns, c.draft.ix.grainOf(t)
	}
	return []frameql.Dim{grain}, grain
}

// group writes what the numbers are split by.
func (c *composer) group() {
	groups := slices.Clone(c.draft.groups)
	if c.draft.trend && !slices.ContainsFunc(groups, func(s slot) bool { return s.grain != "" }) {
		groups = append(groups, slot{piece: -1, grain: c.trendGrain()})
	}
	entity := false
	for _, s := range groups {
		columns, grain := c.member(s)
		if slices.Contains(c.dims, grain) {
			continue
		}
		c.dims = append(c.dims, grain)
		t, ok := c.pick(s)
		if ok && t.dim == nil {
			entity = true
		}
		if ok && t.dim != nil && c.lead.via != nil {
			joins, near := c.draft.ix.paths.distance(c.lead.via.Name, t.entity.Name)
			c.broken = c.broken || near && joins > 1 // "countries with several swimmers" are not those of the stadiums they swam in
		}
		for _, col := range columns {
			if c.selects(col.Name) && col.Grain == "" {
				continue
			}
			c.query.Select = append(c.query.Select, frameql.Item{Dim: &col})
		}
	}
	for _, s := range c.draft.shown {
		if t, ok := c.pick(s); ok && t.dim != nil && !c.selects(dimensionName(t)) {
			shown := frameql.Dim{Name: dimensionName(t)}
			c.query.Select = append(c.query.Select, frameql.Item{Dim: &shown})
			if c.besideAttribute(t) {
				c.dims, c.beside = append(c.dims, shown), c.beside+1
			}
			entity = true
		}
	}
	if t := c.draft.top; t != nil && entity && c.draft.asksAll() {
		if m, ok := c.pick(t.member); ok && m.dim == nil {
			for _, name := range c.draft.ix.unasked(m.entity) {
				if full := m.owner() + "." + name; !c.selects(full) {
					c.query.Select = append(c.query.Select, frameql.Item{Dim: &frameql.Dim{Name: full}})
				}
			}
		}
	}
	if entity {
		c.query.At = &frameql.Grain{Dims: c.dims}
	}
}

// measure writes the numbers.
func (c *composer) measure() {
	d := c.draft
	if len(d.measures) == 0 {
		c.query.Select = append(c.query.Select, frameql.Item{Expr: d.ix.number(measure{}, c.lead.t, nil)})
	}
	for _, m := range d.measures {
		c.addNumber(m)
	}
	if c.lead.via != nil || c.starOnly() {
		c.query.From = []string{c.lead.rows.Name}
	}
}

// starOnly says whether nothing in the query but FROM says whose rows are counted.
func (c *composer) starOnly() bool {
	return len(c.query.Select) > 0 && slices.ContainsFunc(c.query.Select, func(i frameql.Item) bool {
		return within(i.Expr, func(e *frameql.Expr) bool { return e.Star })
	})
}

func (c *composer) addNumber(m measure) {
	e := c.expr(m)
	for _, i := range c.query.Select {
		if i.Expr != nil && i.Expr.String() == e.String() {
			return
		}
	}
	c.query.Select = append(c.query.Select, frameql.Item{Expr: e})
}

// expr writes a number; members counted through finer rows are counted by their key.
func (c *composer) expr(m measure) *frameql.Expr {
	t, _ := c.pick(m.slot)
	if t.metric == nil && t.entity == nil {
		t = c.lead.t
	}
	if e := c.members(m, t); e != nil {
		return e
	}
	var per *frameql.Grain
	for _, s := range m.per {
		_, grain := c.member(s)
		if per == nil {
			per = &frameql.Grain{}
		}
		per.Dims = append(per.Dims, grain)
		if len(s.options) == 0 { // "average monthly revenue by category": the months of each category
			per.Dims = append(slices.Clone(c.dims), per.Dims...)
		}
	}
	if e, ok := c.spread(m, t, per); ok {
		return e
	}
	if m.star && t.entity != nil && t.entity != c.lead.rows && c.draft.ix.counter(t.entity) == nil {
		c.broken = true // rows of one thing cannot be counted beside those of another
	}
	e := c.draft.ix.number(m, t, per)
	if m.level != "" {
		e.Params = []frameql.Value{{Kind: frameql.Number, Text: m.level}}
	}
	if len(m.only) > 0 {
		only := *e
		if only.Filter = c.conditions(m.only); only.Filter == nil {
			c.broken = true
		}
		e = &only
	}
	return c.calculated(e, m)
}

// conditions writes conditions that hold together; nil when one of them cannot be written.
func (c *composer) conditions(fs []filter) *frameql.Pred {
	var all []*frameql.Pred
	for _, f := range fs {
		p := c.condition(f)
		if p == nil {
			return nil
		}
		all = append(all, p)
	}
	return frameql.AllOf(all)
}

// list writes members of an entity with their attributes, or the distinct members of dimensions.
func (c *composer) list() {
	d := c.draft
	add := func(name string) {
		dim := frameql.Dim{Name: name}
		if !slices.ContainsFunc(c.query.Select, func(i frameql.Item) bool { return i.Dim != nil && *i.Dim == dim }) {
			c.query.Select = append(c.query.Select, frameql.Item{Dim: &dim})
		}
	}
	if d.subject != nil {
		subject, _ := c.pick(*d.subject)
		for _, name := range d.ix.display(subject.entity) {
			add(subject.owner() + "." + name)
		}
		grain := d.ix.grainOf(subject)
		if c.lead.via != nil {
			grain.Name = c.lead.via.Name // a line for each of its rows
		}
		if !c.selects(grain.Name) {
			c.query.At = &frameql.Grain{Dims: []frameql.Dim{grain}}
		}
		c.dims = append(c.dims, grain)
	}
	for _, s := range d.columns {
		t, ok := c.pick(s)
		if !ok || t.dim == nil {
			continue
		}
		add(dimensionName(t))
		if d.subject != nil && d.ofAnother(s.piece, t, d.subject.options[0].entity) {
			c.broken = true
		}
		if d.subject == nil {
			if near := s.near; near != nil && !d.ix.paths.reaches(near.Name, t.entity.Name) && !d.ix.paths.reaches(t.entity.Name, near.Name) {
				c.broken = true // a name of something else than what it is asked of
			}
			c.dims = append(c.dims, frameql.Dim{Name: dimensionName(t)})
		}
	}
	if d.subject != nil {
		subject, _ := c.pick(*d.subject)
		c.show(subject, add)
	} else if t, ok := c.pick(d.columns[0]); ok && t.entity != c.lead.rows {
		c.query.From = []string{c.lead.rows.Name}
	}
}

// keep writes WHERE and HAVING.
func (c *composer) keep() {
	var where, having []*frameql.Pred
	var apart []filter
	filters := c.draft.filters
	if c.draft.common > 0 {
		having, filters = c.halves(filters), nil
	}
	for _, f := range filters {
		if c.apart(f) {
			apart = append(apart, f)
			continue
		}
		if occur := c.eachValue(f); occur != nil {
			having = append(having, occur...)
			continue
		}
		p := c.condition(c.denied(f))
		if len(f.values) > 1 && c.draft.subject != nil && c.draft.saysBoth(f.piece) {
			c.broken = true // one member is not in both
		}
		if p == nil {
			c.broken = true // never drop a condition
			continue
		}
		if slices.ContainsFunc(where, func(o *frameql.Pred) bool { return o.String() == p.String() }) {
			continue // "female patients (with sex F)" says it twice
		}
		if slices.ContainsFunc(where, func(o *frameql.Pred) bool { return o.Dim == p.Dim && o.Op == "eq" && (p.Op == "eq" || p.Op == "ne") }) {
			c.broken = true // one thing cannot be two: "from Germany to France"
		}
		if slices.ContainsFunc(where, func(o *frameql.Pred) bool { return o.Dim == p.Dim && (excludes(o, p) || excludes(p, o)) }) {
			c.broken = true // "both above 4500 and below 3000" is about two rows
		}
		where = append(where, p)
	}
	for _, h := range c.draft.having {
		p := &frameql.Pred{Left: c.expr(h.measure), Op: h.op}
		if len(h.nums) > 0 {
			withNumbers(p, h.nums)
		} else {
			c.broken = c.broken || !c.compareWith(p, h.bound)
		}
		having = append(having, p)
	}
	c.broken = c.broken || c.saysNothing(filters)
	related, missing := c.relate(apart)
	where, having = append(where, related...), append(having, missing...)
	c.query.Where, c.query.Having = frameql.AllOf(where), frameql.AllOf(having)
}

// withNumbers gives a comparison its numbers: two for a range, else one.
func withNumbers(p *frameql.Pred, nums []string) {
	if p.Op != "between" {
		p.Val = &frameql.Value{Kind: frameql.Number, Text: nums[0]}
		return
	}
	for _, n := range nums {
		p.Vals = append(p.Vals, frameql.Value{Kind: frameql.Number, Text: n})
	}
}

// excludes says whether a lower bound lies over an upper one.
func excludes(low, high *frameql.Pred) bool {
	if low.Op != "gt" && low.Op != "ge" || high.Op != "lt" && high.Op != "le" || low.Val == nil || high.Val == nil {
		return false
	}
	a, okA := new(big.Rat).SetString(low.Val.Text)
	b, okB := new(big.Rat).SetString(high.Val.Text)
	return okA && okB && a.Cmp(b) >= 0
}

func (c *composer) condition(f filter) *frameql.Pred {
	t, ok := c.pick(f.slot)
	if !ok || t.dim == nil {
		return nil
	}
	if f.split != nil {
		same := func(o target) bool { g, _ := c.pick(*f.split); return o.dim == g.dim && o.entity == g.entity }
		if slices.ContainsFunc(f.options, same) && !same(t) {
			return nil
		}
	}
	if f.op == "ne" && c.draft.ix.severalRows(c.lead.rows) != nil {
		c.broken = true // a member with several rows does not miss a value because one of its rows has another one
	}
	if c.lead.via != nil && t.entity == c.lead.via && c.draft.ix.leadsBack(t, c.draft.ix.rowsOf(c.lead.t)) {
		c.broken = true // the rows only repeat which member it is
	}
	p := &frameql.Pred{Dim: dimensionName(t), Op: f.op}
	switch f.op {
	case "is_true", "is_false":
		if pred := c.draft.ix.flagged(t.dim); pred != nil {
			if f.op == "is_false" {
				return &frameql.Pred{Not: pred}
			}
			return pred
		}
		p.Op = "eq"
		if isFlagNumber(t.dim) {
			p.Val = &frameql.Value{Kind: frameql.Number, Text: map[string]string{"is_true": "1", "is_false": "0"}[f.op]}
			return p
		}
		if yes, no := c.draft.ix.values.flags(t.dim); t.dim.Type != semantic.Boolean {
			p.Val = &frameql.Value{Kind: frameql.String, Text: map[string]string{"is_true": yes, "is_false": no}[f.op]}
			return p
		}
		p.Val = &frameql.Value{Kind: frameql.Bool, Text: map[string]string{"is_true": "true", "is_false": "false"}[f.op]}
		return p
	}
	if f.extreme != nil {
		return c.draft.ix.extremely(p, *f.extreme)
	}
	if f.op == "is_null" || f.op == "not_null" {
		return p
	}
	if len(f.bound.nums) == 0 && !f.bound.empty() {
		if !c.compareWith(p, f.bound) {
			return nil
		}
		return p
	}
	if isSearch(f.op) {
		return search(p, f.texts)
	}
	vals := slices.Clone(f.texts)
	for _, piece := range f.values {
		found := false
		for _, n := range piece.names {
			if n.dim == t.dim && n.entity == t.entity {
				found = true
				if v := literalOf(t.dim, *n.value); !slices.Contains(vals, v) {
					vals = append(vals, v)
				}
			}
		}
		if !found {
			return nil // not every value is one of this dimension
		}
	}
	switch {
	case len(vals) == 0:
		return nil
	case f.op == "between":
		p.Vals = vals
	case len(vals) == 1:
		p.Val = &vals[0]
	case f.op == "ne":
		p.Op, p.Vals = "not_in", vals
	default:
		p.Op, p.Vals = "in", vals
	}
	return p
}

func literalOf(d *semantic.Dimension, v string) frameql.Value {
	switch {
	case d.Type.Numeric():
		return frameql.Value{Kind: frameql.Number, Text: v}
	case d.Type == semantic.Boolean:
		return frameql.Value{Kind: frameql.Bool, Text: fold(v)}
	default:
		return frameql.Value{Kind: frameql.String, Text: v}
	}
}

// time writes DURING.
func (c *composer) time() {
	p := c.draft.period
	if p == nil || c.periodApart() {
		return
	}
	if c.draft.separate || len(c.draft.never) > 0 {
		c.broken = true // no one row is in each of several periods, or in one and not in another
		return
	}
	on := c.timeDimension()
	if on == "" {
		if year := c.yearFilter(*p); year != nil {
			c.query.Where = frameql.AllOf(append(frameql.Conjuncts(c.query.Where), year))
			return
		}
	}
	bounded := p.Bounded(c.coverage)
	during := &frameql.During{Period: bounded.Asked}
	if on != "" && (len(c.draft.on) > 0 || c.lead.t.metric == nil && c.expectsTime()) {
		during.On = &frameql.Dim{Name: on}
	}
	c.query.Time = during
}

// expectsTime says whether the query has no metric that brings a time of its own.
func (c *composer) expectsTime() bool {
	return !slices.ContainsFunc(c.query.Select, func(i frameql.Item) bool { return i.Expr != nil && i.Expr.Metric != "" })
}

// timeDimension gives the dimension that the period is on: the one that was named, else the default of the rows.
func (c *composer) timeDimension() string {
	if on := c.draft.on; len(on) > 0 {
		best := slices.MaxFunc(on, func(a, b target) int {
			return compareScore(c.draft.fit(&slot{piece: -1, options: on}, a, c.lead), c.draft.fit(&slot{piece: -1, options: on}, b, c.lead))
		})
		return dimensionName(best)
	}
	return c.draft.ix.timeOf(c.lead.t.metric, c.lead.rows)
}

func (c *composer) coverage() (first, last time.Time, ok bool) {
	on := c.timeDimension()
	if c.draft.env.Coverage == nil || on == "" {
		return first, last, false
	}
	return c.draft.env.Coverage(on)
}
