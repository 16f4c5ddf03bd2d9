//go:build cgo

package dialecttest_test

import (
	"os"
	"path/filepath"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	. "assay/backend/compile/dialecttest"
)

var servers = New()

func TestMain(m *testing.M) {
	code := m.Run()
	servers.Stop()
	os.Exit(code)
}

// TestShopIsTheSameEverywhere reads every table back from every server.
func TestShopIsTheSameEverywhere(t *testing.T) {
	duck := servers.Open(t, DuckDB)
	Load(t, duck, DuckDB, Shop())
	for _, d := range []Engine{Postgres, MySQL} {
		t.Run(string(d), func(t *testing.T) {
			db := servers.Open(t, d)
			Load(t, db, d, Shop())
			for _, table := range Shop() {
				_, want := Rows(t, duck, "SELECT * FROM "+table.Name)
				_, got := Rows(t, db, "SELECT * FROM "+table.Name)
				if len(want) != len(table.Rows) {
					t.Errorf("%s has %d rows, want %d", table.Name, len(want), len(table.Rows))
				}
				if diff := Different(got, want); diff != "" {
					t.Errorf("%s: %s", table.Name, diff)
				}
			}
		})
	}
}

// TestNothingIsLeft starts a server and stops it: its directory is gone.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // another user's server goes in
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	own := Own()
	t.Run("run", func(t *testing.T) {
		Rows(t, own.Open(t, Postgres), "SELECT 1 AS one")
		if running, _ := os.ReadDir(dir); len(running) != 1 {
			t.Errorf("%d directories for one server", len(running))
		}
	})
	own.Stop()
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%v is left", left)
	}
}
