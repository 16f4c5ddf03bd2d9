package prose

import (
	"testing"

	"assay/backend/frameql"
)

type narration struct {
	name  string
	frame *frameql.Frame
	plan  *frameql.Plan
	text  string
	want  string
}

// rights are narrations that are true, as a model would write them.
var rights = []narration{
	{"one number", one, nil, "Revenue was {r0.revenue}.", "Revenue was 617,085.20 USD."},
	{"one number, total", one, nil, "Total revenue amounted to {r0.revenue}.", "Total revenue amounted to 617,085.20 USD."},
	{"one number, no stop", one, nil, "Revenue came to {r0.revenue}", "Revenue came to 617,085.20 USD."},
	{"two numbers", two, nil, "Revenue was {r0.revenue} and orders were {r0.order_count}.", "Revenue was 1,000.00 USD and orders were 1,830."},
	{"two numbers, behind", two, nil, "The period shows {r0.order_count} orders with revenue of {r0.revenue}.", "The period shows 1,830 orders with revenue of 1,000.00 USD."},

	{"leader", ranking, nil, "{r0.category} leads with {r0.revenue}.", "Beverages leads with 3,000.00 USD."},
	{"leader by name", ranking, nil, "Beverages leads with {r0.revenue}.", "Beverages leads with 3,000.00 USD."},
	{"both ends", ranking, nil, "{r0.category} has the highest revenue with {r0.revenue}, while {r1.category} is lowest at {r1.revenue}.", "Beverages has the highest revenue with 3,000.00 USD, while Condiments is lowest at 1,000.00 USD."},
	{"the highest is", ranking, nil, "The highest revenue was {r0.revenue} in {r0.category}.", "The highest revenue was 3,000.00 USD in Beverages."},
	{"maximum", ranking, nil, "The highest revenue was {max(revenue)}, and the lowest was {min(revenue)}.", "The highest revenue was 3,000.00 USD, and the lowest was 1,000.00 USD."},
	{"sum", ranking, nil, "In total, revenue was {sum(revenue)} across {count} categories.", "In total, revenue was 7,500.50 USD across 4 categories."},
	{"mean", ranking, nil, "Average revenue was {mean(revenue)}.", "Average revenue was 1,875.13 USD."},
	{"rows", ranking, nil, "The table lists {count} rows.", "The table lists 4 rows."},
	{"share", ranking, nil, "{r0.category} accounts for {share(r0.revenue)} of the revenue.", "Beverages accounts for 40 % of the revenue."},
	{"share of the total", ranking, nil, "Produce contributed {share(r3.revenue)} of the total.", "Produce contributed 20 % of the total."},
	{"rank", ranking, nil, "{r2.category} ranks {rank(r2.revenue)} with {r2.revenue}.", "Dairy Products ranks number 2 with 2,000.00 USD."},
	{"higher than", ranking, nil, "{r0.category} is higher than {r1.category}.", "Beverages is higher than Condiments."},
	{"more revenue than", ranking, nil, "{r0.category} has more revenue than {r2.category}.", "Beverages has more revenue than Dairy Products."},
	{"higher by", ranking, nil, "{r0.category} is {diff(r0.revenue,r1.revenue)} higher than {r1.category}.", "Beverages is 2,000.00 USD higher than Condiments."},
	{"lower by percent", ranking, nil, "Condiments is {pct(r1.revenue,r2.revenue)} lower than Dairy Products.", "Condiments is 50 % lower than Dairy Products."},
	{"exceeds", ranking, nil, "{r0.category} exceeds {r2.category} by {diff(r0.revenue,r2.revenue)}.", "Beverages exceeds Dairy Products by 1,000.00 USD."},
	{"trails", ranking, nil, "Produce trails Dairy Products by {diff(r3.revenue,r2.revenue)}.", "Produce trails Dairy Products by 499.50 USD."},
	{"ratio", ranking, nil, "{r0.category} made {ratio(r0.revenue,r1.revenue)} the revenue of {r1.category}.", "Beverages made 3 times the revenue of Condiments."},
	{"gap", ranking, nil, "The gap between {r0.category} and {r1.category} is {diff(r0.revenue,r1.revenue)}.", "The gap between Beverages and Condiments is +2,000.00 USD."},
	{"values compared", ranking, nil, "{r0.category} at {r0.revenue} is above {r2.category} at {r2.revenue}.", "Beverages at 3,000.00 USD is above Dairy Products at 2,000.00 USD."},
	{"in brackets", ranking, nil, "{r0.category} ({r0.revenue}) leads.", "Beverages (3,000.00 USD) leads."},
	{"possessive", ranking, nil, "{r0.category}'s revenue of {r0.revenue} is the highest.", "Beverages's revenue of 3,000.00 USD is the highest."},
	{"two sentences", ranking, nil, "{r0.category} leads with {r0.revenue}. {r1.category} is lowest with {r1.revenue}.", "Beverages leads with 3,000.00 USD. Condiments is lowest with 1,000.00 USD."},
	{"the gap is named", ranking, nil, "{r0.category} had {r0.revenue}, higher than {r2.category}.", "Beverages had 3,000.00 USD, higher than Dairy Products."},
	{"apposition", ranking, nil, "{r0.category}, with {r0.revenue}, is highest.", "Beverages, with 3,000.00 USD, is highest."},

	{"followed by", ranking, nil, "{r0.category} had the most revenue ({r0.revenue}), followed by {r2.category} ({r2.revenue}) and {r3.category} ({r3.revenue}).", "Beverages had the most revenue (3,000.00 USD), followed by Dairy Products (2,000.00 USD) and Produce (1,500.50 USD)."},
	{"range", ranking, nil, "Revenue ranges from {min(revenue)} to {max(revenue)}.", "Revenue ranges from 1,000.00 USD to 3,000.00 USD."},
	{"contributing", ranking, nil, "Total revenue was {sum(revenue)}, with {r0.category} contributing {share(r0.revenue)}.", "Total revenue was 7,500.50 USD, with Beverages contributing 40 %."},
	{"up from a month", series, nil, "Revenue in {r3.order_date_month} was {r3.revenue}, up {pct(r3.revenue,r2.revenue)} from {r2.order_date_month}.", "Revenue in Apr 1997 was 1,000.00 USD, up 42.9 % from Mar 1997."},
	{"up from a month before", compared, nil, "Compared with the period before, revenue fell by {r0.revenue_change_pct} to {r0.revenue}.", "Compared with the period before, revenue fell by 10 % to 90.00 USD."},
	{"from to", series, nil, "Revenue rose from {r0.revenue} in {r0.order_date_month} to {r3.revenue} in {r3.order_date_month}.", "Revenue rose from 500.00 USD in Jan 1997 to 1,000.00 USD in Apr 1997."},
	{"from to and peak", series, nil, "Revenue rose from {r0.revenue} in {r0.order_date_month} to {r3.revenue} in {r3.order_date_month}, highest in {r3.order_date_month} with {r3.revenue}.", "Revenue rose from 500.00 USD in Jan 1997 to 1,000.00 USD in Apr 1997, highest in Apr 1997 with 1,000.00 USD."},
	{"fell", series, nil, "Revenue fell from {r1.revenue} in {r1.order_date_month} to {r2.revenue} in {r2.order_date_month}.", "Revenue fell from 900.00 USD in Feb 1997 to 700.00 USD in Mar 1997."},
	{"whole series", series, nil, "Revenue grew from {r0.revenue} to {r3.revenue}.", "Revenue grew from 500.00 USD to 1,000.00 USD."},
	{"rise by percent", series, nil, "Revenue rose by {pct(r3.revenue,r0.revenue)} from {r0.order_date_month} to {r3.order_date_month}.", "Revenue rose by 100 % from Jan 1997 to Apr 1997."},
	{"rise over all", series, nil, "Overall revenue rose by {diff(r3.revenue,r0.revenue)}.", "Overall revenue rose by 500.00 USD."},
	{"between", series, nil, "Between {r1.order_date_month} and {r2.order_date_month} revenue declined by {diff(r2.revenue,r1.revenue)}.", "Between Feb 1997 and Mar 1997 revenue declined by 200.00 USD."},
	{"peak", series, nil, "Revenue peaked at {r3.revenue} in {r3.order_date_month}.", "Revenue peaked at 1,000.00 USD in Apr 1997."},
	{"lowest month", series, nil, "The lowest month was {r0.order_date_month} with {r0.revenue}.", "The lowest month was Jan 1997 with 500.00 USD."},
	{"then fell", series, nil, "Revenue rose from {r0.revenue} in {r0.order_date_month} to {r1.revenue} in {r1.order_date_month} before falling to {r2.revenue} in {r2.order_date_month}.", "Revenue rose from 500.00 USD in Jan 1997 to 900.00 USD in Feb 1997 before falling to 700.00 USD in Mar 1997."},
	{"started and ended", series, nil, "Revenue started at {r0.revenue} in {r0.order_date_month} and ended at {r3.revenue} in {r3.order_date_month}.", "Revenue started at 500.00 USD in Jan 1997 and ended at 1,000.00 USD in Apr 1997."},
	{"doubled", series, nil, "Revenue doubled from {r0.revenue} in {r0.order_date_month} to {r3.revenue} in {r3.order_date_month}.", "Revenue doubled from 500.00 USD in Jan 1997 to 1,000.00 USD in Apr 1997."},
	{"span alone", series, nil, "Revenue rose from {r0.order_date_month} to {r3.order_date_month}.", "Revenue rose from Jan 1997 to Apr 1997."},
	{"a change, signed", series, nil, "From {r1.order_date_month} to {r2.order_date_month} the change was {pct(r2.revenue,r1.revenue)}.", "From Feb 1997 to Mar 1997 the change was -22.2 %."},

	{"steadily", climbing, nil, "Orders rose steadily from {r0.order_count} in {r0.order_date_year} to {r2.order_count} in {r2.order_date_year}.", "Orders rose steadily from 10 in 1995 to 20 in 1997."},
	{"years", climbing, nil, "The highest year was {r2.order_date_year} with {r2.order_count} orders.", "The highest year was 1997 with 20 orders."},

	{"cross", cross, nil, "{r0.category} rose from {r0.revenue} in {r0.order_date_month} to {r1.revenue} in {r1.order_date_month}.", "Beverages rose from 30.00 USD in Jan 1997 to 45.00 USD in Feb 1997."},
	{"cross, fell", cross, nil, "Condiments fell by {diff(r3.revenue,r2.revenue)} from {r2.order_date_month} to {r3.order_date_month}.", "Condiments fell by 10.00 USD from Jan 1997 to Feb 1997."},
	{"cross, peak", cross, nil, "Revenue was highest for {r1.category} in {r1.order_date_month} with {r1.revenue}.", "Revenue was highest for Beverages in Feb 1997 with 45.00 USD."},
	{"cross, one cell", cross, nil, "In {r0.order_date_month}, {r0.category} had {r0.revenue}.", "In Jan 1997, Beverages had 30.00 USD."},
	{"cross, behind", cross, nil, "Revenue was {r3.revenue} for {r3.category} in {r3.order_date_month}.", "Revenue was 10.00 USD for Condiments in Feb 1997."},

	{"compared", compared, nil, "Revenue fell by {r0.revenue_change_pct} to {r0.revenue}.", "Revenue fell by 10 % to 90.00 USD."},
	{"compared, from", compared, nil, "Revenue was {r0.revenue}, down from {r0.revenue_previous}.", "Revenue was 90.00 USD, down from 100.00 USD."},
	{"compared, both", compared, nil, "Revenue fell from {r0.revenue_previous} to {r0.revenue}.", "Revenue fell from 100.00 USD to 90.00 USD."},
	{"compared, change", compared, nil, "Revenue was {r0.revenue}, a change of {r0.revenue_change}.", "Revenue was 90.00 USD, a change of -10.00 USD."},
	{"compared, lower than", compared, nil, "Revenue of {r0.revenue} was lower than the previous {r0.revenue_previous}.", "Revenue of 90.00 USD was lower than the previous 100.00 USD."},

	{"beside, up", beside, nil, "{r0.category} rose by {r0.revenue_change_pct} to {r0.revenue}.", "Beverages rose by 10 % to 110.00 USD."},
	{"beside, both", beside, nil, "Revenue rose by {r0.revenue_change} in {r0.category} and fell by {r1.revenue_change} in {r1.category}.", "Revenue rose by 10.00 USD in Beverages and fell by 5.00 USD in Condiments."},
	{"beside, from", beside, nil, "Condiments fell from {r1.revenue_previous} to {r1.revenue}.", "Condiments fell from 50.00 USD to 45.00 USD."},

	{"target", goal, nil, "North's revenue of {r0.revenue} is above the target of {r0.revenue_goal}.", "North's revenue of 120.00 USD is above the target of 100.00 USD."},
	{"target missed", goal, nil, "{r1.region} is at {r1.revenue}, below the target of {r1.revenue_goal}.", "South is at 80.00 USD, below the target of 95.00 USD."},

	{"total row", totaled, nil, "Revenue was {total.revenue} in total.", "Revenue was 40.00 USD in total."},
	{"total row and leader", totaled, nil, "Revenue was {total.revenue} in total, with {r0.category} highest at {r0.revenue}.", "Revenue was 40.00 USD in total, with Beverages highest at 30.00 USD."},

	{"rates", rates, nil, "{r2.region} has the highest margin at {r2.margin}, and {r1.region} the lowest at {r1.margin}.", "West has the highest margin at 31 %, and South the lowest at 20 %."},
	{"points", rates, nil, "The margin of {r0.region} is {diff(r0.margin,r1.margin)} higher than that of {r1.region}.", "The margin of North is 5 percentage points higher than that of South."},

	{"two measures", measure, nil, "{r0.region} has the highest revenue with {r0.revenue}, while {r1.region} has the most orders with {r1.order_count}.", "North has the highest revenue with 500.00 USD, while South has the most orders with 9."},
	{"two measures, one row", measure, nil, "North recorded revenue of {r0.revenue} with {r0.order_count} orders.", "North recorded revenue of 500.00 USD with 5 orders."},

	{"shares", shares, nil, "{r0.category} represents {r0.revenue_share} of the revenue.", "Beverages represents 75 % of the revenue."},
	{"shares, own name", shares, nil, "The revenue share of {r0.category} is {r0.revenue_share}.", "The revenue share of Beverages is 75 %."},
	{"stock adds over regions", stocks, nil, "Stock is {sum(stock)} in total.", "Stock is 120 pieces in total."},
	{"top", topped, topPlan, "{r0.category} leads with {r0.revenue}, ahead of {r1.category} at {r1.revenue}.", "Beverages leads with 30.00 USD, ahead of Produce at 20.00 USD."},
	{"bottom", topped, bottomPlan, "{r0.category} had {r0.revenue}.", "Beverages had 30.00 USD."},
	{"rest in the sum", rest, restPlan, "In total, revenue was {sum(revenue)}.", "In total, revenue was 150.00 USD."},
	{"lowest with twins above", twins, nil, "Seafood is lowest with {r2.order_count} orders.", "Seafood is lowest with 1 orders."},
	{"cut, a cell", cut, nil, "{r0.category} had {r0.revenue}.", "Beverages had 3,000.00 USD."},
}

func TestRightNarrations(t *testing.T) {
	for _, c := range rights {
		got, violations := Lock(c.text, Scene{Frame: c.frame, Plan: c.plan})
		if len(violations) > 0 {
			t.Errorf("%s: %q is refused: %v", c.name, c.text, violations)
			continue
		}
		if got.Text != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got.Text, c.want)
		}
	}
}
