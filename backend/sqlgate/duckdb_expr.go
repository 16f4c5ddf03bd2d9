package sqlgate

import (
	"math"
	"strconv"
	"strings"
)

func (w duckWalk) exprs(n node, s *scope) {
	for _, e := range n.items() {
		w.expr(e.value, s)
	}
}

// column refuses a bare name that the engine reads as a call where no such column is: current_user.
func (w duckWalk) column(names node) {
	parts := names.items()
	if len(parts) != 1 {
		return
	}
	if name := lower(parts[0].value.text); calledBare[name] {
		w.refuse(ruleFunction, "function", name)
	}
}

// calledBare are functions that SQL calls without parentheses, and that tell about the server or who asks. Those that tell the time are
// allowed.
var calledBare = map[string]bool{
	"current_user": true, "session_user": true, "user": true, "current_role": true, "current_catalog": true, "current_database": true, "current_schema": true,
}

func (w duckWalk) maybe(n node, s *scope) {
	if !n.null() {
		w.expr(n, s)
	}
}

// expr is an expression: an object with a class.
func (w duckWalk) expr(n node, s *scope) {
	switch n.str("class") {
	case "COLUMN_REF":
		w.keep(n, "class", "type", "alias", "query_location", "column_names")
		w.column(n.get("column_names"))
	case "POSITIONAL_REFERENCE":
		w.keep(n, "class", "type", "alias", "query_location", "index")
	case "CONSTANT":
		w.keep(n, "class", "type", "alias", "query_location", "value")
		w.value(n.get("value"))
	case "STAR":
		w.star(n, s)
	case "FUNCTION":
		w.funcCall(n, s)
	case "WINDOW":
		w.window(n, s)
	case "OPERATOR":
		w.keep(n, "class", "type", "alias", "query_location", "children")
		if !w.list.nodes[n.str("type")] {
			w.refuse(ruleNode)
		}
		w.exprs(n.get("children"), s)
	case "COMPARISON":
		w.keep(n, "class", "type", "alias", "query_location", "left", "right")
		w.expr(n.get("left"), s)
		w.expr(n.get("right"), s)
	case "CONJUNCTION":
		w.keep(n, "class", "type", "alias", "query_location", "children")
		w.exprs(n.get("children"), s)
	case "BETWEEN":
		w.keep(n, "class", "type", "alias", "query_location", "input", "lower", "upper")
		w.expr(n.get("input"), s)
		w.expr(n.get("lower"), s)
		w.expr(n.get("upper"), s)
	case "CASE":
		w.keep(n, "class", "type", "alias", "query_location", "case_checks", "else_expr")
		for _, c := range n.get("case_checks").items() {
			w.keep(c.value, "when_expr", "then_expr")
			w.expr(c.value.get("when_expr"), s)
			w.expr(c.value.get("then_expr"), s)
		}
		w.maybe(n.get("else_expr"), s)
	case "CAST":
		w.keep(n, "class", "type", "alias", "query_location", "child", "cast_type", "try_cast")
		w.typ(n.get("cast_type"))
		w.expr(n.get("child"), s)
	case "COLLATE":
		w.keep(n, "class", "type", "alias", "query_location", "child", "collation")
		w.expr(n.get("child"), s)
	case "LAMBDA":
		w.keep(n, "class", "type", "alias", "query_location", "lhs", "expr", "syntax_type")
		w.expr(n.get("lhs"), s)
		w.expr(n.get("expr"), s)
	case "LAMBDA_REF":
		w.keep(n, "class", "type", "alias", "query_location", "column_name", "lambda_idx")
	case "SUBQUERY":
		w.keep(n, "class", "type", "alias", "query_location", "subquery_type", "subquery", "child", "comparison_type")
		w.shape.Subqueries++
		w.inner(n.get("subquery"), s)
		w.maybe(n.get("child"), s)
	case "PARAMETER":
		w.refuse(ruleParameter)
	default:
		w.refuse(ruleNode)
	}
}

// star is * or COLUMNS(…) with what is left out, put in its place or renamed.
func (w duckWalk) star(n node, s *scope) {
	w.keep(n, "class", "type", "alias", "query_location", "relation_name", "exclude_list", "replace_list", "columns", "expr", "qualified_exclude_list", "rename_list", "unpacked")
	for _, r := range n.get("replace_list").items() {
		w.keep(r.value, "key", "value")
		w.expr(r.value.get("value"), s)
	}
	w.maybe(n.get("expr"), s)
}

// funcCall is a call of a scalar or an aggregate function, or an operator, which is a function too.
func (w duckWalk) funcCall(n node, s *scope) {
	w.callOf(n, s)
	name := n.str("function_name")
	w.call(name, scalar, macro, aggregate)
	if w.list.functions[lower(name)].has(aggregate) && !w.list.functions[lower(name)].has(scalar) {
		w.shape.Aggregates++
	}
}

// tableFunction is a function in FROM.
func (w duckWalk) tableFunction(n node, s *scope) {
	if n.str("class") != "FUNCTION" {
		w.refuse(ruleNode)
		return
	}
	w.callOf(n, s)
	w.call(n.str("function_name"), table)
}

// callOf walks what all calls have.
func (w duckWalk) callOf(n node, s *scope) {
	w.keep(n, "class", "type", "alias", "query_location", "function_name", "schema", "children", "filter", "order_bys", "distinct", "is_operator", "export_state", "catalog")
	w.home(n)
	if n.yes("export_state") { // the inside of an aggregate: what combine and finalize take
		w.refuse(ruleNode)
	}
	w.exprs(n.get("children"), s)
	w.maybe(n.get("filter"), s)
	if o := n.get("order_bys"); !o.null() {
		w.modifier(o, s)
	}
	if w.list.functions[lower(n.str("function_name"))].has(bounded) {
		for _, c := range n.get("children").items() {
			w.bound(c.value)
		}
	}
}

