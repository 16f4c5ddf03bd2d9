package interpret

import (
	"slices"
	"strings"
	"sync"

	stemmer "github.com/kljensen/snowball/english"

	"assay/backend/semantic"
)

// target is one thing of the model that a piece of a question may mean. Exactly one of the four kinds is set: Metric;
// Dimension with its Entity; Value with its Dimension and Entity; Entity alone.
type target struct {
	metric *semantic.Metric
	entity *semantic.Entity
	dim    *semantic.Dimension
	value  *string
	match  match
	score  float64 // 0 for the thing's own name, less for anything looser
	owned  bool    // the words named the entity too: "customers country", customers.country
	named  bool    // a value behind the name of its dimension: "country is Germany"
	verb   bool    // a verb that names a time dimension: "shipped" for shipped_date
	role   string  // in which its members are meant, where rows lead to them in several ways; empty: in none
	denied bool    // the word says the opposite of a yes-or-no attribute: "closed" for is_open
	stands bool    // the word only stands for it because nothing else is called so: "country" for a nationality
	turned bool    // it falls where what is asked for rises: the year of birth for an age
	counts bool    // it does so only where it is counted: "more than 900 students" for an enrollment
}

// match says how words and name met.
type match byte

const (
	exactMatch match = iota
	synonymMatch
	partialMatch // part of a longer name: "country" for ship_country
	fuzzyMatch   // a misspelling was repaired

	// The thesaurus knows both words, and the model has only one of them.
	sameMatch     // they mean the same: vocalist, singer
	broaderMatch  // the word of the question is more general: vehicle, car
	narrowerMatch // it is more special, and would lose what it says: sedan, car
)

func (t target) name() string {
	switch {
	case t.metric != nil:
		return t.metric.Name
	case t.value != nil:
		return t.entity.Name + "." + t.dim.Name + " = " + *t.value
	case t.dim != nil:
		return t.entity.Name + "." + t.dim.Name
	default:
		return t.entity.Name
	}
}

// vocabulary finds metrics, dimensions and entities by what a person may call them.
type vocabulary struct {
	terms map[string][]target // key of singular words -> targets
	words []string            // every word of every name, sorted: what a misspelling may mean
	known map[string]bool     // the same as a set
	most  int                 // words in the longest name

	said map[string]bool // the names themselves, words with spaces between them
	kin  func() *kinship // worked out when a question first needs it
}

// longestName bounds the words of a name that is looked up.
const longestName = 6

// unspecific last words of a name say nothing on their own.
var unspecific = []string{"id", "key", "no", "nr", "number", "num", "flag", "value", "line"}

// empty last words of the name of an entity say nothing of it: "names" are no car names.
var empty = []string{"name", "datum", "info", "information", "detail", "table"}

func newVocabulary(m *semantic.Model, l *lexicon) *vocabulary {
	v := &vocabulary{terms: map[string][]target{}, known: map[string]bool{}, said: map[string]bool{}}
	for i := range m.Entities {
		e := &m.Entities[i]
		surfaces := surfacesOf(l, e.Name, e.Label, e.Synonyms)
		for _, s := range surfaces {
			v.said[joinSpaced(s.words)] = true
			v.add(s.words, target{entity: e, match: s.match, score: s.score})
			v.addSuffixes(s, target{entity: e})
			v.addHeads(s, target{entity: e})
		}
		for j := range e.Dimensions {
			if !e.Dimensions[j].IsRowPlace() {
				v.addDimension(l, e, &e.Dimensions[j], surfaces)
			}
		}
	}
	for i := range m.Metrics {
		x := &m.Metrics[i]
		if x.Hidden {
			continue
		}
		for _, s := range surfacesOf(l, x.Name, x.Label, x.Synonyms) {
			v.said[joinSpaced(s.words)] = true
			v.add(s.words, target{metric: x, match: s.match, score: s.score})
			if len(s.words) > 1 && x.Reducer == semantic.Sum && (s.words[0] == "total" || s.words[0] == "sum") {
				v.add(s.words[1:], target{metric: x, match: synonymMatch, score: s.score + scoreSynonym})
			}
		}
	}
	v.addNumbered(m, l)
	v.addMembers(m, l)
	v.addMeanings(m, l)
	for key, ts := range v.terms {
		v.terms[key] = slices.DeleteFunc(ts, func(t target) bool { return sameAsMember(t, ts) || refersTo(m, t, ts) })
	}
	for _, ts := range v.terms {
		slices.SortStableFunc(ts, func(a, b target) int { return strings.Compare(a.name(), b.name()) })
	}
	for w := range v.known {
		v.words = append(v.words, w)
	}
	slices.Sort(v.words)
	v.kin = sync.OnceValue(func() *kinship { return newKinship(v, l) })
	return v
}

