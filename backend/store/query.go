package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// Query runs one SELECT and gives its rows: at most Statement.MaxRows of them, or Options.MaxRows when that is 0, with
// Truncated set when there are more. The columns are those of the statement with their types filled in from the result, or
// made from the result when the statement names none. Epochs are those of the tables that the statement names.
//
// Faults: Invalid (not one SELECT, or the engine refuses it), Unauthorized (it reaches outside of the data), Limit
// (time, memory), Canceled, Unavailable, Internal.
func (s *Store) Query(ctx context.Context, st frameql.Statement) (*frameql.Frame, error) {
	defer s.foreground()()
	return s.query(ctx, st, s.acquire)
}

// query runs a statement on the engine that acquire gives.
func (s *Store) query(ctx context.Context, st frameql.Statement, acquire func(context.Context) (*engine, error)) (*frameql.Frame, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(s.timeout.Load()))
	defer cancel()
	st, tables, err := s.admit(ctx, st, acquire)
	if err != nil {
		return nil, err
	}
	frame, err := s.queryOnce(ctx, st, tables, st.SQL, acquire)
	if diedBeside(err) { // statements only read, so that trying again does nothing twice
		frame, err = s.queryOnce(ctx, st, tables, st.SQL, acquire)
	}
	if tookMemory(err) {
		if head, ok := s.headOf(ctx, st); ok {
			if first, failed := s.queryOnce(ctx, st, tables, head, acquire); failed == nil {
				return first, nil
			}
		}
	}
	return frame, err
}

// limitOf is the number of rows that are wanted of a statement.
func (s *Store) limitOf(st frameql.Statement) int {
	if st.MaxRows > 0 {
		return st.MaxRows
	}
	return s.opt.MaxRows
}

// headOf writes a statement so that the engine makes no more rows than are wanted, and one to see that there are more: it
// keeps the whole result of a statement in memory, and that may be too much.
func (s *Store) headOf(ctx context.Context, st frameql.Statement) (string, bool) {
	inner, err := s.gate.bare(ctx, st.SQL)
	if err != nil {
		return "", false
	}
	head := fmt.Sprintf("SELECT * FROM (%s) LIMIT %d", inner, s.limitOf(st)+1)
	_, err = s.judge(ctx, head) // the engine wrote it anew: it is judged like any other text
	return head, err == nil
}

// queryOnce runs a text for a statement: its own, or the head of it.
func (s *Store) queryOnce(ctx context.Context, st frameql.Statement, tables []string, runs string, acquire func(context.Context) (*engine, error)) (*frameql.Frame, error) {
	e, err := acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer e.users.Done()
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return nil, statementFault(ctx, err)
	}
	defer func() { _ = conn.Close() }()

	limit := s.limitOf(st)
	frame := &frameql.Frame{SQL: st.SQL, Dialect: frameql.DuckDB, ServedFrom: "backend", Rows: [][]any{}, Notices: []frameql.Notice{}, SourceEpochs: s.epochsOf(tables)}
	started := time.Now()
	more, err := fill(ctx, conn, st, runs, limit, frame)
	if err != nil {
		return nil, s.unreadable(ctx, e, tables, err)
	}
	frame.RowCount = len(frame.Rows)
	if more {
		total, err := s.count(ctx, conn, st.SQL)
		if err != nil {
			return nil, err
		}
		frame.Truncated = &frameql.Truncated{Cap: limit, TotalRows: total}
	}
	frame.Took = time.Since(started)
	if c, ok := e.costs.get(st.SQL); ok && !more {
		s.speed.learn(guess(c.touched, c.bytes), frame.Took)
	}
	return frame, nil
}

// fill puts columns and rows into a frame and says whether there are more rows than limit.
func fill(ctx context.Context, conn *sql.Conn, st frameql.Statement, runs string, limit int, frame *frameql.Frame) (more bool, err error) {
	rows, err := conn.QueryContext(ctx, runs)
	if err != nil {
		return false, statementFault(ctx, err)
	}
	defer func() { _ = rows.Close() }()
	types, err := rows.ColumnTypes()
	if err != nil {
		return false, statementFault(ctx, err)
	}
	if frame.Columns, err = columns(st.Columns, types); err != nil {
		return false, err
	}
	cells := make([]any, len(types))
	into := make([]any, len(types))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		if len(frame.Rows) == limit {
			return true, nil
		}
		if err := rows.Scan(into...); err != nil {
			return false, statementFault(ctx, err)
		}
		row := make([]any, len(cells))
		for i, c := range cells {
			row[i] = cell(c, types[i].DatabaseTypeName())
		}
		frame.Rows = append(frame.Rows, row)
	}
	if err := rows.Err(); err != nil {
		return false, statementFault(ctx, err)
	}
	return false, nil
}

// count gives the number of rows of a statement. The statement runs again inside a count, which the engine does without
// making its rows.
func (s *Store) count(ctx context.Context, conn *sql.Conn, statement string) (n int, err error) {
	inner, err := s.gate.bare(ctx, statement)
	if err != nil {
		return 0, err
	}
	counting := "SELECT count(*) FROM (" + inner + ")"
	if _, err := s.judge(ctx, counting); err != nil { // the engine wrote it anew: it is judged like any other text
		return 0, err
	}
	if err := conn.QueryRowContext(ctx, counting).Scan(&n); err != nil {
		return 0, statementFault(ctx, err)
	}
	return n, nil
}

func columns(asked []frameql.Column, types []*sql.ColumnType) ([]frameql.Column, error) {
	if len(asked) == 0 {
		names := make([]string, len(types))
		for i, t := range types {
			names[i] = t.Name()
		}
		for i, name := range distinct(names) {
			kind := columnType(types[i].DatabaseTypeName())
			role := frameql.RoleDimension
			if kind == "integer" || kind == "decimal" || kind == "float" {
				role = frameql.RoleMetric
			}
			asked = append(asked, frameql.Column{Name: name, Label: name, Role: role, Type: kind})
		}
		return asked, nil
	}
	if len(asked) != len(types) {
		return nil, fault.Wrap(fault.Internal, "query", text.Say("store.engine_broke"), text.Say("store.engine_broke_hint"),
			fmt.Errorf("statement names %d columns, result has %d", len(asked), len(types)))
	}
	out := make([]frameql.Column, len(asked))
	for i, c := range asked {
		c.Type = columnType(types[i].DatabaseTypeName())
		out[i] = c
	}
	return out, nil
}

func (s *Store) epochsOf(tables []string) map[string]string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	epochs := map[string]string{}
	for name, epoch := range s.catalog.epochs() {
		for _, t := range tables {
			if strings.EqualFold(t, name) {
				epochs[name] = epoch
			}
		}
	}
	return epochs
}
