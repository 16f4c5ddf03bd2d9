//go:build cgo

package frameql_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"assay/backend/compile"
	. "assay/backend/frameql"
	"assay/backend/semantic"
)

// desk is a help desk: tickets have tags many to many, and both tickets and calls are of customers, by other roles.
func desk() *semantic.Model {
	entity := func(name, key string, dimensions ...string) semantic.Entity {
		e := semantic.Entity{Name: name, Source: semantic.Source{Table: name}, Dimensions: []semantic.Dimension{{Name: key, Type: semantic.Integer}}, Key: []string{key}}
		for _, d := range dimensions {
			t := semantic.Text
			if strings.HasSuffix(d, "_id") || d == "hours" || d == "minutes" {
				t = semantic.Integer
			}
			e.Dimensions = append(e.Dimensions, semantic.Dimension{Name: d, Type: t, Measure: d == "hours" || d == "minutes"})
		}
		return e
	}
	join := func(from, to, role, column, key string) semantic.Join {
		return semantic.Join{From: from, To: to, Role: role, On: []semantic.ColumnPair{{From: column, To: key}}, Cardinality: "many_to_one"}
	}
	sum := func(name, entity, expr string) semantic.Metric {
		return semantic.Metric{Name: name, Entity: entity, Kind: semantic.Leaf, Expr: expr, Reducer: semantic.Sum}
	}
	return &semantic.Model{
		Entities: []semantic.Entity{
			entity("tickets", "ticket_id", "opener_id", "checker_id", "hours"), entity("tags", "tag_id", "tag_name"),
			entity("ticket_tags", "row_id", "ticket_id", "tag_id"), entity("customers", "customer_id", "segment"),
			entity("calls", "call_id", "caller_id", "minutes"),
		},
		Joins: []semantic.Join{
			join("ticket_tags", "tickets", "", "ticket_id", "ticket_id"), join("ticket_tags", "tags", "", "tag_id", "tag_id"),
			join("tickets", "customers", "opener", "opener_id", "customer_id"), join("calls", "customers", "caller", "caller_id", "customer_id"),
		},
		Metrics: []semantic.Metric{
			{Name: "ticket_count", Entity: "tickets", Kind: semantic.Leaf, Expr: "*", Reducer: semantic.Count},
			sum("ticket_hours", "tickets", "hours"), sum("call_minutes", "calls", "minutes"),
		},
	}
}

const deskData = `CREATE TABLE customers AS SELECT * FROM (VALUES (1, 'big'), (2, 'small')) t(customer_id, segment);
CREATE TABLE tickets AS SELECT * FROM (VALUES (1, 1, 2, 10), (2, 1, 1, 20), (3, 2, 1, 40), (4, NULL, 2, 80)) t(ticket_id, opener_id, checker_id, hours);
CREATE TABLE tags AS SELECT * FROM (VALUES (1, 'bug'), (2, 'idea'), (3, NULL)) t(tag_id, tag_name);
CREATE TABLE ticket_tags AS SELECT * FROM (VALUES (1, 1, 1), (2, 1, 2), (3, 2, 1), (4, 3, 9), (5, 3, NULL), (6, 4, 3)) t(row_id, ticket_id, tag_id);
CREATE TABLE calls AS SELECT * FROM (VALUES (1, 1, 5), (2, 2, 7), (3, 2, 9)) t(call_id, caller_id, minutes);`

// TestBridge: ANY, NO and ALL look across rows that relate two entities many to many. A row that names no member relates
// nothing.
func TestBridge(t *testing.T) {
	db, err := sql.Open("duckdb", "?"+compile.DuckDBConfig)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(deskData); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ query, want string }{
		{"SELECT ticket_hours WHERE ANY tags (tag_name = 'bug')", "30"},
		{"SELECT ticket_hours WHERE NO tags (tag_name = 'bug')", "120"},
		{"SELECT ticket_hours WHERE ALL tags (tag_name = 'bug')", "60"},
		{"SELECT ticket_hours WHERE ANY tags (tag_name IS NULL)", "80"},
		{"SELECT ticket_hours WHERE ANY tags", "110"},
		{"SELECT ticket_hours WHERE NO tags", "40"},
		{"SELECT ticket_hours WHERE ANY tickets (hours > 10) AND NOT ANY tags (tag_name = 'idea')", "140"},
		{"SELECT tag_name AT tags WHERE ANY tickets (hours = 10)", "bug;idea"},
		{"SELECT tags.tag_name, COUNT(DISTINCT tickets)", "bug 2;idea 1;<nil> 2"},
		{"SELECT segment, ticket_hours, call_minutes", "big 30 5;small 40 16;<nil> 80 0"},
	} {
		q, err := Parse(c.query)
		if err != nil {
			t.Fatal(err)
		}
		plan, refusals := Resolve(q, Env{Model: desk()})
		if plan == nil {
			t.Errorf("%s: %v", c.query, refusals)
			continue
		}
		st, err := plan.Statement(DuckDB)
		if err != nil {
			t.Fatal(err)
		}
		if got := cells(t, db, st.SQL); got != c.want {
			t.Errorf("%s\n%s\ngives %s, want %s", c.query, st.SQL, got, c.want)
		}
	}
}

func cells(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(query, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for rows.Next() {
		row, into := make([]any, len(names)), make([]any, len(names))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintln(row...)))
	}
	return strings.Join(lines, ";")
}

// TestBridgeRefusals: several members for a row are said to be that, with what helps; a role of one fact is that of another
// that leads there in one way.
func TestBridgeRefusals(t *testing.T) {
	twice := desk()
	twice.Joins = append(twice.Joins, semantic.Join{From: "tickets", To: "customers", Role: "checker", On: []semantic.ColumnPair{{From: "checker_id", To: "customer_id"}}, Cardinality: "many_to_one"})
	values := func(string) ([]string, bool) { return []string{"bug", "idea"}, true }
	for _, c := range []struct {
		model *semantic.Model
		query string
		want  string
	}{
		{desk(), "SELECT tags.tag_name, ticket_count", "MULTIVALUED_DIMENSION; Use COUNT(DISTINCT tickets) FROM ticket_tags: SELECT tags.tag_name, COUNT(DISTINCT tickets) AS ticket_count FROM ticket_tags; Only ANY tags (tags.tag_name = 'bug'): SELECT ticket_count WHERE ANY tags (tags.tag_name = 'bug'); Leave out tags.tag_name: SELECT ticket_count"},
		{desk(), "SELECT tags.tag_name, ticket_hours", "MULTIVALUED_DIMENSION; Only ANY tags (tags.tag_name = 'bug'): SELECT ticket_hours WHERE ANY tags (tags.tag_name = 'bug'); Leave out tags.tag_name: SELECT ticket_hours"},
		{twice, "SELECT segment, ticket_hours, call_minutes", "AMBIGUOUS_JOIN_PATH; Use opener.segment: SELECT opener.segment, ticket_hours, call_minutes; Use checker.segment: SELECT checker.segment, ticket_hours, call_minutes"},
		{twice, "SELECT tags.tag_name, call_minutes", "UNREACHABLE_DIMENSION; Leave out tags.tag_name: SELECT call_minutes"},
	} {
		q, err := Parse(c.query)
		if err != nil {
			t.Fatal(err)
		}
		_, refusals := Resolve(q, Env{Model: c.model, Values: values})
		if len(refusals) != 1 {
			t.Errorf("%s: %v", c.query, refusals)
			continue
		}
		got := []string{refusals[0].Code}
		for _, p := range refusals[0].Repairs {
			got = append(got, p.Label+": "+p.FrameQL)
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.query, s, c.want)
		}
	}
}
