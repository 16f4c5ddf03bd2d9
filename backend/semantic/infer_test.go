package semantic

import (
	"strings"

	"pgregory.net/rapid"
)

func cleanText(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// drawFacts invents tables as odd as they come. The statistics agree with themselves, no more.
func drawFacts(t *rapid.T) Facts {
	words := rapid.SampledFrom([]string{
		"order", "orders", "id", "customer", "total", "price", "qty", "amount", "name", "date", "first", "last",
		"x", "Größe", "no", "FK", "select", "group", "city", "region", "line", "1st", "", "日本", "parent", "discount", "unit", "a b", "year", "balance", "stock", "day",
	})
	name := rapid.Custom(func(t *rapid.T) string {
		return words.Draw(t, "a") + rapid.SampledFrom([]string{"_", " ", "", "-"}).Draw(t, "mark") + words.Draw(t, "b")
	})
	types := rapid.SampledFrom([]Type{Text, Integer, Decimal, Float, Boolean, Date, Timestamp, Time})
	var f Facts
	tables := map[string]bool{}
	for range rapid.IntRange(0, 5).Draw(t, "tables") {
		tab := TableFacts{Table: unique(name.Draw(t, "table"), tables), Rows: rapid.SampledFrom([]int64{0, 1, 2, 10, 1000, 50000}).Draw(t, "rows")}
		columns := map[string]bool{}
		for range rapid.IntRange(0, 8).Draw(t, "columns") {
			c := ColumnFacts{Column: unique(name.Draw(t, "column"), columns), Type: types.Draw(t, "type")}
			c.Nulls = rapid.Int64Range(0, tab.Rows).Draw(t, "nulls")
			if rapid.Bool().Draw(t, "full") {
				c.Nulls = 0
			}
			c.Distinct = rapid.Int64Range(0, tab.Rows-c.Nulls).Draw(t, "distinct")
			if rapid.Bool().Draw(t, "unique") {
				c.Distinct = tab.Rows - c.Nulls
			}
			if c.Distinct > 0 && c.Type.Numeric() {
				c.Min, c.Max = "0", rapid.SampledFrom([]string{"1", "0.5", "2000", "99999"}).Draw(t, "max")
			}
			c.AvgLength = rapid.Float64Range(0, 100).Draw(t, "length")
			tab.Columns = append(tab.Columns, c)
		}
		pick := func(label string) string {
			return tab.Columns[rapid.IntRange(0, len(tab.Columns)-1).Draw(t, label)].Column
		}
		if len(tab.Columns) > 0 {
			if rapid.Bool().Draw(t, "keyed") {
				tab.Key = []string{pick("key")}
				if second := pick("second"); second != tab.Key[0] && rapid.Bool().Draw(t, "composite") {
					tab.Key = append(tab.Key, second)
				}
			}
			seen := map[Dependency]bool{}
			for range rapid.IntRange(0, 12).Draw(t, "dependencies") {
				if d := (Dependency{pick("from"), pick("to")}); d.From != d.To && !seen[d] {
					seen[d] = true
					tab.Determines = append(tab.Determines, d)
				}
			}
			for _, l := range LineTotalCandidates(&tab) {
				l.Holds = 1
				tab.LineTotals = append(tab.LineTotals, l)
			}
		}
		f.Tables = append(f.Tables, tab)
	}
	for i := range f.Tables {
		for j := range f.Tables {
			a, b := &f.Tables[i], &f.Tables[j]
			if len(a.Columns) == 0 || len(b.Columns) == 0 || !rapid.Bool().Draw(t, "linked") {
				continue
			}
			ca, cb := a.Columns[rapid.IntRange(0, len(a.Columns)-1).Draw(t, "near")], b.Columns[rapid.IntRange(0, len(b.Columns)-1).Draw(t, "far")]
			if ca.Type != cb.Type || i == j && ca.Column == cb.Column {
				continue
			}
			if rapid.Bool().Draw(t, "declared") {
				a.ForeignKeys = append(a.ForeignKeys, ForeignKey{Columns: []string{ca.Column}, RefTable: b.Table, RefColumns: []string{cb.Column}})
			} else {
				f.Inclusions = append(f.Inclusions, Inclusion{a.Table, ca.Column, b.Table, cb.Column, 1, rapid.Float64Range(0, 1).Draw(t, "match")})
			}
		}
	}
	return f
}
