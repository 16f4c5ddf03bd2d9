package reuse

import (
	"slices"

	"assay/backend/compile"
)

// Levels gives the columns of an entity that one of its columns determines, by steps of a hierarchy that were measured to
// hold: of the city its country. They are columns without a node.
type Levels func(entity, column string) []*compile.Scalar

// Carry gives a branch, as a frame holds it, with the coarser levels of its keys as further keys, behind its own. Where a city
// lies in one country the groups stay the same, so that nothing is lost by it, and the frame answers by country as well,
// from its own rows and of its own epochs: no mapping is looked up. Where the data has changed since it was measured there
// are more groups, which is right too.
func Carry(b compile.Branch, levels Levels) compile.Branch {
	if levels == nil || b.Source == nil {
		return b
	}
	out := b
	out.Keys = slices.Clone(b.Keys)
	for _, k := range b.Keys {
		if k.Expr == nil || k.Expr.Op != "col" || k.Expr.Node < 0 || k.Expr.Node >= len(b.Source.Nodes) {
			continue
		}
		for _, up := range levels(b.Source.Nodes[k.Expr.Node].Entity, k.Expr.Text) {
			column := *up
			column.Node = k.Expr.Node
			out.Keys = append(out.Keys, compile.BranchKey{Expr: &column})
		}
	}
	if s, ok := Storable(out); ok {
		return s
	}
	return b
}
