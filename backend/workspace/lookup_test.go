package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/backend/interpret"
	"assay/backend/values"
)

// A name that is not among the values that are known of a large column is looked for in the data.
func TestNamesAreLookedUpInTheData(t *testing.T) {
	w := openTarget(t, Target{Dir: many(t)}, t.TempDir())
	m := w.Knowledge().Model
	w.remember(valuesFile, w.valuesKey(m), valuesFound{Sets: []interpret.ValueSet{{Entity: "customers", Dimension: "town", Values: []string{"Townb"}}}, Whole: true})
	w.mu.Lock()
	err := w.reload(t.Context())
	w.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	known := "Town" + letters(29_000)
	if got := cells(t, w, "how many customers in "+known); got != "1" {
		t.Errorf("a name that only the data has: %s", got)
	}
	if sets := w.lookUp(t.Context(), []string{"“" + known + "”", "it's nowhere", "T"}); len(sets) != 1 || len(sets[0].Values) != 1 || sets[0].Values[0] != known {
		t.Errorf("looked up %+v", sets)
	}
}

// BenchmarkAllowedValues reads the values of a column of a million rows from the store, and looks for one of many.
func BenchmarkAllowedValues(b *testing.B) {
	dir := b.TempDir()
	var rows strings.Builder
	rows.WriteString("sale,town,buyer\n")
	for i := range 1_000_000 {
		fmt.Fprintf(&rows, "%d,Town%s,Buyer%s\n", i, letters(i%450), letters(i*7919%300_000))
	}
	path := filepath.Join(dir, "sales.csv")
	if err := os.WriteFile(path, []byte(rows.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	w, err := Open(b.Context(), Target{Data: []string{path}}, Options{DataDir: b.TempDir(), Now: noon})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	m := w.Knowledge().Model
	w.remember(valuesFile, w.valuesKey(m), valuesFound{Whole: true})
	w.mu.Lock()
	err = w.reload(b.Context())
	w.mu.Unlock()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			if list, more, err := w.loadAllowed(b.Context(), values.Column{Table: "sales", Name: "town"}, 500); err != nil || more || len(list) != 450 {
				b.Fatal(len(list), more, err)
			}
		}
	})
	b.Run("too many", func(b *testing.B) {
		for b.Loop() {
			if _, more, err := w.loadAllowed(b.Context(), values.Column{Table: "sales", Name: "buyer"}, 500); err != nil || !more {
				b.Fatal(more, err)
			}
		}
	})
	b.Run("look up", func(b *testing.B) {
		for b.Loop() {
			if found, err := w.findAllowed(b.Context(), values.Column{Table: "sales", Name: "buyer"}, "buyerbbbb", 20); err != nil || len(found) == 0 {
				b.Fatal(found, err)
			}
		}
	})
}
