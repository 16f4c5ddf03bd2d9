package workspace

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// many is a workspace with more values than are indexed before the first question.
func many(t *testing.T) string {
	dir := shop(t)
	var b strings.Builder
	b.WriteString("customer_id,name,town\n")
	for i := range 40_000 {
		fmt.Fprintf(&b, "%d,Firm%s,Town%s\n", i, letters(i), letters(i%30_000))
	}
	write(t, dir, "data/customers.csv", b.String())
	write(t, dir, "workspace.yaml", "workspace: shop\nsources: [data/sales.csv, data/customers.csv]\n")
	return dir
}

func letters(i int) string {
	out := ""
	for ; i > 0 || out == ""; i /= 26 {
		out = string(rune('a'+i%26)) + out
	}
	return out
}

// Many values are indexed while questions are answered. One that names a value can wait for them.
func TestValuesAreIndexedInTheBackground(t *testing.T) {
	w := openTarget(t, Target{Dir: many(t)}, t.TempDir())
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	w.mu.Lock() // nothing is published, and no measurement ends, while it is held
	err := w.reload(t.Context())
	k, b := w.Knowledge(), w.measuring
	if err != nil || k.Await == nil || b == nil {
		w.mu.Unlock()
		t.Fatalf("so many values are not indexed in the background: %v", err)
	}
	if k.Await(impatient) {
		t.Error("the values are said to be there before they are")
	}
	w.mu.Unlock()
	<-b.done
	if !k.Await(t.Context()) || w.Knowledge().Await != nil {
		t.Error("the values never came")
	}
	if got := cells(t, w, "how many customers in town"+letters(29_000)); got != "1" {
		t.Errorf("a question that names a value: %s", got)
	}
}

// Values that were read before an end are kept, and the rest is read the next time.
func TestReadingValuesIsTakenUpAgain(t *testing.T) {
	w := openTarget(t, Target{Dir: shop(t)}, t.TempDir())
	m := w.Knowledge().Model
	sets, whole := w.keptValues(m)
	if !whole || len(sets) != 1 || strings.Join(sets[0].Values, " ") != "East West" {
		t.Fatalf("kept %+v, whole %v", sets, whole)
	}
	w.remember(valuesFile, w.valuesKey(m), valuesFound{})
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.readValues(stopped, m); err == nil {
		t.Error("a canceled reading ends well")
	}
	if _, whole := w.keptValues(m); whole {
		t.Error("a canceled reading counts as whole")
	}
	if sets, err := w.readValues(context.Background(), m); err != nil || len(sets) != 1 {
		t.Errorf("taken up again: %+v, %v", sets, err)
	}
}

// Personal columns are never read.
func TestPersonalValuesAreNeverRead(t *testing.T) {
	dir := shop(t)
	write(t, dir, "context/entities/sales.yaml", strings.Replace(salesEntity, "name: region, type: text", "name: region, type: text, pii: address", 1))
	w := openTarget(t, Target{Dir: dir}, t.TempDir())
	if sets, whole := w.keptValues(w.Knowledge().Model); len(sets) != 0 || !whole {
		t.Errorf("kept %+v", sets)
	}
}
