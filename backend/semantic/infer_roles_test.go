package semantic

import "testing"

func TestANumberThatBeginsWithZeroIsACount(t *testing.T) {
	table := TableFacts{Table: "papers"}
	for _, c := range []struct {
		column, low, high string
		role              ColumnRole
	}{
		{"citation_num", "0", "14", RoleAmount},
		{"citation_num", "1", "14", RoleIdentifier},
		{"invoice_number", "1001", "1014", RoleIdentifier},
	} {
		facts := ColumnFacts{Column: c.column, Type: Integer, Min: c.low, Max: c.high, Distinct: 12}
		if got := table.RoleOf(&facts); got != c.role {
			t.Errorf("%s from %s to %s is %s, want %s", c.column, c.low, c.high, got, c.role)
		}
	}
}
