package compile

import (
	"slices"
	"strings"

	"assay/backend/fault"
	"assay/backend/semantic"
)

// rank orders operators by how tightly they bind in SQL.
func rank(op string) int {
	switch op {
	case "or":
		return rankOr
	case "and":
		return rankAnd
	case "not":
		return rankNot
	case "=", "<>", "<", "<=", ">", ">=", "same", "is_null", "not_null", "in", "not_in", "like":
		return rankCompare
	case "+", "-":
		return rankAdd
	case "*", "/":
		return rankMultiply
	case "neg":
		return rankNegate
	default:
		return rankAtom
	}
}

// expr writes an expression over the items of a SELECT.
func (w *writer) expr(s *Scalar, b *block) operand {
	mine := rank(s.Op)
	arg := func(i, least int) string { return w.expr(s.Args[i], b).at(least) }
	list := func(from int) []operand {
		var all []operand
		for _, a := range s.Args[from:] {
			all = append(all, w.expr(a, b))
		}
		return all
	}
	var sql string
	switch s.Op {
	case "ref":
		sql = w.d.name(b.items[s.Index].alias) + "." + w.d.name(s.Text)
	case "num":
		sql = s.Text
	case "str":
		sql = w.d.text(s.Text)
	case "bool", "date", "timestamp", "time":
		sql = w.d.literal(s.Op, s.Text)
	case "null":
		sql = w.d.null(s.Type)
	case "single":
		name := w.step(s.step)
		sql = "(SELECT " + w.d.name(s.Text) + " FROM " + name + ")"
	case "exists":
		sql = w.exists(s, b)
	case "/":
		divisor := s.Args[1]
		exact := divisor.Op == "num" && strings.Trim(divisor.Text, "0.eE+-") != ""
		sql = w.d.divide(w.expr(s.Args[0], b), w.expr(divisor, b), exact)
	case "same":
		sql = w.d.same(w.expr(s.Args[0], b), w.expr(s.Args[1], b))
	case "neg":
		sql = "-" + w.negated(s, b).at(mine+1)
	case "not":
		sql = "NOT " + arg(0, mine+1)
	case "is_null":
		sql = arg(0, mine+1) + " IS NULL"
	case "not_null":
		sql = arg(0, mine+1) + " IS NOT NULL"
	case "in":
		sql = arg(0, mine+1) + " IN (" + operands(list(1)) + ")"
	case "not_in":
		sql = arg(0, mine+1) + " NOT IN (" + operands(list(1)) + ")"
	case "like", "contains", "starts_with":
		sql = w.d.match(s.Op, w.expr(s.Args[0], b), w.expr(s.Args[1], b))
	case "case":
		sql = w.cases(s, b)
	case "call":
		args := list(0)
		cast := w.together(s)
		if s.Text == "abs" && w.d.kind() == DuckDB {
			cast, _, _ = absolute(s.Args[0])
		}
		for i := range args {
			args[i] = args[i].as(cast)
		}
		call, ok := w.d.call(s.Text, args)
		if !ok {
			w.fail("function " + s.Text)
		}
		sql = call
	case "trunc":
		sql = w.trunc(s, b)
	case "move":
		sql = w.d.move(w.expr(s.Args[0], b), s.N, s.Unit, s.Args[0].Type)
	case "least":
		sql = w.d.least(arg(0, 0), arg(1, 0))
	case "+", "-", "*":
		left, right, regroups := w.operands(s, b)
		least := mine + 1
		if regroups && (s.Op == "+" || s.Op == "*" && s.Args[1].Op != "/") {
			least = mine
		}
		sql = left.at(mine) + " " + s.Op + " " + right.at(least)
	case "and", "or": // may be regrouped
		sql = arg(0, mine) + " " + strings.ToUpper(s.Op) + " " + arg(1, mine)
	case "=", "<>", "<", "<=", ">", ">=": // comparisons do not chain
		sql = arg(0, mine+1) + " " + s.Op + " " + arg(1, mine+1)
	default:
		w.fail("expression " + s.Op)
	}
	whole := operand{sql, mine, s.Type}
	if s.Type == semantic.Text && (s.Op == "case" || s.Op == "ref" && b.items[s.Index].base) {
		return w.d.binary(whole, s.Type)
	}
	return whole
}

