package analyst

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/text"
)

// compared is a number with what it is compared with behind it.
func compared(plan *frameql.Plan, f *frameql.Frame, row, column int) phrase {
	c, found := frameview.ComparisonOf(f, column)
	if !found {
		return value(f, row, column)
	}
	return fill("analyst.compared", map[string]phrase{"value": value(f, row, column), "comparison": sayComparison(c, plan, f, row)})
}

// sayComparison says the change and what it is a change from. A relative change is said only of a base above zero: of another one its
// sign, or its size, would mislead.
func sayComparison(c frameview.Comparison, plan *frameql.Plan, f *frameql.Frame, row int) phrase {
	base := baseWords(plan, f, c.With)
	if c.Before >= 0 && f.Rows[row][c.Before] == nil {
		key := "analyst.compared_none"
		if c.Target {
			key = "analyst.compared_no_target"
		}
		return shown(text.Say(key, "base", base), row, f.Columns[c.Before].Name)
	}
	changes := changes(c, f, row)
	if c.Before < 0 {
		if len(changes) == 0 {
			return plain(text.Say("analyst.compared_none", "base", base))
		}
		return fill("analyst.compared_change", map[string]phrase{"changes": joined(changes, ", "), "base": plain(base)})
	}
	key := "analyst.compared_value"
	switch {
	case c.Target && len(changes) == 0:
		key = "analyst.compared_target"
	case c.Target:
		key = "analyst.compared_from_target"
	case len(changes) > 0:
		key = "analyst.compared_from"
	}
	if before, _ := frameview.Number(f.Rows[row][c.Before]); before != nil && before.Sign() == 0 && c.Relative >= 0 {
		return joined([]phrase{
			fill(key, map[string]phrase{"changes": joined(changes, ", "), "before": value(f, row, c.Before), "base": plain(base)}),
			plain(text.Say("analyst.compared_zero")),
		}, ", ")
	}
	return fill(key, map[string]phrase{"changes": joined(changes, ", "), "before": value(f, row, c.Before), "base": plain(base)})
}

// changes are the absolute and the relative change, each with its sign.
func changes(c frameview.Comparison, f *frameql.Frame, row int) []phrase {
	var all []phrase
	for _, i := range []int{c.Change, c.Relative} {
		if i < 0 {
			continue
		}
		n, ok := frameview.Number(f.Rows[row][i])
		if !ok || i == c.Relative && (c.Before >= 0 && !positive(f.Rows[row][c.Before]) || signChanged(f, row, i)) {
			continue
		}
		p := value(f, row, i)
		if n.Sign() > 0 {
			p[0].text = "+" + p[0].text
		}
		all = append(all, p)
	}
	return all
}

func positive(cell any) bool {
	n, ok := frameview.Number(cell)
	return ok && n.Sign() > 0
}

// baseWords names a comparand without digits: they would stand outside of every citation.
func baseWords(plan *frameql.Plan, f *frameql.Frame, with string) string {
	kind, unit := "previous", ""
	for i, use := range plan.Comparands {
		if use.Label == with && i < len(plan.Query.Compare) {
			kind, unit = use.Kind, plan.Query.Compare[i].Unit
		}
	}
	if s := frameview.ShapeOf(f); with == "" && s.Time >= 0 {
		grain := f.Columns[s.Time].Grain
		if unit = rowsBack(plan, grain); unit == "" && grain != "" {
			kind, unit = "earlier", grain
		}
	}
	if (kind == "previous" || kind == "same_period_last") && (unit == "" || hasDigit(unit)) {
		kind = "previous_period"
	}
	words := ""
	if unit != "" {
		words = unitWords(unit, 1)
	}
	return text.Say(baseKeys[kind], "unit", words)
}

// rowsBack gives the calendar unit between a row and the earlier one with which it is compared: 12 months are a year. Empty: they are
// no unit, or differ.
func rowsBack(plan *frameql.Plan, grain string) string {
	rows := map[string]int{}
	if plan.Query == nil {
		return grain
	}
	for _, item := range plan.Query.Select {
		if e := item.Expr; e != nil && (e.Fn == "prev" || e.Fn == "delta" || e.Fn == "pct_change") {
			n := "1"
			if len(e.Params) > 0 {
				n = e.Params[0].Text
			}
			rows[n]++
		}
	}
	if len(rows) > 1 {
		return ""
	}
	for n := range rows {
		if n != "1" {
			return rowsInUnit[n+" "+grain]
		}
	}
	return grain
}

// rowsInUnit are the numbers of rows that make a longer unit.
var rowsInUnit = map[string]string{
	"3 month": "quarter", "12 month": "year", "4 quarter": "year", "52 week": "year", "7 day": "week",
}

// baseKeys name the kinds of comparands.
var baseKeys = map[string]string{
	"previous_period": "analyst.base_previous_period", "previous": "analyst.base_previous", "same_period_last": "analyst.base_same_period_last",
	"during": "analyst.base_during", "earlier": "analyst.base_earlier", "target": "analyst.base_target",
}

// grandTotal is the row that holds the total of the whole frame; -1: there is none.
func grandTotal(f *frameql.Frame) int {
	total := frameview.Flag(f, "is_total")
	if total < 0 {
		return -1
	}
	return slices.IndexFunc(f.Rows, func(row []any) bool {
		if row[total] != true {
			return false
		}
		for i, c := range f.Columns {
			if c.Role == frameql.RoleDimension && row[i] != nil {
				return false
			}
		}
		return true
	})
}
