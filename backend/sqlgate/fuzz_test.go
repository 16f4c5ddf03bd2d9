package sqlgate_test

import (
	"testing"

	"assay/backend/sqlgate"
)

// Each target looks for a text that makes the gate, or a parser of another language below it, crash or fail.

func FuzzDuckDB(f *testing.F)     { fuzz(f, sqlgate.DuckDB) }
func FuzzPostgres(f *testing.F)   { fuzz(f, sqlgate.Postgres) }
func FuzzMySQL(f *testing.F)      { fuzz(f, sqlgate.MySQL) }
func FuzzClickHouse(f *testing.F) { fuzz(f, sqlgate.ClickHouse) }

func fuzz(f *testing.F, d sqlgate.Dialect) {
	for _, kind := range []string{"attacks", "legit"} {
		for _, s := range seedsOf(f, kind, d) {
			f.Add(s.SQL)
		}
	}
	f.Fuzz(func(t *testing.T, sql string) {
		v, err := gate().Check(t.Context(), d, sql, whitelist(d))
		if err != nil {
			t.Fatalf("%q: %v", sql, err)
		}
		if v.Allowed == (v.Rule != "") || v.Allowed == (v.Reason != "") {
			t.Fatalf("%q: %+v", sql, v)
		}
		if v.Allowed && v.SQLType != "SELECT" && v.SQLType != "WITH...SELECT" {
			t.Fatalf("%q is allowed and a %s", sql, v.SQLType)
		}
	})
}