// home refuses a function of another schema than the engine's own. x.upper() is written so too: whether x is a column or
// a schema is known to the engine only.
func (w duckWalk) home(n node) {
	if c := lower(n.str("catalog")); c != "" && c != "system" {
		w.refuse(ruleMethod)
	}
	switch lower(n.str("schema")) {
	case "", "main", "pg_catalog":
	default:
		w.refuse(ruleMethod)
	}
}

func (w duckWalk) window(n node, s *scope) {
	w.keep(n, "class", "type", "alias", "query_location", "function_name", "schema", "catalog", "children", "partitions", "orders", "start", "end", "start_expr", "end_expr",
		"offset_expr", "default_expr", "ignore_nulls", "filter_expr", "exclude_clause", "distinct", "arg_orders")
	w.shape.Windows++
	w.home(n)
	w.call(n.str("function_name"), aggregate)
	w.exprs(n.get("children"), s)
	w.exprs(n.get("partitions"), s)
	w.orders(n.get("orders"), s)
	w.orders(n.get("arg_orders"), s)
	for _, part := range []string{"start_expr", "end_expr", "offset_expr", "default_expr", "filter_expr"} {
		w.maybe(n.get(part), s)
	}
}

// value is a constant: its type must be one of the engine's own.
func (w duckWalk) value(n node) {
	if !n.null() {
		w.keep(n, "type", "is_null", "value")
		w.typ(n.get("type"))
	}
}

// typ is a type. A name that the parser does not know is looked up in the database when the statement is bound, where it may be
// one of somebody's schema; ENUM values are strings.
func (w duckWalk) typ(n node) {
	if n.null() {
		return
	}
	if n.kind != objectNode {
		w.refuse(ruleType)
		return
	}
	w.keep(n, "id", "type_info")
	w.typeParts(n.get("type_info"))
	switch n.str("id") {
	case "UNBOUND", "USER":
		part := n.get("type_info")
		switch lower(part.str("schema")) {
		case "", "main", "pg_catalog":
		default:
			w.refuse(ruleType)
		}
		if c := lower(part.str("catalog")); c != "" && c != "system" || !w.list.types[lower(part.str("name"))] {
			w.refuse(ruleType)
		}
	case "POINTER", "TABLE", "VALIDITY", "AGGREGATE_STATE", "LEGACY_AGGREGATE_STATE", "LAMBDA", "":
		w.refuse(ruleType)
	}
}

func (w duckWalk) typeParts(n node) {
	if n.null() {
		return
	}
	w.keep(n, "type", "alias", "extension_info", "width", "scale", "child_type", "child_types", "size", "name", "catalog", "schema", "user_type_modifiers", "collation", "crs", "expr", "values", "values_count")
	if !n.get("extension_info").null() {
		w.refuse(ruleType)
	}
	w.typ(n.get("child_type"))
	for _, c := range n.get("child_types").items() {
		w.keep(c.value, "first", "second")
		w.typ(c.value.get("second"))
	}
	for _, m := range n.get("user_type_modifiers").items() {
		w.value(m.value)
	}
	if !n.get("expr").null() {
		w.refuse(ruleType)
	}
}

// largest is the largest constant that a function may take which builds a value of that size.
const largest = 1e6

// bound refuses a constant argument above largest, also one that is written as an arithmetic expression.
func (w duckWalk) bound(n node) {
	if x, ok := duckNumber(n, 0); ok && (math.Abs(x) > largest || math.IsNaN(x)) {
		w.refuse(ruleBound)
	}
}

// duckNumber computes an expression of constants.
func duckNumber(n node, depth int) (float64, bool) {
	if depth > 100 {
		return 0, false
	}
	switch n.str("class") {
	case "CONSTANT":
		v := n.get("value")
		raw := v.get("value")
		switch raw.kind {
		case numberNode, stringNode:
			x, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(raw.text), "_", ""), 64)
			if err != nil && math.IsInf(x, 0) {
				err = nil
			}
			if scale := v.get("type").get("type_info").get("scale"); err == nil && scale.kind == numberNode {
				digits, _ := strconv.Atoi(scale.text)
				x /= math.Pow10(digits)
			}
			return x, err == nil
		case objectNode: // a HUGEINT
			return math.Inf(1), true
		}
	case "CAST":
		return duckNumber(n.get("child"), depth+1)
	case "FUNCTION":
		args := n.get("children").items()
		if len(args) == 1 {
			x, ok := duckNumber(args[0].value, depth+1)
			switch lower(n.str("function_name")) {
			case "-":
				return -x, ok
			case "+", "abs", "round", "floor", "ceil":
				return x, ok
			}
			return 0, false
		}
		if len(args) != 2 {
			return 0, false
		}
		x, ok := duckNumber(args[0].value, depth+1)
		y, ok2 := duckNumber(args[1].value, depth+1)
		return arithmetic(lower(n.str("function_name")), x, y, ok && ok2)
	}
	return 0, false
}

// arithmetic computes what is written with an operator or the function of its name.
func arithmetic(name string, x, y float64, ok bool) (float64, bool) {
	switch name {
	case "+", "add":
		return x + y, ok
	case "-", "subtract":
		return x - y, ok
	case "*", "multiply":
		return x * y, ok
	case "/", "//", "div", "divide":
		return x / y, ok
	case "**", "^", "pow", "power":
		return math.Pow(x, y), ok
	case "<<":
		return x * math.Pow(2, y), ok
	default:
		return 0, false
	}
}
