package semantic

import (
	"slices"
	"strings"

	"assay/backend/text"
)

// cumulative checks a metric that adds another one up along time: over a window, from the start of a unit, or over all
// time.
func (c *checker) cumulative(object string, x *Metric, uses map[string][]string) {
	if x.Of == "" {
		c.fail(object, x.Pos, text.Say("semantic.missing_key", "key", "of"), text.Say("semantic.missing_of_hint"))
	} else {
		c.part(object, x, "of", x.Of, uses)
	}
	if of := c.x.metrics[strings.ToLower(x.Of)]; of != nil {
		c.accumulated(object, x, of)
	}
	if x.Window != nil && x.ToDate != "" {
		c.fail(object, c.at(x.Pos, "to_date"), text.Say("semantic.window_and_to_date", "name", x.Name), text.Say("semantic.window_and_to_date_hint"))
	}
	if x.Window != nil {
		c.unit(object, c.at(x.Pos, "window"), x.Window.Unit)
	}
	if x.ToDate == "hour" || x.ToDate == "day" {
		c.fail(object, c.at(x.Pos, "to_date"), text.Say("semantic.to_date_too_fine", "unit", x.ToDate), text.Say("semantic.to_date_too_fine_hint"))
	} else if x.ToDate != "" {
		c.unit(object, c.at(x.Pos, "to_date"), x.ToDate)
	}
	if aggs := []string{"first", "last", "average"}; x.PeriodAgg != "" && !slices.Contains(aggs, x.PeriodAgg) {
		c.fail(object, c.at(x.Pos, "period_agg"), text.Say("semantic.bad_choice", "key", "period_agg", "value", x.PeriodAgg), KnownHint(x.PeriodAgg, aggs))
	}
}

// accumulated checks the metric that is added up: not itself one that adds up, and its rows have a time.
func (c *checker) accumulated(object string, x, of *Metric) {
	at := c.at(x.Pos, "of")
	if of.Kind == Cumulative {
		c.fail(object, at, text.Say("semantic.cumulative_of_cumulative", "name", of.Name), text.Say("semantic.cumulative_of_cumulative_hint"))
	}
	if _, semi := of.SemiAdditive(); semi {
		c.fail(object, at, text.Say("semantic.cumulative_of_snapshot", "name", of.Name), text.Say("semantic.cumulative_of_snapshot_hint"))
	}
	if of.Leaf() {
		c.needsTime(object, at, of, x.Name)
	}
}
