package interpret

import (
	"slices"
	"strings"

	"assay/backend/semantic"
)

// spelled gives the values of a key. Where marks tell several values of one dimension apart, as in "Russia" and "Russia]]",
// only the one that is written exactly so is meant.
func (ix *Index) spelled(key string, ts []token) []target {
	var written strings.Builder
	for _, t := range ts {
		written.WriteString(fold(t.text))
	}
	var out []target
	exact := map[*semantic.Dimension]bool{}
	for _, e := range ix.values.exact(key) {
		t := ix.values.target(e, exactMatch, 0)
		same := strings.ReplaceAll(fold(e.text), " ", "") == written.String()
		switch {
		case same && !exact[t.dim]:
			out = slices.DeleteFunc(out, func(o target) bool { return o.dim == t.dim })
			exact[t.dim] = true
		case !same && exact[t.dim]:
			continue
		}
		out = append(out, t)
	}
	return out
}

// inflected gives the values whose plural the words are: "professors" for Professor.
func (ix *Index) inflected(vs []variant, ts []token) []target {
	if v := last(vs); v.lemma == v.norm || ts[len(ts)-1].kind != wordToken {
		return nil
	}
	key := ""
	for _, t := range ts[:len(ts)-1] {
		key += valueKey(t.text)
	}
	var out []target
	for _, e := range ix.values.exact(key + last(vs).lemma) {
		out = append(out, ix.values.target(e, synonymMatch, scoreLoose))
	}
	return out
}

func last(vs []variant) variant { return vs[len(vs)-1] }

// coded gives the values that a word means where data writes it in short: "female" is F in a column that is called sex or
// gender.
func (ix *Index) coded(word string) []target {
	var out []target
	for kind, short := range ix.english.kindsOf(word) {
		for _, code := range short {
			for _, e := range ix.values.exact(valueKey(code)) {
				t := ix.values.target(e, synonymMatch, scoreSynonym)
				if t.dim != nil && code != word && slices.Contains(words(t.dim.Name), kind) {
					out = append(out, t)
				}
			}
		}
	}
	return out
}

func phraseOf(vs []variant) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = v.norm
	}
	return strings.Join(parts, " ")
}

// ofKind adds the members of an entity that stands behind their name: "the Kama river" is the river, before it is a place that is
// called "Kama River".
func (ix *Index) ofKind(vs []variant, ts []token, found []target) []target {
	n := len(vs)
	if n < 2 || ts[n-1].norm != ts[n-1].lemma {
		return found
	}
	key := ""
	for _, t := range ts[:n-1] {
		key += valueKey(t.text)
	}
	var members []target
	for _, e := range ix.names.terms[last(vs).lemma] {
		if !isEntity(e) || e.score < scoreSynonym {
			continue
		}
		for _, t := range ix.spelled(key, ts[:n-1]) {
			if t.entity == e.entity && slices.Contains(ix.nameColumns(t.entity), t.dim.Name) {
				t.named, t.score = true, scoreOfKind
				members = append(members, t)
			}
		}
	}
	if len(members) == 0 {
		return found
	}
	for i := range found {
		found[i].score += scoreOtherKind
	}
	return append(members, found...)
}

// nameColumns gives the dimensions that hold what members of an entity are called.
func (ix *Index) nameColumns(e *semantic.Entity) []string {
	var out []string
	if shown := ix.display(e); len(shown) == 1 {
		out = append(out, shown...)
	}
	for i := range e.Dimensions {
		if d := &e.Dimensions[i]; namedBy(ix.english, d, "name") && ix.ownName(e, d) {
			out = append(out, d.Name)
		}
	}
	return out
}

// namelessAt says whether the entity that is named from token i on has no name of its own.
func (ix *Index) namelessAt(tokens []token, i int) bool {
	for i < len(tokens) && oneOf("the", "a", "an", "each", "all", "every")(tokens[i].norm) {
		i++
	}
	n := ix.nounAt(tokens, i)
	if n == 0 {
		return false
	}
	key := ""
	for _, t := range tokens[i : i+n] {
		key += t.lemma
	}
	for _, t := range ix.names.terms[key] {
		if isEntity(t) && t.match == exactMatch {
			shown := ix.display(t.entity)
			return len(ix.nameColumns(t.entity)) == 0 || len(shown) == 1 && slices.Equal(shown, t.entity.Key)
		}
	}
	return false
}

