package frameql

import (
	"slices"
	"strconv"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// bindGrain binds AT. Without AT the dimensions of SELECT are the grain, which bindSelect adds.
func (r *resolver) bindGrain() {
	if r.q.At == nil {
		return
	}
	for i := range r.q.At.Dims {
		d := &r.q.At.Dims[i]
		if b, ok := r.dimension(*d, d, forGrain); ok {
			*d = b.name
			r.addGrain(b, d)
		}
	}
}

// grainPart is one dimension of the grain as it was asked for, with its columns.
type grainPart struct {
	ref   ref
	keys  []int // indices of bound.keys; none: the rows of an entity without a key
	shown bool
}

func (r *resolver) addGrain(b ref, place any) []int {
	for _, g := range r.bound.parts {
		if g.ref.same(b) {
			return g.keys
		}
	}
	part := grainPart{ref: b}
	for _, k := range r.keyRefs(b) {
		part.keys = append(part.keys, r.addKey(k, true))
	}
	if len(part.keys) == 0 && (b.node != 0 || len(r.metrics) > 0 || r.anyReducer()) {
		r.refuseNoKey(b, place)
		return nil
	}
	r.bound.parts = append(r.bound.parts, part)
	return part.keys
}

func (r *resolver) anyReducer() bool {
	return slices.ContainsFunc(r.expressions(), func(e *Expr) bool { return e != nil })
}

// addKey adds a column to group by, once.
func (r *resolver) addKey(b ref, grain bool) int {
	for i := range r.bound.keys {
		if r.bound.keys[i].ref.same(b) {
			r.bound.keys[i].grain = r.bound.keys[i].grain || grain
			return i
		}
	}
	r.bound.keys = append(r.bound.keys, groupColumn{ref: b, expr: r.cut(b), grain: grain})
	return len(r.bound.keys) - 1
}

// bindSelect binds the columns in their order; what AT names and SELECT leaves out leads them.
func (r *resolver) bindSelect() {
	for i := range r.q.Select {
		it := &r.q.Select[i]
		if it.Expr != nil {
			if s := r.expr(it.Expr); s != nil {
				r.bound.outputs = append(r.bound.outputs, output{column: r.describe(it.Expr, s), expr: s, item: i, key: -1})
			}
			continue
		}
		b, ok := r.dimension(*it.Dim, it.Dim, forGrain)
		if !ok {
			continue
		}
		*it.Dim = b.name
		for _, k := range r.showDimension(b, it) {
			r.bound.outputs = append(r.bound.outputs, output{column: r.describeKey(k), expr: r.keyScalar(k), item: i, key: k})
		}
	}
	r.leadWithGrain()
}

// showDimension gives the columns of a dimension in SELECT: part of the grain, or determined by it.
func (r *resolver) showDimension(b ref, it *Item) []int {
	if r.q.At == nil {
		keys := r.addGrain(b, it.Dim)
		r.markShown(b)
		return keys
	}
	for _, g := range r.bound.parts {
		if g.ref.same(b) {
			r.markShown(b)
			return g.keys
		}
	}
	var keys []int
	for _, k := range r.keyRefs(b) {
		if !r.determined(k) {
			r.refuseGrainMismatch(b, it)
			return nil
		}
		keys = append(keys, r.addKey(k, false))
	}
	for i, g := range r.bound.parts { // an attribute stands for the entity that AT names
		if g.ref.dim == nil && g.ref.node == b.node {
			r.bound.parts[i].shown = true
		}
	}
	return keys
}

func (r *resolver) markShown(b ref) {
	for i, g := range r.bound.parts {
		if g.ref.same(b) {
			r.bound.parts[i].shown = true
		}
	}
}

func (r *resolver) leadWithGrain() {
	if r.q.At == nil {
		return
	}
	var leading []output
	for i, g := range r.bound.parts {
		if g.shown {
			continue
		}
		r.bound.parts[i].shown = true
		for _, k := range g.keys {
			if !slices.ContainsFunc(r.bound.outputs, func(o output) bool { return o.key == k }) {
				leading = append(leading, output{column: r.describeKey(k), expr: r.keyScalar(k), item: -1, key: k})
			}
		}
	}
	r.bound.outputs = append(leading, r.bound.outputs...)
}

func (r *resolver) keyScalar(k int) *scalar {
	e := r.bound.keys[k].expr
	return &scalar{op: "key", index: k, typ: e.typ, unit: e.unit}
}

// determined says whether equal values of the grain mean equal values of the column: exact dependencies only.
func (r *resolver) determined(b ref) bool {
	return r.determinedAt(b, 0)
}

func (r *resolver) determinedAt(b ref, depth int) bool {
	for _, k := range r.bound.keys {
		if k.grain && k.ref.node == b.node && k.ref.dim == b.dim && coarsens(k.ref.grain, b.grain) {
			return true
		}
	}
	for n := b.node; ; n = r.nodes[n].parent {
		if r.grainHasKeyOf(n) || r.rowsOf(n) {
			return true
		}
		if n == 0 {
			break
		}
		if r.grainHasReferenceTo(n) {
			return true
		}
	}
	if depth > maxModelDepth || b.dim == nil {
		return false
	}
	if b.grain != "" {
		b.grain = ""
		return r.determinedAt(b, depth+1)
	}
	return r.computedFromDetermined(b, depth)
}

// computedFromDetermined looks through a dimension that the model computes from others of its entity.
func (r *resolver) computedFromDetermined(b ref, depth int) bool {
	var from []string
	switch {
	case b.dim.DerivedFrom != "":
		from = []string{b.dim.DerivedFrom}
	case b.dim.Expr != "":
		e, err := semantic.ParseExpr(b.dim.Expr)
		if err != nil {
			return false
		}
		from = e.Idents()
	}
	for _, name := range from {
		dim := dimensionOf(b.entity, name)
		if dim == nil || !r.determinedAt(ref{node: b.node, entity: b.entity, dim: dim}, depth+1) {
			return false
		}
	}
	return len(from) > 0
}

// grainHasKeyOf says whether the whole key of the entity at a node is in the grain.
func (r *resolver) grainHasKeyOf(n int) bool {
	key := r.nodes[n].entity.Key
	return len(key) > 0 && !slices.ContainsFunc(key, func(name string) bool { return !r.inGrain(n, name) })
}

// rowsOf says whether the grain is the single rows of the entity at a node.
func (r *resolver) rowsOf(n int) bool {
	return slices.ContainsFunc(r.bound.parts, func(g grainPart) bool { return g.ref.dim == nil && g.ref.node == n })
}

// grainHasReferenceTo says whether the columns that look up a node are in the grain.
func (r *resolver) grainHasReferenceTo(n int) bool {
	j := r.nodes[n].join
	return len(j.On) > 0 && !slices.ContainsFunc(j.On, func(on semantic.ColumnPair) bool { return !r.inGrain(r.nodes[n].parent, on.From) })
}

func (r *resolver) inGrain(n int, dim string) bool {
	return slices.ContainsFunc(r.bound.keys, func(k groupColumn) bool {
		return k.grain && k.ref.node == n && k.ref.grain == "" && strings.EqualFold(k.ref.dim.Name, dim)
	})
}

// coarsens says whether a time cut by one grain determines the same time cut by the other.
func coarsens(fine, coarse string) bool {
	return fine == coarse || slices.Contains(map[string][]string{
		"":               {"hour", "day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year"},
		"hour":           {"day", "week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year"},
		"day":            {"week", "month", "quarter", "year", "fiscal_quarter", "fiscal_year"},
		"month":          {"quarter", "year", "fiscal_quarter", "fiscal_year"},
		"quarter":        {"year"},
		"fiscal_quarter": {"fiscal_year"},
	}[fine], coarse)
}

// nameOutputs gives every column a name of its own. Names that would be equal are told apart by their entity.
func (r *resolver) nameOutputs() {
	outs := r.bound.outputs
	written := func(o output) string {
		if o.item >= 0 && len(r.itemOutputs(o.item)) == 1 {
			return r.q.Select[o.item].As
		}
		return ""
	}
	count := map[string]int{}
	for i := range outs {
		if as := written(outs[i]); as != "" {
			outs[i].column.Name = as
		}
		count[strings.ToLower(outs[i].column.Name)]++
	}
	taken := uniqueNames{}
	for i := range outs {
		c := &outs[i].column
		if count[strings.ToLower(c.Name)] > 1 && written(outs[i]) == "" && outs[i].key >= 0 {
			b := r.bound.keys[outs[i].key].ref
			c.Name = strings.ReplaceAll(b.name.Name, ".", "_")
			if b.grain != "" {
				c.Name += "_" + b.grain
			}
			c.Label = r.longLabel(b)
		}
		c.Name = taken.take(c.Name)
	}
	for _, g := range r.bound.parts {
		for _, k := range g.keys {
			u := GrainUse{Dimension: r.bound.keys[k].ref.fullName(), Grain: r.bound.keys[k].ref.grain}
			for _, o := range outs {
				if o.key == k {
					u.Column = o.column.Name
				}
			}
			r.plan.Grain = append(r.plan.Grain, u)
		}
	}
}

// uniqueNames tells equal names apart by a number; case makes no difference. It counts the times that a name was taken.
type uniqueNames map[string]int

func (u uniqueNames) take(base string) string {
	name := base
	for key := strings.ToLower(base); u[strings.ToLower(name)] > 0; u[key]++ {
		name = base + "_" + strconv.Itoa(u[key]+1)
	}
	u[strings.ToLower(name)] = 1
	return name
}

func (r *resolver) itemOutputs(item int) []int {
	var all []int
	for i, o := range r.bound.outputs {
		if o.item == item {
			all = append(all, i)
		}
	}
	return all
}

func (r *resolver) describeKey(k int) Column {
	b := r.bound.keys[k].ref
	c := Column{
		Name: b.dim.Name, Label: labelOf(b.dim.Label, b.dim.Name), Role: RoleDimension,
		Type: string(r.bound.keys[k].expr.typ), Unit: b.dim.Unit, Grain: b.grain, Dimension: b.fullName(),
	}
	if b.grain != "" {
		c.Name, c.Label = b.grain, text.Say("frameql.grain_"+b.grain)
	}
	return c
}

// longLabel tells apart two columns of one label.
func (r *resolver) longLabel(b ref) string {
	label := labelOf(b.dim.Label, b.dim.Name)
	prefix, _, _ := strings.Cut(b.name.Name, ".")
	owner := labelOf("", prefix)
	if strings.EqualFold(prefix, b.entity.Name) {
		owner = labelOf(b.entity.Label, b.entity.Name)
	}
	if b.grain != "" {
		return text.Say("frameql.label_cut", "label", label, "grain", text.Say("frameql.grain_"+b.grain))
	}
	return text.Say("frameql.label_of", "label", label, "owner", owner)
}

// labelOf gives the label, or the name as words: company_name is "Company name".
func labelOf(label, name string) string {
	if label != "" {
		return label
	}
	words := []rune(strings.ReplaceAll(name, "_", " "))
	if len(words) > 0 {
		words[0] = []rune(strings.ToUpper(string(words[0])))[0]
	}
	return string(words)
}
