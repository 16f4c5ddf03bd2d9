package memory

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay/backend/knowledge"
)

// manyItems is a memory with 100,000 approved pieces of shared knowledge, of which one is somebody's own.
func manyItems(b *testing.B) *Memory {
	b.Helper()
	m, err := Open(b.Context(), Options{Path: filepath.Join(b.TempDir(), "memory.sqlite"), Now: func() time.Time { return noon }})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = m.Close() })
	err = m.update(b.Context(), func(tx *sql.Tx) error {
		for n := range 100_000 {
			i := knowledge.Item{
				ID: fmt.Sprintf("%032d", n), Term: fmt.Sprintf("term%d of%d", n, n%97), Means: "revenue", Category: knowledge.Factual, Domain: "order_lines", Contributor: fmt.Sprint("p", n%40),
				Status: knowledge.Approved, Created: noon, Changed: noon, Evidence: []knowledge.Evidence{{Actor: "p", Detection: knowledge.ByDefinition, At: noon}},
				History: []knowledge.Decision{{Verdict: knowledge.Approve, By: "gil", At: noon}},
			}
			if err := putItem(b.Context(), tx, i); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return m
}

// What a question pays for finding out whether shared knowledge changed, and what the first one after a change pays for reading 100,000 pieces.
func BenchmarkAgreed(b *testing.B) {
	m := manyItems(b)
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			if _, err := m.ItemChanges(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("changed", func(b *testing.B) {
		for b.Loop() {
			if all, err := m.Agreed(b.Context()); err != nil || len(all) != 100_000 {
				b.Fatal(len(all), err)
			}
		}
	})
}

// What a correction pays for being durable, with its record. Aim: 10 ms.
func BenchmarkKeepCorrection(b *testing.B) {
	m := manyItems(b)
	for n := 0; b.Loop(); n++ {
		c := knowledge.Correction{Author: fmt.Sprint("a", n/500), Term: fmt.Sprint("word", n), Means: "revenue", Sort: knowledge.Factual, Domain: "order_lines", Detection: knowledge.ByDefinition}
		if _, err := m.KeepCorrection(b.Context(), &c, taughtRecord); err != nil {
			b.Fatal(err)
		}
	}
}

// What tells a piece that is somebody else's from one that never was: by time, nothing. It reports both medians of 1,000 requests in microseconds; aim: less than 1 ms between them.
func BenchmarkUnknownAgainstForeign(b *testing.B) {
	m := manyItems(b)
	median := func(id string) float64 {
		var took []time.Duration
		for range 1000 {
			began := time.Now()
			_, _ = m.Item(b.Context(), id)
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		return float64(took[500].Nanoseconds()) / 1000
	}
	for b.Loop() {
		b.ReportMetric(median(fmt.Sprintf("%032d", 777)), "there-µs")
		b.ReportMetric(median("nothing"), "unknown-µs")
	}
}
