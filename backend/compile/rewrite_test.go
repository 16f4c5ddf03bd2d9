//go:build cgo

package compile_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	. "assay/backend/compile"
	"assay/backend/semantic"
)

// proven says of a query what the data of the shop without orphans proves: every order has its customer and its product.
func (b built) proven() built {
	return b.with(func(q *Query) {
		for i := range q.Sources {
			for n := 1; n < len(q.Sources[i].Nodes); n++ {
				q.Sources[i].Nodes[n].Total = q.Sources[i].Nodes[n].Parent == 0
			}
		}
	})
}

// unknown takes away what is known of sizes.
func (b built) unknown() built {
	return b.with(func(q *Query) {
		for i := range q.Sources {
			q.Sources[i].Rows = 0
			for n := range q.Sources[i].Nodes {
				q.Sources[i].Nodes[n].Rows, q.Sources[i].Nodes[n].Unique = 0, false
			}
		}
		for i := range q.Keys {
			q.Keys[i].Size, q.Keys[i].Days = 0, 0
		}
	})
}

// rewritten lists for each rewrite queries to which it applies, and to which it must not.
func rewritten() []struct {
	rewrite, name string
	applied       bool
	query         built
} {
	beforeYear := Context{From: date(2023, 1, 1), To: date(2024, 1, 1), Shift: 12, Unit: "month"}
	compared := func() built {
		return q([]int{month}, "revenue", leaf(revenue), "before", at(revenue, 1)).during(date(2024, 1, 1), date(2025, 1, 1)).context(beforeYear)
	}
	share := func(x *Scalar, grain ...int) *Scalar { return op("/", x, coarser(x, grain...)) }
	return []struct {
		rewrite, name string
		applied       bool
		query         built
	}{
		{"inner_join", "total", true, q([]int{segment}, "revenue", leaf(revenue)).proven()},
		{"inner_join", "orphans", false, q([]int{segment}, "revenue", leaf(revenue))},
		{"share_window", "channel", true, q([]int{segment}, "share", share(leaf(revenue)), "of orders", share(leaf(orderCount)))},
		{"share_window", "within a key", true, q([]int{segment, category}, "share", share(leaf(revenue), segment))},
		{"share_window", "distinct", false, q([]int{segment}, "share", share(leaf(buyers)))},
		{"totals_rollup", "totals", true, q([]int{region, month}, "revenue", leaf(revenue), "mean", leaf(averageAmount)).with(func(q *Query) { q.Totals = [][]int{{region}, {}} })},
		{"totals_rollup", "a year of months", true, q([]int{month}, "share", share(leaf(revenue), year), "mean", share(leaf(averageAmount), year))},
		{"totals_rollup", "distinct", false, q([]int{region}, "buyers", leaf(buyers)).with(func(q *Query) { q.Totals = [][]int{{}} })},
		{"one_scan", "year before", true, compared()},
		{"one_scan", "overlapping", true, q([]int{month}, "revenue", leaf(revenue), "before", at(revenue, 1)).during(date(2024, 1, 1), date(2024, 7, 1)).
			context(Context{From: date(2023, 12, 1), To: date(2024, 6, 1), Shift: 1, Unit: "month", Lag: true})},
		{"one_scan", "timestamps", true, q([]int{month}, "tickets", leaf(ticketCount), "before", at(ticketCount, 1), "minutes", at(minutes, 1)).during(date(2024, 1, 1), date(2024, 7, 1)).context(beforeYear)},
		{"one_scan", "without an axis", true, q([]int{segment}, "mean", leaf(averageAmount), "before", at(averageAmount, 1)).during(date(2024, 1, 1), date(2025, 1, 1)).context(Context{From: date(2023, 1, 1), To: date(2024, 1, 1)})},
		{"one_scan", "one number", true, q(nil, "n", leaf(orderCount), "before", at(orderCount, 1), "mean", at(averageAmount, 1)).during(date(2024, 1, 1), date(2025, 1, 1)).context(Context{From: date(2022, 1, 1), To: date(2023, 1, 1)})},
		{"one_scan", "far apart", false, q(nil, "n", leaf(orderCount), "before", at(orderCount, 1)).during(date(2024, 1, 1), date(2024, 2, 1)).context(Context{From: date(2020, 1, 1), To: date(2020, 2, 1)})},
		{"one_scan", "distinct", true, q([]int{month}, "n", leaf(buyers), "before", at(buyers, 1)).during(date(2024, 1, 1), date(2025, 1, 1)).context(beforeYear)},
		{"one_scan", "distinct, overlapping", false, q([]int{month}, "n", leaf(buyers), "before", at(buyers, 1)).during(date(2024, 1, 1), date(2025, 1, 1)).context(Context{From: date(2023, 12, 1), To: date(2024, 12, 1), Shift: 1, Unit: "month", Lag: true})},
		{"one_scan", "apart, not shown", true, q([]int{segment}, "n", leaf(buyers), "before", at(medianAmount, 1), "rows", at(orderCount, 1)).during(date(2024, 4, 1), date(2025, 1, 1)).context(Context{From: date(2023, 11, 1), To: date(2024, 3, 1), Lag: true})},
		{"one_scan", "sizes unknown", true, compared().unknown()},
		{"one_scan", "no period", false, q([]int{month}, "revenue", leaf(revenue), "before", at(revenue, 1)).context(Context{Shift: 12, Unit: "month", Lag: true}).unknown()},
		{"day_first", "months", true, q([]int{month, segment}, "revenue", leaf(revenue), "mean", leaf(averageAmount), "n", leaf(orderCount))},
		{"day_first", "quarters of timestamps", true, q([]int{quarter, segment}, "n", leaf(ticketCount), "minutes", leaf(minutes))},
		{"day_first", "weeks", true, q([]int{week}, "big", leaf(bigRevenue), "paid", leaf(paidAny))},
		{"day_first", "by month number", true, q([]int{month, year, category}, "revenue", leaf(revenue), "mean", leaf(averageAmount)).with(func(q *Query) { q.Keys[category].Size = 100 })},
		{"day_first", "days", false, q([]int{day, month}, "revenue", leaf(revenue))},
		{"day_first", "distinct", false, q([]int{month}, "n", leaf(buyers))},
		{"day_first", "many", false, q([]int{month, product}, "revenue", leaf(revenue)).with(func(q *Query) { q.Keys[product].Size = 1_000_000 })},
		{"day_first", "unknown", false, q([]int{month}, "revenue", leaf(revenue)).unknown()},
		{"distinct_below_join", "segments", true, q([]int{segment}, "buyers", leaf(buyers), "revenue", leaf(revenue))},
		{"distinct_below_join", "beyond two joins", true, q([]int{region}, "buyers", leaf(buyers)).where(orders, op("=", col(1, "segment", semantic.Text), str("Retail")))},
		{"distinct_below_join", "only declared unique", true, q([]int{segment}, "buyers", leaf(buyers)).with(func(q *Query) { q.Sources[orders].Nodes[1].Unique = false })},
		{"distinct_below_join", "another entity", false, q([]int{category}, "buyers", leaf(buyers))},
		{"late_join", "customers", true, q([]int{customer, segment}, "revenue", leaf(revenue), "median", leaf(medianAmount)).proven()},
		{"late_join", "top", true, q([]int{product, category}, "revenue", leaf(revenue)).proven().with(func(q *Query) { q.Top = &Top{N: 2, Members: []int{product}, By: leaf(revenue)} })},
		{"late_join", "orphans", false, q([]int{customer, segment}, "revenue", leaf(revenue))},
		{"late_join", "only declared unique", false, q([]int{customer, segment}, "revenue", leaf(revenue)).proven().with(func(q *Query) { q.Sources[orders].Nodes[1].Unique = false })},
		{"preaggregate", "segments", true, q([]int{segment}, "revenue", leaf(revenue), "n", leaf(orderCount), "mean", leaf(averageAmount))},
		{"preaggregate", "two entities", true, q([]int{segment, category}, "revenue", leaf(revenue), "paid", leaf(paidAny))},
		{"preaggregate", "computed of no partner", true, q([]int{segment}, "revenue", leaf(revenue)).with(func(q *Query) {
			q.Keys[segment].Exprs[orders] = &Scalar{Op: "case", Args: []*Scalar{op("=", col(1, "segment", semantic.Text), str("Retail")), str("retail"), str("none")}, HasElse: true, Type: semantic.Text}
		})},
		{"preaggregate", "filtered beyond", false, q([]int{category}, "revenue", leaf(revenue)).where(orders, op("=", col(3, "category", semantic.Text), str("Wood")))},
		{"preaggregate", "many", false, q([]int{segment}, "revenue", leaf(revenue)).with(func(q *Query) { q.Sources[orders].Nodes[1].Rows = 100_000 })},
		{"preaggregate", "unknown", false, q([]int{segment}, "revenue", leaf(revenue)).unknown()},
	}
}

