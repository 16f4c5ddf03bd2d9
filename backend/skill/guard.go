package skill

import (
	"go.starlark.net/syntax"

	"assay/backend/text"
)

// The names that the guarded tree calls. No file can write them.
const (
	opName     = "·op"
	methodName = "·method"
	attrName   = "·attr"
	heldName   = "·held" // gives back what it weighed
)

// guardError is a construct that skills do not have.
type guardError struct {
	pos     syntax.Position
	message string
}

func (e *guardError) Error() string { return e.message }

// guard changes a tree so that everything whose cost does not show in its number of steps is measured when it runs.
func guard(f *syntax.File) (err error) {
	defer func() {
		if r := recover(); r != nil {
			bad, ok := r.(*guardError)
			if !ok {
				panic(r)
			}
			err = bad
		}
	}()
	stmts(f.Stmts)
	return nil
}

func refuse(n syntax.Node, what string) {
	start, _ := n.Span()
	panic(&guardError{start, text.Say("skill.not_here", "what", what)})
}

func stmts(all []syntax.Stmt) {
	for _, s := range all {
		stmt(s)
	}
}

func stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.AssignStmt:
		assign(s)
	case *syntax.BranchStmt:
	case *syntax.DefStmt:
		params(s.Params)
		stmts(s.Body)
	case *syntax.ExprStmt:
		s.X = expr(s.X)
	case *syntax.ForStmt:
		target(s.Vars)
		s.X = expr(s.X)
		stmts(s.Body)
	case *syntax.IfStmt:
		s.Cond = expr(s.Cond)
		stmts(s.True)
		stmts(s.False)
	case *syntax.ReturnStmt:
		if s.Result != nil {
			s.Result = expr(s.Result)
		}
	case *syntax.LoadStmt:
		refuse(s, "load")
	default:
		refuse(s, "while")
	}
}

// augmented are the operators behind += and its like.
var augmented = map[syntax.Token]syntax.Token{
	syntax.PLUS_EQ: syntax.PLUS, syntax.MINUS_EQ: syntax.MINUS, syntax.STAR_EQ: syntax.STAR, syntax.SLASH_EQ: syntax.SLASH, syntax.SLASHSLASH_EQ: syntax.SLASHSLASH,
	syntax.PERCENT_EQ: syntax.PERCENT, syntax.AMP_EQ: syntax.AMP, syntax.PIPE_EQ: syntax.PIPE, syntax.CIRCUMFLEX_EQ: syntax.CIRCUMFLEX, syntax.LTLT_EQ: syntax.LTLT, syntax.GTGT_EQ: syntax.GTGT,
}

// assign writes x += y as x = x + y, so that the operation is measured. What stands on the left is worked out twice, and may therefore call nothing.
func assign(s *syntax.AssignStmt) {
	if s.Op == syntax.EQ {
		s.RHS = expr(s.RHS)
		target(s.LHS)
		return
	}
	op, ok := augmented[s.Op]
	if !ok || calls(s.LHS) {
		refuse(s, s.Op.String())
	}
	s.RHS = expr(&syntax.BinaryExpr{X: copied(s.LHS), OpPos: s.OpPos, Op: op, Y: s.RHS})
	s.Op = syntax.EQ
	target(s.LHS)
}

func calls(e syntax.Expr) bool {
	found := false
	syntax.Walk(e, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CallExpr, *syntax.DotExpr, *syntax.Comprehension, *syntax.LambdaExpr, *syntax.TupleExpr, *syntax.ListExpr, *syntax.DictExpr, *syntax.BinaryExpr, *syntax.SliceExpr:
			found = true
		}
		return !found
	})
	return found
}

// copied gives an expression of names, literals and indices once more: the tree must not hold a node twice.
func copied(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		return &syntax.Ident{NamePos: e.NamePos, Name: e.Name}
	case *syntax.Literal:
		c := *e
		return &c
	case *syntax.ParenExpr:
		return &syntax.ParenExpr{Lparen: e.Lparen, X: copied(e.X), Rparen: e.Rparen}
	case *syntax.IndexExpr:
		return &syntax.IndexExpr{X: copied(e.X), Lbrack: e.Lbrack, Y: copied(e.Y), Rbrack: e.Rbrack}
	case *syntax.UnaryExpr:
		return &syntax.UnaryExpr{OpPos: e.OpPos, Op: e.Op, X: copied(e.X)}
	case *syntax.CondExpr:
		return &syntax.CondExpr{If: e.If, Cond: copied(e.Cond), True: copied(e.True), ElsePos: e.ElsePos, False: copied(e.False)}
	}
	refuse(e, "+=")
	return nil
}

