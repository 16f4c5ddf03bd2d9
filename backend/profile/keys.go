package profile

import (
	"context"
	"slices"
	"strings"

	"assay/backend/semantic"
)

const (
	keyColumns = 8 // columns that may be part of a composite key
	keyChecks  = 6 // composite keys that are verified on the whole table
)

// checkDeclaredKey drops a declared key of several columns that the data contradicts: nothing may be joined to it. One of
// a single column is measured with the column.
func checkDeclaredKey(ctx context.Context, run Run, t *semantic.TableFacts) error {
	if len(t.Key) < 2 {
		return nil
	}
	unique, err := Unique(ctx, run, semantic.Source{Table: t.Table}, t.Key)
	if err == nil && !unique {
		t.Key, t.KeyDeclared = nil, false
	}
	return err
}

// findKey looks for the smallest set of columns that is unique and never missing: one column, else two, else three. Only
// columns that may name a row are tried: an amount that happens to differ everywhere is no key.
func findKey(ctx context.Context, run Run, t *semantic.TableFacts, h *head) error {
	var single string
	best := 0
	for i := range t.Columns {
		c := &t.Columns[i]
		if fitness := t.KeyFitness(c); t.Unique(c) && fitness > best {
			single, best = c.Column, fitness
		}
	}
	if single != "" {
		t.Key = []string{single}
		return nil
	}
	if t.Rows < 2 {
		return nil
	}
	for size := 2; size <= 3; size++ {
		key, err := findComposite(ctx, run, t, h, size)
		if err != nil || key != nil {
			t.Key = key
			return err
		}
	}
	return nil
}

// findComposite verifies the likeliest combinations, one statement each: a distinct count over many rows is memory.
func findComposite(ctx context.Context, run Run, t *semantic.TableFacts, h *head, size int) ([]string, error) {
	var candidates []int
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Nulls == 0 && c.Distinct > 1 && t.KeyFitness(c) > 0 {
			candidates = append(candidates, i)
		}
	}
	slices.SortStableFunc(candidates, func(a, b int) int {
		return t.KeyFitness(&t.Columns[b]) - t.KeyFitness(&t.Columns[a])
	})
	candidates = candidates[:min(len(candidates), keyColumns)]
	checks := 0
	for _, combination := range combinations(candidates, size) {
		product := 1.0
		terms := make([]string, size)
		names := make([]string, size)
		for i, c := range combination {
			product *= float64(t.Columns[c].Distinct)
			names[i], terms[i] = t.Columns[c].Column, quote(t.Columns[c].Column)
		}
		if product < float64(t.Rows) || !h.unique(combination...) {
			continue
		}
		if checks++; checks > keyChecks {
			return nil, nil
		}
		r, err := row(ctx, run, []string{"count(DISTINCT hash(" + strings.Join(terms, ", ") + "))"}, t.Table)
		if err != nil {
			return nil, err
		}
		// Different hashes are different rows, so equality proves uniqueness.
		if asInt(r[0]) == t.Rows {
			return names, nil
		}
	}
	return nil, nil
}

// combinations gives the subsets of a size, those of leading elements first, each in the order of the table.
func combinations(of []int, size int) [][]int {
	var all [][]int
	var pick func(from int, chosen []int)
	pick = func(from int, chosen []int) {
		if len(chosen) == size {
			c := slices.Clone(chosen)
			slices.Sort(c)
			all = append(all, c)
			return
		}
		for i := from; i < len(of); i++ {
			pick(i+1, append(chosen, of[i]))
		}
	}
	pick(0, nil)
	return all
}
