package frameql

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"assay/backend/fault"
	"assay/backend/text"
)

// Bounds of a query. A text beyond them is refused before it can cost anything.
const (
	maxText  = 100 << 10 // bytes
	maxDepth = 200       // nested parentheses, calls and operators
)

// Parse reads the text form of a query. It knows no model: a bare name in SELECT is an Item with a Dim, one in HAVING
// or a sort key an Out; Resolve finds out what they name. The error is a fault.Invalid around a *SyntaxError.
func Parse(source string) (*Query, error) {
	p, err := newParser(source)
	if err != nil {
		return nil, err
	}
	q, err := p.query()
	if err != nil {
		return nil, err
	}
	p.mark(";")
	if p.peek().kind != tokEnd {
		return nil, p.unexpected()
	}
	return q, nil
}

func newParser(source string) (*parser, error) {
	if len(source) > maxText {
		return nil, fault.New(fault.Limit, "parse query", text.Say("frameql.text_too_long", "kilobytes", strconv.Itoa(maxText>>10)),
			text.Say("frameql.text_too_long_hint"))
	}
	if !utf8.ValidString(source) {
		return nil, fault.New(fault.Invalid, "parse query", text.Say("frameql.not_utf8"), text.Say("frameql.syntax_hint"))
	}
	if i := strings.IndexByte(source, 0); i >= 0 {
		return nil, syntaxFault(source, &SyntaxError{Offset: i, Reason: text.Say("frameql.nul_character")})
	}
	tokens, err := scan(source)
	if err != nil {
		return nil, err
	}
	return &parser{source: source, tokens: tokens}, nil
}

// parser is a recursive descent over the tokens. Every test of the next token notes what it hoped for, so that an error
// can list everything that could have stood there.
type parser struct {
	source   string
	tokens   []token
	at       int
	depth    int
	expected []string
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) peekAt(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) advance() token {
	t := p.tokens[p.at]
	if t.kind != tokEnd {
		p.at++
	}
	p.expected = nil
	return t
}

func (p *parser) hope(what string) {
	if !slices.Contains(p.expected, what) {
		p.expected = append(p.expected, what)
	}
}

func isWord(t token, w string) bool { return t.kind == tokWord && strings.EqualFold(t.text, w) }

// word takes the next token when it is the keyword.
func (p *parser) word(w string) bool {
	if isWord(p.peek(), w) {
		p.advance()
		return true
	}
	p.hope(w)
	return false
}

// words takes the next tokens when they are the keywords, all or none.
func (p *parser) words(ws ...string) bool {
	for i, w := range ws {
		if !isWord(p.peekAt(i), w) {
			p.hope(strings.Join(ws, " "))
			return false
		}
	}
	for range ws {
		p.advance()
	}
	return true
}

// mark takes the next token when it is the punctuation.
func (p *parser) mark(m string) bool {
	if t := p.peek(); t.kind == tokMark && t.text == m {
		p.advance()
		return true
	}
	p.hope(m)
	return false
}

func (p *parser) need(taken bool) error {
	if taken {
		return nil
	}
	return p.unexpected()
}

func (p *parser) unexpected() error {
	t := p.peek()
	return syntaxFault(p.source, &SyntaxError{Offset: t.start, Expected: p.expected, Found: p.source[t.start:t.end]})
}

func (p *parser) wrong(t token, reason string) error {
	return syntaxFault(p.source, &SyntaxError{Offset: t.start, Found: p.source[t.start:t.end], Reason: reason})
}

// enter goes one level deeper; leave with p.depth--.
func (p *parser) enter() error {
	p.depth++
	if p.depth > maxDepth {
		return p.wrong(p.peek(), text.Say("frameql.too_deep", "depth", strconv.Itoa(maxDepth)))
	}
	return nil
}

func (p *parser) query() (*Query, error) {
	q := &Query{V: 1}
	q.Explain = p.word("EXPLAIN")
	if p.word("WITH") {
		if err := p.list(func() error {
			name, err := p.ident()
			if err != nil {
				return err
			}
			if err := p.need(p.mark("=")); err != nil {
				return err
			}
			e, err := p.mexpr()
			q.With = append(q.With, Def{Name: name, Expr: e})
			return err
		}); err != nil {
			return nil, err
		}
	}
	if err := p.need(p.word("SELECT")); err != nil {
		return nil, err
	}
	if err := p.list(func() error {
		it, err := p.item()
		q.Select = append(q.Select, it)
		return err
	}); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for {
		start := p.peek()
		clause, err := p.clause(q)
		if err != nil {
			return nil, err
		}
		if clause == "" {
			return q, nil
		}
		if seen[clause] && clause != "TOTALS" {
			return nil, p.wrong(start, text.Say("frameql.clause_twice", "clause", clause))
		}
		seen[clause] = true
	}
}

// list reads one or more, separated by commas.
func (p *parser) list(one func() error) error {
	for {
		if err := one(); err != nil {
			return err
		}
		if !p.mark(",") {
			return nil
		}
	}
}

