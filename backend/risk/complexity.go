package risk

import (
	"math"
	"strings"

	"assay/backend/frameql"
	"assay/backend/text"
)

// Shape counts what a statement consists of. Negative counts are read as none.
type Shape struct {
	Joins      int `json:"joins"`
	CTEs       int `json:"ctes"`
	Windows    int `json:"windows"`
	Subqueries int `json:"subqueries"`
	Aggregates int `json:"aggregates"`
}

// ShapeOf gives the shape of a plan as the resolver counted it. The CTEs that the compiler writes for every query say
// nothing about the question, so that they are not counted; those of a person's SQL are.
func ShapeOf(c frameql.Complexity) Shape {
	return Shape{Joins: c.Joins, Windows: c.Windows, Subqueries: c.Subqueries, Aggregates: c.Aggregates}
}

// What each construct weighs, and the weight at which complexity is one half.
const (
	perJoin      = 0.25
	perCTE       = 0.20
	perWindow    = 0.20
	perSubquery  = 0.20
	perAggregate = 0.15 // beyond the first: one number is what every question asks for
	halfWeight   = 0.5
	mostOfAKind  = 1000 // counts above are read as this many
)

// Complexity gives 0 (plain) to 1 of a shape: 1 - 2^(-weight/0.5), where weight is the weighted sum of the counts. It is 0.5
// at two joins and comes near 1 without reaching it, so that more of anything never lowers it:
//
//	one metric by one dimension of its own table       weight 0     0.00
//	the same over a join                               weight 0.25  0.29
//	two metrics over two joins                         weight 0.65  0.59
//	a share of a total over two joins (one window)     weight 0.70  0.62
//	two CTEs with a join and a subquery                weight 0.85  0.69
//	five joins and three windows                       weight 1.85  0.92
func (s Shape) Complexity() float64 {
	return 1 - math.Exp2(-s.weight()/halfWeight)
}

func (s Shape) weight() float64 {
	n := func(count int) float64 { return float64(min(max(count, 0), mostOfAKind)) }
	return n(s.Joins)*perJoin + n(s.CTEs)*perCTE + n(s.Windows)*perWindow + n(s.Subqueries)*perSubquery + n(s.Aggregates-1)*perAggregate
}

// words lists what is there: "2 joins, 1 window function".
func (s Shape) words() string {
	var parts []string
	for _, part := range []struct {
		key string
		n   int
	}{
		{"risk.joins", s.Joins}, {"risk.ctes", s.CTEs}, {"risk.windows", s.Windows}, {"risk.subqueries", s.Subqueries}, {"risk.aggregates", s.Aggregates},
	} {
		if part.n > 0 {
			parts = append(parts, text.Count(part.key, int64(part.n), "n", part.n))
		}
	}
	if len(parts) == 0 {
		return text.Say("risk.nothing_counted")
	}
	return strings.Join(parts, ", ")
}
