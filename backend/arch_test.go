package backend

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allowed is the import table: package -> the packages of this project that it may import. Everyone may import text.
var allowed = map[string][]string{
	"fault":                {},
	"text":                 {},
	"spelling":             {},
	"yamlfile":             {},
	"semantic":             {"yamlfile", "spelling", "fault"},
	"semantic/dbt":         {"semantic", "fault"},
	"compile":              {"semantic", "fault"},
	"frameql":              {"compile", "semantic", "spelling", "fault"},
	"compile/dialecttest":  {"semantic"},            // servers for tests, never imported by what ships
	"frameql/frameqltest":  {"frameql", "semantic"}, // the oracle of the tests, never imported by what ships
	"reuse":                {"compile", "semantic", "fault"},
	"interpret":            {"interpret/thesaurus", "interpret/timex", "interpret/valueindex", "frameql", "semantic", "spelling", "fault"},
	"interpret/thesaurus":  {},
	"interpret/timex":      {"frameql", "semantic", "fault"},
	"interpret/whatif":     {},
	"interpret/valueindex": {"spelling"},
	"risk":                 {"frameql", "semantic", "fault"},
	"retrieval":            {"semantic", "fault"},
	"rules":                {"rules/pii", "knowledge", "risk", "yamlfile", "semantic", "fault"},
	"rules/pii":            {"frameql", "semantic", "fault"},
	"session":              {"frameview", "frameql", "fault"},
	"frameview":            {"frameql"},
	"export":               {"frameql", "fault"},
	"chart":                {"frameview", "session", "frameql", "fault"},
	"chart/svg":            {"chart", "frameview", "session", "frameql"},
	"reading":              {"frameql", "semantic", "fault"},
	"printer":              {"fault"},
	"report":               {"analyst", "interpret", "chart", "chart/svg", "profile", "session", "frameview", "frameql", "fault"},
	"llm":                  {"fault"},
	"llm/anthropic":        {"llm", "fault"},
	"llm/openai":           {"llm", "fault"},
	"llm/ollama":           {"llm", "fault"},
	"llm/llmtest":          {"llm", "fault"}, // scripted minds for tests, never imported by what ships
	"secret":               {"fault"},
	"minds":                {"llm", "llm/anthropic", "llm/openai", "llm/ollama", "secret", "fault"},
	"tool":                 {"profile", "chart", "frameview", "session", "interpret", "reading", "frameql", "semantic", "spelling", "fault"},
	"skill":                {"tool", "frameview", "frameql", "semantic", "fault"},
	"prose":                {"session", "frameview", "frameql", "fault"},
	"mind":                 {"llm", "tool", "session", "semantic", "spelling", "fault"},
	"knowledge":            {"frameql", "fault"},
	"analyst":              {"knowledge", "llm", "mind", "tool", "prose", "chart", "frameview", "session", "interpret", "interpret/whatif", "rules", "risk", "frameql", "compile", "semantic", "fault"},
	"review":               {"analyst", "interpret", "knowledge", "rules", "session", "frameql", "semantic", "fault"},
	"git":                  {"fault"},
	"sqlgate":              {"fault"},
	"store":                {"store/sniff", "store/worker", "export", "sqlgate", "reuse", "compile", "frameql", "fault"},
	"store/sniff":          {"fault"},
	"store/worker":         {},
	"values":               {},
	"desktop":              {"fault"},
	"profile":              {"frameql", "semantic", "fault"},
	"memory":               {"analyst", "session", "knowledge", "fault"},
	"workspace":            {"review", "git", "knowledge", "mind", "fault", "semantic", "compile", "frameql", "interpret", "session", "rules", "rules/pii", "risk", "analyst", "chart", "reading", "store", "profile", "memory", "retrieval", "values", "export", "report", "printer", "context", "minds", "secret", "tool", "skill", "frameview", "llm"},
	"api":                  {"workspace", "review", "knowledge", "minds", "llm", "export", "profile", "analyst", "chart", "reading", "rules", "memory", "interpret", "session", "store", "values", "frameql", "semantic", "fault"},
	"cli":                  {"api", "report", "review", "knowledge", "minds", "secret", "export", "workspace", "profile", "analyst", "rules", "risk", "memory", "session", "store", "sqlgate", "frameql", "semantic", "semantic/dbt", "fault"},
	"main":                 {"api", "export", "cli", "desktop", "workspace", "fault"},
}

// drivers have one home each: import path prefix -> packages that may use it.
var drivers = map[string][]string{
	"github.com/duckdb/":              {"store", "store/worker"},
	"github.com/apache/arrow-go/":     {"store/worker", "export", "workspace"},
	"modernc.org/sqlite":              {"memory", "store"},
	"github.com/danielgtaylor/huma/":  {"api"},
	"github.com/wailsapp/wails/":      {"main"},
	"github.com/spf13/cobra":          {"cli"},
	"github.com/xuri/excelize/":       {"store", "export"},
	"github.com/goccy/go-yaml":        {"yamlfile", "rules", "semantic", "semantic/dbt", "interpret"},
	"github.com/philippgille/chromem": {"retrieval"},
	"github.com/pganalyze/pg_query":   {"sqlgate"},
	"github.com/pingcap/tidb/":        {"sqlgate"},
	"vitess.io/vitess":                {"sqlgate"},
	"github.com/jackc/pgx/":           {"compile/dialecttest"},
	"github.com/go-sql-driver/mysql":  {"compile/dialecttest"},
	"go.starlark.net/":                {"skill"},
	"github.com/anthropics/":          {"llm/anthropic"},
	"github.com/openai/":              {"llm/openai"},
	"github.com/ollama/":              {"llm/ollama"},
	"github.com/zalando/go-keyring":   {"secret"},
	"filippo.io/age":                  {"secret"},
	"golang.org/x/crypto/":            {"secret"},
	"github.com/go-git/":              {"git"},
	"github.com/godbus/dbus/":         {"secret", "main"},
}

