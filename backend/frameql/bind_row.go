package frameql

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"assay/backend/compile"
	"assay/backend/semantic"
	"assay/backend/text"
)

// maxModelDepth bounds definitions that build on definitions; a model that loads is far below it.
const maxModelDepth = 32

// value gives the expression of a dimension on a node of a source: a column, or what the model computes from columns.
func (r *resolver) value(s *source, n int, dim *semantic.Dimension) *scalar {
	return r.ofPartner(s, n, r.valueAt(s, n, dim, 0))
}

// ofPartner keeps a computed value to the rows that have a partner on a node: a row without one has no value there, also
// where a computation over nothing gives one, as the default of a map does.
func (r *resolver) ofPartner(s *source, n int, v *scalar) *scalar {
	join := s.nodes[n].join
	if s.partnered(n) || nullWithoutRow(v) {
		return v
	}
	key := dimensionOf(s.nodes[n].entity, join.On[0].To)
	if key == nil {
		return v
	}
	there := isTrue("not_null", r.valueAt(s, n, key, 1))
	if last := len(v.Args) - 1; v.HasElse && nullWithoutRow(&scalar{Op: "case", Args: v.Args[:last]}) {
		named := *v // only what else there is needs the row
		named.Args, named.HasElse = append(slices.Clone(v.Args[:last]), there, v.Args[last]), false
		return &named
	}
	return &scalar{Op: "case", Args: []*scalar{there, v}, Type: v.Type, Currency: v.Currency}
}

// ofPartners says whether a dimension tells rows without a partner on a node from those whose partner has no values.
func (r *resolver) ofPartners(s *source, n int, dim *semantic.Dimension) bool {
	before := r.usedDims
	r.usedDims = map[string]bool{}
	v := r.valueAt(s, n, dim, 0)
	told := r.ofPartner(s, n, v) != v
	r.usedDims = before
	return told
}

// nullWithoutRow says whether a value is surely NULL when all its columns are. false: it may be, or not.
func nullWithoutRow(v *scalar) bool {
	switch v.Op {
	case "col", "null":
		return true
	case "+", "-", "*", "/", "neg", "=", "<>", "<", "<=", ">", ">=":
		return slices.ContainsFunc(v.Args, nullWithoutRow)
	case "case":
		last := len(v.Args)
		if v.HasElse {
			last--
			if v.Args[last].Op != "null" {
				return false
			}
		}
		for i := 0; i < last; i += 2 {
			if !nullWithoutRow(v.Args[i]) {
				return false
			}
		}
		return true
	}
	return false
}

func (r *resolver) valueAt(s *source, n int, dim *semantic.Dimension, depth int) *scalar {
	entity := s.nodes[n].entity
	r.usedDims[entity.Name+"."+dim.Name] = true
	object := entity.Name + "." + dim.Name
	if depth > maxModelDepth {
		r.refuseModel(object, text.Say("frameql.defined_by_itself"))
		return &scalar{Op: "null"}
	}
	switch {
	case dim.Expr != "":
		v := r.rowText(s, dim.Expr, n, object, depth+1)
		if v.Type == "" || dim.Type != "" {
			v = typed(v, dim.Type)
		}
		return v
	case dim.DerivedFrom != "":
		from := dimensionOf(entity, dim.DerivedFrom)
		if from == nil {
			r.refuseModel(object, text.Say("frameql.no_dimension_in", "name", dim.DerivedFrom, "entity", entity.Name))
			return &scalar{Op: "null"}
		}
		return mapped(r.valueAt(s, n, from, depth+1), dim)
	}
	column := dim.Column
	if column == "" {
		column = dim.Name
	}
	return r.stored(object, dim, &scalar{
		Op: "col", Node: n, Text: column, Type: dim.Type, Currency: dim.Unit, Number: r.number(entity, column),
	})
}

