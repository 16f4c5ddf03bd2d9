package sqlgate

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"assay/backend/fault"
)

// checkDuckDB judges a statement by the tree that the engine itself makes of it.
func (g *Gate) checkDuckDB(ctx context.Context, w *walk, sql string, tokens []token) error {
	if pivot := findPivot(sql, tokens); pivot != nil {
		return g.checkPivot(ctx, w, pivot)
	}
	root, err := g.treeOf(ctx, w, sql, tokens)
	if err != nil || w.rule != "" {
		return err
	}
	duckWalk{w, hasLimit(tokens)}.statement(root)
	return nil
}

// hasLimit says whether a statement has a LIMIT anywhere: a recursion that does not end by itself may be stopped by it.
func hasLimit(tokens []token) bool {
	for _, t := range tokens {
		if t.is("LIMIT") {
			return true
		}
	}
	return false
}

// treeOf gives the one statement of a text, or refuses it.
func (g *Gate) treeOf(ctx context.Context, w *walk, sql string, tokens []token) (node, error) {
	if g.parse == nil {
		return node{}, broken(errors.New("no parser was given"))
	}
	raw, err := g.parse(ctx, sql)
	if err != nil {
		if ctx.Err() != nil {
			return node{}, ctx.Err()
		}
		var f *fault.Error
		if errors.As(err, &f) {
			return node{}, err
		}
		return node{}, broken(err)
	}
	tree, err := w.trees.read(raw)
	switch {
	case errors.Is(err, errTooDeep):
		w.refuse(ruleDepth)
		return node{}, nil
	case err != nil:
		return node{}, broken(err)
	case tree.yes("error") && tree.str("error_type") == "parser":
		w.detail = place(sql, tree.str("position"))
		w.refuseKind(tokens)
		w.refuse(ruleSyntax)
		return node{}, nil
	case tree.yes("error"):
		if queries := kindsOf(tokens); len(queries) == 1 && !writes(queries[0]) && !reads[queries[0]] && slices.ContainsFunc(tokens, func(t token) bool { return t.is("PIVOT", "PIVOT_WIDER") }) {
			w.refuse(rulePivot) // one that stands within another query: it would be several statements
		}
		w.refuseKind(tokens)
		w.refuse(ruleNode)
		return node{}, nil
	}
	statements := tree.get("statements").items()
	switch {
	case len(statements) == 0:
		w.refuse(ruleEmpty)
	case len(statements) > 1:
		w.kind = kindMultiple
		w.refuse(ruleMultiple)
	default:
		return statements[0].value, nil
	}
	return node{}, nil
}

// place writes the line and column of a byte of a statement.
func place(sql, position string) string {
	at, err := strconv.Atoi(position)
	if err != nil || at < 0 || at > len(sql) {
		return ""
	}
	line, column := 1, 1
	for _, r := range sql[:at] {
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
	}
	return strconv.Itoa(line) + ":" + strconv.Itoa(column)
}

// duckWalk walks the tree of json_serialize_sql. Every object is read by a function that knows all of its fields.
type duckWalk struct {
	*walk
	limited bool
}

func (w duckWalk) statement(n node) {
	w.keep(n, "node", "named_param_map")
	if len(n.get("named_param_map").items()) > 0 {
		w.refuse(ruleParameter)
	}
	w.query(n.get("node"), nil)
}

// keep refuses an object that has a field which is not expected.
func (w duckWalk) keep(n node, names ...string) {
	if !n.only(names...) {
		w.refuse(ruleNode)
	}
}

// inner is a whole query inside of another.
func (w duckWalk) inner(n node, s *scope) {
	w.keep(n, "node", "named_param_map")
	if len(n.get("named_param_map").items()) > 0 {
		w.refuse(ruleParameter)
	}
	w.query(n.get("node"), s)
}

