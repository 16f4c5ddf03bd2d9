package workspace

import (
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"testing"

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

// BenchmarkFindTaught finds what is near some words among 100,000 pieces, as a person does it: again and again, and right after somebody decided about one. Aim: 20 ms.
func BenchmarkFindTaught(b *testing.B) {
	w := benchWorkspace(b)
	manyShared(b, w)
	find := func() {
		if found, err := w.FindTaught(b.Context(), "freight of term400", "", "", rules.Caller{}); err != nil || len(found) == 0 {
			b.Fatal(len(found), err)
		}
	}
	find()
	b.Run("unchanged", func(b *testing.B) {
		for b.Loop() {
			find()
		}
	})
	b.Run("changed", func(b *testing.B) {
		n := 0
		for b.Loop() {
			b.StopTimer()
			if _, err := w.Decide(b.Context(), fmt.Sprintf("%032d", n), knowledge.Endorse, "", "", rules.Caller{}); err != nil {
				b.Fatal(err)
			}
			n++
			b.StartTimer()
			find()
		}
	})
}
