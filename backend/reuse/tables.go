package reuse

import (
	"slices"

	"assay/backend/compile"
)

// Tables lists every table that the answer of a branch depends on: those of its source, and those that its expressions test
// rows against or look numbers up from. An author's SELECT is its text.
func Tables(b compile.Branch) []string {
	r := reads{seen: map[string]bool{}}
	for _, t := range b.Tables {
		r.seen[t] = true
	}
	if b.Source != nil {
		r.nodes(b.Source.Nodes)
	}
	r.scalar(b.Time)
	for _, k := range b.Keys {
		r.scalar(k.Expr)
	}
	for i := range b.Leaves {
		r.leaf(&b.Leaves[i].Leaf)
	}
	r.scalars(b.Filters)
	var all []string
	for t := range r.seen {
		all = append(all, t)
	}
	slices.Sort(all)
	return all
}

// reads collects tables.
type reads struct{ seen map[string]bool }

func (r reads) nodes(all []compile.Node) {
	for _, n := range all {
		if n.SQL != "" {
			r.seen[n.SQL] = true
		} else {
			r.seen[n.Table] = true
		}
	}
}

func (r reads) scalars(all []*compile.Scalar) {
	for _, s := range all {
		r.scalar(s)
	}
}

func (r reads) scalar(s *compile.Scalar) {
	if s == nil {
		return
	}
	r.scalars(s.Args)
	if s.Sub == nil {
		return
	}
	r.nodes(s.Sub.Nodes)
	r.scalars(s.Sub.Where)
	if l := s.Sub.Lookup; l != nil {
		r.scalars(l.Keys)
		r.query(l.Query)
	}
}

func (r reads) leaf(l *compile.Leaf) {
	r.scalar(l.Expr)
	r.scalar(l.Filter)
	r.scalar(l.Time)
	r.scalars(l.Tie)
	if l.Pick != nil {
		r.scalars(l.Pick.Per)
	}
}

func (r reads) query(q *compile.Query) {
	if q == nil {
		return
	}
	for _, s := range q.Sources {
		r.nodes(s.Nodes)
		r.scalars(s.Where)
	}
	for _, k := range q.Keys {
		r.scalars(k.Exprs)
	}
	for i := range q.Leaves {
		r.leaf(&q.Leaves[i])
	}
	for _, o := range q.Outputs {
		r.scalar(o.Cell)
	}
	r.scalar(q.Having)
	if q.Top != nil {
		r.scalar(q.Top.By)
	}
}