// sameAsMember says whether a dimension only shows the members of an entity that the same words name: "customer" is the
// customer, whether its name column is labelled so or not.
func sameAsMember(t target, all []target) bool {
	return t.dim != nil && t.entity.Display == t.dim.Name && slices.ContainsFunc(all, func(o target) bool { return isEntity(o) && o.entity == t.entity })
}

// refersTo says whether a dimension only points at members of an entity that the same words name: the "manufacturer" of a
// product is a manufacturer, and the number in the column is how the table says which.
func refersTo(m *semantic.Model, t target, all []target) bool {
	if t.dim == nil || t.dim.Type == semantic.Text && t.entity.Display == t.dim.Name {
		return false
	}
	return slices.ContainsFunc(m.Joins, func(j semantic.Join) bool {
		points := j.ToOne() && j.From == t.entity.Name && len(j.On) == 1 && j.On[0].From == t.dim.Name
		return points && slices.ContainsFunc(all, func(o target) bool { return isEntity(o) && o.entity.Name == j.To && o.score >= t.score })
	})
}

// surface is one way to say a name.
type surface struct {
	words []string // singular
	match match
	score float64
}

func surfacesOf(l *lexicon, name, label string, synonyms []string) []surface {
	var out []surface
	add := func(s string, m match, score float64) {
		ws := l.singulars(words(s))
		if len(ws) > 0 && !slices.ContainsFunc(out, func(o surface) bool { return join(o.words) == join(ws) }) {
			out = append(out, surface{ws, m, score})
		}
	}
	add(label, exactMatch, 0) // before the name: "Product categories" tells the words of "productcategories" apart
	add(name, exactMatch, 0)
	for _, s := range synonyms {
		add(s, synonymMatch, scoreSynonym)
	}
	return out
}

func (v *vocabulary) addDimension(l *lexicon, e *semantic.Entity, d *semantic.Dimension, owners []surface) {
	surfaces := surfacesOf(l, d.Name, d.Label, d.Synonyms)
	if d.Column != "" {
		for _, s := range surfacesOf(l, d.Column, "", nil) {
			s.match, s.score = partialMatch, scoreColumn // the author gave it another name
			if !slices.ContainsFunc(surfaces, func(o surface) bool { return join(o.words) == join(s.words) }) {
				surfaces = append(surfaces, s)
			}
		}
	}
	for _, s := range slices.Concat(looser(surfaces), unitless(l, d, surfaces)) {
		t := target{entity: e, dim: d, match: s.match, score: s.score}
		v.add(s.words, t)
		if last := s.words[len(s.words)-1]; len(s.words) == 2 && last == "type" { // policy type code: "type"
			v.addSuffixes(s, t)
		}
	}
	for _, s := range surfaces {
		t := target{entity: e, dim: d, match: s.match, score: s.score}
		v.said[joinSpaced(s.words)] = true
		v.add(s.words, t)
		v.addSuffixes(s, t)
		v.addBeforeVerb(l, s, t)
		if d.Type == semantic.Boolean && len(s.words) > 1 && (s.words[0] == "is" || s.words[0] == "has") {
			v.add(s.words[1:], t)
		}
		if d.Type.Temporal() && len(s.words) == 2 && !slices.ContainsFunc(owners, func(o surface) bool { return join(o.words) == s.words[0] }) {
			t.verb, t.match = true, synonymMatch
			v.add([]string{verbStem(s.words[0])}, t)
		}
		if d.Type.Temporal() && len(s.words) == 3 && slices.Contains(tailsOfTimes, s.words[2]) && len(l.operators[s.words[1]]) == 0 { // original air date: "aired"
			t.verb, t.match, t.score = true, synonymMatch, t.score+scoreLoose
			v.add([]string{verbStem(s.words[1])}, t)
		}
		for _, o := range owners {
			if n := len(s.words) - len(o.words) - 1; n > 0 && s.words[n] == "of" && slices.Equal(s.words[n+1:], o.words) {
				v.add(s.words[:n], target{entity: e, dim: d, match: partialMatch, score: s.score + scoreLoose}) // amount_of_payment of payments
			}
			owned := target{entity: e, dim: d, match: s.match, score: s.score + o.score, owned: true}
			v.add(append(slices.Clone(o.words), s.words...), owned)
			if len(s.words) > len(o.words) && slices.Equal(s.words[:len(o.words)], o.words) {
				v.add(s.words, owned) // product_name of products names its owner itself
			}
		}
	}
	v.addShort(l, e, d, surfaces, owners)
	v.addCounted(d, e, surfaces)
	v.addTails(l, e, d, surfaces)
	v.addForms(e, d, surfaces)
	if e.Display == d.Name {
		for _, o := range owners {
			v.add(append(slices.Clone(o.words), "name"), target{entity: e, dim: d, match: synonymMatch, score: o.score + scoreSynonym, owned: true})
		}
	}
}

