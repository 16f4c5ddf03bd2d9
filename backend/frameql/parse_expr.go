package frameql

import (
	"strings"

	"assay/backend/text"
)

// nameOrExpr reads a metric expression; when it is nothing but a bare name, it gives the name and no expression.
func (p *parser) nameOrExpr() (dotted, *Expr, error) {
	if !isName(p.peek()) || p.callBegins() {
		e, err := p.mexpr()
		if err == nil && bareMetric(e) { // parentheses around a name
			return dotted{segments: strings.Split(e.Metric, "."), lastQuoted: p.nameBefore().kind == tokQuoted}, nil, nil
		}
		return dotted{}, e, err
	}
	n, err := p.name()
	if err != nil {
		return n, nil, err
	}
	if !p.operatorFollows() {
		return n, nil, nil
	}
	term, err := p.filtered(&Expr{Metric: n.joined()})
	if err != nil {
		return n, nil, err
	}
	e, err := p.mexprFrom(term)
	return n, e, err
}

// nameBefore gives the last token of the name that has just been read, behind the parentheses that close around it.
func (p *parser) nameBefore() token {
	at := p.at - 1
	for p.tokens[at].text == ")" && p.tokens[at].kind == tokMark {
		p.steps++
		at--
	}
	return p.tokens[at]
}

func bareMetric(e *Expr) bool { return e.Metric != "" && e.At == nil && e.Filter == nil }

// operatorFollows says whether an expression goes on after a name.
func (p *parser) operatorFollows() bool {
	t := p.peek()
	if isWord(t, "FILTER") {
		return true
	}
	p.hope("FILTER")
	p.hope(text.Say("frameql.an_operator"))
	return isOperator(t)
}

func isOperator(t token) bool {
	return t.kind == tokMark && (t.text == "+" || t.text == "-" || t.text == "*" || t.text == "/")
}

// callBegins says whether the next tokens are a function name and "(".
func (p *parser) callBegins() bool {
	t, n := p.peek(), p.peekAt(1)
	if t.kind != tokWord || n.kind != tokMark || n.text != "(" {
		return false
	}
	w := t.keyword
	return reducers[w] || timeFunctions[w]
}

func (p *parser) mexpr() (*Expr, error) {
	first, err := p.mprod(nil)
	if err != nil {
		return nil, err
	}
	return p.chain(first, func() (*Expr, error) { return p.mprod(nil) }, "+", "-")
}

// mexprFrom goes on with an expression whose first term has been read.
func (p *parser) mexprFrom(term *Expr) (*Expr, error) {
	first, err := p.mprod(term)
	if err != nil {
		return nil, err
	}
	return p.chain(first, func() (*Expr, error) { return p.mprod(nil) }, "+", "-")
}

func (p *parser) mprod(term *Expr) (*Expr, error) {
	if term == nil {
		var err error
		if term, err = p.mterm(); err != nil {
			return nil, err
		}
	}
	return p.chain(term, p.mterm, "*", "/")
}

// chain reads operand { op operand } as a left-leaning tree, whose depth counts.
func (p *parser) chain(left *Expr, operand func() (*Expr, error), one, other string) (*Expr, error) {
	entered := 0
	defer func() { p.depth -= entered }()
	for {
		t := p.peek()
		if t.kind != tokMark || t.text != one && t.text != other {
			p.hope(text.Say("frameql.an_operator"))
			return left, nil
		}
		op := p.advance().text
		entered++
		if err := p.enter(); err != nil {
			return nil, err
		}
		right, err := operand()
		if err != nil {
			return nil, err
		}
		left = &Expr{Op: op, Args: []*Expr{left, right}}
	}
}

func (p *parser) mterm() (*Expr, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	t := p.peek()
	switch {
	case t.kind == tokNumber, t.kind == tokMark && t.text == "-" && p.peekAt(1).kind == tokNumber:
		n, err := p.number()
		return &Expr{Num: n}, err
	case p.callBegins():
		return p.call()
	case p.mark("("):
		return p.grouped()
	case isName(t):
		n, err := p.name()
		if err != nil {
			return nil, err
		}
		return p.filtered(&Expr{Metric: n.joined()})
	}
	p.hope(text.Say("frameql.a_metric"))
	return nil, p.unexpected()
}

// grouped reads mexpr [ AT grain ] ")" after "(".
func (p *parser) grouped() (*Expr, error) {
	e, err := p.scoped()
	if err != nil {
		return nil, err
	}
	return e, p.need(p.mark(")"))
}

// scoped reads mexpr [ AT grain ]. A grain around an expression that has one already, or around a time function, whose
// own grain means something else, becomes an Op "at".
func (p *parser) scoped() (*Expr, error) {
	e, err := p.mexpr()
	if err != nil || !p.word("AT") {
		return e, err
	}
	g, err := p.grain()
	if err != nil {
		return nil, err
	}
	if e.At != nil || e.Fn != "" {
		return &Expr{Op: "at", Args: []*Expr{e}, At: g}, nil
	}
	e.At = g
	return e, nil
}

func (p *parser) filtered(e *Expr) (*Expr, error) {
	if !p.word("FILTER") {
		return e, nil
	}
	if err := p.need(p.mark("(")); err != nil {
		return nil, err
	}
	if err := p.need(p.word("WHERE")); err != nil {
		return nil, err
	}
	var err error
	if e.Filter, err = p.pred(inWhere); err != nil {
		return nil, err
	}
	return e, p.need(p.mark(")"))
}

func (p *parser) call() (*Expr, error) {
	w := p.advance().keyword
	p.advance() // "("
	e := &Expr{}
	var err error
	if !reducers[w] {
		e.Fn = strings.ToLower(w)
		if e.Of, err = p.mexpr(); err != nil {
			return nil, err
		}
		if err := p.functionArgs(e); err != nil {
			return nil, err
		}
		return p.filtered(e)
	}
	e.Reduce = strings.ToLower(w)
	e.Dist = p.word("DISTINCT")
	if e.Star = p.mark("*"); !e.Star {
		if e.Of, err = p.scoped(); err != nil {
			return nil, err
		}
	}
	for p.mark(",") {
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		e.Params = append(e.Params, v)
	}
	if err := p.need(p.mark(")")); err != nil {
		return nil, err
	}
	return p.filtered(e)
}

// functionArgs reads { "," ( value | AT grain | unit ) } ")".
func (p *parser) functionArgs(e *Expr) error {
	for p.mark(",") {
		t := p.peek()
		switch {
		case p.word("AT"):
			if e.At != nil {
				return p.wrong(t, text.Say("frameql.argument_twice", "argument", "AT"))
			}
			g, err := p.grain()
			if err != nil {
				return err
			}
			e.At = g
		case p.isValue():
			v, err := p.value()
			if err != nil {
				return err
			}
			e.Params = append(e.Params, v)
		default:
			p.hope(text.Say("frameql.a_value"))
			u, err := p.unit()
			if err != nil {
				return err
			}
			if e.Unit != "" {
				return p.wrong(t, text.Say("frameql.argument_twice", "argument", u))
			}
			e.Unit = u
		}
	}
	return p.need(p.mark(")"))
}
