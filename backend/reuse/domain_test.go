package reuse

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"assay/backend/compile"
	"assay/backend/semantic"
)

// truthTable evaluates a condition on one column for a value; nil: missing. It says true, false or unknown by the rules of
// SQL and knows nothing of sets.
func truthTable(s *compile.Scalar, x *int) (t, unknown bool) {
	number := func(a *compile.Scalar) (n int, missing bool) {
		if a.Op == "null" {
			return 0, true
		}
		if a.Op == "col" {
			if x == nil {
				return 0, true
			}
			return *x, false
		}
		_, _ = fmt.Sscan(a.Text, &n)
		return n, false
	}
	switch s.Op {
	case "not":
		t, unknown = truthTable(s.Args[0], x)
		return !t && !unknown, unknown
	case "and", "or":
		decisive := s.Op == "or"
		for _, a := range s.Args {
			v, u := truthTable(a, x)
			if !u && v == decisive {
				return decisive, false
			}
			unknown = unknown || u
		}
		return !decisive && !unknown, unknown
	case "is_null", "not_null":
		return (x == nil) == (s.Op == "is_null"), false
	case "in", "not_in":
		if x == nil {
			return false, true
		}
		for _, a := range s.Args[1:] {
			n, missing := number(a)
			if !missing && n == *x {
				return s.Op == "in", false
			}
			unknown = unknown || missing
		}
		return s.Op == "not_in" && !unknown, unknown
	}
	a, am := number(s.Args[0])
	b, bm := number(s.Args[1])
	if s.Op == "same" {
		return am == bm && (am || a == b), false
	}
	if am || bm {
		return false, true
	}
	return map[string]bool{"=": a == b, "<>": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[s.Op], false
}

func conditionGen(deep int) *rapid.Generator[*compile.Scalar] {
	return rapid.Custom(func(t *rapid.T) *compile.Scalar {
		x := &compile.Scalar{Op: "col", Text: "x", Type: semantic.Integer}
		value := func() *compile.Scalar {
			if rapid.IntRange(0, 9).Draw(t, "null") == 0 {
				return &compile.Scalar{Op: "null"}
			}
			return &compile.Scalar{Op: "num", Text: fmt.Sprint(rapid.IntRange(0, 6).Draw(t, "n"))}
		}
		kinds := []string{"=", "<>", "<", "<=", ">", ">=", "same", "in", "not_in", "is_null", "not_null"}
		if deep > 0 {
			kinds = append(kinds, "not", "and", "or", "and", "or")
		}
		s := &compile.Scalar{Op: rapid.SampledFrom(kinds).Draw(t, "op"), Type: semantic.Boolean}
		switch s.Op {
		case "not":
			s.Args = []*compile.Scalar{conditionGen(deep-1).Draw(t, "a")}
		case "and", "or":
			s.Args = rapid.SliceOfN(conditionGen(deep-1), 2, 3).Draw(t, "args")
		case "is_null", "not_null":
			s.Args = []*compile.Scalar{x}
		case "in", "not_in":
			s.Args = []*compile.Scalar{x, value(), value(), value()}
		default:
			s.Args = []*compile.Scalar{x, value()}
			if s.Args[1].Op != "null" && rapid.Bool().Draw(t, "turned") {
				s.Args[0], s.Args[1] = s.Args[1], s.Args[0]
			}
		}
		return s
	})
}

// TestTruth compares the sets of a condition with the condition itself, value by value.
func TestTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := conditionGen(2).Draw(t, "condition")
		term, yes, no := truth(s, []string{"f"})
		if term == "" {
			t.Fatalf("not understood: %s", signature(s, []string{"f"}))
		}
		for i := -1; i <= 7; i++ {
			want, unknown := truthTable(s, &i)
			v := value{kind: kindNumber, number: rat(i)}
			if point(v).within(yes, yes.not()) != want || point(v).within(no, no.not()) != (!want && !unknown) {
				t.Fatalf("x = %d: %s is %v (unknown %v); true set %v, false set %v", i, signature(s, []string{"f"}), want, unknown, yes, no)
			}
		}
		want, unknown := truthTable(s, nil)
		if yes.missing != want || no.missing != (!want && !unknown) {
			t.Fatalf("missing: %s is %v (unknown %v); true set %v, false set %v", signature(s, []string{"f"}), want, unknown, yes, no)
		}
	})
}

// TestImplication compares implication with every value that there is; what is not implied is only counted.
func TestImplication(t *testing.T) {
	implied, missed := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		b := &compile.Branch{Source: &compile.Source{Nodes: []compile.Node{{Table: "f", Parent: -1}}}, Filters: rapid.SliceOfN(conditionGen(1), 1, 3).Draw(t, "has")}
		f := conditionGen(1).Draw(t, "wants")
		s := shapeOf(b)
		truly := true
		for i := -2; i <= 15; i++ { // halves stand for what lies between whole numbers
			var x *int
			if i >= -1 {
				n := i
				x = &n
			}
			all := true
			for _, c := range b.Filters {
				v, _ := truthTable(c, x)
				all = all && v
			}
			if v, _ := truthTable(f, x); all && !v {
				truly = false
			}
		}
		got := s.imply(conditionOf(f, s.paths))
		if got && !truly {
			t.Fatalf("%s is not implied by %v", signature(f, s.paths), b.Filters)
		}
		if got {
			implied++
		} else if truly {
			missed++
		}
	})
	if implied == 0 || missed > implied {
		t.Errorf("%d implications were found and %d missed", implied, missed)
	}
}

// TestWhatIsNotImplied: what the engine may compare by other rules is left alone.
func TestWhatIsNotImplied(t *testing.T) {
	col := func(name string, typ semantic.Type) *compile.Scalar {
		return &compile.Scalar{Op: "col", Text: name, Type: typ}
	}
	is := func(op string, args ...*compile.Scalar) *compile.Scalar {
		return &compile.Scalar{Op: op, Args: args, Type: semantic.Boolean}
	}
	str := func(s string) *compile.Scalar { return &compile.Scalar{Op: "str", Text: s} }
	num := func(s string) *compile.Scalar { return &compile.Scalar{Op: "num", Text: s} }
	for name, c := range map[string]struct{ has, wants *compile.Scalar }{
		"a text against a date":                      {is("=", col("d", "date"), str("2024-1-5")), is("<", col("d", "date"), str("2024-2-5"))},
		"a text against something unknown":           {is("=", col("d", ""), str("a")), is("<", col("d", ""), str("b"))},
		"more digits than a floating number":         {is("=", col("x", "float"), num("0.1")), is("<>", col("x", "float"), num("0.10000000000000000001"))},
		"other columns":                              {is("=", col("x", "integer"), num("1")), is("=", col("y", "integer"), num("1"))},
		"a pattern":                                  {is("=", col("x", "text"), str("West")), is("starts_with", col("x", "text"), str("W"))},
		"another pattern":                            {is("starts_with", col("x", "text"), str("We")), is("starts_with", col("x", "text"), str("W"))},
		"a text that looks like a number":            {is("=", col("x", "text"), str("10")), is(">", col("x", "text"), num("9"))},
		"what is not equal may be missing elsewhere": {is("<>", col("x", "text"), str("a")), is("in", col("x", "text"), str("b"), str("c"))},
	} {
		b := &compile.Branch{Source: &compile.Source{Nodes: []compile.Node{{Table: "f", Parent: -1}}}, Filters: []*compile.Scalar{c.has}}
		s := shapeOf(b)
		if s.imply(conditionOf(c.wants, s.paths)) {
			t.Errorf("%s: implied", name)
		}
	}
}
