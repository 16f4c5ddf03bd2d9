package sqlgate

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/pganalyze/pg_query_go/v6/parser"
)

// checkPostgres judges a statement by PostgreSQL's own grammar, as libpg_query carries it. Its tree comes as JSON; the
// protocol buffers of that library are left out, since they would cost every start of the program some milliseconds.
func checkPostgres(w *walk, sql string) {
	raw, err := parser.ParseToJSON(sql)
	if err != nil {
		var syntax *parser.Error
		if errors.As(err, &syntax) && syntax.Cursorpos > 0 {
			w.detail = place(sql, strconv.Itoa(byteOf(sql, syntax.Cursorpos-1)))
		}
		if writes(w.kind) && knownVerb[w.kind] {
			w.refuse(ruleWrite)
		}
		w.refuse(ruleSyntax)
		return
	}
	tree, err := w.trees.read(raw)
	if err != nil {
		w.refuse(ruleDepth)
		return
	}
	statements := tree.get("stmts").items()
	switch len(statements) {
	case 0:
		w.refuse(ruleEmpty)
	case 1:
		pgWalk{w}.statement(statements[0].value)
	default:
		w.kind = kindMultiple
		for _, s := range statements {
			if kind, query := pgKind(s.value.get("stmt")); !query && !reads[kind] {
				w.refuse(ruleWrite)
			}
		}
		w.refuse(ruleMultiple)
	}
}

// byteOf gives the byte at which a character starts.
func byteOf(s string, characters int) int {
	for i := range s {
		if characters == 0 {
			return i
		}
		characters--
	}
	return len(s)
}

// pgKind names a statement by its node: SELECT, or the first word of the name of the node.
func pgKind(n node) (kind string, query bool) {
	if n.kind != objectNode || len(n.fields) != 1 {
		return "UNKNOWN", false
	}
	name := strings.TrimSuffix(n.fields[0].name, "Stmt")
	switch name {
	case "Select":
		if !n.fields[0].value.get("withClause").null() {
			return kindWith, true
		}
		return kindSelect, true
	case "Explain":
		return "EXPLAIN", false
	case "VariableShow":
		return "SHOW", false
	case "VariableSet":
		return "SET", false
	}
	for i := 1; i < len(name); i++ {
		if name[i] >= 'A' && name[i] <= 'Z' {
			name = name[:i]
			break
		}
	}
	return strings.ToUpper(name), false
}

// pgWalk walks the tree of PostgreSQL. A node is an object whose one field is the name of its kind; some fields hold the
// inside of a node without that.
type pgWalk struct{ *walk }

func (w pgWalk) statement(n node) {
	kind, query := pgKind(n.get("stmt"))
	if !query {
		if knownVerb[w.kind] || !reads[kind] {
			w.refuse(ruleWrite)
		}
		if inner := n.get("stmt").get("ExplainStmt").get("query"); !inner.null() {
			if _, reads := pgKind(inner); !reads {
				w.refuse(ruleWrite)
			}
		}
		w.refuse(ruleKind)
		return
	}
	w.kind = kind
	w.selects(n.get("stmt").get("SelectStmt"), nil)
}

