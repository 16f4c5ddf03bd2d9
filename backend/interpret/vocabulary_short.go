package interpret

import (
	"slices"
	"strings"

	"assay/backend/interpret/thesaurus"
	"assay/backend/semantic"
)

// naming words end the names of what tells things apart. Alone they stand for the one attribute of an entity that ends so,
// or for its key: "ids of all students", "the code of the product".
var naming = []string{"id", "code", "number"}

// places are words for places. A column that is named by several of them answers to each: "state" is state_province_county.
var places = []string{"city", "town", "village", "state", "province", "county", "country", "region", "zip", "postcode", "postal"}

// addShort files the short forms by which an attribute goes beside its entity.
func (v *vocabulary) addShort(l *lexicon, e *semantic.Entity, d *semantic.Dimension, surfaces, owners []surface) {
	for _, word := range naming {
		key := slices.Equal(e.Key, []string{d.Name})
		if !namedBy(l, d, word) && !(key && word == "id" && strings.HasSuffix(fold(d.Name), word)) && !(key && word == "number" && numbers(d, owners)) { // "eid"
			continue
		}
		alone := !slices.ContainsFunc(e.Dimensions, func(o semantic.Dimension) bool { return o.Name != d.Name && namedBy(l, &o, word) })
		if !key && (!alone || word == "id") {
			continue
		}
		if word != "number" { // "the number of" counts
			v.add([]string{word}, target{entity: e, dim: d, match: synonymMatch, score: scoreLoose})
		}
		for _, o := range owners {
			v.add(append(slices.Clone(o.words), word), target{entity: e, dim: d, match: synonymMatch, score: o.score + scoreSynonym, owned: true})
		}
	}
	if e.Display == d.Name && !slices.ContainsFunc(e.Dimensions, func(o semantic.Dimension) bool { return namedBy(l, &o, "name") }) {
		v.add([]string{"name"}, target{entity: e, dim: d, match: synonymMatch, score: 2 * scoreLoose})
	}
	if d.Type == semantic.Text && e.Display != d.Name {
		v.addCalled(d, e, surfaces)
	}
	v.addFirstLine(d, e, surfaces)
	for _, s := range surfaces {
		if len(s.words) < 2 || slices.ContainsFunc(s.words, func(w string) bool { return !slices.Contains(places, w) }) {
			continue
		}
		for _, w := range s.words {
			v.add([]string{w}, target{entity: e, dim: d, match: synonymMatch, score: s.score + scoreSynonym})
			v.add([]string{w, "name"}, target{entity: e, dim: d, match: synonymMatch, score: s.score + scoreSynonym})
		}
	}
}

// numbers says whether a key is the number of what an entity holds, written short: invno of invoices.
func numbers(key *semantic.Dimension, owners []surface) bool {
	for _, end := range []string{"number", "num", "no", "nr", "nbr"} {
		stem, ok := strings.CutSuffix(fold(key.Name), end)
		if ok && len(stem) > 1 && slices.ContainsFunc(owners, func(o surface) bool { return strings.HasPrefix(join(o.words), stem) }) {
			return true
		}
	}
	return false
}

// numberOf says whether a word "number" belongs to the name before it: "the invoice numbers of all invoices" are no count of them.
func (ix *Index) numberOf(tokens []token, i int) bool {
	return i > 0 && tokens[i].lemma == "number" && tokens[i-1].kind == wordToken && slices.ContainsFunc(ix.names.terms[tokens[i-1].lemma+"number"], func(t target) bool {
		return isDimension(t) && t.score > scoreLoose
	})
}

// addCalled lets an attribute that is a name itself be called one: "the institute name" where papers have an institute.
func (v *vocabulary) addCalled(d *semantic.Dimension, e *semantic.Entity, surfaces []surface) {
	for _, s := range surfaces {
		if last := s.words[len(s.words)-1]; last == "name" || slices.Contains(naming, last) {
			continue
		}
		v.add(append(slices.Clone(s.words), "name"), target{entity: e, dim: d, match: synonymMatch, score: s.score + scoreSynonym})
	}
}

// addFirstLine lets the first line of an address stand for the address: address_line_1.
func (v *vocabulary) addFirstLine(d *semantic.Dimension, e *semantic.Entity, surfaces []surface) {
	for _, s := range surfaces {
		n := len(s.words)
		if n < 3 || s.words[n-3] != "address" || s.words[n-2] != "line" || s.words[n-1] != "1" && s.words[n-1] != "one" {
			continue
		}
		v.add(s.words[:n-2], target{entity: e, dim: d, match: partialMatch, score: s.score + scoreLoose})
	}
}

// calledSo gives the attributes that are names themselves, for "the name of the institute".
func (ix *Index) calledSo(word string) []target {
	if slices.ContainsFunc(ix.names.terms[word], func(t target) bool { return isEntity(t) && t.match != partialMatch }) {
		return nil // "the name of the room" where there are rooms
	}
	return slices.DeleteFunc(slices.Clone(ix.names.terms[join([]string{word, "name"})]), func(t target) bool {
		return !isDimension(t) || t.owned || t.entity.Display == t.dim.Name || namedBy(ix.english, t.dim, "name")
	})
}

// light nouns end the names of tables and say only that the table tells about what stands before them.
var light = []string{"profile", "detail", "detailed", "info", "information", "record", "account", "acct", "list", "datum", "table", "master"}

// addHeads files what else the members of an entity may be called by its name: authors and tutors of "course authors and
// tutors", users of "user profiles", "faculty members" of faculty.
func (v *vocabulary) addHeads(s surface, t target) {
	t.match, t.score = partialMatch, s.score+scoreLoose
	ws, n := s.words, len(s.words)
	for i := 1; i+1 < n; i++ {
		if ws[i] != "and" && ws[i] != "or" {
			continue
		}
		v.add(ws[:i], t)
		v.add(ws[i-1:i], t)
		v.add(append(slices.Clone(ws[:i-1]), ws[i+1:]...), t)
	}
	if n == 2 && slices.Contains(light, ws[1]) {
		t.score = s.score - scorePartial/2
		v.add(ws[:1], t)
	}
	if n == 1 {
		v.addUnspaced(ws[0], t)
	}
	if n == 1 && slices.Contains(collective, ws[0]) {
		v.add([]string{ws[0], "member"}, t)
	}
}

// addUnspaced files what stands before a light noun in a name that is written as one word: the users of "useracct".
func (v *vocabulary) addUnspaced(name string, t target) {
	for _, end := range light {
		stem, ok := strings.CutSuffix(name, end)
		if ok && len(end) >= 4 && len(stem) >= 4 && len(thesaurus.Senses(name)) == 0 && len(thesaurus.Senses(stem)) > 0 {
			t.score -= scorePartial / 2
			v.add([]string{stem}, t)
			return
		}
	}
}

// collective nouns name many people in the singular.
var collective = []string{"faculty", "staff", "team", "crew", "club", "band", "cast", "squad", "family", "committee", "party", "group", "board"}

// namedBy says whether the name or the label of an attribute ends with a word.
func namedBy(l *lexicon, d *semantic.Dimension, word string) bool {
	for _, name := range []string{d.Label, d.Name} {
		if ws := l.singulars(words(name)); len(ws) > 0 && ws[len(ws)-1] == word {
			return true
		}
	}
	return false
}
