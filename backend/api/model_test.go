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

	"assay/backend/semantic"
	"assay/backend/workspace"
)

func catalogued(t *testing.T, base string) ModelCatalogue {
	t.Helper()
	var c ModelCatalogue
	if status := get(t, base+"/api/model", &c); status != http.StatusOK {
		t.Fatalf("the model gave %d", status)
	}
	return c
}

func entry(t *testing.T, c ModelCatalogue, id string) semantic.Entry {
	t.Helper()
	i := slices.IndexFunc(c.Objects, func(e semantic.Entry) bool { return e.ID == id })
	if i < 0 {
		t.Fatalf("%s is not in the model", id)
	}
	return c.Objects[i]
}

func fileOf(t *testing.T, base, path string) (f workspace.ContextFile, status int) {
	t.Helper()
	return f, get(t, base+"/api/model/file?path="+url.QueryEscape(path), &f)
}

func saved(t *testing.T, base string, edits ...workspace.ContextEdit) (int, string) {
	t.Helper()
	raw, err := json.Marshal(ModelEdits{edits})
	if err != nil {
		t.Fatal(err)
	}
	return post(t, base+"/api/model/save", string(raw), "application/json")
}

// TestSkillsAreListed with what they say; a file that is wrong is named with its line, and nothing of either is shown to who may not see everything.
func TestSkillsAreListed(t *testing.T) {
	server, web := serving(t)
	c := catalogued(t, web.URL)
	if len(c.Skills) != 1 || c.Skills[0].Name != "seasonality_check" || c.Skills[0].Says == "" || len(c.SkillProblems) != 0 {
		t.Errorf("%+v %+v", c.Skills, c.SkillProblems)
	}
	writeIn(t, server, "skills/wrong.star", "x = 1\ny = z\n")
	if c = catalogued(t, web.URL); len(c.Skills) != 1 || len(c.SkillProblems) != 1 || c.SkillProblems[0].File != "skills/wrong.star" || c.SkillProblems[0].Line != 2 {
		t.Errorf("%+v %+v", c.Skills, c.SkillProblems)
	}
	writeIn(t, server, "rules/roles.yaml", "default_role: clerk\nroles:\n  - {name: clerk, schemas: [main], tables: [Orders]}\n  - {name: steward, schemas: [\"*\"], tables: [\"*\"], steward: true}\n")
	if c = catalogued(t, web.URL); len(c.Skills)+len(c.SkillProblems) != 0 {
		t.Errorf("%+v %+v", c.Skills, c.SkillProblems)
	}
}

func TestTheModelIsListedWithWhatUsesWhat(t *testing.T) {
	_, web := serving(t)
	c := catalogued(t, web.URL)
	revenue := entry(t, c, "metric/revenue")
	if revenue.File == "" || revenue.Line == 0 || !slices.Contains(revenue.Uses, "entity/order_lines") || !slices.ContainsFunc(revenue.Uses, func(id string) bool { return strings.HasPrefix(id, "dimension/order_lines.") }) {
		t.Errorf("revenue is %+v", revenue)
	}
	value := entry(t, c, "metric/average_order_value")
	if !slices.Contains(value.Uses, "metric/revenue") || !slices.Contains(revenue.UsedBy, value.ID) {
		t.Errorf("%v uses %v, revenue is used by %v", value.ID, value.Uses, revenue.UsedBy)
	}
	kinds := map[string]int{}
	ids := map[string]bool{}
	for _, e := range c.Objects {
		kinds[e.Kind]++
		if ids[e.ID] {
			t.Errorf("%s is there twice", e.ID)
		}
		ids[e.ID] = true
	}
	for _, kind := range []string{"entity", "dimension", "metric", "join", "gotcha", "golden", "guide", "memo"} {
		if kinds[kind] == 0 {
			t.Errorf("there is no %s", kind)
		}
	}
	for _, e := range c.Objects {
		for _, id := range e.Uses {
			if !ids[id] {
				t.Errorf("%s uses %s, which is not there", e.ID, id)
			}
		}
	}
}

// TestAnEditIsCheckedAndSaved goes the way of a form: read, change fields, check, save; then the model is another one.
func TestAnEditIsCheckedAndSaved(t *testing.T) {
	server, web := serving(t)
	before := catalogued(t, web.URL)
	revenue := entry(t, before, "metric/revenue")
	file, status := fileOf(t, web.URL, revenue.File)
	if status != http.StatusOK || file.Hash == "" {
		t.Fatalf("%s gave %d", revenue.File, status)
	}
	mode, err := os.Stat(filepath.Join(server.ws.Dir(), file.Path))
	if err != nil {
		t.Fatal(err)
	}
	edited := told[workspace.ContextFile](t, web.URL+"/api/model/fields", map[string]any{"text": file.Text, "line": revenue.Line, "fields": []map[string]any{
		{"key": "label", "text": "Turnover"}, {"key": "synonyms", "many": true, "list": []string{"takings"}},
	}})
	edit := workspace.ContextEdit{Path: file.Path, Text: edited.Text, Base: file.Hash}
	check := told[ModelCheck](t, web.URL+"/api/model/check", map[string]any{"files": []workspace.ContextEdit{edit}})
	if len(check.Problems) > 0 || len(check.Changes) != 1 || check.Changes[0].Kind != "changed" || len(check.Changes[0].Fields) != 2 {
		t.Fatalf("the check says %+v", check)
	}
	if now, _ := fileOf(t, web.URL, file.Path); now.Text != file.Text {
		t.Error("a check wrote the file")
	}
	if status, body := saved(t, web.URL, edit); status != http.StatusOK {
		t.Fatalf("saving gave %d %s", status, body)
	}
	after := catalogued(t, web.URL)
	if got := entry(t, after, "metric/revenue"); got.Label != "Turnover" || after.Model.Version == before.Model.Version || after.Model.Stale {
		t.Errorf("the model did not change: %+v", got)
	}
	if a := ask(t, web.URL, `{"question":"takings by category in 1997"}`); a.RequestID == "" {
		t.Error("a new word is not understood")
	}
	if status, body := saved(t, web.URL, edit); status != http.StatusConflict || !strings.Contains(body, "changed by somebody else") {
		t.Errorf("saving over what nobody saw gave %d %s", status, body)
	}
	if info, err := os.Stat(filepath.Join(server.ws.Dir(), file.Path)); err != nil || info.Mode() != mode.Mode() {
		t.Errorf("the file's mode is %v: %v", info, err)
	}
}

