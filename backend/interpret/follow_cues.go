package interpret

import (
	"slices"
	"strings"
)

// utterance is a question of a conversation: its words without those that only tie it to the one before, and what those
// said.
type utterance struct {
	tokens   []token
	cues     map[string]bool // classes of lexicon/follow.txt that were met
	mentions []reference     // words that stand for what was spoken of
	among    bool            // "of those, ...": the whole sentence is about them
	noun     []token         // what "of those customers, ..." calls them; nil: nothing
	and      bool            // it begins with a bare "and"
	before   bool            // it compares with "the period before"
	greeting int             // tokens of interjections at its head
	rest     bool            // it is about those whom the last answer did not show
	recalled *Turn           // whose number stands in it
	removal  removal         // what "remove" names by a word of its own
}

// reference is a word or two that stand for what the last answer was about: tokens[from:to].
type reference struct {
	from, to int
	plural   bool
	noun     int  // token of the noun behind a demonstrative ("those customers"); -1: none
	place    bool // "there": in, or at, what was spoken of
}

// tied says whether the words themselves say that the question goes on from another one.
func (u utterance) tied() bool {
	weak := 0
	if u.cues["next"] { // "now show me ..." may begin anything
		weak = 1
	}
	return len(u.cues) > weak || u.among || len(u.mentions) > 0 || u.headless()
}

// headless says whether a question has lost its subject: "which did not order?", "which have more than two?".
func (u utterance) headless() bool {
	return len(u.tokens) > 2 && u.tokens[0].norm == "which" && oneOf("do", "does", "did", "has", "have", "had", "don't", "doesn't", "didn't")(u.tokens[1].norm)
}

// lostSubject says whether "which were opened after 2010?" names nobody of whom that is asked.
func (ix *Index) lostSubject(tokens []token) bool {
	if len(tokens) < 3 || tokens[0].norm != "which" || !oneOf("is", "are", "was", "were")(tokens[1].norm) || len(ix.english.operators[tokens[2].norm]) > 0 && !ix.preposition(tokens, 2) {
		return false
	}
	for i := range tokens[2:] {
		for n := 1; n <= longestName && 2+i+n <= len(tokens); n++ {
			key := ""
			for _, t := range tokens[2+i : 2+i+n] {
				key += t.lemma
			}
			if slices.ContainsFunc(ix.names.terms[key], func(t target) bool { return (isEntity(t) || isDimension(t)) && t.match == exactMatch }) {
				return false
			}
		}
	}
	return true
}

// edits says whether the cues speak of a change of what is there.
func (u utterance) edits() bool {
	return u.cues["also"] || u.cues["only"] || u.cues["instead"] || u.cues["remove"] || u.cues["compare"] || u.cues["share"]
}

// longestCue bounds the words of a cue.
const longestCue = 6

// cueAt gives the longest cue phrase of the wanted classes that starts at token i.
func (l *lexicon) cueAt(tokens []token, i int, wanted func(id string) bool) (id string, n int) {
	for k := min(longestCue, len(tokens)-i); k > 0; k-- {
		if slices.ContainsFunc(tokens[i:i+k], func(t token) bool { return t.kind == quotedToken || t.stands != nil }) {
			continue
		}
		parts := make([]string, k)
		for j := range parts {
			parts[j] = tokens[i+j].norm
		}
		for _, c := range l.follow[strings.Join(parts, " ")] {
			if wanted(c) && n == 0 {
				id, n = c, k
			}
		}
	}
	return id, n
}

func oneOf(ids ...string) func(string) bool {
	return func(id string) bool { return slices.Contains(ids, id) }
}

// listen takes the cues out of a question and finds the words that stand for something said before.
func (ix *Index) listen(tokens []token) utterance {
	u := utterance{tokens: slices.Clone(tokens), cues: map[string]bool{}}
	ix.cutHead(&u)
	ix.cutTail(&u)
	if u.cues["only"] && len(u.tokens) > 2 && oneOf("where", "when", "if")(u.tokens[0].norm) {
		u.tokens = u.tokens[1:] // "limit the list to where the price exceeds 5"
	}
	ix.cutInside(&u, "share")
	spellMonth(&u)
	ix.spellBefore(&u)
	ix.spellEach(&u)
	ix.cutOnes(&u)
	if u.cues["remove"] {
		u.removal = u.cutRemoval()
	}
	ix.cutRest(&u)
	ix.spellIdentity(&u)
	ix.spellWhose(&u)
	ix.cutAmong(&u)
	u.among = u.among || u.headless() || ix.lostSubject(u.tokens)
	ix.findMentions(&u)
	return u
}

