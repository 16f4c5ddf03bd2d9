package text

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// keyed finds quoted catalogue keys in Go, TypeScript and Svelte: "store.file_empty".
var keyed = regexp.MustCompile("[\"'`]([a-z]+(?:\\.[a-z0-9_]+)+)[\"'`]")

// TestEveryKeyIsThereAndUsed reads the sources: a key that the code says and the catalogue lacks would show in brackets,
// and one that nobody says is dead weight for a translator.
func TestEveryKeyIsThereAndUsed(t *testing.T) {
	known := catalogue()
	prefixes := map[string]bool{}
	for key := range known {
		prefixes[strings.SplitN(key, ".", 2)[0]] = true
	}
	said := map[string]bool{}
	called := regexp.MustCompile(`(?:text\.Say|say|t)\(\s*["'` + "`" + `]([a-z]+\.[a-z0-9_.]+)["'` + "`" + `]`)
	sources(t, func(path, body string) {
		for _, m := range keyed.FindAllStringSubmatch(body, -1) {
			said[m[1]] = true
		}
		for _, m := range called.FindAllStringSubmatch(body, -1) {
			if _, ok := known[m[1]]; !ok && !strings.HasSuffix(m[1], ".") {
				t.Errorf("%s says %q, which the catalogue lacks", path, m[1])
			}
		}
	})
	// A key may be put together from a fixed beginning and a code: "refusal." + code. Such a beginning is said as a whole.
	for key := range known {
		if said[key] || saidInParts(said, key) {
			continue
		}
		t.Errorf("nobody says %q", key)
	}
}

func saidInParts(said map[string]bool, key string) bool {
	parts := strings.Split(key, "_")
	for i := len(parts) - 1; i > 0; i-- {
		if said[strings.Join(parts[:i], "_")] {
			return true
		}
	}
	dot := strings.LastIndex(key, ".")
	return dot > 0 && said[key[:dot]]
}

// TestOtherLanguagesMatch checks that a translation knows no other keys and no other placeholders than English.
func TestOtherLanguagesMatch(t *testing.T) {
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	english := catalogue()
	placeholder := regexp.MustCompile(`\{[a-z_]+\}`)
	for _, e := range entries {
		if e.Name() == "en.json" {
			continue
		}
		raw, err := files.ReadFile(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		other := map[string]string{}
		if err := json.Unmarshal(raw, &other); err != nil {
			t.Fatalf("%s: %v", e.Name(), err)
		}
		for key, value := range other {
			for _, p := range placeholder.FindAllString(value, -1) {
				if !strings.Contains(english[key], p) {
					t.Errorf("%s: %s has the placeholder %s, English has not", e.Name(), key, p)
				}
			}
		}
	}
}

func TestSayFillsPlaceholders(t *testing.T) {
	if got := Say("workspace.no_data", "name", "x{y}"); !strings.Contains(got, "x{y}") || strings.Contains(got, "{name}") {
		t.Errorf("got %q", got)
	}
	if got := Say("no.such_key"); got != "[no.such_key]" {
		t.Errorf("got %q", got)
	}
}

func sources(t *testing.T, visit func(path, body string)) {
	t.Helper()
	for _, root := range []string{"../../backend", "../../frontend/src", "../../app.go", "../../main.go"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			switch filepath.Ext(path) {
			case ".go", ".ts", ".svelte":
				body, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				visit(path, string(body))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
