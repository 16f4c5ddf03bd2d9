package dbt

import (
	"regexp"
	"slices"
	"strings"

	"assay/backend/semantic"
	"assay/backend/text"
)

// grains are the units of time that both sides know.
var grains = map[string]bool{"hour": true, "day": true, "week": true, "month": true, "quarter": true, "year": true}

// dimension adds an entity or a dimension of a semantic model to its entity.
func (b *build) dimension(m *semModel, x element) {
	object := m.object()
	d := semantic.Dimension{Name: plainName(x.name), Label: x.label, Description: x.description}
	if x.name == "" {
		b.p.lost(object, x.pos, text.Say("dbt.no_name_within"))
		return
	}
	if m.entity.Dimension(d.Name) != nil {
		b.p.lost(object, x.pos, text.Say("dbt.name_twice", "name", x.name))
		return
	}
	expr := firstOf(x.expr, x.name)
	if column, ok := plainColumn(expr); ok {
		b.column(m, &d, column)
	} else {
		e, err := parseSQL(expr)
		if err != nil {
			b.p.lost(object, x.pos, text.Say("dbt.dimension_expr", "name", x.name, "why", reason(err)))
			return
		}
		b.bindColumns(m, e)
		d.Expr, d.Type = e.String(), typeOf(e, m.entity)
	}
	if x.kind == "time" {
		if !d.Type.Temporal() {
			d.Type = semantic.Timestamp
			if grains[x.grain] && x.grain != "hour" {
				d.Type = semantic.Date
			}
		}
		if grains[x.grain] && (d.Type == semantic.Timestamp || x.grain != "day") {
			d.Granularity = x.grain
		}
	}
	if d.Type == "" {
		d.Type = semantic.Text
		m.guessed = append(m.guessed, x.name)
	}
	m.entity.Dimensions = append(m.entity.Dimensions, d)
}

// column fills what is known of a column: its type, and what the project says about it.
func (b *build) column(m *semModel, d *semantic.Dimension, column string) {
	if !strings.EqualFold(column, d.Name) {
		d.Column = column
	}
	d.Type = b.columnType(m.table, column)
	if t := b.table(m.table); t != nil {
		for _, c := range t.Columns {
			if strings.EqualFold(c.Name, column) && c.Name != d.Name {
				d.Column = c.Name // as the engine spells it
			}
		}
	}
	r := b.p.relations[strings.ToLower(m.table)]
	if r == nil || r.columns[strings.ToLower(column)] == nil {
		return
	}
	c := r.columns[strings.ToLower(column)]
	d.Description = firstOf(d.Description, c.description)
	d.Tags, d.Values = c.tags, c.values
	d.Tests = slices.Clone(c.tests)
}

// columnType looks a column up where its type is known best: the loaded table, the catalog, the project, its use.
func (b *build) columnType(table, column string) semantic.Type {
	if t := b.table(table); t != nil {
		for _, c := range t.Columns {
			if strings.EqualFold(c.Name, column) && c.Type != "" {
				return c.Type
			}
		}
	}
	if t := sqlType(b.p.catalog[strings.ToLower(table)][strings.ToLower(column)]); t != "" {
		return t
	}
	if r := b.p.relations[strings.ToLower(table)]; r != nil {
		if c := r.columns[strings.ToLower(column)]; c != nil {
			if t := sqlType(c.dataType); t != "" {
				return t
			}
		}
	}
	return b.hints[strings.ToLower(table+"."+column)]
}

// sqlType reads the type of a column as warehouses write it; empty when it is not known.
func sqlType(s string) semantic.Type {
	s = strings.ToLower(s)
	base, rest, _ := strings.Cut(s, "(")
	switch base = strings.TrimSpace(base); {
	case base == "":
		return ""
	case base == "numeric" || base == "number" || base == "decimal":
		if strings.HasSuffix(strings.TrimSpace(rest), ",0)") || strings.HasSuffix(strings.TrimSpace(rest), ", 0)") {
			return semantic.Integer
		}
		return semantic.Decimal
	case strings.Contains(base, "int") && base != "interval" && base != "point":
		return semantic.Integer
	case base == "double" || base == "double precision" || base == "real" || strings.HasPrefix(base, "float"):
		return semantic.Float
	case strings.HasPrefix(base, "bool"):
		return semantic.Boolean
	case base == "date":
		return semantic.Date
	case strings.HasPrefix(base, "timestamp") || strings.HasPrefix(base, "datetime"):
		return semantic.Timestamp
	case strings.HasPrefix(base, "time"):
		return semantic.Time
	case strings.Contains(base, "char") || base == "text" || base == "string" || base == "uuid" || base == "enum":
		return semantic.Text
	}
	return ""
}