var headCues = oneOf("open", "next", "also", "only", "instead", "same", "correct", "remove", "compare", "interjection")

// cutHead takes cues from the head of a question, as long as there are some: "ok, and now only ...".
func (ix *Index) cutHead(u *utterance) {
	for first := true; ; first = false {
		i := 0
		for i < len(u.tokens) && u.tokens[i].kind == markToken && !first {
			i++
		}
		i += ix.politely(u.tokens, i)
		id, n := ix.english.cueAt(u.tokens, i, headCues)
		next := i + n
		switch {
		case n == 0:
			return
		case next < len(u.tokens) && u.tokens[next].kind != markToken && (id == "interjection" || u.tokens[i].norm == "no" && n == 1):
			return // "great circle", "no orders"
		case next == len(u.tokens) && id == "interjection":
			return
		case ix.names.holds(u.tokens, i, n):
			return // a name of the model begins so
		}
		if id == "interjection" {
			if len(u.cues) == 0 {
				u.greeting += next
			}
		} else {
			u.cues[id] = true
		}
		if id == "correct" {
			u.cues["instead"] = true
		}
		if n == 1 && u.tokens[i].norm == "and" && !ix.preposition(u.tokens, next) && !ix.glues(u.tokens, next, "with") {
			u.and = true // "and Germany" is beside France; "and in Germany?", "and with 4 doors?" in its place
		}
		u.tokens = u.tokens[next:]
	}
}

// politely gives how many words only ask for the cue behind them: "can you add ...", "please show just ...".
func (ix *Index) politely(tokens []token, i int) int {
	_, n := ix.english.cueAt(tokens, i, oneOf("polite"))
	if n == 0 {
		return 0
	}
	if _, cue := ix.english.cueAt(tokens, i+n, headCues); cue == 0 {
		return 0
	}
	return n
}

// preposition says whether token i introduces a place or a period.
func (ix *Index) preposition(tokens []token, i int) bool { return ix.glues(tokens, i, "in") }

// glues says whether token i joins parts in the given way.
func (ix *Index) glues(tokens []token, i int, id string) bool {
	return i < len(tokens) && slices.Contains(ix.english.operators[tokens[i].norm], operator{"glue", id})
}

// holds says whether the words of a cue begin a name of the model that is longer than the cue.
func (v *vocabulary) holds(tokens []token, i, n int) bool {
	key := ""
	for k := i; k < len(tokens) && k < i+longestName; k++ {
		key += tokens[k].lemma
		if k >= i+n && len(v.terms[key]) > 0 {
			return true
		}
	}
	return false
}

// cutTail takes cues from the end of a question: "... too", "... instead".
func (ix *Index) cutTail(u *utterance) {
	for {
		end := len(u.tokens)
		for end > 0 && u.tokens[end-1].kind == markToken {
			end--
		}
		cut := false
		for k := min(longestCue, end-1); k > 0 && !cut; k-- {
			id, n := ix.english.cueAt(u.tokens[:end], end-k, func(id string) bool { return strings.HasSuffix(id, "*") && !oneOf("twice*", "thrice*")(id) })
			if n == k {
				u.cues[strings.TrimSuffix(id, "*")] = true
				u.tokens = u.tokens[:end-k]
				cut = true
			}
		}
		if end > 1 && !cut && u.tokens[end-1].norm == "please" {
			u.tokens, cut = u.tokens[:end-1], true
		}
		if !cut {
			return
		}
	}
}

