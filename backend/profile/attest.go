package profile

import (
	"context"
	"fmt"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Sizes counts the rows of an entity's source and the different values of some of its columns. With estimate the values
// are counted by a sketch, within a few percent: exact counts over many rows are memory.
func Sizes(ctx context.Context, run Run, s semantic.Source, columns []string, estimate bool) (total int64, distinct []int64, err error) {
	distinct = make([]int64, len(columns))
	for from := 0; from == 0 || from < len(columns); from += statsColumns {
		part := columns[from:min(from+statsColumns, len(columns))]
		terms := []string{"count(*)"}
		for _, c := range part {
			if estimate {
				terms = append(terms, "approx_count_distinct("+quote(c)+")")
			} else {
				terms = append(terms, "count(DISTINCT "+quote(c)+")")
			}
		}
		r, err := rowOf(ctx, run, terms, "FROM "+source(s)+" AS one")
		if err != nil {
			return 0, nil, err
		}
		total = asInt(r[0])
		for i := range part {
			distinct[from+i] = asInt(r[1+i])
		}
	}
	return total, distinct, nil
}

// Unique says whether no two rows of a source agree in all of the columns. Rows in which one is missing do not count:
// they equal none.
func Unique(ctx context.Context, run Run, s semantic.Source, columns []string) (bool, error) {
	present, names := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		names[i] = quote(c)
		present[i] = names[i] + " IS NOT NULL"
	}
	r, err := rowOf(ctx, run, []string{"count(*)"}, fmt.Sprintf("FROM (SELECT 1 FROM %s AS one WHERE %s GROUP BY %s HAVING count(*) > 1 LIMIT 1) AS repeated",
		source(s), strings.Join(present, " AND "), strings.Join(names, ", ")))
	if err != nil {
		return false, err
	}
	return asInt(r[0]) == 0, nil
}

// Partners counts the rows of the near source whose columns equal those of no row of the far one (orphans), and the
// rows in which one of the columns is missing.
func Partners(ctx context.Context, run Run, near semantic.Source, nearColumns []string, far semantic.Source, farColumns []string) (orphans, missing int64, err error) {
	present, equal := make([]string, len(nearColumns)), make([]string, len(nearColumns))
	for i := range nearColumns {
		present[i] = "near." + quote(nearColumns[i]) + " IS NOT NULL"
		equal[i] = "far." + quote(farColumns[i]) + " = near." + quote(nearColumns[i])
	}
	whole := strings.Join(present, " AND ")
	r, err := rowOf(ctx, run, []string{
		fmt.Sprintf("(SELECT count(*) FROM %s AS near WHERE %s AND NOT EXISTS (SELECT 1 FROM %s AS far WHERE %s))", source(near), whole, source(far), strings.Join(equal, " AND ")),
		fmt.Sprintf("(SELECT count(*) FROM %s AS near WHERE NOT (%s))", source(near), whole),
	}, "")
	if err != nil {
		return 0, 0, err
	}
	return asInt(r[0]), asInt(r[1]), nil
}

// Depends measures exactly whether each value of one column has one value of another: it counts the different values of the
// finer column and the different pairs, and gives the first value that has several. A missing value is one like any other.
func Depends(ctx context.Context, run Run, s semantic.Source, finer, coarser string) (*semantic.StepAttestation, error) {
	several := " FILTER (WHERE one_pairs > 1"
	terms := []string{
		"count(*)", "CAST(coalesce(sum(one_pairs), 0) AS BIGINT)",
		"min(one_member)" + several + ")", "arg_min(one_least, one_member)" + several + ")", "arg_min(one_most, one_member)" + several + ")",
		"max(one_least)" + several + " AND one_member IS NULL)", "max(one_most)" + several + " AND one_member IS NULL)",
		"max(one_most) FILTER (WHERE one_member IS NULL)",
	}
	from := fmt.Sprintf(`FROM (
  SELECT CAST(one_finer AS VARCHAR) AS one_member, count(*) AS one_pairs, CAST(min(one_coarser) AS VARCHAR) AS one_least, CAST(max(one_coarser) AS VARCHAR) AS one_most
  FROM (SELECT DISTINCT %s AS one_finer, %s AS one_coarser FROM %s AS one) AS pairs
  GROUP BY one_finer
) AS members`, quote(finer), quote(coarser), source(s))
	r, err := rowOf(ctx, run, terms, from)
	if err != nil {
		return nil, err
	}
	d := &semantic.StepAttestation{Members: asInt(r[0]), Pairs: asInt(r[1]), Bare: textOrNil(r[7]), SQL: selection(terms, from)}
	if !d.Holds() {
		least, most := r[3], r[4]
		if d.Member = textOrNil(r[2]); d.Member == nil {
			least, most = r[5], r[6]
		}
		if d.Among = []*string{textOrNil(least), textOrNil(most)}; asText(least) == asText(most) { // one value, and rows without any
			d.Among[1] = nil
		}
	}
	return d, nil
}

func textOrNil(cell any) *string {
	if cell == nil {
		return nil
	}
	t := asText(cell)
	return &t
}

// maxCalendarDays bounds the rows of a calendar's table: a thousand years.
const maxCalendarDays = 366_000

// CalendarDays reads the table of a calendar in the order of its days. fault.Invalid: a row has no day, or there are
// more than a thousand years of them.
func CalendarDays(ctx context.Context, run Run, c *semantic.Calendar) ([]semantic.CalendarDay, error) {
	terms := []string{"CAST(CAST(" + quote(c.DateColumn) + " AS DATE) AS VARCHAR)"}
	for _, unit := range c.TableUnits() {
		terms = append(terms, "CAST("+quote(c.Units[unit])+" AS VARCHAR)")
	}
	count, err := row(ctx, run, []string{"count(*)"}, c.Table)
	if err != nil {
		return nil, err
	}
	if asInt(count[0]) > maxCalendarDays {
		return nil, fault.New(fault.Invalid, "read calendar", text.Say("profile.calendar_long", "calendar", c.Name, "table", c.Table), text.Say("profile.calendar_hint"))
	}
	all, err := rows(ctx, run, fmt.Sprintf("SELECT %s\nFROM %s\nORDER BY CAST(%s AS DATE)", strings.Join(terms, ", "), quote(c.Table), quote(c.DateColumn)), maxCalendarDays)
	if err != nil {
		return nil, err
	}
	days := make([]semantic.CalendarDay, len(all))
	for i, r := range all {
		if len(r) != len(terms) {
			return nil, shapeFault(len(r), len(terms))
		}
		if days[i].Day, err = time.Parse(time.DateOnly, asText(r[0])); err != nil {
			return nil, fault.Wrap(fault.Invalid, "read calendar", text.Say("profile.calendar_no_day", "calendar", c.Name, "table", c.Table, "value", asText(r[0])), text.Say("profile.calendar_hint"), err)
		}
		for _, cell := range r[1:] {
			if cell == nil {
				days[i].Values = append(days[i].Values, nil)
				continue
			}
			value := asText(cell)
			days[i].Values = append(days[i].Values, &value)
		}
	}
	return days, nil
}

// source writes what an entity's rows are read from.
func source(s semantic.Source) string {
	if s.Table != "" {
		return quote(s.Table)
	}
	return "(\n" + s.SQL + "\n)"
}
