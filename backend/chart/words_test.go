package chart

import (
	"strings"
	"testing"
)

func TestWordsOfAQuestion(t *testing.T) {
	r := NewReader()
	for _, c := range []struct {
		question, typ string
		named         bool
		rest          string // spaces folded
	}{
		{"revenue by category", "", false, "revenue by category"},
		{"show me a pie chart of revenue by category", Pie, true, "show me revenue by category"},
		{"revenue by category as a doughnut chart", Pie, true, "revenue by category"},
		{"Revenue by category, as a pie", Pie, true, "Revenue by category"},
		{"draw a stacked bar chart of revenue by category and country", Stacked, true, "revenue by category and country"},
		{"plot revenue by month as a line graph for 1997", Line, true, "plot revenue by month for 1997"},
		{"histogram of order values", Histogram, true, "order values"},
		{"What is the revenue of each category? Show me a bar chart.", Bar, true, "What is the revenue of each category?"},
		{"What are the names and totals? Visualize them by a bar chart.", Bar, true, "What are the names and totals? ."},
		{"revenue and orders by customer in a scatter plot please", Scatter, true, "revenue and orders by customer"},
		{"heat map of revenue by category and country", Heatmap, true, "revenue by category and country"},
		{"box plot of freight by country", Box, true, "freight by country"},
		{"grouped bar chart: revenue by country and year", Grouped, true, "revenue by country and year"},
		{"revenue by category as a table", Table, true, "revenue by category"},
		{"revenue by month as an area chart", Area, true, "revenue by month"},
		{"total revenue as a big number", BigNumber, true, "total revenue"},
		{"a pie chart, no, a bar chart of revenue by category", Pie, true, "no, revenue by category"},
		{"as a pie chart", Pie, true, ""},
		{"show that as a bar chart please", Bar, true, ""},
		{"the trend of revenue", Line, false, "the trend of revenue"},
		{"correlation of revenue and freight by customer", Scatter, false, "correlation of revenue and freight by customer"},
		{"proportion of orders by country", Pie, false, "proportion of orders by country"},
		{"compare revenue across regions", Bar, false, "compare revenue across regions"},
		{"distribution of freight", Histogram, false, "distribution of freight"},
		{"Pie: revenue by category", Pie, true, "revenue by category"},
		// What only looks like a chart.
		{"revenue of apple pie by month", "", false, "revenue of apple pie by month"},
		{"order lines by product", "", false, "order lines by product"},
		{"number of areas by region", "", false, "number of areas by region"},
		{"restaurants with bars", "", false, "restaurants with bars"},
		{`revenue of "pie chart" by month`, "", false, `revenue of "pie chart" by month`},
		{"which box has the most parts", "", false, "which box has the most parts"},
		{"chart positions by song", "", false, "chart positions by song"},
		{"", "", false, ""},
		{"?", "", false, "?"},
	} {
		asked, rest := r.Read(c.question)
		if asked.Type != c.typ || asked.Named != c.named || strings.Join(strings.Fields(rest), " ") != c.rest {
			t.Errorf("%q: %+v, rest %q, want %s %v, %q", c.question, asked, strings.Join(strings.Fields(rest), " "), c.typ, c.named, c.rest)
		}
		if rest != "" && len(rest) != len(c.question) {
			t.Errorf("%q: the rest is %d bytes long, the question %d", c.question, len(rest), len(c.question))
		}
		if asked.Words != "" && !strings.Contains(c.question, asked.Words) {
			t.Errorf("%q: the words %q are not the question's", c.question, asked.Words)
		}
	}
}

func FuzzRead(f *testing.F) {
	r := NewReader()
	f.Add("show me a pie chart of revenue, as a bar chart")
	f.Add("in a 'pie' chart")
	f.Fuzz(func(t *testing.T, question string) {
		asked, rest := r.Read(question)
		if rest != "" && len(rest) != len(question) {
			t.Errorf("rest %q of %q", rest, question)
		}
		if asked.Named && asked.Words == "" {
			t.Errorf("%+v of %q", asked, question)
		}
	})
}
