package interpret

import "slices"

// sharedHead reads the first of two names that share their last word: "first" in "first and last names".
func (ix *Index) sharedHead(tokens []token, i int, add func(*piece)) {
	for n := 1; n <= 2 && i+n+2 < len(tokens); n++ {
		joint, second, head := tokens[i+n], tokens[i+n+1], tokens[i+n+2]
		if joint.norm != "and" && joint.norm != "or" && joint.norm != "," || second.kind != wordToken || head.kind != wordToken {
			continue
		}
		whole := func(t target) bool { return isDimension(t) && t.score > scoreLoose }
		if !slices.ContainsFunc(ix.names.terms[second.lemma+head.lemma], whole) {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(ix.names.terms[lemmas(tokens[i:i+n])+head.lemma]), func(t target) bool { return !whole(t) })
		if len(own) > 0 {
			add(&piece{kind: namePiece, to: i + n, names: own, score: own[0].score + scoreShared})
		}
	}
}

func lemmas(ts []token) string {
	out := ""
	for _, t := range ts {
		out += t.lemma
	}
	return out
}
