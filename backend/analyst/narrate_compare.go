package analyst

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/text"
)

// comparison is where a frame shows what a number is compared with, by position; -1: it does not.
type comparison struct {
	before, change, relative int
	with                     string // the comparand
	target                   bool   // not a value of another period
}

// comparisonOf finds the comparison of a column with the first of its comparands; false: it is compared with nothing.
func comparisonOf(f *frameql.Frame, column int) (comparison, bool) {
	c := comparison{before: -1, change: -1, relative: -1}
	found := false
	for i, other := range f.Columns {
		d := other.Derived
		if d == nil || d.Of != f.Columns[column].Name || !numeric(other) || found && d.With != c.with {
			continue
		}
		switch d.How {
		case "previous", "target":
			c.before, c.target = i, d.How == "target"
		case "change":
			c.change = i
		case "change_pct":
			c.relative = i
		default:
			continue
		}
		c.with, found = d.With, true
	}
	return c, found
}

// compared is a number with what it is compared with behind it.
func compared(plan *frameql.Plan, f *frameql.Frame, row, column int) phrase {
	c, found := comparisonOf(f, column)
	if !found {
		return value(f, row, column)
	}
	return fill("analyst.compared", map[string]phrase{"value": value(f, row, column), "comparison": c.say(plan, f, row)})
}

// say says the change and what it is a change from. A relative change is said only of a base above zero: of another one its
// sign, or its size, would mislead.
func (c comparison) say(plan *frameql.Plan, f *frameql.Frame, row int) phrase {
	base := baseWords(plan, f, c.with)
	if c.before >= 0 && f.Rows[row][c.before] == nil {
		key := "analyst.compared_none"
		if c.target {
			key = "analyst.compared_no_target"
		}
		return shown(text.Say(key, "base", base), row, f.Columns[c.before].Name)
	}
	changes := c.changes(f, row)
	if c.before < 0 {
		if len(changes) == 0 {
			return plain(text.Say("analyst.compared_none", "base", base))
		}
		return fill("analyst.compared_change", map[string]phrase{"changes": joined(changes, ", "), "base": plain(base)})
	}
	key := "analyst.compared_value"
	switch {
	case c.target && len(changes) == 0:
		key = "analyst.compared_target"
	case c.target:
		key = "analyst.compared_from_target"
	case len(changes) > 0:
		key = "analyst.compared_from"
	}
	if before, _ := number(f.Rows[row][c.before]); before != nil && before.Sign() == 0 && c.relative >= 0 {
		return joined([]phrase{
			fill(key, map[string]phrase{"changes": joined(changes, ", "), "before": value(f, row, c.before), "base": plain(base)}),
			plain(text.Say("analyst.compared_zero")),
		}, ", ")
	}
	return fill(key, map[string]phrase{"changes": joined(changes, ", "), "before": value(f, row, c.before), "base": plain(base)})
}

// changes are the absolute and the relative change, each with its sign.
func (c comparison) changes(f *frameql.Frame, row int) []phrase {
	var all []phrase
	for _, i := range []int{c.change, c.relative} {
		if i < 0 {
			continue
		}
		n, ok := number(f.Rows[row][i])
		if !ok || i == c.relative && (c.before >= 0 && !positive(f.Rows[row][c.before]) || signChanged(f, row, i)) {
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
	n, ok := number(cell)
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
	if s := shapeOf(f); with == "" && s.time >= 0 {
		unit = f.Columns[s.time].Grain
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

// baseKeys name the kinds of comparands.
var baseKeys = map[string]string{
	"previous_period": "analyst.base_previous_period", "previous": "analyst.base_previous", "same_period_last": "analyst.base_same_period_last",
	"during": "analyst.base_during", "target": "analyst.base_target",
}

// grandTotal is the row that holds the total of the whole frame; -1: there is none.
func grandTotal(f *frameql.Frame) int {
	total := flagColumn(f, "is_total")
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
