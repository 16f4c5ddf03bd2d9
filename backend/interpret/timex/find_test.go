package timex

import (
	"testing"

	"assay/backend/frameql"
)

// TestFind looks for dates in sentences: the longest ones that do not overlap, and nothing in words that only look like one.
func TestFind(t *testing.T) {
	env := frameql.Env{Now: Day(2016, 11, 7)}
	for sentence, want := range map[string][]string{
		"revenue in March 2015 by region":                        {"March 2015"},
		"revenue from March to May 2015 by region":               {"from March to May 2015"},
		"orders between 2010 and 2015":                           {"between 2010 and 2015"},
		"customers who ordered since last friday":                {"since last friday"},
		"sales in the 90s":                                       {"the 90s"},
		"sales in the last 3 months by month":                    {"the last 3 months"},
		"sales on the 5th":                                       {"the 5th"},
		"sales in the summer of 2015":                            {"the summer of 2015"},
		"orders shipped before 3 March and after Christmas 2015": {"before 3 March", "after Christmas 2015"},
		"Q3 2015 vs Q3 2014":                                     {"Q3 2015", "Q3 2014"},
		"revenue YTD":                                            {"YTD"},
		"revenue of May's orders in may":                         {"May's", "may"},
		"how many customers are currently active":                nil,
		"the last date of each order":                            nil,
		"orders shipped on the same day as ordered":              nil,
		"customers who came back the same month as they left":    nil,
		"orders shipped within 5 days":                           nil,
		"orders shipped 3 days later":                            nil,
		"customers in their twenties":                            nil,
		"the first half of the customers":                        nil,
		"how many winter games":                                  nil,
		"the second order of each customer":                      nil,
		"may we see the orders":                                  nil,
		"customers that march on":                                nil,
		"15 customers with 3 to 12 orders":                       nil,
		"the top 10 products sold over 4.22":                     nil,
		"orders of 5 days":                                       nil,
		"the sun, the sat and the fall of prices":                nil,
		"products under 20 by week":                              nil,
		"every monday":                                           nil,
	} {
		var got []string
		end := 0
		for _, m := range Find(sentence, env, Whole) {
			if m.Start >= end {
				got, end = append(got, sentence[m.Start:m.End]), m.End
			}
		}
		if len(got) != len(want) {
			t.Errorf("%q: %q, want %q", sentence, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%q: %q, want %q", sentence, got, want)
			}
		}
	}
}
