package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"
)

// finishListCells looks for a value also in the cells of its column that list it among others, in the only table: "how many films with Ines" counts
// those whose cast is "Ulf, Ines" too. Where the value is a part of another one, cells are compared as a whole.
func (d *draft) finishListCells() {
	if d.ix.rowPlace() == nil {
		return
	}
	for k := range d.filters {
		f := &d.filters[k]
		if f.op != "eq" && f.op != "ne" || len(f.values) != 1 || len(f.options) != 1 || f.options[0].value == nil || !d.ix.listedElsewhere(f.options[0]) {
			continue
		}
		t := f.options[0]
		f.op = map[string]string{"eq": "contains", "ne": "not_contains"}[f.op]
		f.texts, f.values = []frameql.Value{{Kind: frameql.String, Text: *t.value}}, nil
		d.note(text.Say("interpret.assume_within", "words", *t.value, "dimension", d.ix.dimensionLabel(t.entity, t.dim)))
	}
}

// listedElsewhere says whether a value stands in longer cells of its column, and in each of them as one of a list.
func (ix *Index) listedElsewhere(t target) bool {
	if t.dim.Type != semantic.Text || len(*t.value) < shortestWords {
		return false
	}
	found := false
	for _, e := range ix.values.containing(valueWords(*t.value), mostWithin) {
		if o := ix.values.target(e, partialMatch, 0); o.dim != t.dim || e.text == *t.value || !strings.Contains(fold(e.text), fold(*t.value)) {
			continue
		}
		if !slices.Contains(listParts(fold(e.text)), fold(*t.value)) {
			return false
		}
		found = true
	}
	return found
}

// listParts gives the parts of a cell that lists several things.
func listParts(cell string) []string {
	parts := strings.FieldsFunc(strings.ReplaceAll(strings.ReplaceAll(cell, " and ", ","), " & ", ","), func(r rune) bool {
		return strings.ContainsRune(",;/\n", r)
	})
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// finishPointless drops a reading that shows nothing but a column whose value the question says itself: "which races did she run before the 2001
// Comet Cup" is no list of the Comet Cup.
func (d *draft) finishPointless() {
	if d.inner || !d.listing && d.subject != nil || len(d.measures) > 0 || len(d.groups) > 0 || len(d.columns) != 1 || d.ix.rowPlace() == nil {
		return
	}
	for _, f := range d.filters {
		if f.op == "eq" && len(f.values) == 1 && sameThing(f, filter{slot: d.columns[0]}) && len(f.options) == 1 {
			d.invalid = true
		}
	}
}
