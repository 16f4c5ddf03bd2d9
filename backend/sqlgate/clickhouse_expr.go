package sqlgate

import "strings"

// expr reads an expression. Which operator binds stronger does not matter here, only that there is nothing else: operands
// with signs before them and operators between them.
func (c *chParser) expr(s *scope) {
	c.inside(func() {
		for {
			for c.take("NOT", "-", "+") {
			}
			c.operand(s)
			if !c.operator() {
				return
			}
		}
	})
}

// operator takes an operator that wants another operand; false: the expression is at its end.
func (c *chParser) operator() bool {
	for {
		switch {
		case c.adjacent("-", ">"): // x -> expression
			c.at += 2
			return true
		case c.adjacent("|", "|"), c.adjacent("=", "="), c.adjacent("!", "="), c.adjacent("<", ">"), c.adjacent("<", "="), c.adjacent(">", "="):
			c.at += 2
			return true
		case c.take("AND", "OR", "=", "<", ">", "+", "-", "*", "/", "%", "DIV", "MOD", "LIKE", "ILIKE", "BETWEEN"):
			return true
		case c.peek("NOT") && c.ahead(1, "LIKE", "ILIKE", "BETWEEN"):
			c.at += 2
			return true
		case c.take("IS"):
			c.take("NOT")
			if c.take("DISTINCT") {
				c.want("FROM")
				return true
			}
			c.want("NULL")
		case c.peek("IN"), c.peek("NOT") && c.ahead(1, "IN"), c.peek("GLOBAL") && (c.ahead(1, "IN") || c.ahead(1, "NOT") && c.ahead(2, "IN")):
			for !c.take("IN") {
				c.at++
			}
			if !c.peek("(", "[") || c.loneName() { // IN table reads a table, and so does IN (table)
				c.fail()
				return false
			}
			return true
		default:
			return false
		}
	}
}

// loneName says whether parentheses come next that hold one name and nothing else.
func (c *chParser) loneName() bool {
	i := c.at
	for i < len(c.tokens) && c.tokens[i].is("(") {
		i++
	}
	for i < len(c.tokens) && (c.tokens[i].kind == word || c.tokens[i].kind == quotedName || c.tokens[i].is(".")) {
		i++
	}
	return i > c.at && i < len(c.tokens) && c.tokens[i].is(")") && (c.tokens[i-1].kind == word || c.tokens[i-1].kind == quotedName) && !c.tokens[i-1].is("NULL")
}

// operand reads a value with what may stand behind it: an index, a member, a type.
func (c *chParser) operand(s *scope) {
	c.primary(s)
	for {
		switch {
		case c.take("["):
			c.expr(s)
			c.want("]")
		case c.adjacent(":", ":"):
			c.at += 2
			c.typ()
		case c.take("."):
			if !c.take("*") {
				c.name()
			}
		case c.is(number) && strings.HasPrefix(c.tokens[c.at].text, "."): // a member of a tuple
			c.at++
		default:
			return
		}
	}
}

func (c *chParser) primary(s *scope) {
	switch {
	case c.is(number), c.is(quotedText):
		c.at++
	case c.take("NULL", "*"):
	case c.take("("):
		if c.peek("SELECT", "WITH") || c.peek("(") && c.ahead(1, "SELECT", "WITH") {
			c.shape.Subqueries++
			c.query(s)
		} else if !c.peek(")") {
			c.exprs(s)
		}
		c.want(")")
	case c.take("["):
		if !c.peek("]") {
			c.exprs(s)
		}
		c.want("]")
	case c.take("EXISTS"):
		c.want("(")
		c.shape.Subqueries++
		c.query(s)
		c.want(")")
	case c.take("CASE"):
		c.cases(s)
	case c.peek("CAST") && c.ahead(1, "("):
		c.at += 2
		c.expr(s)
		if c.take("AS") {
			c.typ()
		} else {
			c.want(",")
			c.typeInText()
		}
		c.want(")")
	case c.take("INTERVAL"):
		c.operand(s)
		if c.is(word) {
			c.want("SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "MILLISECOND", "MICROSECOND")
		}
	case c.peek("DATE", "TIMESTAMP") && c.at+1 < len(c.tokens) && c.tokens[c.at+1].kind == quotedText:
		c.at += 2
	case c.is(word) && c.ahead(1, "("):
		name := c.tokens[c.at].text
		c.at += 2
		c.function(name, s)
	default:
		c.name()
	}
}

func (c *chParser) cases(s *scope) {
	if !c.peek("WHEN") {
		c.expr(s)
	}
	for c.take("WHEN") {
		c.expr(s)
		c.want("THEN")
		c.expr(s)
	}
	if c.take("ELSE") {
		c.expr(s)
	}
	c.want("END")
}

// function reads a call: f(x), f(0.5)(x) for an aggregate with parameters, and what follows an aggregate.
func (c *chParser) function(name string, s *scope) {
	if c.peek("SELECT", "WITH") {
		c.fail()
	}
	c.callTo(name, s, scalar, aggregate)
	isAggregate := c.list.functions[lower(name)].has(aggregate)
	if isAggregate && c.take("(") {
		c.callTo(name, s, aggregate)
	}
	if isAggregate && c.take("FILTER") {
		c.want("(")
		c.want("WHERE")
		c.expr(s)
		c.want(")")
	}
	if isAggregate && (c.peek("RESPECT", "IGNORE") && c.ahead(1, "NULLS")) {
		c.at += 2
	}
	if isAggregate && c.take("OVER") {
		c.shape.Windows++
		if c.peek("(") {
			c.over(s)
		} else {
			c.name()
		}
	} else if isAggregate {
		c.shape.Aggregates++
	}
}

// over reads (PARTITION BY … ORDER BY … ROWS …).
func (c *chParser) over(s *scope) {
	c.want("(")
	if c.take("PARTITION") {
		c.want("BY")
		c.exprs(s)
	}
	c.order(s)
	if c.take("ROWS", "RANGE", "GROUPS") {
		between := c.take("BETWEEN")
		c.edge(s)
		if between {
			c.want("AND")
			c.edge(s)
		}
	}
	c.want(")")
}

func (c *chParser) edge(s *scope) {
	switch {
	case c.take("UNBOUNDED"):
		c.want("PRECEDING", "FOLLOWING")
	case c.take("CURRENT"):
		c.want("ROW")
	default:
		c.operand(s)
		c.want("PRECEDING", "FOLLOWING")
	}
}

// typeInText reads a type that stands in quotes.
func (c *chParser) typeInText() {
	if !c.is(quotedText) || strings.Contains(c.tokens[c.at].text, `\`) {
		c.fail()
		return
	}
	tokens, rule := scan(ClickHouse, strings.Trim(c.tokens[c.at].text, "'"))
	inner := chParser{walk: c.walk, tokens: tokens, depth: c.depth}
	inner.typ()
	if rule != "" || inner.at < len(tokens) {
		c.fail()
		return
	}
	c.at++
}

// typ reads a type: a name that is listed, with types or numbers in parentheses.
func (c *chParser) typ() {
	if !c.is(word) || !c.list.types[lower(c.tokens[c.at].text)] {
		c.refuse(ruleType)
		c.fail()
		return
	}
	c.at++
	if !c.take("(") {
		return
	}
	for {
		if c.is(number) || c.is(quotedText) {
			c.at++
		} else {
			c.inside(c.typ)
		}
		if !c.take(",") {
			break
		}
	}
	c.want(")")
}
