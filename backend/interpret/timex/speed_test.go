package timex

import (
	"testing"

	"assay/backend/frameql"
)

// BenchmarkFind looks for dates in a question of twenty words.
func BenchmarkFind(b *testing.B) {
	env := frameql.Env{Now: Day(2016, 11, 7)}
	for b.Loop() {
		Find("what was the total revenue of the top 10 customers in Germany from March to May 2015 by product category and month", env, Whole)
	}
}
