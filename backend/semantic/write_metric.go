package semantic

import "maps"

func writeMetric(x *Metric) []byte {
	w := &yamlWriter{}
	w.comment(x.Basis)
	w.text("metric", x.Name)
	w.text("family", x.Family)
	w.text("label", x.Label)
	w.text("description", x.Description)
	w.list("synonyms", x.Synonyms)
	w.text("entity", x.Entity)
	w.text("kind", string(x.Kind))
	w.text("expr", x.Expr)
	w.text("filter", x.Filter)
	w.text("reducer", string(x.Reducer))
	w.text("percentile", x.Percentile)
	w.flag("discrete", x.Discrete)
	w.text("numerator", x.Numerator)
	w.text("denominator", x.Denominator)
	w.text("of", x.Of)
	w.span("window", x.Window)
	w.text("to_date", x.ToDate)
	w.text("period_agg", x.PeriodAgg)
	var inputs []string
	for i := range x.Inputs {
		inputs = append(inputs, inputYAML(&x.Inputs[i]))
	}
	w.items("inputs", inputs)
	w.text("fill", x.Fill)
	additivity := map[string]string{}
	maps.Copy(additivity, x.Additivity.Per)
	if x.Additivity.Default != "" {
		additivity["default"] = x.Additivity.Default
	}
	w.put("additivity", pairsYAML(additivity))
	w.text("unit", x.Unit)
	w.text("better", x.Better)
	w.put("confidence_weight", weightYAML(x.ConfidenceWeight))
	w.text("time", x.Time)
	w.text("time_grain", x.TimeGrain)
	w.text("empty_is", x.EmptyIs)
	w.list("required_dims", x.Required)
	w.list("forbidden_grains", x.Forbidden)
	var grains, siblings []string
	for _, g := range x.Materialize {
		grains = append(grains, listYAML(g))
	}
	w.items("materialize_at", grains)
	for _, s := range x.Siblings {
		f := &flow{}
		f.text("source", s.Source)
		f.list("at", s.At)
		siblings = append(siblings, f.String())
	}
	w.items("siblings", siblings)
	w.put("tests", testsYAML(x.Tests))
	w.list("tags", x.Tags)
	w.put("owner", ownerYAML(x.Owner))
	w.flag("hidden", x.Hidden)
	return w.bytes()
}

func inputYAML(in *Input) string {
	f := &flow{}
	f.text("name", in.Name)
	f.text("metric", in.Metric)
	f.text("filter", in.Filter)
	f.span("offset", in.Offset)
	f.text("offset_to_start", in.OffsetToStart)
	return f.String()
}
