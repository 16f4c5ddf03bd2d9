package analyst

import (
	"context"
	"strings"
	"testing"

	"assay/backend/frameql"
)

// TestNoNarrationOfALiarReachesTheScreen goes the whole way with a model that makes one thing wrong in each of its narrations: a digit, a unit, a sign, a
// direction, a member, a rank, an invented figure, a cause, an address. What a person sees in the end is the narration by template, each time, and on the way no more than
// the sentences that hold.
func TestNoNarrationOfALiarReachesTheScreen(t *testing.T) {
	series := frame([]frameql.Column{month, revenue}, []any{"1997-01-01", dec("500")}, []any{"1997-02-01", dec("900")}, []any{"1997-03-01", dec("700")})
	compares := frame([]frameql.Column{category1, revenue, before, change, relative}, []any{"Beverages", dec("110"), dec("100"), dec("10"), 0.1}, []any{"Produce", dec("45"), dec("50"), dec("-5"), -0.1})
	measures := frame([]frameql.Column{country, revenue, orders}, []any{"Germany", dec("500"), int64(5)}, []any{"France", dec("300"), int64(9)})
	told := 0
	for _, c := range []struct {
		frame *frameql.Frame
		right string
		wrong [][2]string // what the liar changes
	}{
		{threeCategories().Frame, "{r0.category} leads with {r0.revenue}, while {r1.category} is lowest at {r1.revenue}.", [][2]string{
			{"{r0.revenue}", "{r2.revenue}"},
			{"{r0.category}", "{r2.category}"},
			{"{r0.category}", "Produce"},
			{"leads", "is lowest"},
			{"lowest", "highest"},
			{"{r1.category}", "{r2.category}"},
			{"{r1.revenue}", "{r0.revenue}"},
			{"{r0.revenue}", "{sum(revenue)}"},
			{"{r0.revenue}", "{max(revenue)} of {sum(revenue)}"},
			{"leads", "is second"},
			{"leads", "ranks {rank(r2.revenue)}"},
		}},
		{series, "Revenue rose from {r0.revenue} in {r0.order_date_month} to {r1.revenue} in {r1.order_date_month}.", [][2]string{
			{"rose", "fell"},
			{"rose", "doubled"},
			{"{r0.revenue}", "{r2.revenue}"},
			{"{r1.order_date_month}", "{r2.order_date_month}"},
			{"from", "to"},
			{"rose", "rose by {r1.revenue}"},
			{"rose", "rose by {diff(r2.revenue,r0.revenue)}"},
			{"rose", "rose steadily"},
			{"rose", "was unchanged"},
			{"in {r0.order_date_month}", "in January"},
			{"in {r1.order_date_month}", "by year end"},
			{"Revenue", "Profit"},
		}},
		{compares, "{r1.category} fell by {r1.revenue_change_pct} to {r1.revenue}.", [][2]string{
			{"fell", "rose"},
			{"{r1.revenue_change_pct}", "{r0.revenue_change_pct}"},
			{"{r1.category}", "{r0.category}"},
			{"{r1.revenue}.", "{r1.revenue_previous}."},
			{"{r1.revenue}.", "{r0.revenue}."},
			{"by {r1.revenue_change_pct}", "by {r1.revenue}"},
			{"to {r1.revenue}", "from {r1.revenue}"},
			{"fell", "did not fall"},
			{"{r1.revenue_change_pct}", "{pct(r1.revenue,r0.revenue)}"},
		}},
		{measures, "{r0.country} has the highest revenue with {r0.revenue}, and {r1.country} has the highest order count with {r1.order_count}.", [][2]string{
			{"{r0.revenue}", "{r0.order_count}"}, {"{r1.order_count}", "{r1.revenue}"}, {"highest revenue", "highest order count"}, {"highest order count", "highest revenue"}, {"{r0.country}", "{r1.country}"}, {"Germany", "France"}, {"highest", "lowest"},
		}},
	} {
		s := narrationScene{Plan: comparing(frameql.Comparand{Kind: "same_period_last", Unit: "year"}, "same_period_last"), Frame: c.frame, Reading: "Revenue", Grade: gradeA, Question: "revenue"}
		template := Narrate(s.Plan, s.Frame, s.Reading, s.Grade)
		right, came := narrateBy(context.Background(), says(c.right), s)
		if right.By != "model" {
			t.Fatalf("%q does not hold: %+v", c.right, came)
		}
		opening := "Revenue. "
		truth := strings.TrimPrefix(right.Text, opening)
		truth = truth[:strings.LastIndex(truth, " Declared")]
		lies := []string{}
		for _, w := range c.wrong {
			if lie := strings.Replace(c.right, w[0], w[1], 1); lie != c.right {
				lies = append(lies, lie)
			}
		}
		bare := strings.TrimSuffix(c.right, ".")
		for _, tail := range []string{
			", about 12", ", twice as much", ", because of prices", ", due to demand", " and will rise", ", as expected", ", in every country", ", not less", ", a third of all", ", XII", ", ½", ", ５", ", ٤", ", €", " million", " percent", "%", "k", " per day",
			", the best", ", in March", ", last year", ", doppelt so viel", ", une moitié", ", el doble", ", see https://example.com", ", [more](https://example.com)", ", ![x](https://example.com/x)", ", <b>x</b>", ", a@example.com", "\u202e", ", sharply",
			", thanks to exports", ", likely more", ", only here", ", zwölf", ", sieben", ", cent", ", mille", ", forty-two", ", 0x1F", ", four",
		} {
			lies = append(lies, bare+tail+".")
		}
		for _, lie := range lies {
			told++
			s, shown := s.drafts()
			n, came := narrateBy(context.Background(), says(c.right+" "+lie+" And so on."), s)
			for _, draft := range *shown {
				if draft != opening && draft != opening+truth {
					t.Errorf("%q shows %q on the way", lie, draft)
				}
			}
			if n.Text != template.Text || !came.Replaced {
				t.Errorf("%q behind what is right shows %q", lie, n.Text)
			}
			n, came = narrateBy(context.Background(), says(lie), s)
			if n.Text != template.Text || n.By != "template" || !came.Replaced {
				t.Errorf("%q shows %q", lie, n.Text)
			}
		}
	}
	if told < 200 {
		t.Errorf("only %d lies", told)
	}
	t.Logf("%d narrations, 0 on the screen", told)
}
