package knowledge_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/backend/knowledge"
)

func nobody(string) bool { return false }

func always(knowledge.Item) bool { return true }

// TestADigestIsWhatWeighsMost: what is mandatory goes first, then what is surer, newer and nearer to what its reader works with; what is not for them, over, or replaced does not go at all.
func TestADigestIsWhatWeighsMost(t *testing.T) {
	table := knowledge.DefaultTable()
	made := func(id string, status knowledge.Status, change func(*knowledge.Item)) *knowledge.Weighed {
		i := knowledge.Item{ID: id, Status: status, Domain: "orders", Created: now, Changed: now, Contributor: "a"}
		i.Evidence = []knowledge.Evidence{{Actor: "a", Detection: knowledge.ByCorrection, At: now}}
		if change != nil {
			change(&i)
		}
		return table.Weigh(i, nobody)
	}
	all := []*knowledge.Weighed{
		made("plain", knowledge.Approved, nil),
		made("weak", knowledge.Approved, func(i *knowledge.Item) { i.Evidence[0].Detection = knowledge.ByTranscript }),
		made("strong", knowledge.Approved, func(i *knowledge.Item) {
			i.Evidence = append(i.Evidence, knowledge.Evidence{Actor: "b", Detection: knowledge.ByConfirmation, At: now})
		}),
		made("old", knowledge.Approved, func(i *knowledge.Item) { i.Changed = now.Add(-90 * 24 * time.Hour) }),
		made("far", knowledge.Approved, func(i *knowledge.Item) { i.Domain = "weather" }),
		made("edict", knowledge.Mandatory, func(i *knowledge.Item) { i.Domain = "weather" }),
		made("earlier order", knowledge.Mandatory, func(i *knowledge.Item) { i.Created = now.Add(-time.Hour) }),
		made("theirs", knowledge.Approved, func(i *knowledge.Item) { i.Audience = "sales" }),
		made("over", knowledge.Approved, func(i *knowledge.Item) { i.Until = now }),
		made("not yet", knowledge.Mandatory, func(i *knowledge.Item) { i.From = now.Add(time.Second) }),
		made("replaced", knowledge.Approved, nil),
		made("new", knowledge.Approved, func(i *knowledge.Item) { i.Supersedes = "replaced" }),
		made("waits", knowledge.Pending, nil),
		made("own", knowledge.Approved, func(i *knowledge.Item) { i.Personal = true }),
	}
	relevance := func(i knowledge.Item) float64 {
		if i.Domain == "weather" {
			return 0.1
		}
		return 1
	}
	size := func(i knowledge.Item) int { return len(i.ID) }
	digest := func(room int, groups ...string) string {
		b := table.Digest(all, viewer("x", groups...), now, relevance, room, size, always)
		var ids []string
		for _, i := range b.Items {
			ids = append(ids, i.ID)
		}
		return fmt.Sprint(strings.Join(ids, ", "), "; ", b.Left, " left")
	}
	for _, c := range []struct {
		room   int
		groups []string
		want   string
	}{
		{1000, nil, "earlier order, edict, strong, new, plain, old, weak, far; 0 left"},
		{1000, []string{"sales"}, "earlier order, edict, strong, new, plain, theirs, old, weak, far; 0 left"},
		{23, nil, "earlier order, edict, new; 5 left"}, // what is too long is passed over
		{0, nil, "; 8 left"},
	} {
		if got := digest(c.room, c.groups...); got != c.want {
			t.Errorf("in %d for %v: %s\nwant %s", c.room, c.groups, got, c.want)
		}
	}
	want := digest(1000)
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		random.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
		if got := digest(1000); got != want {
			t.Fatalf("in another order: %s", got)
		}
	}
}

// TestADigestOfManyIsOfTheWeightiest: of more than it can hold it holds those that a sort of all would put first.
func TestADigestOfManyIsOfTheWeightiest(t *testing.T) {
	table, random := knowledge.DefaultTable(), rand.New(rand.NewPCG(5, 6))
	var all []*knowledge.Weighed
	for n := range 7000 {
		i := knowledge.Item{ID: fmt.Sprint(n), Status: knowledge.Approved, Created: now, Changed: now.Add(-time.Duration(random.IntN(1e6)) * time.Minute)}
		i.Evidence = []knowledge.Evidence{{Actor: "a", Detection: knowledge.ByCorrection, At: now}}
		all = append(all, table.Weigh(i, nobody))
	}
	one := func(knowledge.Item) float64 { return 1 }
	got := table.Digest(all, viewer("x"), now, one, 100, func(knowledge.Item) int { return 1 }, always)
	if len(got.Items) != 100 || got.Left != 6900 {
		t.Fatalf("%d, and %d left", len(got.Items), got.Left)
	}
	slices.SortFunc(all, func(a, b *knowledge.Weighed) int {
		return cmp.Or(b.Item.Changed.Compare(a.Item.Changed), cmp.Compare(a.Item.ID, b.Item.ID))
	})
	for n, i := range got.Items {
		if i.ID != all[n].Item.ID {
			t.Fatalf("%d is %s, want %s", n, i.ID, all[n].Item.ID)
		}
	}
}

func BenchmarkDigest(b *testing.B) {
	table := knowledge.DefaultTable()
	all := make([]*knowledge.Weighed, 100_000)
	for n := range all {
		i := knowledge.Item{ID: fmt.Sprint(n), Status: knowledge.Approved, Domain: fmt.Sprint("d", n%40), Created: now, Changed: now.Add(-time.Duration(n) * time.Minute)}
		i.Evidence = []knowledge.Evidence{{Actor: "a", Detection: knowledge.ByCorrection, At: now.Add(-time.Duration(n%9000) * time.Hour)}}
		all[n] = table.Weigh(i, nobody)
	}
	for b.Loop() {
		table.Digest(all, viewer("x"), now, func(i knowledge.Item) float64 { return float64(len(i.Domain)) / 4 }, 1200, func(knowledge.Item) int { return 30 }, always)
	}
}
