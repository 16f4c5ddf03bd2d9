package profile

import (
	"context"
	"slices"

	"assay/backend/semantic"
)

// snapshotChecks is the number of sets of columns that are verified on the whole table.
const snapshotChecks = 4

// findSnapshot looks, in a table that holds a state of something under a key without a date (a row number), for the date
// and the one or two identifiers that tell its rows apart all the same: then each row is a snapshot.
func findSnapshot(ctx context.Context, run Run, t *semantic.TableFacts, h *head) error {
	if !t.HasStock() || t.Dated(t.Key) != nil {
		return nil
	}
	var dates, things []int
	for i := range t.Columns {
		c := &t.Columns[i]
		switch {
		case c.Nulls > 0 || c.Distinct < 2 || t.Unique(c):
		case c.Type.Temporal():
			dates = append(dates, i)
		case t.RoleOf(c) == semantic.RoleIdentifier:
			things = append(things, i)
		}
	}
	slices.SortStableFunc(things, func(a, b int) int { return t.KeyFitness(&t.Columns[b]) - t.KeyFitness(&t.Columns[a]) })
	things = things[:min(len(things), keyColumns)]
	checks := 0
	for size := 1; size <= 2; size++ {
		for _, date := range dates {
			for _, thing := range combinations(things, size) {
				set := append(slices.Clone(thing), date)
				if !h.unique(set...) {
					continue
				}
				if checks++; checks > snapshotChecks {
					return nil
				}
				names := make([]string, len(set))
				for i, c := range set {
					names[i] = t.Columns[c].Column
				}
				unique, err := Unique(ctx, run, semantic.Source{Table: t.Table}, names)
				if err != nil {
					return err
				}
				if unique {
					t.Snapshot = names
					return nil
				}
			}
		}
	}
	return nil
}
