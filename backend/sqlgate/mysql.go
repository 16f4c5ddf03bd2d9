package sqlgate

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	tidb "github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	"github.com/pingcap/tidb/pkg/parser/test_driver" // the parser wants values of some kind; these are the small ones
)

// checkMySQL judges a statement of MySQL or MariaDB. Neither has an authoritative parser in Go, so two must read the
// statement, both find only what is allowed, and both find the same tables.
//
//	statement ─┬─ JSON_TABLE(…) as a subquery ─▶ TiDB's parser   ─▶ nodes, functions, tables ─┐
//	           └─ TABLE t as SELECT * FROM t ──▶ Vitess' parser ─▶ nodes, functions, tables ─┴▶ the same tables?
//
// Each lacks one construct that the other has; it is shown to it as another one that holds the same tables and expressions.
// What runs is the text as it was given.
//
// What is a string depends on sql_mode. A statement that is another one without backslash escapes, or with ANSI_QUOTES, must be
// allowed as that too.
func checkMySQL(w *walk, sql string, tokens []token) {
	for _, hint := range hints(sql) {
		if !allowedHint(hint) {
			w.refuse(ruleVariable)
			return
		}
	}
	text, ok := forTiDB(sql, tokens)
	if !ok {
		w.refuse(ruleNode)
		return
	}
	found := walkTiDB(w, text, mysql.ModeNone, tokens)
	if w.rule != "" {
		return
	}
	second := newWalk(w.dialect, w.list, Policy{}, w.kind)
	second.access = w.access
	walkVitess(second, forVitess(sql, tokens))
	if second.rule != "" {
		w.refuse(second.rule, second.pairs...)
		return
	}
	if !slices.Equal(sorted(found), sorted(second.objects)) {
		w.refuse(ruleDisagree)
		return
	}
	w.otherModes(sql, text, tokens)
}

// otherModes reads a statement as a server would whose sql_mode makes other strings of it.
func (w *walk) otherModes(sql, text string, tokens []token) {
	if strings.Contains(sql, `\`) {
		ran, other := unescaped(sql)
		if ran != "" && !sameTokens(other, tokens) && (len(kindsOf(other)) != 1 || !w.passes(ran, mysql.ModeNoBackslashEscapes, other)) {
			w.refuse(ruleAmbiguous)
			return
		}
	}
	if strings.Contains(sql, `"`) && !w.passes(text, mysql.ModeANSIQuotes, tokens) {
		w.refuse(ruleAmbiguous)
	}
}

