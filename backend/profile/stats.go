package profile

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/backend/semantic"
)

// statsColumns bounds the columns of one statement: each makes up to seven aggregates.
const statsColumns = 50

// measureStats counts rows, and for every column missing and different values, extremes and lengths, in one pass.
func measureStats(ctx context.Context, run Run, t *semantic.TableFacts) error {
	if len(t.Columns) == 0 {
		r, err := row(ctx, run, []string{"count(*)"}, t.Table)
		if err == nil {
			t.Rows = asInt(r[0])
		}
		return err
	}
	for from := 0; from < len(t.Columns); from += statsColumns {
		part := t.Columns[from:min(from+statsColumns, len(t.Columns))]
		terms := []string{"count(*)"}
		for i := range part {
			terms = append(terms, statsTerms(&part[i])...)
		}
		r, err := row(ctx, run, terms, t.Table)
		if err != nil {
			return err
		}
		t.Rows = asInt(r[0])
		for i := range part {
			c, cells := &part[i], r[1+i*statsPerColumn:]
			c.Nulls = t.Rows - asInt(cells[0])
			c.Distinct = asInt(cells[1])
			c.Min, c.Max = asText(cells[2]), asText(cells[3])
			c.AvgLength, c.MaxLength = asFloat(cells[4]), int(asInt(cells[5]))
			c.MaxDecimals, c.Negative = int(asInt(cells[6])), asInt(cells[7]) > 0
		}
	}
	return nil
}

const statsPerColumn = 8

func statsTerms(c *semantic.ColumnFacts) []string {
	q := quote(c.Column)
	terms := []string{
		"count(" + q + ")",
		"count(DISTINCT " + q + ")",
		"CAST(min(" + q + ") AS VARCHAR)",
		"CAST(max(" + q + ") AS VARCHAR)",
		"NULL", "NULL", "0", "0",
	}
	switch {
	case c.Type == semantic.Text:
		// A text may be long: the extremes are only compared and shown.
		terms[2], terms[3] = "left(min("+q+"), 200)", "left(max("+q+"), 200)"
		terms[4], terms[5] = "avg(strlen("+q+"))", "max(strlen("+q+"))"
	case c.Type == semantic.Integer:
		terms[7] = "count(*) FILTER (WHERE " + q + " < 0)"
	case c.Type.Numeric():
		// Whole or not is all that anyone asks of it, and counting digits would cost more than all the rest.
		terms[6] = "CASE WHEN bool_or(" + q + " <> trunc(" + q + ")) THEN 2 ELSE 0 END"
		terms[7] = "count(*) FILTER (WHERE " + q + " < 0)"
	}
	return terms
}

const (
	topValues     = 20
	topWholeTable = 1_000_000 // rows up to which every column is grouped whole
	topFewValues  = 10_000    // different values up to which a column of a larger table is grouped whole
	topHead       = 100_000   // rows of the head that stand for the others
)

// measureTop finds the most frequent values of every column, ties in the order of the values.
func measureTop(ctx context.Context, run Run, t *semantic.TableFacts) error {
	for from := 0; from < len(t.Columns); from += statsColumns {
		part := t.Columns[from:min(from+statsColumns, len(t.Columns))]
		var branches []string
		counted := make([]int64, len(part)) // rows that the count of a column is a share of
		for i := range part {
			c := &part[i]
			source := quote(t.Table)
			counted[i] = t.Rows
			if t.Rows > topWholeTable && c.Distinct > topFewValues {
				source = fmt.Sprintf("(SELECT %s FROM %s LIMIT %d)", quote(c.Column), source, topHead)
				counted[i] = min(t.Rows, topHead)
			}
			q := quote(c.Column)
			branches = append(branches, fmt.Sprintf(
				"SELECT * FROM (SELECT %d AS i, left(CAST(%s AS VARCHAR), 200) AS v, count(*) AS n FROM %s WHERE %s IS NOT NULL GROUP BY %s ORDER BY n DESC, %s LIMIT %d)",
				i, q, source, q, q, q, topValues))
		}
		if len(branches) == 0 {
			return nil
		}
		all, err := rows(ctx, run, strings.Join(branches, "\nUNION ALL "), topValues*len(branches))
		if err != nil {
			return err
		}
		slices.SortStableFunc(all, func(a, b []any) int { // a union keeps no order
			if c := asInt(a[0]) - asInt(b[0]); c != 0 {
				return int(c)
			}
			if c := asInt(b[2]) - asInt(a[2]); c != 0 {
				return int(max(min(c, 1), -1))
			}
			return strings.Compare(asText(a[1]), asText(b[1]))
		})
		for _, r := range all {
			i := asInt(r[0])
			c := &part[i]
			if len(c.Sample) == 0 {
				c.TopShare = float64(asInt(r[2])) / float64(counted[i])
			}
			c.Sample = append(c.Sample, asText(r[1]))
		}
	}
	return nil
}
