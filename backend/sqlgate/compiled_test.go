package sqlgate_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"assay/backend/sqlgate"
)

// comments that our compiler writes for MySQL and MariaDB, which tell their versions apart. The gate refuses them; what it says of each server's reading is tested here.
var (
	forMariaDB = regexp.MustCompile(`(?s)/\*M!\d*(.*?)\*/`)
	forMySQL   = regexp.MustCompile(`(?s)/\*!\d*(.*?)\*/`)
	settings   = regexp.MustCompile(`^\s*(--[^\n]*)?\s*SET STATEMENT .*? FOR\s`)
)

// TestCompiledStatementsAreAllowed: what our own compiler writes passes, in every dialect.
func TestCompiledStatementsAreAllowed(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "compile", "dialecttest", "testdata", "dialects", "*.txtar"))
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			dialect, ok := strings.CutSuffix(f.Name, ".sql")
			if !ok {
				continue
			}
			dialect, leaf, _ := strings.Cut(dialect, "/")
			if !strings.HasPrefix(leaf, "leaf") && strings.Contains(string(f.Data), " leaf_1 ") { // runs in DuckDB over what the leaves gave
				dialect = "duckdb"
			}
			readings := map[sqlgate.Dialect]string{sqlgate.Dialect(dialect): string(f.Data)}
			if dialect == "mysql" {
				sql := string(f.Data)
				readings = map[sqlgate.Dialect]string{
					sqlgate.MySQL:   forMySQL.ReplaceAllString(forMariaDB.ReplaceAllString(sql, ""), "$1"),
					sqlgate.MariaDB: settings.ReplaceAllString(forMariaDB.ReplaceAllString(forMySQL.ReplaceAllString(sql, ""), "$1"), ""),
				}
			}
			for d, sql := range readings {
				v, err := gate().Check(t.Context(), d, sql, sqlgate.Policy{})
				if err != nil || !v.Allowed {
					t.Errorf("%s: %s: %s %v\n%s", filepath.Base(file), d, v.Rule+" "+v.Reason, err, sql)
				}
			}
		}
	}
}
