package frameql

import (
	"strconv"
	"strings"

	"assay/backend/semantic"
)

// duckdb writes expressions in the dialect of DuckDB 1.x.
type duckdb struct{}

// name writes an identifier, in double quotes where it is not a plain lower-case word or is reserved.
func (duckdb) name(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD")
	if semantic.IsName(s) && s == strings.ToLower(s) && !reservedSQL[s] {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// text writes a string literal: the one place where a value of a person enters SQL. Quotes are doubled; a backslash
// means nothing in a plain literal. Control characters, and with them line breaks, are written by chr(), so that a
// literal stays on its line; NUL, which no text of the engine can hold, never gets here: Parse refuses it, and what is
// left is dropped.
func (duckdb) text(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "\uFFFD")
	var parts []string
	var run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			parts = append(parts, "'"+strings.ReplaceAll(run.String(), "'", "''")+"'")
			run.Reset()
		}
	}
	for _, r := range s {
		if r < ' ' || r == 0x7f {
			flush()
			parts = append(parts, "chr("+strconv.Itoa(int(r))+")")
			continue
		}
		run.WriteRune(r)
	}
	flush()
	switch len(parts) {
	case 0:
		return "''"
	case 1:
		return parts[0]
	}
	return "(" + strings.Join(parts, " || ") + ")"
}

// rank orders operators by how tightly they bind in SQL.
func rank(op string) int {
	switch op {
	case "or":
		return 1
	case "and":
		return 2
	case "not":
		return 3
	case "=", "<>", "<", "<=", ">", ">=", "is_null", "not_null", "in", "not_in", "like":
		return 4
	case "+", "-":
		return 5
	case "*", "/":
		return 6
	case "neg":
		return 7
	default:
		return 8
	}
}

// expr writes an operation; render writes its operands, which may be columns.
func (d duckdb) expr(s *scalar, render func(*scalar) string) string {
	mine := rank(s.op)
	arg := func(i, least int) string {
		if rank(s.args[i].op) < least {
			return "(" + render(s.args[i]) + ")"
		}
		return render(s.args[i])
	}
	list := func(from int) string {
		var all []string
		for i := from; i < len(s.args); i++ {
			all = append(all, render(s.args[i]))
		}
		return "(" + strings.Join(all, ", ") + ")"
	}
	switch s.op {
	case "num":
		return s.text
	case "str":
		return d.text(s.text)
	case "bool":
		return strings.ToUpper(s.text)
	case "null":
		return "NULL"
	case "date":
		return "DATE " + d.text(s.text)
	case "timestamp":
		return "TIMESTAMP " + d.text(s.text)
	case "time":
		return "TIME " + d.text(s.text)
	case "/":
		return d.division(s, arg)
	case "neg":
		return "-" + arg(0, mine+1)
	case "not":
		return "NOT " + arg(0, mine+1)
	case "is_null":
		return arg(0, mine+1) + " IS NULL"
	case "not_null":
		return arg(0, mine+1) + " IS NOT NULL"
	case "in":
		return arg(0, mine+1) + " IN " + list(1)
	case "not_in":
		return arg(0, mine+1) + " NOT IN " + list(1)
	case "like":
		return arg(0, mine+1) + " LIKE " + arg(1, mine+1)
	case "contains", "starts_with":
		return s.op + "(lower(" + render(s.args[0]) + "), lower(" + render(s.args[1]) + "))"
	case "case":
		return d.cases(s, render)
	case "call":
		return d.call(s, list)
	case "trunc":
		return d.trunc(s, arg)
	case "and", "or", "+", "-", "*":
		least := mine + 1
		if s.op == "and" || s.op == "or" || s.op == "+" || s.op == "*" && exact(s) {
			least = mine
		}
		return arg(0, mine) + " " + strings.ToUpper(s.op) + " " + arg(1, least)
	default: // comparisons do not chain
		return arg(0, mine+1) + " " + s.op + " " + arg(1, mine+1)
	}
}

// exact says that a product may be regrouped; a division among its factors forbids it.
func exact(s *scalar) bool { return s.args[1].op != "/" }

// division gives NULL instead of dividing by zero, in floating point, from numbers that were exact so far.
func (d duckdb) division(s *scalar, arg func(i, least int) string) string {
	below := "NULLIF(" + arg(1, 0) + ", 0)"
	if n := s.args[1]; n.op == "num" && strings.Trim(n.text, "0.eE+-") != "" {
		below = n.text
	}
	return "CAST(" + arg(0, 0) + " AS DOUBLE) / " + below
}

func (d duckdb) cases(s *scalar, render func(*scalar) string) string {
	var b strings.Builder
	b.WriteString("CASE")
	for i := 0; i+1 < len(s.args); i += 2 {
		b.WriteString(" WHEN " + render(s.args[i]) + " THEN " + render(s.args[i+1]))
	}
	if s.hasElse {
		b.WriteString(" ELSE " + render(s.args[len(s.args)-1]))
	}
	return b.String() + " END"
}

// call writes a function of the expression grammar. Those not named here are called the same.
func (d duckdb) call(s *scalar, list func(from int) string) string {
	switch s.text {
	case "weekday":
		return "isodow" + list(0)
	case "concat":
		return "concat" + list(0)
	}
	return s.text + list(0)
}

// trunc cuts a time: a DATE for days and longer.
func (d duckdb) trunc(s *scalar, arg func(i, least int) string) string {
	t := arg(0, rank("+"))
	cut := func(unit, of string) string { return "date_trunc('" + unit + "', " + of + ")" }
	shifted := func(unit, by string) string {
		return "CAST(" + cut(unit, t+" - "+by) + " + " + by + " AS DATE)"
	}
	months := "INTERVAL " + strconv.Itoa(s.shift) + " MONTH"
	switch {
	case s.text == "hour":
		return cut("hour", t)
	case s.text == "day":
		return "CAST(" + t + " AS DATE)"
	case s.text == "week" && s.shift > 0:
		return "CAST(" + cut("week", t+" + INTERVAL 1 DAY") + " - INTERVAL 1 DAY AS DATE)"
	case s.text == "fiscal_year" && s.shift > 0:
		return shifted("year", months)
	case s.text == "fiscal_quarter" && s.shift > 0:
		return shifted("quarter", months)
	}
	return "CAST(" + cut(strings.TrimPrefix(s.text, "fiscal_"), t) + " AS DATE)"
}

// reservedSQL are the words that DuckDB does not take as a bare identifier, or takes for something else in some place.
var reservedSQL = lowerSet(`all analyse analyze and any array as asc asymmetric both case cast check collate column
	constraint create default deferrable desc describe distinct do else end except false fetch for foreign from group having
	in initially intersect into is lambda lateral leading limit not null offset on only or order pivot pivot_longer pivot_wider
	placing primary qualify references returning select show some summarize symmetric table then to trailing true union unique
	unpack unpivot using variadic when where window with
	anti asof at authorization binary by collation concurrently cross freeze full generated glob ilike inner isnull join left
	like map natural notnull outer overlaps positional right semi similar struct tablesample try_cast verbose
	between bigint bit boolean char character coalesce columns date dec decimal exists extract float grouping grouping_id if inout
	int integer interval national nchar none nullif numeric out overlay position precision real row setof smallint substring
	time timestamp treat trim values varchar xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi
	xmlroot xmlserialize xmltable`)

func lowerSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
