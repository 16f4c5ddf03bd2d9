package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// totals are what the line is called that adds up the other lines of a table.
var totals = []string{"total", "totals", "grand total", "grand totals", "sum total", "subtotal", "overall total", "career total", "career totals", "all total"}

// finishTotals leaves the line out that adds up the others, where the only table has one: the largest district is not the total, and the sum of
// all areas is not twice as large.
func (d *draft) finishTotals() {
	if d.ix.rowPlace() == nil || len(d.measures) == 0 && d.top == nil {
		return
	}
	var found []target
	for _, said := range totals {
		for _, e := range d.ix.values.exact(valueKey(said)) {
			t := d.ix.values.target(e, exactMatch, 0)
			if t.dim.Type == semantic.Text && d.mostlyUnique(t) {
				found = append(found, t)
			}
		}
	}
	if len(found) != 1 || slices.ContainsFunc(d.filters, func(f filter) bool {
		return f.op == "eq" && slices.ContainsFunc(f.options, func(o target) bool { return o.dim == found[0].dim })
	}) {
		return
	}
	f := filter{slot: slot{piece: -1, options: []target{found[0]}}, named: -1, op: "ne", texts: []frameql.Value{{Kind: frameql.String, Text: *found[0].value}}}
	f.options[0].value = nil
	d.filters = append(d.filters, f)
	d.note(text.Say("interpret.assume_no_total", "value", f.texts[0].Text))
}

// mostlyUnique says whether nearly every row has a value of its own in a column: it names the rows, and "total" is no kind of eclipse.
func (d *draft) mostlyUnique(t target) bool {
	if d.env.Distinct == nil || d.env.Rows == nil {
		return false
	}
	distinct, rows := d.env.Distinct(dimensionName(t)), d.env.Rows(t.entity.Name)
	return rows > 2 && distinct*10 >= rows*7
}
