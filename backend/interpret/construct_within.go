package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/interpret/thesaurus"
	"assay/backend/semantic"
	"assay/backend/text"
)

// Tables that people write, and not systems, put several things into one cell: "Hong Kong (HKG)", "Olympiastadion, Berlin, Germany".
// Who asks for Germany means the rows that have it in there.

const (
	mostWithin    = 400 // values that the words may stand in
	shortestWords = 4   // letters of words that are looked for inside values
)

// withinValues adds words that stand inside longer values of the only table, and are nothing else there.
func (ix *Index) withinValues(tokens []token, i int, add func(*piece)) {
	if len(ix.model.Entities) != 1 {
		return
	}
	var ws []string
	for n := 1; n <= longestName && i+n <= len(tokens); n++ {
		t := tokens[i+n-1]
		if t.kind == markToken && n > 1 && slices.Contains(joiningMarks, t.text) {
			continue
		}
		if t.kind != wordToken && (n == 1 || t.kind != numberToken) {
			return
		}
		ws = append(ws, valueWords(t.text)...)
		if !ix.edge(tokens[i]) || t.kind == wordToken && !ix.edge(t) || !ix.proper(tokens[i:i+n]) {
			continue
		}
		if names := ix.holding(tokens[i:i+n], ws); len(names) > 0 {
			add(&piece{kind: withinPiece, to: i + n, names: names, score: names[0].score})
		}
	}
}

// edge says whether a word may begin or end what is looked for inside values.
func (ix *Index) edge(t token) bool {
	return t.kind == wordToken && t.stands == nil && len(t.norm) > 1 && len(ix.english.operators[t.norm]) == 0 && !ix.names.known[t.lemma]
}

// proper says whether words may be a name: one of them is no word of the language of questions. One alone that the dictionary has is a
// noun of the question: "songs" are no chart that has them in its name.
func (ix *Index) proper(ts []token) bool {
	letters, own := 0, false
	for _, t := range ts {
		letters += len(t.norm)
		own = own || t.kind == wordToken && !ix.english.known[t.norm] && !ix.names.known[t.lemma]
	}
	if isMonth(ts[0].norm) {
		return true
	}
	return own && letters >= shortestWords && (len(ts) > 1 || ts[0].capital || len(thesaurus.Senses(ts[0].lemma)) == 0)
}

// holding gives the dimensions of which longer values hold the words as they stand, whole and one behind the other.
func (ix *Index) holding(ts []token, ws []string) []target {
	said := writtenOf(ts)
	var out []target
	for _, e := range ix.values.containing(ws, mostWithin) {
		t := ix.values.target(e, partialMatch, scoreWithin)
		if t.dim.Type != semantic.Text || !holdsWhole(valueWords(e.text), ws) || !strings.Contains(fold(e.text), said) {
			continue
		}
		if len(valueWords(e.text)) == len(ws) {
			return nil // it is the value itself
		}
		t.value = nil
		if !slices.ContainsFunc(out, func(o target) bool { return o.dim == t.dim }) {
			out = append(out, t)
		}
	}
	return out
}

// writtenOf gives words as they are looked for, with the marks between them.
func writtenOf(ts []token) string {
	var b strings.Builder
	for k, t := range ts {
		if k > 0 && t.start > ts[k-1].end {
			b.WriteByte(' ')
		}
		b.WriteString(fold(t.text))
	}
	return strings.TrimSuffix(strings.TrimSuffix(b.String(), "'s"), "’s")
}

// holdsWhole says whether words stand one behind the other among others.
func holdsWhole(all, ws []string) bool {
	for k := 0; k+len(ws) <= len(all); k++ {
		if slices.Equal(all[k:k+len(ws)], ws) {
			return true
		}
	}
	return false
}

// readWithin reads words that stand inside values as a search: "in germany", "by hong kong".
func readWithin(d *draft) {
	for i := range d.pieces {
		if !d.is(i, withinPiece) || !d.free(i) {
			continue
		}
		f := d.wordsWithin(i)
		if j := d.negation(i); j >= 0 {
			f.op = "not_contains"
			d.take(j, "filter", "not")
		}
		d.whereWithin(&f, i)
		d.take(i, "filter", f.op)
		d.filters = append(d.filters, f)
		dim := f.options[0]
		d.note(text.Say("interpret.assume_within", "words", f.texts[0].Text, "dimension", d.ix.dimensionLabel(dim.entity, dim.dim)))
	}
}

// wordsWithin gives the condition that a value holds the words of a piece.
func (d *draft) wordsWithin(i int) filter {
	p := d.pieces[i]
	said := frameql.Value{Kind: frameql.String, Text: writtenOf(d.tokens[p.from:p.to])}
	return filter{slot: slot{piece: i, options: p.names}, named: -1, op: "contains", texts: []frameql.Value{said}}
}

// whereWithin lets the name of a dimension beside the words say which one is meant: "the opponent was Leeds", "Ames site".
func (d *draft) whereWithin(f *filter, i int) {
	before := i - 1
	for d.is(before, gluePiece, "in", "is", "with") {
		before--
	}
	for _, j := range []int{i + 1, before} {
		var meant []target
		for _, o := range f.options {
			if slices.ContainsFunc(d.dimensions(j), func(t target) bool { return t.dim == o.dim }) {
				meant = append(meant, o)
			}
		}
		if len(meant) > 0 {
			f.options = meant
			if j == i-1 || j == i+1 || d.asksCount() { // "how many times was the site in Ames"
				d.take(j, "dimension", dimensionName(meant[0]))
			}
			return
		}
	}
}