// unescaped gives what a server would run of a text if a backslash were a letter like any other. Servers run the statements of
// a text one by one: what cannot be read, such as a quote that never ends, saves only what stands behind it.
func unescaped(sql string) (ran string, tokens []token) {
	tokens, rule := scan(ansi, sql)
	end := len(tokens)
	for i, t := range tokens {
		if t.is(`\`) && !(i+1 < len(tokens) && tokens[i+1].start == t.end && strings.HasPrefix(tokens[i+1].text, "N")) { // \N is NULL
			end, rule = i, ruleSyntax
			break
		}
	}
	if rule == "" {
		return sql, tokens
	}
	for end--; end >= 0; end-- {
		if tokens[end].is(";") {
			return sql[:tokens[end].start], tokens[:end]
		}
	}
	return "", nil
}

// sameTokens says whether two readings of a text split it alike.
func sameTokens(a, b []token) bool {
	return slices.EqualFunc(a, b, func(x, y token) bool { return x.start == y.start && x.end == y.end })
}

// passes says whether a statement would be allowed under a sql_mode.
func (w *walk) passes(sql string, mode mysql.SQLMode, tokens []token) bool {
	again := newWalk(w.dialect, w.list, Policy{}, w.kind)
	again.access = w.access
	walkTiDB(again, sql, mode, tokens)
	return again.rule == ""
}

// guarded runs a parser of others. Where one panics, it could not read the statement.
func guarded(parse func() error) (err error) {
	defer func() {
		if broke := recover(); broke != nil {
			err = fmt.Errorf("the parser broke: %v", broke)
		}
	}()
	return parse()
}

// walkTiDB walks the tree of TiDB's parser and gives the base tables.
func walkTiDB(w *walk, sql string, mode mysql.SQLMode, tokens []token) map[string]bool {
	var statements []ast.StmtNode
	err := guarded(func() (err error) {
		p := tidb.New()
		p.SetSQLMode(mode)
		statements, _, err = p.ParseSQL(sql)
		return err
	})
	if err != nil {
		w.refuseKind(tokens)
		return nil
	}
	if len(statements) != 1 {
		w.refuseKind(tokens)
		w.refuse(ruleMultiple)
		return nil
	}
	switch statements[0].(type) {
	case *ast.SelectStmt, *ast.SetOprStmt:
		tidbWalk{w}.visit(statements[0], nil)
	default:
		w.refuseKind(tokens)
		w.refuse(ruleKind)
	}
	return w.objects
}

type tidbWalk struct{ *walk }

// visit walks a node in a scope.
func (w tidbWalk) visit(n ast.Node, s *scope) {
	n.Accept(&tidbVisitor{w, s})
}

// tidbVisitor is a walk in one scope. A query opens another one, so each is visited by a visitor of its own.
type tidbVisitor struct {
	tidbWalk
	scope *scope
}

func (v *tidbVisitor) Leave(n ast.Node) (ast.Node, bool) { return n, true }

func (v *tidbVisitor) Enter(in ast.Node) (out ast.Node, skip bool) {
	if !v.list.nodes[reflect.TypeOf(in).Elem().String()] {
		v.unknown(in)
		return in, true
	}
	switch n := in.(type) {
	case *ast.SelectStmt:
		return in, v.selects(n)
	case *ast.SetOprStmt:
		if n.With != nil {
			inner := *n
			inner.With = nil
			v.visit(&inner, v.with(n.With, v.scope))
			return in, true
		}
	case *ast.SetOprSelectList:
		if n.With != nil {
			inner := *n
			inner.With = nil
			v.visit(&inner, v.with(n.With, v.scope))
			return in, true
		}
	case *ast.TableName:
		v.tableName(n)
	case *ast.Join:
		if n.Right != nil {
			v.shape.Joins++
		}
	case *ast.SubqueryExpr:
		v.shape.Subqueries++
		if n.Query == nil {
			v.refuse(ruleNode)
		}
	case *ast.FuncCallExpr:
		v.funcCall(n)
	case *ast.AggregateFuncExpr:
		v.shape.Aggregates++
		v.call(n.F, aggregate)
	case *ast.WindowFuncExpr:
		v.shape.Windows++
		v.call(n.Name, aggregate)
	}
	return in, false
}

// unknown refuses a node whose kind is not on the list, by what it is where that is known.
func (v *tidbVisitor) unknown(in ast.Node) {
	switch in.(type) {
	case *ast.VariableExpr:
		v.refuse(ruleVariable)
	case *test_driver.ParamMarkerExpr:
		v.refuse(ruleParameter)
	default:
		v.refuse(ruleNode)
	}
}

func (v *tidbVisitor) selects(n *ast.SelectStmt) (skip bool) {
	switch {
	case n.SelectIntoOpt != nil:
		v.refuse(ruleInto)
	case n.LockInfo != nil && n.LockInfo.LockType != ast.SelectLockNone:
		v.refuse(ruleLock)
	case n.With != nil:
		inner := *n
		inner.With = nil
		v.visit(&inner, v.with(n.With, v.scope))
	default:
		return false
	}
	return true
}

// with walks common table expressions. One that is recursive is known to itself behind its anchor, the first arm; a name in the
// anchor, or one of an expression further behind, is a table of the database, whatever the server makes of it.
func (w tidbWalk) with(n *ast.WithClause, s *scope) *scope {
	for _, c := range n.CTEs {
		w.shape.CTEs++
		name := c.Name.O
		if n.IsRecursive {
			if set, ok := c.Query.Query.(*ast.SetOprStmt); ok && set.With == nil && len(set.SelectList.Selects) > 1 && set.SelectList.With == nil {
				w.visit(set.SelectList.Selects[0], s)
				rest := *set
				list := *set.SelectList
				list.Selects = list.Selects[1:]
				rest.SelectList = &list
				w.visit(&rest, s.with(name))
				s = s.with(name)
				continue
			}
		}
		w.visit(c.Query.Query, s)
		s = s.with(name)
	}
	return s
}

func (v *tidbVisitor) tableName(n *ast.TableName) {
	if n.AsOf != nil || n.TableSample != nil {
		v.refuse(ruleNode)
	}
	v.mysqlTable(n.Schema.O, n.Name.O, v.scope)
}

// mysqlTable judges a table of either parser. A common table expression is told from a table by its exact name: where the
// server compares without case, the table is judged though it is not read.
func (w *walk) mysqlTable(schema, name string, s *scope) {
	if schema == "" && (s.has(name) || lower(name) == "dual") {
		return
	}
	w.table("", schema, name)
}

func (v *tidbVisitor) funcCall(n *ast.FuncCallExpr) {
	if n.Schema.O != "" {
		v.refuse(ruleMethod)
		return
	}
	name := lower(strings.TrimPrefix(n.FnName.O, "'tidb`.(")) // as the parser names DATE '…'
	v.call(name, scalar)
	if v.list.functions[name].has(bounded) {
		for _, a := range n.Args {
			if x, ok := tidbNumber(a, 0); ok && (math.Abs(x) > largest || math.IsNaN(x)) {
				v.refuse(ruleBound)
			}
		}
	}
}

// tidbNumber computes an expression of constants.
func tidbNumber(n ast.ExprNode, depth int) (float64, bool) {
	if depth > 100 {
		return 0, false
	}
	switch x := n.(type) {
	case *test_driver.ValueExpr:
		text := ""
		switch v := x.GetValue().(type) {
		case int64:
			return float64(v), true
		case uint64:
			return float64(v), true
		case string:
			text = v
		case *test_driver.MyDecimal:
			text = v.String()
		case float64:
			return v, true
		}
		f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		return f, err == nil || math.IsInf(f, 0)
	case *ast.ParenthesesExpr:
		return tidbNumber(x.Expr, depth+1)
	case *ast.FuncCastExpr:
		return tidbNumber(x.Expr, depth+1)
	case *ast.UnaryOperationExpr:
		f, ok := tidbNumber(x.V, depth+1)
		return -f, ok && (x.Op == opcode.Minus || x.Op == opcode.Plus)
	case *ast.BinaryOperationExpr:
		l, ok := tidbNumber(x.L, depth+1)
		r, ok2 := tidbNumber(x.R, depth+1)
		return arithmetic(map[opcode.Op]string{opcode.Plus: "+", opcode.Minus: "-", opcode.Mul: "*", opcode.Div: "/", opcode.IntDiv: "//", opcode.LeftShift: "<<"}[x.Op], l, r, ok && ok2)
	case *ast.FuncCallExpr:
		if len(x.Args) == 2 && (lower(x.FnName.O) == "pow" || lower(x.FnName.O) == "power") {
			l, ok := tidbNumber(x.Args[0], depth+1)
			r, ok2 := tidbNumber(x.Args[1], depth+1)
			return arithmetic("pow", l, r, ok && ok2)
		}
	}
	return 0, false
}
