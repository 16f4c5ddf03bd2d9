package semantic

import (
	"strings"

	"assay/backend/text"
)

// metricAt reads the rest of a metric at a grain, behind its name: AT dimension ")" or AT "(" dimension, ... ")" ")".
func (p *exprParser) metricAt(metric *Expr) (*Expr, error) {
	e := &Expr{Op: "metric_at", Name: metric.Name, Column: metric.Column}
	several := p.mark("(")
	for {
		t := p.next()
		if t.kind != tokenWord && t.kind != tokenQuoted {
			return nil, p.unexpected(t, text.Say("semantic.expr_a_name"))
		}
		d, err := p.dotted(t)
		if err != nil {
			return nil, err
		}
		e.Args = append(e.Args, d)
		if several && p.mark(",") {
			continue
		}
		break
	}
	if n := p.peek(); several && !p.mark(")") {
		return nil, p.unexpected(n, "\")\"")
	}
	if n := p.peek(); !p.mark(")") {
		return nil, p.unexpected(n, "\")\"")
	}
	return e, nil
}

// printMetricAt writes (metric AT dimension), with the dimensions in parentheses when there are several.
func (e *Expr) printMetricAt(b *strings.Builder) {
	b.WriteString("(" + quoteName(e.Name) + " AT ")
	if len(e.Args) > 1 {
		b.WriteByte('(')
	}
	for i, d := range e.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		d.print(b)
	}
	if len(e.Args) > 1 {
		b.WriteByte(')')
	}
	b.WriteByte(')')
}

// MetricsAt gives the metrics at a grain in the expression, in order.
func (e *Expr) MetricsAt() []*Expr {
	if e.Op == "metric_at" {
		return []*Expr{e}
	}
	var all []*Expr
	for _, a := range e.Args {
		all = append(all, a.MetricsAt()...)
	}
	return all
}
