package interpret

// repeatsVerb says whether a word is the verb of the rows that stand directly before it and are read: "posts posted by each user".
func (d *draft) repeatsVerb(i int) bool {
	p := d.pieces[i]
	if p.kind != unknownPiece || p.to != p.from+1 || i == 0 || d.uses[i-1].slot == "" || d.pieces[i-1].to != p.from {
		return false
	}
	word, noun := d.tokens[p.from], d.tokens[p.from-1]
	return word.kind == wordToken && len(noun.lemma) > 3 && word.lemma != noun.lemma && verbStem(word.norm) == verbStem(noun.lemma)
}