// query is a node of a query: SELECT, a set operation, or the two arms of a recursion.
func (w duckWalk) query(n node, s *scope) {
	s = w.ctes(n.get("cte_map"), s)
	for _, m := range n.get("modifiers").items() {
		w.modifier(m.value, s)
	}
	switch n.str("type") {
	case "SELECT_NODE":
		w.keep(n, "type", "modifiers", "cte_map", "select_list", "from_table", "where_clause", "group_expressions", "group_sets", "aggregate_handling", "having", "sample", "qualify")
		w.sample(n.get("sample"))
		w.from(n.get("from_table"), s)
		w.exprs(n.get("select_list"), s)
		w.exprs(n.get("group_expressions"), s)
		w.maybe(n.get("where_clause"), s)
		w.maybe(n.get("having"), s)
		w.maybe(n.get("qualify"), s)
	case "SET_OPERATION_NODE":
		w.keep(n, "type", "modifiers", "cte_map", "setop_type", "left", "right", "setop_all", "children")
		switch n.str("setop_type") {
		case "UNION", "EXCEPT", "INTERSECT", "UNION_BY_NAME":
		default:
			w.refuse(ruleNode)
		}
		for _, side := range []string{"left", "right"} {
			if arm := n.get(side); !arm.null() {
				w.query(arm, s)
			}
		}
		for _, arm := range n.get("children").items() {
			w.query(arm.value, s)
		}
	case "RECURSIVE_CTE_NODE":
		w.keep(n, "type", "modifiers", "cte_map", "cte_name", "union_all", "left", "right", "aliases", "key_targets")
		if n.yes("union_all") && !w.limited && goesOn(n.get("right"), lower(n.str("cte_name"))) {
			w.refuse(ruleEndless)
		}
		w.query(n.get("left"), s) // the anchor does not see itself
		w.query(n.get("right"), s.with(lower(n.str("cte_name"))))
		w.exprs(n.get("key_targets"), s)
	case "CTE_NODE":
		w.keep(n, "type", "modifiers", "cte_map", "ctename", "query", "child", "aliases", "materialized", "key_targets")
		w.shape.CTEs++
		w.query(n.get("query"), s)
		w.query(n.get("child"), s.with(lower(n.str("ctename"))))
	default:
		w.refuse(ruleNode)
	}
}

// goesOn says whether the recursive arm makes rows of all rows before, whatever they hold: nothing in it can end the recursion.
func goesOn(n node, self string) bool {
	from := n.get("from_table")
	for _, ends := range []node{n.get("where_clause"), n.get("having"), n.get("qualify"), n.get("sample"), from.get("sample")} {
		if !ends.null() {
			return false
		}
	}
	return n.str("type") == "SELECT_NODE" && from.str("type") == "BASE_TABLE" && from.str("schema_name") == "" && lower(from.str("table_name")) == self && len(n.get("modifiers").items()) == 0
}

// ctes walks common table expressions: each in the scope of those before it, used or not.
func (w duckWalk) ctes(n node, s *scope) *scope {
	if n.null() {
		return s
	}
	w.keep(n, "map")
	for _, entry := range n.get("map").items() {
		w.keep(entry.value, "key", "value")
		cte := entry.value.get("value")
		w.keep(cte, "aliases", "query", "materialized", "key_targets")
		w.shape.CTEs++
		w.inner(cte.get("query"), s)
		s = s.with(lower(entry.value.str("key")))
		w.exprs(cte.get("key_targets"), s)
	}
	return s
}

func (w duckWalk) modifier(n node, s *scope) {
	switch n.str("type") {
	case "LIMIT_MODIFIER", "LIMIT_PERCENT_MODIFIER":
		w.keep(n, "type", "limit", "offset")
		w.maybe(n.get("limit"), s)
		w.maybe(n.get("offset"), s)
	case "ORDER_MODIFIER":
		w.keep(n, "type", "orders")
		w.orders(n.get("orders"), s)
	case "DISTINCT_MODIFIER":
		w.keep(n, "type", "distinct_on_targets")
		w.exprs(n.get("distinct_on_targets"), s)
	default:
		w.refuse(ruleNode)
	}
}

