package semantic

import (
	"regexp"
	"slices"
	"strings"

	"assay/backend/text"
)

// StoredColumn is a column of the data at hand.
type StoredColumn struct {
	Name  string
	Type  Type
	Blank bool // no row has a value, so that its type says nothing
}

// Misfit says how a dimension and the column that it reads differ.
type Misfit struct {
	Table, Column string
	Stored        Type     // the type of the column; empty: there is no such column, or several
	Blank         bool     // the column has no values: it is as good as one of the declared type
	Rivals        []string // columns between which case alone decides
}

// WithColumns gives the model with what differs between its dimensions and the columns of the data. stored gives the columns
// of a table; none: it is not there. An entity over a SELECT is left alone. The version stays: it is of the declarations.
func WithColumns(m *Model, stored func(table string) []StoredColumn) *Model {
	out := *m
	out.Entities = slices.Clone(m.Entities)
	for i := range out.Entities {
		e := &out.Entities[i]
		columns := stored(e.Source.Table)
		if e.Source.SQL != "" || len(columns) == 0 {
			continue
		}
		e.Dimensions = slices.Clone(e.Dimensions)
		for k := range e.Dimensions {
			e.Dimensions[k].Misfit = misfitOf(&e.Dimensions[k], e.Source.Table, columns)
		}
	}
	reindex(&out)
	return &out
}

func misfitOf(d *Dimension, table string, columns []StoredColumn) *Misfit {
	name := d.Physical()
	if name == "" {
		return nil
	}
	found := Misfit{Table: table, Column: name}
	i := slices.IndexFunc(columns, func(c StoredColumn) bool { return c.Name == name })
	if i < 0 {
		for k, c := range columns {
			if strings.EqualFold(c.Name, name) {
				i = k
				found.Rivals = append(found.Rivals, c.Name)
			}
		}
		switch {
		case i < 0 && d.IsRowPlace():
			return nil // no column of the file: the store counts its rows
		case i < 0:
			return &found
		}
		// The engine does not tell a from A, so an import numbers the second of them. The name of the model may be either.
		numbered := regexp.MustCompile(`(?i)^` + regexp.QuoteMeta(name) + `_[0-9]+$`)
		for _, c := range columns {
			if numbered.MatchString(c.Name) {
				found.Rivals = append(found.Rivals, c.Name)
			}
		}
		if len(found.Rivals) > 1 {
			return &found
		}
	}
	c := columns[i]
	if alike(d.Type, c.Type) {
		return nil
	}
	return &Misfit{Table: table, Column: c.Name, Stored: c.Type, Blank: c.Blank}
}

// alike says whether values of a stored type may be used as those of a declared one: numbers of any kind are numbers, and a
// date is a moment.
func alike(declared, stored Type) bool {
	return declared == stored || declared == "" || declared.Numeric() && stored.Numeric() ||
		(declared == Date || declared == Timestamp) && (stored == Date || stored == Timestamp)
}

// Usable says whether the dimension can be read all the same: a column without values is as good as one of the declared
// type, and everything can be read as text.
func (m *Misfit) Usable(declared Type) bool {
	return m == nil || m.Blank || m.Stored != "" && declared == Text
}

// Reason says what differs, and what to change.
func (m *Misfit) Reason(declared Type) string {
	switch {
	case len(m.Rivals) > 1:
		return text.Say("semantic.misfit_case", "column", m.Column, "table", m.Table, "columns", strings.Join(m.Rivals, ", "))
	case m.Stored == "":
		return text.Say("semantic.misfit_column", "column", m.Column, "table", m.Table)
	}
	return text.Say("semantic.misfit_type", "column", m.Column, "table", m.Table, "stored", string(m.Stored), "declared", string(declared))
}

// CheckColumns gives a problem for every dimension that does not fit the data.
func CheckColumns(m *Model) []Problem {
	var all Problems
	for i := range m.Entities {
		e := &m.Entities[i]
		for k := range e.Dimensions {
			if d := &e.Dimensions[k]; d.Misfit != nil && !d.Misfit.Blank {
				severity := SeverityError
				if d.Misfit.Usable(d.Type) {
					severity = SeverityWarning
				}
				all = append(all, Problem{
					Severity: severity, Object: text.Say("semantic.object_dimension", "name", e.Name+"."+d.Name), Pos: d.Pos,
					Message: text.Say("semantic.misfit", "name", e.Name+"."+d.Name, "reason", d.Misfit.Reason(d.Type)),
				})
			}
		}
	}
	all.sort()
	return all
}
