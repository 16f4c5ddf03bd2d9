package frameql

// EachValue visits every value of a condition, with the dimension that it is compared with; an empty one: it is compared with something else.
// The values may be changed.
func (q *Query) EachValue(visit func(dimension string, v *Value)) {
	for i := range q.With {
		q.With[i].Expr.eachValue(visit)
	}
	for i := range q.Select {
		q.Select[i].Expr.eachValue(visit)
	}
	q.Where.eachValue(visit)
	q.Having.eachValue(visit)
	if q.Top != nil {
		q.Top.By.Expr.eachValue(visit)
	}
	for i := range q.Order {
		q.Order[i].Expr.eachValue(visit)
	}
}

func (e *Expr) eachValue(visit func(dimension string, v *Value)) {
	if e == nil {
		return
	}
	e.Of.eachValue(visit)
	for _, a := range e.Args {
		a.eachValue(visit)
	}
	e.Filter.eachValue(visit)
}

func (p *Pred) eachValue(visit func(dimension string, v *Value)) {
	if p == nil {
		return
	}
	if p.Val != nil {
		visit(p.Dim, p.Val)
	}
	for i := range p.Vals {
		visit(p.Dim, &p.Vals[i])
	}
	p.Left.eachValue(visit)
	p.Expr.eachValue(visit)
	p.Not.eachValue(visit)
	p.Pred.eachValue(visit)
	for _, c := range p.And {
		c.eachValue(visit)
	}
	for _, c := range p.Or {
		c.eachValue(visit)
	}
}
