package workspace

import (
	"context"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/store"
)

// fit puts on the model what differs between its dimensions and the columns that are stored. Columns of another type than
// declared are asked whether they have a value at all: an empty file says nothing about types.
func (w *Workspace) fit(ctx context.Context, m *semantic.Model) *semantic.Model {
	tables := map[string]store.Table{}
	for _, s := range w.store.Sources() {
		for _, t := range s.Tables {
			tables[strings.ToLower(t.Name)] = t
		}
	}
	columns := func(table string) []semantic.StoredColumn {
		t := tables[strings.ToLower(table)]
		all := make([]semantic.StoredColumn, len(t.Columns))
		for i, c := range t.Columns {
			all[i] = semantic.StoredColumn{Name: c.Name, Type: modelType(c), Blank: t.Rows == 0}
		}
		return all
	}
	found := semantic.WithColumns(m, columns)
	blank := map[string]bool{}
	for i := range found.Entities {
		for _, d := range found.Entities[i].Dimensions {
			if f := d.Misfit; f != nil && f.Stored != "" && !f.Blank && w.blank(ctx, f) {
				blank[f.Table+"\x00"+f.Column] = true
			}
		}
	}
	if len(blank) == 0 {
		return found
	}
	return semantic.WithColumns(m, func(table string) []semantic.StoredColumn {
		all := columns(table)
		for i := range all {
			all[i].Blank = all[i].Blank || blank[table+"\x00"+all[i].Name]
		}
		return all
	})
}

// blank says whether no row has a value in a column.
func (w *Workspace) blank(ctx context.Context, f *semantic.Misfit) bool {
	frame, err := w.store.Query(ctx, frameql.Statement{SQL: "SELECT count(" + quote(f.Column) + ") FROM " + quote(f.Table), Dialect: frameql.DuckDB})
	return err == nil && len(frame.Rows) == 1 && frame.Rows[0][0] == int64(0)
}