// pgFields says of each kind of node which fields it may have and what they hold: n nodes or a list of them, s what names
// and counts, t a type, w a WINDOW, j a value of JSON, o how JSON is returned, b what happens where there is none. A kind or a field that is not here is
// refused; those that need more than a walk are in node below.
var pgFields = map[string]string{
	"ResTarget":             "name:s indirection:n val:n",
	"A_Const":               "ival:s fval:s boolval:s sval:s bsval:s isnull:s",
	"BoolExpr":              "boolop:s args:n",
	"NullTest":              "arg:n nulltesttype:s argisrow:s",
	"BooleanTest":           "arg:n booltesttype:s",
	"CaseExpr":              "arg:n args:n defresult:n",
	"CaseWhen":              "expr:n result:n",
	"CoalesceExpr":          "args:n",
	"MinMaxExpr":            "op:s args:n",
	"A_ArrayExpr":           "elements:n",
	"RowExpr":               "args:n row_format:s colnames:n",
	"TypeCast":              "arg:n typeName:t",
	"A_Indirection":         "arg:n indirection:n",
	"A_Indices":             "is_slice:s lidx:n uidx:n",
	"A_Star":                "",
	"String":                "sval:s",
	"Integer":               "ival:s",
	"Float":                 "fval:s",
	"Boolean":               "boolval:s",
	"BitString":             "bsval:s",
	"List":                  "items:n",
	"SortBy":                "node:n sortby_dir:s sortby_nulls:s useOp:s",
	"GroupingSet":           "kind:s content:n",
	"GroupingFunc":          "args:n",
	"NamedArgExpr":          "arg:n name:s argnumber:s",
	"XmlExpr":               "op:s name:s named_args:n arg_names:n args:n xmloption:s indent:s",
	"XmlSerialize":          "xmloption:s expr:n typeName:t indent:s",
	"JsonObjectConstructor": "exprs:n output:o absent_on_null:s unique:s",
	"JsonArrayConstructor":  "exprs:n output:o absent_on_null:s",
	"JsonKeyValue":          "key:n value:j",
	"JsonValueExpr":         "raw_expr:n formatted_expr:n format:s",
	"JsonIsPredicate":       "expr:n format:s item_type:s unique_keys:s",
	"JsonFuncExpr":          "op:s column_name:s context_item:j pathspec:n passing:n output:o on_empty:b on_error:b wrapper:s quotes:s",
	"JsonArgument":          "val:j name:s",
	"RangeSubselect":        "lateral:s subquery:n alias:s",
	"JoinExpr":              "jointype:s isNatural:s larg:n rarg:n usingClause:n join_using_alias:s quals:n alias:s",
	"ColumnDef":             "colname:s typeName:t is_local:s",
	// inside of fields that are no nodes themselves
	"WindowDef":    "name:s refname:s partitionClause:n orderClause:n frameOptions:s startOffset:n endOffset:n",
	"JsonOutput":   "typeName:t returning:s",
	"JsonBehavior": "btype:s expr:n coerce:s",
}

// node is one node, or a list of them.
func (w pgWalk) node(n node, s *scope) {
	switch {
	case n.null():
		return
	case n.kind == listNode:
		for _, item := range n.items() {
			w.node(item.value, s)
		}
		return
	case n.kind != objectNode || len(n.fields) > 1:
		w.refuse(ruleNode)
		return
	case len(n.fields) == 0: // an empty place in a list
		return
	}
	kind, in := n.fields[0].name, n.fields[0].value
	switch kind {
	case "SelectStmt":
		w.shape.Subqueries++
		w.selects(in, s)
	case "RangeVar":
		w.relation(in, s)
	case "RangeFunction":
		w.rangeFunction(in, s)
	case "RangeTableSample":
		w.sample(in, s)
	case "FuncCall":
		w.funcCall(in, s, scalar, aggregate)
	case "A_Expr":
		w.operation(in, s)
	case "SubLink":
		w.fields(in, "subLinkType:s testexpr:n operName:s subselect:n", s)
		w.operator(in.get("operName"))
	case "ColumnRef":
		w.column(in)
	case "SortBy":
		w.fields(in, pgFields[kind], s)
		w.operator(in.get("useOp"))
	case "CollateClause":
		w.fields(in, "arg:n collname:s", s)
		if w.own(in.get("collname")) == "" {
			w.refuse(ruleType)
		}
	case "A_Indirection":
		w.fields(in, pgFields[kind], s)
		w.selection(in)
	case "SQLValueFunction":
		w.now(in)
	case "ParamRef":
		w.refuse(ruleParameter)
	case "WindowDef":
		w.shape.Windows++
		w.fields(in, pgFields[kind], s)
	case "JoinExpr":
		w.shape.Joins++
		w.fields(in, pgFields[kind], s)
	case "LockingClause":
		w.refuse(ruleLock)
	default:
		spec, known := pgFields[kind]
		if !known {
			w.refuse(ruleNode)
			return
		}
		w.fields(in, spec, s)
	}
}

// fields walks the inside of a node by what its fields hold.
func (w pgWalk) fields(n node, spec string, s *scope) {
	if n.kind != objectNode {
		w.refuse(ruleNode)
		return
	}
	for _, f := range n.fields {
		if f.name == "location" || strings.HasSuffix(f.name, "_location") {
			continue
		}
		switch holds(spec, f.name) {
		case 's':
		case 'n':
			w.node(f.value, s)
		case 't':
			w.typ(f.value, s)
		case 'j':
			w.fields(f.value, pgFields["JsonValueExpr"], s)
		case 'o':
			w.fields(f.value, pgFields["JsonOutput"], s)
		case 'b':
			w.fields(f.value, pgFields["JsonBehavior"], s)
		case 'w':
			w.shape.Windows++
			w.fields(f.value, pgFields["WindowDef"], s)
		default:
			w.refuse(ruleNode)
		}
	}
}

