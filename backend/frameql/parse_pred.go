package frameql

import (
	"strings"

	"assay/backend/text"
)

// place says which predicates are read: WHERE compares dimensions, HAVING outputs and expressions.
type place int

const (
	inWhere place = iota
	inHaving
)

func (p *parser) pred(in place) (*Pred, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	var all []*Pred
	for {
		a, err := p.conjunction(in)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
		if !p.word("OR") {
			break
		}
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return &Pred{Or: all}, nil
}

func (p *parser) conjunction(in place) (*Pred, error) {
	var all []*Pred
	for {
		l, err := p.literal(in)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
		if !p.word("AND") {
			break
		}
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return &Pred{And: all}, nil
}

// literal reads [ NOT ] ( cmp | "(" pred ")" | quant ).
func (p *parser) literal(in place) (*Pred, error) {
	if p.word("NOT") {
		one, err := p.positive(in)
		if err != nil {
			return nil, err
		}
		return &Pred{Not: one}, nil
	}
	return p.positive(in)
}

func (p *parser) positive(in place) (*Pred, error) {
	for _, q := range []string{"ANY", "ALL", "NO"} {
		if isWord(p.peek(), q) && !p.callBegins() {
			p.advance()
			return p.quantified(strings.ToLower(q))
		}
	}
	t := p.peek()
	if t.kind == tokMark && t.text == "(" && !p.expressionInParens() {
		p.advance()
		inner, err := p.pred(in)
		if err != nil {
			return nil, err
		}
		return inner, p.need(p.mark(")"))
	}
	return p.comparison(in)
}

// expressionInParens looks behind the parenthesis that closes this one: an operator there means that a value stood in it,
// for after a predicate only AND, OR, ")" or a clause may follow.
func (p *parser) expressionInParens() bool {
	shut := p.peek().shut
	if shut == 0 {
		return false
	}
	p.steps++
	n := p.tokens[shut+1] // tokEnd is always last
	if n.kind == tokMark {
		return n.text != ")" && n.text != ";"
	}
	switch n.keyword {
	case "IN", "NOT", "BETWEEN", "LIKE", "CONTAINS", "STARTS", "IS":
		return true
	}
	return false
}

func (p *parser) quantified(quant string) (*Pred, error) {
	entity, err := p.ident()
	if err != nil {
		return nil, err
	}
	q := &Pred{Quant: quant, Entity: entity}
	if p.mark("(") {
		if q.Pred, err = p.pred(inWhere); err != nil {
			return nil, err
		}
		return q, p.need(p.mark(")"))
	}
	return q, nil
}

var comparisonOps = map[string]string{"=": "eq", "<>": "ne", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}

func (p *parser) comparison(in place) (*Pred, error) {
	c := &Pred{}
	t := p.peek()
	switch {
	case in == inWhere && t.kind == tokMark && t.text == "(":
		p.advance()
		e, err := p.computed()
		if err != nil {
			return nil, err
		}
		c.Left = e
	case in == inWhere:
		d, err := p.dim()
		if err != nil {
			return nil, err
		}
		c.Dim, c.Grain = d.Name, d.Grain
	default:
		name, e, err := p.nameOrExpr()
		if err != nil {
			return nil, err
		}
		if c.Left = e; e == nil {
			c.Out = name.joined()
		}
	}
	t = p.peek()
	if op, ok := comparisonOps[t.text]; ok && t.kind == tokMark {
		p.advance()
		c.Op = op
		return c, p.operand(c, in)
	}
	for _, m := range []string{"=", "<>", "<", "<=", ">", ">="} {
		p.hope(m)
	}
	if p.word("IS") {
		c.Op = "is_null"
		if p.word("NOT") {
			c.Op = "not_null"
		}
		return c, p.need(p.word("NULL"))
	}
	negated := p.word("NOT")
	var err error
	switch {
	case p.word("IN"):
		err = p.in(c, in, negated)
	case p.word("BETWEEN"):
		c.Op = "between"
		var low, high Value
		if low, err = p.value(); err != nil {
			return nil, err
		}
		if err = p.need(p.word("AND")); err != nil {
			return nil, err
		}
		high, err = p.value()
		c.Vals = []Value{low, high}
	case p.word("LIKE"):
		c.Op = "like"
		err = p.pattern(c)
	case p.word("CONTAINS"):
		c.Op = "contains"
		err = p.pattern(c)
	case p.words("STARTS", "WITH"):
		c.Op = "starts_with"
		err = p.pattern(c)
	default:
		err = p.unexpected()
	}
	if negated {
		c.Op = "not_" + c.Op
	}
	return c, err
}

// in reads TOP n BY mexpr, or "(" values ")".
func (p *parser) in(c *Pred, in place, negated bool) error {
	if !negated && (in == inHaving || c.Left == nil) && p.word("TOP") {
		c.Op = "in_top"
		var err error
		if c.N, err = p.integer(1); err != nil {
			return err
		}
		if err := p.need(p.word("BY")); err != nil {
			return err
		}
		c.Expr, err = p.mexpr()
		return err
	}
	c.Op = "in"
	if err := p.need(p.mark("(")); err != nil {
		return err
	}
	if err := p.list(func() error {
		v, err := p.value()
		c.Vals = append(c.Vals, v)
		return err
	}); err != nil {
		return err
	}
	return p.need(p.mark(")"))
}

func (p *parser) pattern(c *Pred) error {
	t := p.peek()
	if t.kind != tokString {
		p.hope(text.Say("frameql.a_string"))
		return p.unexpected()
	}
	p.advance()
	c.Val = &Value{Kind: String, Text: t.text}
	return nil
}

// operand reads the right side of a comparison: a value, a column, or a number that the model computes. HAVING takes
// any metric expression.
func (p *parser) operand(c *Pred, in place) error {
	if p.isValue() && !(in == inHaving && p.arithmeticAfterValue()) {
		v, err := p.value()
		c.Val = &v
		return err
	}
	p.hope(text.Say("frameql.a_value"))
	if in == inHaving {
		name, e, err := p.nameOrExpr()
		if err != nil {
			return err
		}
		return c.setOperand(name, e)
	}
	if isName(p.peek()) {
		d, err := p.dim()
		c.ValDim = &d
		return err
	}
	if err := p.need(p.mark("(")); err != nil {
		return err
	}
	var err error
	c.Expr, err = p.computed()
	return err
}

// computed reads mexpr AT grain ")": a number that a query of its own computes.
func (p *parser) computed() (*Expr, error) {
	e, err := p.grouped()
	if err == nil && !e.ownGrain() {
		p.hope("AT")
		return nil, p.wrong(p.tokens[p.at-1], text.Say("frameql.operand_needs_grain"))
	}
	return e, err
}

// ownGrain says whether an expression names the grain at which it stands; the AT of a function says something else.
func (e *Expr) ownGrain() bool { return e.Op == "at" || e.At != nil && e.Fn == "" }

func (p *parser) arithmeticAfterValue() bool {
	n := 1
	if p.peek().kind == tokMark { // a sign
		n = 2
	}
	return isOperator(p.peekAt(n))
}

func (c *Pred) setOperand(name dotted, e *Expr) error {
	switch {
	case e == nil:
		d := name.dim()
		c.ValDim = &d
	case e.Num != "" && e.At == nil: // parentheses around a number
		c.Val = &Value{Kind: Number, Text: e.Num}
	default:
		c.Expr = e
	}
	return nil
}
