package interpret

import (
	"strings"
	"testing"

	"assay/backend/semantic"
)

func define(t *testing.T, question, memo string) Result {
	t.Helper()
	m := traders()
	return NewIndex(m, traderValues()).Read(Request{Question: question, Env: traderEnv(m), Memo: memo})
}

func TestDefinitionsOfMemos(t *testing.T) {
	for _, c := range []struct{ memo, question, query string }{
		{"GPM = (revenue - freight) / revenue", "what is the GPM", "WITH gpm = (revenue - freight) / revenue SELECT gpm"},
		{"GPM = (revenue - freight) / revenue", "GPM by country of customers in 1997", "WITH gpm = (revenue - freight) / revenue SELECT customers.country, gpm DURING 1997"},
		{"GPM (gross profit margin) = (revenue - freight) / revenue * 100.", "top 3 customers by gross profit margin", "WITH gross_profit_margin = (revenue - freight) / revenue * 100 SELECT customers.company_name, gross_profit_margin AT customers TOP 3 customers BY gross_profit_margin"},
		{"RPO means revenue divided by number of orders", "RPO by month", "WITH rpo = revenue / order_count SELECT orders.order_date.month, rpo"},
		{"- German customer: country is Germany", "how many German customers are there", "SELECT COUNT(*) FROM customers WHERE customers.country = 'Germany'"},
		{"expensive = unit price above 50", "expensive products", "SELECT products.product_name AT products WHERE products.unit_price > 50"},
		{"expensive = unit price above 50", "how many products are not expensive by category", "SELECT categories.category_name, COUNT(*) AT categories FROM products WHERE NOT products.unit_price > 50"},
		{"TSC = Total Sales Count\nTOC = number of orders", "TOC in 1997", "WITH toc = order_count SELECT toc DURING 1997"},
		{"margin = revenue - freight\nmargin rate = margin / revenue", "margin rate by country of customers", "WITH margin_rate = (revenue - freight) / revenue SELECT customers.country, margin_rate"},
		{"active customer: an order in the last 90 days", "number of active customers by country", "SELECT customers.country, COUNT(*) FROM customers WHERE ANY orders (orders.order_date >= '1998-02-05' AND orders.order_date < '1998-05-06')"},
		{"domestic orders = ship country is USA", "how many domestic orders in 1997", "SELECT order_count WHERE orders.ship_country = 'USA' DURING 1997"},
		{"", "RPO by month. Note that RPO refers to revenue divided by number of orders.", "WITH rpo = revenue / order_count SELECT orders.order_date.month, rpo"},
		{"Sales: numbers are in USD", "sales by category", "SELECT categories.category_name, revenue AT categories"},
	} {
		t.Run(c.memo+"/"+c.question, func(t *testing.T) {
			r := define(t, c.question, c.memo)
			if r.Reading == nil || r.Clarify != nil || r.Reading.Query.String() != c.query {
				t.Errorf("%s\nwant %s", outcome(r), c.query)
			}
		})
	}
}

// TestADefinedNumberTakesThePlaceOfItsName: where what a memo defines cannot be used, the number that the model calls so is no answer.
func TestADefinedNumberTakesThePlaceOfItsName(t *testing.T) {
	for memo, query := range map[string]string{
		"revenue means freight":     "WITH revenue_as_defined = freight SELECT customers.country, revenue_as_defined DURING 1997",
		"revenue means freight * 2": "WITH revenue_as_defined = freight * 2 SELECT customers.country, revenue_as_defined DURING 1997",
		"revenue means order count": "WITH revenue_as_defined = order_count SELECT customers.country, revenue_as_defined DURING 1997",
	} {
		if r := define(t, "revenue by country of customers in 1997", memo); r.Reading == nil || r.Reading.Query.String() != query || len(r.Reading.Defined) != 1 {
			t.Errorf("%s: %s", memo, outcome(r))
		}
	}
	if r := define(t, "revenue by category in 1997", "revenue means freight * 2"); r.Refusal == nil || r.Refusal.Code != "FANOUT_DIMENSION" {
		t.Errorf("a number that cannot be split: %s", outcome(r))
	}
}

func TestADefinitionThatIsNotUnderstoodIsRefusedByName(t *testing.T) {
	for question, memo := range map[string]string{
		"churn by country":            "churn = customers that the moon forgot",
		"top 5 customers by karma":    "karma = good deeds / bad deeds",
		"how many loyal customers":    "loyal customer = loves us",
		"zeta by month, sorted by it": "zeta means zeta",
	} {
		r := define(t, question, memo)
		if r.Refusal == nil || r.Refusal.Code != "DEFINITION_NOT_UNDERSTOOD" || !strings.Contains(r.Refusal.Message, "“") {
			t.Errorf("%s: %s", question, outcome(r))
		}
	}
}

func TestMemosOfTheModelDefineToo(t *testing.T) {
	m := traders()
	m.Memos = append(m.Memos, semantic.Memo{Level: "workspace", Text: "# Words\n- RPO = revenue / orders\n\n# Refuse\n- pay = none: Not discussed."})
	ix := NewIndex(m, traderValues())
	r := ix.Read(Request{Question: "RPO", Env: traderEnv(m)})
	if r.Reading == nil || len(r.Reading.Defined) != 1 || len(r.Reading.Assumptions) != 1 {
		t.Fatalf("%s %v", outcome(r), r.Reading)
	}
	if r := ix.Read(Request{Question: "RPO", Env: traderEnv(m), Memo: "RPO = freight / orders"}); r.Reading == nil || !strings.Contains(r.Reading.Query.String(), "freight") {
		t.Errorf("the session's word does not win: %s", outcome(r))
	}
}
