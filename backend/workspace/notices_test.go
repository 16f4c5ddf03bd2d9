package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/frameql"
)

const tradeModel = `entity: orders
key: [order_id]
time: {default: day}
dimensions:
  - {name: order_id, type: integer}
  - {name: customer_id, type: integer}
  - {name: day, type: date}
  - {name: channel, type: text}
  - {name: amount, type: integer}
  - {name: cost, type: integer}
---
entity: customers
key: [customer_id]
dimensions:
  - {name: customer_id, type: integer}
  - {name: country, type: text}
---
entity: balances
key: [account, day]
time: {default: day}
dimensions:
  - {name: account, type: integer}
  - {name: day, type: date}
  - {name: level, type: integer}
---
entity: readings
time: {default: day}
dimensions:
  - {name: meter, type: integer}
  - {name: day, type: date}
  - {name: level, type: integer}
`

const tradeMetrics = `metric: revenue
entity: orders
expr: amount
reducer: sum
---
metric: costs
entity: orders
expr: cost
reducer: sum
---
metric: order_count
entity: orders
expr: "*"
reducer: count
---
metric: buyers
entity: orders
expr: customer_id
reducer: count_distinct
---
metric: average_order
kind: ratio
numerator: revenue
denominator: order_count
---
metric: markup
kind: ratio
numerator: revenue
denominator: costs
---
metric: typical_order
entity: orders
expr: amount
reducer: median
---
metric: level
entity: balances
expr: level
reducer: sum
additivity: {time: {semi: last, per: [account]}}
---
metric: reading
entity: readings
expr: level
reducer: sum
additivity: {time: {semi: last}}
---
metric: checked_revenue
entity: orders
expr: amount
reducer: sum
siblings: [{source: monthly_revenue, at: [month]}]
`

// trade is a workspace of 400 orders, one a day from 2024-01-01 to 2025-02-03. Every fortieth names a customer that is not
// there, every third has no channel, those of the web cost nothing, and those of March 2024 are paid back.
func trade(t *testing.T) *Workspace {
	dir := filepath.Join(t.TempDir(), "trade")
	orders, balances := "order_id,customer_id,day,channel,amount,cost\n", "account,day,level\n"
	first := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 400 {
		day := first.AddDate(0, 0, i)
		customer, amount, cost := i%8+1, i%10, i%7+1
		if i%40 == 0 {
			customer = 99
		}
		if day.Month() == time.March && day.Year() == 2024 {
			amount = -amount
		}
		channel := []string{"", "web", "shop"}[i%3]
		if channel == "web" {
			cost = 0
		}
		orders += fmt.Sprintf("%d,%d,%s,%s,%d,%d\n", i, customer, day.Format(time.DateOnly), channel, amount, cost)
		balances += fmt.Sprintf("%d,%s,%d\n", i%4, first.AddDate(0, 0, i/4).Format(time.DateOnly), i)
	}
	write(t, dir, "data/orders.csv", orders)
	write(t, dir, "data/balances.csv", balances)
	write(t, dir, "data/readings.csv", strings.Replace(balances, "account", "meter", 1))
	write(t, dir, "data/customers.csv", "customer_id,country\n1,DE\n2,DE\n3,DE\n4,DE\n5,DE\n6,DE\n7,DE\n8,FR\n")
	write(t, dir, "workspace.yaml", "workspace: trade\nsources: [data/orders.csv, data/customers.csv, data/balances.csv, data/readings.csv]\n")
	write(t, dir, "context/entities/all.yaml", tradeModel)
	write(t, dir, "context/metrics/all.yaml", tradeMetrics)
	write(t, dir, "context/join-paths/orders.yaml", "from: orders\njoins:\n  - {to: customers, on: {customer_id: customer_id}}\n")
	return openTarget(t, Target{Dir: dir}, t.TempDir())
}

func asked(t *testing.T, w *Workspace, query string) *analyst.Answer {
	t.Helper()
	a, err := w.Ask(context.Background(), analyst.Request{FrameQL: query}, nil)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return a
}