// severalRows gives the name of members of an entity whose rows have no key, so that a member may have several of them; nil where they
// have one, or no name of their own.
func (ix *Index) severalRows(e *semantic.Entity) *semantic.Dimension {
	if len(e.Key) > 0 {
		return nil
	}
	i := slices.IndexFunc(e.Dimensions, func(d semantic.Dimension) bool { return len(words(d.Name)) > 1 && ix.ownName(e, &d) })
	if i < 0 {
		return nil
	}
	return &e.Dimensions[i]
}

// ownName says whether a dimension is called by its entity and "name", or by "name" alone: river_name of rivers, and not country_name.
func (ix *Index) ownName(e *semantic.Entity, d *semantic.Dimension) bool {
	ws := ix.english.singulars(words(d.Name))
	if len(ws) == 0 || ws[len(ws)-1] != "name" {
		return false
	}
	rest := ws[:len(ws)-1]
	return len(rest) == 0 || slices.EqualFunc(rest, ix.nouns[e.Name], func(w string, n noun) bool { return w == n.word })
}

// grammatical says whether a word only holds a sentence together, so that it is no value even where the data has it: "the",
// "in", "who". In capital letters it is a value: "US", "vitamin A".
func (ix *Index) grammatical(t token) bool {
	if shouted(t) || len(t.text) == 1 && t.capital && t.norm != "i" {
		return false
	}
	return slices.ContainsFunc(ix.english.operators[t.norm], func(o operator) bool {
		return o.class == "glue" || o.class == "stop" && o.id == "function" || o.class == "grouping"
	})
}

// quotedValue reads text in quotation marks: a value, or part of one.
func (ix *Index) quotedValue(t token) *piece {
	var names []target
	for _, e := range ix.values.exact(valueKey(t.text)) {
		names = append(names, ix.values.target(e, exactMatch, 0))
	}
	names = append(names, ix.names.terms[join(ix.english.singulars(words(t.text)))]...)
	if len(names) == 0 {
		return nil
	}
	return &piece{kind: namePiece, names: names, score: 1}
}

// mostPartial is how many values a part of a name may stand for before it says nothing.
const mostPartial = 3

// partOfValue reads capitalised words that are part of a value: "Alfreds" for "Alfreds Futterkiste". Several values
// make an ambiguity, many make nothing.
func (ix *Index) partOfValue(tokens []token, i int, add func(*piece)) {
	first := tokens[i]
	if first.kind != wordToken || !(first.capital || i == 0) || ix.english.known[first.norm] || ix.names.known[first.lemma] {
		return
	}
	var ws []string
	for n := 1; n <= longestName && i+n <= len(tokens); n++ {
		t := tokens[i+n-1]
		if t.kind != wordToken || n > 1 && !t.capital {
			break
		}
		ws = append(ws, valueWords(t.text)...)
		var names []target
		for _, e := range ix.values.containing(ws, mostPartial) {
			all := valueWords(e.text)
			if len(all) > len(ws) {
				names = append(names, ix.values.target(e, fuzzyMatch, -scorePartial*(1-float64(len(ws))/float64(len(all)))))
			}
		}
		if len(names) > 0 {
			add(&piece{kind: namePiece, to: i + n, names: names, score: names[0].score})
		}
	}
}

// keepWhole leaves no other thing's value inside a value that begins with the kind of thing it is: "Lake Ashford" is a lake, and not what
// lakes have to do with the province Ashford.
func (ix *Index) keepWhole(tokens []token, lattice [][]*piece) {
	for i, t := range tokens {
		if t.norm != t.lemma {
			continue
		}
		for _, whole := range lattice[i] {
			if whole.kind != namePiece || whole.edits > 0 || whole.to < i+2 {
				continue
			}
			k := slices.IndexFunc(whole.names, func(v target) bool {
				return isValue(v) && v.match == exactMatch && slices.ContainsFunc(ix.names.terms[t.lemma], func(n target) bool { return isEntity(n) && n.entity == v.entity })
			})
			for at := i + 1; k >= 0 && at < whole.to; at++ {
				other := func(v target) bool { return isValue(v) && v.entity != whole.names[k].entity }
				lattice[at] = slices.DeleteFunc(lattice[at], func(p *piece) bool {
					return p.kind == namePiece && p.to <= whole.to && !slices.ContainsFunc(p.names, func(v target) bool { return !other(v) })
				})
			}
		}
	}
}
