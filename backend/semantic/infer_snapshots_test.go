package semantic

import (
	"strings"
	"testing"
)

// stockFacts are of a table with a row for each account and day.
func stockFacts(measure string, key, snapshot []string) Facts {
	return Facts{Tables: []TableFacts{{
		Table: "account_days", Rows: 3000, Key: key, Snapshot: snapshot,
		Columns: []ColumnFacts{
			{Column: "row_id", Type: Integer, Distinct: 3000, Min: "1", Max: "3000"},
			{Column: "account_id", Type: Integer, Distinct: 100, Min: "1", Max: "100"},
			{Column: "as_of", Type: Date, Distinct: 30},
			{Column: measure, Type: Decimal, Distinct: 2900, Min: "0.5", Max: "99999", MaxDecimals: 2},
		},
	}}}
}

func TestSnapshotsArePickedAndNotAdded(t *testing.T) {
	account, row := []string{"account_id", "as_of"}, []string{"row_id"}
	for _, c := range []struct {
		measure       string
		key, snapshot []string
		want          string
	}{
		{"balance", account, nil, "semi(last, per: [account_id])"},
		{"units_on_hand", account, nil, "semi(last, per: [account_id])"},
		{"UnitsInStock", account, nil, "semi(last, per: [account_id])"},
		{"inventory_value", account, nil, "semi(last, per: [account_id])"},
		{"opening_balance", account, nil, "semi(first, per: [account_id])"},
		{"headcount", row, account, "semi(last, per: [account_id])"},
		{"balance", []string{"as_of"}, nil, "semi(last)"},
		{"balance", row, nil, "additive"},            // nothing says that the rows are snapshots
		{"balance_change", account, nil, "additive"}, // what came or went
		{"amount", account, nil, "additive"},
	} {
		m := Infer(stockFacts(c.measure, c.key, c.snapshot), Settings{})
		found := false
		for i := range m.Metrics {
			x := &m.Metrics[i]
			if x.Reducer != Sum {
				continue
			}
			found = true
			if x.Additivity.Default != c.want {
				t.Errorf("%s under %v: %s, for it %s", c.measure, c.key, x.Additivity.Default, x.Basis)
			}
			if strings.HasPrefix(c.want, "semi") && !strings.Contains(x.Basis, "as_of") {
				t.Errorf("%s: %s", c.measure, x.Basis)
			}
		}
		if !found {
			t.Errorf("%s has no sum", c.measure)
		}
		for _, p := range Check(m) {
			if p.Severity == SeverityError {
				t.Errorf("%s: %s", c.measure, p)
			}
		}
	}
}

// A column without a name is not the date that a table does not have.
func TestAStockWithoutADateIsNoSnapshot(t *testing.T) {
	m := Infer(Facts{Tables: []TableFacts{{
		Table: "accounts", Rows: 3000,
		Columns: []ColumnFacts{
			{Column: "", Type: Text, Distinct: 3000},
			{Column: "balance", Type: Decimal, Distinct: 2900, Min: "0.5", Max: "99999", MaxDecimals: 2},
		},
	}}}, Settings{})
	for i := range m.Metrics {
		if x := &m.Metrics[i]; x.Reducer == Sum && (x.Time != "" || x.Additivity.Default != "additive") {
			t.Errorf("%s is %s over %q", x.Name, x.Additivity.Default, x.Time)
		}
	}
	for _, p := range Check(m) {
		if p.Severity == SeverityError {
			t.Error(p)
		}
	}
}
