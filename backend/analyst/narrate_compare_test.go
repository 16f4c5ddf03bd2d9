package analyst

import (
	"testing"

	"assay/backend/frameql"
	"assay/backend/frameview"
)

// beside is a column that is made of revenue.
func beside(name, how, with string) frameql.Column {
	c := metric(name, "decimal", "USD")
	c.Role, c.Additivity, c.Derived = frameql.RoleComparison, "none", &frameql.Derived{Of: "revenue", How: how, With: with}
	if how == "change_pct" || how == "share" {
		c.Type, c.Unit, c.Format = "float", "", frameview.Percent
	}
	return c
}

const lastYear = "SAME PERIOD LAST YEAR"

var (
	before   = beside("revenue_previous", "previous", lastYear)
	change   = beside("revenue_change", "change", lastYear)
	relative = beside("revenue_change_pct", "change_pct", lastYear)
	isTotal  = frameql.Column{Name: "is_total", Role: frameql.RoleFlag, Type: "boolean"}
)

func comparing(c frameql.Comparand, kind string) *frameql.Plan {
	return &frameql.Plan{
		Query:      &frameql.Query{Compare: []frameql.Comparand{c}},
		Comparands: []frameql.ComparandUse{{Label: c.String(), Kind: kind}},
	}
}

func TestNarrationOfAComparison(t *testing.T) {
	year := comparing(frameql.Comparand{Kind: "same_period_last", Unit: "year"}, "same_period_last")
	both := []frameql.Column{revenue, before, change, relative}
	target := beside("goal", "target", "TARGET revenue_goal")
	targetChange := beside("goal_change", "change", "TARGET revenue_goal")
	bucket := beside("was", "previous", "")
	bucketChange := beside("changed", "change", "")
	share := beside("revenue_share", "share", "")
	share.Role = frameql.RoleMetric
	small := share
	small.Derived = &frameql.Derived{How: "share"}
	for name, c := range map[string]struct {
		plan  *frameql.Plan
		frame *frameql.Frame
		want  string
	}{
		"up": {
			year, frame(both, []any{dec("110"), dec("100"), dec("10"), 0.1}),
			"110.00 USD (+10.00 USD, +10 % from 100.00 USD in the same period of the year before)",
		},
		"down": {
			year, frame(both, []any{dec("90"), dec("100"), dec("-10"), -0.1}),
			"90.00 USD (-10.00 USD, -10 % from 100.00 USD in the same period of the year before)",
		},
		"nothing before": {
			year, frame(both, []any{dec("90"), nil, nil, nil}),
			"90.00 USD (no value in the same period of the year before to compare with)",
		},
		"from zero": {
			year, frame(both, []any{dec("90"), dec("0"), dec("90"), nil}),
			"90.00 USD (+90.00 USD from 0.00 USD in the same period of the year before, no relative change from zero)",
		},
		"the sign changes": {
			year, frame(both, []any{dec("90"), dec("-10"), dec("100"), 10.0}),
			"90.00 USD (+100.00 USD from -10.00 USD in the same period of the year before)",
		},
		"the change alone": {
			year, frame([]frameql.Column{revenue, relative}, []any{dec("90"), -0.0004}),
			"90.00 USD (-0.04 % against the same period of the year before)",
		},
		"the value before alone": {
			year, frame([]frameql.Column{revenue, before}, []any{dec("90"), dec("80")}),
			"90.00 USD (80.00 USD in the same period of the year before)",
		},
		"a target": {
			comparing(frameql.Comparand{Kind: "target", Metric: "revenue_goal"}, "target"),
			frame([]frameql.Column{revenue, target, targetChange}, []any{dec("90"), dec("80"), dec("10")}),
			"90.00 USD (+10.00 USD from the target of 80.00 USD)",
		},
		"no target": {
			comparing(frameql.Comparand{Kind: "target", Metric: "revenue_goal"}, "target"),
			frame([]frameql.Column{revenue, target}, []any{dec("90"), nil}),
			"90.00 USD (no target to compare with)",
		},
		"the bucket before": {
			&frameql.Plan{}, frame([]frameql.Column{month, revenue, bucket, bucketChange}, []any{"1997-01-01", dec("5"), nil, nil}, []any{"1997-02-01", dec("7"), dec("5"), dec("2")}),
			"from 5.00 USD in January 1997 to 7.00 USD (+2.00 USD from 5.00 USD in the month before) in February 1997, highest in February 1997 with 7.00 USD",
		},
		"a series with its total": {
			year, frame(
				[]frameql.Column{month, revenue, before, change, relative, isTotal},
				[]any{"1997-01-01", dec("5"), dec("4"), dec("1"), 0.25, false}, []any{"1997-02-01", dec("7"), nil, nil, nil, false}, []any{nil, dec("12"), dec("4"), dec("8"), 2.0, true},
			),
			"from 5.00 USD in January 1997 to 7.00 USD in February 1997, highest in February 1997 with 7.00 USD; " +
				"12.00 USD (+8.00 USD, +200 % from 4.00 USD in the same period of the year before) in total",
		},
		"a share is no second number": {
			&frameql.Plan{}, frame([]frameql.Column{category1, revenue, share}, []any{"a", dec("3"), 0.75}, []any{"b", dec("1"), 0.25}),
			"a is highest with 3.00 USD, b lowest with 1.00 USD",
		},
		"a share alone": {
			&frameql.Plan{}, frame([]frameql.Column{category1, small}, []any{"a", 0.756}, []any{"b", 0.244}),
			"a is highest with 75.6 %, b lowest with 24.4 %",
		},
	} {
		t.Run(name, func(t *testing.T) {
			n := Narrate(c.plan, c.frame, "Revenue", "")
			if want := "Revenue: " + c.want + "."; n.Text != want {
				t.Errorf("\n got %q\nwant %q", n.Text, want)
			}
			checkLocked(t, n, "Revenue", c.frame)
		})
	}
}

func TestReadingNamesWhatIsComparedWith(t *testing.T) {
	for words, c := range map[string]frameql.Comparand{
		"compared with the period before":                  {Kind: "previous_period"},
		"compared with the month before":                   {Kind: "previous", Unit: "month"},
		"compared with the same period of the year before": {Kind: "same_period_last", Unit: "year"},
		"compared with 1996":                               {Kind: "during", Period: &frameql.Period{Kind: "literal", Value: "1996"}},
		"compared with revenue goal":                       {Kind: "target", Metric: "revenue_goal"},
		"compared with the retail week before":             {Kind: "previous", Unit: "retail_week"},
	} {
		if got := comparandWords(comparing(c, c.Kind), 0); got != words {
			t.Errorf("%q, want %q", got, words)
		}
	}
}
