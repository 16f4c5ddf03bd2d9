package frameql

import (
	"slices"
	"strings"
)

// Clone gives a deep copy.
func (q *Query) Clone() *Query {
	c := *q
	c.With = slices.Clone(q.With)
	for i := range c.With {
		c.With[i].Expr = c.With[i].Expr.clone()
	}
	c.Select = slices.Clone(q.Select)
	for i := range c.Select {
		c.Select[i].Dim = cloneOf(c.Select[i].Dim)
		c.Select[i].Expr = c.Select[i].Expr.clone()
	}
	c.At = q.At.clone()
	c.From = slices.Clone(q.From)
	c.Where = q.Where.clone()
	if c.Time = cloneOf(q.Time); c.Time != nil {
		c.Time.On = cloneOf(q.Time.On)
	}
	c.Compare = slices.Clone(q.Compare)
	for i := range c.Compare {
		c.Compare[i].Period = cloneOf(c.Compare[i].Period)
	}
	c.Having = q.Having.clone()
	if c.Top = cloneOf(q.Top); c.Top != nil {
		c.Top.By.Expr = q.Top.By.Expr.clone()
		c.Top.Per = cloneOf(q.Top.Per)
	}
	c.Totals = slices.Clone(q.Totals)
	for i := range c.Totals {
		c.Totals[i] = slices.Clone(c.Totals[i])
	}
	c.Order = slices.Clone(q.Order)
	for i := range c.Order {
		c.Order[i].Expr = c.Order[i].Expr.clone()
	}
	c.Limit = cloneOf(q.Limit)
	c.Options = slices.Clone(q.Options)
	return &c
}

// normalise gives a query that was built the form that Parse gives its text: a bare name in a sort key or in HAVING is a
// name and not an expression.
func (q *Query) normalise() {
	if q.Top != nil {
		q.Top.By.settle()
	}
	for i := range q.Order {
		q.Order[i].settle()
	}
	q.Having.normalise()
}

func (p *Pred) normalise() {
	if p == nil {
		return
	}
	p.settle()
	p.Not.normalise()
	for _, c := range slices.Concat(p.And, p.Or) {
		c.normalise()
	}
}

// settle makes a bare metric the name that it prints as.
func (k *Key) settle() {
	if k.Expr != nil && bareMetric(k.Expr) {
		k.Out, k.Expr = k.Expr.Metric, nil
	}
}

// settle makes a bare metric on either side of a comparison in HAVING the name that it prints as, and a bare number a value.
func (p *Pred) settle() {
	if p.Left != nil && bareMetric(p.Left) {
		p.Out, p.Left = p.Left.Metric, nil
	}
	if p.Expr == nil || p.Op == "in_top" {
		return
	}
	switch {
	case bareMetric(p.Expr):
		d := dotted{segments: strings.Split(p.Expr.Metric, ".")}.dim()
		p.ValDim, p.Expr = &d, nil
	case p.Expr.Num != "" && p.Expr.At == nil:
		p.Val, p.Expr = &Value{Kind: Number, Text: p.Expr.Num}, nil
	}
}

