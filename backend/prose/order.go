package prose

// order refuses runs of words that no sentence has. What passes the lock is true without it; this keeps a model that only puts words together from
// being read by a person.
func (l *lock) order(s []*token) {
	speaks := false
	for i, t := range s {
		speaks = speaks || t.of("verb") || t.what == word && t.claims || t.what == pause && l.text[t.start] == ':'
		var next *token
		if i+1 < len(s) {
			next = s[i+1]
		}
		wrong := false
		switch {
		case next == nil:
			wrong = t.of("article", "preposition", "conjunction", "verb", "pronoun", "compare", "than") && !t.is("here") || t.what == pause
		case t.of("article"):
			wrong = next.of("article", "preposition", "conjunction", "verb", "pronoun", "compare", "than") || next.what == pause
		case t.of("preposition"):
			wrong = next.of("preposition", "conjunction", "verb", "compare", "than") || next.what == pause
		case t.of("conjunction"):
			wrong = next.of("conjunction", "than") && !next.is("then", "while") || next.what == pause
		case t.of("verb"):
			wrong = next.of("verb") && (next.is("is", "are", "was", "were", "has", "have", "had") || !t.is("is", "are", "was", "were", "has", "have", "had", "be", "been")) ||
				next.of("conjunction", "than") || next.what == pause
		case t.of("than"):
			wrong = next.of("than", "conjunction", "verb", "compare", "preposition") && !next.is("in", "for") || next.what == pause
		case t.of("compare"):
			wrong = next.of("conjunction", "verb", "compare", "than")
		case t.of("pronoun"):
			wrong = next.of("conjunction", "than", "compare") || next.what == pause || next.of("pronoun")
		}
		if wrong || next != nil && t.what == word && next.what == word && t.text == next.text {
			l.blame(Structure, t)
		}
	}
	if !speaks || s[0].of("than") {
		l.blame(Structure, s[0])
	}
}
