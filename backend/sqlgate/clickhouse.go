package sqlgate

import (
	"math"
	"strconv"
	"strings"
)

// checkClickHouse reads a strict subset of ClickHouse: there is no parser of it for Go that follows the server's. What this
// grammar does not know is refused, also where the server would read it.
//
//	query   = [WITH name AS (query), …] select {UNION (ALL|DISTINCT) | INTERSECT | EXCEPT select} [SETTINGS …]
//	select  = SELECT [DISTINCT] columns [FROM tables] [PREWHERE|WHERE x] [GROUP BY …] [HAVING x] [WINDOW …] [QUALIFY x] [ORDER BY …] [LIMIT …] | (query)
//	tables  = table {[GLOBAL] [ANY|ALL|ASOF|LEFT|…] JOIN table (ON x | USING …) | [LEFT] ARRAY JOIN columns}
//	table   = name [FINAL] | (query) | numbers(…)     [AS alias]
//
// There is no INTO OUTFILE, no FORMAT, no table function that reaches a file or a server, no dictionary, no lambda over a
// query's rows, and no setting but those that our own compiler writes.
func checkClickHouse(w *walk, tokens []token) {
	for len(tokens) > 0 && tokens[len(tokens)-1].is(";") {
		tokens = tokens[:len(tokens)-1]
	}
	kinds := kindsOf(tokens)
	if len(kinds) != 1 || kinds[0] != kindSelect && kinds[0] != kindWith || hidesWrite(tokens) {
		w.refuseKind(tokens)
		return
	}
	c := chParser{walk: w, tokens: tokens}
	c.query(nil)
	if c.at < len(tokens) {
		c.fail()
	}
}

// chParser is the grammar, one function a rule. After a failure it stands at the end, so that all of them return.
type chParser struct {
	*walk
	tokens []token
	at     int
	depth  int
}

func (c *chParser) fail() {
	c.refuse(ruleNode)
	c.at = len(c.tokens)
}

// peek says whether one of the words or signs comes next; ahead looks that many tokens further.
func (c *chParser) peek(words ...string) bool { return c.ahead(0, words...) }

func (c *chParser) ahead(n int, words ...string) bool {
	return c.at+n < len(c.tokens) && c.tokens[c.at+n].is(words...)
}

// adjacent says whether the next two tokens are two signs without anything between them.
func (c *chParser) adjacent(first, second string) bool {
	return c.peek(first) && c.ahead(1, second) && c.tokens[c.at].end == c.tokens[c.at+1].start
}

// take steps over a word or sign.
func (c *chParser) take(words ...string) bool {
	if c.peek(words...) {
		c.at++
		return true
	}
	return false
}

func (c *chParser) want(words ...string) {
	if !c.take(words...) {
		c.fail()
	}
}

// kindOf is what the next token is; false at the end.
func (c *chParser) is(k tokenKind) bool { return c.at < len(c.tokens) && c.tokens[c.at].kind == k }

// name takes a name that is no keyword, without its quotes.
func (c *chParser) name() string {
	switch {
	case c.is(quotedName):
		t := c.tokens[c.at].text
		c.at++
		return strings.ReplaceAll(t[1:len(t)-1], t[:1]+t[:1], t[:1])
	case c.is(word) && !chReserved[c.tokens[c.at].upper()]:
		c.at++
		return c.tokens[c.at-1].text
	default:
		c.fail()
		return ""
	}
}

// chReserved are the words that are no names in this subset.
var chReserved = verbs(`ALL AND ANTI ANY ARRAY AS ASOF BETWEEN BY CASE CAST CROSS DISTINCT DIV ELSE END EXCEPT EXISTS FINAL FORMAT FROM FULL GLOBAL GROUP HAVING ILIKE IN INNER
	INTERSECT INTERVAL INTO IS JOIN LEFT LIKE LIMIT MOD NOT NULL NULLS OFFSET ON OR ORDER OUTER OVER PASTE PREWHERE QUALIFY RIGHT SAMPLE SELECT SEMI SETTINGS THEN TOTALS UNION USING VALUES
	WHEN WHERE WINDOW WITH FILTER`)

// inside guards against nesting that checkSize does not see.
func (c *chParser) inside(read func()) {
	if c.depth++; c.depth > 4*deepest {
		c.refuse(ruleDepth)
		c.at = len(c.tokens)
	}
	read()
	c.depth--
}

