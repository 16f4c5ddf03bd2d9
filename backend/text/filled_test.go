package text

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// placeholder is what a text leaves open: {file}.
var placeholder = regexp.MustCompile(`\{([a-z_]+)\}`)

// TestEveryPlaceholderIsFilled reads the calls in Go whose key stands in them: a placeholder that a call does not fill would be shown as it is.
func TestEveryPlaceholderIsFilled(t *testing.T) {
	known, calls := catalogue(), 0
	sources(t, func(path, body string) {
		if filepath.Ext(path) != ".go" {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, body, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || call.Ellipsis.IsValid() {
				return true
			}
			key, given := saidBy(call)
			if key == "" {
				return true
			}
			calls++
			for _, m := range placeholder.FindAllStringSubmatch(known[key], -1) {
				if !given[m[1]] {
					t.Errorf("%s: %q leaves {%s} open", path, key, m[1])
				}
			}
			return true
		})
	})
	if calls < 500 {
		t.Errorf("only %d calls were read", calls)
	}
}

// saidBy gives the key of a call of text.Say or text.Count and the names of its pairs; an empty key: it is another call, or one whose key
// or names are put together.
func saidBy(call *ast.CallExpr) (key string, given map[string]bool) {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", nil
	}
	if of, ok := f.X.(*ast.Ident); !ok || of.Name != "text" || len(call.Args) == 0 {
		return "", nil
	}
	rest := call.Args[1:]
	switch f.Sel.Name {
	case "Say":
	case "Count":
		rest = call.Args[2:]
	default:
		return "", nil
	}
	given = map[string]bool{}
	for i := 0; i < len(rest); i += 2 {
		name, ok := literal(rest[i])
		if !ok {
			return "", nil
		}
		given[name] = true
	}
	key, ok = literal(call.Args[0])
	if !ok || strings.HasSuffix(key, "_") {
		return "", nil
	}
	return key, given
}

func literal(e ast.Expr) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(l.Value)
	return s, err == nil
}
