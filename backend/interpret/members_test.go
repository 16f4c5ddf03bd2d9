package interpret

import "testing"

// A number over members that meet a condition on another number of theirs.
func TestNumbersOfMembersThatMeetACondition(t *testing.T) {
	asks(t, "traders", []struct{ question, query string }{
		{"How many orders had above-average freight?", "SELECT order_count WHERE orders.freight > (AVG(orders.freight) AT ())"},
		{"how many countries have more than 5 customers", "SELECT COUNT(DISTINCT customers.country) WHERE (COUNT(customers.customer_id) AT customers.country) > 5"},
		{"how many customers have a revenue above the average", "SELECT COUNT(*) FROM customers WHERE (revenue AT customers) > (AVG(revenue AT customers) AT ())"},
		{"names of customers with above average freight", "SELECT customers.company_name AT customers WHERE (freight AT customers) > (AVG(freight AT customers) AT ())"},
		{"shipped dates of orders with freight above 100", "SELECT orders.order_id, orders.shipped_date, orders.freight AT orders WHERE orders.freight > 100"},
		{"how many countries have smaller customers than average", ""},
	})
	asks(t, "school", []struct{ question, query string }{
		{"Count the number of students of each home town who have an age higher than 20.", "SELECT student.home_town, student_count WHERE student.age > 20"},
		{"students whose age is 12 or 13", "SELECT student.name AT student WHERE student.age IN (12, 13)"},
		{"students whose age is neither 12 nor 13", "SELECT student.name, student.age AT student WHERE student.age NOT IN (12, 13)"},
		{"students with age 12 or with a dog", "SELECT student.name AT student WHERE student.age = 12 OR ANY pet (pet.kind = 'dog')"},
		{"how many home towns have more than 3 students", "SELECT COUNT(DISTINCT student.home_town) WHERE (student_count AT student.home_town) > 3"},
		{"home town with the most number of students", "SELECT student.home_town, student_count TOP 1 student.home_town BY student_count"},
		{"the most number of students", ""},
	})
}
