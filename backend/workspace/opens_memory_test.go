package workspace

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/analyst"
	"assay/backend/fault"
	"assay/backend/store"
)

// TestAMemoryThatCannotBeReadLeavesTheWorkspaceOpen damages the memory, and has a newer version write it: the workspace opens and answers, and
// says what came of the file, which is kept.
func TestAMemoryThatCannotBeReadLeavesTheWorkspaceOpen(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(t *testing.T, file string){
		"damaged": func(t *testing.T, file string) {
			if err := os.WriteFile(file, []byte(strings.Repeat("no database ", 900)), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"newer": func(t *testing.T, file string) {
			db, err := sql.Open("sqlite", file)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			if _, err := db.Exec("PRAGMA user_version = 9999"); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			good := filepath.Join(dir, "good.csv")
			for file, content := range map[string]string{filepath.Join(dir, "workspace.yaml"): "workspace: spoilt\n", good: "region,sales\nN,5\nS,6\n"} {
				if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			opt := Options{DataDir: t.TempDir(), Now: noon, Threads: 1, inProcess: true}
			w, err := Open(t.Context(), Target{Dir: dir}, opt)
			if err != nil {
				t.Fatal(fault.Detail(err))
			}
			if _, err := w.Import(t.Context(), store.ImportRequest{Path: good}); err != nil {
				t.Fatal(fault.Detail(err))
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, ".assay", "memory.sqlite")
			for _, tail := range []string{"-wal", "-shm"} {
				_ = os.Remove(file + tail)
			}
			spoil(t, file)
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if w, err = Open(t.Context(), Target{Dir: dir}, opt); err != nil {
				t.Fatal(fault.Detail(err))
			}
			defer func() { _ = w.Close() }()
			addsUp(t, w, "good.sales", "11")
			said := false
			for _, p := range w.Problems() {
				said = said || p.Kind == ofMemory && strings.Contains(p.File, "memory.sqlite") && p.Message != "" && p.Hint != ""
			}
			if !said {
				t.Errorf("nothing is said of the memory: %+v", w.Problems())
			}
			kept, err := filepath.Glob(file + "*")
			if err != nil {
				t.Fatal(err)
			}
			there := false
			for _, k := range kept {
				raw, err := os.ReadFile(k)
				there = there || err == nil && string(raw) == string(before)
			}
			if !there {
				t.Errorf("the file is not kept: %v", kept)
			}
		})
	}
}

func addsUp(t *testing.T, w *Workspace, column, want string) {
	t.Helper()
	a, err := w.Ask(context.Background(), analyst.Request{FrameQL: "SELECT SUM(" + column + ")"}, nil)
	if err != nil || a.Frame == nil || len(a.Frame.Rows) != 1 || fmt.Sprint(a.Frame.Rows[0][0]) != want {
		t.Errorf("%s: %+v %s", column, a, fault.Detail(err))
	}
}

// catalogueNames are what the catalogues of engines call their tables and schemas.
var catalogueNames = strings.Fields(`pg_aggregate pg_am pg_attrdef pg_attribute pg_class pg_collation pg_constraint pg_database pg_depend pg_description
	pg_enum pg_index pg_indexes pg_namespace pg_prepared_statements pg_proc pg_sequence pg_sequences pg_settings pg_tables pg_tablespace
	pg_type pg_views pg_catalog pg_stats sqlite_master sqlite_schema sqlite_temp_master sqlite_temp_schema pragma_database_list
	duckdb_columns duckdb_constraints duckdb_databases duckdb_functions duckdb_indexes duckdb_logs duckdb_schemas duckdb_settings
	duckdb_tables duckdb_types duckdb_views information_schema main temp system tables columns`)

// TestFilesCalledLikeCataloguesAreAnswered imports a file by every name that an engine keeps for itself, each with an amount of its own.
func TestFilesCalledLikeCataloguesAreAnswered(t *testing.T) {
	t.Parallel()
	dir, files := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "workspace.yaml"), []byte("workspace: catalogues\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := Options{DataDir: t.TempDir(), Now: noon, Threads: 1, inProcess: true}
	w, err := Open(t.Context(), Target{Dir: dir}, opt)
	if err != nil {
		t.Fatal(fault.Detail(err))
	}
	defer func() { _ = w.Close() }()
	var requests []store.ImportRequest
	for i, name := range catalogueNames {
		file := filepath.Join(files, name+".csv")
		if err := os.WriteFile(file, fmt.Appendf(nil, "region,amount\nN,%d\nS,1000\n", i), 0o600); err != nil {
			t.Fatal(err)
		}
		requests = append(requests, store.ImportRequest{Path: file})
	}
	tables := make([]string, len(requests))
	if err := w.ImportAll(t.Context(), requests, func(i int, s *store.Source, err error) bool {
		if err != nil || len(s.Tables) != 1 {
			t.Errorf("%s: %s", catalogueNames[i], fault.Detail(err))
			return true
		}
		tables[i] = s.Tables[0].Alias
		return true
	}); err != nil {
		t.Fatal(fault.Detail(err))
	}
	for i, table := range tables {
		if table != "" {
			addsUp(t, w, table+".amount", fmt.Sprint(1000+i))
		}
	}
}