// spellEach completes "for each" at the end and "did each make" with what they leave out: each of those that were spoken of.
func (ix *Index) spellEach(u *utterance) {
	for i := 1; i < len(u.tokens); i++ {
		if u.tokens[i].norm != "each" {
			continue
		}
		last, next := ix.ends(u.tokens, i+1), i+1
		acts := oneOf("do", "does", "did", "has", "have", "had")(u.tokens[i-1].norm)
		if last && (acts || oneOf("for", "of")(u.tokens[i-1].norm)) || !last && acts && ix.ends(u.tokens, next+1) && ix.emptyVerb(u.tokens[next]) {
			one := token{start: u.tokens[i].end, end: u.tokens[i].end, norm: "one", lemma: "one", kind: wordToken}
			u.tokens = slices.Insert(slices.Clone(u.tokens), next, one)
			return
		}
	}
}

// emptyVerb says whether a word is a verb that only connects the parts of a question.
func (ix *Index) emptyVerb(t token) bool {
	return oneOf("have", "has")(t.norm) || slices.Contains(ix.english.operators[t.norm], operator{"stop", "verb"})
}

// cutOnes takes "ones" behind a word that says which: "only the discontinued ones".
func (ix *Index) cutOnes(u *utterance) {
	end := len(u.tokens)
	for end > 0 && u.tokens[end-1].kind == markToken {
		end--
	}
	if end < 2 || len(u.cues) == 0 || !oneOf("one", "ones")(u.tokens[end-1].norm) || u.tokens[end-2].kind == markToken {
		return
	}
	if before := u.tokens[end-2].norm; !oneOf("which", "the", "each", "that", "this", "these", "those", "what", "than", "other", "of")(before) && ix.english.numbers[before] == "" {
		u.tokens = u.tokens[:end-1]
	}
}

// cutInside takes a cue that may stand anywhere.
func (ix *Index) cutInside(u *utterance, id string) {
	for i := range u.tokens {
		if _, n := ix.english.cueAt(u.tokens, i, oneOf(id)); n > 0 {
			u.cues[id] = true
			u.tokens = slices.Delete(u.tokens, i, i+n)
			return
		}
	}
}

// cutAmong takes a head that says what the sentence is about: "of those, ...", "for these customers, ...".
func (ix *Index) cutAmong(u *utterance) {
	_, n := ix.english.cueAt(u.tokens, 0, oneOf("behind"))
	if n == 0 {
		return
	}
	m, ok := ix.mentionAt(u.tokens, n)
	if !ok || m.to >= len(u.tokens) || m.noun >= 0 && !ix.generic(u.tokens, m.noun) && u.tokens[m.to].text != "," {
		return
	}
	if u.tokens[m.to].text != "," && !oneOf("list", "show", "give", "which", "who", "what", "how")(u.tokens[m.to].norm) {
		return
	}
	u.among = true
	from := m.to
	if m.noun >= 0 && !ix.generic(u.tokens, m.noun) {
		u.noun = u.tokens[m.noun:m.to]
	}
	if u.tokens[from].text == "," {
		from++
	}
	u.tokens = u.tokens[from:]
}

// findMentions files the words that stand for what was spoken of before, unless the sentence itself has named it.
func (ix *Index) findMentions(u *utterance) {
	if len(u.mentions) > 0 {
		return // put in where the sentence leaves them out
	}
	for i := 0; i < len(u.tokens); i++ {
		m, ok := ix.mentionAt(u.tokens, i)
		if !ok || m.noun < 0 && !m.place && !ix.actsOn(u.tokens, i) && ix.named(u.tokens, i) {
			continue
		}
		u.mentions = append(u.mentions, m)
		i = m.to - 1
	}
}

