package knowledge

import (
	"slices"
	"strings"

	"assay/backend/frameql"
)

// Meaning is what a piece of knowledge says in the terms of the model, where it can be compiled. It says one of these: what a term is as a number (Formula), which rows a
// term stands for (Keep and Term), which rows count (Keep alone), or which time a term names (Period).
type Meaning struct {
	Term    string // what is given a meaning, as people write it; empty: a condition on everything of On
	On      string // the metric or the entity that a condition is about; empty: all of them
	Formula *frameql.Expr
	Keep    *frameql.Pred
	Period  string // a time alone, or the one that a formula is about
}

// Relation is how two meanings stand to each other.
type Relation string

// The relations.
const (
	Unrelated Relation = "unrelated"
	Same      Relation = "same"
	Opposite  Relation = "opposite" // what one keeps, the other leaves out; or one number is the other with the sign turned
	Rival     Relation = "rival"    // one term is given two meanings, or two conditions leave nothing together
	Contrary  Relation = "contrary" // a model says that not both can hold; Relate never does
)

// Relate says how two meanings stand to each other, whichever comes first. It compares what they say, and not the words: conditions in another order, and written with
// another operator, are the same.
func Relate(a, b Meaning) Relation {
	if word(a.Term) != word(b.Term) || word(a.On) != word(b.On) {
		return Unrelated
	}
	switch {
	case a.Term != "" && a.Period != b.Period: // another time, or one that only one of them has
		return Rival
	case a.Formula != nil && b.Formula != nil:
		return relateFormulas(a.Formula, b.Formula)
	case a.Keep != nil && b.Keep != nil:
		return relateConditions(a, b)
	case a.Period != "" && a.Period == b.Period:
		return Same
	case a.Term != "":
		return Rival // a term of another kind, or another time
	}
	return Unrelated
}

// word is a name as it is compared: case and blanks make no other one.
func word(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

func relateConditions(a, b Meaning) Relation {
	one, other := normal(a.Keep, false), normal(b.Keep, false)
	switch {
	case one.text() == other.text():
		return Same
	case one.text() == normal(b.Keep, true).text():
		return Opposite
	case a.Term != "":
		return Rival
	}
	for _, p := range one.all() {
		for _, q := range other.all() {
			switch {
			case p.negated().text() == q.text():
				return Opposite
			case p.op == "eq" && q.op == "eq" && p.left == q.left: // only this one, and only that one
				return Rival
			}
		}
	}
	return Unrelated
}

// relateFormulas compares two ways to compute one term.
func relateFormulas(a, b *frameql.Expr) Relation {
	one, other := sum(a, false), sum(b, false)
	switch {
	case one == other:
		return Same
	case one == sum(b, true):
		return Opposite
	}
	return Rival
}

// sum is the text of a formula, or of it with the sign turned: its terms with their signs, sorted, and the factors of each, sorted.
func sum(e *frameql.Expr, turn bool) string {
	terms := termsOf(e, turn)
	slices.Sort(terms)
	return strings.Join(terms, " ")
}

func termsOf(e *frameql.Expr, turn bool) []string {
	var all []string
	if e.Op == "+" || e.Op == "-" {
		for i, arg := range e.Args {
			less := e.Op == "-" && (i > 0 || len(e.Args) == 1)
			all = append(all, termsOf(arg, turn != less)...)
		}
		return all
	}
	sign := "+"
	if turn {
		sign = "-"
	}
	factors := factorsOf(e)
	slices.Sort(factors)
	return []string{sign + strings.Join(factors, "*")}
}

func factorsOf(e *frameql.Expr) []string {
	if e.Op != "*" {
		return []string{"(" + strings.ToLower(e.String()) + ")"}
	}
	var all []string
	for _, arg := range e.Args {
		all = append(all, factorsOf(arg)...)
	}
	return all
}