// holds finds what a field holds; 0: it may not be there.
func holds(spec, name string) byte {
	for at := 0; at < len(spec); {
		i := strings.Index(spec[at:], name)
		if i < 0 {
			return 0
		}
		i += at
		end := i + len(name)
		if (i == 0 || spec[i-1] == ' ') && end+1 < len(spec) && spec[end] == ':' {
			return spec[end+1]
		}
		at = end
	}
	return 0
}

// selects is SELECT, VALUES, TABLE or a set operation of two of them.
func (w pgWalk) selects(n node, s *scope) {
	if n.kind != objectNode {
		w.refuse(ruleNode)
		return
	}
	s = w.with(n.get("withClause"), s)
	for _, f := range n.fields {
		switch f.name {
		case "withClause", "limitOption", "op", "all", "groupDistinct":
		case "distinctClause", "targetList", "fromClause", "whereClause", "groupClause", "havingClause", "windowClause", "valuesLists", "sortClause", "limitOffset", "limitCount":
			w.node(f.value, s)
		case "larg", "rarg":
			w.selects(f.value, s)
		case "intoClause":
			w.refuse(ruleInto)
		case "lockingClause":
			w.refuse(ruleLock)
		default:
			w.refuse(ruleNode)
		}
	}
}

// with walks common table expressions. WITH RECURSIVE makes each name known to all of them; else a name is known to those
// behind it.
func (w pgWalk) with(n node, s *scope) *scope {
	if n.null() {
		return s
	}
	recursive := false
	for _, f := range n.fields {
		switch f.name {
		case "ctes", "location":
		case "recursive":
			recursive = n.yes("recursive")
		default:
			w.refuse(ruleNode)
		}
	}
	ctes := n.get("ctes").items()
	if recursive {
		for _, c := range ctes {
			s = s.with(c.value.get("CommonTableExpr").str("ctename"))
		}
	}
	for _, c := range ctes {
		cte := c.value.get("CommonTableExpr")
		w.shape.CTEs++
		w.fields(cte, "ctename:s aliascolnames:s ctematerialized:s ctequery:s search_clause:s cycle_clause:s", s)
		if order := cte.get("search_clause"); !order.null() {
			w.fields(order, "search_col_list:n search_breadth_first:s search_seq_column:s", s)
		}
		if cycle := cte.get("cycle_clause"); !cycle.null() {
			w.fields(cycle, "cycle_col_list:n cycle_mark_column:s cycle_mark_value:n cycle_mark_default:n cycle_path_column:s", s)
		}
		query := cte.get("ctequery").get("SelectStmt")
		if query.null() { // INSERT, UPDATE, DELETE, MERGE
			w.kind, _ = pgKind(cte.get("ctequery"))
			w.refuse(ruleWrite)
		}
		w.selects(query, s)
		if !recursive {
			s = s.with(cte.str("ctename"))
		}
	}
	return s
}

func (w pgWalk) relation(n node, s *scope) {
	w.fields(n, "catalogname:s schemaname:s relname:s inh:s relpersistence:s alias:s", s)
	if n.str("schemaname") == "" && n.str("catalogname") == "" && s.has(n.str("relname")) {
		return
	}
	w.table(n.str("catalogname"), n.str("schemaname"), n.str("relname"))
}

// rangeFunction is a function in FROM, or several in ROWS FROM, each with the columns that it is said to give.
func (w pgWalk) rangeFunction(n node, s *scope) {
	w.fields(n, "lateral:s ordinality:s is_rowsfrom:s functions:s alias:s coldeflist:n", s)
	for _, f := range n.get("functions").items() {
		pair := f.value.get("List").get("items").items()
		if len(pair) == 0 {
			w.refuse(ruleNode)
		}
		for i, part := range pair {
			if call := part.value.get("FuncCall"); i == 0 && !call.null() {
				w.funcCall(call, s, table, scalar)
				continue
			}
			w.node(part.value, s)
		}
	}
}

func (w pgWalk) sample(n node, s *scope) {
	w.fields(n, "relation:n method:s args:n repeatable:n", s)
	switch w.own(n.get("method")) {
	case "system", "bernoulli":
	default:
		w.refuse(ruleNode)
	}
}