func cloneOf[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

func (g *Grain) clone() *Grain {
	c := cloneOf(g)
	if c != nil {
		c.Dims, c.IgnoreDims = slices.Clone(g.Dims), slices.Clone(g.IgnoreDims)
	}
	return c
}

func (e *Expr) clone() *Expr {
	c := cloneOf(e)
	if c != nil {
		c.Of, c.At, c.Filter, c.Params = e.Of.clone(), e.At.clone(), e.Filter.clone(), slices.Clone(e.Params)
		c.Args = slices.Clone(e.Args)
		for i := range c.Args {
			c.Args[i] = c.Args[i].clone()
		}
	}
	return c
}

// Clone gives a deep copy.
func (p *Pred) Clone() *Pred { return p.clone() }

func (p *Pred) clone() *Pred {
	c := cloneOf(p)
	if c != nil {
		c.Not, c.Pred, c.Left, c.Expr = p.Not.clone(), p.Pred.clone(), p.Left.clone(), p.Expr.clone()
		c.Val, c.ValDim, c.Vals = cloneOf(p.Val), cloneOf(p.ValDim), slices.Clone(p.Vals)
		c.And, c.Or = slices.Clone(p.And), slices.Clone(p.Or)
		for i := range c.And {
			c.And[i] = c.And[i].clone()
		}
		for i := range c.Or {
			c.Or[i] = c.Or[i].clone()
		}
	}
	return c
}

// eachName visits every name of the query that a model may know, with the place of the grain behind it; nil where a
// grain is part of the name.
func (q *Query) eachName(visit func(name, grain *string)) {
	for i := range q.With {
		q.With[i].Expr.eachName(visit)
	}
	for i := range q.Select {
		if d := q.Select[i].Dim; d != nil {
			visit(&d.Name, &d.Grain)
		}
		q.Select[i].Expr.eachName(visit)
	}
	q.At.eachName(visit)
	for i := range q.From {
		visit(&q.From[i], nil)
	}
	q.Where.eachName(visit)
	if q.Time != nil && q.Time.On != nil {
		visit(&q.Time.On.Name, &q.Time.On.Grain)
	}
	for i := range q.Compare {
		if q.Compare[i].Metric != "" {
			visit(&q.Compare[i].Metric, nil)
		}
	}
	q.Having.eachName(visit)
	if t := q.Top; t != nil {
		visit(&t.Dim.Name, &t.Dim.Grain)
		t.By.eachName(visit)
		if t.Per != nil {
			visit(&t.Per.Name, &t.Per.Grain)
		}
	}
	for _, set := range q.Totals {
		for i := range set {
			visit(&set[i].Name, &set[i].Grain)
		}
	}
	for i := range q.Order {
		q.Order[i].Key.eachName(visit)
	}
}

// Uses says whether a name stands in the query: an entity, a number, or a definition of its own.
func (q *Query) Uses(name string) (does bool) {
	q.eachName(func(n, _ *string) { does = does || *n == name })
	return does
}

func (k *Key) eachName(visit func(name, grain *string)) {
	if k.Out != "" {
		visit(&k.Out, nil)
	}
	k.Expr.eachName(visit)
}

func (g *Grain) eachName(visit func(name, grain *string)) {
	if g == nil {
		return
	}
	for i := range g.Dims {
		visit(&g.Dims[i].Name, &g.Dims[i].Grain)
	}
	for i := range g.IgnoreDims {
		visit(&g.IgnoreDims[i].Name, &g.IgnoreDims[i].Grain)
	}
}

func (e *Expr) eachName(visit func(name, grain *string)) {
	if e == nil {
		return
	}
	if e.Metric != "" {
		visit(&e.Metric, nil)
	}
	e.Of.eachName(visit)
	for _, a := range e.Args {
		a.eachName(visit)
	}
	e.At.eachName(visit)
	e.Filter.eachName(visit)
}

func (p *Pred) eachName(visit func(name, grain *string)) {
	if p == nil {
		return
	}
	if p.Dim != "" {
		visit(&p.Dim, &p.Grain)
	}
	if p.Out != "" {
		visit(&p.Out, nil)
	}
	if p.Entity != "" {
		visit(&p.Entity, nil)
	}
	if p.ValDim != nil {
		visit(&p.ValDim.Name, &p.ValDim.Grain)
	}
	p.Left.eachName(visit)
	p.Expr.eachName(visit)
	p.Not.eachName(visit)
	p.Pred.eachName(visit)
	for _, c := range p.And {
		c.eachName(visit)
	}
	for _, c := range p.Or {
		c.eachName(visit)
	}
}

// EachName visits what a query names: metrics, definitions, dimensions with or without their entity, and entities, each as often as it stands there.
func (q *Query) EachName(visit func(name string)) {
	q.eachName(func(name, _ *string) { visit(*name) })
}

// rename replaces a name, or the first segments of dotted names that begin with it, everywhere.
func (q *Query) rename(old, replacement string) {
	whole := dotted{segments: strings.Split(replacement, ".")}.dim()
	q.eachName(func(name, grain *string) {
		switch {
		case strings.EqualFold(*name, old) && grain != nil && *grain == "":
			*name, *grain = whole.Name, whole.Grain
		case strings.EqualFold(*name, old):
			*name = replacement
		case len(*name) > len(old) && (*name)[len(old)] == '.' && strings.EqualFold((*name)[:len(old)], old):
			*name = replacement + (*name)[len(old):]
		}
	})
}