// as gives the operand as another type; empty: as it is.
func (o operand) as(engineType string) operand {
	if engineType == "" {
		return o
	}
	return operand{"CAST(" + o.sql + " AS " + engineType + ")", rankAtom, o.typ}
}

// fail keeps the first thing that could not be written: a mistake of ours, for the resolver binds nothing else.
func (w *writer) fail(what string) {
	if w.err == nil {
		w.err = fault.New(fault.Internal, "write sql", "compile: cannot write "+what, "")
	}
}

func (w *writer) cases(s *Scalar, b *block) string {
	var sql strings.Builder
	sql.WriteString("CASE")
	cast := w.together(s)
	for i := 0; i+1 < len(s.Args); i += 2 {
		sql.WriteString(" WHEN " + w.expr(s.Args[i], b).sql + " THEN " + w.expr(s.Args[i+1], b).as(cast).sql)
	}
	if s.HasElse {
		sql.WriteString(" ELSE " + w.expr(s.Args[len(s.Args)-1], b).as(cast).sql)
	}
	return sql.String() + " END"
}

// trunc cuts a time. A unit of a custom calendar is a ladder of its days; N moves to the bucket that many places later.
func (w *writer) trunc(s *Scalar, b *block) string {
	x := w.expr(s.Args[0], b)
	if s.Zone != "" {
		w.need(canZone)
		x = operand{w.d.zoned(x, s.From, s.Zone), rankAtom, semantic.Timestamp}
	}
	if s.Text == "" && len(s.Buckets) == 0 {
		return x.sql
	}
	if len(s.Buckets) == 0 {
		if s.Text == "hour" {
			w.need(canTimes)
		}
		return w.d.trunc(x, s.Text, s.Shift)
	}
	return w.ladder(s, x.at(rankCompare+1))
}

// exists writes a subquery that looks for rows of the many side.
func (w *writer) exists(s *Scalar, b *block) string {
	inner := &block{limit: -1, names: b.names.copy()}
	sc := w.base(inner, s.step)
	outer := s.scope
	for i, j := range s.step.joins {
		name := w.step(s.step.in[j.input])
		sc.inputs[j.input] = len(inner.items)
		inner.items = append(inner.items, item{join: j.kind, text: name, alias: inner.names.alias(name)})
		inner.items[len(inner.items)-1].on = sc.all(s.step.joins[i].on)
	}
	var where []string
	for _, c := range s.step.where {
		if p := sc.scalar(c); p.any(func(x *Scalar) bool { return x.Op == "outer" }) {
			own, parent := w.expr(p.Args[0], inner), w.expr(outer.scalar(p.Args[1].Args[0]), outer.block)
			where = append(where, own.at(rankCompare+1)+" = "+parent.at(rankCompare+1))
			continue
		}
		where = append(where, w.condition(sc.scalar(c), inner)...)
	}
	sel := selection{columns: []string{"1"}, from: w.from(inner), where: append(where, w.anti(inner)...)}
	return "EXISTS (\n" + indent(sel.format()) + "\n)"
}

// condition writes a condition as parts for a WHERE.
func (w *writer) condition(c *Scalar, b *block) []string {
	var all []string
	for _, p := range conjuncts(c) {
		all = append(all, w.expr(p, b).at(rankAnd))
	}
	return all
}

// from writes FROM, an item on each line.
func (w *writer) from(b *block) []string {
	var lines []string
	for i, it := range b.items {
		text := it.text
		// A series has its name already; a SELECT of an entity, on lines of its own, has not.
		if !strings.Contains(text, " AS ") || strings.HasPrefix(text, "(\n") || strings.HasPrefix(text, "\x01") {
			text += " AS " + w.d.name(it.alias)
		}
		var on []string
		for _, c := range it.on {
			on = append(on, w.condition(c, b)...)
		}
		switch {
		case it.join == joinAnti || it.join == joinSemi:
		case i == 0 || len(lines) == 0:
			lines = append(lines, text)
		case it.join == joinCross || len(on) == 0:
			lines = append(lines, "CROSS JOIN "+text)
		case it.join == joinInner:
			lines = append(lines, "JOIN "+text+" ON "+strings.Join(on, " AND "))
		default:
			lines = append(lines, "LEFT JOIN "+text+" ON "+strings.Join(on, " AND "))
		}
	}
	return lines
}

