package frameql

import (
	"strconv"
	"strings"
)

// How tightly an operator binds: a looser operand of a tighter operator stands in parentheses.
const (
	looseSum   = 1
	looseTerm  = 2
	tightFloor = 3
)

// expr writes an expression whose place needs at least the given tightness.
func (w *printer) expr(e *Expr, least int) {
	if e == nil {
		return
	}
	defer w.note(e)()
	if e.Op == "at" || e.At != nil && e.Fn == "" {
		w.say("(")
		w.scoped(e)
		w.say(")")
		return
	}
	if tightness(e) < least {
		w.say("(")
		defer w.say(")")
	}
	w.bare(e)
}

// scoped writes expr AT grain without parentheses, as the argument of a reducer takes it.
func (w *printer) scoped(e *Expr) {
	switch {
	case e.Op == "at" && len(e.Args) == 1:
		w.expr(e.Args[0], 0)
	default:
		w.bare(e)
	}
	w.say(" AT ")
	w.grain(e.At)
}

func tightness(e *Expr) int {
	switch e.Op {
	case "+", "-":
		return looseSum
	case "*", "/":
		return looseTerm
	default:
		return tightFloor
	}
}

func (w *printer) bare(e *Expr) {
	switch {
	case e.Op != "":
		for i, a := range e.Args {
			least := tightness(e)
			if i > 0 {
				w.say(" ", e.Op, " ")
				least++ // operators lean to the left
			}
			w.expr(a, least)
		}
	case e.Num != "":
		w.say(e.Num)
	case e.Reduce != "":
		w.say(strings.ToUpper(e.Reduce), "(")
		if e.Dist {
			w.say("DISTINCT ")
		}
		if e.Star {
			w.say("*")
		} else {
			w.argument(e.Of)
		}
		for _, v := range e.Params {
			w.say(", ")
			w.value(v)
		}
		w.say(")")
	case e.Fn != "":
		w.say(strings.ToUpper(e.Fn), "(")
		w.expr(e.Of, 0)
		for _, v := range e.Params {
			w.say(", ")
			w.value(v)
		}
		if e.Unit != "" {
			w.say(", ", unitText(e.Unit))
		}
		if e.At != nil {
			w.say(", AT ")
			w.grain(e.At)
		}
		w.say(")")
	default:
		w.name(e.Metric)
	}
	if e.Filter != nil {
		w.say(" FILTER (WHERE ")
		w.pred(e.Filter)
		w.say(")")
	}
}

// argument writes what a reducer takes: an AT there needs no parentheses of its own.
func (w *printer) argument(e *Expr) {
	if e == nil {
		return
	}
	if e.Op == "at" || e.At != nil && e.Fn == "" {
		defer w.note(e)()
		w.scoped(e)
		return
	}
	w.expr(e, 0)
}

func (w *printer) pred(p *Pred) {
	if p == nil {
		return
	}
	defer w.note(p)()
	switch {
	case len(p.And) > 0:
		w.joinPreds(p.And, " AND ", func(c *Pred) bool { return len(c.And) > 0 || len(c.Or) > 0 })
	case len(p.Or) > 0:
		w.joinPreds(p.Or, " OR ", func(c *Pred) bool { return len(c.Or) > 0 })
	case p.Not != nil:
		w.say("NOT ")
		if n := p.Not; len(n.And) > 0 || len(n.Or) > 0 || n.Not != nil {
			w.say("(")
			w.pred(n)
			w.say(")")
		} else {
			w.pred(n)
		}
	case p.Quant != "":
		w.say(strings.ToUpper(p.Quant), " ", quoted(p.Entity))
		if p.Pred != nil {
			w.say(" (")
			w.pred(p.Pred)
			w.say(")")
		}
	default:
		w.comparison(p)
	}
}

func (w *printer) joinPreds(all []*Pred, word string, parens func(*Pred) bool) {
	for i, c := range all {
		if i > 0 {
			w.say(word)
		}
		if parens(c) {
			w.say("(")
			w.pred(c)
			w.say(")")
		} else {
			w.pred(c)
		}
	}
}

var opText = map[string]string{
	"eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
	"like": "LIKE", "not_like": "NOT LIKE", "contains": "CONTAINS", "not_contains": "NOT CONTAINS",
	"starts_with": "STARTS WITH", "not_starts_with": "NOT STARTS WITH",
}

func (w *printer) comparison(p *Pred) {
	switch {
	case p.Left != nil:
		w.expr(p.Left, 0)
	case p.Out != "":
		w.name(p.Out)
	default:
		w.dim(Dim{Name: p.Dim, Grain: p.Grain})
	}
	switch p.Op {
	case "is_null":
		w.say(" IS NULL")
	case "not_null":
		w.say(" IS NOT NULL")
	case "in", "not_in":
		w.say(map[string]string{"in": " IN (", "not_in": " NOT IN ("}[p.Op])
		for i, v := range p.Vals {
			w.say(separator(i, ""))
			w.value(v)
		}
		w.say(")")
	case "between", "not_between":
		w.say(map[string]string{"between": " BETWEEN ", "not_between": " NOT BETWEEN "}[p.Op])
		for i, v := range p.Vals {
			if i > 0 {
				w.say(" AND ")
			}
			w.value(v)
		}
	case "in_top":
		w.say(" IN TOP ", strconv.Itoa(p.N), " BY ")
		w.expr(p.Expr, 0)
	default:
		w.say(" ", opText[p.Op], " ")
		switch {
		case p.Val != nil:
			w.value(*p.Val)
		case p.ValDim != nil:
			w.dimAt(p.ValDim)
		default:
			w.expr(p.Expr, 0)
		}
	}
}
