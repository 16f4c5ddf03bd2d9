package semantic

import (
	"strings"

	"assay/backend/text"
)

// RowPlace stands for a column that no table has: the place of a row among all rows of its table, as they were stored, from 1. It is counted where
// a query reads it.
const RowPlace = "@row_place"

// IsRowPlace says whether a dimension is the place of the row in its file. It puts rows in order and is never listed.
func (d *Dimension) IsRowPlace() bool { return d.Column == RowPlace && d.Expr == "" }

// rowPlace gives the place of its rows to the only table, where the source declares no key for it: people read such a table from top to
// bottom, and ask for its last line or for what stands behind another one.
func (p *proposal) rowPlace(d *draft) (Dimension, bool) {
	if len(p.drafts) != 1 || d.t.KeyDeclared || d.source.Table == "" || d.t.Rows < 2 {
		return Dimension{}, false
	}
	taken := map[string]bool{}
	for _, c := range d.columns {
		taken[strings.ToLower(c.name)] = true
	}
	return Dimension{
		Name: unique("row_place", taken), Label: text.Say("semantic.label_row_place"), Type: Integer, Column: RowPlace,
		Description: text.Say("semantic.describe_row_place"),
	}, true
}
