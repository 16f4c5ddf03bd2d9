package workspace

import (
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"assay/backend/analyst"
	"assay/backend/knowledge"
	"assay/backend/rules"
)

// manyShared puts 100,000 approved pieces of shared knowledge into the memory of a workspace.
func manyShared(b *testing.B, w *Workspace) {
	b.Helper()
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(w.memory.Path())}).String())
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		b.Fatal(err)
	}
	things := []string{"freight", "gross revenue", "units sold", "order count", "revenue in beverages"}
	for n := range 100_000 {
		term, means, at := fmt.Sprintf("term%d of%d", n, n%97), things[n%len(things)], "2026-01-15T12:00:00.000000000Z"
		if _, err := tx.Exec(`INSERT INTO item (key, id, term, means, title, content, category, domain, tags, entities, audience, sensitivity, contributor, personal, supersedes, status, self_reviewed, branch, created, changed)
			VALUES (?1, ?2, ?1, ?3, ?1, ?1 || ' means ' || ?3, 'factual', 'order_lines', '[]', '[]', '', '', ?4, 0, '', 'approved', 0, '', ?5, ?5)`, term, fmt.Sprintf("%032d", n), means, fmt.Sprint("p", n%40), at); err != nil {
			b.Fatal(err)
		}
		if _, err := tx.Exec(`INSERT INTO evidence (item, actor, detection, quote, ref, correction, at) VALUES (?, 'p', 'definition', '', '', '', ?)`, fmt.Sprintf("%032d", n), at); err != nil {
			b.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkFindTaught finds what is near some words among 100,000 pieces, as a person does it: again and again, right after somebody decided about one, and right after one more was approved. Aim: 20 ms at the 95th percentile.
func BenchmarkFindTaught(b *testing.B) {
	w := benchWorkspace(b)
	manyShared(b, w)
	find := func() {
		if found, err := w.FindTaught(b.Context(), "freight of term400", "", "", rules.Caller{}); err != nil || len(found) == 0 {
			b.Fatal(len(found), err)
		}
	}
	find()
	finding := func(name string, before func(n int)) {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				b.StopTimer()
				before(len(took))
				b.StartTimer()
				began := time.Now()
				find()
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
	finding("unchanged", func(int) {})
	decide := func(id string, v knowledge.Verdict) {
		if _, err := w.Decide(b.Context(), id, v, "", "", rules.Caller{}); err != nil {
			b.Fatal(err)
		}
	}
	endorsed := 0
	finding("decided", func(int) { decide(fmt.Sprintf("%032d", endorsed), knowledge.Endorse); endorsed++ })
	written := 0
	finding("approved", func(int) {
		i, err := w.WriteItem(b.Context(), knowledge.Description{Title: fmt.Sprint("Freight of order ", written), Content: "It is paid by the customer.", Category: knowledge.Factual}, "", rules.Caller{})
		if err != nil {
			b.Fatal(err)
		}
		decide(i.ID, knowledge.Approve)
		written++
	})
}

// BenchmarkTeach teaches beside 100,000 pieces of shared knowledge, as a person does it who has taught and found before, until it is kept and said back. What comes of it for others is looked for beside it, and not counted. Aim: 10 ms.
func BenchmarkTeach(b *testing.B) {
	w := benchWorkspace(b)
	manyShared(b, w)
	teach := func(n int) {
		if _, err := w.Teach(b.Context(), analyst.Lesson{Words: fmt.Sprintf("word%d means freight", n)}); err != nil {
			b.Fatal(err)
		}
	}
	for n := range 100 {
		teach(n)
	}
	if _, err := w.FindTaught(b.Context(), "freight", "", "", rules.Caller{}); err != nil {
		b.Fatal(err)
	}
	n := 100
	for b.Loop() {
		b.StopTimer()
		w.reviewing.running.Wait()
		b.StartTimer()
		teach(n)
		n++
	}
}
