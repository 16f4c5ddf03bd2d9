package interpret

import (
	"slices"

	"assay/backend/text"
)

// disclosures gives the assumptions of a candidate: those of its constructs, and what its choices passed over.
func (d *draft) disclosures(l lead, a assignment) []string {
	notes := slices.Clone(d.notes)
	for _, m := range d.measures {
		t, ok := a[m.piece]
		if !ok {
			t = l.t
		}
		if n := d.ix.disclose(m, t); n != "" && !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	if l.via != nil {
		key, rows := "interpret.assume_via", d.ix.rowsOf(l.t)
		if len(d.measures) == 0 {
			key = "interpret.assume_line_each"
		}
		notes = append(notes, text.Say(key, "entity", labelOf(rows.Label, rows.Name), "via", labelOf(l.via.Label, l.via.Name)))
	}
	for _, s := range d.slots() {
		t, ok := a[s.piece]
		if !ok || t.dim == nil || s.piece < 0 || t.owned {
			continue
		}
		var passed []string
		for _, o := range s.options {
			if (o.entity != t.entity || o.dim != t.dim) && o.dim != nil && o.score >= t.score-0.7 && d.ix.paths.reaches(l.rows.Name, o.entity.Name) {
				passed = append(passed, d.ix.dimensionLabel(o.entity, o.dim))
			}
		}
		if len(passed) > 0 {
			notes = append(notes, text.Say("interpret.assume_dimension", "word", d.written(s.piece), "dimension", d.ix.dimensionLabel(t.entity, t.dim), "others", enumerate(passed)))
		} else if rows := d.ix.rowsOf(l.t); l.via != nil && t.value == nil && rows != nil && !d.ix.paths.reaches(rows.Name, t.entity.Name) { // customers by the country of the employees
			notes = append(notes, text.Say("interpret.assume_other", "word", d.written(s.piece), "dimension", d.ix.dimensionLabel(t.entity, t.dim)))
		}
	}
	notes = append(notes, d.unitsAssumed(a)...)
	for i, p := range d.pieces {
		if p.edits > 0 && d.uses[i].slot != "" && d.uses[i].slot != connects {
			meaning := d.uses[i].target
			if t, ok := a[i]; ok {
				meaning = d.ix.targetLabel(t)
			}
			notes = append(notes, text.Say("interpret.assume_typo", "word", d.written(i), "meaning", meaning))
		} else if t, ok := a[i]; ok && (t.match >= fuzzyMatch || t.stands) {
			notes = append(notes, text.Say("interpret.assume_typo", "word", d.written(i), "meaning", d.ix.targetLabel(t)))
		}
	}
	return notes
}
