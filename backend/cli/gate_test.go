package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGateSaysWhatTheCorporaWant puts the corpora through the command: every attack is refused, every legitimate statement is
// allowed, in order. Attacks of the class [dos] may be left to the limits of the engine.
func TestGateSaysWhatTheCorporaWant(t *testing.T) {
	root := os.Getenv("ASSAY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	schemas := map[string]string{"duckdb": "main", "postgres": "public", "mysql": "shop", "clickhouse": "shop"}
	for kind, want := range map[string]bool{"attacks": false, "legit": true} {
		for _, file := range []string{filepath.Join("..", "sqlgate", "testdata", kind+".jsonl"), filepath.Join(root, "corpora", "sqlgate_"+kind+".jsonl")} {
			raw, err := os.ReadFile(file)
			if os.IsNotExist(err) {
				t.Logf("%s is not here; set ASSAY_SHARED to the folder that holds it", filepath.Base(file))
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for dialect, schema := range schemas {
				var lines []string
				var why []string
				for line := range strings.Lines(string(raw)) {
					var row struct{ Dialect, Why string }
					if err := json.Unmarshal([]byte(line), &row); err != nil {
						t.Fatal(err)
					}
					if row.Dialect == dialect {
						lines, why = append(lines, line), append(why, row.Why)
					}
				}
				if len(lines) == 0 {
					continue
				}
				var out, complaints bytes.Buffer
				status := Main([]string{"gate", "--json", "--dialect", dialect, "--schemas", schema, "--tables", "orders,customers,products,events,trades,quotes,employees,monthly_sales"},
					Program{Stdin: strings.NewReader(strings.Join(lines, "")), Stdout: &out, Stderr: &complaints})
				if status != exitOK || complaints.Len() > 0 {
					t.Fatalf("%s: status %d: %s", dialect, status, &complaints)
				}
				verdicts := bufio.NewScanner(&out)
				for i, line := range lines {
					var v struct {
						Allowed bool
						Rule    *string
					}
					if !verdicts.Scan() || json.Unmarshal(verdicts.Bytes(), &v) != nil {
						t.Fatalf("%s: no verdict on %s", dialect, line)
					}
					if v.Allowed != want && !strings.HasPrefix(why[i], "[dos]") || v.Allowed != (v.Rule == nil) {
						t.Errorf("%s: %s gives %s", dialect, line, verdicts.Text())
					}
				}
			}
		}
	}
}
