package frameql

import (
	"slices"
	"strconv"
	"strings"

	"assay/backend/fault"
	"assay/backend/text"
)

// Statement writes the SQL of the plan. The text runs as it stands; its columns are the plan's. A dialect that cannot be
// written yet is a fault.Invalid.
func (p *Plan) Statement(d Dialect) (Statement, error) {
	w, err := p.writer(d)
	if err != nil {
		return Statement{}, err
	}
	return Statement{SQL: w.finish(w.statement()), Dialect: d, Columns: p.Columns, MaxRows: p.MaxRows}, nil
}

func (p *Plan) writer(d Dialect) (*writer, error) {
	if d != DuckDB {
		return nil, fault.New(fault.Invalid, "write sql", text.Say("frameql.dialect_not_yet", "dialect", string(d)), text.Say("frameql.dialect_hint"))
	}
	return &writer{plan: p, b: p.bound, shape: p.bound.shape(p)}, nil
}

// shape is how many steps the SQL takes.
type shape struct {
	flat     bool // one SELECT does it all
	rankRows bool // TOP needs a rank column: other clauses follow it
	members  bool // TOP ranks members that have several rows each
}

func (b *boundQuery) shape(p *Plan) shape {
	var s shape
	if b.top != nil {
		s.members = len(b.top.members) < len(b.grainKeys())
		s.rankRows = !s.members && (len(b.order) > 0 || p.Limit != nil)
	}
	direct := func(e *scalar) bool { return e.op == "key" || e.op == "leaf" || isPlainNumber(e) }
	s.flat = b.having == nil && !s.members && !s.rankRows && (b.top == nil || direct(b.top.by))
	for _, o := range b.outputs {
		s.flat = s.flat && direct(o.expr)
	}
	for _, o := range b.order {
		s.flat = s.flat && direct(o.expr)
	}
	return s
}

func (s shape) subqueries() int {
	switch {
	case s.flat:
		return 0
	case s.members:
		return 3
	case s.rankRows:
		return 2
	}
	return 1
}

func (s shape) windows() int {
	if s.members || s.rankRows {
		return 1
	}
	return 0
}

// writer writes one plan in one dialect.
type writer struct {
	plan   *Plan
	b      *boundQuery
	shape  shape
	sql    duckdb
	tables []string // alias of each node; empty: not read
	keys   []string // alias of each key in the grouped step
	leaves []string
}

func (w *writer) statement() selection {
	w.tables = w.aliases(w.b.needed())
	w.nameColumns()
	if w.shape.flat {
		return w.flat()
	}
	return w.stepped()
}

// nameColumns gives keys and leaves names of their own, those of the frame where they are shown.
func (w *writer) nameColumns() {
	unique := uniqueNames{"member_rank": 1}.take
	shown := func(op string, index int) string {
		for _, o := range w.b.outputs {
			if o.expr.op == op && o.expr.index == index {
				return o.column.Name
			}
		}
		return ""
	}
	w.keys, w.leaves = make([]string, len(w.b.keys)), make([]string, len(w.b.leaves))
	for i := range w.b.keys {
		if name := shown("key", i); name != "" {
			w.keys[i] = unique(name)
		}
	}
	for i := range w.b.leaves {
		if name := shown("leaf", i); name != "" {
			w.leaves[i] = unique(name)
		}
	}
	for i, k := range w.b.keys {
		if w.keys[i] != "" {
			continue
		}
		name := k.ref.dim.Name
		if k.ref.grain != "" {
			name += "_" + k.ref.grain
		}
		w.keys[i] = unique(name)
	}
	for i, l := range w.b.leaves {
		if w.leaves[i] == "" {
			w.leaves[i] = unique(l.alias)
		}
	}
}

