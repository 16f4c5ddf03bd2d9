package interpret

import "testing"

var weekdayQuestions = []struct{ question, query string }{
	{"number of orders on Mondays", "SELECT order_count WHERE orders.order_date.day_of_week IN (1)"},
	{"revenue on weekends in 1997 by country of customers", "SELECT customers.country, revenue WHERE orders.order_date.day_of_week IN (6, 7) DURING 1997"},
	{"how many orders were placed on a Friday", "SELECT order_count WHERE orders.order_date.day_of_week IN (5)"},
	{"revenue by day of the week", "SELECT orders.order_date.day_of_week, revenue"},
	{"orders on monday", "SELECT order_count DURING 1998-05-04"},
	{"number of orders in the past 7 days, inclusive of today", "SELECT order_count DURING LAST 7 DAY INCLUDING CURRENT"},
}

func TestDaysOfTheWeek(t *testing.T) { asks(t, "traders", weekdayQuestions) }
