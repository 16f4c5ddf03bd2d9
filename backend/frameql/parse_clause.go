package frameql

import (
	"slices"
	"strconv"
	"strings"

	"assay/backend/text"
)

// clause reads one clause and gives its keyword; the empty keyword when none begins here. AT and FROM are taken
// anywhere among the clauses, for people write them in any order.
func (p *parser) clause(q *Query) (string, error) {
	var err error
	switch {
	case p.begins("AT"):
		q.At, err = p.grain()
		return "AT", err
	case p.begins("FROM"):
		return "FROM", p.list(func() error {
			name, err := p.ident()
			q.From = append(q.From, name)
			return err
		})
	case p.begins("WHERE"):
		q.Where, err = p.pred(inWhere)
		return "WHERE", err
	case p.begins("DURING"):
		q.Time, err = p.during()
		return "DURING", err
	case p.begins("COMPARE", "TO"):
		return "COMPARE TO", p.list(func() error {
			c, err := p.comparand()
			q.Compare = append(q.Compare, c)
			return err
		})
	case p.begins("HAVING"):
		q.Having, err = p.pred(inHaving)
		return "HAVING", err
	case p.begins("TOP"):
		q.Top, err = p.top()
		return "TOP", err
	case p.begins("FILL"):
		q.Fill, err = p.fill()
		return "FILL", err
	case p.begins("TOTALS"):
		return "TOTALS", p.totals(q)
	case p.begins("ORDER", "BY"):
		return "ORDER BY", p.list(func() error {
			k, err := p.key()
			o := Order{Key: k}
			if o.Desc = p.word("DESC"); !o.Desc {
				p.word("ASC")
			}
			q.Order = append(q.Order, o)
			return err
		})
	case p.begins("LIMIT"):
		n, err := p.integer(0)
		if err != nil {
			return "", err
		}
		q.Limit = &n
		if p.word("OFFSET") {
			q.Offset, err = p.integer(0)
		}
		return "LIMIT", err
	case p.begins("OPTIONS"):
		return "OPTIONS", p.options(q)
	}
	return "", nil
}

// begins takes the keywords that open a clause.
func (p *parser) begins(words ...string) bool {
	if !p.words(words...) {
		return false
	}
	p.clauseOf = strings.ToLower(words[0])
	return true
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

// totals reads [ BY total { "," total } ], where a total is a dimension or a list of them in parentheses: TOTALS is the grand
// total, TOTALS BY a, b a total row for each a and one for each b, TOTALS BY (a, b) one for each pair, () the grand total.
func (p *parser) totals(q *Query) error {
	if !p.word("BY") {
		q.Totals = append(q.Totals, []Dim{})
		return nil
	}
	return p.list(func() error {
		set := []Dim{}
		if !p.mark("(") {
			d, err := p.dim()
			q.Totals = append(q.Totals, append(set, d))
			return err
		}
		if !p.mark(")") {
			if err := p.dims(&set); err != nil {
				return err
			}
		}
		q.Totals = append(q.Totals, set)
		return nil
	})
}

func (p *parser) options(q *Query) error {
	if err := p.need(p.mark("(")); err != nil {
		return err
	}
	seen := map[string]bool{}
	if err := p.list(func() error {
		t := p.peek()
		name, err := p.ident()
		if err != nil {
			return err
		}
		name = strings.ToLower(name)
		if seen[name] {
			return p.wrong(t, text.Say("frameql.option_twice", "option", name))
		}
		seen[name] = true
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
	if err != nil || n < least || n > maxInteger {
		return 0, p.wrong(t, text.Say("frameql.bad_integer", "number", shorten(t.text, 40), "least", strconv.Itoa(least)))
	}
	p.advance()
	return n, nil
}
