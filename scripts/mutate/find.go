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

var allKinds = []string{"negate", "never", "drop", "compare", "refuse", "return"}

type fate int

const (
	killed     fate = iota
	survived        // the tests pass
	unreached       // the tests pass and never come across it
	equivalent      // listed as one that means the same
)

func (f fate) String() string {
	return [...]string{"killed", "SURVIVED", "SURVIVED (never reached)", "equivalent"}[f]
}

// mutant is one change of a part of a file. The text around that part makes it depend on a number at run time.
type mutant struct {
	file, in      string // the function it stands in
	line, col     int
	kind          string
	start, end    int // bytes
	before, after func(on string) string
	was, becomes  string
	fate          fate
}

func (m *mutant) String() string { return fmt.Sprintf("%s:%d:%d %s", m.file, m.line, m.col, m.name()) }

// name is what a mutant is called in the list of equivalent ones: without its line, which changes with every edit.
func (m *mutant) name() string {
	return fmt.Sprintf("%s %s: %s -> %s", m.in, m.kind, short(m.was), short(m.becomes))
}

func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 90 {
		s = s[:87] + "..."
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
	in     string // the function it is in
	source []byte
	set    *token.FileSet
	kinds  []string
	calls  *regexp.Regexp
	all    []*mutant
	last   map[ast.Stmt]bool // statements after which the function or the round of the loop ends
	conds  map[ast.Expr]bool // conditions that are negated as a whole

	skipped map[ast.Expr]bool // conditions that guard nothing
}