// flat is one SELECT with the aggregates in it.
func (w *writer) flat() selection {
	s := w.source()
	for i, o := range w.b.outputs {
		s.columns = append(s.columns, w.as(w.inner(o.expr), o.column.Name))
		if o.key >= 0 && !w.b.rows {
			s.group = append(s.group, strconv.Itoa(i+1))
		}
	}
	for i, k := range w.b.keys {
		if !w.b.rows && !w.isShown(i) {
			s.group = append(s.group, w.row(k.expr))
		}
	}
	s.order = w.orderBy(w.sortKeys(), w.inner)
	s.limit = w.limit()
	return s
}

func (w *writer) isShown(key int) bool {
	return slices.ContainsFunc(w.b.outputs, func(o output) bool { return o.key == key })
}

// stepped groups first and finishes the numbers in an outer SELECT.
func (w *writer) stepped() selection {
	s := selection{with: []named{{"grouped", w.group(w.allKeys(), w.allLeaves())}}, from: []string{"grouped AS g"}}
	having := w.b.having
	switch {
	case w.shape.rankRows:
		s.with = append(s.with, named{"ranked", w.rankedRows()})
		s.from = []string{"ranked AS g"}
		s.where = append(s.where, "g.member_rank <= "+strconv.Itoa(w.b.top.n))
		having = nil
	case w.shape.members:
		s.with = append(s.with, named{"members", w.group(w.b.top.members, w.allLeaves())}, named{"ranked", w.rankedMembers()})
		on := []string{}
		for _, k := range w.b.top.members {
			on = append(on, "t."+w.sql.name(w.keys[k])+" IS NOT DISTINCT FROM g."+w.sql.name(w.keys[k]))
		}
		s.from = append(s.from, "JOIN ranked AS t ON "+strings.Join(on, " AND "))
		s.where = append(s.where, "t.member_rank <= "+strconv.Itoa(w.b.top.n))
	}
	for _, o := range w.b.outputs {
		s.columns = append(s.columns, w.as(w.outer(o.expr), o.column.Name))
	}
	if having != nil {
		s.where = append(s.where, w.conjuncts(having, w.outer)...)
	}
	keys := w.sortKeys()
	if w.shape.rankRows && len(w.b.order) == 0 {
		s.order = append(s.order, "g.member_rank")
		keys = nil
	}
	if w.shape.members && len(w.b.order) == 0 {
		s.order = append(s.order, "t.member_rank")
		keys = keys[1:] // the rank says it
	}
	s.order = append(s.order, w.orderBy(keys, w.outer)...)
	s.limit = w.limit()
	return s
}

// rankedRows ranks the rows of the result.
func (w *writer) rankedRows() selection {
	s := selection{columns: []string{"g.*", w.rank("g", w.outer)}, from: []string{"grouped AS g"}}
	if w.b.having != nil {
		s.where = w.conjuncts(w.b.having, w.outer)
	}
	return s
}

// rankedMembers ranks members by their value over all their rows; HAVING leaves only members that still have a row.
func (w *writer) rankedMembers() selection {
	s := selection{from: []string{"members AS m"}}
	same := []string{}
	for _, k := range w.b.top.members {
		name := w.sql.name(w.keys[k])
		s.columns = append(s.columns, "m."+name)
		same = append(same, "g."+name+" IS NOT DISTINCT FROM m."+name)
	}
	s.columns = append(s.columns, w.rank("m", w.of("m")))
	if w.b.having != nil {
		inner := selection{columns: []string{"1"}, from: []string{"grouped AS g"}, where: append(same, w.conjuncts(w.b.having, w.outer)...)}
		s.where = []string{"EXISTS (\n" + indent(inner.format()) + "\n)"}
	}
	return s
}

func (w *writer) rank(table string, render func(*scalar) string) string {
	t := w.b.top
	order := []string{sortText(render(t.by), !t.asc)}
	for _, k := range t.members {
		order = append(order, sortText(table+"."+w.sql.name(w.keys[k]), false))
	}
	return "ROW_NUMBER() OVER (ORDER BY " + strings.Join(order, ", ") + ") AS member_rank"
}

func (w *writer) allKeys() []int {
	all := make([]int, len(w.b.keys))
	for i := range all {
		all[i] = i
	}
	return all
}