// anti writes the conditions for items of which no columns are taken.
func (w *writer) anti(b *block) []string {
	var all []string
	for _, it := range b.items {
		if it.join != joinAnti && it.join != joinSemi {
			continue
		}
		sel := selection{columns: []string{"1"}, from: []string{it.text + " AS " + w.d.name(it.alias)}}
		for _, c := range it.on {
			sel.where = append(sel.where, w.condition(c, b)...)
		}
		word := "EXISTS"
		if it.join == joinAnti {
			word = "NOT EXISTS"
		}
		all = append(all, word+" (\n"+indent(sel.format())+"\n)")
	}
	return all
}

// selection writes a block.
func (w *writer) selection(b *block) selection {
	if len(b.arms) > 0 {
		s := selection{}
		for _, a := range b.arms {
			s.arms = append(s.arms, w.selection(a))
		}
		return s
	}
	s := selection{from: w.from(b), limit: w.d.limit(b.limit, b.offset)}
	for _, c := range b.cols {
		s.columns = append(s.columns, w.as(w.value(c, b), c.name))
	}
	for _, c := range b.where {
		s.where = append(s.where, w.condition(c, b)...)
	}
	s.where = append(s.where, w.anti(b)...)
	if b.grouped {
		for _, k := range b.keys {
			s.group = append(s.group, w.groupKey(k, b))
		}
		slices.SortStableFunc(s.group, func(x, y string) int { // ordinals lead, as the columns stand
			return boolInt(!isOrdinal(x)) - boolInt(!isOrdinal(y))
		})
	}
	for _, o := range b.order {
		if o.column == "" {
			s.order = append(s.order, w.d.order(w.value(*o.made, b), "", o.desc))
			continue
		}
		shown := slices.IndexFunc(b.cols, func(c column) bool { return c.name == o.column })
		s.order = append(s.order, w.d.order(w.value(b.cols[shown], b), w.orderAlias(o.column, b), o.desc))
	}
	if len(s.columns) == 0 {
		s.columns = []string{"1"}
	}
	return s
}

// orderAlias gives the name of a column where that cannot be another one's as well: engines do not see the case of names.
func (w *writer) orderAlias(name string, b *block) string {
	alike := 0
	for _, c := range b.cols {
		if strings.EqualFold(c.name, name) {
			alike++
		}
	}
	if alike > 1 {
		return ""
	}
	return w.d.name(name)
}

// groupKey names a key by its place among the columns, or by itself when it is not shown.
func (w *writer) groupKey(k *Scalar, b *block) string {
	for i, c := range b.cols {
		if c.x == k {
			return itoa(i + 1)
		}
	}
	return w.expr(k, b).sql
}

func isOrdinal(s string) bool { return strings.Trim(s, "0123456789") == "" }

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// value writes a column.
func (w *writer) value(c column, b *block) string {
	switch {
	case c.agg != nil:
		return w.aggregate(c.agg, b)
	case c.win != nil:
		return w.window(c.win, b)
	}
	return w.expr(c.x, b).sql
}

func (w *writer) as(expr, alias string) string {
	name := w.d.name(alias)
	if strings.HasSuffix(expr, "."+name) && strings.Count(expr, ".") == 1 && !strings.ContainsAny(expr, ` '(`) {
		return expr
	}
	return expr + " AS " + name
}

