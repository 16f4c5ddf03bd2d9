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
	maxText  = 1 << 20 // bytes; ten thousand long values fit
	maxDepth = 200     // nested parentheses, calls and operators

	maxInteger = 1_000_000_000
)

// Parse reads the text form of a query. It knows no model: a bare name in SELECT is an Item with a Dim, one in HAVING
// or a sort key an Out; Resolve finds out what they name. The error is a fault.Invalid around a *SyntaxError, or a
// fault.Limit for a text that is too long or nested too deeply. Its cost grows with the length of the text and not faster.
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
		p.hope(text.Say("frameql.the_end"))
		return nil, p.unexpected()
	}
	return q, nil
}

func newParser(source string) (*parser, error) {
	if len(source) > maxText {
		return nil, fault.New(fault.Limit, "parse query", text.Say("frameql.text_too_long", "kilobytes", strconv.Itoa(maxText>>10)),
			text.Say("frameql.text_too_long_hint"))
	}
	if i := invalidUTF8(source); i >= 0 {
		return nil, syntaxFault(source, &SyntaxError{Offset: i, Reason: text.Say("frameql.not_utf8"), Hint: text.Say("frameql.not_utf8_hint")})
	}
	if i := strings.IndexByte(source, 0); i >= 0 {
		return nil, syntaxFault(source, &SyntaxError{Offset: i, Reason: text.Say("frameql.nul_character"), Hint: text.Say("frameql.nul_character_hint")})
	}
	tokens, err := scan(source)
	if err != nil {
		return nil, err
	}
	return &parser{source: source, tokens: tokens}, nil
}

// invalidUTF8 finds the first byte that is no UTF-8; -1 when there is none.
func invalidUTF8(source string) int {
	if utf8.ValidString(source) {
		return -1
	}
	for i, r := range source {
		if _, n := utf8.DecodeRuneInString(source[i:]); r == utf8.RuneError && n == 1 {
			return i
		}
	}
	return -1
}

// parser is a recursive descent over the tokens. Every test of the next token notes what it hoped for, so that an error
// can list everything that could have stood there.
type parser struct {
	source   string
	tokens   []token
	at       int
	depth    int
	expected []string
	clauseOf string          // the clause that is being read or was read last, for hints: "select", "during"
	steps    int             // tokens looked at, for the test that reading is linear
	given    map[string]bool // names that the query itself gives with AS and WITH, in lower case
}

// gives notes a name that AS or WITH gives.
func (p *parser) gives(name string) {
	if p.given == nil {
		p.given = map[string]bool{}
	}
	p.given[strings.ToLower(name)] = true
}

func (p *parser) peek() token { return p.peekAt(0) }

func (p *parser) peekAt(n int) token {
	p.steps++
	return p.tokens[min(p.at+n, len(p.tokens)-1)]
}

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

// isWord says whether a token is the keyword, which is given in capitals.
func isWord(t token, w string) bool { return t.kind == tokWord && t.keyword == w }

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
	return syntaxFault(p.source, &SyntaxError{Offset: t.start, Expected: p.expected, Found: p.source[t.start:t.end], Hint: p.hint(t)})
}

// wrong is an error that expected and found do not explain. The hint is an example of the clause.
func (p *parser) wrong(t token, reason string) error {
	e := &SyntaxError{Offset: t.start, Found: p.source[t.start:t.end], Reason: reason}
	if p.clauseOf != "" {
		e.Hint = text.Say("frameql.hint_clause_" + p.clauseOf)
	}
	return syntaxFault(p.source, e)
}

// enter goes one level deeper; leave with p.depth--.
func (p *parser) enter() error {
	p.depth++
	if p.depth > maxDepth {
		e := &SyntaxError{Offset: p.peek().start, Found: p.peek().text, Reason: text.Say("frameql.too_deep", "depth", strconv.Itoa(maxDepth))}
		e.Line, e.Column = position(p.source, e.Offset)
		return fault.Wrap(fault.Limit, "parse query", e.Error(), text.Say("frameql.too_deep_hint"), e)
	}
	return nil
}

func (p *parser) query() (*Query, error) {
	q := &Query{V: 1}
	q.Explain = p.word("EXPLAIN")
	if p.word("WITH") {
		if err := p.definitions(q); err != nil {
			return nil, err
		}
	}
	if err := p.need(p.word("SELECT")); err != nil {
		return nil, err
	}
	p.clauseOf = "select"
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

// definitions reads what stands after WITH: name = expression, separated by commas.
func (p *parser) definitions(q *Query) error {
	p.clauseOf = "with"
	seen := map[string]bool{}
	return p.list(func() error {
		t := p.peek()
		name, err := p.ident()
		if err != nil {
			return err
		}
		if seen[strings.ToLower(name)] {
			return p.wrong(t, text.Say("frameql.definition_twice", "name", name))
		}
		seen[strings.ToLower(name)] = true
		p.gives(name)
		if err := p.need(p.mark("=")); err != nil {
			return err
		}
		e, err := p.mexpr()
		q.With = append(q.With, Def{Name: name, Expr: e})
		return err
	})
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
		p.gives(it.As)
	}
	return it, nil
}