func (w *writer) allLeaves() []int {
	all := make([]int, len(w.b.leaves))
	for i := range all {
		all[i] = i
	}
	return all
}

// group is the step that reads the source.
func (w *writer) group(keys, leaves []int) selection {
	s := w.source()
	for i, k := range keys {
		s.columns = append(s.columns, w.as(w.row(w.b.keys[k].expr), w.keys[k]))
		if !w.b.rows {
			s.group = append(s.group, strconv.Itoa(i+1))
		}
	}
	for _, l := range leaves {
		s.columns = append(s.columns, w.as(w.aggregate(w.b.leaves[l]), w.leaves[l]))
	}
	if len(s.columns) == 0 {
		s.columns = []string{"1"}
	}
	return s
}

// source is FROM with the joins and the conditions on rows.
func (w *writer) source() selection {
	s := selection{from: w.from()}
	for _, c := range w.b.where {
		s.where = append(s.where, w.conjunct(c))
	}
	if w.b.period != nil {
		s.where = append(s.where, w.conjuncts(w.b.period, w.row)...)
	}
	return s
}

// conjunct writes a conjunct so that it can stand beside others.
func (w *writer) conjunct(c *scalar) string {
	if c.op == "or" {
		return "(" + w.row(c) + ")"
	}
	return w.row(c)
}

// from is the fact and the joins that are needed, LEFT where a row may be without its partner.
func (w *writer) from() []string {
	lines := []string{}
	for i, n := range w.b.nodes {
		switch {
		case w.tables[i] == "":
		case n.join == nil:
			lines = append(lines, w.table(i))
		default:
			word := "LEFT JOIN "
			if n.total {
				word = "JOIN "
			}
			on := []string{}
			for _, c := range w.b.joinOn[i] {
				on = append(on, w.row(c))
			}
			lines = append(lines, word+w.table(i)+" ON "+strings.Join(on, " AND "))
		}
	}
	return lines
}

func (w *writer) table(n int) string {
	src := w.b.nodes[n].entity.Source
	if src.SQL != "" {
		if !strings.ContainsAny(src.SQL, "'\"$") {
			return "(\n" + indent(bareSelect(src.SQL)) + "\n) AS " + w.sql.name(w.tables[n])
		}
		return sourceMark(n) + " AS " + w.sql.name(w.tables[n])
	}
	table := src.Table
	if table == "" {
		table = w.b.nodes[n].entity.Name
	}
	return w.sql.name(table) + " AS " + w.sql.name(w.tables[n])
}

func bareSelect(sql string) string { return strings.TrimRight(strings.TrimSpace(sql), "; \n\t") }

// sourceMark holds the place of an author's SELECT with quotes until the layout is done: its line breaks may stand in a
// literal and stay as they are. The mark is a character that neither names nor literals are written with.
func sourceMark(n int) string { return "\x01" + strconv.Itoa(n) + "\x01" }

// finish lays out a statement and puts the authors' SELECTs in.
func (w *writer) finish(s selection) string {
	sql := s.format()
	for n := range w.b.nodes {
		if src := w.b.nodes[n].entity.Source.SQL; src != "" && w.tables[n] != "" {
			sql = strings.ReplaceAll(sql, sourceMark(n), "(\n"+bareSelect(src)+"\n)")
		}
	}
	return sql
}

// conjuncts writes a condition as parts for a WHERE.
func (w *writer) conjuncts(c *scalar, render func(*scalar) string) []string {
	if c.op == "and" {
		return append(w.conjuncts(c.args[0], render), w.conjuncts(c.args[1], render)...)
	}
	if c.op == "or" {
		return []string{"(" + render(c) + ")"}
	}
	return []string{render(c)}
}

func (w *writer) as(expr, alias string) string {
	name := w.sql.name(alias)
	if expr == name || strings.HasSuffix(expr, "."+name) && strings.Count(expr, ".") == 1 && !strings.ContainsAny(expr, ` "('`) {
		return expr
	}
	return expr + " AS " + name
}

