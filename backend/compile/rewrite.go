package compile

import "slices"

// rewrite is one optimisation of the steps. It lives in a file of its own, rewrite_<name>.go. apply changes the graph
// behind root (steps are shared: what it changes must be right for every reader) and gives the new root, whether it did
// something, and the proof or what is missing for it: a sentence from the text catalogue.
type rewrite struct {
	name  string
	apply func(c *compiler, root *step) (to *step, applied bool, why string)
}

// rewrites lists them in the order in which they are tried.
func rewrites() []rewrite {
	return []rewrite{
		{"single_branch", singleBranch},
		{"inner_join", innerJoin},
		{"share_window", shareWindow},
		{"totals_rollup", totalsRollup},
		{"one_scan", oneScan},
		{"day_first", dayFirst},
		{"distinct_below_join", distinctBelowJoin},
		{"late_join", lateJoin},
		{"preaggregate", preaggregate},
	}
}

// rewrite applies what is not switched off. Every rewrite may change the cost and never a number.
func (c *compiler) rewrite(root *step, p *Program) *step {
	for _, r := range rewrites() {
		if slices.Contains(c.o.Without, r.name) || slices.Contains(c.o.Without, "all") {
			continue
		}
		to, applied, why := r.apply(c, root)
		if applied {
			root = to
		}
		p.Rewrites = append(p.Rewrites, Rewrite{Name: r.name, Applied: applied, Why: why})
	}
	return root
}
