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

// keyed finds quoted catalogue keys in Go, TypeScript, Svelte and templates: "store.file_empty".
var keyed = regexp.MustCompile("[\"'`]([a-z]+\\.[a-z0-9_.%]*)")

// TestEveryKeyIsThereAndUsed reads the sources: a key that the code says and the catalogue lacks would show in brackets,
// and one that nobody says is dead weight for a translator.
func TestEveryKeyIsThereAndUsed(t *testing.T) {
	known := catalogue()
	said := map[string]bool{}
	called := regexp.MustCompile(`(?:text\.(?:Say|Count)|say|count)\(\s*["'` + "`" + `]([a-z]+\.[a-z0-9_.]+)["'` + "`" + `]`)
	sources(t, func(path, body string) {
		for _, m := range keyed.FindAllStringSubmatch(body, -1) {
			fixed, _, _ := strings.Cut(m[1], "%") // a format: "analyst.month_%d"
			said[fixed] = true
		}
		for _, m := range called.FindAllStringSubmatch(body, -1) {
			if _, ok := known[m[1]]; !ok && !strings.HasSuffix(m[1], ".") && !strings.HasSuffix(m[1], "_") {
				t.Errorf("%s says %q, which the catalogue lacks", path, m[1])
			}
		}
	})
	for key := range known {
		if !said[key] && !saidInParts(said, key) {
			t.Errorf("nobody says %q", key)
		}
	}
}

// saidInParts says whether the code puts the key together: from a fixed beginning and a code ("store.type_" + name,
// entry("analyst.month", 3)), or from another key and "_hint".
func saidInParts(said map[string]bool, key string) bool {
	if base, ok := strings.CutSuffix(key, "_hint"); ok && said[base] {
		return true
	}
	for i, r := range key {
		if r == '_' && (said[key[:i]] || said[key[:i+1]]) || r == '.' && said[key[:i+1]] {
			return true
		}
	}
	return false
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
	window, err := filepath.Glob("../../*.go")
	if err != nil || len(window) == 0 {
		t.Fatal(window, err)
	}
	for _, root := range append(window, "../../backend", "../../frontend/src") {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			switch filepath.Ext(path) {
			case ".go", ".ts", ".svelte", ".html":
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

// TestNoKeyIsThereTwice reads each catalogue as text: of two entries with one key a decoder keeps the last and says nothing.
func TestNoKeyIsThereTwice(t *testing.T) {
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		body, err := files.ReadFile(entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, m := range regexp.MustCompile(`(?m)^\s*"([a-z0-9_.]+)":`).FindAllStringSubmatch(string(body), -1) {
			if seen[m[1]] {
				t.Errorf("%s has %q twice", entry.Name(), m[1])
			}
			seen[m[1]] = true
		}
	}
}
