package workspace

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
	"assay/backend/values"
)

// allowedWait is how long the page waits for the first list of a column.
const allowedWait = 500 * time.Millisecond

// Allowed gives the values that a column may have, for somebody who chooses one. The first list of a column is waited for
// briefly; nothing else is.
//
// Faults: NotFound (no such column in the model), Unauthorized (it is personal).
func (w *Workspace) Allowed(ctx context.Context, table, column string) (values.List, error) {
	c := values.Column{Table: table, Name: column}
	_, d, err := dimensionOf(w.Knowledge().Model, c)
	if err != nil {
		return values.List{}, err
	}
	if len(d.Values) > 0 { // the model itself lists them
		return values.List{State: values.Fresh, Values: d.Values, Loaded: w.opts.Now()}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, allowedWait)
	defer cancel()
	return w.allowed.Await(ctx, c), nil
}

// loadAllowed gives the values of a column: those that the reader works with, when these are all, else what the store says
// in Frame-QL over the dimension that shows the column.
func (w *Workspace) loadAllowed(ctx context.Context, c values.Column, most int) (list []string, more bool, err error) {
	k := w.whole()
	m := k.Model
	e, d, err := dimensionOf(m, c)
	if err != nil {
		return nil, false, err
	}
	if known, all := k.Values(e.Name + "." + d.Name); all {
		return slices.Clone(known[:min(len(known), most)]), len(known) > most, nil
	}
	if k.Distinct(e.Name+"."+d.Name) > int64(2*most) { // it was counted, about
		return nil, true, nil
	}
	name := quote(e.Name + "." + d.Name)
	frame, err := w.frame(ctx, m, fmt.Sprintf("SELECT %s AT %s FROM %s", name, name, quote(e.Name)), most+1)
	if err != nil {
		return nil, false, err
	}
	if frame == nil {
		return nil, false, fault.New(fault.NotFound, "allowed values", text.Say("workspace.no_column", "column", c.Table+"."+c.Name), text.Say("workspace.no_column_hint"))
	}
	for _, row := range frame.Rows {
		if row[0] != nil {
			list = append(list, fmt.Sprint(row[0]))
		}
	}
	return list, frame.Truncated != nil || len(list) > most, nil
}

// dimensionOf finds the dimension that shows a column; tables and columns are named as the sources or the model name them.
func dimensionOf(m *semantic.Model, c values.Column) (*semantic.Entity, *semantic.Dimension, error) {
	for i := range m.Entities {
		e := &m.Entities[i]
		if !strings.EqualFold(e.Source.Table, c.Table) && !strings.EqualFold(e.Name, c.Table) {
			continue
		}
		for j := range e.Dimensions {
			d := &e.Dimensions[j]
			if !strings.EqualFold(d.Physical(), c.Name) && !strings.EqualFold(d.Name, c.Name) {
				continue
			}
			if d.PII != "" {
				return nil, nil, fault.New(fault.Unauthorized, "allowed values", text.Say("workspace.personal_column", "column", c.Table+"."+c.Name), text.Say("workspace.personal_column_hint"))
			}
			return e, d, nil
		}
	}
	return nil, nil, fault.New(fault.NotFound, "allowed values", text.Say("workspace.no_column", "column", c.Table+"."+c.Name), text.Say("workspace.no_column_hint"))
}

// allowedColumns are those that the model wants listed: dimensions whose values it leaves to the data, and columns that
// parameters of golden queries take theirs from.
func allowedColumns(m *semantic.Model) []values.Column {
	var all []values.Column
	for _, e := range m.Entities {
		for _, d := range e.Dimensions {
			if d.FromData && d.PII == "" && d.Physical() != "" && e.Source.Table != "" {
				all = append(all, values.Column{Table: e.Source.Table, Name: d.Physical()})
			}
		}
	}
	for _, g := range m.Golden {
		for _, p := range g.Parameters {
			if p.Table != "" {
				all = append(all, values.Column{Table: p.Table, Name: p.Column})
			}
		}
	}
	return all
}