// stored gives a column as the values of its dimension, where the data has another type than the model declares.
func (r *resolver) stored(object string, dim *semantic.Dimension, v *scalar) *scalar {
	switch f := dim.Misfit; {
	case f == nil:
		return v
	case !f.Usable(dim.Type):
		r.refuseModel(object, f.Reason(dim.Type))
		return v
	case f.Blank:
		return &scalar{Op: "null", Type: dim.Type, Currency: dim.Unit}
	}
	written := &scalar{Op: "call", Text: "concat", Args: []*scalar{typed(v, dim.Misfit.Stored)}, Type: semantic.Text} // of a missing value the empty text
	return &scalar{Op: "call", Text: "nullif", Args: []*scalar{written, {Op: "str", Type: semantic.Text}}, Type: semantic.Text}
}

// number is what is known of a column as an exact number.
func (r *resolver) number(entity *semantic.Entity, column string) *compile.Number {
	if r.env.Number == nil || entity.Source.SQL != "" {
		return nil
	}
	return r.env.Number(cmp.Or(entity.Source.Table, entity.Name), column)
}

func typed(s *scalar, t semantic.Type) *scalar {
	c := *s
	c.Type = t
	return &c
}

// mapped writes the map of a dimension as CASE, in the order of its values.
func mapped(from *scalar, dim *semantic.Dimension) *scalar {
	s := &scalar{Op: "case", HasElse: true, Type: semantic.Text}
	for _, k := range slices.Sorted(maps.Keys(dim.Map)) {
		s.Args = append(s.Args, isTrue("=", from, literalLike(k, from.Type)), &scalar{Op: "str", Text: dim.Map[k], Type: semantic.Text})
	}
	other := &scalar{Op: "null"}
	if dim.Default != "" {
		other = &scalar{Op: "str", Text: dim.Default, Type: semantic.Text}
	}
	if len(s.Args) == 0 {
		return other
	}
	s.Args = append(s.Args, other)
	return s
}

// literalLike writes a value of the model in the type of a column.
func literalLike(s string, t semantic.Type) *scalar {
	switch {
	case t.Numeric() && isDecimal(s):
		return numberLiteral(s)
	case t.Temporal():
		if l := temporalLiteral(s, t); l != nil {
			return l
		}
	case t == semantic.Boolean:
		return &scalar{Op: "bool", Text: strings.ToLower(s), Type: t}
	}
	return &scalar{Op: "str", Text: s, Type: semantic.Text}
}

// rowText reads an expression of the model over the dimensions of the entity at a node. A text that cannot be read is
// an INVALID_MODEL refusal.
func (r *resolver) rowText(s *source, expr string, n int, object string, depth int) *scalar {
	e, err := r.modelExpr(expr)
	if err != nil {
		r.refuseModel(object, messageOf(err))
		return &scalar{Op: "null"}
	}
	return r.row(s, e, n, object, depth)
}

// modelExpr parses an expression of the model, each once.
func (r *resolver) modelExpr(expr string) (*semantic.Expr, error) {
	if e, ok := r.exprs[expr]; ok {
		return e, nil
	}
	e, err := semantic.ParseExpr(expr)
	if err == nil {
		r.exprs[expr] = e
	}
	return e, err
}

func (r *resolver) row(s *source, e *semantic.Expr, n int, object string, depth int) *scalar {
	switch e.Op {
	case "ident":
		return r.rowIdent(s, e.Name, n, object, depth)
	case "metric_at":
		return r.rowMetric(s, e, n, object, depth)
	}
	return bindTree(e, func(a *semantic.Expr) *scalar { return r.row(s, a, n, object, depth) })
}

