package whatif

import "testing"

func TestRead(t *testing.T) {
	for question, want := range map[string]Question{
		"What if we exclude Germany from revenue by country?":                        {Base: "revenue by country", BaseAt: 32, Change: Rows, Rows: "excluding Germany"},
		"what if Germany and France were left out":                                   {Change: Rows, Rows: "excluding Germany and France"},
		"Suppose that we only counted Beverages, what would revenue by month be?":    {Base: "revenue by month", BaseAt: 51, Change: Rows, Rows: "for Beverages"},
		"revenue by month if only Beverages counted":                                 {Base: "revenue by month", Change: Rows, Rows: "for Beverages"},
		"show revenue by region as if it were Q4 last year":                          {Base: "revenue by region", BaseAt: 5, Change: Period, Period: "Q4 last year"},
		"what if it were 1996":                                                       {Change: Period, Period: "1996"},
		"what if revenue grew 10% in East":                                           {Change: Multiply, Metric: "revenue", Rows: "for East", Value: "1.1"},
		"What if revenue in East fell by 12.5 percent?":                              {Change: Multiply, Metric: "revenue", Rows: "for East", Value: "0.875"},
		"what would revenue by category be if revenue were 1.5k higher in Beverages": {Base: "revenue by category", BaseAt: 11, Change: Add, Metric: "revenue", Rows: "for Beverages", Value: "1500"},
		"profit by year if cost is down 3%":                                          {Base: "profit by year", Change: Multiply, Metric: "cost", Value: "0.97"},
		"what if units sold doubled":                                                 {Change: Multiply, Metric: "units sold", Value: "2"},
		"what if freight were twice as high for Germany":                             {Change: Multiply, Metric: "freight", Rows: "for Germany", Value: "2"},
		"what if freight halved":                                                     {Change: Multiply, Metric: "freight", Value: "0.5"},
		"what if revenue was $2 million lower":                                       {Change: Add, Metric: "revenue", Value: "-2000000"},
		"what would Q4 revenue need to be to hit $5M target":                         {Base: "Q4 revenue", BaseAt: 11, Change: Reach, Value: "5000000"},
		"How much must revenue by category grow to reach 700,000?":                   {Base: "revenue by category", BaseAt: 14, Change: Reach, Value: "700000"},
	} {
		if got, ok := Read(question); !ok || got != want {
			t.Errorf("%q:\n%+v %v, want\n%+v", question, got, ok, want)
		}
	}
	for _, question := range []string{
		"", "revenue by country", "what is revenue", "what if", "what if we try", "show orders if they are late", "what would you recommend", "what would help", "revenue if it rains",
		"what if revenue was 10", "how much would it cost to reach them", "what if revenue grew 10 parsecs", "if", "revenue as if", "customers who were excluded from mailings in 1997",
	} {
		if got, ok := Read(question); ok {
			t.Errorf("%q is read as %+v", question, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("what if revenue grew 10% in East")
	f.Add("what would Q4 revenue need to be to hit $5M target")
	f.Fuzz(func(t *testing.T, question string) {
		if s, ok := Read(question); ok && question[s.BaseAt:s.BaseAt+len(s.Base)] != s.Base {
			t.Errorf("%q has no %q at %d", question, s.Base, s.BaseAt)
		}
	})
}
