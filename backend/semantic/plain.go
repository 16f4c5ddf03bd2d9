package semantic

import (
	"slices"
	"strings"
)

// PlainNames finds what the names of tables and columns say without the codes that stand before all of them: sbTxAmount
// and sbTxType of sbTransaction are an amount and a type of a transaction. A code is a short word that all columns of a
// table, or all tables, begin with, and that says nothing about the table itself.
func PlainNames(tables []TableFacts) {
	var names [][]string
	for i := range tables {
		names = append(names, camelWords(tables[i].Table))
	}
	code := 0
	if len(tables) > 2 {
		code = codeWords(names, nil)
	}
	for i := range tables {
		t := &tables[i]
		t.Plain = strings.Join(names[i][code:], "_")
		var columns [][]string
		for j := range t.Columns {
			t.Columns[j].Plain = ""
			columns = append(columns, camelWords(t.Columns[j].Column))
		}
		if len(columns) < 3 {
			continue
		}
		if n := codeWords(columns, tableNoun(t.Plain)); n > 0 {
			for j := range t.Columns {
				t.Columns[j].Plain = strings.Join(columns[j][n:], "_")
			}
		}
	}
}

// longestCode is how many letters a code has at most.
const longestCode = 3

// codeWords counts the short words that all names begin with, up to one that speaks of the noun. Every name keeps a word.
func codeWords(names [][]string, noun []string) int {
	for n := 0; ; n++ {
		for _, ws := range names {
			if len(ws) < n+2 || ws[n] != names[0][n] {
				return n
			}
		}
		word, _ := ExpandWords(names[0][n : n+1])
		speaks := slices.ContainsFunc(word, func(w string) bool { return slices.Contains(noun, Singular(w)) })
		if len(names[0][n]) > longestCode || speaks {
			return n
		}
	}
}

// called is the name of a table without codes.
func (t *TableFacts) called() string {
	if t.Plain != "" {
		return t.Plain
	}
	return t.Table
}

// called is the name of a column without codes.
func (c *ColumnFacts) called() string {
	if c.Plain != "" {
		return c.Plain
	}
	return c.Column
}

// ReferenceMatch is NameMatch by the plain names of two tables.
func ReferenceMatch(from *TableFacts, near *ColumnFacts, to *TableFacts, far *ColumnFacts) float64 {
	if from.Table == to.Table && near.Column == far.Column {
		return 0
	}
	return NameMatch(from.called(), near.called(), to.called(), far.called())
}
