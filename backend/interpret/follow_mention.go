package interpret

import (
	"slices"

	"assay/backend/frameql"
)

// voice is a sentence in which what was spoken of is named: "how many of them" as "how many customers".
type voice struct {
	tokens   []token
	referent target
	named    bool // a word of the sentence stands for it; else it was put in
	unlikely float64
	inserted int // words that the sentence does not have
}

// mostReferents bounds what a pronoun is taken for.
const mostReferents = 2

// voices gives the sentences that an utterance may stand for behind a scene. One without a pronoun gets its subject where
// English leaves it out: "how many are there", "what is the average age", "which have a dog".
func (s *scene) voices(u utterance) []voice {
	var out []voice
	for k, r := range s.referents() {
		if k == mostReferents {
			break
		}
		if u.noun != nil && !s.ix.names.means(u.noun, r) {
			continue
		}
		if r.dim != nil && len(u.mentions) > 0 && s.asksAgain(u, r) {
			continue
		}
		if len(u.mentions) > 0 {
			if v, ok := s.substitute(u, r); ok {
				v.unlikely = scoreReferent * float64(k)
				out = append(out, v)
			}
			continue
		}
		if !u.tied() && s.single() {
			return nil
		}
		if !u.among && s.ix.entityNamed(u.tokens) && !s.asksWhoDoes(u, r) {
			return nil
		}
		for i, v := range s.insert(u, r) {
			v.unlikely = scoreReferent * float64(k+i)
			out = append(out, v)
		}
	}
	return out
}

// asksAgain says whether a sentence asks for the very column whose values were shown: "the years of those" are no years of years, but
// those of what has them.
func (s *scene) asksAgain(u utterance, r target) bool {
	for k, m := 0, u.mentions[0]; k < m.from; k++ {
		n := s.ix.nounAt(u.tokens, k)
		if n > 0 && k+n <= m.from && s.ix.names.means(u.tokens[k:k+n], r) && len(s.ix.entitiesCalled(u.tokens[k:k+n])) == 0 {
			return true
		}
	}
	return false
}

// pointedAt says whether an utterance points at what the scene shows and calls it by its name: "these students".
func (s *scene) pointedAt(u utterance) bool {
	return s.narrowed() && slices.ContainsFunc(u.mentions, func(m reference) bool {
		return m.noun >= 0 && m.noun < m.to && slices.ContainsFunc(s.referents(), func(r target) bool { return s.ix.names.means(u.tokens[m.noun:m.to], r) })
	})
}

// scoreReferent is how much less likely the next thing is that a pronoun may stand for, or the next place where a
// sentence may have left its subject out.
const scoreReferent = 0.3

// single says whether the query is about one member, called by its name: nobody is looked for among one. A list of what belongs to that
// one shows several.
func (s *scene) single() bool {
	return slices.ContainsFunc(s.conditions(), func(p *frameql.Pred) bool {
		t := s.dimension(p.Dim)
		return p.Op == "eq" && t.dim != nil && s.identifies(t) && (!s.lists() || slices.Contains(s.members, t.entity))
	})
}

// standing makes a token that stands for a thing of the scene.
func standing(at token, r target, plural bool) token {
	t := token{start: at.start, end: at.end, text: at.text, norm: "\x00", lemma: "\x00", kind: wordToken, stands: []target{r}}
	if plural {
		t.norm = "\x00s"
	}
	return t
}

// word makes a token of a word that the sentence does not have.
func (s *scene) word(w string, at int) token {
	return token{start: at, end: at, text: w, norm: w, lemma: w, kind: wordToken}
}

// substitute puts the referent in the place of every reference.
func (s *scene) substitute(u utterance, r target) (voice, bool) {
	v := voice{referent: r}
	at := 0
	for _, m := range u.mentions {
		v.tokens = append(v.tokens, u.tokens[at:m.from]...)
		at = m.to
		if m.noun >= 0 && !s.ix.generic(u.tokens, m.noun) {
			if !s.ix.names.means(u.tokens[m.noun:m.to], r) {
				v.tokens = append(v.tokens, u.tokens[m.noun:m.to]...) // another thing, of the same rows: "those orders"
				continue
			}
		}
		if n := len(v.tokens); n > 1 && v.tokens[n-1].norm == "of" && oneOf("which", "who", "many", "what", "each", "all", "any", "some", "one")(v.tokens[n-2].norm) {
			v.tokens = v.tokens[:n-1] // "which of them"
		}
		if n := len(v.tokens); n == 1 && oneOf("who")(v.tokens[0].norm) {
			v.tokens[0] = s.word("which", v.tokens[0].start)
		}
		stand := standing(u.tokens[m.from], r, m.plural)
		stand.end = u.tokens[m.to-1].end
		if n := s.ix.reduced(u.tokens, at); n > 0 { // "their average age": the average age of them
			v.tokens = append(v.tokens, u.tokens[at:at+n]...)
			at += n
			of := s.word("of", u.tokens[at-1].end)
			stand.start, stand.end = of.start, of.end
			v.tokens = append(v.tokens, of, stand)
			v.named = true
			continue
		}
		if m.place && len(v.tokens) > 0 && !s.ix.preposition(v.tokens, len(v.tokens)-1) {
			v.tokens = append(v.tokens, s.word("in", stand.start))
		}
		if s.ix.orders(v.tokens) { // "sort them by age": the members, sorted
			v.tokens = append([]token{stand}, v.tokens...)
		} else {
			v.tokens = append(v.tokens, stand)
		}
		v.named = true
	}
	v.tokens = append(v.tokens, u.tokens[at:]...)
	return v, true
}

