// Package compile turns a bound query into SQL: branch, stack, collapse.
//
//	Query ──relation──▶ steps ──rewrites──▶ steps ──serve──▶ steps ──writer(dialect)──▶ Program
//
//	             scans               one for each source x context x rule by which rows count (scan.go, spread.go, presence.go)
//	             \     |     /       reduce: a finer relation, rolled up (rollup.go)
//	              \    |    /
//	                stack            UNION ALL with typed NULLs
//	                  |
//	               collapse          the cells of each key side by side (relation.go)
//	                  |
//	                spine            the buckets without rows (fill.go)
//	                  |
//	                attach           at: a coarser relation, joined null-safe; what lay months before (attach.go)
//	                  |
//	                window           cumulative and moving (accumulate.go), then rows that were there for them go, then rank and index
//	                  |
//	            having, top          (result.go, top.go)
//	                  |
//	       rest of TOP, totals       the same again at another grain, stacked under the rows (order.go)
//	                  |
//	                result           arithmetic last, order, limit
//
// A relation is a grain with cells. lower (cells.go) takes every cell apart into what steps compute, the atoms, and the arithmetic
// around them, which stands in the last SELECT. So ratios of sums are never sums of ratios, and every function along time
// works on sums and counts. The rows of a relation are those that its branches give; branches that only compare or
// count at other days bring the flag "shown" 0, and rows with nothing else are left out after the windows.
// Whether no rows are 0 or missing is said where an atom is read (missing.go), by the days that it looks at (looks.go).
//
// Steps (step.go) are a graph of relational operators with named columns. The writer (write*.go) folds a step that is read once
// into the SELECT that reads it wherever SQL allows it, so that a query of one branch is one SELECT with GROUP BY, and puts
// the others in WITH. It asks the dialect (dialect.go; one file for each) for everything in which engines differ. Where an
// engine lacks a capability, the scans run there as leaf frames and DuckDB does what is above them (leafframe.go).
//
// A rewrite is a file rewrite_<name>.go with a function over the steps (rewrite.go) that says whether it applies, and why: the
// proof, or what is missing for it. It finds its place with walk(root), reads what a scan is in step.scan (its leaves, period,
// conditions without the period), and changes steps in place or puts new ones between: a step is selects(kind, name,
// inputs...), pass hands columns on, ref(input, column, type) names them. It is entered in the list in rewrites() and
// switched off by its name in Options.Without. A rewrite may change the cost and never a number; the plain form is
// what tests compare it with.
package compile
