package sqlgate_test

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"assay/backend/sqlgate"
)

// statement is a row of a corpus: one that must be refused has a why, one that must be allowed has a note.
type statement struct {
	ID      string          `json:"id"`
	Dialect sqlgate.Dialect `json:"dialect"`
	SQL     string          `json:"sql"`
	Why     string          `json:"why"`
	Note    string          `json:"note"`
}

// limited are the attacks that may pass here: the limits of the engine stop them.
func (s statement) limited() bool { return strings.HasPrefix(s.Why, "[dos]") }

// shared reads a corpus that is shared by everyone who builds this; the test is skipped where it is not there.
func shared(t testing.TB, name string) []statement {
	t.Helper()
	root := os.Getenv("ASSAY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path := filepath.Join(root, "corpora", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not here; set ASSAY_SHARED to the folder that holds it", name)
	}
	return corpus(t, path)
}

func corpus(t testing.TB, path string) (all []statement) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var s statement
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, s)
	}
	return all
}

// whitelist is the policy that the corpora assume.
func whitelist(d sqlgate.Dialect) sqlgate.Policy {
	schema := map[sqlgate.Dialect]string{sqlgate.DuckDB: "main", sqlgate.Postgres: "public"}[d]
	if schema == "" {
		schema = "shop"
	}
	return sqlgate.Policy{Schemas: []string{schema}, Tables: []string{"orders", "customers", "products", "events", "trades", "quotes", "employees", "monthly_sales"}}
}

// gate gives one that parses with the DuckDB that is linked.
var gate = sync.OnceValue(func() *sqlgate.Gate {
	db, err := sql.Open("duckdb", "?threads=1&enable_external_access=false&lock_configuration=true")
	if err != nil {
		panic(err)
	}
	parse, err := db.Prepare(sqlgate.DuckDBTree)
	if err != nil {
		panic(err)
	}
	return sqlgate.New(func(ctx context.Context, sql string) (tree string, err error) {
		err = parse.QueryRowContext(ctx, sql).Scan(&tree)
		return tree, err
	})
})

func check(t testing.TB, s statement) sqlgate.Verdict {
	t.Helper()
	v, err := gate().Check(context.Background(), s.Dialect, s.SQL, whitelist(s.Dialect))
	if err != nil {
		t.Fatalf("%s: %s: %v", s.ID, s.SQL, err)
	}
	return v
}

func TestSharedAttacksAreRefused(t *testing.T) {
	refused(t, shared(t, "sqlgate_attacks.jsonl"))
}

func TestSharedLegitimateStatementsAreAllowed(t *testing.T) {
	allowed(t, shared(t, "sqlgate_legit.jsonl"))
}

func refused(t *testing.T, all []statement) {
	for _, s := range all {
		v := check(t, s)
		if v.Allowed && !s.limited() {
			t.Errorf("%s: %s\n\tis allowed: %s", s.ID, s.SQL, s.Why)
		}
		if !v.Allowed && (v.Rule == "" || !strings.HasSuffix(v.Reason, ".")) {
			t.Errorf("%s: %s\n\trule %q, reason %q", s.ID, s.SQL, v.Rule, v.Reason)
		}
		for _, hidden := range []string{"salary", "hr.", "v_all_salaries"} {
			if told := v.Reason + strings.Join(v.Objects, " ") + strings.Join(v.Schemas, " "); strings.Contains(strings.ToLower(told), hidden) {
				t.Errorf("%s: %s\n\tthe refusal names %s: %q", s.ID, s.SQL, hidden, told)
			}
		}
		if testing.Verbose() {
			t.Logf("%-12s %-20s %s\n\t%s", v.SQLType, v.Rule, s.SQL, v.Reason)
		}
	}
}

func allowed(t *testing.T, all []statement) {
	for _, s := range all {
		if v := check(t, s); !v.Allowed {
			t.Errorf("%s: %s\n\t%s: %s (%s)", s.ID, s.SQL, v.Rule, v.Reason, s.Note)
		}
	}
}

func TestOwnAttacksAreRefused(t *testing.T) {
	refused(t, corpus(t, filepath.Join("testdata", "attacks.jsonl")))
}

func TestOwnLegitimateStatementsAreAllowed(t *testing.T) {
	allowed(t, corpus(t, filepath.Join("testdata", "legit.jsonl")))
}
