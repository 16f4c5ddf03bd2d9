package interpret

import (
	"slices"
	"strings"
)

// sharedHead reads the first of several names that share their last word: "first" in "first and last names", both before the
// last one in "first, middle and last names", "booking start" in "booking start and end dates".
func (ix *Index) sharedHead(tokens []token, i int, add func(*piece)) {
	for n := 1; n <= 2 && i+n+2 < len(tokens); n++ {
		last := lastOfSeries(tokens, i+n)
		if last < 0 {
			continue
		}
		first, second, head := tokens[i:i+n], tokens[last], tokens[last+1]
		whole := func(key string) []target {
			return slices.DeleteFunc(slices.Clone(ix.names.terms[key+head.lemma]), func(t target) bool {
				return !isDimension(t) || t.score <= scoreLoose && !ix.english.isOwn(t, key+head.lemma)
			})
		}
		if len(whole(second.lemma)) == 0 && len(whole(lemmas(first[:n-1])+second.lemma)) == 0 {
			continue
		}
		if own := whole(lemmas(first)); len(own) > 0 {
			add(&piece{kind: namePiece, to: i + n, names: own, score: max(own[0].score, scoreLoose) + scoreShared})
		}
	}
}

// lastOfSeries gives the last of single words in a series, with the joint before the first of them at a token: "and last" of
// "and last names", ", middle, and last" of ", middle, and last names". A word must stand behind it; -1: there is no series.
func lastOfSeries(tokens []token, joint int) int {
	for joint+2 < len(tokens) {
		comma, final := tokens[joint].norm == ",", tokens[joint].norm == "and" || tokens[joint].norm == "or"
		if comma && (tokens[joint+1].norm == "and" || tokens[joint+1].norm == "or") {
			joint, final = joint+1, true
		}
		if !comma && !final || joint+2 >= len(tokens) || tokens[joint+1].kind != wordToken {
			return -1
		}
		if tokens[joint+2].kind == wordToken && tokens[joint+2].norm != "and" && tokens[joint+2].norm != "or" {
			return joint + 1
		}
		if final {
			return -1
		}
		joint += 2
	}
	return -1
}

// isOwn says whether a key is the name of an attribute without that of its owner: "last name" of customer_last_name of customers.
func (l *lexicon) isOwn(t target, key string) bool {
	owner, ok := strings.CutSuffix(join(l.singulars(words(t.dim.Name))), key)
	return ok && owner == join(l.singulars(words(t.entity.Name)))
}

func lemmas(ts []token) string {
	out := ""
	for _, t := range ts {
		out += t.lemma
	}
	return out
}
