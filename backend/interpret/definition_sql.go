package interpret

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"assay/backend/frameql"
	"assay/backend/interpret/timex"
	"assay/backend/semantic"
)

// sqlReader reads a definition that is written as a SQL expression: "SUM(amount) / NULLIF(COUNT(DISTINCT customer_id), 0)",
// "status = 'paid' AND amount > 0". It makes expressions of Frame-QL over names of the model; nothing of the text reaches a
// database. What it does not know it does not read.
type sqlReader struct {
	ix     *Index
	env    frameql.Env
	tokens []string
	at     int
	owners []*semantic.Entity // of the columns that were read
	bad    bool
}

var (
	sqlToken   = regexp.MustCompile(`'(?:[^']|'')*'|"[^"]+"|[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*|\d{4}-\d\d-\d\d|\d+(?:\.\d+)?|<>|!=|>=|<=|::|[-+*/(),=<>]`)
	sqlAny     = regexp.MustCompile(`(?i)\b(?:sum|avg|count|min|max|median|stddev|nullif|coalesce|case|cast|round)\b\s*\(|\bcase\s+when\b|\bis\s+(?:not\s+)?null\b|'|[a-z0-9]_[a-z0-9]|[a-z]\.[a-z]|[a-z][A-Z][a-z]`)
	sqlReducer = map[string]string{"SUM": "sum", "AVG": "avg", "MIN": "min", "MAX": "max", "COUNT": "count", "MEDIAN": "median", "STDDEV": "stddev"}
	sqlCompare = map[string]string{"=": "eq", "<>": "ne", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
)

// asSQL reads a definition as a SQL expression: a number, a condition, or another name for a column.
func (ix *Index) asSQL(def definition, env frameql.Env) []definition {
	if !sqlAny.MatchString(def.body) {
		return nil
	}
	body := strings.TrimRight(strings.TrimSpace(def.body), ".;")
	tokens := sqlToken.FindAllString(body, -1)
	if strings.Join(strings.Fields(sqlToken.ReplaceAllString(body, "")), "") != "" {
		return nil
	}
	number := sqlReader{ix: ix, env: env, tokens: tokens}
	if e := number.whole(); e != nil && number.done() && !ix.superlative(def.term) {
		base := number.base()
		if base == nil || within(e, func(x *frameql.Expr) bool { return x.Star }) && !number.oneOwner() {
			return nil
		}
		def.metric = &semantic.Metric{Name: ix.NameOf(def.term), Label: def.term, Kind: semantic.Derived, Entity: base.Name, Additivity: semantic.Additivity{Default: "none"}}
		def.expr = e
		return []definition{def}
	}
	condition := sqlReader{ix: ix, env: env, tokens: tokens}
	if p := condition.either(); p != nil && condition.done() && condition.oneOwner() {
		if term, e := ix.termOf(def.term); e == condition.owners[0] {
			def.term = term
		}
		return ix.onMembers(def, condition.owners[0], p)
	}
	if len(tokens) == 1 {
		if e, dim := ix.column(tokens[0]); dim != nil {
			def.flag, def.metric = dim, &semantic.Metric{Entity: e.Name}
			return []definition{def}
		}
	}
	return nil
}

// superlative says whether a term ranks: "the most points" is no number of its own, whatever it is computed from.
func (ix *Index) superlative(term string) bool {
	return slices.ContainsFunc(ix.english.tokenise(term), func(t token) bool {
		return slices.ContainsFunc(ix.english.operators[t.norm], func(o operator) bool { return o.class == "ranking" || o.class == "adjectives" || o.class == "order" })
	})
}

// column finds a column by its name, with or without its table. Of several tables the one whose key it is has it.
func (ix *Index) column(name string) (*semantic.Entity, *semantic.Dimension) {
	owner, name, dotted := strings.Cut(strings.Trim(name, `"`), ".")
	if !dotted {
		owner, name = "", owner
	}
	same := func(a, b string) bool { return join(words(a)) == join(words(b)) }
	var entities []*semantic.Entity
	var dims []*semantic.Dimension
	for i := range ix.model.Entities {
		e := &ix.model.Entities[i]
		if owner != "" && !same(owner, e.Name) && !same(owner, e.Source.Table) {
			continue
		}
		for k := range e.Dimensions {
			if d := &e.Dimensions[k]; same(d.Name, name) || d.Column != "" && same(d.Column, name) {
				if len(e.Key) == 1 && e.Key[0] == d.Name {
					return e, d
				}
				entities, dims = append(entities, e), append(dims, d)
			}
		}
	}
	if len(dims) != 1 {
		return nil, nil
	}
	return entities[0], dims[0]
}

func (r *sqlReader) done() bool { return !r.bad && r.at == len(r.tokens) }

// base is the entity of the first column.
func (r *sqlReader) base() *semantic.Entity {
	if len(r.owners) == 0 {
		return nil
	}
	return r.owners[0]
}

func (r *sqlReader) oneOwner() bool {
	return len(r.owners) > 0 && !slices.ContainsFunc(r.owners, func(e *semantic.Entity) bool { return e != r.owners[0] })
}

// word gives the next token in capitals; empty behind the end.
func (r *sqlReader) word() string {
	if r.at >= len(r.tokens) {
		return ""
	}
	return strings.ToUpper(r.tokens[r.at])
}

// next passes the words when they all stand next.
func (r *sqlReader) next(ws ...string) bool {
	for i, w := range ws {
		if r.at+i >= len(r.tokens) || !strings.EqualFold(r.tokens[r.at+i], w) {
			return false
		}
	}
	r.at += len(ws)
	return true
}

// chain reads operands joined by signs of one rank.
func (r *sqlReader) chain(signs string, operand func() *frameql.Expr) *frameql.Expr {
	left := operand()
	for left != nil && len(r.word()) == 1 && strings.Contains(signs, r.word()) {
		op := r.word()
		r.at++
		right := operand()
		if right == nil {
			return nil
		}
		left = &frameql.Expr{Op: op, Args: []*frameql.Expr{left, right}}
	}
	return left
}

// whole reads a number, and the condition that a single aggregate may have behind it.
func (r *sqlReader) whole() *frameql.Expr {
	e := r.sum()
	if e == nil || !r.next("WHERE") {
		return e
	}
	if e.Filter = r.either(); e.Reduce == "" || e.Filter == nil {
		return nil
	}
	return e
}

func (r *sqlReader) sum() *frameql.Expr {
	return r.chain("+-", func() *frameql.Expr { return r.chain("*/", r.number) })
}

// number reads a number, an aggregate, or a function around one that changes nothing here: a division by zero gives nothing
// anyhow, and numbers are rounded when they are shown.
func (r *sqlReader) number() *frameql.Expr {
	w := r.word()
	if n, ok := plainNumber(w); ok {
		r.at++
		return &frameql.Expr{Num: n}
	}
	if r.next("(") {
		return r.closed(r.sum())
	}
	reduce := sqlReducer[w]
	switch {
	case reduce != "" && r.next(w, "("):
		return r.filtered(r.aggregate(reduce))
	case (w == "NULLIF" || w == "COALESCE" || w == "ROUND") && r.next(w, "("):
		e := r.sum()
		if r.next(",") {
			n, ok := plainNumber(r.word())
			if !ok || w != "ROUND" && n != "0" {
				return nil
			}
			r.at++
		}
		return r.closed(e)
	case w == "CAST" && r.next(w, "("):
		e := r.sum()
		if !r.next("AS") {
			return nil
		}
		r.at++
		return r.closed(e)
	}
	return nil
}

// closed passes the bracket behind an expression, and a cast.
func (r *sqlReader) closed(e *frameql.Expr) *frameql.Expr {
	if e == nil || !r.next(")") {
		return nil
	}
	if r.next("::") {
		r.at++
	}
	return e
}

// filtered reads FILTER (WHERE ...) behind an aggregate.
func (r *sqlReader) filtered(e *frameql.Expr) *frameql.Expr {
	if e == nil || !r.next("FILTER", "(", "WHERE") {
		return e
	}
	p := r.either()
	if p == nil || !r.next(")") || e.Filter != nil || e.Op != "" {
		return nil
	}
	e.Filter = p
	return e
}

// aggregate reads what stands in the brackets of one, CASE WHEN included.
func (r *sqlReader) aggregate(reduce string) *frameql.Expr {
	if reduce == "count" && r.next("*") {
		return r.closed(&frameql.Expr{Reduce: "count", Star: true})
	}
	e := &frameql.Expr{Reduce: reduce, Dist: r.next("DISTINCT")}
	if !r.next("CASE", "WHEN") {
		e.Of = r.row()
		if e.Of == nil {
			return nil
		}
		return r.closed(e)
	}
	e.Filter = r.either()
	if e.Filter == nil || !r.next("THEN") {
		return nil
	}
	value := r.row()
	other := ""
	if r.next("ELSE") {
		other = r.word()
		r.at++
	}
	zero := other == "0" && reduce == "sum"
	if value == nil || other != "" && other != "NULL" && !zero || !r.next("END") {
		return nil
	}
	if e.Of = value; value.Num != "" {
		if value.Num != "1" || reduce != "sum" && reduce != "count" || e.Dist {
			return nil
		}
		e.Reduce, e.Star, e.Of = "count", true, nil // as many as there are
	}
	return r.closed(e)
}

// row reads arithmetic over columns of one row.
func (r *sqlReader) row() *frameql.Expr {
	return r.chain("+-", func() *frameql.Expr { return r.chain("*/", r.cell) })
}

func (r *sqlReader) cell() *frameql.Expr {
	if n, ok := plainNumber(r.word()); ok {
		r.at++
		return &frameql.Expr{Num: n}
	}
	if r.next("(") {
		return r.closed(r.row())
	}
	name, _ := r.name()
	if name == "" {
		return nil
	}
	return &frameql.Expr{Metric: name}
}

// name reads a column.
func (r *sqlReader) name() (string, *semantic.Dimension) {
	if r.at >= len(r.tokens) || r.tokens[r.at][0] == '\'' {
		return "", nil
	}
	e, dim := r.ix.column(r.tokens[r.at])
	if dim == nil {
		return "", nil
	}
	r.at++
	r.owners = append(r.owners, e)
	return e.Name + "." + dim.Name, dim
}

func (r *sqlReader) either() *frameql.Pred {
	return r.joined("OR", func() *frameql.Pred { return r.joined("AND", r.condition) })
}

// joined reads conditions that a conjunction joins.
func (r *sqlReader) joined(by string, one func() *frameql.Pred) *frameql.Pred {
	all := []*frameql.Pred{}
	for {
		p := one()
		if p == nil {
			return nil
		}
		all = append(all, p)
		if !r.next(by) {
			break
		}
	}
	switch {
	case len(all) == 1:
		return all[0]
	case by == "OR":
		return &frameql.Pred{Or: all}
	}
	return &frameql.Pred{And: all}
}

func (r *sqlReader) condition() *frameql.Pred {
	if r.next("NOT") {
		if p := r.condition(); p != nil {
			return &frameql.Pred{Not: p}
		}
		return nil
	}
	if r.next("(") {
		p := r.either()
		if p == nil || !r.next(")") {
			return nil
		}
		return p
	}
	name, dim := r.name()
	if dim == nil {
		return nil
	}
	switch {
	case r.next("IS", "NOT", "NULL"):
		return &frameql.Pred{Op: "not_null", Dim: name}
	case r.next("IS", "NULL"):
		return &frameql.Pred{Op: "is_null", Dim: name}
	case r.next("BETWEEN"):
		low, ok1 := r.literal(dim)
		and := r.next("AND")
		high, ok2 := r.literal(dim)
		if !ok1 || !ok2 || !and {
			return nil
		}
		return &frameql.Pred{Op: "between", Dim: name, Vals: []frameql.Value{low, high}}
	case r.next("IN", "("):
		p := &frameql.Pred{Op: "in", Dim: name}
		for {
			v, ok := r.literal(dim)
			if !ok {
				return nil
			}
			p.Vals = append(p.Vals, v)
			if r.next(")") {
				return p
			}
			if !r.next(",") {
				return nil
			}
		}
	}
	op := sqlCompare[r.word()]
	if op == "" {
		return nil
	}
	r.at++
	v, ok := r.literal(dim)
	if !ok {
		return nil
	}
	return &frameql.Pred{Op: op, Dim: name, Val: &v}
}

// literal reads a value that a column may have.
func (r *sqlReader) literal(dim *semantic.Dimension) (frameql.Value, bool) {
	w := r.word()
	if w == "" {
		return frameql.Value{}, false
	}
	raw := r.tokens[r.at]
	_, numeric := plainNumber(raw)
	boolean := w == "TRUE" || w == "FALSE"
	if t, n := timex.SQLMoment(r.tokens[r.at:], r.env); n > 0 && raw[0] != '\'' && dim.Type.Temporal() {
		r.at += n
		return frameql.Value{Kind: frameql.String, Text: iso(t)}, t.Equal(t.Truncate(24 * time.Hour))
	}
	switch {
	case raw[0] == '\'' && !dim.Type.Numeric():
		r.at++
		return frameql.Value{Kind: frameql.String, Text: strings.ReplaceAll(strings.Trim(raw, "'"), "''", "'")}, true
	case numeric && dim.Type.Numeric():
		r.at++
		return frameql.Value{Kind: frameql.Number, Text: raw}, true
	case boolean && dim.Type == semantic.Boolean:
		r.at++
		return frameql.Value{Kind: frameql.Bool, Text: strings.ToLower(w)}, true
	}
	return frameql.Value{}, false
}
