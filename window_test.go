package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every exported method of the bound struct can be called by any script in the page, so that each is reviewed here. None takes a
// path, a query, a role or a person: an opaque id is all that there is.
func TestTheWindowIsOneThinFacade(t *testing.T) {
	reviewed := map[string][]string{"PickFiles": nil, "OpenExternal": {"id string"}, "SaveExport": {"id string"}}
	f, err := parser.ParseFile(token.NewFileSet(), "app.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, d := range f.Decls {
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
	if tags := regexp.MustCompile(`(?m)^WINDOW_TAGS.*$`).FindString(string(makefile)); tags == "" || strings.Contains(tags, "dev") || strings.Contains(tags, "debug") {
		t.Errorf("the window is built with %q", tags)
	}
}
