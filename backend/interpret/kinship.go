package interpret

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/backend/interpret/thesaurus"
	"assay/backend/interpret/timex"
)

// kinship knows which names of the model mean what. It is asked for words of a question that are no name: "vocalists" where
// the model has singers.
type kinship struct {
	concepts map[thesaurus.Concept][]kin
	alike    map[string][]kin // line of the lexicon's synonyms -> names
}

// kin is a name of the model, or a word of one, that is related to a word of the question.
type kin struct {
	key   string // without spaces
	match match
	usual bool // it is what the name usually means
	rare  bool // it is hardly ever what one of the two means
}

const (
	mostSteps    = 4   // from a thing to a more general one: car, motor vehicle, self-propelled vehicle, wheeled vehicle, vehicle
	tooGeneral   = 9   // breadth of a concept from which a word for it says nothing; the next more general one may be a little broader
	usualShare   = 0.3 // of the uses of a word, from which a sense is a usual one
	rareShare    = 0.1 // below it, only what the data is about says that it is meant
	mostKin      = 6   // names that one word may stand for
	shortestKin  = 3   // letters of a word that is looked up
	longestKin   = 3   // words of a phrase that is looked up
	mostCompound = 24  // ways to say a compound with other words
)

// hollow words say nothing of what they name.
var hollow = append([]string{"name", "detail", "info", "information", "data", "table", "list", "record", "item", "thing", "total", "amount", "date", "time", "year", "month", "day"}, unspecific...)

func newKinship(v *vocabulary, l *lexicon) *kinship {
	k := &kinship{concepts: map[thesaurus.Concept][]kin{}, alike: map[string][]kin{}}
	for _, w := range v.words {
		k.add(w, l)
	}
	for _, name := range slices.Sorted(maps.Keys(v.said)) {
		if n := strings.Count(name, " "); n > 0 && n < longestKin {
			k.add(name, l)
		}
	}
	return k
}

// add files a name, or a word of one, under what it may mean and under what is more general than that.
func (k *kinship) add(name string, l *lexicon) {
	if slices.Contains(hollow, name) || utf8.RuneCountInString(name) < shortestKin {
		return
	}
	key := strings.ReplaceAll(name, " ", "")
	for _, line := range l.alike[name] {
		k.alike[line] = append(k.alike[line], kin{key: key, match: sameMatch, usual: true})
	}
	senses := sensesOf(name)
	for i, s := range senses {
		usual := isUsual(senses, i)
		k.file(s.Concept, kin{key: key, match: sameMatch, usual: usual, rare: shareOf(senses, i) < rareShare})
		if usual {
			k.climb(s.Concept, key, mostSteps, i == 0)
		}
	}
}

func (k *kinship) climb(c thesaurus.Concept, key string, steps int, first bool) {
	for _, up := range thesaurus.Above(c) {
		if b := thesaurus.Breadth(up); b > tooGeneral+1 || b > tooGeneral && steps < mostSteps {
			continue
		}
		k.file(up, kin{key: key, match: broaderMatch, usual: first})
		if steps > 1 {
			k.climb(up, key, steps-1, first)
		}
	}
}

// file keeps the nearest way from a concept to a name.
func (k *kinship) file(c thesaurus.Concept, n kin) {
	for i, o := range k.concepts[c] {
		if o.key == n.key {
			if n.match < o.match || n.match == o.match && n.usual {
				k.concepts[c][i] = n
			}
			return
		}
	}
	k.concepts[c] = append(k.concepts[c], n)
}

// isUsual says whether a word usually has its i-th sense.
func isUsual(senses []thesaurus.Sense, i int) bool { return shareOf(senses, i) >= usualShare }

// shareOf gives how often a word has its i-th sense. Of one that was never met it is the first.
func shareOf(senses []thesaurus.Sense, i int) float64 {
	all := 0
	for _, s := range senses {
		all += s.Seen
	}
	switch {
	case i == 0:
		return 1
	case all == 0:
		return 0
	default:
		return float64(senses[i].Seen) / float64(all)
	}
}

