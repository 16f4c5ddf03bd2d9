package store

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// megabytes is the size of the file of the benchmarks, from ASSAY_BENCH_MB.
func megabytes() int {
	if n, err := strconv.Atoi(os.Getenv("ASSAY_BENCH_MB")); err == nil {
		return n
	}
	return 64
}

// BenchmarkImportCSV imports a CSV. load-s is the load alone, which is to be held against BenchmarkBareCTAS; hash-s is the
// SHA-256, which the bare load does not do.
func BenchmarkImportCSV(b *testing.B) {
	path := benchFile(b, megabytes())
	info, _ := os.Stat(path)
	b.SetBytes(info.Size())
	var hash, load time.Duration
	for b.Loop() {
		s := open(b, b.TempDir())
		began := map[string]time.Time{}
		_, err := s.Import(context.Background(), ImportRequest{Path: path, Progress: func(p Progress) {
			if _, ok := began[p.Stage]; !ok {
				began[p.Stage] = time.Now()
			}
		}})
		if err != nil {
			b.Fatal(err)
		}
		hash += began[stageSniff].Sub(began[stageHash])
		load += time.Since(began[stageSniff])
		s.Close()
	}
	b.ReportMetric(hash.Seconds()/float64(b.N), "hash-s")
	b.ReportMetric(load.Seconds()/float64(b.N), "load-s")
}

// BenchmarkBareCTAS is DuckDB alone: CREATE TABLE AS over the same file into a database file.
func BenchmarkBareCTAS(b *testing.B) {
	path := benchFile(b, megabytes())
	info, _ := os.Stat(path)
	b.SetBytes(info.Size())
	for b.Loop() {
		db, err := sql.Open("duckdb", filepath.Join(b.TempDir(), "bare.duckdb")+"?threads=2")
		if err != nil {
			b.Fatal(err)
		}
		for _, q := range []string{"CREATE TABLE t AS SELECT * FROM read_csv(" + literal(path) + ")", "CHECKPOINT"} {
			if _, err := db.Exec(q); err != nil {
				b.Fatal(err)
			}
		}
		db.Close()
	}
}

// BenchmarkHash is the digest alone.
func BenchmarkHash(b *testing.B) {
	path := benchFile(b, megabytes())
	info, _ := os.Stat(path)
	b.SetBytes(info.Size())
	for b.Loop() {
		if _, _, err := digest(context.Background(), path, nil); err != nil {
			b.Fatal(err)
		}
	}
}