func findIn(file string, kinds []string, calls *regexp.Regexp) ([]*mutant, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f := &finder{file: file, source: source, set: token.NewFileSet(), kinds: kinds, calls: calls, last: map[ast.Stmt]bool{}, conds: map[ast.Expr]bool{}, skipped: map[ast.Expr]bool{}}
	tree, err := parser.ParseFile(f.set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range tree.Decls {
		if fun, ok := d.(*ast.FuncDecl); ok && fun.Body != nil {
			f.in = fun.Name.Name
			f.ends(fun.Body.List)
			ast.Inspect(fun.Body, f.visit)
		}
	}
	slices.SortStableFunc(f.all, func(a, b *mutant) int { return a.start - b.start })
	return f.all, nil
}

// ends notes the last statement of a list, and the last ones within it: a jump to the end from there changes nothing, and
// a result from there is the only one.
func (f *finder) ends(list []ast.Stmt) {
	if len(list) == 0 {
		return
	}
	last := list[len(list)-1]
	f.last[last] = true
	switch x := last.(type) {
	case *ast.BlockStmt:
		f.ends(x.List)
	case *ast.LabeledStmt:
		f.ends([]ast.Stmt{x.Stmt})
	case *ast.IfStmt:
		f.ends(x.Body.List)
		if x.Else != nil {
			f.ends([]ast.Stmt{x.Else})
		}
	case *ast.SwitchStmt:
		f.endsOfCases(x.Body)
	case *ast.TypeSwitchStmt:
		f.endsOfCases(x.Body)
	}
}

func (f *finder) endsOfCases(body *ast.BlockStmt) {
	for _, s := range body.List {
		if clause, ok := s.(*ast.CaseClause); ok {
			f.ends(clause.Body)
		}
	}
}

func (f *finder) visit(n ast.Node) bool {
	if e, ok := n.(ast.Expr); ok && f.skipped[e] {
		return false
	}
	switch x := n.(type) {
	case *ast.GenDecl:
		return x.Tok != token.CONST
	case *ast.FuncLit:
		f.ends(x.Body.List)
	case *ast.ForStmt:
		f.rounds(x.Body.List)
		for _, part := range []ast.Node{x.Init, x.Body} {
			if part != nil {
				ast.Inspect(part, f.visit)
			}
		}
		return false
	case *ast.RangeStmt:
		f.rounds(x.Body.List)
	case *ast.IfStmt:
		if !f.guards(x.Body.List) {
			f.skipped[x.Cond] = true
			break
		}
		f.negate(x.Cond)
		if handsOn(x) {
			f.skipped[x.Cond] = true
			break
		}
		if !f.oneAct(x.Body.List) {
			f.never(x.Cond)
		}
		f.leave(x.Body.List)
	case *ast.SwitchStmt:
		for _, s := range x.Body.List {
			clause, ok := s.(*ast.CaseClause)
			if !ok || clause.List == nil {
				continue
			}
			for _, c := range clause.List {
				switch {
				case !f.guards(clause.Body):
					f.skipped[c] = true
				case x.Tag == nil:
					f.negate(c)
				}
			}
			f.leave(clause.Body)
		}
	case *ast.BinaryExpr:
		f.binary(x)
	case *ast.ExprStmt:
		if call, ok := x.X.(*ast.CallExpr); ok && f.calls.MatchString(calledName(call)) {
			f.add(x, mutant{kind: "refuse", becomes: "nothing", before: unless, after: closed})
		}
	}
	return true
}

// rounds notes the ends of the body of a loop. A return from there is no end of its function.
func (f *finder) rounds(body []ast.Stmt) {
	inner := &finder{last: map[ast.Stmt]bool{}}
	inner.ends(body)
	for s := range inner.last {
		if b, ok := s.(*ast.BranchStmt); ok && b.Tok == token.CONTINUE && b.Label == nil {
			f.last[s] = true
		}
	}
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

func unless(on string) string { return "if !" + on + " { " }
func closed(string) string    { return " }" }

func (f *finder) negate(cond ast.Expr) {
	f.conds[cond] = true
	f.add(cond, mutant{
		kind: "negate", becomes: "!(" + f.text(cond) + ")",
		before: func(on string) string { return "(" + on + " != (" }, after: func(string) string { return "))" },
	})
}

func (f *finder) never(cond ast.Expr) {
	f.add(cond, mutant{
		kind: "never", becomes: "false",
		before: func(on string) string { return "(!" + on + " && (" }, after: func(string) string { return "))" },
	})
}

// guards says whether a block is one that a guard stands before: it ends with a jump, or it refuses or warns.
func (f *finder) guards(body []ast.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	switch body[len(body)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return f.refuses(body)
}

// refuses says whether a block refuses or warns.
func (f *finder) refuses(body []ast.Stmt) bool {
	found := false
	for _, s := range body {
		ast.Inspect(s, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			found = found || ok && f.calls.MatchString(calledName(call))
			return !found
		})
	}
	return found
}

// handsOn says whether a statement only hands on that something is not there: if x == nil || !ok { return nil, false }.
// What is missing was refused where it was looked for.
func handsOn(x *ast.IfStmt) bool {
	if len(x.Body.List) != 1 || x.Else != nil || !missing(x.Cond) {
		return false
	}
	out, ok := x.Body.List[0].(*ast.ReturnStmt)
	if !ok {
		return false
	}
	for _, r := range out.Results {
		switch v := r.(type) {
		case *ast.Ident, *ast.BasicLit, *ast.UnaryExpr:
		case *ast.CompositeLit:
			if len(v.Elts) > 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// missing says whether a condition is made of x == nil and !ok.
func missing(cond ast.Expr) bool {
	switch x := cond.(type) {
	case *ast.UnaryExpr:
		_, name := x.X.(*ast.Ident)
		return x.Op == token.NOT && name
	case *ast.BinaryExpr:
		if x.Op == token.LOR {
			return missing(x.X) && missing(x.Y)
		}
		zero, ok := x.Y.(*ast.Ident)
		return x.Op == token.EQL && ok && zero.Name == "nil"
	}
	return false
}

// oneAct says whether a guarded block is only what the kinds refuse and return take away.
func (f *finder) oneAct(body []ast.Stmt) bool {
	if len(body) != 1 {
		return false
	}
	switch x := body[0].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := x.X.(*ast.CallExpr)
		return ok && f.calls.MatchString(calledName(call))
	}
	return false
}

// leave takes away the jump at the end of a guarded block, unless the code behind it ends as well.
func (f *finder) leave(body []ast.Stmt) {
	if len(body) == 0 {
		return
	}
	last := body[len(body)-1]
	if f.last[last] || f.refuses(body) {
		return
	}
	switch last.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		f.add(last, mutant{kind: "return", becomes: "nothing", before: unless, after: closed})
	}
}

func (f *finder) binary(x *ast.BinaryExpr) {
	left, right := f.text(x.X), f.text(x.Y)
	around := func(part ast.Expr, kept string, before string) {
		f.add(part, mutant{
			kind: "drop", was: f.text(x), becomes: kept,
			before: func(on string) string { return "(" + fmt.Sprintf(before, on) + " (" }, after: func(string) string { return "))" },
		})
	}
	swapped := map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "=="}
	switch {
	case x.Op == token.LAND:
		around(x.Y, left, "%s ||")
		around(x.X, right, "%s ||")
	case x.Op == token.LOR:
		around(x.Y, left, "!%s &&")
		around(x.X, right, "!%s &&")
	case swapped[x.Op] != "" && !(f.conds[x] && (x.Op == token.EQL || x.Op == token.NEQ)):
		becomes := left + " " + swapped[x.Op] + " " + right
		f.add(x, mutant{
			kind: "compare", becomes: becomes,
			before: func(on string) string { return "(" + on + " && (" + becomes + ") || !" + on + " && (" }, after: func(string) string { return "))" },
		})
	}
}

func (f *finder) offset(p token.Pos) int { return f.set.Position(p).Offset }

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.offset(n.Pos()):f.offset(n.End())])
}

func (f *finder) add(n ast.Node, m mutant) {
	if !slices.Contains(f.kinds, m.kind) {
		return
	}
	at := f.set.Position(n.Pos())
	m.file, m.in, m.line, m.col, m.start, m.end = f.file, f.in, at.Line, at.Column, at.Offset, f.offset(n.End())
	if m.was == "" {
		m.was = f.text(n)
	}
	f.all = append(f.all, &m)
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

// excuse marks the mutants that are listed as equivalent. A line is a path, the name of the mutant as it is printed, two
// signs # and the reason.
func excuse(all []*mutant, o options) error {
	source, err := os.ReadFile(o.equivalent)
	if err != nil {
		return err
	}
	for i, line := range strings.Split(string(source), "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, _ := strings.Cut(line, " ## ")
		file, name, _ := strings.Cut(name, " ")
		if strings.TrimSpace(reason) == "" {
			return fmt.Errorf("%s:%d: no reason stands behind ##", o.equivalent, i+1)
		}
		found := false
		for _, m := range all {
			if m.file == file && m.name() == name {
				m.fate, found = equivalent, true
			}
		}
		if !found && slices.ContainsFunc(all, func(m *mutant) bool { return m.file == file }) {
			return fmt.Errorf("%s:%d: there is no such mutant any more", o.equivalent, i+1)
		}
	}
	return nil
}
