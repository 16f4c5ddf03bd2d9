package retrieval

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

var itemWords = strings.Fields(`revenue cost margin freight order shipment return refund discount supplier customer employee region territory country city warehouse stock
	carrier invoice payment budget forecast target churn renewal contract ticket visit basket promotion campaign channel store season holiday weekend quarter brand product
	category bundle coupon loyalty segment cohort deposit tax duty currency rate tariff delivery delay damage claim audit approval salary bonus training shift overtime`)

// items are meanings of made-up terms.
func items(n int, seed uint64) []Record {
	r := rand.New(rand.NewPCG(seed, 1))
	word := func() string { return itemWords[r.IntN(len(itemWords))] }
	all := make([]Record, n)
	for i := range all {
		all[i] = Record{Kind: Memory, ID: fmt.Sprintf("item_%06d", i), Question: fmt.Sprintf("%s %s %s means %s without %s of %s %d", word(), word(), word(), word(), word(), word(), r.IntN(500))}
	}
	return all
}

// TestALargeCollectionFindsWhatASmallOneDoes: what a search by sketches finds first is what comparing every record finds, and in whichever order the records came.
func TestALargeCollectionFindsWhatASmallOneDoes(t *testing.T) {
	records := items(sketchFrom+3000, 7)
	e := BuiltIn()
	s, _, err := Open(t.Context(), Options{Embedder: e, Records: records})
	if err != nil {
		t.Fatal(err)
	}
	vectors := map[string][]float32{}
	for _, r := range records {
		if vectors[r.ID], err = e.Embed(t.Context(), r.Question, false); err != nil {
			t.Fatal(err)
		}
	}
	slices.Reverse(records)
	turned, _, err := Open(t.Context(), Options{Embedder: e, Records: records})
	if err != nil {
		t.Fatal(err)
	}
	right, asked := 0, 0
	for i := 0; i < len(records); i += 100 {
		question := strings.Replace(records[i].Question, " means ", " is ", 1)
		q, err := e.Embed(t.Context(), question, false)
		if err != nil {
			t.Fatal(err)
		}
		q = s.sketches[nameOf(Memory, "", questionField)].weigh(q)
		var exact []Match
		for _, r := range records {
			exact = append(exact, Match{ID: r.ID, Similarity: between(dot(q, vectors[r.ID]))})
		}
		exact = first(exact, 10)
		found, err := s.Nearest(t.Context(), Query{Kind: Memory, Question: question}, 10)
		if err != nil || len(found) != 10 {
			t.Fatal(found, err)
		}
		for _, m := range exact {
			asked++
			if slices.ContainsFunc(found, func(f Match) bool { return f.ID == m.ID }) {
				right++
			}
		}
		if found[0].Similarity < exact[0].Similarity-1e-5 {
			t.Errorf("%q: %+v, want %+v", question, found[0], exact[0])
		}
		if again, err := turned.Nearest(t.Context(), Query{Kind: Memory, Question: question}, 10); err != nil || !slices.Equal(found, again) {
			t.Errorf("%q: %v in one order, %v in the other, %v", question, found, again, err)
		}
	}
	if share := float64(right) / float64(asked); share < 0.98 {
		t.Errorf("%.3f of the ten nearest are found", share)
	}
	for _, r := range records {
		if err := s.Remove(t.Context(), Memory, r.ID); err != nil {
			t.Fatal(err)
		}
	}
	if of := s.sketches[nameOf(Memory, "", questionField)]; len(of.ids)+len(of.all)+len(of.place) != 0 || slices.Max(of.having) != 0 || slices.Min(of.having) != 0 {
		t.Errorf("%d sketches are left of what was removed", len(of.ids))
	}
}

// BenchmarkRecall searches 100,000 items; p95-ms is the time that one search in twenty takes longer than.
func BenchmarkRecall(b *testing.B) {
	records := items(100_000, 3)
	s, _, err := Open(b.Context(), Options{Embedder: BuiltIn(), Records: records})
	if err != nil {
		b.Fatal(err)
	}
	var took []float64
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		if _, err := s.Nearest(b.Context(), Query{Kind: Memory, Question: records[i*37%len(records)].Question}, 20); err != nil {
			b.Fatal(err)
		}
		took = append(took, float64(time.Since(began).Microseconds())/1000)
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)*95/100], "p95-ms")
}