// sortKeys is the whole order: what the query asks for, then the grain, so that it never depends on the engine.
func (w *writer) sortKeys() []boundKey {
	keys := slices.Clone(w.b.order)
	if len(keys) == 0 && w.b.top != nil {
		out := slices.IndexFunc(w.b.outputs, func(o output) bool { return o.expr == w.b.top.by })
		keys = []boundKey{{output: out, expr: w.b.top.by, desc: !w.b.top.asc}}
	}
	has := func(k int) bool {
		return slices.ContainsFunc(keys, func(b boundKey) bool { return b.expr.op == "key" && b.expr.index == k })
	}
	tie := w.b.grainKeys()
	if w.b.rows && len(tie) == 0 { // rows without a key: by everything that is shown
		for _, o := range w.b.outputs {
			if o.key >= 0 {
				tie = append(tie, o.key)
			}
		}
	}
	for _, k := range tie {
		if !has(k) {
			out := slices.IndexFunc(w.b.outputs, func(o output) bool { return o.key == k })
			keys = append(keys, boundKey{output: out, expr: &scalar{op: "key", index: k}})
		}
	}
	return keys
}

func (w *writer) orderBy(keys []boundKey, render func(*scalar) string) []string {
	var all []string
	for _, k := range keys {
		expr := ""
		if k.output >= 0 {
			expr = w.sql.name(w.b.outputs[k.output].column.Name)
		} else {
			expr = render(k.expr)
		}
		if isPlainNumber(k.expr) {
			continue // a constant, which SQL would take for the number of a column
		}
		all = append(all, sortText(expr, k.desc))
	}
	return all
}

func sortText(expr string, desc bool) string {
	if desc {
		return expr + " DESC NULLS LAST"
	}
	return expr + " NULLS LAST"
}

func (w *writer) limit() string {
	n := -1
	if t := w.b.top; t != nil && !w.shape.members && !w.shape.rankRows {
		n = t.n
	}
	if w.plan.Limit != nil {
		n = *w.plan.Limit
	}
	if n < 0 {
		return ""
	}
	s := "LIMIT " + strconv.Itoa(n)
	if w.plan.Offset > 0 {
		s += " OFFSET " + strconv.Itoa(w.plan.Offset)
	}
	return s
}

// inner writes an expression over keys and leaves inside the SELECT that makes them.
func (w *writer) inner(s *scalar) string {
	switch s.op {
	case "key":
		return w.row(w.b.keys[s.index].expr)
	case "leaf":
		return w.aggregate(w.b.leaves[s.index])
	}
	return w.sql.expr(s, w.inner)
}

// outer writes an expression over the columns of the grouped step.
func (w *writer) outer(s *scalar) string { return w.of("g")(s) }

func (w *writer) of(table string) func(*scalar) string {
	var render func(*scalar) string
	render = func(s *scalar) string {
		switch s.op {
		case "key":
			return table + "." + w.sql.name(w.keys[s.index])
		case "leaf":
			return table + "." + w.sql.name(w.leaves[s.index])
		}
		return w.sql.expr(s, render)
	}
	return render
}

// row writes an expression over one row of the source.
func (w *writer) row(s *scalar) string {
	if s.op == "col" {
		return w.sql.name(w.tables[s.node]) + "." + w.sql.name(s.text)
	}
	return w.sql.expr(s, w.row)
}

func (w *writer) aggregate(l leaf) string {
	arg := "*"
	if l.expr != nil {
		arg = w.row(l.expr)
	}
	if l.distinct {
		arg = "DISTINCT " + arg
	}
	s := strings.ToUpper(l.reducer) + "(" + arg + ")"
	if l.filter != nil {
		s += " FILTER (WHERE " + w.row(l.filter) + ")"
	}
	switch {
	case l.zero && l.reducer != "count":
		return "COALESCE(" + s + ", 0)"
	case !l.zero && l.reducer == "count":
		return "NULLIF(" + s + ", 0)"
	}
	return s
}
