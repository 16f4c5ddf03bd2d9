package frameqltest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// key is one column of a grain.
type key struct {
	name  string // canonical; of the axis empty
	grain string // of a time
	axis  bool
}

// context is where and when leaves are evaluated.
type context struct {
	period span
	active []*frameql.Pred // the conjuncts of WHERE that are in force
	shift  int             // units by which rows are moved forward on the axis
	unit   string
	other  bool                              // a comparand: where there is no data at all nothing is 0
	lag    bool                              // the neighbouring bucket, not a period of its own
	peers  func(time.Time) (time.Time, bool) // in place of shift: the bucket of the comparand beside one of the query
	back   int                               // of lag: units back from the bucket itself, when they are no whole number of buckets
	target *frameql.Expr                     // of COMPARE TO TARGET: this number stands for every other
}

// moves says whether rows count in other buckets than their own.
func (ctx *context) moves() bool { return ctx != nil && (ctx.peers != nil || ctx.shift != 0) }

// scope is where an expression is evaluated: at one row of a grain.
type scope struct {
	keys    []key
	vals    []any
	ctx     *context
	filters []*frameql.Pred // of FILTER
	inputs  []string        // filters of the inputs of derived metrics
	window  *window
	mapped  *timeMap
	moved   *timeMap // rows count that much later, also with the parts of their date
	rest    *rest
	added   string // the mode of FILL, in a row that FILL added
	gap     string // the mode of FILL, when it added the row that the scope belongs to, also at another bucket
	total   bool   // a total row
}

// window replaces the bucket of the row by all rows with from <= time < to.
type window struct {
	span
	fromPeriod bool                 // the start of the period holds too
	test       func(time.Time) bool // in place of the span, which bounds it; the period holds as the test says
}

// rest is the row of all members that are not shown.
type rest struct {
	members, per []key
	shown        map[string]bool // identities of members, after those of PER
}

func (r *rest) covers(k key) bool { return r != nil && slices.Contains(r.members, k) }

// at gives the value of a key in the scope.
func (sc scope) at(k key) (any, bool) {
	for i, own := range sc.keys {
		if own == k {
			return sc.vals[i], true
		}
	}
	return nil, false
}