// TestRewrites wants of every rewrite that it applies where it may, says why, and changes the SQL and no row.
func TestRewrites(t *testing.T) {
	db := openShop(t)
	whole := openShop(t)
	for _, s := range []string{
		"DELETE FROM orders WHERE customer_id IS NULL OR customer_id NOT IN (SELECT customer_id FROM customers) OR product_id IS NULL OR product_id NOT IN (SELECT product_id FROM products)",
		"DELETE FROM tickets WHERE customer_id IS NULL OR customer_id NOT IN (SELECT customer_id FROM customers)",
		"DELETE FROM balances WHERE region_id IS NULL",
	} {
		if _, err := whole.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	var golden txtar.Archive
	for _, c := range rewritten() {
		t.Run(c.rewrite+"/"+c.name, func(t *testing.T) {
			data := db
			if c.query.Sources[orders].Nodes[1].Total {
				data = whole
			}
			plain, with, without := compiled(t, c.query, "all"), compiled(t, c.query), compiled(t, c.query, c.rewrite)
			_, want := rows(t, data, plain.SQL)
			for _, p := range []*Program{with, without} {
				if _, got := rows(t, data, p.SQL); !slices.Equal(got, want) || len(want) == 0 {
					t.Errorf("got\n%s\nwant\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), p.SQL)
				}
			}
			i := slices.IndexFunc(with.Rewrites, func(r Rewrite) bool { return r.Name == c.rewrite })
			if i < 0 || with.Rewrites[i].Applied != c.applied || with.Rewrites[i].Why == "" || strings.HasPrefix(with.Rewrites[i].Why, "[") {
				t.Fatalf("%+v", with.Rewrites)
			}
			if slices.ContainsFunc(without.Rewrites, func(r Rewrite) bool { return r.Name == c.rewrite }) {
				t.Errorf("switched off, and there: %+v", without.Rewrites)
			}
			if c.applied == (with.SQL == without.SQL) {
				t.Errorf("applied is %v, and the SQL is\n%s\nwithout it\n%s", c.applied, with.SQL, without.SQL)
			}
			if c.applied {
				name := strings.ReplaceAll(c.rewrite+"/"+c.name, " ", "_") + ".sql"
				golden.Files = append(golden.Files, txtar.File{Name: name, Data: []byte("-- " + with.Rewrites[i].Why + "\n" + with.SQL + "\n")})
			}
		})
	}
	path := filepath.Join("testdata", "rewrites.txtar")
	if *update {
		if err := os.WriteFile(path, txtar.Format(&golden), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range golden.Files {
		i := slices.IndexFunc(kept.Files, func(k txtar.File) bool { return k.Name == f.Name })
		if i < 0 || string(kept.Files[i].Data) != string(f.Data) {
			t.Errorf("%s is another (go test -run TestRewrites -update writes it anew):\n%s", f.Name, f.Data)
		}
	}
}

func compiled(t *testing.T, b built, without ...string) *Program {
	t.Helper()
	p, err := Compile(b.Query, Options{Without: without})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRewritesChangeNoRow compares random queries with every rewrite, and with some of them, with the plain form.
func TestRewritesChangeNoRow(t *testing.T) {
	db := openShop(t)
	random := rand.New(rand.NewPCG(7, 11))
	pick := func(all ...int) int { return all[random.IntN(len(all))] }
	names := []string{"inner_join", "share_window", "totals_rollup", "one_scan", "day_first", "distinct_below_join", "late_join", "preaggregate"}
	applied := map[string]int{}
	for n := range 400 {
		grain := [][]int{nil, {region}, {segment}, {customer}, {customer, segment, region}, {category}, {month}, {year}, {month, year}, {quarter, segment}, {week}, {month, category}, {segment, category}, {region, quarter, year}}[random.IntN(14)]
		numbers := []int{revenue, orderCount, averageAmount, buyers, paidAny, bigRevenue, medianAmount}
		b := q(grain)
		shown := func(x *Scalar) {
			b.Outputs = append(b.Outputs, Output{Name: fmt.Sprintf("n%d", len(b.Outputs)), Cell: x})
		}
		for range 1 + random.IntN(3) {
			x := pick(numbers...)
			shown(leaf(x))
			switch random.IntN(4) {
			case 0:
				shown(coarser(leaf(x)))
			case 1:
				if len(grain) > 0 {
					shown(coarser(leaf(x), grain[random.IntN(len(grain))]))
				}
			}
		}
		if random.IntN(2) == 0 {
			b = b.during(date(2024, 1, 1), date(2025, 1, 1))
			if random.IntN(2) == 0 {
				b = b.context([]Context{
					{From: date(2023, 1, 1), To: date(2024, 1, 1), Shift: 12, Unit: "month"},
					{From: date(2023, 12, 1), To: date(2024, 12, 1), Shift: 1, Unit: "month", Lag: true},
					{From: date(2023, 1, 1), To: date(2024, 1, 1), Shift: 1, Unit: "year"},
				}[random.IntN(3)])
				if slices.Contains(grain, week) {
					b.Contexts[1].Shift, b.Contexts[1].Unit = 52, "week"
				}
				shown(at(pick(numbers...), 1))
			}
		}
		if len(grain) > 0 && random.IntN(3) == 0 {
			b.Totals = [][]int{{}}
			if len(grain) > 1 {
				b.Totals = append(b.Totals, grain[:1])
			}
		}
		switch random.IntN(4) {
		case 0:
			b = b.where(orders, op(">", col(0, "amount", semantic.Decimal), num("5")))
		case 1:
			b = b.where(orders, op("=", col(1, "segment", semantic.Text), str("Retail")))
		}
		if random.IntN(3) == 0 {
			for i := range b.Keys {
				b.Keys[i].Days = 40_000 // months are then found by their number
			}
		}
		if random.IntN(4) == 0 {
			b.Sources[orders].Nodes[1].Unique = false
		}
		without := []string{names[random.IntN(len(names))], names[random.IntN(len(names))]}
		_, want := rows(t, db, compiled(t, b, "all").SQL)
		for _, p := range []*Program{compiled(t, b), compiled(t, b, without...)} {
			if _, got := rows(t, db, p.SQL); !slices.Equal(got, want) {
				t.Fatalf("query %d without %v\ngot\n%s\nwant\n%s\n%s", n, without, strings.Join(got, "\n"), strings.Join(want, "\n"), p.SQL)
			}
			for _, r := range p.Rewrites {
				if r.Applied {
					applied[r.Name]++
				}
			}
		}
	}
	for _, name := range names {
		if name != "inner_join" && name != "late_join" && applied[name] == 0 { // these need proof, which orphans deny
			t.Errorf("%s never applied: %v", name, applied)
		}
	}
}
