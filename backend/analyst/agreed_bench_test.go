package analyst

import (
	"fmt"
	"testing"

	"assay/backend/knowledge"
	"assay/backend/rules"
)

// What a question pays for finding what was agreed of its words, among 100,000 agreed words of which a thousand begin like one of its own. Aim: 20 ms.
func BenchmarkAgreedOfAQuestion(b *testing.B) {
	k := shopKnowledge(b)
	d := newDesk(b, k)
	for n := range 100_000 {
		term := fmt.Sprintf("word%d of the trade", n)
		if n%100 == 0 {
			term = fmt.Sprintf("revenue of kind %d", n)
		}
		d.memory.items = append(d.memory.items, knowledge.Item{ID: fmt.Sprint(n), Term: term, Means: "revenue", Status: knowledge.Approved, Contributor: "gil"})
	}
	ask := func() {
		all, err := d.meanings(b.Context(), k, rules.Actor{ID: "ada"}, "revenue of kind 500 by category and month in 1997 for german customers")
		if err != nil || len(all) == 0 {
			b.Fatal(len(all), err)
		}
		if found := k.Index.Corrected("revenue of kind 500 by category", meant(all)); len(found) != 1 {
			b.Fatal(found)
		}
	}
	ask() // makes the index
	for b.Loop() {
		ask()
	}
}

// What a question pays for what a model is told of 100,000 agreed meanings within its budget, of which those that there is room for are compiled. Aim: 50 ms.
func BenchmarkDigestOfAQuestion(b *testing.B) {
	k := shopKnowledge(b)
	d := newDesk(b, k)
	m := &changing{Memory: d.deps.Memory, items: map[string]knowledge.Item{}, when: map[string]int64{}}
	table := d.rules()
	d.deps.Memory, d.deps.Rules = m, func() *rules.Rules { return table }
	agree := func() {
		m.n++
		id := fmt.Sprint(m.n)
		m.when[id] = m.n
		m.items[id] = knowledge.Item{
			ID: id, Term: fmt.Sprintf("word%d of the trade", m.n), Means: "revenue", Status: knowledge.Approved, Contributor: "gil", Created: wall, Changed: wall,
			Evidence: []knowledge.Evidence{{Actor: "gil", Detection: knowledge.ByDefinition, At: wall}},
		}
	}
	for range 100_000 {
		agree()
	}
	r := &run{a: d.Analyst, actor: rules.Actor{ID: "ada"}, knowledge: k, env: k.Env(Anchor(k, wall), 0)}
	told := func() {
		if all, err := r.digest(b.Context(), false); err != nil || len(all) == 0 {
			b.Fatal(len(all), err)
		}
	}
	told()
	for b.Loop() {
		told()
	}
}
