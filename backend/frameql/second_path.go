package frameql

import (
	"slices"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// SecondPath is the bound query with its aggregates and its sources in the other order, which says the same and gives other
// steps. It is meant to be compiled without rewrites and without stored frames, to reproduce a number independently.
func (p *Plan) SecondPath() *compile.Query {
	own := *p.bound
	q := &own
	sources, leaves := len(q.Sources), len(q.Leaves)
	q.Sources, q.Leaves = slices.Clone(q.Sources), slices.Clone(q.Leaves)
	slices.Reverse(q.Sources)
	slices.Reverse(q.Leaves)
	for i := range q.Leaves {
		q.Leaves[i].Source = sources - 1 - q.Leaves[i].Source
	}
	q.Keys = slices.Clone(q.Keys)
	for i := range q.Keys {
		exprs := slices.Clone(q.Keys[i].Exprs)
		exprs = append(exprs, make([]*scalar, max(sources-len(exprs), 0))...)
		if !q.Keys[i].Axis {
			slices.Reverse(exprs)
			q.Keys[i].Exprs = exprs
		}
	}
	turned := func(s *scalar) *scalar { return counted(s, leaves) }
	q.Outputs, q.Order = slices.Clone(q.Outputs), slices.Clone(q.Order)
	for i := range q.Outputs {
		q.Outputs[i].Cell = turned(q.Outputs[i].Cell)
	}
	for i := range q.Order {
		q.Order[i].Cell = turned(q.Order[i].Cell)
	}
	q.Having = turned(q.Having)
	if q.Top != nil {
		top := *q.Top
		top.By = turned(top.By)
		q.Top = &top
	}
	return q
}

// counted gives a cell whose leaves are counted from the other end.
func counted(s *scalar, leaves int) *scalar {
	if s == nil {
		return nil
	}
	own := *s
	if own.Op == "leaf" {
		own.Index = leaves - 1 - own.Index
	}
	own.Args = slices.Clone(own.Args)
	for i, a := range own.Args {
		own.Args[i] = counted(a, leaves)
	}
	return &own
}

// Whole asks for the totals of the columns that add up, in one row, with the positions of these columns in the frame. nil:
// no column adds up, or the frame does not show all parts.
func (p *Plan) Whole() (*compile.Query, []int) {
	b := p.bound
	if p.Listing || len(b.Grain) == 0 || b.Having != nil || b.Limit != nil || b.Offset > 0 || b.Top != nil && !b.Top.Other || b.Fill != nil && b.Fill.Mode == "last" {
		return nil, nil
	}
	q := &compile.Query{Sources: b.Sources, Keys: b.Keys, Leaves: b.Leaves, Contexts: b.Contexts}
	var columns []int
	for i, o := range b.Outputs {
		c := p.Columns[i]
		if c.Additivity != "additive" || c.Derived != nil || o.Cell == nil || o.Cell.Op != "leaf" || o.Cell.Ctx != 0 {
			continue
		}
		q.Outputs = append(q.Outputs, o)
		columns = append(columns, i)
	}
	if len(columns) == 0 {
		return nil, nil
	}
	return q, columns
}

// LowerVerify gives the query of the plan with the grade below, and without asking for one.
func (p *Plan) LowerVerify() []Repair {
	none := &semantic.Model{}
	r := newResolver(p.Query, Env{Model: none}, newLexicon(none))
	var all []Repair
	for _, e := range r.lowerVerifyFrom(p.Verify) {
		if q, err := Parse(e.make()); err == nil {
			all = append(all, Repair{Label: e.label, FrameQL: q.String(), Query: q})
		}
	}
	return all
}
