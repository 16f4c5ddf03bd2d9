package reuse

import (
	"sort"
	"strings"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// rewrite gives a scalar over rows as a scalar over the columns of the frame; nil when it needs a column that the frame did
// not keep. This is clause 3 for keys and clause 8 for conditions: a frame keeps of each row the values of its keys, so
// whatever is a function of these alone has the same value for every row of a group.
//
// A dependency that holds (a city lies in one state) makes a dimension known in principle, but a frame that has only the
// city holds no mapping to the state: it is not served from. So frames are made with both: see Carry.
func (c *comparison) rewrite(s *compile.Scalar) *compile.Scalar {
	if s == nil {
		return nil
	}
	if at, has := c.frame.keyAt[c.branch.sign(s)]; has {
		return c.column(at)
	}
	switch s.Op {
	case "trunc":
		return c.truncate(s)
	case "num", "str", "bool", "null", "date", "timestamp", "time":
	case "+", "-", "*", "/", "neg", "=", "<>", "<", "<=", ">", ">=", "same", "and", "or", "not", "is_null", "not_null", "in", "not_in", "like", "contains", "starts_with", "case", "call":
	default: // a column, and what is tested against other rows
		return nil
	}
	out := *s
	out.Args = make([]*compile.Scalar, len(s.Args))
	for i, a := range s.Args {
		if out.Args[i] = c.rewrite(a); out.Args[i] == nil {
			return nil
		}
		if inexact(s.Op, out.Args[i]) {
			return nil
		}
	}
	return &out
}

// inexact says whether an operation may tell apart floating numbers that a group holds for one: zero and negative zero are
// equal, and are not the same text.
func inexact(op string, arg *compile.Scalar) bool {
	if arg.Op != "col" || arg.Type != semantic.Float {
		return false
	}
	switch op {
	case "=", "<>", "<", "<=", ">", ">=", "same", "is_null", "not_null", "in", "not_in":
		return false
	default:
		return true
	}
}

// column is a key of the frame as its table holds it.
func (c *comparison) column(at int) *compile.Scalar {
	k := c.frame.Branch.Keys[at]
	t := k.Expr.Type
	if t == "" && k.Expr.Op == "trunc" && !finerThanDay(k.Expr.Text) {
		t = semantic.Date
	}
	return &compile.Scalar{Op: "col", Text: k.Name, Type: t}
}

func sorted(all []string) string {
	sort.Strings(all)
	return strings.Join(all, "\n")
}
