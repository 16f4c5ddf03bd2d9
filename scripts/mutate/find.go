package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var allKinds = []string{"negate", "drop", "compare", "refuse", "return"}

type fate int

const (
	broken fate = iota // it does not compile
	killed
	survived
)

// mutant is one change: a part of a file and what stands there instead.
type mutant struct {
	file       string
	line, col  int
	kind       string
	start, end int // bytes
	text       string
	was        string
	fate       fate
}

func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d:%d %s: %s -> %s", m.file, m.line, m.col, m.kind, short(m.was), short(m.text))
}

func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 90 {
		s = s[:87] + "..."
	}
	if s == "" {
		return "nothing"
	}
	return s
}

// find gives every mutant of the files, in the order of their places.
func find(o options) ([]*mutant, error) {
	calls, err := regexp.Compile("(?i)" + o.calls)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, pattern := range strings.Split(o.files, ",") {
		found, err := filepath.Glob(filepath.Join(o.pkg, strings.TrimSpace(pattern)))
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	files = slices.DeleteFunc(slices.Compact(files), func(f string) bool { return strings.HasSuffix(f, "_test.go") })
	if len(files) == 0 {
		return nil, fmt.Errorf("no file of %s matches %s", o.pkg, o.files)
	}
	var all []*mutant
	for _, file := range files {
		found, err := findIn(file, strings.Split(o.kinds, ","), calls)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// finder collects the mutants of one file.
type finder struct {
	file   string
	source []byte
	set    *token.FileSet
	kinds  []string
	calls  *regexp.Regexp
	all    []*mutant
}

func findIn(file string, kinds []string, calls *regexp.Regexp) ([]*mutant, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f := &finder{file: file, source: source, set: token.NewFileSet(), kinds: kinds, calls: calls}
	tree, err := parser.ParseFile(f.set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(tree, f.visit)
	slices.SortStableFunc(f.all, func(a, b *mutant) int { return a.start - b.start })
	return f.all, nil
}

func (f *finder) visit(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.IfStmt:
		f.negate(x.Cond)
		f.leave(x.Body.List)
	case *ast.SwitchStmt:
		for _, s := range x.Body.List {
			clause, ok := s.(*ast.CaseClause)
			if !ok {
				continue
			}
			if x.Tag == nil && len(clause.List) == 1 {
				f.negate(clause.List[0])
			}
			if clause.List != nil {
				f.leave(clause.Body)
			}
		}
	case *ast.BinaryExpr:
		f.binary(x)
	case *ast.ExprStmt:
		if call, ok := x.X.(*ast.CallExpr); ok && f.calls.MatchString(calledName(call)) {
			f.add("refuse", x, "_ = func() { "+f.text(x)+" }") // what it uses stays in use
		}
	}
	return true
}

func calledName(call *ast.CallExpr) string {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

func (f *finder) negate(cond ast.Expr) { f.add("negate", cond, "!("+f.text(cond)+")") }

// leave takes away the jump at the end of a guarded block.
func (f *finder) leave(body []ast.Stmt) {
	if len(body) == 0 {
		return
	}
	switch last := body[len(body)-1].(type) {
	case *ast.ReturnStmt:
		used := ""
		for _, r := range last.Results {
			if _, call := r.(*ast.CallExpr); call && len(last.Results) > 1 {
				used += "_ = " + f.text(r) + "; "
			}
		}
		f.add("return", last, used)
	case *ast.BranchStmt:
		f.add("return", last, "")
	}
}

func (f *finder) binary(x *ast.BinaryExpr) {
	swapped := map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "=="}
	switch {
	case x.Op == token.LAND || x.Op == token.LOR:
		f.add("drop", x, f.text(x.X))
		f.add("drop", x, f.text(x.Y))
	case swapped[x.Op] != "":
		f.add("compare", x, f.text(x.X)+" "+swapped[x.Op]+" "+f.text(x.Y))
	}
}

func (f *finder) offset(p token.Pos) int { return f.set.Position(p).Offset }

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.offset(n.Pos()):f.offset(n.End())])
}

func (f *finder) add(kind string, n ast.Node, text string) {
	if !slices.Contains(f.kinds, kind) {
		return
	}
	at := f.set.Position(n.Pos())
	if _, operand := n.(*ast.BinaryExpr); operand {
		text = "(" + text + ")" // it may stand within a larger expression
	}
	f.all = append(f.all, &mutant{
		file: f.file, line: at.Line, col: at.Column, kind: kind, start: at.Offset, end: f.offset(n.End()), text: text, was: f.text(n),
	})
}

// draw takes n of the mutants, the same ones for the same seed, in their order.
func draw(all []*mutant, n int, seed uint64) []*mutant {
	if n == 0 || n >= len(all) {
		return all
	}
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))[:n]
	slices.Sort(order)
	var some []*mutant
	for _, i := range order {
		some = append(some, all[i])
	}
	return some
}