func TestAnEditThatIsWrongIsSaidAtItsLineAndNotSaved(t *testing.T) {
	_, web := serving(t)
	file, _ := fileOf(t, web.URL, "context/metrics/revenue.yaml")
	for _, c := range []struct{ text, says string }{
		{strings.Replace(file.Text, "metric: revenue", "metric: revenue\ncolour: red", 1), "colour"},
		{file.Text + "\nlabel: [", ""},
		{strings.Replace(file.Text, "entity: order_lines", "entity: nowhere", 1), "nowhere"},
	} {
		edit := workspace.ContextEdit{Path: file.Path, Text: c.text, Base: file.Hash}
		check := told[ModelCheck](t, web.URL+"/api/model/check", map[string]any{"files": []workspace.ContextEdit{edit}})
		if len(check.Problems) == 0 || check.Problems[0].File != file.Path || check.Problems[0].Line == 0 || !strings.Contains(check.Problems[0].Message, c.says) || len(check.Changes) > 0 {
			t.Errorf("%.60q: %+v", c.text, check)
		}
		if status, _ := saved(t, web.URL, edit); status != http.StatusBadRequest {
			t.Errorf("%.60q was saved: %d", c.text, status)
		}
	}
	if now, _ := fileOf(t, web.URL, file.Path); now.Hash != file.Hash {
		t.Error("something was written")
	}
	for _, path := range []string{"../secret.yaml", "context/../../x.yaml", "/etc/passwd", "rules/roles.yaml", ".assay/memory.sqlite", "context/.hidden.yaml", "context/metrics/a.sh", "context"} {
		if _, status := fileOf(t, web.URL, path); status != http.StatusBadRequest {
			t.Errorf("%s gave %d", path, status)
		}
		if status, _ := saved(t, web.URL, workspace.ContextEdit{Path: path, Text: "x: y"}); status != http.StatusBadRequest {
			t.Errorf("writing %s gave %d", path, status)
		}
	}
}

// TestLinksLeadNowhere: a file of the context layer that is a link is neither read nor written.
func TestLinksLeadNowhere(t *testing.T) {
	server, web := serving(t)
	target := filepath.Join(t.TempDir(), "outside.yaml")
	if err := os.WriteFile(target, []byte("secret: yes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(server.ws.Dir(), "context/metrics/link.yaml")); err != nil {
		t.Skip("no links here")
	}
	if _, status := fileOf(t, web.URL, "context/metrics/link.yaml"); status != http.StatusBadRequest {
		t.Errorf("a link was followed: %d", status)
	}
}

func TestOnlyWhoMayChangesTheModel(t *testing.T) {
	server, web := serving(t)
	file, _ := fileOf(t, web.URL, "context/metrics/revenue.yaml")
	edit := workspace.ContextEdit{Path: file.Path, Text: file.Text + "\n", Base: file.Hash}
	for _, roles := range []string{
		"default_role: clerk\nroles:\n  - {name: clerk, schemas: [\"*\"], tables: [\"*\"]}\n  - {name: steward, schemas: [\"*\"], tables: [\"*\"], steward: true}\n" +
			"actors:\n  - {id: ana, kind: human, role: steward, binds: {os_users: [somebody-else]}}\n",
		"default_role: clerk\nroles:\n  - {name: clerk, schemas: [main], tables: [Orders]}\n  - {name: steward, schemas: [\"*\"], tables: [\"*\"], steward: true}\n",
	} {
		writeIn(t, server, "rules/roles.yaml", roles)
		if c := catalogued(t, web.URL); c.MayWrite || c.Model.Stale {
			t.Errorf("%.40s: may write %v, %s", roles, c.MayWrite, c.Model.Problem)
		}
		if status, _ := saved(t, web.URL, edit); status != http.StatusForbidden {
			t.Errorf("saving gave %d", status)
		}
	}
	c := catalogued(t, web.URL)
	for _, e := range c.Objects {
		if strings.Contains(e.ID, "customers") || strings.Contains(e.Description, "Customers") {
			t.Errorf("a role that sees one table is told of %s", e.ID)
		}
	}
	if _, status := fileOf(t, web.URL, file.Path); status != http.StatusForbidden {
		t.Errorf("a file that names everything was read: %d", status)
	}
}
