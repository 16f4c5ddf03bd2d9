package interpret

import (
	"math/big"
	"regexp"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// formula reads a calculation whose operands are phrases: "(revenue - cost) / revenue", "revenue divided by the number of
// customers".
type formula struct {
	ix     *Index
	env    frameql.Env
	rest   string
	base   *semantic.Entity // of the first operand
	star   bool             // an operand counts rows, so all must be of one entity
	during *frameql.During  // of the one operand that there is
	bad    bool             // operands that cannot stand beside each other
}

// spelledSigns are the signs that are said in words.
var spelledSigns = strings.NewReplacer(" divided by ", " / ", " multiplied by ", " * ", " times ", " * ", " minus ", " - ", " plus ", " + ", "×", "*", "÷", "/", "−", " - ")

var sign = regexp.MustCompile(`\s[-+]\s|[*/()]`)

// read gives the expression and the entity whose rows its first operand is computed from; nil when it is no calculation.
func (f *formula) read() (*frameql.Expr, *semantic.Entity) {
	f.rest = spelledSigns.Replace(" " + strings.TrimRight(strings.TrimSpace(f.rest), ".") + " ")
	e := f.sum()
	if e == nil || f.bad || strings.TrimSpace(f.rest) != "" || f.base == nil {
		return nil, nil
	}
	return e, f.base
}

func (f *formula) sum() *frameql.Expr { return f.chain("+-", f.product) }

func (f *formula) product() *frameql.Expr { return f.chain("*/", f.operand) }

// chain reads operands joined by signs of one rank.
func (f *formula) chain(signs string, operand func() *frameql.Expr) *frameql.Expr {
	left := operand()
	for left != nil {
		rest := strings.TrimSpace(f.rest)
		if rest == "" || !strings.Contains(signs, rest[:1]) {
			return left
		}
		f.rest = rest[1:]
		right := operand()
		if right == nil {
			return nil
		}
		left = &frameql.Expr{Op: rest[:1], Args: []*frameql.Expr{left, right}}
	}
	return nil
}

func (f *formula) operand() *frameql.Expr {
	rest := strings.TrimSpace(f.rest)
	if inner, ok := strings.CutPrefix(rest, "("); ok {
		f.rest = " " + inner
		e := f.sum()
		closed, ok := strings.CutPrefix(strings.TrimSpace(f.rest), ")")
		if !ok {
			return nil
		}
		f.rest = closed + " "
		return e
	}
	end := len(rest)
	if at := sign.FindStringIndex(" " + rest); at != nil {
		end = max(0, at[0]-1)
	}
	phrase := strings.TrimSpace(rest[:end])
	f.rest = " " + rest[end:]
	if n, ok := plainNumber(phrase); ok {
		return &frameql.Expr{Num: n}
	}
	return f.number(phrase)
}

// plainNumber reads "100" and "20%".
func plainNumber(s string) (string, bool) {
	digits, percent := strings.CutSuffix(s, "%")
	v, ok := new(big.Rat).SetString(digits)
	if !ok || strings.ContainsAny(digits, "/eE") {
		return "", false
	}
	if percent {
		v.Quo(v, big.NewRat(100, 1))
	}
	return decimal(v), true
}

// number reads an operand as a question of its own whose answer is one number.
func (f *formula) number(phrase string) *frameql.Expr {
	if phrase == "" {
		return nil
	}
	q := f.ix.certain(phrase, f.env)
	if q == nil || len(q.Select) != 1 || q.Select[0].Expr == nil || q.At != nil || q.Top != nil || q.Having != nil || len(q.Compare) > 0 {
		return nil
	}
	e := *q.Select[0].Expr
	if e.Star && len(q.From) != 1 || e.Op != "" && q.Where != nil || e.Fn != "" {
		return nil
	}
	if q.Time != nil {
		if f.during != nil || f.base != nil {
			return nil // each operand would have a period of its own
		}
		f.during = q.Time
	}
	if len(q.With) > 0 {
		return f.nested(&e, q.Where)
	}
	if q.Where != nil {
		if e.Filter != nil {
			return nil
		}
		e.Filter = q.Where
	}
	base := f.ix.fact(&e, q.From)
	if f.base == nil {
		f.base = base
	}
	f.bad = f.bad || f.during != nil && f.base != base
	f.star = f.star || within(&e, func(x *frameql.Expr) bool { return x.Star })
	f.bad = f.bad || f.star && base != f.base
	return &e
}

// nested puts the formula of another definition in the place of its term.
func (f *formula) nested(e *frameql.Expr, where *frameql.Pred) *frameql.Expr {
	for _, def := range f.ix.defined {
		if def.expr == nil || e.Metric != def.metric.Name || where != nil || e.At != nil || e.Filter != nil {
			continue
		}
		if f.base == nil {
			f.base = f.ix.entities[def.metric.Entity]
		}
		return def.expr
	}
	return nil
}

// fact gives the entity whose rows a plain number is computed from.
func (ix *Index) fact(e *frameql.Expr, from []string) *semantic.Entity {
	switch {
	case e == nil:
		return nil
	case e.Star && len(from) == 1:
		return ix.entities[from[0]]
	case e.Metric != "":
		if m := ix.metrics[e.Metric]; m != nil {
			return ix.base(m)
		}
		owner, _, _ := cutName(e.Metric)
		return ix.entities[owner]
	case e.Of != nil:
		return ix.fact(e.Of, from)
	case len(e.Args) > 0:
		return ix.fact(e.Args[0], from)
	}
	return nil
}