// orders says whether the last word before a pronoun is a verb of ordering.
func (ix *Index) orders(tokens []token) bool {
	if len(tokens) == 0 {
		return false
	}
	return slices.ContainsFunc(ix.english.operators[tokens[len(tokens)-1].norm+" by"], func(o operator) bool { return o.class == "order" })
}

// reduced gives the tokens of an aggregate with the name behind it; 0 when none starts at token i.
func (ix *Index) reduced(tokens []token, i int) int {
	for n := 3; n > 0; n-- {
		if i+n > len(tokens) || !slices.ContainsFunc(ix.english.phrase(tokens, i, n), func(o operator) bool { return o.class == "aggregates" }) {
			continue
		}
		if k := ix.nounAt(tokens, i+n); k > 0 {
			return n + k
		}
	}
	return 0
}

// means says whether words may name a thing.
func (v *vocabulary) means(tokens []token, r target) bool {
	key := ""
	for _, t := range tokens {
		key += t.lemma
	}
	return slices.ContainsFunc(v.terms[key], func(t target) bool {
		return t.entity == r.entity && (isEntity(t) || r.dim != nil && t.dim == r.dim)
	})
}

// entityNamed says whether a sentence names an entity by its full name.
func (ix *Index) entityNamed(tokens []token) bool {
	for k := range tokens {
		key := ""
		for n := 0; n < longestName && k+n < len(tokens); n++ {
			key += tokens[k+n].lemma
			if slices.ContainsFunc(ix.names.terms[key], func(t target) bool { return isEntity(t) && t.match != partialMatch }) {
				return true
			}
		}
	}
	return false
}

// sentence says whether an utterance asks for something by itself: it begins with a word of asking.
func (ix *Index) sentence(u utterance) bool {
	if len(u.tokens) == 0 || u.cues["only"] || u.cues["remove"] || u.cues["compare"] || u.cues["same"] {
		return false
	}
	for k := min(3, len(u.tokens)); k > 0; k-- {
		if slices.ContainsFunc(ix.english.phrase(u.tokens, 0, k), func(o operator) bool { return o.class == "listing" }) {
			return true
		}
	}
	return oneOf("how", "what", "which", "who", "whats", "what's", "who's", "where", "when")(u.tokens[0].norm)
}

// asksWhoDoes says whether "who has the most orders?" asks which of the people that were listed do something, whatever else it names.
func (s *scene) asksWhoDoes(u utterance, r target) bool {
	return len(u.tokens) > 2 && u.tokens[0].norm == "who" && !oneOf("is", "are", "was", "were")(u.tokens[1].norm) &&
		slices.Contains(s.members, r.entity) && s.ix.somebody(r)
}

// somebody says whether "who" may ask for a thing: people, companies and other groups of people.
func (ix *Index) somebody(t target) bool {
	if t.dim != nil {
		return true
	}
	for _, name := range []string{"full_name", "first_name", "last_name"} {
		if ix.dimension(t.entity.Name, name) != nil {
			return true
		}
	}
	ws := ix.english.singulars(words(labelOf(t.entity.Label, t.entity.Name)))
	return slices.ContainsFunc(ws, func(w string) bool {
		return isKindOf(w, "person") || isKindOf(w, "organization") || isKindOf(w, "group")
	})
}

// somebodyCalled says whether "who" may ask for what a query has a row for.
func (ix *Index) somebodyCalled(name string) bool {
	e := ix.entities[name]
	return e == nil || ix.somebody(target{entity: e})
}

// insert puts the referent where the sentence leaves its subject out.
func (s *scene) insert(u utterance, r target) []voice {
	if !s.ix.sentence(u) {
		return nil
	}
	end := u.tokens[len(u.tokens)-1].end
	body := u.tokens
	for len(body) > 0 && body[len(body)-1].kind == markToken {
		body = body[:len(body)-1]
	}
	at := func(i int, extra ...token) voice {
		for k := range extra {
			extra[k].start, extra[k].end = end, end
			if i < len(body) {
				extra[k].start, extra[k].end = body[i].start, body[i].start
			}
		}
		return voice{tokens: slices.Concat(body[:i:i], extra, body[i:]), referent: r, inserted: len(extra)}
	}
	subject := standing(s.word("", end), r, true)
	var out []voice
	for i, t := range body {
		next := i + 1
		switch {
		case t.norm == "many" && i > 0 && body[i-1].norm == "how":
			if s.ix.nounAt(body, next) > 0 && !u.among {
				return nil // "how many models": of their own
			}
			return []voice{at(next, subject)}
		case i == 0 && t.norm == "who" && !s.ix.somebody(r):
			return nil // "who sold the most?" behind sales asks for none of them
		case i == 0 && t.norm == "who":
			v := at(1, standing(s.word("", end), r, !s.asksWhoDoes(u, r)))
			v.tokens[0] = s.word("which", t.start)
			v.named = s.asksWhoDoes(u, r)
			return []voice{v}
		case i == 0 && t.norm == "which" && next < len(body) && s.ix.nounAt(body, next) == 0:
			return []voice{at(1, subject)}
		}
	}
	out = append(out, at(len(body), s.word("of", end), standing(s.word("", end), r, false)))
	return append(out, at(0, subject))
}
