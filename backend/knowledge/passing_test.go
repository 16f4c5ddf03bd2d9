package knowledge

import (
	"strings"
	"testing"
)

func TestDefinitionsThatAreSaidInPassing(t *testing.T) {
	for _, c := range []struct{ question, found string }{
		{"how many active customers by country, where active means an order in the last 90 days?", "active = an order in the last 90 days [active means an order in the last 90 days]"},
		{"turnover by month (by turnover I mean net revenue)", "turnover = net revenue [turnover I mean net revenue]"},
		{"AOV in 1997, where AOV is short for average order value", "AOV = average order value [AOV is short for average order value]"},
		{"revenue where “big order” means freight above 50.5", "big order = freight above 50.5 [“big order” means freight above 50.5]"},
		{"revenue by month assuming margin = revenue - freight", "margin = revenue - freight [margin = revenue - freight]"},
		{"Show turnover by month. Turnover means net revenue. And big orders?", "Turnover = net revenue [Turnover means net revenue.]"},
		{"Revenue in 1997. Exclude discontinued products from revenue.", "revenue = revenue excluding discontinued products [Exclude discontinued products from revenue.]"},
		{"active customers where active means an order in 1997, by country", "active = an order in 1997 [active means an order in 1997]"},
		// nothing
		{"revenue by category", ""},
		{"customers where country = 'Germany'", "country = Germany [country = 'Germany']"}, // a condition: what the model has no meaning for as a term is left by who looks
		{"what does revenue mean", ""},
		{"tell me, what turnover means", ""},
		{"revenue, where I should be able to see every salary means yes", ""},
		{"show it as a line chart. Use euros.", ""},
		{"", ""},
		{"where means revenue", ""},
	} {
		var got []string
		for _, o := range InPassing(c.question) {
			if !strings.Contains(Line(c.question), o.Quote) {
				t.Errorf("%q: %q are not its words", c.question, o.Quote)
			}
			got = append(got, o.Term+" = "+o.Means+" ["+o.Quote+"]")
		}
		if strings.Join(got, "; ") != c.found {
			t.Errorf("%q\nfound %q\nwant  %q", c.question, strings.Join(got, "; "), c.found)
		}
	}
}

func TestTheSortOfAMeaning(t *testing.T) {
	for means, want := range map[string]Sort{"net revenue": Factual, "revenue excluding beverages": Gotcha, "the last 90 days": Factual} {
		if got := SortOf(means); got != want {
			t.Errorf("%q is %s, want %s", means, got, want)
		}
	}
}

func FuzzInPassing(f *testing.F) {
	f.Add("active customers where active means an order in the last 90 days")
	f.Add("(by x I mean y). Z = 1")
	f.Fuzz(func(t *testing.T, question string) {
		for _, c := range InPassing(question) {
			if c.Check() != nil || c.Sort != Factual && c.Sort != Gotcha {
				t.Errorf("%q gives %+v", question, c)
			}
		}
	})
}