func (r *resolver) rowIdent(s *source, name string, n int, object string, depth int) *scalar {
	entity := s.nodes[n].entity
	if dim := dimensionOf(entity, name); dim != nil {
		return r.valueAt(s, n, dim, depth+1)
	}
	if first, rest, dottedName := strings.Cut(name, "."); dottedName {
		if strings.EqualFold(first, entity.Name) {
			if dim := dimensionOf(entity, rest); dim != nil {
				return r.valueAt(s, n, dim, depth+1)
			}
		}
		for _, c := range r.candidates(strings.Split(name, ".")) {
			paths := r.ways(entity.Name, c.way, c.entity)
			if c.dim != nil && len(paths) == 1 {
				r.joinable(paths[0], nil)
				further := r.nodeFor(s, append(slices.Clone(s.nodes[n].path), paths[0]...))
				return r.ofPartner(s, further, r.valueAt(s, further, c.dim, depth+1))
			}
		}
	}
	r.refuseModel(object, text.Say("frameql.no_dimension_in", "name", name, "entity", entity.Name))
	return &scalar{Op: "null"}
}

// bindTree binds everything of an expression but its identifiers.
func bindTree(e *semantic.Expr, bind func(*semantic.Expr) *scalar) *scalar {
	args := make([]*scalar, len(e.Args))
	for i, a := range e.Args {
		args[i] = bind(a)
	}
	s := &scalar{Op: e.Op, Text: e.Text, Args: args, HasElse: e.HasElse}
	switch e.Op {
	case "num":
		return numberLiteral(e.Text)
	case "str":
		s.Type = semantic.Text
	case "+", "-", "*", "/":
		return arithmetic(e.Op, args[0], args[1])
	case "neg":
		s.Type, s.Currency = args[0].Type, args[0].Currency
	case "call":
		s.Text = e.Name
		s.Type = callType(e.Name, args)
		if e.Name == "coalesce" || e.Name == "round" || e.Name == "abs" || e.Name == "nullif" {
			s.Currency = args[0].Currency
		}
	case "case":
		for i := 1; i < len(args); i += 2 {
			s.Type = wider(s.Type, args[i].Type)
		}
		if e.HasElse {
			s.Type = wider(s.Type, args[len(args)-1].Type)
		}
	case "null":
	default:
		s.Type = semantic.Boolean
	}
	return s
}

func callType(name string, args []*scalar) semantic.Type {
	switch name {
	case "lower", "upper", "trim", "replace", "substring", "concat":
		return semantic.Text
	case "length", "year", "quarter", "month", "day", "hour", "weekday", "date_diff", "day_of_year", "week_of_year":
		return semantic.Integer
	case "power", "sqrt":
		return semantic.Float
	case "date_trunc":
		if args[1].Type == semantic.Date {
			return semantic.Date
		}
		return semantic.Timestamp
	}
	t := semantic.Type("")
	for _, a := range args {
		t = wider(t, a.Type)
	}
	return t
}

// on gives the value of a ref for the rows of a source.
func (r *resolver) on(b ref, s int) *scalar {
	if b.axis {
		v := r.sourceTime(s, b)
		if v == nil {
			return nil
		}
		return r.cut(v, b.unit())
	}
	if b.timed {
		v := r.sourceTime(s, b)
		if v == nil {
			return nil
		}
		return partOf(b.part, v)
	}
	if b.at[s] < 0 {
		return nil
	}
	v := r.timeValue(r.sources[s], b.at[s], b.dim)
	switch {
	case b.part != nil:
		return partOf(b.part, v)
	case b.grain == "":
		return v
	}
	return r.cut(v, b.grain)
}

// cut gives a time cut by a grain.
func (r *resolver) cut(v *scalar, grain string) *scalar {
	if grain == "day" && v.Type == semantic.Date {
		return v
	}
	t := r.trunc(grain)
	t.Args = []*scalar{v}
	return t
}

// trunc is a cut without what it cuts: as an axis has it.
func (r *resolver) trunc(grain string) *scalar {
	t := &scalar{Op: "trunc", Text: grain, Type: semantic.Date}
	switch {
	case grain == "hour":
		t.Type = semantic.Timestamp
	case grain == "week":
		t.Shift = r.calendar.weekStart
	case r.calendar.own(grain):
		t.Buckets = r.calendar.bounds(grain)
	case strings.HasPrefix(grain, "fiscal"):
		t.Shift = r.calendar.offset()
	}
	return t
}