// Every warning that the data of a workspace can give, in the words of the answer, and nothing where there is nothing to
// say.
func TestNotices(t *testing.T) {
	w := trade(t)
	for query, want := range map[string][]string{
		"SELECT revenue AT ()":                                                       nil,
		"SELECT country, revenue AT country":                                         {"UNMATCHED_ROWS caution: 10 rows of 400 (2.5 %) of Orders name a member of Customers that does not exist; they count without one."},
		"SELECT revenue WHERE country = 'FR'":                                        {"UNMATCHED_ROWS caution: 10 rows of 400 (2.5 %) of Orders name a member of Customers that does not exist, so they cannot pass the conditions on it."},
		"SELECT country, revenue DURING 2024-01":                                     {"UNMATCHED_ROWS caution: 1 row of 31 (3.2 %) of Orders names a member of Customers that does not exist; it counts without one."},
		"SELECT country, revenue DURING 2024-03":                                     {"UNMATCHED_ROWS"}, // 1 of 31
		"SELECT channel, revenue AT channel":                                         {"NULL_MEMBER caution: 33.5 % of the rows counted have no channel: 134 of 400."},
		"SELECT channel, SHARE(buyers) WHERE channel IS NOT NULL":                    {"SHARE_GT_100 info: Share of buyers adds up to 200 %: the parts count some things more than once, or do not add up."},
		"SELECT customers.country, SHARE(buyers) WHERE country IS NOT NULL":          {"UNMATCHED_ROWS"}, // the shares make the whole
		"SELECT month, SHARE(order_count) AT month DURING 2024":                      nil,
		"SELECT month, SHARE(revenue) AT month DURING FROM 2024-03-01 TO 2024-05-11": {"SHARE_GT_100 caution: Share of revenue reaches 300 %: some parts are below zero"},
		"SELECT month, PCT_CHANGE(revenue) AT month DURING 2024": {
			"SIGN_CHANGE caution: 1 relative change is counted from a number below zero", "NO_BASE info: 1 cell is empty because there is no value to divide by",
		},
		"SELECT month, revenue, PREV(revenue), PCT_CHANGE(revenue) AT month DURING 2024": {"SIGN_CHANGE", "NO_BASE", "OUTSIDE_COVERAGE info: 1 cell is empty because there is no data at that time: Revenue, before."},
		"SELECT channel, markup WHERE channel IS NOT NULL":                               {"ZERO_BASE info: 1 cell is empty because the divisor is zero"},
		"SELECT average_order AT month DURING 2024":                                      {"SMALL_N caution: 1 group of 12 rests on fewer than 30 cases: February 2024 (29)."},
		"SELECT typical_order DURING FROM 2024-01-01 TO 2024-01-11":                      {"SMALL_N caution: The number rests on 10 cases, which is fewer than 30."},
		"SELECT average_order AT week DURING FROM 2024-01-01 TO 2024-02-05":              {"SMALL_N caution: 5 groups of 5 rest on fewer than 30 cases each: the week of 2024-01-01 (7), the week of 2024-01-08 (7), the week of 2024-01-15 (7) and 2 more."},
		"SELECT AVG(revenue AT month) AS x DURING 2024":                                  nil, // the months of a year are all that there are
		"SELECT AVG(revenue AT customers.customer_id) AS x DURING 2024-02":               {"UNMATCHED_ROWS", "SMALL_N caution: The number rests on 9 cases"},
		"SELECT month, revenue AT month":                                                 {"INCOMPLETE_PERIOD caution: February 2025 is incomplete: the data covers 2024-01-01 to 2025-02-03."},
		"SELECT month, revenue AT month DURING 2025-Q1":                                  {"INCOMPLETE_PERIOD caution: The period asked for is 2025-01-01 to 2025-03-31; the data covers only 2025-01-01 to 2025-02-03 of it. So February 2025 is incomplete."},
		"SELECT month, revenue AT month DURING 2025-01":                                  nil,
		"SELECT month, MOVING(revenue, 3) AS m AT month DURING 2024":                     {"INCOMPLETE_WINDOW info: 2 cells add up less than a whole window, because the data begins within it: Moving revenue."},
		"SELECT month, MOVING(revenue, 3) AS m AT month DURING 2024-Q3":                  nil,
		"SELECT month, MOVING(revenue, 3) AS m, PREV(revenue) AS p AT month DURING 2024": {"OUTSIDE_COVERAGE info: 1 cell is empty", "INCOMPLETE_WINDOW info: 2 cells"},
		"SELECT day, revenue AT day DURING FROM 2025-02-01 TO 2025-02-04":                nil,
		"SELECT revenue DURING 2024 COMPARE TO DURING 2020":                              {"OUTSIDE_COVERAGE caution: DURING 2020 reaches beyond the data", "NO_BASE"},
		"SELECT month, revenue AT month DURING FROM 2024-12-01 TO 2025-06-01 FILL ZERO":  {"OUTSIDE_COVERAGE info: Times outside of 2024-01-01 to 2025-02-03 are empty", "INCOMPLETE_PERIOD"},
	} {
		a := asked(t, w, query)
		if a.Frame == nil {
			t.Errorf("%s: no frame: %+v", query, a.Refusal)
			continue
		}
		var got []string
		for _, n := range a.Frame.Notices {
			got = append(got, n.Code+" "+n.Severity+": "+n.Text)
			told := 0
			for _, f := range a.Findings {
				if f.Code == n.Code && f.Message == n.Text && f.Status == "finding" {
					told++
				}
			}
			if told != 1 || len(n.Facts) == 0 {
				t.Errorf("%s: %s is told %d times, facts %v", query, n.Code, told, n.Facts)
			}
		}
		if !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%s:\n  got  %s\n  want %s", query, strings.Join(got, "\n       "), strings.Join(want, "\n       "))
		}
	}
}

