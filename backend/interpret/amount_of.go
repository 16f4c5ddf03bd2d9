package interpret

import "slices"

// amountOf reads "amount of" before what is an amount itself, where it says nothing, and before members that only can be counted: "the
// amount of horsepower", "the least amount of complaints".
func (ix *Index) amountOf(tokens []token, i int, add func(*piece)) {
	if i+2 >= len(tokens) || tokens[i].norm != "amount" || tokens[i+1].norm != "of" || len(ix.names.terms["amount"]) > 0 {
		return
	}
	at := i + 2
	if tokens[at].norm == "the" {
		at++
	}
	var found []target
	key := ""
	for n := 0; n < 3 && at+n < len(tokens); n++ {
		key += tokens[at+n].lemma
		if ts := ix.names.terms[key]; len(ts) > 0 {
			found = ts
		}
	}
	members := keepTargets(found, isEntity)
	switch {
	case len(members) == 0 && slices.ContainsFunc(found, isNumeric):
		add(&piece{kind: stopPiece, to: i + 2})
	case len(members) > 0 && i > 0 && ix.ranksWord(tokens[i-1]) && tokens[at].norm != tokens[at].lemma && ix.onlyCounted(tokens[at].lemma, members):
		add(&piece{kind: aggregatePiece, id: "count", to: i + 2})
	}
}

// ranksWord says whether a word ranks: "the highest amount of".
func (ix *Index) ranksWord(t token) bool {
	return slices.ContainsFunc(ix.english.operators[t.norm], func(o operator) bool { return o.class == "ranking" })
}

// onlyCounted says whether an amount of members can only be how many there are: of persons, and of what has no number that adds up.
func (ix *Index) onlyCounted(noun string, members []target) bool {
	if slices.Contains(worthWords, noun) {
		return false
	}
	return isKindOf(noun, "person") || !slices.ContainsFunc(members, func(t target) bool { return len(ix.worths(t.entity)) > 0 })
}

// atLeastA reads "at least a" before members, which says no more than that there is one: "clubs that have at least a member from Lyon".
func (ix *Index) atLeastA(tokens []token, i int, add func(*piece)) {
	if i+3 >= len(tokens) || tokens[i].norm != "at" || tokens[i+1].norm != "least" || tokens[i+2].norm != "a" && tokens[i+2].norm != "an" {
		return
	}
	ts := ix.names.terms[tokens[i+3].lemma]
	if slices.ContainsFunc(ts, isEntity) && !slices.ContainsFunc(ts, isNumeric) {
		add(&piece{kind: stopPiece, to: i + 3, score: agreeCompare})
	}
}
