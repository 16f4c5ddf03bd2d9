package interpret

import "slices"

// spellSide completes "how about after?", "and below that?": the word turns the condition of the last turn, whose number or
// date it leaves out.
func (ix *Index) spellSide(u *utterance, h History) {
	subjects := h.subjects()
	if len(u.cues) == 0 || len(subjects) == 0 || h.Open != nil {
		return
	}
	if ix.spellSideOf(u, subjects[0].Spans) {
		return
	}
	_, n := ix.english.cueAt(u.tokens, 0, oneOf("side"))
	if n == 0 {
		return
	}
	for _, t := range u.tokens[n:] {
		if t.kind != markToken && !oneOf("that", "this", "it", "then")(t.norm) {
			return
		}
	}
	verb, bound := ix.boundOf(subjects[0].Spans)
	if len(bound) == 0 {
		return
	}
	side := u.tokens[:n:n]
	if said := ix.plainSide(side, len(verb) > 0); said != "" {
		side = ix.english.tokenise(said)
	}
	if len(verb) > 0 {
		verb = append([]token{{text: "those", norm: "those", lemma: "those", kind: wordToken}}, verb...) // "those opened after 2010"
	}
	words := slices.Concat(verb, side, bound)
	at := u.tokens[len(u.tokens)-1].end + 1
	for i := range words { // as if they were said behind the question: a date is found by its place
		words[i].start, words[i].end = at, at+len(words[i].text)
		at = words[i].end + 1
	}
	u.tokens, u.mentions, u.among = words, nil, false
	ix.findMentions(u)
}

// spellSideOf completes "how about those with less staff?", which leaves out the number that the last turn compared the staff with.
func (ix *Index) spellSideOf(u *utterance, spans []Span) bool {
	at, end := 0, len(u.tokens)
	for end > 0 && u.tokens[end-1].kind == markToken {
		end--
	}
	for at < end && oneOf("the", "ones", "those", "one", "with", "having", "who", "that", "have", "has")(u.tokens[at].norm) {
		at++
	}
	id, n := ix.english.cueAt(u.tokens, at, oneOf("high", "low"))
	if id == "" || at+n >= end || ix.nounAt(u.tokens, at+n) != end-at-n {
		return false
	}
	verb, bound := ix.boundOf(spans)
	if len(bound) != 1 || len(verb) > 0 || bound[0].kind != numberToken {
		return false
	}
	words := ix.english.tokenise("those with " + ix.plainSide(u.tokens[at:at+n], false))
	words = slices.Concat(words, bound, u.tokens[at+n:end])
	from := u.tokens[end-1].end + 1
	for i := range words {
		words[i].start, words[i].end = from, from+len(words[i].text)
		from = words[i].end + 1
	}
	u.tokens, u.mentions, u.among = words, nil, false
	ix.findMentions(u)
	return true
}

// plainSide gives the comparison that a bare comparative stands for: "younger" behind "older than 20" is less than 20.
func (ix *Index) plainSide(side []token, time bool) string {
	id, _ := ix.english.cueAt(side, 0, oneOf("high", "low"))
	switch {
	case id == "":
		return ""
	case time && id == "high":
		return "after"
	case time:
		return "before"
	case id == "high":
		return "more than"
	}
	return "less than"
}

// boundOf gives the number or the date of the one condition that a question had, and the words that say what it is of. The
// bound is nil when there are none or several.
func (ix *Index) boundOf(spans []Span) (verb, bound []token) {
	var found [][]token
	for _, s := range spans {
		tokens := ix.english.tokenise(s.Text)
		_, n := ix.english.cueAt(tokens, 0, oneOf("side"))
		switch {
		case s.Slot == "time" && n > 0 && n < len(tokens):
			found = append(found, tokens[n:])
		case s.Slot == "time":
			verb = append(verb, tokens...)
		case s.Slot == "comparison":
			if number := ix.english.tokenise(s.Target); len(number) == 1 && number[0].kind == numberToken {
				found = append(found, number)
			}
		}
	}
	if len(found) != 1 {
		return nil, nil
	}
	return verb, found[0]
}
