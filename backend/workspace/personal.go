package workspace

import (
	"slices"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/rules/pii"
	"assay/backend/text"
)

// markPersonal marks the columns of a frame that hold what names one person: by the model, pii.yaml or their names. nil stays nil.
func (w *Workspace) markPersonal(f *frameql.Frame) *frameql.Frame {
	if f == nil {
		return nil
	}
	var tables []string
	for table := range f.SourceEpochs {
		tables = append(tables, table)
	}
	columns := slices.Clone(f.Columns)
	for i := range columns {
		columns[i].Personal = w.personalIn(columns[i], tables)
	}
	out := *f
	out.Columns = columns
	return &out
}

// personalIn says whether a column of an answer that reads some tables is personal. A number that is measured names nobody.
// redact takes personal values out of a text, as the rules have them.
func (w *Workspace) redact(s string) string { return w.Rules().PII.Redact(s) }

func (w *Workspace) personalIn(c frameql.Column, tables []string) bool {
	if c.Personal {
		return true
	}
	if c.Role != frameql.RoleDimension {
		return false
	}
	m := w.Knowledge().Model
	if d := m.Dimension(c.Dimension); d != nil {
		known := pii.Column{Name: d.Physical(), Tag: d.PII}
		if e := entityOf(m, d); e != nil {
			known.Table = e.Source.Table
		}
		kind := w.Rules().PII.Of(known)
		return kind != "" && kind != pii.None
	}
	if c.Dimension != "" { // a part of a date
		return false
	}
	for _, table := range tables {
		if w.personal(m, table, c.Name) != "" {
			return true
		}
	}
	kind := w.Rules().PII.Of(pii.Column{Name: c.Name})
	return kind != "" && kind != pii.None
}

// countable is the fault of counting the values of a column that is personal. Faults: Unauthorized.
func (w *Workspace) countable(c frameql.Column, tables []string) error {
	if !w.personalIn(c, tables) {
		return nil
	}
	return fault.New(fault.Unauthorized, "count values", text.Say("workspace.personal_values", "column", c.Name), text.Say("workspace.personal_values_hint"))
}