// pure packages touch no file but through fs.FS, and no clock but the one they are given.
var pure = []string{"fault", "spelling", "yamlfile", "semantic", "semantic/dbt", "compile", "frameql", "reuse", "interpret", "interpret/thesaurus", "interpret/timex", "interpret/valueindex", "interpret/whatif", "risk", "rules", "rules/pii", "session", "frameview", "chart", "chart/svg", "reading", "analyst", "report", "tool", "skill", "mind", "prose", "knowledge", "review"}

const module = "assay/"

func TestImportTable(t *testing.T) {
	seen := map[string]bool{}
	eachFile(t, func(pkg, path string, imports []string) {
		may, known := allowed[pkg]
		if !known {
			t.Errorf("%s: package %s is not in the import table", path, pkg)
			return
		}
		seen[pkg] = true
		for _, imported := range imports {
			own, ok := strings.CutPrefix(imported, module)
			if !ok {
				for prefix, homes := range drivers {
					if strings.HasPrefix(imported, prefix) && !slices.Contains(homes, pkg) {
						t.Errorf("%s imports %s, whose home is %v", path, imported, homes)
					}
				}
				if slices.Contains(pure, pkg) && (imported == "os" || imported == "net/http" || imported == "database/sql" || imported == "math/rand") {
					t.Errorf("%s imports %s, and %s is pure", path, imported, pkg)
				}
				continue
			}
			own = strings.TrimPrefix(own, "backend/")
			if own != "text" && own != pkg && !slices.Contains(may, own) {
				t.Errorf("%s: %s may not import %s", path, pkg, own)
			}
		}
	})
	for pkg := range allowed {
		if !seen[pkg] {
			t.Errorf("the import table names %s, which is not there", pkg)
		}
	}
}

// TestPureCoreHasNoClock looks for time.Now in the pure packages.
func TestPureCoreHasNoClock(t *testing.T) {
	eachFile(t, func(pkg, path string, _ []string) {
		if !slices.Contains(pure, pkg) {
			return
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"time.Now()", "time.Sleep(", "time.Since("} {
			if strings.Contains(string(source), word) {
				t.Errorf("%s calls %s: time comes in as a value", path, word)
			}
		}
	})
}

// TestTheRaceDetectorForgetsNoPackage keeps true what the Makefile says of the packages that are tested under the race detector.
func TestTheRaceDetectorForgetsNoPackage(t *testing.T) {
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	variable := func(name string) string {
		_, value, _ := strings.Cut(string(makefile), "\n"+name+" ")
		value, _, _ = strings.Cut(strings.TrimLeft(value, " :="), "\n")
		if value == "" {
			t.Fatalf("the Makefile has no list %s", name)
		}
		return value
	}
	whole, some := strings.Fields(variable("RACED")), strings.Fields(variable("RACED_SOME"))
	words := strings.Split(variable("RACED_TESTS"), "|")

	elsewhere := append(strings.Fields(variable("RACED_LONG")), "cli", "main") // the last two start a server and a window, which the others make
	eachFile(t, func(pkg, path string, _ []string) {
		if startsGoroutine(t, path) && !slices.Contains(slices.Concat(whole, some, elsewhere), pkg) {
			t.Errorf("%s starts a goroutine, and the Makefile names %s nowhere: RACED, RACED_SOME, RACED_LONG", path, pkg)
		}
	})

	found := map[string]bool{}
	for _, pkg := range some {
		n := 0
		for _, test := range testsOf(t, pkg) {
			for _, word := range words {
				if strings.Contains(test, word) {
					found[word] = true
					n++
				}
			}
		}
		if n == 0 {
			t.Errorf("no test of %s has a word of RACED_TESTS: the race detector sees nothing of it", pkg)
		}
	}
	for _, word := range words {
		if !found[word] {
			t.Errorf("%s of RACED_TESTS is in the name of no test", word)
		}
	}
}

// startsGoroutine tells whether a file has a go statement, or calls something's method Go.
func startsGoroutine(t *testing.T, path string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	starts := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Go" {
				starts = true
			}
		}
		return true
	})
	return starts
}

// testsOf gives the names of a package's tests.
func testsOf(t *testing.T, pkg string) (names []string) {
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(pkg), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Test") {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names
}

// TestEveryPackageHasAComment keeps `go doc` useful.
func TestEveryPackageHasAComment(t *testing.T) {
	documented := map[string]bool{}
	eachFile(t, func(pkg, path string, _ []string) {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		documented[pkg] = documented[pkg] || f.Doc != nil
	})
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("package %s has no package comment", pkg)
		}
	}
}

// eachFile visits the Go files that ship: backend/* by folder name, and package main at the root.
func eachFile(t *testing.T, visit func(pkg, path string, imports []string)) {
	t.Helper()
	read := func(pkg, path string) {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		var imports []string
		for _, spec := range f.Imports {
			imports = append(imports, strings.Trim(spec.Path.Value, `"`))
		}
		visit(pkg, path, imports)
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		ships := strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && filepath.Dir(path) != "."
		if !d.IsDir() && ships {
			read(filepath.ToSlash(filepath.Dir(path)), path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"../main.go", "../app.go", "../headless.go"} {
		read("main", path)
	}
}
