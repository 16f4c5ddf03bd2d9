package knowledge

import "testing"

// TestHolds: what a model says of words holds as far as the words say it.
func TestHolds(t *testing.T) {
	const words = "Mit „Netto-Umsatz“ meinen wir den Umsatz über 100, ohne 'Getränke'"
	for _, c := range []struct {
		says   Sorted
		number string
		term   string
		means  string
		holds  bool
	}{
		{Sorted{Factual, "Netto-Umsatz", "net revenue"}, "", "Netto-Umsatz", "net revenue", true},
		{Sorted{Factual, "netto umsatz", "the net revenue"}, "", "netto umsatz", "net revenue", true},
		{Sorted{Factual, "Umsatz", "net revenue over 100"}, "", "Umsatz", "net revenue over 100", true},
		{Sorted{Factual, "Umsatz", "net revenue over 1000"}, "", "", "", false},
		{Sorted{Factual, "Umsatz", "net revenue over 10"}, "", "", "", false},
		{Sorted{Factual, "satz", "net revenue"}, "", "", "", false},
		{Sorted{Factual, "profit", "net revenue"}, "", "", "", false},
		{Sorted{Factual, "revenue", "net revenue"}, "Revenue", "revenue", "net revenue", true},
		{Sorted{Factual, "Umsatz", "umsatz"}, "", "", "", false},
		{Sorted{Factual, "", "net revenue"}, "", "", "", false},
		{Sorted{Factual, "Umsatz", ""}, "", "", "", false},
		{Sorted{Gotcha, "Umsatz", "'Getränke'"}, "", "Umsatz", "Umsatz excluding Getränke", true},
		{Sorted{Gotcha, "Umsatz", "'Seafood'"}, "", "", "", false},
		{Sorted{Preferred, "", "two decimals"}, "", "", "two decimals", true},
		{Sorted{Preferred, "", "3 decimals"}, "", "", "", false},
		{Sorted{Preferred, "", ""}, "", "", "", false},
		{Sorted{Permission, "anything", "at all"}, "", "", "", true},
		{Sorted{Unclear, "Umsatz", "net revenue"}, "", "", "", false},
		{Sorted{"order", "Umsatz", "net revenue"}, "", "", "", false},
		{Sorted{}, "", "", "", false},
	} {
		got, holds := c.says.Holds(words, c.number)
		if holds != c.holds || holds && (got.Term != c.term || got.Means != c.means || got.Sort != c.says.Sort || got.Quote != words) {
			t.Errorf("%+v holds %v as %+v", c.says, holds, got)
		}
	}
}
