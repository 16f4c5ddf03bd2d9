package analyst

import (
	"strings"
	"testing"
)

// A question about one metric is answered with a card whose parts are results of their own.
func TestOneNumberHasACard(t *testing.T) {
	total := [][]any{{dec("120")}}
	counted := [][]any{{int64(2155), int64(400), int64(400)}}
	before := [][]any{{dec("120"), dec("100"), 0.2}}
	course := [][]any{{"1998-01-01", dec("20")}, {"1998-02-01", dec("40")}, {"1998-03-01", dec("60")}}
	parts := [][]any{{"Chai", dec("80"), false}, {nil, dec("40"), true}}
	d := newDesk(t, shopKnowledge(t), total, counted, before, course, parts)
	a, err := d.ask(t.Context(), Request{Question: "revenue in Q1 1998"})
	if err != nil {
		t.Fatal(err)
	}
	c := a.MetricCard
	if c == nil {
		t.Fatal("no card")
	}
	if c.Label != "Revenue" || c.Unit != "USD" || c.Summary != a.Frame.Rows[0][0] || c.Previous != dec("100") || c.DeltaPct != 0.2 || c.Against != "Q4 1997" {
		t.Errorf("%+v", c)
	}
	if len(c.Timeseries) != 3 || c.Grain != "day" || c.Timeseries[2] != (CardPoint{"1998-03-01", dec("60")}) {
		t.Errorf("series by %s %v", c.Grain, c.Timeseries)
	}
	if len(c.Breakdown) != 2 || c.By != "products" || !c.Breakdown[1].Rest || c.Breakdown[1].Label != "all others" {
		t.Errorf("by %s %v", c.By, c.Breakdown)
	}
	for part, source := range map[string]*CardSource{
		"SELECT revenue DURING 1998-Q1":          c.Sources.Summary,
		"PREV(revenue), PCT_CHANGE(revenue)":     c.Sources.Previous,
		"COMPARE TO PREVIOUS PERIOD":             c.Sources.DeltaPct,
		"order_date.day, revenue DURING 1998-Q1": c.Sources.Timeseries,
		"TOP 5 products BY revenue WITH OTHER":   c.Sources.Breakdown,
	} {
		if source == nil || !strings.Contains(source.FrameQL, part) || source.SQL == "" || source.FrameID == "" {
			t.Errorf("source of %q: %+v", part, source)
		}
	}
}

// Half a period is not compared with a whole one, and what has no second number has no card.
func TestWhatACardLeavesOut(t *testing.T) {
	total := [][]any{{dec("120")}}
	counted := [][]any{{int64(2155), int64(400), int64(400)}}
	for _, q := range []string{"revenue in 1998", "revenue in 1997", "total revenue"} {
		course := func() [][]any {
			return [][]any{{"1998-01-01", dec("20")}, {"1998-02-01", dec("40")}, {"1998-03-01", dec("60")}}
		}
		d := newDesk(t, shopKnowledge(t), total, counted, course(), course(), course())
		a, err := d.ask(t.Context(), Request{Question: q})
		if err != nil {
			t.Fatal(err)
		}
		if c := a.MetricCard; c == nil || c.Previous != nil || c.Against != "" || c.Sources.Previous != nil {
			t.Errorf("%s: %+v", q, c)
		}
	}
	for _, q := range []string{byCategory, "SELECT revenue, order_count", "SELECT orders.order_id AT orders"} {
		d := newDesk(t, shopKnowledge(t), [][]any{{"Chai", dec("1")}}, counted)
		if a, err := d.ask(t.Context(), Request{FrameQL: q}); err != nil || a.MetricCard != nil {
			t.Errorf("%s: %v %+v", q, err, a.MetricCard)
		}
	}
}
