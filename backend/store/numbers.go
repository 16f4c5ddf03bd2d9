package store

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"assay/backend/compile"
)

// measure keeps of each exact number of the tables what it lies between: arithmetic is as wide as that needs.
func (l *loader) measure(ctx context.Context) error {
	for i := range l.tables {
		t := &l.tables[i]
		var columns []Column
		var asks []string
		for _, c := range t.Columns {
			if c.Type == "integer" || c.Type == "decimal" {
				columns = append(columns, c)
				asks = append(asks, fmt.Sprintf("CAST(min(%[1]s) AS VARCHAR), CAST(max(%[1]s) AS VARCHAR)", ident(c.Name)))
			}
		}
		if len(columns) == 0 {
			continue
		}
		found, err := l.texts(ctx, "SELECT "+strings.Join(asks, ", ")+" FROM "+targetTable(t.Name))
		if err != nil {
			return err
		}
		t.Numbers = map[string]compile.Number{}
		for n, c := range columns {
			t.Numbers[c.Name] = compile.Number{Type: c.EngineType, Least: found[0][2*n], Most: found[0][2*n+1]}
		}
	}
	return nil
}

// Numbers gives the exact numbers of every table, by the table and the column. Sources that were imported before these
// were measured have none.
func (s *Store) Numbers() map[string]map[string]compile.Number {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := map[string]map[string]compile.Number{}
	for _, e := range s.catalog.Entries {
		maps.Copy(all, e.Numbers)
	}
	return all
}
