package knowledge_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"assay/backend/frameql"
	"assay/backend/knowledge"
)

// condition and formula read a text as a part of a query.
func condition(t rapid.TB, text string) *frameql.Pred {
	t.Helper()
	q, err := frameql.Parse("SELECT revenue WHERE " + text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return q.Where
}

func formula(t rapid.TB, text string) *frameql.Expr {
	t.Helper()
	q, err := frameql.Parse("SELECT " + text + " AS x")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if item := q.Select[0]; item.Expr == nil {
		return &frameql.Expr{Metric: item.Dim.Name} // a name alone may be either
	}
	return q.Select[0].Expr
}

// related holds two meanings to a relation, in both orders.
func related(t *testing.T, name string, a, b knowledge.Meaning, want knowledge.Relation) {
	t.Helper()
	for _, pair := range [][2]knowledge.Meaning{{a, b}, {b, a}} {
		if got := knowledge.Relate(pair[0], pair[1]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestConditionsThatMeanTheSameOrTheOpposite(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want knowledge.Relation
	}{
		{"country = 'Germany'", "country = 'Germany'", knowledge.Same},
		{"country = 'Germany'", "country IN ('Germany')", knowledge.Same},
		{"country IN ('A', 'B')", "country IN ('B', 'A', 'B')", knowledge.Same},
		{"country = 'A' OR country = 'B'", "country IN ('B', 'A')", knowledge.Same},
		{"country <> 'A' AND country <> 'B'", "country NOT IN ('A', 'B')", knowledge.Same},
		{"NOT country = 'Germany'", "country <> 'Germany'", knowledge.Same},
		{"NOT (country = 'A' OR city = 'B')", "city <> 'B' AND country <> 'A'", knowledge.Same},
		{"country = 'A' AND (city = 'B' AND freight > 5)", "freight > 5 AND city = 'B' AND country = 'A'", knowledge.Same},
		{"NOT freight > 5", "freight <= 5", knowledge.Same},
		{"NO orders (freight > 5)", "NOT ANY orders (freight > 5)", knowledge.Same},

		{"is_test = true", "is_test <> true", knowledge.Opposite},
		{"country = 'Germany'", "country <> 'Germany'", knowledge.Opposite},
		{"country IN ('A', 'B')", "country NOT IN ('B', 'A')", knowledge.Opposite},
		{"freight > 5", "freight <= 5", knowledge.Opposite},
		{"country IS NULL", "country IS NOT NULL", knowledge.Opposite},
		{"name CONTAINS 'x'", "NOT name CONTAINS 'x'", knowledge.Opposite},
		{"country = 'A' AND city = 'B'", "city <> 'B' OR country <> 'A'", knowledge.Opposite},
		{"country = 'A' AND city = 'B'", "city <> 'B' AND freight > 5", knowledge.Opposite},
		{"ANY orders (freight > 5)", "NO orders (freight > 5)", knowledge.Opposite},

		{"country = 'Germany'", "country = 'France'", knowledge.Rival},
		{"country = 'Germany' AND freight > 5", "freight > 2 AND country = 'France'", knowledge.Rival},

		{"country = 'Germany'", "city = 'Berlin'", knowledge.Unrelated},
		{"country = 'Germany'", "country IN ('Germany', 'France')", knowledge.Unrelated},
		{"country <> 'Germany'", "country <> 'France'", knowledge.Unrelated},
		{"freight > 5", "freight > 6", knowledge.Unrelated},
		{"code = '5'", "code <> 5", knowledge.Unrelated}, // a text is no number
	} {
		related(t, c.a+" and "+c.b, knowledge.Meaning{Keep: condition(t, c.a)}, knowledge.Meaning{Keep: condition(t, c.b)}, c.want)
	}
}

func TestTermsThatMeanTheSameOrTheOpposite(t *testing.T) {
	means := func(term, as string) knowledge.Meaning { return knowledge.Meaning{Term: term, Formula: formula(t, as)} }
	stands := func(term, for_ string) knowledge.Meaning {
		return knowledge.Meaning{Term: term, Keep: condition(t, for_)}
	}
	for _, c := range []struct {
		name string
		a, b knowledge.Meaning
		want knowledge.Relation
	}{
		{"one metric", means("sales", "revenue"), means("Sales ", "revenue"), knowledge.Same},
		{"two metrics", means("sales", "revenue"), means("sales", "net_revenue"), knowledge.Rival},
		{"two terms", means("sales", "revenue"), means("turnover", "net_revenue"), knowledge.Unrelated},
		{"in another order", means("profit", "revenue * 2 - cost + tip"), means("profit", "tip + 2 * revenue - cost"), knowledge.Same},
		{"a difference turned", means("margin", "revenue - cost"), means("margin", "cost - revenue"), knowledge.Opposite},
		{"parentheses", means("margin", "revenue - (cost - tip)"), means("margin", "revenue + tip - cost"), knowledge.Same},
		{"a ratio turned", means("ratio", "revenue / cost"), means("ratio", "cost / revenue"), knowledge.Rival},
		{"a value", stands("NYC", "city = 'New York'"), stands("nyc", "city IN ('New York')"), knowledge.Same},
		{"two values", stands("NYC", "city = 'New York'"), stands("NYC", "city = 'Newark'"), knowledge.Rival},
		{"a value and its contrary", stands("domestic", "country = 'USA'"), stands("domestic", "country <> 'USA'"), knowledge.Opposite},
		{"a number and rows", means("active", "revenue"), stands("active", "city = 'Berlin'"), knowledge.Rival},
		{"one time", knowledge.Meaning{Term: "high season", Period: "June"}, knowledge.Meaning{Term: "high season", Period: "June"}, knowledge.Same},
		{"two times", knowledge.Meaning{Term: "high season", Period: "June"}, knowledge.Meaning{Term: "high season", Period: "July"}, knowledge.Rival},
		{"of two metrics", knowledge.Meaning{On: "revenue", Keep: condition(t, "country = 'A'")}, knowledge.Meaning{On: "freight", Keep: condition(t, "country <> 'A'")}, knowledge.Unrelated},
		{"of everything and of one", knowledge.Meaning{Keep: condition(t, "country = 'A'")}, knowledge.Meaning{On: "freight", Keep: condition(t, "country <> 'A'")}, knowledge.Unrelated},
		{"nothing", knowledge.Meaning{}, knowledge.Meaning{}, knowledge.Unrelated},
	} {
		related(t, c.name, c.a, c.b, c.want)
	}
}

// TestNormalForms holds random conditions to what logic says: a condition is the same as itself in any order and negated twice, and the opposite of its contrary.
func TestNormalForms(t *testing.T) {
	var draw func(rt *rapid.T, depth int) *frameql.Pred
	draw = func(rt *rapid.T, depth int) *frameql.Pred {
		if depth > 0 {
			parts := func() []*frameql.Pred {
				all := make([]*frameql.Pred, rapid.IntRange(2, 3).Draw(rt, "parts"))
				for i := range all {
					all[i] = draw(rt, depth-1)
				}
				return all
			}
			switch rapid.IntRange(0, 4).Draw(rt, "kind") {
			case 0:
				return &frameql.Pred{And: parts()}
			case 1:
				return &frameql.Pred{Or: parts()}
			case 2:
				return &frameql.Pred{Not: draw(rt, depth-1)}
			}
		}
		return condition(rt, rapid.SampledFrom([]string{
			"a = 'x'", "a <> 'x'", "a IN ('x', 'y')", "a NOT IN ('y')", "b > 1", "b <= 1", "b BETWEEN 1 AND 2", "c IS NULL", "c CONTAINS 'x'", "NO orders (b > 1)",
		}).Draw(rt, "comparison"))
	}
	keep := func(p *frameql.Pred) knowledge.Meaning { return knowledge.Meaning{Keep: p} }
	rapid.Check(t, func(rt *rapid.T) {
		p, q := draw(rt, 3), draw(rt, 2)
		if got := knowledge.Relate(keep(p), keep(&frameql.Pred{Not: &frameql.Pred{Not: p}})); got != knowledge.Same {
			rt.Fatalf("%s negated twice: %s", p, got)
		}
		if got := knowledge.Relate(keep(p), keep(&frameql.Pred{Not: p})); got != knowledge.Opposite {
			rt.Fatalf("%s and its contrary: %s", p, got)
		}
		both, turned := &frameql.Pred{And: []*frameql.Pred{p, q}}, &frameql.Pred{And: []*frameql.Pred{q, p}}
		if got := knowledge.Relate(keep(both), keep(turned)); got != knowledge.Same {
			rt.Fatalf("%s and %s: %s", both, turned, got)
		}
		if one, other := knowledge.Relate(keep(p), keep(q)), knowledge.Relate(keep(q), keep(p)); one != other {
			rt.Fatalf("%s and %s: %s one way, %s the other", p, q, one, other)
		}
	})
}

func TestLikenessOfWords(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"tours that left the harbour late", "late tours that left the harbour", 1},
		{"tours with a guide of the house and a meal", "tours with a guide of the house and a warm meal", 0.8},
		{"tours with a guide", "boats without a skipper", 0},
		{"tours with a guide", "tours without a guide", 0},
		{"tours of 20 people from the old harbour", "tours of 30 people from the old harbour", 0},
		{"price minus discount minus fee", "price minus fee minus discount", 0},
		{"", "", 0},
	} {
		got := knowledge.LikenessOfWords(knowledge.Correction{Term: "x", Means: c.a}, knowledge.Correction{Term: "x", Means: c.b})
		if back := knowledge.LikenessOfWords(knowledge.Correction{Term: "x", Means: c.b}, knowledge.Correction{Term: "x", Means: c.a}); got != back || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%q, %q: %v and %v, want %v", c.a, c.b, got, back, c.want)
		}
	}
}