// Notices are objects in the JSON of every door.
func TestNoticesInJSON(t *testing.T) {
	raw, err := json.Marshal(asked(t, trade(t), "SELECT channel, revenue AT channel"))
	if err != nil {
		t.Fatal(err)
	}
	var seen struct {
		Frame struct {
			Notices []struct {
				Code, Severity, Text string
				Facts                map[string]any
			}
		}
	}
	if err := json.Unmarshal(raw, &seen); err != nil || len(seen.Frame.Notices) != 1 {
		t.Fatalf("%v: %+v", err, seen)
	}
	if n := seen.Frame.Notices[0]; n.Code != "NULL_MEMBER" || n.Facts["rows"] != 134.0 || n.Facts["of"] != 400.0 || n.Text == "" {
		t.Errorf("%+v", n)
	}
}

// The grade follows from what was measured, and OPTIONS verify holds an answer to it.
func TestGrades(t *testing.T) {
	w := trade(t)
	for query, want := range map[string]string{
		"SELECT revenue AT month":                          "AA",
		"SELECT revenue AT country":                        "A", // rows without partner
		"SELECT revenue AT month OPTIONS (verify = 'AA')":  "AA",
		"SELECT revenue AT month OPTIONS (verify = 'AAA')": "AAA",
		"SELECT level AT month OPTIONS (verify = 'AAA')":   "AAA",
		"SELECT average_order, buyers AT channel TOP 1 channel BY buyers WITH OTHER TOTALS OPTIONS (verify = 'AAA')":                          "AAA",
		"SELECT revenue, PCT_CHANGE(revenue), level AT month DURING 2024 COMPARE TO SAME PERIOD LAST YEAR FILL ZERO OPTIONS (verify = 'AAA')": "AAA",
		"SELECT revenue AT country OPTIONS (verify = 'AA')":                                                                                   "10 rows of orders have no partner in customers. That is less than AA.",
		"SELECT checked_revenue OPTIONS (verify = 'AA')":                                                                                      "AA",
		"SELECT checked_revenue OPTIONS (verify = 'AAA')":                                                                                     "checked_revenue should agree with monthly_revenue, and nothing has compared them. That is less than AAA.",
		"SELECT reading AT month OPTIONS (verify = 'AAA')":                                                                                    "The key of readings does not hold day, so nothing says that reading has one snapshot at a time. That is less than AAA.",
	} {
		a := asked(t, w, query)
		got := ""
		switch {
		case a.Refusal != nil:
			got = a.Refusal.Message
			if a.Refusal.Code != "ATTESTATION_TOO_LOW" || len(a.Refusal.Repairs) == 0 {
				t.Errorf("%s: %+v", query, a.Refusal)
			}
		case a.Frame != nil:
			got = a.Verification.Level
		}
		if got != want {
			t.Errorf("%s:\n  got  %s\n  want %s", query, got, want)
		}
	}
	a := asked(t, w, "SELECT revenue AT channel OPTIONS (verify = 'AAA')")
	for _, code := range []string{"REPRODUCED", "CONSERVED"} {
		if !slices.ContainsFunc(a.Verification.Checks, func(c analyst.Check) bool { return c.Code == code && c.Status == "passed" }) {
			t.Errorf("%s did not pass: %+v", code, a.Verification.Checks)
		}
	}
	// Twice the same number, and the second path is another statement.
	q, err := frameql.Parse("SELECT revenue, level AT month")
	if err != nil {
		t.Fatal(err)
	}
	k := w.Knowledge()
	plan, refusals := frameql.Resolve(q, k.Env(noon(), 0))
	if refusals != nil {
		t.Fatal(refusals)
	}
	if plan.SecondPath().Sources[0].Nodes[0].Entity != "balances" {
		t.Error("the second path begins with the same fact")
	}
}
