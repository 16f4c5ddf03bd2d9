package workspace

import (
	"context"
	"fmt"
	"strings"

	"assay/backend/interpret"
	"assay/backend/semantic"
	"assay/backend/values"
)

// Bounds of what is looked up for one question.
const (
	columnsLookedUp = 12
	valuesLookedUp  = 20 // of a column that begin with one name
	shortestName    = 3
)

// lookUp gives the values that begin with names nobody knows, of the text columns that have too many values to know all.
func (w *Workspace) lookUp(ctx context.Context, names []string) []interpret.ValueSet {
	k := w.whole()
	var out []interpret.ValueSet
	for _, c := range w.unlisted(k.Model, k.Values) {
		set := interpret.ValueSet{Entity: c.entity, Dimension: c.dimension}
		for _, name := range names {
			name = strings.Trim(name, `"'“”‘’ `)
			if len(name) < shortestName || ctx.Err() != nil {
				continue
			}
			set.Values = append(set.Values, w.allowed.Beginning(ctx, c.column, name, valuesLookedUp)...)
		}
		if len(set.Values) > 0 {
			out = append(out, set)
		}
	}
	return out
}

type unlistedColumn struct {
	entity, dimension string
	column            values.Column
}

// unlisted gives text columns of which not all values are known. Personal ones are never looked into.
func (w *Workspace) unlisted(m *semantic.Model, known func(string) ([]string, bool)) []unlistedColumn {
	var out []unlistedColumn
	for i := range m.Entities {
		e := &m.Entities[i]
		for _, d := range e.Dimensions {
			if len(out) == columnsLookedUp {
				return out
			}
			if d.Type != semantic.Text || d.PII != "" || d.DerivedFrom != "" || d.Physical() == "" || e.Source.Table == "" {
				continue
			}
			if _, all := known(e.Name + "." + d.Name); !all && w.loadedTable(e) {
				out = append(out, unlistedColumn{e.Name, d.Name, values.Column{Table: e.Source.Table, Name: d.Physical()}})
			}
		}
	}
	return out
}

// findAllowed looks in the store, in Frame-QL, for values of a column that begin with a text.
func (w *Workspace) findAllowed(ctx context.Context, c values.Column, begin string, most int) ([]string, error) {
	m := w.whole().Model
	e, d, err := dimensionOf(m, c)
	if err != nil {
		return nil, err
	}
	name, text := quote(e.Name+"."+d.Name), "'"+strings.ReplaceAll(begin, "'", "''")+"'"
	frame, err := w.frame(ctx, m, fmt.Sprintf("SELECT %s AT %s FROM %s WHERE %s STARTS WITH %s ORDER BY %s LIMIT %d", name, name, quote(e.Name), name, text, name, most), most)
	if err != nil || frame == nil {
		return nil, err
	}
	var found []string
	for _, row := range frame.Rows {
		if row[0] != nil {
			found = append(found, fmt.Sprint(row[0]))
		}
	}
	return found, nil
}