// keysOf turns dimensions into columns: an entity stands for its key.
func (v *evaluation) keysOf(dims []frameql.Dim) []key {
	var all []key
	add := func(k key) {
		if !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	for _, d := range dims {
		for _, k := range v.keysOfDim(d) {
			add(k)
		}
	}
	return all
}

func (v *evaluation) keysOfDim(d frameql.Dim) []key {
	if d.Grain == "" && v.cal.isUnit(d.Name) {
		return []key{{grain: d.Name, axis: true}}
	}
	if k, ok := v.partKey(d); ok {
		return []key{k}
	}
	t, ok := v.anyReach(d.Name)
	if !ok {
		panic(outside{"dimension " + d.String()})
	}
	if t.dim == "" {
		var all []key
		for _, k := range t.entity.Key {
			all = append(all, v.keysOfDim(frameql.Dim{Name: d.Name + "." + k})...)
		}
		if len(all) == 0 {
			panic(outside{"entity without a key"})
		}
		return all
	}
	grain := d.Grain
	if v.axes[strings.ToLower(d.Name)] {
		if grain == "" && t.entity.Dimension(t.dim).Type == semantic.Date {
			grain = "day"
		}
		if grain != "" {
			return []key{{grain: grain, axis: true}}
		}
	}
	return []key{{name: d.Name, grain: grain}}
}

// anyReach finds what a name means from whatever entity reaches it.
func (v *evaluation) anyReach(name string) (target, bool) {
	for i := range v.w.Model.Entities {
		if t, ok := v.w.reach(&v.w.Model.Entities[i], name); ok {
			return t, true
		}
	}
	return target{}, false
}

// keyOfRow gives the value of a key for a row of a source whose metric time is at; rows of a comparand are moved.
func (v *evaluation) keyOfRow(k key, row place, at *target, ctx *context) any {
	if k.timed() {
		return v.cutCell(v.w.read(row, *at, at.dim), k.grain)
	}
	if !k.axis {
		t, ok := v.w.reach(row.entity, k.name)
		if !ok {
			panic(outside{k.name + " from " + row.entity.Name})
		}
		return v.cutCell(v.w.read(row, t, t.dim), k.grain)
	}
	if at == nil {
		panic(outside{"no metric time for " + row.entity.Name})
	}
	t, ok := v.w.read(row, *at, at.dim).(time.Time)
	if !ok {
		return nil
	}
	if ctx.moves() && fineness(k.grain) < fineness(ctx.unit) { // of a grain within: what is finer than the axis stays where it is
		return v.cal.cut(t, k.grain)
	}
	if ctx != nil && ctx.peers != nil {
		at, is := v.here(ctx, v.cal.cut(t, ctx.unit)).(time.Time)
		if !is {
			return nowhere{}
		}
		return v.cal.cut(at, k.grain)
	}
	if ctx != nil && ctx.shift != 0 {
		if ctx.unit != "week" && len(v.cal.buckets[ctx.unit]) == 0 { // a week lies in two months: its days are moved, not its start
			t = v.cal.cut(t, ctx.unit)
		}
		t = v.cal.move(t, ctx.unit, ctx.shift)
	}
	return v.cal.cut(t, k.grain)
}

// finestAxis gives the finest cut of the axis among keys; empty when there is none.
func finestAxis(keys []key) string {
	unit := ""
	for _, k := range keys {
		if k.axis && (unit == "" || fineness(k.grain) < fineness(unit)) {
			unit = k.grain
		}
	}
	return unit
}

// bucket gives the bucket of the finest axis of a scope; ok is false without an axis or where the time is missing.
func (v *evaluation) bucket(sc scope) (t time.Time, unit string, ok bool) {
	unit = finestAxis(sc.keys)
	if unit == "" {
		return t, "", false
	}
	c, _ := sc.at(key{grain: unit, axis: true})
	t, ok = c.(time.Time)
	return t, unit, ok
}

// determined gives the value of a key that the keys of a scope determine.
func (v *evaluation) determined(k key, sc scope) any {
	if sc.rest.covers(k) {
		return nil
	}
	if c, ok := sc.at(k); ok {
		return c
	}
	if c, ok := v.partOfBucket(k, sc); ok {
		return c
	}
	for i, own := range sc.keys { // a time that is cut more coarsely
		if own.name == k.name && own.axis == k.axis && k.grain != "" && partUnit(own.grain) == "" {
			if t, ok := sc.vals[i].(time.Time); ok && (own.grain == "" || fineness(own.grain) <= fineness(k.grain)) {
				return v.cal.cut(t, k.grain)
			}
			return nil
		}
	}
	if sc.rest != nil { // what the members would say is not said
		var own scope
		for i, o := range sc.keys {
			if !sc.rest.covers(o) {
				own.keys, own.vals = append(own.keys, o), append(own.vals, sc.vals[i])
			}
		}
		if !v.follows(k, own.keys) {
			return nil
		}
		return v.determined(k, own)
	}
	if k.axis {
		return v.bucketOfMember(k, sc)
	}
	for _, e := range v.countedFirst() { // an attribute: any row with the same values knows it
		if _, ok := v.w.reach(e, k.name); !ok {
			continue
		}
		var use []int
		reached := true
		for n, own := range sc.keys {
			if own.axis || own.timed() {
				continue // of the time of the metrics, which says nothing of attributes
			}
			_, ok := v.w.reach(e, own.name)
			reached = reached && ok
			use = append(use, n)
		}
		if !reached {
			continue
		}
		if c, found := v.sameInAll(e, k, use, sc); found {
			return c
		}
	}
	return nil
}

// bucketOfMember gives the bucket in which all rows of a scope lie, as those of one order do.
func (v *evaluation) bucketOfMember(k key, sc scope) any {
	if !v.fixed(k, sc.keys) || sc.ctx.other || sc.ctx.moves() {
		panic(outside{"a coarser axis that nothing determines"})
	}
	var bucket any
	found := false
	for _, x := range v.numbers() {
		for _, u := range v.leavesOnly(x) {
			for row := range v.w.rows(u.leaf.source) {
				p := place{u.leaf.source, row}
				differs := func(own key) bool {
					c, _ := sc.at(own)
					return partUnit(own.grain) == "" && !sameCell(v.keyOfRow(own, p, u.leaf.time, nil), c)
				}
				if slices.ContainsFunc(sc.keys, differs) {
					continue
				}
				c := v.keyOfRow(k, p, u.leaf.time, nil)
				if found && !sameCell(c, bucket) {
					panic(fmt.Sprintf("%s is not determined by %v: %v and %v", k.grain, sc.keys, bucket, c))
				}
				bucket, found = c, true
			}
		}
	}
	return bucket
}

// countedFirst gives the entities, first those whose rows the numbers count: another one may lead elsewhere by the same name.
func (v *evaluation) countedFirst() []*semantic.Entity {
	var all []*semantic.Entity
	for _, x := range v.numbers() {
		for _, u := range v.leavesOnly(x) {
			all = append(all, u.leaf.source)
		}
	}
	for i := range v.w.Model.Entities {
		all = append(all, &v.w.Model.Entities[i])
	}
	return all
}

// partOfBucket reads a part of a date off the bucket; of the rest of TOP only where its members do not say it.
func (v *evaluation) partOfBucket(k key, sc scope) (part any, ok bool) {
	var own scope
	for i, o := range sc.keys {
		if !sc.rest.covers(o) {
			own.keys, own.vals = append(own.keys, o), append(own.vals, sc.vals[i])
		}
	}
	if !v.partFollows(k, own.keys) {
		return nil, false
	}
	if t, _, has := v.bucket(own); has {
		part = partOf(t, k.grain)
	}
	return part, true
}

func countAxes(keys []key) int {
	n := 0
	for _, k := range keys {
		if k.axis {
			n++
		}
	}
	return n
}
