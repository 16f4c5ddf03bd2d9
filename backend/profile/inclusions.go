package profile

import (
	"context"
	"fmt"
	"slices"

	"assay/backend/semantic"
)

const (
	inclusionPairs = 400 // candidates that are measured at most, the best names first
	inclusionBatch = 40  // candidates of one statement
)

// measureInclusions measures, for the plausible pairs, how many of a column's values another table's unique column has.
func measureInclusions(ctx context.Context, run Run, tables []semantic.TableFacts) ([]semantic.Inclusion, error) {
	semantic.PlainNames(tables)
	var all []semantic.Inclusion
	for i := range tables {
		for j := range tables {
			all = append(all, candidates(&tables[i], &tables[j])...)
		}
	}
	slices.SortStableFunc(all, func(a, b semantic.Inclusion) int {
		switch {
		case a.NameMatch > b.NameMatch:
			return -1
		case a.NameMatch < b.NameMatch:
			return 1
		}
		return 0
	})
	all = all[:min(len(all), inclusionPairs)]
	for from := 0; from < len(all); from += inclusionBatch {
		part := all[from:min(from+inclusionBatch, len(all))]
		terms := make([]string, len(part))
		for i, c := range part {
			terms[i] = fmt.Sprintf(
				"(SELECT coalesce(avg(CASE WHEN f.v IN (SELECT %s FROM %s) THEN 1.0 ELSE 0.0 END), 0) FROM (SELECT DISTINCT %s AS v FROM %s WHERE %s IS NOT NULL) f)",
				quote(c.RefColumn), quote(c.RefTable), quote(c.Column), quote(c.Table), quote(c.Column))
		}
		r, err := row(ctx, run, terms, "")
		if err != nil {
			return nil, err
		}
		for i := range part {
			part[i].Covered = asFloat(r[i])
		}
	}
	return slices.DeleteFunc(all, func(c semantic.Inclusion) bool { return c.Covered < semantic.LeastCovered }), nil
}

// candidates gives the pairs of columns of two tables that may be a reference: the same kind of type, the far side
// unique, no more different values on the near side, and either names that suggest it or long text values whose range
// lies within the other's.
func candidates(from, to *semantic.TableFacts) []semantic.Inclusion {
	var all []semantic.Inclusion
	for i := range to.Columns {
		far := &to.Columns[i]
		if !to.Unique(far) || !referable(far.Type) || to.Rows < 1 {
			continue
		}
		for j := range from.Columns {
			near := &from.Columns[j]
			if near.Type != far.Type || near.Distinct == 0 || from.Table == to.Table && near.Column == far.Column {
				continue
			}
			if float64(near.Distinct) > float64(far.Distinct)*1.1+1 {
				continue
			}
			match := semantic.ReferenceMatch(from, near, to, far)
			if match < 0.5 && !(from.Table != to.Table && speaking(near) && speaking(far) && near.Min >= far.Min && near.Max <= far.Max) {
				continue
			}
			all = append(all, semantic.Inclusion{Table: from.Table, Column: near.Column, RefTable: to.Table, RefColumn: far.Column, NameMatch: match})
		}
	}
	return all
}

func referable(t semantic.Type) bool { return t == semantic.Text || t == semantic.Integer }

// speaking says whether values are long and many enough that two columns hardly share them by accident.
func speaking(c *semantic.ColumnFacts) bool {
	return c.Type == semantic.Text && c.AvgLength >= 6 && c.AvgLength <= 64 && c.Distinct >= 5
}
