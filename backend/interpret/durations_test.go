package interpret

import "testing"

// durationQuestions ask for the time between two dates of a row.
var durationQuestions = []struct{ question, query string }{
	{"average number of days between order date and shipped date", "WITH average_days_from_order_date_to_shipped_date = AVG(orders.shipped_date - orders.order_date) SELECT average_days_from_order_date_to_shipped_date"},
	{"longest time in days between the shipped date and the order date by shipper", "WITH largest_days_from_order_date_to_shipped_date = MAX(orders.shipped_date - orders.order_date) SELECT shippers.company_name, largest_days_from_order_date_to_shipped_date AT shippers"},
	{"how long does it take on average to ship an order in 1997", "WITH average_days_from_order_date_to_shipped_date = AVG(orders.shipped_date - orders.order_date) SELECT average_days_from_order_date_to_shipped_date DURING 1997"},
	{"median time to dispatch orders by country of customers", "WITH median_days_from_order_date_to_shipped_date = MEDIAN(orders.shipped_date - orders.order_date) SELECT customers.country, median_days_from_order_date_to_shipped_date"},
	{"average days from hire date to birth date", "WITH average_days_from_hire_date_to_birth_date = AVG(employees.birth_date - employees.hire_date) SELECT average_days_from_hire_date_to_birth_date"},
}

func TestTimeBetweenTwoDates(t *testing.T) { asks(t, "traders", durationQuestions) }

func TestATimeBetweenDatesOfSeveralThingsIsNotGuessed(t *testing.T) {
	for _, question := range []string{"average number of days between hire date and shipped date", "average time to eat an order", "average time between orders"} {
		if r := ask(t, question); r.Reading != nil && r.Clarify == nil {
			t.Errorf("%s: %s", question, r.Reading.Query)
		}
	}
}