func (w *writer) aggregate(a *aggregate, b *block) string {
	t := aggregateText{reducer: a.reducer, distinct: a.distinct, arg: "*", param: a.param, discrete: a.discrete, crowded: b.filters > fewFilters}
	subquery := func(x *Scalar) bool { return x.Op == "exists" }
	if a.arg != nil {
		t.arg, t.typ = w.expr(a.arg, b).sql, a.arg.Type
	}
	if a.filter != nil {
		t.filter = w.expr(a.filter, b).sql
	}
	if a.arg != nil && a.arg.any(subquery) || a.filter != nil && a.filter.any(subquery) {
		w.need(canExistsInAgg)
	}
	for _, o := range a.order {
		t.order = append(t.order, w.expr(o, b).at(rankAdd))
	}
	switch {
	case a.reducer == "median":
		t.reducer, t.param = "percentile", "0.5"
		w.need(canPercentile)
	case a.reducer == "percentile":
		w.need(canPercentile)
	case a.reducer == "first" || a.reducer == "last":
		w.need(canFirstLast)
	case a.reducer == "stddev":
		w.need(canStdDev)
	case a.reducer == "any" || a.reducer == "all":
		w.need(canBool)
	case a.distinct && a.reducer != "count":
		w.need(canDistinctSum)
	}
	sql := w.d.aggregate(t)
	if w.picks(a) { // the value of a row, and arithmetic with it must not end at 32 bits
		sql = "CAST(" + sql + " AS BIGINT)"
	}
	switch {
	case a.zero && a.reducer != "count":
		return "COALESCE(" + sql + ", 0)"
	case a.null && a.arg == nil:
		return "NULLIF(" + sql + ", 0)"
	case a.null: // no row is missing; rows without a value are 0
		t.arg, t.distinct, t.reducer = "*", false, "count"
		return "CASE WHEN " + w.d.aggregate(t) + " > 0 THEN " + sql + " END"
	}
	return sql
}

// picks says whether an aggregate gives a value of its rows, of an integer of 32 bits, as it is.
func (w *writer) picks(a *aggregate) bool {
	picking := []string{"min", "max", "first", "last", "one", "percentile"}
	if a.arg == nil || w.d.kind() != DuckDB || !slices.Contains(picking, a.reducer) {
		return false
	}
	x, known := a.arg.bounded()
	return known && x.bits == 32 && !x.literal && (a.reducer != "percentile" || a.discrete)
}

func (w *writer) window(v *window, b *block) string {
	var parts, order []string
	if len(v.partition) > 0 {
		var by []string
		for _, p := range v.partition {
			by = append(by, w.expr(p, b).sql)
		}
		parts = append(parts, "PARTITION BY "+strings.Join(by, ", "))
	}
	for _, o := range v.order {
		by := w.expr(o.x, b).sql
		if v.frame.kind != "back" && v.frame.kind != "places" { // RANGE takes one key, and what is missing is in nobody's range
			by = w.d.order(by, "", o.desc)
		}
		order = append(order, by)
	}
	if len(order) > 0 {
		parts = append(parts, "ORDER BY "+strings.Join(order, ", "))
	}
	arg := ""
	if v.arg != nil {
		arg = w.expr(v.arg, b).sql
	}
	of := strings.ToUpper(v.function) + "(" + arg + ")"
	switch v.function {
	case "sum", "min", "max", "any", "all":
		of = w.d.aggregate(aggregateText{reducer: v.function, arg: arg, typ: v.arg.Type})
	case "first":
		of = "FIRST_VALUE(" + arg + ")"
	}
	sql := ""
	switch {
	case v.function == "carry":
		w.need(canCarry)
		sql = w.d.carry(arg, strings.Join(parts, " "))
	default:
		switch v.frame.kind {
		case "before":
			parts = append(parts, "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW")
		case "places":
			parts = append(parts, "RANGE BETWEEN "+itoa(v.frame.n)+" PRECEDING AND CURRENT ROW")
		case "back":
			w.need(canRange)
			parts = append(parts, w.d.back(v.frame.n, v.frame.unit, v.frame.less))
		}
		sql = of + " OVER (" + strings.Join(parts, " ") + ")"
	}
	if v.when != nil {
		otherwise := ""
		if v.otherwise != nil {
			otherwise = " ELSE " + w.expr(v.otherwise, b).sql
		}
		return "CASE WHEN " + w.expr(v.when, b).sql + " THEN " + sql + otherwise + " END"
	}
	return sql
}

// typeOf gives what is known about the type of a number that a reducer makes.
func typeOf(reducer string, of semantic.Type) semantic.Type {
	switch reducer {
	case "count":
		return semantic.Integer
	case "avg", "stddev":
		return semantic.Float
	case "any", "all":
		return semantic.Boolean
	case "median", "percentile":
		return ""
	}
	return of
}
