//go:build cgo

package compile_test

import (
	"slices"
	"strings"
	"testing"

	. "assay/backend/compile"
	"assay/backend/semantic"
)

// TestServed answers branches from a frame of segment and day, or in part.
func TestServed(t *testing.T) {
	db := openShop(t)
	if _, err := db.Exec(`CREATE SCHEMA frames; CREATE TABLE frames.f_1 AS SELECT segment AS k0, order_date AS k1, sum(amount) AS l0, count(*) AS l1, count(amount) AS l2, min(amount) AS l3
		FROM ` + ordersFrom + ` WHERE order_date < '2024-03-15' OR order_date >= '2024-06-01' GROUP BY 1, 2; INSERT INTO frames.f_1 VALUES (NULL, '1999-01-01', 7, 7, 7, 7)`); err != nil {
		t.Fatal(err)
	}
	frameTime := col(0, "k1", semantic.Date)
	missing := []Range{{date(2024, 3, 15), date(2024, 6, 1)}}
	serve := func(b Branch) (*Served, string) {
		if b.Source.Nodes[0].Entity != "orders" || !b.Reducible {
			return nil, "no frame"
		}
		s := &Served{Table: "frames.f_1", Frame: "f_1", Missing: missing}
		for _, k := range b.Keys {
			x := col(0, "k0", semantic.Text)
			if k.Expr.Op == "trunc" {
				cut := *k.Expr
				cut.Args = []*Scalar{frameTime}
				x = &cut
			}
			s.Keys = append(s.Keys, x)
		}
		for _, l := range b.Leaves {
			name := map[string]string{"sum": "l0", "count": "l2", "min": "l3"}[l.Leaf.Reducer]
			if l.Leaf.Reducer == "count" && l.Leaf.Expr == nil {
				name = "l1"
			}
			s.Leaves = append(s.Leaves, name)
		}
		s.Where = []*Scalar{op(">=", frameTime, &Scalar{Op: "date", Text: b.From.Format("2006-01-02")}), op("<", frameTime, &Scalar{Op: "date", Text: b.To.Format("2006-01-02")})}
		return s, "a frame"
	}
	for name, b := range map[string]built{
		"grouped":      q([]int{segment, month}, "revenue", leaf(revenue), "n", leaf(orderCount), "average", leaf(averageAmount)).during(date(2024, 1, 1), date(2025, 1, 1)),
		"total":        q(nil, "revenue", leaf(revenue), "average", leaf(averageAmount)).during(date(2024, 1, 1), date(2025, 1, 1)),
		"empty period": q(nil, "revenue", leaf(revenue), "average", leaf(averageAmount)).during(date(2030, 1, 1), date(2031, 1, 1)),
		"with another": q([]int{segment}, "revenue", leaf(revenue), "buyers", leaf(buyers), "tickets", leaf(ticketCount)).during(date(2024, 1, 1), date(2025, 1, 1)),
		"compared": q([]int{month, year}, "revenue", leaf(revenue), "before", at(revenue, 1)).during(date(2024, 1, 1), date(2025, 1, 1)).
			context(Context{From: date(2023, 1, 1), To: date(2024, 1, 1), Shift: 12, Unit: "month"}),
		"share of the year": q([]int{segment, month}, "share", op("/", leaf(revenue), coarser(leaf(revenue), year))).during(date(2024, 1, 1), date(2025, 1, 1)),
	} {
		t.Run(name, func(t *testing.T) {
			base, err := Compile(b.Query, Options{})
			if err != nil {
				t.Fatal(err)
			}
			cached, err := Compile(b.Query, Options{Serve: serve})
			if err != nil {
				t.Fatal(err)
			}
			if len(cached.Cache) != len(cached.Branches) || !slices.ContainsFunc(cached.Cache, func(u CacheUse) bool { return u.Frame == "f_1" && len(u.Columns) > 0 }) {
				t.Errorf("the cache was not used: %+v", cached.Cache)
			}
			if !strings.Contains(cached.SQL, "frames.f_1") {
				t.Errorf("no frame in\n%s", cached.SQL)
			}
			_, want := rows(t, db, base.SQL)
			_, got := rows(t, db, cached.SQL)
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), cached.SQL)
			}
		})
	}
}

func TestServedColumns(t *testing.T) {
	serve := func(Branch) (*Served, string) { return nil, "none" }
	b := q([]int{segment}, "revenue", leaf(revenue), "tickets", leaf(ticketCount), "each", op("/", leaf(revenue), leaf(ticketCount)))
	p, err := Compile(b.Query, Options{Serve: serve})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, u := range p.Cache {
		got = append(got, p.Branches[i].Source.Nodes[0].Entity+": "+strings.Join(u.Columns, " "))
	}
	if want := []string{"orders: segment revenue each", "tickets: segment tickets each"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestBranchSignatures: what a cache compares is the same for the same branch and differs with every part of it.
func TestBranchSignatures(t *testing.T) {
	sign := func(b built) string {
		p, err := Compile(b.Query, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, b := range p.Branches {
			for _, k := range b.Keys {
				all = append(all, k.Expr.Signature())
			}
			for _, l := range b.Leaves {
				all = append(all, l.Leaf.Reducer, l.Leaf.Expr.Signature(), l.Leaf.Filter.Signature())
			}
			for _, f := range b.Filters {
				all = append(all, f.Signature())
			}
		}
		return strings.Join(all, "\n")
	}
	base := func() built { return q([]int{segment, month}, "revenue", leaf(revenue)) }
	seen := map[string]string{}
	for name, b := range map[string]built{
		"plain": base(), "quarter": q([]int{segment, quarter}, "revenue", leaf(revenue)), "region": q([]int{region, month}, "revenue", leaf(revenue)),
		"filtered": base().where(orders, op("=", col(1, "segment", semantic.Text), str("a"))), "by another value": base().where(orders, op("=", col(1, "segment", semantic.Text), str("b"))),
		"another leaf": q([]int{segment, month}, "revenue", leaf(bigRevenue)),
	} {
		s := sign(b)
		if other := seen[s]; other != "" {
			t.Errorf("%s and %s have one signature", name, other)
		}
		seen[s] = name
	}
	if again := sign(base()); seen[again] != "plain" {
		t.Error("a signature changes")
	}
}

func TestCountQuery(t *testing.T) {
	db := openShop(t)
	b := q(nil, "revenue", leaf(revenue)).during(date(2024, 1, 1), date(2024, 6, 1)).where(orders, op("=", col(1, "segment", semantic.Text), str("Retail")), op(">", col(0, "amount", semantic.Decimal), num("5")))
	p, err := Compile(CountQuery(b.Query), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if names, got := rows(t, db, p.SQL); len(got) != 1 || got[0] != "15|3|9|11|8" {
		t.Errorf("got %v %v\n%s", names, got, p.SQL)
	}
}