// own gives the name of something that must be of pg_catalog.
func (w pgWalk) own(names node) string {
	parts := names.items()
	switch {
	case len(parts) == 1:
		return parts[0].value.get("String").str("sval")
	case len(parts) == 2 && parts[0].value.get("String").str("sval") == "pg_catalog":
		return parts[1].value.get("String").str("sval")
	default:
		return ""
	}
}

func (w pgWalk) funcCall(n node, s *scope, classes ...class) {
	w.fields(n, "funcname:s args:n agg_order:n agg_filter:n over:w agg_within_group:s agg_star:s agg_distinct:s func_variadic:s funcformat:s", s)
	name := w.own(n.get("funcname"))
	if name == "" || name != lower(name) { // of another schema, or a name that pg_catalog has not
		w.refuse(ruleUnknown, "function", "")
		return
	}
	w.call(name, classes...)
	if got := w.list.functions[name]; got.has(aggregate) && n.get("over").null() {
		w.shape.Aggregates++
	} else if got.has(bounded) {
		for _, a := range n.get("args").items() {
			if x, ok := pgNumber(a.value, 0); ok && (math.Abs(x) > largest || math.IsNaN(x)) {
				w.refuse(ruleBound)
			}
		}
	}
}

func (w pgWalk) operation(n node, s *scope) {
	w.fields(n, "kind:s name:s lexpr:n rexpr:n", s)
	switch n.str("kind") {
	case "AEXPR_BETWEEN", "AEXPR_NOT_BETWEEN", "AEXPR_BETWEEN_SYM", "AEXPR_NOT_BETWEEN_SYM":
	case "AEXPR_OP", "AEXPR_OP_ANY", "AEXPR_OP_ALL", "AEXPR_DISTINCT", "AEXPR_NOT_DISTINCT", "AEXPR_NULLIF", "AEXPR_IN", "AEXPR_LIKE", "AEXPR_ILIKE", "AEXPR_SIMILAR":
		w.operator(n.get("name"))
	default:
		w.refuse(ruleNode)
	}
}

// operator refuses the operators that somebody made: they run functions.
func (w pgWalk) operator(names node) {
	if !names.null() && !w.list.operators[w.own(names)] {
		w.refuse(ruleOperator)
	}
}

// now is CURRENT_DATE and its like; those that name the user or the schema are refused.
func (w pgWalk) now(n node) {
	w.fields(n, "op:s typmod:s", nil)
	switch n.str("op") {
	case "SVFOP_CURRENT_DATE", "SVFOP_CURRENT_TIME", "SVFOP_CURRENT_TIME_N", "SVFOP_CURRENT_TIMESTAMP", "SVFOP_CURRENT_TIMESTAMP_N",
		"SVFOP_LOCALTIME", "SVFOP_LOCALTIME_N", "SVFOP_LOCALTIMESTAMP", "SVFOP_LOCALTIMESTAMP_N":
	default:
		w.refuse(ruleFunction, "function", lower(strings.TrimPrefix(n.str("op"), "SVFOP_")))
	}
}

func (w pgWalk) typ(n node, s *scope) {
	w.fields(n, "names:s typmods:n typemod:s arrayBounds:n", s)
	if !w.list.types[w.own(n.get("names"))] {
		w.refuse(ruleType)
	}
}

// pgNumber computes an expression of constants.
func pgNumber(n node, depth int) (float64, bool) {
	if depth > 100 {
		return 0, false
	}
	if c := n.get("A_Const"); !c.null() {
		raw := c.get("ival").get("ival")
		if raw.null() {
			raw = c.get("fval").get("fval")
		}
		if raw.null() {
			raw = c.get("sval").get("sval")
		}
		if raw.null() && !c.get("ival").null() {
			return 0, true // a zero is left out of the tree
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(raw.text), 64)
		return x, err == nil || math.IsInf(x, 0)
	}
	if c := n.get("TypeCast"); !c.null() {
		return pgNumber(c.get("arg"), depth+1)
	}
	if e := n.get("A_Expr"); e.str("kind") == "AEXPR_OP" {
		y, ok := pgNumber(e.get("rexpr"), depth+1)
		name := ""
		if parts := e.get("name").items(); len(parts) > 0 {
			name = parts[len(parts)-1].value.get("String").str("sval")
		}
		if e.get("lexpr").null() {
			if name == "-" {
				y = -y
			}
			return y, ok
		}
		x, ok2 := pgNumber(e.get("lexpr"), depth+1)
		return arithmetic(name, x, y, ok && ok2)
	}
	return 0, false
}
