package interpret

import (
	"slices"
	"strconv"

	"assay/backend/frameql"
)

// sides is the rest of a calculation that begins with a number.
type sides struct {
	op      string // - + * /
	right   *measure
	hundred bool // as a percentage
}

// layer is a function of a number over the rows of the result.
type layer struct {
	fn   string // share growth ... as Frame-QL calls it
	n    int    // how many times before, or the width of a window
	unit string // of a window
	mean bool   // a window is averaged
	at   string // calendar unit within which it is taken; empty: all rows
}

// calculated writes what is done with a number.
func (c *composer) calculated(e *frameql.Expr, m measure) *frameql.Expr {
	if s := m.sides; s != nil {
		left := e
		if s.hundred {
			left = &frameql.Expr{Op: "*", Args: []*frameql.Expr{{Num: "100"}, e}}
		}
		e = &frameql.Expr{Op: s.op, Args: []*frameql.Expr{left, c.expr(*s.right)}}
	}
	l := m.layer
	if l == nil {
		return e
	}
	f := &frameql.Expr{Fn: l.fn, Of: e, Unit: l.unit}
	if l.n > 0 {
		f.Params = []frameql.Value{number(l.n)}
	}
	if l.at != "" {
		f.At = &frameql.Grain{Dims: []frameql.Dim{{Name: l.at}}}
	}
	if l.mean {
		return &frameql.Expr{Op: "/", Args: []*frameql.Expr{f, {Num: number(l.n).Text}}}
	}
	return f
}

func number(n int) frameql.Value {
	return frameql.Value{Kind: frameql.Number, Text: strconv.Itoa(n)}
}

// within says whether an expression has a part of a kind.
func within(e *frameql.Expr, is func(*frameql.Expr) bool) bool {
	if e == nil {
		return false
	}
	return is(e) || within(e.Of, is) || slices.ContainsFunc(e.Args, func(a *frameql.Expr) bool { return within(a, is) })
}