// mentionAt reads a pronoun, a possessive, or a demonstrative with its noun at token i.
func (ix *Index) mentionAt(tokens []token, i int) (reference, bool) {
	if i >= len(tokens) || tokens[i].kind != wordToken {
		return reference{}, false
	}
	word := tokens[i].norm
	plural := oneOf("they", "them", "those", "these", "ones", "their", "theirs")(word)
	if id, n := ix.english.cueAt(tokens, i, oneOf("possessive")); id != "" && i+n < len(tokens) && tokens[i+n].kind != markToken {
		return reference{from: i, to: i + n, plural: plural, noun: -1}, true
	}
	next := i + 1
	if id, _ := ix.english.cueAt(tokens, i, oneOf("demonstrative")); id != "" {
		for next < len(tokens) && (tokens[next].kind == numberToken || ix.english.numbers[tokens[next].norm] != "" || tokens[next].norm == "same" || tokens[next].norm == "different") {
			next++ // "those two students"
		}
		if next < len(tokens) && tokens[next].kind == wordToken {
			if ix.generic(tokens, next) {
				return reference{from: i, to: next + 1, plural: plural, noun: next}, true
			}
			if n := ix.nounAt(tokens, next); n > 0 {
				return reference{from: i, to: next + n, plural: plural, noun: next}, true
			}
		}
		if last := next == i+1 && ix.ends(tokens, i+1); (word == "this" || word == "that") && !last {
			return reference{}, false
		}
	}
	if word == "there" {
		away := i > 0 && ix.ends(tokens, i+1) && !oneOf("is", "are", "was", "were", "be")(tokens[i-1].norm)
		return reference{from: i, to: i + 1, plural: true, noun: -1, place: true}, away // "how many students live there"
	}
	if word == "one" || word == "ones" {
		whom := word == "ones" && i > 0 && tokens[i-1].norm == "the" && !ix.ends(tokens, i+1) // "the ones without pets"
		if i == 0 || !whom && !oneOf("which", "the", "each", "that", "this", "what")(tokens[i-1].norm) || ix.nounAt(tokens, i+1) > 0 && word == "one" {
			return reference{}, false
		}
		return reference{from: i, to: i + 1, plural: word == "ones", noun: -1}, true
	}
	if id, _ := ix.english.cueAt(tokens, i, oneOf("pronoun")); id == "" && !(word == "that" || word == "this") {
		return reference{}, false
	}
	if word == "it" && i == 0 {
		return reference{}, false
	}
	return reference{from: i, to: i + 1, plural: plural, noun: -1}, true
}

// generic says whether a token is a noun that says nothing of its own: "those people", "that list".
func (ix *Index) generic(tokens []token, i int) bool {
	id, n := ix.english.cueAt(tokens, i, oneOf("one"))
	return id != "" && n == 1 && len(ix.names.terms[tokens[i].lemma]) == 0
}

// nounAt gives the tokens of the name of an entity or of a dimension that starts at token i; 0 when none does.
func (ix *Index) nounAt(tokens []token, i int) int {
	key, found := "", 0
	for k := i; k < len(tokens) && k < i+longestName && tokens[k].kind == wordToken; k++ {
		key += tokens[k].lemma
		if slices.ContainsFunc(ix.names.terms[key], func(t target) bool { return isEntity(t) || isDimension(t) }) {
			found = k - i + 1
		}
	}
	return found
}

// ends says whether only marks stand from token i on.
func (ix *Index) ends(tokens []token, i int) bool {
	return !slices.ContainsFunc(tokens[min(i, len(tokens)):], func(t token) bool { return t.kind != markToken })
}

// named says whether the sentence names an entity before token i that a pronoun there may stand for. The noun directly
// before the pronoun ("the courses they teach", "what grades do they teach") is what the pronoun's verb is about and not
// what it stands for.
func (ix *Index) named(tokens []token, i int) bool {
	end := i
	if !oneOf("their", "its", "his", "her", "theirs")(tokens[i].norm) {
		for end > 0 && oneOf("do", "did", "does", "is", "are", "was", "were", "that", "which", "can", "of", "each", "all", "for")(tokens[end-1].norm) {
			end--
		}
		for k := max(0, end-longestName); k < end; k++ {
			if n := ix.nounAt(tokens, k); n > 0 && k+n == end {
				end = k
				break
			}
		}
	}
	one := oneOf("it", "its", "he", "him", "his", "she", "her")(tokens[i].norm)
	for k := 0; k < end; k++ {
		if tokens[k].stands != nil {
			return true
		}
		for n := 1; n <= longestName && k+n <= end; n++ {
			if last := tokens[k+n-1]; one && last.norm != last.lemma && !oneOf("which", "what")(tokens[0].norm) {
				continue // "it" is none of several: "how many orders are there for it?"
			}
			key := ""
			for _, t := range tokens[k : k+n] {
				key += t.lemma
			}
			if slices.ContainsFunc(ix.names.terms[key], func(t target) bool { return isEntity(t) && t.match == exactMatch }) {
				return true
			}
		}
	}
	return false
}
