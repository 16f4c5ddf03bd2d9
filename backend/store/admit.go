package store

import (
	"context"
	"strings"

	"assay/backend/frameql"
	"assay/backend/sqlgate"
)

// admit judges a statement and gives the one that may run with the tables that it reads. That is the same text, but for a PIVOT that
// names no values: the engine would run several statements, so its values are asked for first, by statements that
// are judged and run as any other.
func (s *Store) admit(ctx context.Context, st frameql.Statement, acquire func(context.Context) (*engine, error)) (frameql.Statement, []string, error) {
	v, err := s.judge(ctx, st.SQL)
	if err != nil || v.Pivot == nil {
		return st, named(v), err
	}
	values := make([][]string, len(v.Pivot.Values))
	for i, ask := range v.Pivot.Values {
		frame, err := s.query(ctx, frameql.Statement{SQL: ask, MaxRows: sqlgate.MostPivotValues + 1}, acquire)
		if err != nil {
			return st, nil, err
		}
		for _, row := range frame.Rows {
			value, _ := row[0].(string)
			values[i] = append(values[i], value)
		}
	}
	if st.SQL, err = v.Pivot.Statement(values); err != nil {
		return st, nil, err
	}
	v, err = s.judge(ctx, st.SQL)
	return st, named(v), err
}

// Admit gives the gate's verdict on a statement that a person wrote, over those tables of the store that they may see. A
// refusal is a verdict and no fault; of the frame cache a person's statement knows nothing.
func (s *Store) Admit(ctx context.Context, statement string, visible func(table string) bool) (sqlgate.Verdict, error) {
	seen := []string{}
	s.mu.RLock()
	for _, e := range s.catalog.Entries {
		for name := range e.Stored {
			if visible(name) {
				seen = append(seen, name, "main."+name)
			}
		}
	}
	s.mu.RUnlock()
	v, err := s.gate.rules.Check(ctx, sqlgate.DuckDB, statement, sqlgate.Policy{Tables: seen})
	if err != nil && ctx.Err() != nil {
		return v, canceled(ctx, "check statement")
	}
	v.Objects = named(v)
	return v, err
}

// judge asks the gate about a statement over the tables of the store and of the frame cache.
func (s *Store) judge(ctx context.Context, statement string) (sqlgate.Verdict, error) {
	return s.gate.judge(ctx, statement, s.readable())
}

// Tables gives the tables that a statement reads, or why it may not run. Faults as of Query.
func (s *Store) Tables(ctx context.Context, statement string) (tables []string, err error) {
	v, err := s.judge(ctx, statement)
	return named(v), err
}

// named gives the tables of a verdict without catalogue and schema.
func named(v sqlgate.Verdict) []string {
	tables := make([]string, len(v.Objects))
	for i, o := range v.Objects {
		tables[i] = o
		if frame, ok := strings.CutPrefix(o, frameCatalog+"."); ok {
			tables[i] = frame
		} else if table, ok := strings.CutPrefix(o, "main."); ok {
			tables[i] = table
		}
	}
	return tables
}

// readable lists what statements may read: the tables, the rejected lines of each, and the frames.
func (s *Store) readable() []string {
	s.mu.RLock()
	var all []string
	for _, e := range s.catalog.Entries {
		for name := range e.Stored {
			all = append(all, name, "main."+name)
		}
	}
	s.mu.RUnlock()
	if f := s.frames.Load(); f != nil {
		f.mu.Lock()
		for id := range f.held {
			all = append(all, frameCatalog+"."+id)
		}
		f.mu.Unlock()
	}
	return all
}
