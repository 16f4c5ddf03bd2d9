package analyst

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"assay/backend/knowledge"
	"assay/backend/rules"
)

// changing is a memory whose shared knowledge changes.
type changing struct {
	Memory
	items map[string]knowledge.Item
	when  map[string]int64
	n     int64
}

func (m *changing) Decided(_ context.Context, since int64) (knowledge.Changes, error) {
	c := knowledge.Changes{Count: m.n}
	if since == m.n {
		return c, nil
	}
	for id, n := range m.when {
		if i, there := m.items[id]; n > since && there {
			c.Items = append(c.Items, i)
		} else if n > since {
			c.Gone = append(c.Gone, id)
		}
	}
	return c, nil
}

// TestWhatIsWeighedFollowsTheChanges: after any changes it is what would be weighed anew, and what was given before is as it was.
func TestWhatIsWeighedFollowsTheChanges(t *testing.T) {
	d := newDesk(t, shopKnowledge(t))
	m := &changing{Memory: d.deps.Memory, items: map[string]knowledge.Item{}, when: map[string]int64{}}
	d.deps.Memory = m
	table := d.rules()
	d.deps.Rules = func() *rules.Rules { return table } // another one would have all weighed anew
	random := rand.New(rand.NewPCG(3, 4))
	byID := func(a, b *knowledge.Weighed) int { return cmp.Compare(a.Item.ID, b.Item.ID) }
	for step := range 300 {
		before, err := d.weighed(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		was := slices.Clone(before)
		for range 1 + random.IntN(3) {
			id := fmt.Sprint(random.IntN(20))
			m.n++
			m.when[id] = m.n
			if random.IntN(3) == 0 {
				delete(m.items, id)
				continue
			}
			m.items[id] = knowledge.Item{ID: id, Status: knowledge.Approved, Evidence: []knowledge.Evidence{{Actor: fmt.Sprint(step), Detection: knowledge.ByCorrection, At: wall}}}
		}
		after, err := d.weighed(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(before, was) {
			t.Fatalf("step %d: what was given before changed", step)
		}
		var want []*knowledge.Weighed
		for _, id := range slices.Sorted(maps.Keys(m.items)) {
			want = append(want, table.Confidence.Weigh(m.items[id], func(string) bool { return false }))
		}
		got := slices.SortedFunc(slices.Values(after), byID)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("step %d: %d are weighed, want %d", step, len(got), len(want))
		}
	}
}
