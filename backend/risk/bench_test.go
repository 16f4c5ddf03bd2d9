package risk

import "testing"

func BenchmarkAssess(b *testing.B) {
	lexicon := NewLexicon()
	shape := Shape{Joins: 3, Windows: 1, Aggregates: 4}
	sources := []Source{{Entity: "Orders", Documentation: known(0.8), Tests: known(0.5)}, {Entity: "Customers", Inferred: true}}
	for b.Loop() {
		stakes, _ := lexicon.Read("revenue by category in 1997 compared with the year before, for the board meeting, as soon as possible")
		Assess(Evidence{Shape: &shape, Sources: sources, Golden: Nearest{Similarity: 0.8, Question: "revenue by category", Of: 40}, Stakes: stakes})
	}
}