func (w duckWalk) orders(n node, s *scope) {
	for _, o := range n.items() {
		w.keep(o.value, "type", "null_order", "expression")
		w.expr(o.value.get("expression"), s)
	}
}

// sample is TABLESAMPLE: numbers only.
func (w duckWalk) sample(n node) {
	if !n.null() {
		w.keep(n, "sample_size", "is_percentage", "method", "seed")
		w.value(n.get("sample_size"))
	}
}

// from is a reference to a table.
func (w duckWalk) from(n node, s *scope) {
	if n.null() {
		return
	}
	w.sample(n.get("sample"))
	switch n.str("type") {
	case "EMPTY":
		w.keep(n, "type", "alias", "sample", "query_location")
	case "BASE_TABLE":
		w.keep(n, "type", "alias", "sample", "query_location", "schema_name", "table_name", "column_name_alias", "catalog_name", "at_clause")
		if !n.get("at_clause").null() {
			w.refuse(ruleNode)
		}
		w.base(n.str("catalog_name"), n.str("schema_name"), n.str("table_name"), s)
	case "SUBQUERY":
		w.keep(n, "type", "alias", "sample", "query_location", "subquery", "column_name_alias")
		w.shape.Subqueries++
		w.inner(n.get("subquery"), s)
	case "JOIN":
		w.keep(n, "type", "alias", "sample", "query_location", "left", "right", "condition", "join_type", "ref_type", "using_columns", "delim_flipped", "duplicate_eliminated_columns")
		w.shape.Joins++
		w.from(n.get("left"), s)
		w.from(n.get("right"), s)
		w.maybe(n.get("condition"), s)
		w.exprs(n.get("duplicate_eliminated_columns"), s)
	case "TABLE_FUNCTION":
		w.keep(n, "type", "alias", "sample", "query_location", "function", "column_name_alias", "with_ordinality")
		w.tableFunction(n.get("function"), s)
	case "EXPRESSION_LIST":
		w.keep(n, "type", "alias", "sample", "query_location", "expected_names", "expected_types", "values")
		for _, t := range n.get("expected_types").items() {
			w.typ(t.value)
		}
		for _, row := range n.get("values").items() {
			w.exprs(row.value, s)
		}
	case "PIVOT":
		w.pivotRef(n, s)
	default: // SHOW_REF too: it lists what is there
		w.refuse(ruleNode)
	}
}

// base is a named table: a common table expression in scope, or one of the database.
func (w duckWalk) base(catalog, schema, table string, s *scope) {
	if catalog == "" && schema == "" && s.has(lower(table)) {
		return
	}
	for i := range len(table) {
		switch table[i] { // a name that the engine would take for a file
		case '/', '\\', '.', ':', '*', '?', '[', '|', '~':
			if w.list.system[lower(table)] || !w.access.listed(table) {
				w.refuse(ruleFile)
				return
			}
		}
	}
	w.table(catalog, schema, table)
}

func (w duckWalk) pivotRef(n node, s *scope) {
	w.keep(n, "type", "alias", "sample", "query_location", "source", "aggregates", "unpivot_names", "pivots", "groups", "column_name_alias", "include_nulls")
	w.shape.Subqueries++
	w.from(n.get("source"), s)
	w.exprs(n.get("aggregates"), s)
	for _, p := range n.get("pivots").items() {
		w.keep(p.value, "pivot_expressions", "unpivot_names", "entries", "pivot_enum", "subquery")
		if p.value.str("pivot_enum") != "" || !p.value.get("subquery").null() { // values of a type, or of a query that is not there
			w.refuse(rulePivot)
		}
		w.exprs(p.value.get("pivot_expressions"), s)
		for _, e := range p.value.get("entries").items() {
			w.keep(e.value, "values", "star_expr", "alias", "expr")
			for _, v := range e.value.get("values").items() {
				w.value(v.value)
			}
			w.maybe(e.value.get("star_expr"), s)
			w.maybe(e.value.get("expr"), s)
		}
	}
}