// tallies are nouns that turned round would name something else: the number of tickets is no ticket number.
var tallies = []string{"number", "num", "no", "count", "amount", "total", "sum", "quantity", "share", "percentage"}

// mailing words already say what the address is of that stands behind them.
var mailing = []string{"email", "mail"}

// looser gives further ways to say a name: without the code at its end, without its unit, and the other way round.
func looser(exact []surface) []surface {
	var out []surface
	for _, s := range exact {
		n := len(s.words)
		if n < 2 {
			continue
		}
		short := surface{match: partialMatch, score: s.score + scoreLoose}
		if unit := slices.Index(s.words, "in"); unit > 0 { // budget in billions
			short.words = s.words[:unit]
			out = append(out, short)
		}
		if s.words[n-1] == "code" || s.words[n-1] == "address" && slices.Contains(mailing, s.words[n-2]) { // policy type code, email address
			short.words = s.words[:n-1]
			out = append(out, short)
		}
		if n == 2 && !slices.Contains(unspecific, s.words[1]) && s.words[0] != "is" && s.words[0] != "has" { // amount payment
			short.words = []string{s.words[1], s.words[0]}
			out = append(out, short)
		}
		if of := slices.Index(s.words, "of"); of > 0 && of < n-1 && !slices.Contains(tallies, s.words[0]) { // level of membership
			short.words = slices.Concat(s.words[of+1:], s.words[:of])
			out = append(out, short)
		}
	}
	return out
}

// magnitudes at the end of a name say in which thousands a number is written.
var magnitudes = []string{"thousand", "million", "billion"}

// unitless gives the names of a number without the unit at their end: "duration" of duration_minutes.
func unitless(l *lexicon, d *semantic.Dimension, exact []surface) []surface {
	var out []surface
	for _, s := range exact {
		if n := len(s.words) - 1; n > 0 && d.Type.Numeric() && (l.units[s.words[n]].name != "" || slices.Contains(magnitudes, s.words[n])) {
			out = append(out, surface{words: s.words[:n], match: partialMatch, score: s.score + scoreLoose})
		}
	}
	return out
}

// addSuffixes files the last words of a longer name: "country" finds ship_country.
func (v *vocabulary) addSuffixes(s surface, t target) {
	for k := 1; k < len(s.words); k++ {
		tail := s.words[k:]
		if len(tail) == 1 && (slices.Contains(unspecific, tail[0]) || isEntity(t) && slices.Contains(empty, tail[0])) {
			continue
		}
		t.match = partialMatch
		t.score = s.score - scorePartial*float64(k)/float64(len(s.words))
		v.add(tail, t)
	}
}

// add files a target under its words. Of two ways to say the same thing with the same words the better one stays.
func (v *vocabulary) add(ws []string, t target) {
	if len(ws) == 0 || len(ws) > longestName {
		return
	}
	for _, w := range ws {
		v.known[w] = true
	}
	v.file(ws, t)
}

// file files a target under words that are no names: one of them alone is still a word that the model does not know.
func (v *vocabulary) file(ws []string, t target) {
	v.most = max(v.most, len(ws))
	key := join(ws)
	for i, o := range v.terms[key] {
		if o.name() == t.name() {
			if t.score > o.score || t.score == o.score && t.owned {
				v.terms[key][i] = t
			}
			return
		}
	}
	v.terms[key] = append(v.terms[key], t)
}

// verbStem cuts a verb to what its forms share: shipped, ship; hired, hire.
func verbStem(w string) string { return "~" + stemmer.Stem(w, false) }

func joinSpaced(ws []string) string { return strings.Join(ws, " ") }
