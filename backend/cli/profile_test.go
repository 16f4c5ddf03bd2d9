package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/workspace"
)

// TestProfileTellsWhatTheWindowTells: of a table, of all of them, of a file, in words and as JSON.
func TestProfileTellsWhatTheWindowTells(t *testing.T) {
	t.Setenv("ASSAY_HOME", t.TempDir())
	file := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(file, []byte("id,town,email\n1,Rome,a@example.org\n2,Rome,b@example.org\n3,Paris,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	profile := func(status int, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if got := Main(append([]string{"profile"}, args...), Program{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}); got != status {
			t.Fatalf("%v: status %d: %s", args, got, errs.String())
		}
		return out.String() + errs.String()
	}
	words := profile(0, file)
	for _, fact := range []string{"people: 3 rows", "town  text  0.0% missing, 2 different, Paris to Rome, most often Rome (66.7%), Paris (33.3%)", "email  text  33.3% missing, 2 different, personal (email)"} {
		if !strings.Contains(words, fact) {
			t.Errorf("%q is missing in\n%s", fact, words)
		}
	}
	var p workspace.TableProfile
	raw := profile(0, "--data", file, "--json", "people")
	if err := json.Unmarshal([]byte(raw), &p); err != nil || p.Rows != 3 || p.Columns[1].Top[0].Value != "Rome" || strings.Contains(raw, "example.org") {
		t.Errorf("%v %s", err, raw)
	}
	if err := json.Unmarshal([]byte(profile(0, "--data", file, "--json", "--sample-rows", "2", "people")), &p); err != nil || p.Looked != 2 {
		t.Errorf("%v %+v", err, p)
	}
	if said := profile(1, "--data", file, "nowhere"); !strings.Contains(said, "nowhere") {
		t.Error(said)
	}
	profile(2, "a", "b")
}