var columnName = regexp.MustCompile(`^(?:[A-Za-z_][A-Za-z0-9_$]*|"[^"]+"|` + "`[^`]+`" + `)$`)

// plainColumn says whether an expression is one column alone, and which.
func plainColumn(expr string) (string, bool) {
	expr = strings.TrimSpace(expr)
	switch strings.ToLower(expr) {
	case "true", "false", "null":
		return "", false
	}
	if !columnName.MatchString(expr) {
		return "", false
	}
	return strings.Trim(expr, "\"`"), true
}

// bindColumns turns the columns of an expression into dimensions of the entity, adding those that are not there yet.
func (b *build) bindColumns(m *semModel, e *semantic.Expr) {
	b.bindColumn(m, e, false)
}

// bindColumn binds one part of an expression. counted says that it is calculated with, which makes an unknown column a
// number.
func (b *build) bindColumn(m *semModel, e *semantic.Expr, counted bool) {
	switch e.Op {
	case "ident":
		name := e.Name[strings.LastIndexByte(e.Name, '.')+1:] // a table's own name before a column says nothing here
		if key := strings.ToLower(m.table + "." + name); counted && b.hints[key] == "" {
			b.hints[key] = semantic.Decimal
		}
		e.Name = b.columnDimension(m, name)
	case "+", "-", "*", "/", "neg":
		counted = true
	case "call":
		counted = counted && (e.Name == "nullif" || e.Name == "coalesce") || slices.Contains([]string{"abs", "round", "sqrt", "power", "floor", "ceil"}, e.Name)
	default:
		counted = false
	}
	for _, a := range e.Args {
		b.bindColumn(m, a, counted)
	}
}

// columnDimension gives the dimension that is a column as it stands; one is added when there is none.
func (b *build) columnDimension(m *semModel, column string) string {
	for i := range m.entity.Dimensions {
		if d := &m.entity.Dimensions[i]; strings.EqualFold(d.Physical(), column) {
			return d.Name
		}
	}
	d := semantic.Dimension{Name: plainName(column)}
	for m.entity.Dimension(d.Name) != nil || m.reserved(d.Name) {
		d.Name += "_column"
	}
	b.column(m, &d, column)
	if d.Type == "" {
		d.Type = semantic.Text
		m.guessed = append(m.guessed, column)
	}
	d.Measure = d.Type.Numeric()
	m.entity.Dimensions = append(m.entity.Dimensions, d)
	return d.Name
}

// reserved says whether an element of the project that is not made yet will have this name.
func (m *semModel) reserved(name string) bool {
	x, ok := m.has(name)
	if !ok {
		return false
	}
	column, plain := plainColumn(firstOf(x.expr, x.name))
	return !plain || !strings.EqualFold(column, name)
}

// typeOf gives the type of an expression over dimensions of an entity; empty when it cannot be told.
func typeOf(e *semantic.Expr, of *semantic.Entity) semantic.Type {
	switch e.Op {
	case "ident":
		if d := of.Dimension(e.Name); d != nil {
			return d.Type
		}
	case "bool", "=", "<>", "<", "<=", ">", ">=", "and", "or", "not", "is_null", "not_null", "in", "not_in":
		return semantic.Boolean
	case "str":
		return semantic.Text
	case "num":
		if strings.ContainsAny(e.Text, ".eE") {
			return semantic.Decimal
		}
		return semantic.Integer
	case "neg":
		return typeOf(e.Args[0], of)
	case "/":
		return semantic.Float
	case "+", "-", "*":
		if a := typeOf(e.Args[0], of); a == typeOf(e.Args[1], of) {
			return a
		}
		return semantic.Decimal
	case "case":
		for i := 1; i < len(e.Args); i += 2 {
			if t := typeOf(e.Args[i], of); t != "" {
				return t
			}
		}
		return typeOf(e.Args[len(e.Args)-1], of)
	case "call":
		return callType(e, of)
	}
	return ""
}

func callType(e *semantic.Expr, of *semantic.Entity) semantic.Type {
	switch e.Name {
	case "concat", "lower", "upper", "trim", "replace", "substring":
		return semantic.Text
	case "year", "month", "day", "quarter", "hour", "weekday", "day_of_year", "week_of_year", "length", "date_diff":
		return semantic.Integer
	case "date_trunc":
		return semantic.Timestamp
	case "power", "sqrt":
		return semantic.Float
	}
	if len(e.Args) > 0 { // abs, round, coalesce, least, greatest, nullif, ceil, floor
		return typeOf(e.Args[0], of)
	}
	return ""
}
