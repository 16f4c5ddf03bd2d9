package frameql

import (
	"maps"
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// maxModelDepth bounds definitions that build on definitions; a model that loads is far below it.
const maxModelDepth = 32

// value gives the expression of a dimension on its node: a column, or what the model computes from columns.
func (r *resolver) value(n int, dim *semantic.Dimension) *scalar { return r.valueAt(n, dim, 0) }

func (r *resolver) valueAt(n int, dim *semantic.Dimension, depth int) *scalar {
	entity := r.nodes[n].entity
	r.usedDims[entity.Name+"."+dim.Name] = true
	object := entity.Name + "." + dim.Name
	if depth > maxModelDepth {
		r.refuseModel(object, text.Say("frameql.defined_by_itself"))
		return &scalar{op: "null"}
	}
	switch {
	case dim.Expr != "":
		s := r.rowText(dim.Expr, n, object, depth+1)
		if s.typ == "" || dim.Type != "" {
			s = typed(s, dim.Type)
		}
		return s
	case dim.DerivedFrom != "":
		from := dimensionOf(entity, dim.DerivedFrom)
		if from == nil {
			r.refuseModel(object, text.Say("frameql.no_dimension_in", "name", dim.DerivedFrom, "entity", entity.Name))
			return &scalar{op: "null"}
		}
		return mapped(r.valueAt(n, from, depth+1), dim)
	}
	column := dim.Column
	if column == "" {
		column = dim.Name
	}
	return &scalar{op: "col", node: n, text: column, typ: dim.Type, unit: dim.Unit}
}

func typed(s *scalar, t semantic.Type) *scalar {
	c := *s
	c.typ = t
	return &c
}

// mapped writes the map of a dimension as CASE, in the order of its values.
func mapped(from *scalar, dim *semantic.Dimension) *scalar {
	s := &scalar{op: "case", hasElse: true, typ: semantic.Text}
	for _, k := range slices.Sorted(maps.Keys(dim.Map)) {
		is := &scalar{op: "=", args: []*scalar{from, literalLike(k, from.typ)}, typ: semantic.Boolean}
		s.args = append(s.args, is, &scalar{op: "str", text: dim.Map[k], typ: semantic.Text})
	}
	other := &scalar{op: "null"}
	if dim.Default != "" {
		other = &scalar{op: "str", text: dim.Default, typ: semantic.Text}
	}
	if len(s.args) == 0 {
		return other
	}
	s.args = append(s.args, other)
	return s
}

// literalLike writes a key of a map in the type of the column.
func literalLike(s string, t semantic.Type) *scalar {
	switch {
	case t.Numeric() && isDecimal(s):
		return numberLiteral(s)
	case t == semantic.Boolean:
		return &scalar{op: "bool", text: strings.ToLower(s), typ: t}
	}
	return &scalar{op: "str", text: s, typ: semantic.Text}
}

// rowText reads an expression of the model over the dimensions of the entity at a node. A text that cannot be read is
// an INVALID_MODEL refusal.
func (r *resolver) rowText(expr string, n int, object string, depth int) *scalar {
	e, err := semantic.ParseExpr(expr)
	if err != nil {
		r.refuseModel(object, messageOf(err))
		return &scalar{op: "null"}
	}
	return r.row(e, n, object, depth)
}

func (r *resolver) row(e *semantic.Expr, n int, object string, depth int) *scalar {
	if e.Op == "ident" {
		return r.rowIdent(e.Name, n, object, depth)
	}
	return bindTree(e, func(a *semantic.Expr) *scalar { return r.row(a, n, object, depth) })
}

func (r *resolver) rowIdent(name string, n int, object string, depth int) *scalar {
	entity := r.nodes[n].entity
	if dim := dimensionOf(entity, name); dim != nil {
		return r.valueAt(n, dim, depth+1)
	}
	if first, rest, dottedName := strings.Cut(name, "."); dottedName {
		if strings.EqualFold(first, entity.Name) {
			if dim := dimensionOf(entity, rest); dim != nil {
				return r.valueAt(n, dim, depth+1)
			}
		}
		for _, c := range r.candidates([]string{first, rest}) {
			paths := r.ways(entity.Name, c.way, c.entity)
			if c.dim != nil && len(paths) == 1 {
				return r.valueAt(r.nodeFor(append(slices.Clone(r.nodes[n].path), paths[0]...)), c.dim, depth+1)
			}
		}
	}
	r.refuseModel(object, text.Say("frameql.no_dimension_in", "name", name, "entity", entity.Name))
	return &scalar{op: "null"}
}

// bindTree binds everything of an expression but its identifiers.
func bindTree(e *semantic.Expr, bind func(*semantic.Expr) *scalar) *scalar {
	args := make([]*scalar, len(e.Args))
	for i, a := range e.Args {
		args[i] = bind(a)
	}
	s := &scalar{op: e.Op, text: e.Text, args: args, hasElse: e.HasElse}
	switch e.Op {
	case "num":
		return numberLiteral(e.Text)
	case "str":
		s.typ = semantic.Text
	case "+", "-", "*", "/":
		return arithmetic(e.Op, args[0], args[1])
	case "neg":
		s.typ, s.unit = args[0].typ, args[0].unit
	case "call":
		s.text = e.Name
		s.typ = callType(e.Name, args)
		if e.Name == "coalesce" || e.Name == "round" || e.Name == "abs" || e.Name == "nullif" {
			s.unit = args[0].unit
		}
	case "case":
		for i := 1; i < len(args); i += 2 {
			s.typ = wider(s.typ, args[i].typ)
		}
		if e.HasElse {
			s.typ = wider(s.typ, args[len(args)-1].typ)
		}
	case "null":
	default:
		s.typ = semantic.Boolean
	}
	return s
}

func callType(name string, args []*scalar) semantic.Type {
	switch name {
	case "lower", "upper", "trim", "replace", "substring", "concat":
		return semantic.Text
	case "length", "year", "quarter", "month", "day", "hour", "weekday", "date_diff":
		return semantic.Integer
	case "power", "sqrt":
		return semantic.Float
	case "date_trunc":
		if args[1].typ == semantic.Date {
			return semantic.Date
		}
		return semantic.Timestamp
	}
	t := semantic.Type("")
	for _, a := range args {
		t = wider(t, a.typ)
	}
	return t
}

// cut gives a time dimension cut by its grain.
func (r *resolver) cut(b ref) *scalar {
	s := r.value(b.node, b.dim)
	if b.grain == "" {
		return s
	}
	if b.grain == "day" && s.typ == semantic.Date {
		return s
	}
	t := &scalar{op: "trunc", text: b.grain, args: []*scalar{s}, typ: semantic.Date}
	switch {
	case b.grain == "hour":
		t.typ = semantic.Timestamp
	case b.grain == "week" && r.calendar.sundayWeeks:
		t.shift = 1
	case strings.HasPrefix(b.grain, "fiscal"):
		t.shift = r.calendar.offset()
	}
	return t
}