// sensesOf looks a word up in the thesaurus. The singular that the reader makes is not always the one of the dictionary.
func sensesOf(word string) []thesaurus.Sense {
	if senses := thesaurus.Senses(word); len(senses) > 0 {
		return senses
	}
	if stem, ok := strings.CutSuffix(word, "y"); ok {
		return thesaurus.Senses(stem + "ie")
	}
	return nil
}

// of gives the names that a word or a phrase may stand for, the nearest first.
func (k *kinship) of(word string, l *lexicon) []kin {
	var out []kin
	add := func(n kin, m match) {
		n.match = m
		if i := slices.IndexFunc(out, func(o kin) bool { return o.key == n.key }); i < 0 {
			out = append(out, n)
		} else if m < out[i].match {
			out[i] = n
		}
	}
	for _, line := range l.alike[word] {
		for _, n := range k.alike[line] {
			add(n, sameMatch)
		}
	}
	for _, other := range l.sayingTheSame(word) { // a manufacturer is a business, and so a company
		if senses := sensesOf(other); len(senses) > 0 {
			for _, n := range k.concepts[senses[0].Concept] {
				if n.match == broaderMatch && n.usual {
					add(n, broaderMatch)
				}
			}
		}
	}
	senses := sensesOf(word)
	for i, s := range senses {
		usual := isUsual(senses, i)
		for _, n := range k.concepts[s.Concept] {
			if n.rare = n.rare || shareOf(senses, i) < rareShare; usual || n.usual && n.match == sameMatch {
				add(n, n.match)
			}
		}
		if i > 0 {
			continue
		}
		for _, up := range thesaurus.Above(s.Concept) {
			for _, n := range k.concepts[up] {
				if n.match == sameMatch && n.usual {
					add(n, narrowerMatch)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b kin) int {
		if a.match != b.match {
			return int(a.match) - int(b.match)
		}
		return strings.Compare(a.key, b.key)
	})
	return out[:min(len(out), mostKin)]
}

// kinAt adds what tokens[i:i+n], which are no name, may stand for in general English: as a phrase of their own ("family
// name"), or each word for itself ("car manufacturers" are car makers). It never reads a value, an attribute that is
// personal, or a word that the language of questions has a use for, and never goes through a declared synonym: that may have
// been meant in any sense.
func (ix *Index) kinAt(tokens []token, i, n int, add func(*piece)) {
	if n > longestKin {
		return
	}
	phrase := spaced(tokens[i : i+n])
	words, numbered := tokens[i:i+n], false
	if n > 1 && slices.Contains(tailsOfNumbers, tokens[i+n-1].norm) && ix.names.known[tokens[i+n-1].norm] {
		words, numbered = words[:n-1], true // "client number" where there is a customer number
	}
	open := !slices.ContainsFunc(words, func(t token) bool { return !ix.open(t) })
	if !open && len(ix.english.alike[phrase]) == 0 { // "given name"
		return
	}
	family := ix.names.kin()
	if ix.inCompound(tokens, i, n, family) {
		return
	}
	ways := family.of(phrase, ix.english)
	if n > 1 && open {
		ways = append(ways, ix.compounds(family, strings.Fields(phrase))...)
	}
	var names []target
	for _, w := range ways {
		for _, t := range ix.names.terms[w.key] {
			if !isEntity(t) && (w.rare || w.match == broaderMatch && t.match == partialMatch) {
				continue // a director is the conductor where there are conductors, but an event is no result, and capital no units in stock
			}
			if numbered && t.dim == nil || t.match == synonymMatch || t.dim != nil && t.dim.PII != "" || t.verb || slices.ContainsFunc(names, func(o target) bool { return o.name() == t.name() }) {
				continue
			}
			t.match, t.score = w.match, t.score+w.match.loss()
			names = append(names, t)
		}
	}
	if len(names) == 0 {
		return
	}
	slices.SortStableFunc(names, func(a, b target) int { return compareScore(b.score, a.score) })
	if general := func(t target) bool { return t.match == broaderMatch }; general(names[0]) && len(things(names, general)) > 1 {
		for j := range names {
			names[j].match = max(names[j].match, narrowerMatch) // which of them is meant is asked
		}
	}
	add(&piece{kind: namePiece, to: i + n, names: names, score: names[0].score})
}

// inCompound says whether words are only a part of a compound: one that the dictionary has, or one whose head is something
// that is not here. "Gross margin" is not the gross.
func (ix *Index) inCompound(tokens []token, i, n int, family *kinship) bool {
	whole := func(from, to int) bool {
		return from >= 0 && to <= len(tokens) && len(thesaurus.Senses(spaced(tokens[from:to]))) > 0
	}
	if whole(i, i+n+1) || whole(i-1, i+n) {
		return true
	}
	if i+n == len(tokens) {
		return false
	}
	head := tokens[i+n]
	return ix.open(head) && !ix.knows(head) && len(sensesOf(head.lemma)) > 0 && len(family.of(head.lemma, ix.english)) == 0
}

// spaced gives the words of tokens in the singular, with spaces between them.
func spaced(tokens []token) string {
	ws := make([]string, len(tokens))
	for i, t := range tokens {
		ws[i] = t.lemma
	}
	return joinSpaced(ws)
}

// things gives the entities, attributes and metrics among names that satisfy keep and are met best.
func things(names []target, keep func(target) bool) []target {
	return slices.DeleteFunc(slices.Clone(names), func(t target) bool { return !keep(t) || t.score < names[0].score })
}

// compounds gives the names that a compound stands for when words of it are exchanged.
func (ix *Index) compounds(family *kinship, ws []string) []kin {
	ways := []kin{{match: exactMatch}}
	for _, w := range ws {
		var next []kin
		each := family.of(w, ix.english)
		if ix.names.known[w] {
			each = append(each, kin{key: w})
		}
		for _, before := range ways {
			for _, k := range each {
				next = append(next, kin{key: before.key + k.key, match: max(before.match, k.match), rare: before.rare || k.rare})
			}
		}
		if ways = next; len(ways) > mostCompound {
			return nil
		}
	}
	return slices.DeleteFunc(ways, func(k kin) bool { return k.match == exactMatch || len(ix.names.terms[k.key]) == 0 })
}

// open says whether a word may stand for a name at all.
func (ix *Index) open(t token) bool {
	return t.kind == wordToken && t.stands == nil && utf8.RuneCountInString(t.norm) >= shortestKin && len(ix.english.operators[t.norm]) == 0 &&
		ix.english.numbers[t.norm] == "" && timex.Month(t.norm) == 0 && !shouted(t) && !slices.Contains(hollow, t.lemma)
}

// loss is what a name loses against one that the question says itself.
func (m match) loss() float64 {
	switch m {
	case sameMatch:
		return scoreSame
	case broaderMatch:
		return scoreBroader
	default:
		return scoreNarrower
	}
}

// method is how a slot is filled by a name that the words do not say exactly.
func (m match) method() string {
	switch m {
	case sameMatch:
		return MethodSynonym
	case broaderMatch:
		return MethodBroader
	case narrowerMatch:
		return MethodNearby
	default:
		return MethodFuzzy
	}
}

// related says whether a slot was filled through the thesaurus: then the same word again says nothing new.
func related(method string) bool {
	return method == MethodSynonym || method == MethodBroader || method == MethodNearby
}

// sayingTheSame gives the other phrases that always say what a word says.
func (l *lexicon) sayingTheSame(word string) []string {
	var out []string
	for _, line := range l.alike[word] {
		for phrase, lines := range l.alike {
			if phrase != word && slices.Contains(lines, line) {
				out = append(out, phrase)
			}
		}
	}
	slices.Sort(out)
	return out
}
