package compile

import "assay/backend/text"

// explain gives the logical plan: every step in the order in which it is evaluated, with its name in the SQL when it has
// one there.
func explain(w *writer, root *step) []Step {
	var all []Step
	for _, s := range walk(root) {
		e := Step{Name: w.written[s], Kind: string(s.kind), Says: says(s)}
		for _, in := range s.reads() {
			e.Inputs = append(e.Inputs, nameOf(w, in))
		}
		for _, c := range s.cols {
			if c.key {
				e.Keys = append(e.Keys, c.name)
			} else {
				e.Values = append(e.Values, c.name)
			}
		}
		all = append(all, e)
	}
	return all
}

func nameOf(w *writer, s *step) string {
	if name := w.written[s]; name != "" {
		return name
	}
	return s.name
}

// says is what a step does, for a person.
func says(s *step) string {
	switch s.kind {
	case kindScan:
		if s.source == nil {
			return text.Say("compile.says_arm")
		}
		return text.Say("compile.says_scan", "entity", s.source.Nodes[0].Entity)
	case kindPick:
		return text.Say("compile.says_pick")
	case kindStack:
		return text.Count("compile.says_stack", int64(len(s.in)), "n", len(s.in))
	case kindCollapse:
		return text.Say("compile.says_collapse")
	case kindRollup:
		return text.Say("compile.says_rollup")
	case kindSpread:
		return text.Say("compile.says_spread")
	case kindAttach:
		return text.Say("compile.says_attach")
	case kindSpine:
		return text.Say("compile.says_spine")
	case kindWindow:
		return text.Say("compile.says_window")
	case kindFilter:
		return text.Say("compile.says_filter")
	case kindTop:
		return text.Say("compile.says_top")
	case kindOther:
		return text.Say("compile.says_other")
	case kindTotals:
		return text.Say("compile.says_totals")
	case kindLookup:
		return text.Say("compile.says_lookup")
	}
	return text.Say("compile.says_order")
}
