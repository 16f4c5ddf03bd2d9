package semantic

import "strings"

// Definition says in a line how a metric is computed, in the words of the context files, and nothing of how it is called or shown: of metrics of one model that are computed alike it is the same. The aggregate
// stands first, what becomes of no rows last: "sum(km) of trips; filter: city = 'Oslo'; empty_is: null".
func (x *Metric) Definition() string {
	var parts []string
	switch {
	case x.Leaf():
		parts = append(parts, string(x.Reducer)+"("+x.Expr+") of "+x.Entity)
	case x.Kind == Ratio:
		parts = append(parts, x.Numerator+" / "+x.Denominator)
	case x.Kind == Cumulative:
		parts = append(parts, "cumulative("+x.Of+")")
	default:
		parts = append(parts, x.Expr)
	}
	say := func(field, value string) {
		if value != "" {
			parts = append(parts, field+": "+value)
		}
	}
	say("filter", x.Filter)
	say("percentile", x.Percentile)
	if x.Discrete {
		say("discrete", "true")
	}
	if x.Window != nil {
		say("window", x.Window.String())
	}
	say("to_date", x.ToDate)
	say("period_agg", x.PeriodAgg)
	for i := range x.Inputs {
		say("input", inputYAML(&x.Inputs[i]))
	}
	if snapshot, semi := x.SemiAdditive(); semi {
		say("additivity", snapshot.String())
	}
	say("time", x.Time)
	say("fill", x.Fill)
	say("empty_is", x.EmptyIs)
	return strings.Join(parts, "; ")
}
