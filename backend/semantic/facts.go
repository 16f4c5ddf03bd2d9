package semantic

import "math"

// Facts are what was measured on bare tables. Package profile measures, Infer believes.
type Facts struct {
	Tables     []TableFacts
	Inclusions []Inclusion
}

// TableFacts describe one table.
type TableFacts struct {
	Table       string // as the engine knows it: "Order Details"
	Alias       string // safe snake_case name, unique among the tables; empty: made from Table
	Plain       string // the name without codes, by PlainNames; empty: Table
	Rows        int64
	Columns     []ColumnFacts
	Key         []string     // smallest column set that is unique and not null, declared first; empty: none found
	KeyDeclared bool         // the source declared it (sqlite, duckdb)
	Snapshot    []string     // columns with one date among them that are unique together; looked for where HasStock and the key has no date
	ForeignKeys []ForeignKey // declared
	Determines  []Dependency // exact functional dependencies between single columns
	LineTotals  []LineTotal  // those of LineTotalCandidates that hold on (nearly) every row
}

// ColumnFacts describe one column.
type ColumnFacts struct {
	Column      string // original name
	Alias       string // safe snake_case name, unique in the table
	Plain       string // the name without codes, by PlainNames; empty: Column
	Type        Type
	Nested      bool `json:",omitempty"` // lists and the like as JSON text: nobody names a row by them
	Nulls       int64
	Distinct    int64
	Min, Max    string   // as text; empty when all null
	AvgLength   float64  // of text, in bytes of UTF-8
	MaxLength   int      // of text, in bytes of UTF-8
	MaxDecimals int      // of decimals and floats: 0 when every value is whole, else 2
	Negative    bool     // some value is below zero
	TopShare    float64  // share of the most frequent non-null value among all rows, 0 to 1; 0 when it was not measured
	Sample      []string // up to 20 most frequent values
}

// ForeignKey is a declared reference.
type ForeignKey struct {
	Columns    []string
	RefTable   string
	RefColumns []string // empty: the key of RefTable
}

// Inclusion says how much of one column's values are found in another table's unique column.
type Inclusion struct {
	Table, Column       string
	RefTable, RefColumn string
	Covered             float64 // share of distinct non-null values found, 0 to 1
	NameMatch           float64 // similarity of the names, 0 to 1; see NameMatch
}

// Dependency says that equal From means equal To, exactly, in the data now. A missing value counts as a value.
type Dependency struct{ From, To string }

// LineTotal says that a column is quantity * price, less a discount, row by row. Columns are original names.
type LineTotal struct {
	Total    string // empty: no such column, the product itself is the total
	Quantity string
	Price    string
	Discount string  // empty: none
	Percent  bool    // the discount is 0 to 100, not 0 to 1
	Holds    float64 // share of rows for which it holds within rounding; measured only with Total
}

// Unique says whether no two rows share a value of the column and none is missing.
func (t *TableFacts) Unique(c *ColumnFacts) bool {
	return t.Rows > 0 && c.Nulls == 0 && c.Distinct == t.Rows
}

// groups is the number of different values, a missing one included.
func (c *ColumnFacts) groups() int64 {
	if c.Nulls > 0 {
		return c.Distinct + 1
	}
	return c.Distinct
}

// surprise says how unlikely it is that from determines to by accident, in nats: every row beyond the first of its group
// repeated the value of its group, and would have done so by chance with at most the share of the most frequent value.
func (t *TableFacts) surprise(from, to *ColumnFacts) float64 {
	repeats := float64(t.Rows - from.groups())
	chance := max(to.TopShare, float64(to.Nulls)/float64(max(t.Rows, 1)))
	if to.TopShare == 0 && to.Distinct > 0 {
		chance = max(chance, 1/float64(to.Distinct))
	}
	if repeats <= 0 || chance <= 0 || chance >= 1 {
		return 0
	}
	return -repeats * math.Log(chance)
}
