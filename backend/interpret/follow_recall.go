package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/text"
)

// recall puts the number that an earlier answer gave in the place of a word that stands for it: "which museums have more staff
// than that?". It gives the turn that gave the number; nil when no such word stands there.
func (ix *Index) recall(tokens []token, h History, env frameql.Env) ([]token, *Turn) {
	for i := 1; i < len(tokens); i++ {
		if _, n := ix.english.cueAt(tokens, i-1, oneOf("than")); n == 0 || !oneOf("that", "this", "it")(tokens[i].norm) {
			continue
		}
		end := i + 1
		if _, n := ix.english.cueAt(tokens, end, oneOf("figure")); n > 0 && tokens[i].norm != "it" {
			end += n
		}
		if end < len(tokens) && tokens[end].kind != markToken && !ix.preposition(tokens, end) {
			continue // "more than that customer"
		}
		for _, t := range h.subjects() {
			if t.Number == "" {
				continue
			}
			number := token{start: tokens[i].start, end: tokens[end-1].end, text: t.Number, norm: t.Number, lemma: t.Number, kind: numberToken}
			return slices.Concat(ix.attributed(tokens[:i:i], t, env), []token{number}, tokens[end:]), &t
		}
	}
	return tokens, nil
}

// attributed names the attribute that the number was of where a sentence compares the members themselves: "which products are
// above that?" behind an average price are those with a price above it.
func (ix *Index) attributed(before []token, t Turn, env frameql.Env) []token {
	n := len(before)
	if n < 2 || !oneOf("is", "are", "was", "were", "lie", "lies")(before[n-2].norm) {
		return before
	}
	s, ok := ix.sceneOf(t, env)
	if !ok || len(s.numbers) != 1 {
		return before
	}
	column := s.operand(s.query.Select[s.numbers[0]].Expr)
	if m := column.metric; m != nil && m.Leaf() {
		column = target{entity: ix.entities[m.Entity], dim: ix.dimension(m.Entity, m.Expr)}
	}
	if column.dim == nil || column.entity == nil {
		return before
	}
	with := before[n-2]
	with.norm, with.lemma = "with", "with"
	return slices.Concat(before[:n-2], []token{with, standing(before[n-2], target{entity: column.entity, dim: column.dim}, false), before[n-1]})
}

// recalls notes on a reading that it compares with a number of an earlier turn.
func (f *Follow) recalls(t *Turn) *Follow {
	kinds := []PatchKind{PatchRecall}
	if f.goesOn() {
		kinds = append(slices.Clone(f.Kinds), PatchRecall)
	}
	return &Follow{Kinds: kinds, From: t.Turn, Carried: []Part{{Slot: "number", Text: text.Say("interpret.that_number", "number", t.Number, "turn", t.Turn)}}}
}
