package interpret

import "slices"

// compoundAt adds a kind of rows with another one before it that they belong to: "car models" are the models, where the model
// has cars as well. The last word says what is meant; the first one only says which world it is from.
func (ix *Index) compoundAt(tokens []token, i int, add func(*piece)) {
	if i+1 >= len(tokens) || tokens[i].kind != wordToken || tokens[i+1].kind != wordToken || tokens[i].norm != tokens[i].lemma {
		return
	}
	first, second := ix.names.terms[tokens[i].lemma], ix.names.terms[tokens[i+1].lemma]
	if len(first) == 0 && ix.open(tokens[i]) { // "vehicle models" are the models as well
		for _, k := range ix.names.kin().of(tokens[i].lemma, ix.english) {
			if k.match != narrowerMatch {
				first = append(slices.Clip(first), ix.names.terms[k.key]...)
			}
		}
	}
	if len(ix.names.terms[tokens[i].lemma+tokens[i+1].lemma]) > 0 {
		return
	}
	if !slices.ContainsFunc(second, isEntity) {
		ix.attributeBehind(first, second, i, add)
		return
	}
	var names []target
	for _, t := range second {
		belongs := func(o target) bool {
			if !isEntity(o) || o.entity == t.entity {
				return false
			}
			_, related := ix.paths.related(o.entity.Name, t.entity.Name)
			return related
		}
		if t.metric == nil && slices.ContainsFunc(first, belongs) {
			t.score += scoreCompound
			names = append(names, t)
		}
	}
	if len(names) == 0 || !slices.ContainsFunc(names, isEntity) {
		return
	}
	slices.SortStableFunc(names, func(a, b target) int { return compareScore(b.score, a.score) })
	add(&piece{kind: namePiece, to: i + 2, names: names, score: names[0].score})
}

// attributeBehind adds a short name of an attribute with whose it is before it: "student points" of a column stu_points.
func (ix *Index) attributeBehind(first, second []target, i int, add func(*piece)) {
	var names []target
	for _, t := range second {
		if isNumeric(t) && t.value == nil && t.match == partialMatch && slices.ContainsFunc(first, func(o target) bool { return isEntity(o) && o.entity == t.entity }) {
			t.score += scoreCompound
			t.owned = true
			names = append(names, t)
		}
	}
	if len(names) == 1 {
		add(&piece{kind: namePiece, to: i + 2, names: names, score: names[0].score})
	}
}