func (c *chParser) query(s *scope) {
	c.inside(func() {
		if c.take("WITH") {
			for {
				name := c.name()
				if strings.Contains(name, `\`) {
					c.fail()
				}
				c.want("AS")
				c.want("(")
				c.shape.CTEs++
				c.query(s)
				c.want(")")
				s = s.with(name)
				if !c.take(",") {
					break
				}
			}
		}
		c.selects(s)
		for c.take("UNION", "INTERSECT", "EXCEPT") {
			c.take("ALL", "DISTINCT")
			c.selects(s)
		}
		c.settings()
	})
}

// chSettings are those that change how a result looks and nothing else.
var chSettings = map[string]bool{
	"join_use_nulls": true, "allow_experimental_correlated_subqueries": true, "enable_extended_results_for_datetime_functions": true,
}

func (c *chParser) settings() {
	if !c.take("SETTINGS") {
		return
	}
	for {
		if !c.is(word) || !chSettings[lower(c.tokens[c.at].text)] {
			c.refuse(ruleVariable)
			c.fail()
			return
		}
		c.at++
		c.want("=")
		if !c.is(number) {
			c.fail()
		}
		c.at++
		if !c.take(",") {
			return
		}
	}
}

func (c *chParser) selects(s *scope) {
	if c.take("(") {
		c.query(s)
		c.want(")")
		return
	}
	c.want("SELECT")
	c.take("DISTINCT")

	c.columns(s)
	if c.take("FROM") {
		c.from(s)
	}

	if c.take("PREWHERE") {
		c.expr(s)
	}
	if c.take("WHERE") {
		c.expr(s)
	}
	if c.take("GROUP") {
		c.want("BY")
		if c.peek("ALL") {
			c.at++
		} else {
			c.exprs(s)
		}
		if c.take("WITH") {
			c.want("ROLLUP", "CUBE", "TOTALS")
		}
	}
	if c.take("HAVING") {
		c.expr(s)
	}
	if c.take("WINDOW") {
		for {
			c.name()
			c.want("AS")
			c.over(s)
			if !c.take(",") {
				break
			}
		}
	}
	if c.take("QUALIFY") {
		c.expr(s)
	}
	c.order(s)
	c.limit(s)
}

func (c *chParser) order(s *scope) {
	if !c.take("ORDER") {
		return
	}
	c.want("BY")
	for {
		c.expr(s)
		c.take("ASC", "DESC")
		if c.take("NULLS") {
			c.want("FIRST", "LAST")
		}
		if !c.take(",") {
			return
		}
	}
}

func (c *chParser) limit(s *scope) {
	for i := 0; i < 2 && c.take("LIMIT"); i++ {
		c.expr(s)
		if c.take(",", "OFFSET") {
			c.expr(s)
		}
		if c.take("BY") {
			c.exprs(s)
		}
	}
	if c.take("OFFSET") {
		c.expr(s)
	}
}

// columns reads expressions with aliases.
func (c *chParser) columns(s *scope) {
	for {
		c.expr(s)
		if c.take("AS") {
			c.name()
		} else if c.is(quotedName) || c.is(word) && !chReserved[c.tokens[c.at].upper()] {
			c.name()
		}
		if !c.take(",") {
			return
		}
	}
}

func (c *chParser) from(s *scope) {
	c.table(s)
	for {
		switch {
		case c.take(","):
			c.shape.Joins++
			c.table(s)
		case c.peek("ARRAY") || c.peek("LEFT") && c.ahead(1, "ARRAY"):
			c.take("LEFT")
			c.want("ARRAY")
			c.want("JOIN")
			c.columns(s)
		case c.peek("GLOBAL", "ANY", "ALL", "ASOF", "SEMI", "ANTI", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "PASTE", "JOIN"):
			for c.take("GLOBAL", "ANY", "ALL", "ASOF", "SEMI", "ANTI", "INNER", "LEFT", "RIGHT", "FULL", "OUTER", "CROSS", "PASTE") {
			}
			c.want("JOIN")
			c.shape.Joins++
			c.table(s)
			switch {
			case c.take("ON"):
				c.expr(s)
			case c.take("USING"):
				c.exprs(s)
			}
		default:
			return
		}
	}
}

func (c *chParser) table(s *scope) {
	switch {
	case c.take("("):
		c.shape.Subqueries++
		c.query(s)
		c.want(")")
	default:
		first, second := c.name(), ""
		if c.take(".") {
			second = c.name()
		}
		if strings.Contains(first+second, `\`) { // an escape, which may stand for any letter
			c.fail()
		}
		switch {
		case c.peek("(") && second == "":
			c.at++
			c.callTo(first, s, table)
		case second != "":
			c.walk.table("", first, second)
		case !s.has(first):
			c.walk.table("", "", first)
		}
		c.take("FINAL")
	}
	if c.take("AS") {
		c.name()
	} else if c.is(quotedName) || c.is(word) && !chReserved[c.tokens[c.at].upper()] {
		c.name()
	}
	if c.take("(") { // names of columns
		c.exprs(s)
		c.want(")")
	}
	c.take("FINAL")
}

func (c *chParser) exprs(s *scope) {
	c.expr(s)
	for c.take(",") {
		c.expr(s)
	}
}

// callTo reads the arguments of a function behind its parenthesis.
func (c *chParser) callTo(name string, s *scope, classes ...class) {
	c.call(name, classes...)
	limited := c.list.functions[lower(name)].has(bounded)
	c.take("DISTINCT")
	if c.take(")") {
		return
	}
	for {
		if limited && c.is(number) {
			if x, err := strconv.ParseFloat(c.tokens[c.at].text, 64); err == nil && (x > largest || math.IsNaN(x)) {
				c.refuse(ruleBound)
			}
		}
		c.expr(s)
		if !c.take(",") {
			break
		}
	}
	c.order(s)
	c.want(")")
}
