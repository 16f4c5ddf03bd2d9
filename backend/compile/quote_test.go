//go:build cgo

package compile

import (
	"database/sql"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"
)

// FuzzQuote: whatever a literal or a name holds, the engine reads back the same, and nothing else.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "'", "''", `\'`, "a'b--", "/*", "\n", "\r\n\t", "é", "'; DROP TABLE x; --", "\x7f", `"`, "$$", "chr(39)"} {
		f.Add(s)
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { db.Close() })
	f.Fuzz(func(t *testing.T, s string) {
		want := plainText(s)
		var got string
		if err := db.QueryRow("SELECT " + duckdb{}.text(s)).Scan(&got); err != nil || got != want {
			t.Fatalf("%q came back as %q: %v", s, got, err)
		}
		if want == "" || len(want) > 1000 {
			return
		}
		var name string
		if err := db.QueryRow("SELECT column_name FROM (DESCRIBE SELECT 1 AS " + duckdb{}.name(s) + ")").Scan(&name); err != nil || name != want {
			t.Fatalf("the name %q came back as %q: %v", s, name, err)
		}
	})
}
