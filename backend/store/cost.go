package store

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// What a plan costs is a rough guess from its estimates: a row that an operator touches, and a value that a scan reads.
// Measured on two cores with DuckDB 1.5 over a table of 3 million rows and 11 columns.
const (
	startMS      = 1.0
	nanosPerRow  = 15.0
	nanosPerCell = 3.0
	bytesPerCell = 8
)

// Cost gives what the engine expects of a statement before it runs: rows read by its scans, bytes of the columns that
// they read, and milliseconds, from the estimates of EXPLAIN; basis is "explain". Faults as of Query.
func (s *Store) Cost(ctx context.Context, st frameql.Statement) (rows, bytes int64, ms float64, basis string, err error) {
	return s.cost(ctx, st, s.acquire)
}

func (s *Store) cost(ctx context.Context, st frameql.Statement, acquire func(context.Context) (*engine, error)) (rows, bytes int64, ms float64, basis string, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.opt.Timeout)
	defer cancel()
	if st, _, err = s.admit(ctx, st, acquire); err != nil {
		return 0, 0, 0, "", err
	}
	c, err := s.costOnce(ctx, st.SQL, acquire)
	if diedBeside(err) {
		c, err = s.costOnce(ctx, st.SQL, acquire)
	}
	if err != nil {
		return 0, 0, 0, "", err
	}
	return c.rows, c.bytes, c.ms, "explain", nil
}

func (s *Store) costOnce(ctx context.Context, statement string, acquire func(context.Context) (*engine, error)) (c cost, err error) {
	e, err := acquire(ctx)
	if err != nil {
		return c, err
	}
	defer e.users.Done()
	if c, ok := e.costs.get(statement); ok {
		return c, nil
	}
	var kind, raw string
	if err := e.db.QueryRowContext(ctx, "EXPLAIN (FORMAT JSON) "+statement).Scan(&kind, &raw); err != nil {
		return c, statementFault(ctx, err)
	}
	var plan []operator
	if err := json.Unmarshal([]byte(raw), &plan); err != nil {
		return c, fault.Wrap(fault.Internal, "explain", text.Say("store.engine_broke"), text.Say("store.engine_broke_hint"), err)
	}
	var touched int64
	for _, o := range plan {
		o.add(s.rowsOf(), &c.rows, &c.bytes, &touched)
	}
	c.ms = startMS + (float64(touched)*nanosPerRow+float64(c.bytes)/bytesPerCell*nanosPerCell)/1e6
	e.costs.put(statement, c)
	return c, nil
}

// cost is what the engine expects of a statement.
type cost struct {
	rows, bytes int64
	ms          float64
}

// operator is a node of an explained plan.
type operator struct {
	Name     string         `json:"name"`
	Children []operator     `json:"children"`
	Extra    map[string]any `json:"extra_info"`
}

// add sums a plan. A scan reads its whole table, whatever its filters are expected to leave over.
func (o operator) add(stored map[string]int64, rows, bytes, touched *int64) {
	estimate, _ := strconv.ParseInt(asString(o.Extra["Estimated Cardinality"]), 10, 64)
	*touched += estimate
	if table := asString(o.Extra["Table"]); table != "" {
		read := estimate
		if n, ok := stored[lastName(table)]; ok {
			read = n
		}
		*rows += read
		width := 1
		if p, ok := o.Extra["Projections"].([]any); ok {
			width = max(1, len(p))
		}
		*bytes += read * int64(width) * bytesPerCell
	}
	for _, c := range o.Children {
		c.add(stored, rows, bytes, touched)
	}
}

// rowsOf gives the number of rows of every table by its name in its file.
func (s *Store) rowsOf() map[string]int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	all := map[string]int64{}
	for _, e := range s.catalog.Entries {
		for _, t := range e.Tables {
			all[e.Stored[t.Name]] = max(all[e.Stored[t.Name]], t.Rows)
		}
	}
	return all
}

func asString(v any) string {
	s, _ := v.(string)
	return s
}

// lastName gives t of catalog.main.t.
func lastName(qualified string) string {
	if i := strings.LastIndex(qualified, ".main."); i >= 0 {
		qualified = qualified[i+len(".main."):]
	}
	return strings.Trim(qualified, `"`)
}
