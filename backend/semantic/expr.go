package semantic

import (
	"strconv"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// Expr is a parsed expression of a metric, a dimension or a filter. The grammar is small on purpose: it says the same
// in every SQL dialect, and package frameql renders it per dialect.
//
// Op is one of
//
//	ident                      Name holds the identifier, dotted when it was written with a dot
//	num str bool null          Text holds the literal: digits as written, the string unquoted, "true" or "false"
//	call                       Name holds the function in lower case, Args its arguments
//	+ - * /                    two Args
//	neg not is_null not_null   one Arg
//	= <> < <= > >= and or      two Args
//	in not_in                  Args[0] is the operand, the others are the list
//	case                       Args are when, then, when, then, ... and, with HasElse, the else at the end
//	metric_at                  Name holds a metric, Args the dimensions at which it is computed; of filters alone
//
// BETWEEN is read as two comparisons and a CASE with an operand as a CASE of equalities.
type Expr struct {
	Op      string
	Name    string
	Text    string
	Args    []*Expr
	HasElse bool
	Column  int // where it stands in the text, in characters, the first is 1
}

// ParseExpr reads an expression. The row-count expression "*" of a metric is not one. Every error is a fault.Invalid
// that names the column in the text and what was expected there.
func ParseExpr(s string) (*Expr, error) {
	tokens, err := scanExpr(s)
	if err != nil {
		return nil, err
	}
	p := &exprParser{source: s, tokens: tokens}
	e, err := p.or()
	if err != nil {
		return nil, err
	}
	if t := p.peek(); t.kind != tokenEnd {
		return nil, p.unexpected(t, text.Say("semantic.expr_an_operator"))
	}
	return e, nil
}

// Idents gives the identifiers of the expression in order of first appearance, each once, as they were written.
func (e *Expr) Idents() []string {
	var names []string
	seen := map[string]bool{}
	var walk func(*Expr)
	walk = func(x *Expr) {
		if x.Op == "metric_at" {
			return // its names are those of a grain
		}
		if x.Op == "ident" && !seen[x.Name] {
			seen[x.Name] = true
			names = append(names, x.Name)
		}
		for _, a := range x.Args {
			walk(a)
		}
	}
	walk(e)
	return names
}

// maxExprDepth bounds nesting, so that a hostile file cannot exhaust the stack.
const maxExprDepth = 200

type exprParser struct {
	source string
	tokens []exprToken
	at     int
	depth  int
}

func (p *exprParser) peek() exprToken { return p.tokens[p.at] }

func (p *exprParser) next() exprToken {
	t := p.tokens[p.at]
	if t.kind != tokenEnd {
		p.at++
	}
	return t
}

// word takes the next token when it is the given keyword.
func (p *exprParser) word(w string) bool {
	if t := p.peek(); t.kind == tokenWord && strings.EqualFold(t.text, w) {
		p.at++
		return true
	}
	return false
}

// mark takes the next token when it is the given punctuation.
func (p *exprParser) mark(m string) bool {
	if t := p.peek(); t.kind == tokenMark && t.text == m {
		p.at++
		return true
	}
	return false
}

func (p *exprParser) unexpected(t exprToken, expected string) error {
	found := text.Say("semantic.expr_the_end")
	if t.kind != tokenEnd {
		found = "\"" + t.text + "\""
	}
	return exprFault(p.source, t.column, text.Say("semantic.expr_expected", "expected", expected, "found", found))
}

func exprFault(source string, column int, what string) error {
	return fault.New(fault.Invalid, "parse expression",
		text.Say("semantic.expr_error", "expr", source, "column", strconv.Itoa(column), "what", what),
		text.Say("semantic.expr_hint"))
}

func (p *exprParser) or() (*Expr, error) {
	if p.depth++; p.depth > maxExprDepth {
		return nil, exprFault(p.source, p.peek().column, text.Say("semantic.expr_too_deep"))
	}
	defer func() { p.depth-- }()
	return p.chain(p.and, "or")
}

func (p *exprParser) and() (*Expr, error) { return p.chain(p.not, "and") }

// chain reads operand { word operand } as a left-leaning tree.
func (p *exprParser) chain(operand func() (*Expr, error), word string) (*Expr, error) {
	left, err := operand()
	if err != nil {
		return nil, err
	}
	for {
		column := p.peek().column
		if !p.word(word) {
			return left, nil
		}
		right, err := operand()
		if err != nil {
			return nil, err
		}
		left = &Expr{Op: word, Args: []*Expr{left, right}, Column: column}
	}
}

func (p *exprParser) not() (*Expr, error) {
	column := p.peek().column
	if !p.word("not") {
		return p.comparison()
	}
	if p.depth++; p.depth > maxExprDepth {
		return nil, exprFault(p.source, column, text.Say("semantic.expr_too_deep"))
	}
	defer func() { p.depth-- }()
	arg, err := p.not()
	if err != nil {
		return nil, err
	}
	return &Expr{Op: "not", Args: []*Expr{arg}, Column: column}, nil
}

var comparisonMarks = map[string]string{"=": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}

func (p *exprParser) comparison() (*Expr, error) {
	left, err := p.sum()
	if err != nil {
		return nil, err
	}
	t := p.peek()
	if op, ok := comparisonMarks[t.text]; ok && t.kind == tokenMark {
		p.next()
		right, err := p.sum()
		if err != nil {
			return nil, err
		}
		return &Expr{Op: op, Args: []*Expr{left, right}, Column: t.column}, nil
	}
	if p.word("is") {
		op := "is_null"
		if p.word("not") {
			op = "not_null"
		}
		if n := p.peek(); !p.word("null") {
			return nil, p.unexpected(n, "NULL")
		}
		return &Expr{Op: op, Args: []*Expr{left}, Column: t.column}, nil
	}
	negated := p.word("not")
	switch {
	case p.word("in"):
		list, err := p.list()
		if err != nil {
			return nil, err
		}
		op := "in"
		if negated {
			op = "not_in"
		}
		return &Expr{Op: op, Args: append([]*Expr{left}, list...), Column: t.column}, nil
	case p.word("between"):
		return p.between(left, negated, t.column)
	case negated:
		return nil, p.unexpected(p.peek(), "IN, BETWEEN")
	}
	return left, nil
}

func (p *exprParser) between(left *Expr, negated bool, column int) (*Expr, error) {
	low, err := p.sum()
	if err != nil {
		return nil, err
	}
	if n := p.peek(); !p.word("and") {
		return nil, p.unexpected(n, "AND")
	}
	high, err := p.sum()
	if err != nil {
		return nil, err
	}
	e := &Expr{Op: "and", Column: column, Args: []*Expr{
		{Op: ">=", Args: []*Expr{left, low}, Column: column},
		{Op: "<=", Args: []*Expr{left, high}, Column: column},
	}}
	if negated {
		e = &Expr{Op: "not", Args: []*Expr{e}, Column: column}
	}
	return e, nil
}

// list reads "(" expr { "," expr } ")".
func (p *exprParser) list() ([]*Expr, error) {
	if n := p.peek(); !p.mark("(") {
		return nil, p.unexpected(n, "\"(\"")
	}
	var all []*Expr
	for {
		e, err := p.or()
		if err != nil {
			return nil, err
		}
		all = append(all, e)
		if p.mark(",") {
			continue
		}
		if n := p.peek(); !p.mark(")") {
			return nil, p.unexpected(n, "\",\", \")\"")
		}
		return all, nil
	}
}

func (p *exprParser) sum() (*Expr, error) { return p.arithmetic(p.product, "+", "-") }

func (p *exprParser) product() (*Expr, error) { return p.arithmetic(p.unary, "*", "/") }

func (p *exprParser) arithmetic(operand func() (*Expr, error), one, other string) (*Expr, error) {
	left, err := operand()
	if err != nil {
		return nil, err
	}
	for {
		t := p.peek()
		if t.kind != tokenMark || t.text != one && t.text != other {
			return left, nil
		}
		p.next()
		right, err := operand()
		if err != nil {
			return nil, err
		}
		left = &Expr{Op: t.text, Args: []*Expr{left, right}, Column: t.column}
	}
}

func (p *exprParser) unary() (*Expr, error) {
	t := p.peek()
	if p.mark("+") {
		return p.unaryOperand(t.column)
	}
	if !p.mark("-") {
		return p.primary()
	}
	arg, err := p.unaryOperand(t.column)
	if err != nil {
		return nil, err
	}
	return &Expr{Op: "neg", Args: []*Expr{arg}, Column: t.column}, nil
}

func (p *exprParser) unaryOperand(column int) (*Expr, error) {
	if p.depth++; p.depth > maxExprDepth {
		return nil, exprFault(p.source, column, text.Say("semantic.expr_too_deep"))
	}
	defer func() { p.depth-- }()
	return p.unary()
}

func (p *exprParser) primary() (*Expr, error) {
	t := p.next()
	switch t.kind {
	case tokenNumber:
		return &Expr{Op: "num", Text: t.text, Column: t.column}, nil
	case tokenString:
		return &Expr{Op: "str", Text: t.text, Column: t.column}, nil
	case tokenQuoted:
		return p.dotted(t)
	case tokenMark:
		if t.text != "(" {
			break
		}
		e, err := p.or()
		if err != nil {
			return nil, err
		}
		if e.Op == "ident" && p.word("at") {
			return p.metricAt(e)
		}
		if n := p.peek(); !p.mark(")") {
			return nil, p.unexpected(n, "\")\"")
		}
		return e, nil
	case tokenWord:
		switch w := strings.ToLower(t.text); {
		case w == "true" || w == "false":
			return &Expr{Op: "bool", Text: w, Column: t.column}, nil
		case w == "null":
			return &Expr{Op: "null", Column: t.column}, nil
		case w == "case":
			return p.caseWhen(t.column)
		case reservedWords[w]:
		case p.peek().kind == tokenMark && p.peek().text == "(":
			return p.call(t)
		default:
			return p.dotted(t)
		}
	}
	return nil, p.unexpected(t, text.Say("semantic.expr_a_value"))
}

// reservedWords cannot be bare identifiers; in double quotes they can.
var reservedWords = map[string]bool{
	"and": true, "or": true, "not": true, "is": true, "in": true, "between": true,
	"when": true, "then": true, "else": true, "end": true,
}

func (p *exprParser) dotted(first exprToken) (*Expr, error) {
	e := &Expr{Op: "ident", Name: first.text, Column: first.column}
	for p.mark(".") {
		t := p.next()
		if t.kind != tokenWord && t.kind != tokenQuoted {
			return nil, p.unexpected(t, text.Say("semantic.expr_a_name"))
		}
		e.Name += "." + t.text
	}
	return e, nil
}

func (p *exprParser) call(name exprToken) (*Expr, error) {
	e := &Expr{Op: "call", Name: strings.ToLower(name.text), Column: name.column}
	f, ok := FunctionNamed(e.Name)
	if !ok {
		return nil, exprFault(p.source, name.column,
			text.Say("semantic.expr_unknown_function", "name", name.text, "known", strings.Join(functionNames(), ", ")))
	}
	args, err := p.list()
	if err != nil {
		return nil, err
	}
	if len(args) < f.MinArgs || f.MaxArgs >= 0 && len(args) > f.MaxArgs {
		return nil, exprFault(p.source, name.column,
			text.Say("semantic.expr_arity", "name", e.Name, "want", f.arity(), "got", strconv.Itoa(len(args))))
	}
	if f.Unit && (args[0].Op != "str" || !dateUnits[strings.ToLower(args[0].Text)]) {
		return nil, exprFault(p.source, args[0].Column, text.Say("semantic.expr_unit", "name", e.Name))
	}
	if f.Unit {
		args[0].Text = strings.ToLower(args[0].Text)
	}
	e.Args = args
	return e, nil
}

func (p *exprParser) caseWhen(column int) (*Expr, error) {
	e := &Expr{Op: "case", Column: column}
	var operand *Expr
	if t := p.peek(); t.kind != tokenWord || !strings.EqualFold(t.text, "when") {
		var err error
		if operand, err = p.or(); err != nil {
			return nil, err
		}
	}
	for {
		t := p.peek()
		switch {
		case p.word("when"):
			when, err := p.or()
			if err != nil {
				return nil, err
			}
			if operand != nil {
				when = &Expr{Op: "=", Args: []*Expr{operand, when}, Column: t.column}
			}
			if n := p.peek(); !p.word("then") {
				return nil, p.unexpected(n, "THEN")
			}
			then, err := p.or()
			if err != nil {
				return nil, err
			}
			e.Args = append(e.Args, when, then)
			continue
		case len(e.Args) == 0:
			return nil, p.unexpected(t, "WHEN")
		case p.word("else"):
			other, err := p.or()
			if err != nil {
				return nil, err
			}
			e.Args, e.HasElse = append(e.Args, other), true
		}
		if n := p.peek(); !p.word("end") {
			return nil, p.unexpected(n, "END")
		}
		return e, nil
	}
}
