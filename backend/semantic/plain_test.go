package semantic

import "testing"

func TestCodesBeforeAllNamesSayNothing(t *testing.T) {
	column := func(names ...string) (out []ColumnFacts) {
		for _, n := range names {
			out = append(out, ColumnFacts{Column: n})
		}
		return out
	}
	tables := []TableFacts{
		{Table: "sbTransaction", Columns: column("sbTxId", "sbTxCustId", "sbTxAmount")},
		{Table: "sbCustomer", Columns: column("sbCustId", "sbCustName", "sbCustCity")},
		{Table: "sbDailyPrice", Columns: column("sbDpDate", "sbDpOpen", "sbDpClose")},
	}
	PlainNames(tables)
	for i, want := range [][]string{{"transaction", "id", "cust_id", "amount"}, {"customer", "cust_id", "cust_name", "cust_city"}, {"daily_price", "date", "open", "close"}} {
		got := []string{tables[i].Plain}
		for _, c := range tables[i].Columns {
			got = append(got, c.Plain)
		}
		for k := range want {
			if got[k] != want[k] {
				t.Errorf("%s: %q, want %q", tables[i].Table, got, want)
				break
			}
		}
	}
	if m := ReferenceMatch(&tables[0], &tables[0].Columns[1], &tables[1], &tables[1].Columns[0]); m < 0.9 {
		t.Errorf("a reference under codes matches by %v", m)
	}
	plain := []TableFacts{{Table: "customers", Columns: column("customer_id", "customer_name", "customer_city")}, {Table: "orders", Columns: column("order_id", "day")}}
	PlainNames(plain)
	if plain[0].Columns[1].called() != "customer_name" || plain[1].called() != "orders" {
		t.Errorf("names without codes were changed: %+v", plain)
	}
}