func (p *parser) item() (Item, error) {
	name, e, err := p.nameOrExpr()
	if err != nil {
		return Item{}, err
	}
	it := Item{Expr: e}
	if e == nil {
		d := name.dim()
		it.Dim = &d
	}
	if p.word("AS") {
		if it.As, err = p.ident(); err != nil {
			return Item{}, err
		}
	}
	return it, nil
}

// clause reads one clause and gives its keyword; the empty keyword when none begins here. AT and FROM are taken
// anywhere among the clauses, for people write them in any order.
func (p *parser) clause(q *Query) (string, error) {
	var err error
	switch {
	case p.word("AT"):
		q.At, err = p.grain()
		return "AT", err
	case p.word("FROM"):
		return "FROM", p.list(func() error {
			name, err := p.ident()
			q.From = append(q.From, name)
			return err
		})
	case p.word("WHERE"):
		q.Where, err = p.pred(inWhere)
		return "WHERE", err
	case p.word("DURING"):
		q.Time, err = p.during()
		return "DURING", err
	case p.words("COMPARE", "TO"):
		return "COMPARE TO", p.list(func() error {
			c, err := p.comparand()
			q.Compare = append(q.Compare, c)
			return err
		})
	case p.word("HAVING"):
		q.Having, err = p.pred(inHaving)
		return "HAVING", err
	case p.word("TOP"):
		q.Top, err = p.top()
		return "TOP", err
	case p.word("FILL"):
		q.Fill, err = p.fill()
		return "FILL", err
	case p.word("TOTALS"):
		return "TOTALS", p.totals(q)
	case p.words("ORDER", "BY"):
		return "ORDER BY", p.list(func() error {
			k, err := p.key()
			o := Order{Key: k}
			if o.Desc = p.word("DESC"); !o.Desc {
				p.word("ASC")
			}
			q.Order = append(q.Order, o)
			return err
		})
	case p.word("LIMIT"):
		n, err := p.integer(0)
		if err != nil {
			return "", err
		}
		q.Limit = &n
		if p.word("OFFSET") {
			q.Offset, err = p.integer(0)
		}
		return "LIMIT", err
	case p.word("OPTIONS"):
		return "OPTIONS", p.options(q)
	}
	return "", nil
}

func (p *parser) top() (*Top, error) {
	n, err := p.integer(1)
	if err != nil {
		return nil, err
	}
	t := &Top{N: n}
	if t.Dim, err = p.dim(); err != nil {
		return nil, err
	}
	if err := p.need(p.word("BY")); err != nil {
		return nil, err
	}
	if t.By, err = p.key(); err != nil {
		return nil, err
	}
	if t.Asc = p.word("ASC"); !t.Asc {
		p.word("DESC")
	}
	if p.word("PER") {
		d, err := p.dim()
		if err != nil {
			return nil, err
		}
		t.Per = &d
	}
	t.Other = p.words("WITH", "OTHER")
	return t, nil
}

func (p *parser) fill() (string, error) {
	for _, f := range []string{"ZERO", "NULL", "LAST", "NONE"} {
		if p.word(f) {
			return strings.ToLower(f), nil
		}
	}
	return "", p.unexpected()
}

func (p *parser) totals(q *Query) error {
	set := []Dim{}
	if p.word("BY") {
		if err := p.list(func() error {
			d, err := p.dim()
			set = append(set, d)
			return err
		}); err != nil {
			return err
		}
	}
	q.Totals = append(q.Totals, set)
	return nil
}

func (p *parser) options(q *Query) error {
	if err := p.need(p.mark("(")); err != nil {
		return err
	}
	if err := p.list(func() error {
		t := p.peek()
		name, err := p.ident()
		if err != nil {
			return err
		}
		name = strings.ToLower(name)
		if slices.ContainsFunc(q.Options, func(o Option) bool { return o.Name == name }) {
			return p.wrong(t, text.Say("frameql.option_twice", "option", name))
		}
		if err := p.need(p.mark("=")); err != nil {
			return err
		}
		v, err := p.value()
		q.Options = append(q.Options, Option{Name: name, Value: v})
		return err
	}); err != nil {
		return err
	}
	slices.SortFunc(q.Options, func(a, b Option) int { return strings.Compare(a.Name, b.Name) })
	return p.need(p.mark(")"))
}

// key reads what TOP and ORDER sort by: a bare name stays a name.
func (p *parser) key() (Key, error) {
	name, e, err := p.nameOrExpr()
	if err != nil {
		return Key{}, err
	}
	if e == nil {
		return Key{Out: name.joined()}, nil
	}
	return Key{Expr: e}, nil
}

// integer reads a whole number from least up to a billion.
func (p *parser) integer(least int) (int, error) {
	t := p.peek()
	if t.kind != tokNumber {
		p.hope(text.Say("frameql.a_whole_number"))
		return 0, p.unexpected()
	}
	n, err := strconv.Atoi(t.text)
	if err != nil || n < least || n > 1_000_000_000 {
		return 0, p.wrong(t, text.Say("frameql.bad_integer", "number", t.text, "least", strconv.Itoa(least)))
	}
	p.advance()
	return n, nil
}
