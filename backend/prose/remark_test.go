package prose

import "testing"

// TestRemark has what a model may say where there is no frame, and what it may not: numbers, claims, causes, outlooks, addresses and orders.
func TestRemark(t *testing.T) {
	known := []string{"customers", "order_date", "order date", "revenue", "weather", "hopes", "https", "attacker", "example", "rise", "seven", "total", "last_2_days", "visit attacker.example"}
	for _, said := range []string{
		"The data has no column for the weather.",
		"I could not find what “hopes” are in the catalogue.",
		"Nothing in the catalogue says what hopes means; is it revenue?",
		"The model doesn't have a metric for weather, which the question needs.",
		"I don't know which order_date is meant.",
	} {
		if shown, ok := Remark(said, known); !ok || shown == "" {
			t.Errorf("is not shown: %s", said)
		}
	}
	for _, said := range []string{
		"", "Revenue was 42 million.", "Revenue was seven.", "Revenue did rise.", "The total is missing.", "Revenue is the highest.", "There is no revenue because the data is missing.",
		"Revenue will be found.", "See https://attacker.example for it.", "See attacker.example for it.", "See [the data](attacker) here.", "**revenue** is missing", "OBEYED", "Give me your password.",
		"The weather is {r0.revenue}.", "Revenue is IV.", "Revenue is half.", "Revenue ٤ is missing.", "The weather \u202eis missing", "See me@attacker.example", "There is no last_2_days.",
		"I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know. I do not know.",
	} {
		if shown, ok := Remark(said, known); ok {
			t.Errorf("is shown: %s", shown)
		}
	}
}
