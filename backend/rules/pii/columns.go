package pii

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// Columns says of every column of a frame where it comes from and what the model tags it as. A dimension that is computed
// from a tagged one is tagged like it, and so is a metric that shows a value of one: its least, its latest.
func Columns(m *semantic.Model, columns []frameql.Column) []Column {
	out := make([]Column, len(columns))
	for i, c := range columns {
		out[i] = Column{Label: c.Name, Name: c.Name}
		if d := m.Dimension(c.Dimension); c.Dimension != "" && d != nil {
			out[i] = ofDimension(m, c, d)
		} else if x := m.Metric(c.Metric); c.Metric != "" && x != nil {
			out[i] = ofMetric(m, c, x)
		}
	}
	return out
}

func ofDimension(m *semantic.Model, c frameql.Column, d *semantic.Dimension) Column {
	name, _, _ := strings.Cut(c.Dimension, ".")
	e := m.Entity(name)
	out := Column{Label: c.Name, Table: e.Source.Table, Name: d.Name, Tag: d.PII}
	if out.Table == "" {
		out.Table = e.Name
	}
	if d.Column != "" {
		out.Name = d.Column
	}
	if out.Tag == "" && d.Expr != "" {
		out.Tag = tagIn(e, d.Expr)
	}
	return out
}

// shown are the reducers that give a value as it stands.
var shown = []semantic.Reducer{semantic.Min, semantic.Max, semantic.First, semantic.Last, semantic.Median, semantic.Percentile}

func ofMetric(m *semantic.Model, c frameql.Column, x *semantic.Metric) Column {
	out := Column{Label: c.Name, Name: c.Name}
	e := m.Entity(x.Entity)
	if e == nil || !slices.Contains(shown, x.Reducer) {
		if c.Type != "text" { // a number about people is not about one of them, whatever it is called
			out.Tag = string(None)
		}
		return out
	}
	out.Table, out.Tag = e.Source.Table, tagIn(e, x.Expr)
	return out
}

// tagIn gives the tag of the first tagged dimension of an entity that an expression reads. One that cannot be read is taken
// for one that reads all of them.
func tagIn(e *semantic.Entity, expr string) string {
	parsed, err := semantic.ParseExpr(expr)
	for i := range e.Dimensions {
		d := &e.Dimensions[i]
		if d.PII != "" && (err != nil || slices.Contains(parsed.Idents(), d.Name)) {
			return d.PII
		}
	}
	return ""
}
