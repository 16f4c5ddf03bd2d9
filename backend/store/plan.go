package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/backend/fault"
	"assay/backend/frameql"
	"assay/backend/text"
)

// Operator is one of the engine's plan for a statement.
type Operator struct {
	Depth int      // 0: the one that gives the rows; one deeper: what it reads from
	Name  string   // as the engine calls it: HASH_JOIN
	Table string   // of a scan
	Says  []string // what it does, "Filters: x>3", by name
	Rows  int64    // that it is expected to give; -1: the engine does not say
}

// Plan gives the operators with which the engine would compute a statement, each before those that it reads from. Faults as of Query.
func (s *Store) Plan(ctx context.Context, st frameql.Statement) ([]Operator, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(s.timeout.Load()))
	defer cancel()
	st, _, err := s.admit(ctx, st, s.acquire)
	if err != nil {
		return nil, err
	}
	plan, err := s.planOnce(ctx, st.SQL)
	if diedBeside(err) {
		plan, err = s.planOnce(ctx, st.SQL)
	}
	if err != nil {
		return nil, err
	}
	named, all := s.tableNames(), []Operator{}
	for _, o := range plan {
		all = o.list(all, 0, named)
	}
	return all, nil
}

func (s *Store) planOnce(ctx context.Context, statement string) ([]operator, error) {
	e, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer e.users.Done()
	return e.explain(ctx, statement)
}

// tableNames gives the names of the tables by those in their file.
func (s *Store) tableNames() map[string]string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	names := map[string]string{}
	for _, e := range s.catalog.Entries {
		for table, stored := range e.Stored {
			names[stored] = table
		}
	}
	return names
}

// operator is a node of an explained plan.
type operator struct {
	Name     string         `json:"name"`
	Children []operator     `json:"children"`
	Extra    map[string]any `json:"extra_info"`
}

// explain asks the engine how it would compute a statement.
func (e *engine) explain(ctx context.Context, statement string) (plan []operator, err error) {
	var kind, raw string
	if err := e.db.QueryRowContext(ctx, "EXPLAIN (FORMAT JSON) "+statement).Scan(&kind, &raw); err != nil {
		return nil, statementFault(ctx, err)
	}
	if err := json.Unmarshal([]byte(raw), &plan); err != nil {
		return nil, fault.Wrap(fault.Internal, "explain", text.Say("store.engine_broke"), text.Say("store.engine_broke_hint"), err)
	}
	return plan, nil
}

// estimated is the name of the number of rows among what the engine says of an operator.
const estimated = "Estimated Cardinality"

// estimated is the number of rows that the engine expects; known is false where it gives none, or a negative one.
func (o operator) estimated() (n int64, known bool) {
	n, err := strconv.ParseInt(asString(o.Extra[estimated]), 10, 64)
	return n, err == nil && n >= 0
}

// list writes an operator and those under it behind others.
func (o operator) list(all []Operator, depth int, named map[string]string) []Operator {
	one := Operator{Depth: depth, Name: strings.TrimSpace(o.Name), Says: []string{}, Rows: -1}
	if n, known := o.estimated(); known {
		one.Rows = n
	}
	for _, name := range slices.Sorted(maps.Keys(o.Extra)) {
		switch said := words(o.Extra[name]); {
		case name == estimated || said == "":
		case name == "Table":
			one.Table = lastName(said)
			if known, ok := named[one.Table]; ok {
				one.Table = known
			}
		case strings.HasPrefix(name, "__"):
			one.Says = append(one.Says, said)
		default:
			one.Says = append(one.Says, name+": "+said)
		}
	}
	all = append(all, one)
	for _, child := range o.Children {
		all = child.list(all, depth+1, named)
	}
	return all
}

// words writes what the engine says of an operator: a text, or a list of them.
func words(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []any:
		parts := make([]string, len(v))
		for i, p := range v {
			parts[i] = words(p)
		}
		return strings.Join(parts, ", ")
	}
	return strings.TrimSpace(fmt.Sprint(v))
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
