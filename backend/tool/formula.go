package tool

import (
	"math/big"
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/frameview"
	"assay/backend/semantic"
)

// formula says how a column of a frame follows from others: + - * / over columns and numbers.
type formula struct {
	op     string // + - * / neg num column
	number *big.Rat
	column int
	args   []*formula
	uses   map[int]bool // columns, also those behind them
}

// mostParts bounds the parts of a formula.
const mostParts = 200

// value works a formula out; false: an input has no value, or something is divided by zero.
func (f *formula) value(input func(column int) (*big.Rat, bool)) (*big.Rat, bool) {
	switch f.op {
	case "num":
		return f.number, true
	case "column":
		return input(f.column)
	}
	var args []*big.Rat
	for _, a := range f.args {
		x, ok := a.value(input)
		if !ok {
			return nil, false
		}
		args = append(args, x)
	}
	out := new(big.Rat)
	switch f.op {
	case "neg":
		return out.Neg(args[0]), true
	case "+":
		return out.Add(args[0], args[1]), true
	case "-":
		return out.Sub(args[0], args[1]), true
	case "*":
		return out.Mul(args[0], args[1]), true
	}
	if args[1].Sign() == 0 {
		return nil, false
	}
	return out.Quo(args[0], args[1]), true
}

// findFormulas gives the formulas of the columns that have one: what the model says of a metric, or the query of a column, where everything that it is
// made of stands in the frame, and where it gives the numbers that the frame has. One that does not (a filter, another grain) is none.
func (s *scenario) findFormulas() map[int]*formula {
	found := map[int]*formula{}
	items := map[string]*frameql.Expr{}
	if q, err := frameql.Parse(s.frame.FrameQL); err == nil {
		for _, item := range q.Select {
			if item.Expr != nil && item.As != "" {
				items[item.As] = item.Expr
			}
		}
	}
	for k, c := range s.frame.Columns {
		if !frameview.Numeric(c) || c.Role != frameql.RoleMetric || c.Derived != nil {
			continue
		}
		b := &formulaBuilder{s: s, own: k}
		var f *formula
		if x := s.model.Metric(c.Metric); x != nil && !x.Leaf() {
			f = b.ofMetric(x, 0)
		} else if e := items[c.Name]; e != nil && e.Op != "" {
			f = b.ofQuery(e)
		}
		if f != nil && s.agrees(f, k) {
			found[k] = f
		}
	}
	for _, f := range found { // through columns that have formulas themselves
		f.uses = map[int]bool{}
		f.mark(found, f.uses, 0)
	}
	return found
}

func (f *formula) mark(all map[int]*formula, uses map[int]bool, depth int) {
	if f.op == "column" && !uses[f.column] {
		uses[f.column] = true
		if behind := all[f.column]; behind != nil && depth < 20 {
			behind.mark(all, uses, depth+1)
		}
	}
	for _, a := range f.args {
		a.mark(all, uses, depth+1)
	}
}

// agrees says whether a formula gives what a column shows, row by row, to nine digits: a quotient was rounded. A frame without numbers agrees with nothing.
func (s *scenario) agrees(f *formula, k int) bool {
	some := false
	for _, row := range s.frame.Rows {
		want, shows := frameview.Number(row[k])
		got, ok := f.value(func(i int) (*big.Rat, bool) { return frameview.Number(row[i]) })
		if !shows || !ok {
			if shows != ok {
				return false
			}
			continue
		}
		some = true
		apart := new(big.Rat).Sub(got, want)
		bound := new(big.Rat).Mul(new(big.Rat).Abs(want), big.NewRat(1, 1_000_000_000))
		if bound.Sign() == 0 {
			bound = big.NewRat(1, 1_000_000_000)
		}
		if apart.Abs(apart).Cmp(bound) > 0 {
			return false
		}
	}
	return some
}

type formulaBuilder struct {
	s     *scenario
	own   int // the column whose formula it is
	parts int
}

// ofName gives the column that shows a metric, or the formula of the metric where no column does. nil: neither.
func (b *formulaBuilder) ofName(metric string, depth int) *formula {
	k := slices.IndexFunc(b.s.frame.Columns, func(c frameql.Column) bool {
		return strings.EqualFold(c.Metric, metric) && c.Role == frameql.RoleMetric && c.Derived == nil && frameview.Numeric(c)
	})
	if k >= 0 && k != b.own {
		return &formula{op: "column", column: k}
	}
	if x := b.s.model.Metric(metric); x != nil && !x.Leaf() && depth < 10 {
		return b.ofMetric(x, depth+1)
	}
	return nil
}

func (b *formulaBuilder) ofMetric(x *semantic.Metric, depth int) *formula {
	switch x.Kind {
	case semantic.Ratio:
		return b.binary("/", b.ofName(x.Numerator, depth), b.ofName(x.Denominator, depth))
	case semantic.Derived:
		e, err := semantic.ParseExpr(x.Expr)
		if err != nil {
			return nil
		}
		return b.ofExpr(x, e, depth)
	default:
		return nil
	}
}

func (b *formulaBuilder) ofExpr(x *semantic.Metric, e *semantic.Expr, depth int) *formula {
	if b.parts++; b.parts > mostParts {
		return nil
	}
	switch e.Op {
	case "num":
		return number(e.Text)
	case "ident":
		for _, in := range x.Inputs {
			if in.Name != e.Name {
				continue
			}
			if in.Filter != "" || in.Offset != nil || in.OffsetToStart != "" {
				return nil // not the number that a column shows
			}
			return b.ofName(in.Metric, depth)
		}
		return b.ofName(e.Name, depth)
	case "neg":
		return b.unary(b.ofExpr(x, e.Args[0], depth))
	case "+", "-", "*", "/":
		return b.binary(e.Op, b.ofExpr(x, e.Args[0], depth), b.ofExpr(x, e.Args[1], depth))
	}
	return nil
}

func (b *formulaBuilder) ofQuery(e *frameql.Expr) *formula {
	if b.parts++; b.parts > mostParts || e == nil || e.At != nil || e.Filter != nil {
		return nil
	}
	switch {
	case e.Num != "":
		return number(e.Num)
	case e.Metric != "":
		return b.ofName(e.Metric, 0)
	case len(e.Args) == 2 && e.Op != "at":
		return b.binary(e.Op, b.ofQuery(e.Args[0]), b.ofQuery(e.Args[1]))
	}
	return nil
}

func number(s string) *formula {
	x, ok := frameview.Number(s)
	if !ok {
		return nil
	}
	return &formula{op: "num", number: x}
}

func (*formulaBuilder) unary(x *formula) *formula {
	if x == nil {
		return nil
	}
	return &formula{op: "neg", args: []*formula{x}}
}

func (*formulaBuilder) binary(op string, x, y *formula) *formula {
	if x == nil || y == nil {
		return nil
	}
	return &formula{op: op, args: []*formula{x, y}}
}
