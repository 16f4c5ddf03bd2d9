package frameql

import (
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// output is one column of the frame.
type output struct {
	column Column
	cell   *scalar
	item   int    // of SELECT; -1: it leads because AT names it, or is a flag
	key    int    // index of keys; -1: a number
	flag   string // other total; empty: none

	added     bool   // it stands beside a column that was asked for, which fn compares with a comparand
	fn        string // prev delta pct_change
	comparand int    // from 1
}

// bindSelect binds the columns in their order; what AT names and SELECT leaves out leads them.
func (r *resolver) bindSelect() {
	compares := !slices.ContainsFunc(r.q.Select, func(it Item) bool { return r.comparesWithin(it.Expr) })
	st := stand{keys: r.grain}
	for i := range r.q.Select {
		it := &r.q.Select[i]
		if it.Dim != nil {
			r.selectDimension(it, i)
			continue
		}
		cell := r.expr(it.Expr, st)
		if cell == nil {
			continue
		}
		o := output{column: r.describe(it.Expr, cell), cell: cell, item: i, key: -1}
		r.outputs = append(r.outputs, o)
		if compares {
			name := it.As
			if name == "" {
				name = o.column.Name
			}
			r.outputs = append(r.outputs, r.compareColumns(it.Expr, name, i, st)...)
		}
	}
	r.leadWithGrain()
	if t := r.q.Top; t != nil && t.Other {
		r.addFlag("is_other", "other")
	}
	if len(r.q.Totals) > 0 {
		r.addFlag("is_total", "total")
	}
}

func (r *resolver) addFlag(name, flag string) {
	r.outputs = append(r.outputs, output{
		column: Column{Name: name, Label: text.Say("frameql.label_" + flag), Role: RoleFlag, Type: string(semantic.Boolean)},
		item:   -1, key: -1, flag: flag,
	})
}

func (r *resolver) selectDimension(it *Item, i int) {
	b, ok := r.dimension(*it.Dim, it.Dim, forGrain)
	if !ok {
		return
	}
	*it.Dim = b.name
	for _, k := range r.showDimension(b, it) {
		o := output{column: r.describeKey(k), cell: r.keyScalar(k), item: i, key: k}
		if b.dim != nil {
			o.column = r.describeRef(b)
		}
		r.outputs = append(r.outputs, o)
	}
}

// showDimension gives the columns of a dimension in SELECT: part of the grain, or determined by it.
func (r *resolver) showDimension(b ref, it *Item) []int {
	for i, g := range r.parts {
		if g.ref.same(b) {
			r.parts[i].shown = true
			return g.keys
		}
	}
	if r.q.At == nil {
		return nil // told already
	}
	var keys []int
	for _, k := range r.keyRefs(b) {
		if !r.determined(k, r.grain) {
			r.refuseGrainMismatch(b, it)
			return nil
		}
		if len(r.grain) == 0 { // a list of rows
			keys = append(keys, r.addKey(k))
		} else {
			keys = append(keys, r.determinedKey(k, r.grain))
		}
	}
	for i, g := range r.parts { // an attribute stands for the entity that AT names, a time does not: many have the same
		if g.ref.dim == nil && slices.Equal(g.ref.at, b.at) && (b.dim == nil || !b.dim.Type.Temporal()) {
			r.parts[i].shown = true
		}
	}
	return keys
}

func (r *resolver) leadWithGrain() {
	if r.q.At == nil {
		return
	}
	var leading []output
	for i, g := range r.parts {
		if g.shown {
			continue
		}
		r.parts[i].shown = true
		for _, k := range g.keys {
			if !slices.ContainsFunc(append(leading, r.outputs...), func(o output) bool { return o.key == k }) {
				leading = append(leading, output{column: r.describeKey(k), cell: r.keyScalar(k), item: -1, key: k})
			}
		}
	}
	r.outputs = append(leading, r.outputs...)
}

// nameOutputs gives every column a name of its own. Names that would be equal are told apart by their entity.
func (r *resolver) nameOutputs() {
	outs := r.outputs
	written := func(o output) string {
		if o.item >= 0 && !o.added && len(r.itemOutputs(o.item)) == 1 {
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
			b := r.keys[outs[i].key].ref
			c.Name = strings.ReplaceAll(b.name.Name, ".", "_")
			if b.grain != "" && !strings.HasSuffix(c.Name, b.grain) {
				c.Name += "_" + b.grain
			}
			c.Label = r.longLabel(b)
		}
		c.Name = taken.take(c.Name)
	}
	r.deriveOutputs()
	for _, g := range r.parts {
		for _, k := range g.keys {
			u := GrainUse{Dimension: r.keys[k].ref.fullName(), Grain: r.keys[k].ref.grain}
			if part := r.keys[k].ref.part; part != nil {
				u.Grain = part.Name
			}
			for _, o := range outs {
				if o.key == k {
					u.Column = o.column.Name
				}
			}
			r.plan.Grain = append(r.plan.Grain, u)
		}
	}
}

func (r *resolver) itemOutputs(item int) []int {
	var all []int
	for i, o := range r.outputs {
		if o.item == item && !o.added {
			all = append(all, i)
		}
	}
	return all
}
