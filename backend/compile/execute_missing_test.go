//go:build cgo

package compile_test

import (
	"slices"
	"testing"
	"time"

	. "assay/backend/compile"
	"assay/backend/semantic"
)

// No rows are 0 where the days that a number looks at hold data of its own, and missing elsewhere, whatever other numbers have there.
// The orders are of January, their data is said to reach to the middle of March, and the tickets give the other months.
func TestNoRowsBesideOtherFacts(t *testing.T) {
	db := openShop(t)
	placed := func(sign, than string) *Scalar {
		return op(sign, col(0, "order_date", semantic.Date), &Scalar{Op: "date", Text: than, Type: semantic.Date})
	}
	own := func(b built) built {
		return b.during(date(2024, 1, 1), date(2025, 1, 1)).where(orders, placed(">=", "2024-01-01"), placed("<", "2024-02-01")).with(func(q *Query) {
			for i, l := range q.Leaves {
				if l.Source == orders {
					q.Leaves[i].CoverFrom, q.Leaves[i].CoverTo = date(2024, 1, 1), date(2024, 3, 16)
				}
			}
		})
	}
	const months = `WITH o AS (SELECT * FROM orders WHERE order_date >= '2024-01-01' AND order_date < '2024-02-01'),
		m AS (SELECT date_trunc('month', order_date)::DATE k, sum(amount) r FROM o GROUP BY 1),
		t AS (SELECT date_trunc('month', opened_at)::DATE k, count(*) n FROM tickets WHERE year(opened_at) = 2024 GROUP BY 1), k AS (SELECT k FROM t UNION SELECT k FROM m) `
	const sum = "(SELECT coalesce(sum(b.r), 0) FROM m b WHERE b.k "
	for name, c := range map[string]struct {
		cell *Scalar
		want string
	}{
		"itself":         {leaf(revenue), "CASE WHEN k.k <= '2024-03-01' THEN " + sum + "= k.k) END"},
		"moving":         {over("moving", leaf(revenue), 2, ""), "CASE WHEN k.k <= '2024-04-01' THEN " + sum + "> k.k - INTERVAL 2 MONTH AND b.k <= k.k) END"},
		"moving by days": {over("moving", leaf(revenue), 20, "day"), "CASE WHEN k.k <= '2024-03-01' THEN (SELECT coalesce(sum(amount), 0) FROM o WHERE order_date >= k.k + INTERVAL 1 MONTH - INTERVAL 20 DAY AND order_date < k.k + INTERVAL 1 MONTH) END"},
		"moving members": {over("moving", leaf(buyers), 2, ""), "CASE WHEN k.k <= '2024-04-01' THEN (SELECT count(DISTINCT customer_id) FROM o WHERE order_date >= k.k - INTERVAL 1 MONTH AND order_date < k.k + INTERVAL 1 MONTH) END"},
		"running total":  {over("cumulative", leaf(revenue), 0, ""), sum + "<= k.k)"},
		"of the quarter": {coarser(leaf(revenue), quarter), "CASE WHEN k.k < '2024-04-01' THEN " + sum + "BETWEEN date_trunc('quarter', k.k) AND date_trunc('quarter', k.k) + INTERVAL 2 MONTH) END"},
		"month before":   {over("lag", leaf(revenue), 1, ""), "CASE WHEN k.k BETWEEN '2024-02-01' AND '2024-04-01' THEN " + sum + "= k.k - INTERVAL 1 MONTH) END"},
		"two levels":     {reduce("sum", leaf(revenue), customer), "CASE WHEN k.k <= '2024-03-01' THEN " + sum + "= k.k) END"},
	} {
		check(t, db, name, own(q([]int{month}, "tickets", leaf(ticketCount), "v", c.cell)), months+"SELECT k.k, coalesce(n, 0), "+c.want+" FROM k LEFT JOIN t USING (k) ORDER BY 1")
	}
	check(t, db, "without an axis", own(q(nil, "n", leaf(ticketCount), "v", leaf(revenue), "buyers", reduce("count", leaf(revenue), customer))).during(date(2024, 5, 1), date(2025, 1, 1)),
		"SELECT count(*), NULL, NULL FROM tickets WHERE opened_at >= '2024-05-01' AND opened_at < '2025-01-01'")
}

func TestEdges(t *testing.T) {
	cells := map[string]*Scalar{
		"itself": leaf(revenue), "moving": over("moving", leaf(revenue), 3, ""), "by days": over("moving", leaf(revenue), 20, "day"), "before": over("lag", leaf(revenue), 1, ""),
		"total": over("cumulative", leaf(revenue), 0, ""), "coarser": coarser(leaf(revenue), year),
	}
	for name, want := range map[string][3]string{
		"itself": {"2024-01-01", "2024-08-01", "0001-01-01"}, "moving": {"2024-01-01", "2024-10-01", "2024-03-01"}, "by days": {"2024-01-01", "2024-07-01", "2024-02-01"},
		"before": {"2024-02-01", "2024-09-01", "0001-01-01"}, "total": {"2024-01-01", "0001-01-01", "0001-01-01"},
	} {
		b := q([]int{month}, "n", cells[name]).covering(date(2024, 1, 20), date(2024, 8, 5))
		e := b.Edges()[1]
		if e == nil || !slices.Equal([]string{e.First.Format(time.DateOnly), e.Last.Format(time.DateOnly), e.Whole.Format(time.DateOnly)}, want[:]) {
			t.Errorf("%s: %+v, want %v", name, e, want)
		}
	}
	if e := q([]int{month}, "n", cells["coarser"]).covering(date(2024, 1, 20), date(2024, 8, 5)).Edges()[1]; e != nil {
		t.Errorf("a coarser number has edges: %+v", e)
	}
	if e := q([]int{month}, "n", cells["moving"]).Edges()[1]; e != nil {
		t.Errorf("data that nobody knows has edges: %+v", e)
	}
}
