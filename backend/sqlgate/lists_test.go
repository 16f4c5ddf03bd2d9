package sqlgate

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"
)

// frozen gives the list of a dialect.
func frozen(t *testing.T, d Dialect) *list {
	t.Helper()
	all, err := readLists()
	if err != nil {
		t.Fatal(err)
	}
	return all[d]
}

// TestListsKnowTheLinkedDuckDB fails when an upgrade of the engine brings a function, a type or a system view, or takes one away: a
// person has to put it on a list.
func TestListsKnowTheLinkedDuckDB(t *testing.T) {
	l := frozen(t, DuckDB)
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found := map[string]map[string]bool{}
	rows, err := db.Query("SELECT DISTINCT function_type, lower(function_name) FROM duckdb_functions()")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var kind, name string
		if err := rows.Scan(&kind, &name); err != nil {
			t.Fatal(err)
		}
		if found[kind] == nil {
			found[kind] = map[string]bool{}
		}
		found[kind][name] = true
	}
	scalars := map[string]bool{}
	for _, kind := range []string{"scalar", "macro", "aggregate"} {
		for name := range found[kind] {
			scalars[name] = true
			got := l.functions[name]
			if got == 0 {
				t.Errorf("%s %s is new: put it on a list of lists/duckdb.txt", kind, name)
			} else if want := map[string]class{"scalar": scalar, "macro": macro, "aggregate": aggregate}[kind]; !got.has(want) && !got.has(refused) {
				t.Errorf("%s %s is listed as something else", kind, name)
			}
		}
	}
	tables := map[string]bool{}
	for _, kind := range []string{"table", "table_macro"} {
		for name := range found[kind] {
			tables[name] = true
			if !l.functions[name].has(table) && !l.notTables[name] {
				t.Errorf("%s %s is new: put it on a list of lists/duckdb.txt", kind, name)
			}
		}
	}
	for name, c := range l.functions {
		if !scalars[name] && c&(scalar|macro|aggregate|refused) != 0 && name != "unnest" { // known to the binder only
			t.Errorf("%s is listed, and the engine has no such function", name)
		}
		if c.has(table) && !tables[name] {
			t.Errorf("%s is listed for FROM, and the engine has no such function", name)
		}
		if c.has(table) && l.notTables[name] {
			t.Errorf("%s may stand in FROM and may not", name)
		}
	}
	for name := range l.notTables {
		if !tables[name] {
			t.Errorf("%s is listed for FROM, and the engine has no such function", name)
		}
	}
	// No function that gives another answer each time, or does something, is allowed.
	for _, name := range column(t, db, "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE has_side_effects OR stability = 'VOLATILE'") {
		if l.functions[name]&^refused != 0 {
			t.Errorf("%s is volatile and allowed", name)
		}
	}
	// No allowed macro reads a table.
	for _, name := range column(t, db, "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_type = 'macro' AND macro_definition ILIKE '%select%'") {
		if l.functions[name] != refused {
			t.Errorf("macro %s holds a query and is allowed", name)
		}
	}
	views := column(t, db, "SELECT DISTINCT lower(view_name) FROM duckdb_views() WHERE internal AND schema_name IN ('main', 'pg_catalog')")
	for _, name := range views {
		if !l.system[name] {
			t.Errorf("the system view %s is new", name)
		}
	}
	types := column(t, db, "SELECT DISTINCT lower(type_name) FROM duckdb_types()")
	for name := range l.types {
		if !slices.Contains(types, name) {
			t.Errorf("the type %s is listed, and the engine has none", name)
		}
	}
	for _, name := range types {
		if !l.types[name] && !strings.Contains(name, " ") && name != "type" && name != "oid" {
			t.Errorf("the type %s is new", name)
		}
	}
}

// TestSettingsOfTheLinkedDuckDB fails when an upgrade brings or takes a setting: a new one may open a way out that the lockdown of
// package store does not close.
func TestSettingsOfTheLinkedDuckDB(t *testing.T) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	raw, err := os.ReadFile(filepath.Join("testdata", "duckdb_settings.txt"))
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields(string(raw))
	found := column(t, db, "SELECT DISTINCT name FROM duckdb_settings()")
	for _, name := range found {
		if !slices.Contains(known, name) {
			t.Errorf("the setting %s is new: see what it opens, then add it to testdata/duckdb_settings.txt", name)
		}
	}
	for _, name := range known {
		if !slices.Contains(found, name) {
			t.Errorf("the setting %s is gone", name)
		}
	}
}

func column(t *testing.T, db *sql.DB, ask string) (names []string) {
	t.Helper()
	rows, err := db.Query(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// TestListsAreSound: what is refused has a reason, and every list can be read.
func TestListsAreSound(t *testing.T) {
	for _, d := range dialects {
		l := frozen(t, d)
		for name, c := range l.functions {
			if c.has(refused) && l.reasons[name] == "" {
				t.Errorf("%s: %s is refused without a reason", d, name)
			}
		}
		if len(l.functions) < 100 {
			t.Errorf("%s: only %d functions", d, len(l.functions))
		}
	}
	for _, bad := range []string{"[scalar]\nABS", "[scalar]\nabs\n[refused: x]\nabs", "[refused: x]\nabs\n[scalar]\nabs", "[nothing]\nabs", "abs", "[bounded]\nabs"} {
		if _, err := readList(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