// target guards what is assigned to: names, elements, and tuples or lists of these.
func target(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.Ident:
	case *syntax.ParenExpr:
		target(e.X)
	case *syntax.TupleExpr:
		for _, x := range e.List {
			target(x)
		}
	case *syntax.ListExpr:
		for _, x := range e.List {
			target(x)
		}
	case *syntax.IndexExpr:
		e.X, e.Y = expr(e.X), expr(e.Y)
	default:
		refuse(e, "=")
	}
}

func params(all []syntax.Expr) {
	for _, p := range all {
		switch p := p.(type) {
		case *syntax.Ident:
		case *syntax.BinaryExpr: // with a default
			p.Y = expr(p.Y)
		default:
			refuse(p, "*args")
		}
	}
}

// expr gives an expression whose parts are guarded.
func expr(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident, *syntax.Literal:
	case *syntax.ParenExpr:
		e.X = expr(e.X)
	case *syntax.UnaryExpr:
		if e.X == nil {
			refuse(e, "*")
		}
		e.X = expr(e.X)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = expr(e.Cond), expr(e.True), expr(e.False)
	case *syntax.IndexExpr:
		e.X, e.Y = expr(e.X), expr(e.Y)
	case *syntax.ListExpr:
		list(e.List)
	case *syntax.DictExpr:
		list(e.List)
	case *syntax.DictEntry:
		e.Key, e.Value = expr(e.Key), expr(e.Value)
	case *syntax.LambdaExpr:
		params(e.Params)
		e.Body = expr(e.Body)
	case *syntax.Comprehension:
		for _, c := range e.Clauses {
			switch c := c.(type) {
			case *syntax.ForClause:
				target(c.Vars)
				c.X = expr(c.X)
			case *syntax.IfClause:
				c.Cond = expr(c.Cond)
			}
		}
		e.Body = expr(e.Body)
	case *syntax.TupleExpr:
		list(e.List)
		start, _ := e.Span()
		return call(heldName, start, e)
	case *syntax.SliceExpr:
		e.X = call(heldName, e.Lbrack, expr(e.X))
		e.Lo, e.Hi, e.Step = maybe(e.Lo), maybe(e.Hi), maybe(e.Step)
	case *syntax.DotExpr:
		return call(attrName, e.Dot, expr(e.X), literal(e.Name.Name, e.NamePos))
	case *syntax.CallExpr:
		return calling(e)
	case *syntax.BinaryExpr:
		e.X, e.Y = expr(e.X), expr(e.Y)
		if e.Op != syntax.AND && e.Op != syntax.OR {
			return call(opName, e.OpPos, literal(e.Op.String(), e.OpPos), e.X, e.Y)
		}
	default:
		refuse(e, "expression")
	}
	return e
}

func calling(e *syntax.CallExpr) syntax.Expr {
	for i, a := range e.Args {
		switch a := a.(type) {
		case *syntax.UnaryExpr:
			if a.Op == syntax.STAR || a.Op == syntax.STARSTAR {
				refuse(a, "*args")
			}
			e.Args[i] = expr(a)
		case *syntax.BinaryExpr:
			if a.Op == syntax.EQ { // of a name
				a.Y = expr(a.Y)
				continue
			}
			e.Args[i] = expr(a)
		default:
			e.Args[i] = expr(a)
		}
	}
	if dot, ok := e.Fn.(*syntax.DotExpr); ok {
		args := append([]syntax.Expr{expr(dot.X), literal(dot.Name.Name, dot.NamePos)}, e.Args...)
		return call(methodName, e.Lparen, args...)
	}
	e.Fn = expr(e.Fn)
	return e
}

func list(all []syntax.Expr) {
	for i := range all {
		all[i] = expr(all[i])
	}
}

func maybe(e syntax.Expr) syntax.Expr {
	if e == nil {
		return nil
	}
	return expr(e)
}

func call(name string, at syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}

func literal(s string, at syntax.Position) syntax.Expr {
	return &syntax.Literal{Token: syntax.STRING, TokenPos: at, Raw: syntax.Quote(s, false), Value: s}
}
