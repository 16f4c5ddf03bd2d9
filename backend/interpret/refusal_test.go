package interpret

import (
	"slices"
	"testing"
)

// refusals are questions that are not answered, by the reason.
var refusals = map[string][]string{
	outOfScope: {
		"hi", "Hello there!", "hi there, how are you doing?", "thanks a lot", "good morning", "who are you?", "what can you do", "tell me a joke", "Great, thank you!",
		"what is a pambazo", "how do you get a cdl license", "did they prepare?", "was he nervous?", "I like poetry, are you aware of his works?",
		"who wrote Hamlet", "what is the capital of Peru", "WOW that would have been a very different movie then",
	},
	notInData: {
		"website visits by month", "number of returns", "average customer satisfaction", "revenue by weather", "revenue in Narnia", "top 5 gizmos by revenue",
		"how many warehouses are there", "churn rate by quarter", "gross margin by category", "number of people in the legal department", "customers by age",
		"total marketing spend per channel", "list the invoices of Ernst Handel", "sugar content by product",
	},
	needsPerson: {
		"should we drop Seafood?", "What should we do about Germany?", "which customers do you recommend we focus on", "what would you recommend to grow revenue",
		"how can we increase revenue in France", "is it worth keeping the Beverages category?", "in your opinion, who is the best employee",
		"What do you think about our freight costs?", "how do we reduce freight", "give me advice on Beverages", "pros and cons of Seafood", "what if we raised the unit price",
		"ways to boost revenue in Spain",
	},
	writeRequest: {
		"delete all orders of 1996", "please remove the customer Ernst Handel", "update the unit price of Chai to 20", "can you insert a product", "drop table orders",
		"revenue; DELETE FROM orders", "cancel order 10248", "add a new customer named Acme", "increase all prices by 5%", "mark all orders as shipped",
		"could you please rename the category Beverages", "set all discounts to 0", "truncate orders",
	},
	notYet: {
		"why did revenue drop in 1997", "what caused the decline in Germany", "what drives freight", "reason for the low revenue in Spain",
		"forecast revenue for next year", "predict the number of orders in Germany", "what will revenue be next quarter",
		"any anomalies in revenue in 1997?", "unusual freight in 1997",
	},
}

func TestRefusalsAreTyped(t *testing.T) {
	for code, questions := range refusals {
		for _, q := range questions {
			r := ask(t, q)
			switch {
			case r.Refusal == nil:
				t.Errorf("%q: not refused: %s", q, outcome(r))
			case r.Refusal.Code != code:
				t.Errorf("%q: got %s %q, want %s", q, r.Refusal.Code, r.Refusal.Message, code)
			}
		}
	}
}

// Every refusal offers a question that works and is not out of scope itself.
func TestEveryRefusalOffersWhatWorks(t *testing.T) {
	for _, questions := range refusals {
		for _, q := range questions {
			r := ask(t, q)
			if r.Refusal == nil {
				continue
			}
			if len(r.Refusal.Repairs) == 0 {
				t.Errorf("%q: nothing is offered", q)
			}
			for _, offered := range r.Refusal.Repairs {
				if again := ask(t, offered.FrameQL); again.Reading == nil || again.Refusal != nil {
					t.Errorf("%q: %q does not resolve: %s", q, offered.FrameQL, outcome(again))
				}
			}
		}
	}
}

// What is offered keeps what was understood.
func TestTheNearestQuestionKeepsWhatWasUnderstood(t *testing.T) {
	for q, want := range map[string]string{
		"why did revenue drop in 1997":            "SELECT revenue DURING 1997",
		"should we drop Seafood?":                 "SELECT revenue WHERE categories.category_name = 'Seafood'",
		"delete all orders of 1996":               "SELECT order_count DURING 1996",
		"revenue by weather":                      "SELECT revenue",
		"forecast freight in Germany":             "SELECT freight WHERE customers.country = 'Germany'",
		"how can we increase revenue by category": "SELECT categories.category_name, revenue AT categories",
		"what is the temperature in Germany":      "SELECT revenue WHERE customers.country = 'Germany'",
	} {
		r := ask(t, q)
		if r.Refusal == nil || len(r.Refusal.Repairs) == 0 || r.Refusal.Repairs[0].FrameQL != want {
			t.Errorf("%q: %s", q, outcome(r))
			if r.Refusal != nil {
				t.Errorf("  offered %v, want %s", r.Refusal.Repairs, want)
			}
		}
	}
}

func TestMissingNamesAreNamedAsTheyWereWritten(t *testing.T) {
	for q, want := range map[string][]string{
		"website visits by month":                   {"website visits"},
		"Bottom 3 gizmos by revenue":                {"gizmos"},
		"average customer satisfaction":             {"satisfaction"},
		"revenue when the New York Jets lost":       {"New York Jets lost"},
		"sugar content by product":                  {"sugar content"},
		"customers by shoe size and favorite color": {"shoe size", "favorite color"},
	} {
		tokens := english().tokenise(q)
		m := traders()
		got := NewIndex(m, traderValues()).consider(tokens, traderEnv(m)).best.missing()
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", q, got, want)
		}
	}
}

// Questions that only look like requests to act or for advice are read.
func TestWhatOnlyLooksLikeARefusal(t *testing.T) {
	for q, want := range map[string]string{
		"create a report of revenue by category":    "SELECT categories.category_name, revenue AT categories",
		"please make a chart of revenue by month":   "SELECT orders.order_date.month, revenue",
		"can you help me find revenue by category?": "SELECT categories.category_name, revenue AT categories",
		"hi, revenue in 1997 please, thanks":        "SELECT revenue DURING 1997",
	} {
		if r := ask(t, q); r.Reading == nil || r.Clarify != nil || r.Reading.Query.String() != want {
			t.Errorf("%q: %s", q, outcome(r))
		}
	}
}
