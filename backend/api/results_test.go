package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"

	"assay/backend/frameql"
	"assay/backend/store"
)

func openResult(t *testing.T, base, body string) (int, ResultSet) {
	t.Helper()
	status, raw := post(t, base+"/api/results", body, "application/json")
	var set ResultSet
	if err := json.Unmarshal([]byte(raw), &set); err != nil {
		t.Fatalf("%d %s", status, raw)
	}
	return status, set
}

// rowsOf reads a window as text.
func rowsOf(t *testing.T, address string) (int, string) {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		raw, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(raw)
	}
	in, err := ipc.NewReader(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Release()
	var lines []string
	for in.Next() {
		b := in.RecordBatch()
		for row := range int(b.NumRows()) {
			var cells []string
			for i := range int(b.NumCols()) {
				cells = append(cells, b.ColumnName(i)+"="+b.Column(i).ValueStr(row))
			}
			lines = append(lines, strings.Join(cells, " "))
		}
	}
	return answer.StatusCode, strings.Join(lines, "\n")
}

func TestAllRowsOfAnAnswer(t *testing.T) {
	_, web := serving(t)
	status, raw := post(t, web.URL+"/api/ask", `{"sql": "SELECT OrderID, Freight FROM Orders ORDER BY OrderID", "max_rows": 5}`, "application/json")
	var answer struct {
		RequestID string `json:"request_id"`
		Frame     struct {
			Truncated *struct {
				TotalRows int64 `json:"total_rows"`
			} `json:"truncated"`
		} `json:"frame"`
	}
	if err := json.Unmarshal([]byte(raw), &answer); err != nil || answer.Frame.Truncated == nil {
		t.Fatalf("%d %s", status, raw)
	}
	status, set := openResult(t, web.URL, `{"answer_to": "`+answer.RequestID+`"}`)
	if status != http.StatusOK || set.Rows != answer.Frame.Truncated.TotalRows || len(set.Columns) != 2 || set.Changed {
		t.Fatalf("%d %+v", status, set)
	}
	at := web.URL + "/api/results/" + set.ID
	if status, got := rowsOf(t, at+"/rows?offset=2&limit=2&columns=0"); status != http.StatusOK || got != "0=10250\n0=10251" {
		t.Errorf("%d %q", status, got)
	}
	status, raw = post(t, at+"/view", `{"sort": [{"column": 1, "descending": true}], "filters": [{"column": 1, "op": "at_most", "value": "10"}]}`, "application/json")
	var view ResultSet
	if err := json.Unmarshal([]byte(raw), &view); err != nil || status != http.StatusOK || view.ID == set.ID || view.Rows == 0 || view.Rows >= set.Rows {
		t.Fatalf("%d %s", status, raw)
	}
	var sums ResultSums
	get(t, at+"/sums?from=0&to=2&columns=0,1", &sums)
	if len(sums.Columns) != 2 || sums.Columns[0].Sum != "20497" || sums.Columns[1].Count != 2 {
		t.Errorf("%+v", sums)
	}
	var cell ResultCell
	get(t, at+"/cell?row=0&column=0", &cell)
	if cell.Text != "10248" || cell.Null {
		t.Errorf("%+v", cell)
	}
	for path, want := range map[string]int{"/rows?offset=0&limit=10001": 422, "/rows?offset=0&limit=1&columns=9": 400, "/rows?offset=0&limit=1&columns=a": 400} {
		if status, body := rowsOf(t, at+path); status != want {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if status, _ := rowsOf(t, web.URL+"/api/results/s_none/rows?offset=0&limit=1"); status != http.StatusNotFound {
		t.Errorf("a result that is none: %d", status)
	}
}

func TestATableWithoutWhatIsPersonal(t *testing.T) {
	_, web := serving(t)
	status, set := openResult(t, web.URL, `{"table": "orders"}`)
	if status != http.StatusOK || set.Rows != 830 {
		t.Fatalf("%d %+v", status, set)
	}
	status, set = openResult(t, web.URL, `{"table": "employees"}`)
	if status != http.StatusOK || len(set.LeftOut) == 0 {
		t.Fatalf("%d %+v", status, set)
	}
	for _, c := range set.Columns {
		for _, name := range set.LeftOut {
			if c.Name == name {
				t.Errorf("%s is personal and shown", name)
			}
		}
	}
	for _, body := range []string{`{"table": "no_such"}`, `{}`, `{"table": "orders", "answer_to": "x"}`, `{"answer_to": "x"}`} {
		if status, _ := openResult(t, web.URL, body); status == http.StatusOK {
			t.Errorf("%s: %d", body, status)
		}
	}
}

// TestAResultIsForWhoMaySeeItsTables narrows the role of the person after a result was opened.
func TestAResultIsForWhoMaySeeItsTables(t *testing.T) {
	server, web := serving(t)
	_, set := openResult(t, web.URL, `{"table": "orders"}`)
	folder := filepath.Join(server.ws.Dir(), "rules")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	roles := "default_role: narrow\nroles:\n  - {name: narrow, schemas: [main], tables: [Products], steward: true}\n"
	if err := os.WriteFile(filepath.Join(folder, "roles.yaml"), []byte(roles), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, body := post(t, web.URL+"/api/results", `{"table": "orders"}`, "application/json"); status == http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	if status, body := rowsOf(t, web.URL+"/api/results/"+url.PathEscape(set.ID)+"/rows?offset=0&limit=1"); status == http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
}

func TestFacetsOfAResult(t *testing.T) {
	_, web := serving(t)
	_, set := openResult(t, web.URL, `{"table": "orders"}`)
	country := -1
	for i, c := range set.Columns {
		if c.Name == "ShipCountry" {
			country = i
		}
	}
	var facet store.Facet
	status, raw := post(t, web.URL+"/api/results/"+set.ID+"/facet", fmt.Sprintf(`{"column": %d, "request_id": "r1"}`, country), "application/json")
	if err := json.Unmarshal([]byte(raw), &facet); err != nil || status != http.StatusOK || facet.Rows != 830 || len(facet.Values) != 21 || facet.Values[0].Rows != 122 {
		t.Fatalf("%d %s", status, raw)
	}
	status, raw = post(t, web.URL+"/api/results/"+set.ID+"/view", fmt.Sprintf(`{"filters": [{"column": %d, "op": "one_of", "one_of": {"values": [%q]}}]}`, country, facet.Values[0].Value), "application/json")
	if !strings.Contains(raw, `"rows":122`) {
		t.Errorf("%d %s", status, raw)
	}
	if status, raw := post(t, web.URL+"/api/results/s_none/facet", `{"column": 0}`, "application/json"); status != http.StatusNotFound {
		t.Errorf("%d %s", status, raw)
	}
}

// TestPersonalValuesAreNotCounted opens rows of a statement that shows names of people: they are marked, and not counted.
func TestPersonalValuesAreNotCounted(t *testing.T) {
	_, web := serving(t)
	_, raw := post(t, web.URL+"/api/ask", `{"sql": "SELECT LastName, City FROM Employees", "max_rows": 5}`, "application/json")
	var answer struct {
		RequestID string `json:"request_id"`
		Frame     struct {
			Columns []frameql.Column `json:"columns"`
		} `json:"frame"`
	}
	if err := json.Unmarshal([]byte(raw), &answer); err != nil || len(answer.Frame.Columns) != 2 || !answer.Frame.Columns[0].Personal || answer.Frame.Columns[1].Personal {
		t.Fatalf("%v %s", err, raw)
	}
	_, set := openResult(t, web.URL, `{"answer_to": "`+answer.RequestID+`"}`)
	if status, raw := post(t, web.URL+"/api/results/"+set.ID+"/facet", `{"column": 0}`, "application/json"); status < 400 || !strings.Contains(raw, "personal") {
		t.Errorf("%d %s", status, raw)
	}
	if status, raw := post(t, web.URL+"/api/results/"+set.ID+"/facet", `{"column": 1}`, "application/json"); status != http.StatusOK {
		t.Errorf("%d %s", status, raw)
	}
}
