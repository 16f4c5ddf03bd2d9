package memory

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"assay/backend/analyst"
)

// What a question pays for being durable: a Begin and a Finish, each with its own write to disk.
func BenchmarkRequest(b *testing.B) {
	m, err := Open(b.Context(), Options{Path: filepath.Join(b.TempDir(), "memory.sqlite"), Now: func() time.Time { return noon }})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	for i := 0; b.Loop(); i++ {
		id := fmt.Sprint("r", i)
		index, err := m.Begin(b.Context(), request(id, id, "revenue by category"))
		if err == nil {
			err = m.Finish(b.Context(), id, analyst.Closing{Turn: turn(id, index)})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// What a step pays for outliving the program, and, a long one, for outliving the power.
func BenchmarkStep(b *testing.B) {
	for name, took := range map[string]float64{"short": 0.1, "long": 1000} {
		b.Run(name, func(b *testing.B) {
			m, err := Open(b.Context(), Options{Path: filepath.Join(b.TempDir(), "memory.sqlite"), Now: func() time.Time { return noon }})
			if err != nil {
				b.Fatal(err)
			}
			defer m.Close()
			if _, err := m.Begin(b.Context(), request("r", "s", "revenue by category")); err != nil {
				b.Fatal(err)
			}
			for i := 0; b.Loop(); i++ {
				if err := m.Step(b.Context(), "r", i, ended("execute", took)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What a start pays for a memory that is there.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "memory.sqlite")
	for b.Loop() {
		m, err := Open(b.Context(), Options{Path: path, Now: func() time.Time { return noon }})
		if err != nil {
			b.Fatal(err)
		}
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
