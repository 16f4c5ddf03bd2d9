package sqlgate

import (
	"reflect"
	"strings"
	"sync"

	"vitess.io/vitess/go/vt/sqlparser"
)

// newVitess makes the parser, which reads as MySQL 8 does, when it is first needed.
var newVitess = sync.OnceValues(func() (*sqlparser.Parser, error) {
	return sqlparser.New(sqlparser.Options{MySQLServerVersion: "8.4.0"})
})

// walkVitess walks the tree of Vitess' parser.
func walkVitess(w *walk, sql string) {
	p, err := newVitess()
	if err != nil {
		w.refuse(ruleDisagree)
		return
	}
	var pieces []string
	var statement sqlparser.Statement
	err = guarded(func() (err error) {
		if pieces, err = p.SplitStatementToPieces(sql); err == nil && len(pieces) == 1 {
			statement, err = p.ParseStrictDDL(sql)
		}
		return err
	})
	if err == nil && len(pieces) != 1 {
		w.refuse(ruleMultiple)
		return
	}
	if err != nil {
		w.refuse(ruleSyntax)
		return
	}
	switch statement.(type) {
	case *sqlparser.Select, *sqlparser.Union, *sqlparser.ValuesStatement:
		vitessWalk{w}.visit(statement, nil)
	default:
		w.refuse(ruleKind)
	}
}

type vitessWalk struct{ *walk }

// visit walks a node in a scope. A query with common table expressions is walked without them in the scope that they make.
func (w vitessWalk) visit(root sqlparser.SQLNode, s *scope) {
	err := sqlparser.Walk(func(in sqlparser.SQLNode) (bool, error) {
		if in == nil || reflect.ValueOf(in).Kind() == reflect.Pointer && reflect.ValueOf(in).IsNil() {
			return false, nil
		}
		if !w.list.nodes[strings.TrimPrefix(reflect.TypeOf(in).String(), "*")] {
			w.unknown(in)
			return false, nil
		}
		switch n := in.(type) {
		case *sqlparser.Select:
			w.locks(n.Lock, n.Into)
			if n.With != nil {
				inner := *n
				inner.With = nil
				w.visit(&inner, w.with(n.With, s))
				return false, nil
			}
		case *sqlparser.Union:
			w.locks(n.Lock, n.Into)
			if n.With != nil {
				inner := *n
				inner.With = nil
				w.visit(&inner, w.with(n.With, s))
				return false, nil
			}
		case *sqlparser.ValuesStatement:
			if n.With != nil {
				w.refuse(ruleNode)
			}
		case sqlparser.ListArg: // VALUES has an empty one where it lists its rows
			if n != "" {
				w.refuse(ruleParameter)
			}
		case *sqlparser.AliasedTableExpr:
			if t, ok := n.Expr.(sqlparser.TableName); ok {
				w.mysqlTable(t.Qualifier.String(), t.Name.String(), s)
			}
		case *sqlparser.FuncExpr:
			if n.Qualifier.String() != "" {
				w.refuse(ruleMethod)
			}
			w.call(n.Name.String(), scalar, aggregate)
		}
		return true, nil
	}, root)
	if err != nil {
		w.refuse(ruleNode)
	}
}

func (w vitessWalk) unknown(in sqlparser.SQLNode) {
	switch in.(type) {
	case *sqlparser.Variable, *sqlparser.AssignmentExpr:
		w.refuse(ruleVariable)
	case *sqlparser.Argument:
		w.refuse(ruleParameter)
	case *sqlparser.SelectInto:
		w.refuse(ruleInto)
	default:
		w.refuse(ruleNode)
	}
}

func (w vitessWalk) locks(lock sqlparser.Lock, into *sqlparser.SelectInto) {
	if lock != sqlparser.NoLock {
		w.refuse(ruleLock)
	}
	if into != nil {
		w.refuse(ruleInto)
	}
}

// with walks common table expressions as tidbWalk.with does.
func (w vitessWalk) with(n *sqlparser.With, s *scope) *scope {
	for _, c := range n.CTEs {
		name := c.ID.String()
		if set, ok := c.Subquery.(*sqlparser.Union); ok && n.Recursive && set.With == nil {
			first := set
			for {
				left, ok := first.Left.(*sqlparser.Union)
				if !ok || left.With != nil {
					break
				}
				first = left
			}
			w.visit(first.Left, s)
			w.arms(set, first, s.with(name))
		} else {
			w.visit(c.Subquery, s)
		}
		s = s.with(name)
	}
	return s
}

// arms walks a set operation without its first arm.
func (w vitessWalk) arms(set, first *sqlparser.Union, s *scope) {
	w.locks(set.Lock, set.Into)
	w.visit(set.OrderBy, s)
	if set.Limit != nil {
		w.visit(set.Limit, s)
	}
	w.visit(set.Right, s)
	if set != first {
		w.arms(set.Left.(*sqlparser.Union), first, s)
	}
}
