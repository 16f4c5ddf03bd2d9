package semantic

import "testing"

func TestDefinition(t *testing.T) {
	for want, x := range map[string]Metric{
		"sum(km) of trips; empty_is: null":         {Name: "a", Label: "A", Entity: "trips", Reducer: Sum, Expr: "km", EmptyIs: "null"},
		"count(*) of trips; filter: city = 'Oslo'": {Name: "b", Kind: Leaf, Entity: "trips", Reducer: Count, Expr: "*", Filter: "city = 'Oslo'"},
		"a / b":                        {Name: "c", Kind: Ratio, Numerator: "a", Denominator: "b", Description: "is no matter"},
		"cumulative(a); window: 7 day": {Name: "d", Kind: Cumulative, Of: "a", Window: &Span{N: 7, Unit: "day"}},
		"now - before; input: {name: before, metric: a}":   {Name: "e", Kind: Derived, Expr: "now - before", Inputs: []Input{{Name: "before", Metric: "a"}}},
		"sum(balance) of accounts; additivity: semi(last)": {Name: "f", Entity: "accounts", Reducer: Sum, Expr: "balance", Additivity: Additivity{Default: "semi(last)"}},
	} {
		if got := x.Definition(); got != want {
			t.Errorf("%s: %s, want %s", x.Name, got, want)
		}
	}
}
