package api

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/backend/rules"
)

// told posts a body and reads what comes back.
func told[T any](t *testing.T, address string, body map[string]any) (out T) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	status, answer := post(t, address, string(raw), "application/json")
	if status != http.StatusOK {
		t.Fatalf("%s gave %d: %.300s", address, status, answer)
	}
	if err := json.Unmarshal([]byte(answer), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func checked(t *testing.T, base, language, source string) QueryCheck {
	t.Helper()
	return told[QueryCheck](t, base+"/api/query/check", map[string]any{"language": language, "text": source})
}

// offered gives what may be put at "|".
func offered(t *testing.T, base, language, source string) []string {
	t.Helper()
	at := strings.Index(source, "|")
	body := map[string]any{"language": language, "text": strings.Replace(source, "|", "", 1), "at": unitsIn(source, at)}
	all := []string{}
	for _, c := range told[QueryCompletions](t, base+"/api/query/complete", body).Candidates {
		all = append(all, c.Text)
	}
	return all
}

func TestAQueryIsCheckedWhileItIsWritten(t *testing.T) {
	_, web := serving(t)
	for _, c := range []struct {
		language, source, at string
		code                 string // empty: nothing is wrong
		repair               bool
	}{
		{"frame_ql", "SELECT category_name, revenue", "", "", false},
		{"frame_ql", "SELECT revenu AT category_name", "revenu", "UNKNOWN_NAME", true},
		{"frame_ql", "SELECT revenue WHERE ship_country = 'Ü' GROUP BY x", "GROUP", "SYNTAX", false},
		{"frame_ql", "", "", "", false},
		{"sql", `SELECT "ShipCountry", count(*) FROM "Orders" GROUP BY ALL`, "", "", false},
		{"sql", `SELECT 'Ü', "ShipCounty" FROM "Orders"`, "ShipCounty", "ENGINE", false},
		{"sql", `SELECT * FROM nowhere`, "", "object.unknown", false},
		{"sql", "SELECT *\nFROM \"Orders\"\nWHER x", "", "text.syntax", false},
		{"sql", `DROP TABLE "Orders"`, "", "statement.kind", false},
		{"sql", "", "", "", false},
	} {
		got := checked(t, web.URL, c.language, c.source)
		if c.code == "" {
			if len(got.Diagnostics) > 0 || c.source != "" && (got.Plan == nil || got.Plan.Basis == "") {
				t.Errorf("%s: %+v", c.source, got)
			}
			continue
		}
		if len(got.Diagnostics) == 0 {
			t.Errorf("%s: nothing is wrong", c.source)
			continue
		}
		d := got.Diagnostics[0]
		if c.at != "" {
			units := []rune(c.source) // none of these has a character beyond one unit
			if d.Code != c.code || string(units[d.From:d.To]) != c.at {
				t.Errorf("%s: %s at %q, want %s at %q", c.source, d.Code, string(units[d.From:d.To]), c.code, c.at)
			}
		} else if got.Rule == "" || got.Plan != nil {
			t.Errorf("%s: the gate lets it pass: %+v", c.source, got)
		}
		if c.repair && (len(d.Repairs) == 0 || len(checked(t, web.URL, c.language, d.Repairs[0].FrameQL).Diagnostics) > 0) {
			t.Errorf("%s: the repairs %+v do not mend it", c.source, d.Repairs)
		}
	}
	if got := checked(t, web.URL, "frame_ql", "select revenue at category_name"); got.Canonical == "" || !strings.HasPrefix(got.Canonical, "SELECT") {
		t.Errorf("the canonical text is %q", got.Canonical)
	}
}

func TestAQueryIsCompleted(t *testing.T) {
	_, web := serving(t)
	for _, c := range []struct{ language, source, has, lacks string }{
		{"frame_ql", "SELECT rev|", "revenue", "ship_country"},
		{"frame_ql", "SELECT revenue WHERE ship_country = 'Ger|", "'Germany'", ""},
		{"frame_ql", "SELECT revenue WHERE 'Ü' = 1 AND |", "ship_country", ""},
		{"frame_ql", "SELECT revenue DURING |", "LAST 12 MONTH", "revenue"},
		{"sql", "SEL|", "SELECT", "DELETE"},
		{"sql", "SELECT * FROM Ord|", "Order_Details", "read_csv"},
		{"sql", "SELECT * FROM rea|", "", "read_csv"},
		{"sql", `SELECT o.Ship| FROM "Orders" o`, "", ""},
		{"sql", `SELECT * FROM "Orders" o WHERE o.ShipC|`, "ShipCountry", "OrderID"},
		{"sql", "SELECT su|", "sum", ""},
		{"sql", "SELECT * FROM '/et|", "", "/etc/passwd"},
	} {
		got := offered(t, web.URL, c.language, c.source)
		if c.has != "" && !slices.Contains(got, c.has) || c.lacks != "" && slices.Contains(got, c.lacks) {
			t.Errorf("%s: %v", c.source, got)
		}
	}
}

// TestExplainRunsNothing asks for both languages how they would be computed.
func TestExplainRunsNothing(t *testing.T) {
	_, web := serving(t)
	for _, body := range []map[string]any{
		{"sql": `SELECT "ShipCountry", sum("Freight") FROM "Orders" GROUP BY ALL`, "explain": true},
		{"frame_ql": "SELECT revenue AT category_name", "explain": true},
	} {
		a := told[struct {
			Explanation *struct{ SQL string }
			Frame       *struct{}
			Plan        *struct{ Rows int64 }
			Risk        *struct {
				Level int `json:"autonomy_level"`
			}
		}](t, web.URL+"/api/ask", body)
		if a.Explanation == nil || a.Explanation.SQL == "" || a.Frame != nil || a.Plan == nil || a.Plan.Rows == 0 || a.Risk == nil || a.Risk.Level == 0 {
			t.Errorf("%v gives %+v", body, a)
		}
	}
}

func TestHistoryIsOfWhatWasWritten(t *testing.T) {
	_, web := serving(t)
	ask(t, web.URL, `{"sql":"SELECT 'a%b' AS mark"}`)
	ask(t, web.URL, `{"frame_ql":"SELECT revenue AT category_name"}`)
	ask(t, web.URL, `{"question":"revenue by category in 1997"}`)
	ask(t, web.URL, `{"question":"xyzzy frobnicate"}`)
	history := func(words string) []string {
		var h QueryHistory
		if status := get(t, web.URL+"/api/query/history?q="+url.QueryEscape(words), &h); status != http.StatusOK {
			t.Fatalf("history gave %d", status)
		}
		var all []string
		for _, q := range h.Queries {
			all = append(all, q.Language+" "+q.Text)
		}
		return all
	}
	all := history("")
	if len(all) != 3 || !strings.HasPrefix(all[0], "frame_ql SELECT") || all[1] != "frame_ql SELECT revenue AT category_name" || all[2] != "sql SELECT 'a%b' AS mark" {
		t.Errorf("history: %q", all)
	}
	if found := history("a%b"); len(found) != 1 {
		t.Errorf("searching found %q", found)
	}
	if found := history("_"); len(found) != 2 {
		t.Errorf("a sign of LIKE is a sign of its own: %q", found)
	}
}

// TestEditorsKnowOnlyWhatARoleSees: neither language names what a whitelist keeps.
func TestEditorsKnowOnlyWhatARoleSees(t *testing.T) {
	server, web := serving(t)
	restrict(t, server, "Orders")
	told[asked](t, web.URL+"/api/ask", map[string]any{"question": "number of orders"}) // takes the rules over
	if _, loaded := server.ws.Model(); loaded.Stale {
		t.Fatal(loaded.Err)
	}
	for _, c := range []struct{ language, source, lacks string }{
		{"frame_ql", "SELECT compan|", "company_name"},
		{"frame_ql", "SELECT revenue FROM |", "customers"},
		{"sql", "SELECT * FROM |", "Customers"},
		{"sql", "SELECT Compan|", "CompanyName"},
		{"sql", `SELECT * FROM "Customers" c WHERE c.|`, "CompanyName"},
	} {
		if got := offered(t, web.URL, c.language, c.source); slices.Contains(got, c.lacks) {
			t.Errorf("%s offers %s", c.source, c.lacks)
		}
	}
	if got := offered(t, web.URL, "sql", "SELECT * FROM |"); !slices.Contains(got, "Orders") {
		t.Errorf("what the role sees is not offered: %v", got)
	}
	got := checked(t, web.URL, "sql", `SELECT "CompanyName" FROM "Customers"`)
	if got.Rule == "" || slices.Contains(got.Tables, "Customers") || got.Plan != nil {
		t.Errorf("a table out of sight passes: %+v", got)
	}
}

// restrict lets everybody see one table.
func restrict(t *testing.T, s *Server, table string) {
	t.Helper()
	writeIn(t, s, rules.Folder+"/"+rules.RolesFile, "default_role: clerk\nroles:\n  - {name: clerk, schemas: [main], tables: ["+table+"]}\n  - {name: steward, schemas: [\"*\"], tables: [\"*\"], steward: true}\n")
}

func writeIn(t *testing.T, s *Server, file, content string) {
	t.Helper()
	path := filepath.Join(s.ws.Dir(), file)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
