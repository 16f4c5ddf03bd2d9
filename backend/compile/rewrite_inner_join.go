package compile

import (
	"slices"
	"strings"

	"assay/backend/text"
)

// innerJoin joins without keeping rows that have no partner wherever every row is known to have one: then it gives the same
// rows, and the engine need not look out for others.
func innerJoin(_ *compiler, root *step) (*step, bool, string) {
	var total, open []string
	note := func(list *[]string, entity string) {
		if !slices.Contains(*list, entity) {
			*list = append(*list, entity)
		}
	}
	for _, s := range sourceSteps(root) {
		need := s.neededNodes()
		inner := make([]bool, len(s.source.Nodes))
		for i, n := range s.source.Nodes {
			inner[i] = i > 0 && n.Total && (n.Parent == 0 || inner[n.Parent])
			switch {
			case i == 0 || !need[i]:
			case inner[i]:
				note(&total, n.Entity)
			default:
				note(&open, n.Entity)
			}
		}
		s.inner = inner
	}
	switch {
	case len(total) > 0:
		return root, true, text.Say("compile.inner_join", "entities", strings.Join(total, ", "))
	case len(open) > 0:
		return root, false, text.Say("compile.inner_join_open", "entities", strings.Join(open, ", "))
	}
	return root, false, text.Say("compile.inner_join_none")
}

// sourceSteps gives every step that reads tables, those of subqueries too.
func sourceSteps(root *step) []*step {
	var all []*step
	for _, s := range walk(root) {
		if s.source != nil {
			all = append(all, s)
		}
		s.scalars(func(x *Scalar) {
			if x.Op == "exists" && x.step != nil && x.step.source != nil {
				all = append(all, x.step)
			}
		})
	}
	return all
}
