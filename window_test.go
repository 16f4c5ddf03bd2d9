package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/backend/text"
)

// Every exported method of the bound struct can be called by any script in the page, so that each is reviewed here. None takes a
// path, a query, a role or a person: an opaque id is all that there is.
func TestTheWindowIsOneThinFacade(t *testing.T) {
	reviewed := map[string][]string{
		"PickFiles": nil, "OpenExternal": {"id string"}, "SaveExport": {"id string"}, "SaveImage": {"token string"},
		"Ready": nil, "TryGraphics": nil, "AllowNotices": nil,
		"Notify": {"what string", "id string"}, // a word of a table, and an id that comes back: no text of the page is shown
	}
	found := 0
	for _, d := range declarations(t) {
		method, ok := d.(*ast.FuncDecl)
		if !ok || method.Recv == nil || !method.Name.IsExported() || receiver(method) != "Window" {
			continue
		}
		found++
		want, known := reviewed[method.Name.Name]
		var got []string
		for _, p := range method.Type.Params.List {
			kind, ok := p.Type.(*ast.Ident)
			for _, name := range p.Names {
				if ok {
					got = append(got, name.Name+" "+kind.Name)
				} else {
					got = append(got, name.Name)
				}
			}
		}
		if !known || !slices.Equal(got, want) {
			t.Errorf("%s(%s) is bound to the page and was not reviewed", method.Name.Name, strings.Join(got, ", "))
		}
	}
	if found != len(reviewed) {
		t.Errorf("%d methods found, %d reviewed", found, len(reviewed))
	}
}

// declarations are those of every file of this package that may be built with a window, tests left out.
func declarations(t *testing.T) []ast.Decl {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil || len(paths) < 5 {
		t.Fatal(paths, err)
	}
	var all []ast.Decl
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f.Decls...)
	}
	return all
}

func receiver(method *ast.FuncDecl) string {
	kind := method.Recv.List[0].Type
	if pointer, ok := kind.(*ast.StarExpr); ok {
		kind = pointer.X
	}
	name, _ := kind.(*ast.Ident)
	return name.Name
}

// What the options of the window must say: one thing is bound, no other origin may call it, and the framework's log, which would
// write whole messages with their arguments, says nothing. What ships has no inspector.
func TestTheWindowIsClosed(t *testing.T) {
	raw, err := os.ReadFile("app.go")
	if err != nil {
		t.Fatal(err)
	}
	source := string(raw)
	for _, must := range []string{"Bind:               []any{w},", "Logger:             silent{},", "DisableWebViewDrop: true"} {
		if !strings.Contains(source, must) {
			t.Errorf("app.go no longer says %q", must)
		}
	}
	if strings.Contains(source, "BindingsAllowedOrigins") || strings.Contains(source, "Debug:") {
		t.Error("app.go opens the window to others")
	}
	silent := regexp.MustCompile(`(?m)^func \(silent\) (\w+)\(string\) +\{(.*)\}$`).FindAllStringSubmatch(source, -1)
	for _, m := range silent {
		if strings.TrimSpace(m[2]) != "" {
			t.Errorf("the log writes: %s", m[0])
		}
	}
	if len(silent) != 7 {
		t.Errorf("%d methods of the log are empty, want 7", len(silent))
	}
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	if tags := regexp.MustCompile(`(?m)^WINDOW_TAGS.*$`).FindString(string(makefile)); tags == "" || strings.Contains(tags, "dev") || strings.Contains(tags, "debug") || strings.Contains(tags, "drive") {
		t.Errorf("the window is built with %q", tags)
	}
	driver, err := os.ReadFile("drive.go")
	if err != nil || !strings.HasPrefix(string(driver), "//go:build desktop && drive\n") {
		t.Errorf("the driver of the tests is in other builds too: %v", err)
	}
}

// Every entry of the menu bar is a command that the page has, with the keys that the page has for it, under a sentence that is there;
// what the page says by a key of the window has no second meaning in the menu.
func TestTheMenuSaysWhatThePageDoes(t *testing.T) {
	commands := map[string]string{} // id -> keys
	found := regexp.MustCompile(`(?s)\{\s*id: '([\w.]+)',(.*?)(?:act:|\},\n)`)
	keys := regexp.MustCompile(`keys: '([^']+)'`)
	read := func(path string) string {
		raw, err := os.ReadFile(filepath.Join("frontend", "src", path))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	add := func(id, body string) {
		commands[id] = ""
		if m := keys.FindStringSubmatch(body); m != nil {
			commands[id] = m[1]
		}
	}
	source := read("lib/commands.ts")
	for _, m := range found.FindAllStringSubmatch(source, -1) {
		add(m[1], m[2])
	}
	for _, m := range regexp.MustCompile(`choice: '(\w+)'`).FindAllStringSubmatch(source, -1) {
		add("theme."+m[1], "")
	}
	for _, view := range strings.Split(read("views/index.ts"), "place: '")[1:] {
		name, body, _ := strings.Cut(view, "'")
		add("go."+name, body)
	}
	if len(commands) < 15 {
		t.Fatalf("only %d commands were found: %v", len(commands), commands)
	}
	edits := read("lib/desktop.ts")
	seen := map[string]bool{}
	for _, group := range menus() {
		if strings.HasPrefix(text.Say(group.label), "[") {
			t.Errorf("%s has no name", group.label)
		}
		for _, e := range group.entries {
			if e.command == "" {
				continue
			}
			if seen[e.command] || strings.HasPrefix(text.Say(e.label), "[") {
				t.Errorf("%s stands twice, or has no name", e.command)
			}
			seen[e.command] = true
			if verb, ok := strings.CutPrefix(e.command, "edit."); ok {
				if !slices.Contains([]string{"undo", "redo", "cut", "copy", "paste", "selectAll"}, verb) || !strings.Contains(edits, "execCommand") {
					t.Errorf("%s is nothing that a field does", e.command)
				}
				continue
			}
			known, ok := commands[e.command]
			// A key without Ctrl or Alt is the page's: a menu would take it away from whoever writes.
			if want := known; !ok || e.keys != "" && e.keys != want || e.keys == "" && strings.ContainsAny(want, "+") {
				t.Errorf("%s: the menu has keys %q, the page %q (there: %v)", e.command, e.keys, known, ok)
			}
		}
	}
}

// The words of the page for what ended are those that the shell knows, and each is a sentence without a place for data.
func TestNoticesSayNoData(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("frontend", "src", "lib", "notices.ts"))
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`(?m)^  (\w+): '(window\.notify\.\w+)',$`).FindAllStringSubmatch(string(raw), -1)
	if len(said) != len(notices()) {
		t.Errorf("the page has %d words, the shell %d", len(said), len(notices()))
	}
	for _, m := range said {
		if notices()[m[1]] != m[2] || strings.ContainsAny(text.Say(m[2]), "{[|") {
			t.Errorf("%s: %s and %s, %q", m[1], m[2], notices()[m[1]], text.Say(m[2]))
		}
	}
}
