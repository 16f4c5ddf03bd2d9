package interpret

import "testing"

func TestPeriodsThatMemosDefine(t *testing.T) {
	const week = "DATE_TRUNC('week', CURRENT_DATE)"
	askedWith(t, []struct{ memo, question, query string }{
		{"Last week = " + week + " - INTERVAL '1 week' to " + week + " - INTERVAL '1 millisecond'", "revenue last week", "SELECT revenue DURING PREVIOUS WEEK"},
		{"Last 30 days = CURRENT_DATE - INTERVAL '30 days' to CURRENT_DATE", "revenue in the last 30 days", "SELECT revenue DURING FROM 1998-04-06 TO 1998-05-07"},
		{"last month = date('now', 'start of month', '-1 month') to < date('now', 'start of month')", "number of orders last month", "SELECT order_count DURING PREVIOUS MONTH"},
		{"high season = CURRENT_DATE - INTERVAL '2 months' to CURRENT_DATE", "revenue in the high season", "SELECT revenue DURING FROM 1998-03-06 TO 1998-05-07"},
		{"last month = from 1998-03-05 to 1998-04-04", "freight last month", "SELECT freight DURING FROM 1998-03-05 TO 1998-04-05"},
		{"recent = order_date >= CURRENT_DATE - INTERVAL '7 days'", "number of recent orders", "SELECT order_count WHERE orders.order_date >= '1998-04-29'"},
	})
	r := define(t, "revenue last week", "Last week = DATE_TRUNC('moon', CURRENT_DATE) to CURRENT_DATE")
	if r.Refusal == nil || r.Refusal.Code != "DEFINITION_NOT_UNDERSTOOD" {
		t.Errorf("a period that is not understood is not refused: %s", outcome(r))
	}
}
