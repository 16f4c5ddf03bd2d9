package profile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/backend/semantic"
)

const (
	determinants = 24 // columns that are tried as the left side
	minRepeats   = 3  // rows beyond the first of their group that a dependency needs to mean anything
)

// findDependencies finds which columns determine which. A left side is a column that names or groups rows, that repeats
// and that is not constant: a key determines everything and says nothing by it. Pairs are refuted on the head; what
// survives is verified on the whole table, all left sides in one statement, and bisected where a group fails.
//
// A dependency is accepted when counts of distinct hashes agree: with d different values the chance of a wrong one is
// about d*d/2^65.
func findDependencies(ctx context.Context, run Run, t *semantic.TableFacts, h *head) error {
	var open []group
	for _, x := range leftSides(t) {
		g := group{left: x}
		for y := range t.Columns {
			right := &t.Columns[y]
			if y == x || right.Distinct < 1 || groups(right) < 2 || groups(right) > groups(&t.Columns[x]) {
				continue
			}
			if h.determines(x, y) {
				g.right = append(g.right, y)
			}
		}
		if len(g.right) > 0 {
			open = append(open, g)
		}
	}
	holds := map[[2]int]bool{}
	for len(open) > 0 {
		terms := make([]string, len(open))
		for i, g := range open {
			columns := []string{quote(t.Columns[g.left].Column)}
			for _, y := range g.right {
				columns = append(columns, quote(t.Columns[y].Column))
			}
			terms[i] = "count(DISTINCT hash(" + strings.Join(columns, ", ") + "))"
		}
		var counts []any
		for from := 0; from < len(terms); from += determinants { // bounds the memory of one statement
			part, err := row(ctx, run, terms[from:min(from+determinants, len(terms))], t.Table)
			if err != nil {
				return err
			}
			counts = append(counts, part...)
		}
		var next []group
		for i, g := range open {
			switch {
			case asInt(counts[i]) == groups(&t.Columns[g.left]):
				for _, y := range g.right {
					holds[[2]int{g.left, y}] = true
				}
			case len(g.right) > 1:
				half := len(g.right) / 2
				next = append(next, group{g.left, g.right[:half]}, group{g.left, g.right[half:]})
			}
		}
		open = next
	}
	for x := range t.Columns {
		for y := range t.Columns {
			if holds[[2]int{x, y}] {
				t.Determines = append(t.Determines, semantic.Dependency{From: t.Columns[x].Column, To: t.Columns[y].Column})
			}
		}
	}
	return nil
}

// group is a left side with right sides that are tested together.
type group struct {
	left  int
	right []int
}

// groups counts the different values of a column, a missing one included.
func groups(c *semantic.ColumnFacts) int64 {
	if c.Nulls > 0 {
		return c.Distinct + 1
	}
	return c.Distinct
}

// leftSides gives the columns that may determine others, the likeliest first.
func leftSides(t *semantic.TableFacts) []int {
	var all []int
	for i := range t.Columns {
		c := &t.Columns[i]
		if groups(c) < 2 || t.Rows-groups(c) < minRepeats || t.KeyFitness(c) <= 0 {
			continue
		}
		all = append(all, i)
	}
	slices.SortStableFunc(all, func(a, b int) int {
		return t.KeyFitness(&t.Columns[b]) - t.KeyFitness(&t.Columns[a])
	})
	return all[:min(len(all), determinants)]
}

// measureLineTotals verifies which proposed products of quantity and price are what a total column holds.
func measureLineTotals(ctx context.Context, run Run, t *semantic.TableFacts) error {
	candidates := semantic.LineTotalCandidates(t)
	var terms []string
	for _, c := range candidates {
		if c.Total != "" {
			terms = append(terms, lineTotalTerm(c))
		}
	}
	if len(terms) > 0 {
		r, err := row(ctx, run, terms, t.Table)
		if err != nil {
			return err
		}
		at := 0
		for i := range candidates {
			if candidates[i].Total != "" {
				candidates[i].Holds = asFloat(r[at])
				at++
			}
		}
	}
	for _, c := range candidates {
		if c.Total == "" || c.Holds >= 0.99 {
			t.LineTotals = append(t.LineTotals, c)
		}
	}
	return nil
}

// lineTotalTerm gives the share of rows whose total is the product, to a cent or a ten-thousandth of it. Rows where
// something is missing do not count.
func lineTotalTerm(c semantic.LineTotal) string {
	double := func(column string) string { return "CAST(" + quote(column) + " AS DOUBLE)" }
	product := double(c.Quantity) + " * " + double(c.Price)
	if c.Discount != "" {
		discount := double(c.Discount)
		if c.Percent {
			discount += " / 100"
		}
		product += " * (1 - " + discount + ")"
	}
	total := double(c.Total)
	return fmt.Sprintf("coalesce(avg(CASE WHEN %s - %s IS NULL THEN NULL WHEN abs(%s - %s) <= 0.01 + 0.0001 * abs(%s) THEN 1.0 ELSE 0.0 END), 0)",
		total, product, total, product, total)
}
