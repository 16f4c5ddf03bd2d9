package interpret

import (
	"slices"
	"strings"
	"unicode"

	"assay/backend/semantic"
)

// rowsID marks a name that was taken for the rows of a table because nothing is called so.
const rowsID = "rows"

// occasions are what the rows of any table may be called.
var occasions = []string{"time", "times", "occasion", "occasions", "entry", "entries", "row", "rows", "line", "lines", "occurrence", "occurrences"}

// rowsNoun lets a noun that nothing is called stand for the rows of the only table, where that has no name that says anything: "which airport
// has the most passengers" of a file 2024-07.csv, "how many stations are in Milan". The rows show what they are, and the answer says that they
// were counted.
func (ix *Index) rowsNoun(tokens []token, i int, add func(*piece)) {
	e := ix.nameless()
	if e == nil || i == 0 || tokens[i].kind != wordToken {
		return
	}
	t, before := tokens[i], tokens[i-1].norm
	counted := slices.Contains(occasions, t.norm) && (before == "many" || before == "of")
	asked := (before == "which" || before == "what") && len(ix.english.operators[t.norm]) == 0 && t.norm == t.lemma
	if i+1 < len(tokens) && ix.names.known[tokens[i+1].lemma] || slices.ContainsFunc(tokens, func(o token) bool { return o.norm == "number" }) {
		asked = false // it only says which kind of album, or asks how many there are of something
	}
	if i+1 < len(tokens) && slices.Contains([]string{"do", "does", "did"}, tokens[i+1].norm) {
		asked = false // "what country does Ines represent" asks for something of her
	}
	many := (before == "many" || before == "of" && i > 1 && tokens[i-2].norm == "number") && ix.isThing(t)
	known := ix.names.known[t.lemma] && !(counted && len(ix.names.terms[t.lemma]) == 0) // "times" beside a date, whose time it may be
	if !counted && !asked && !many || known || len(ix.values.exact(valueKey(t.text))) > 0 {
		return
	}
	add(&piece{kind: namePiece, to: i + 1, id: rowsID, names: []target{{entity: e, match: partialMatch, score: scoreLoose}}, score: scoreLoose})
}

// nameless gives the only table, where its name says nothing of what its rows are; else nil.
func (ix *Index) nameless() *semantic.Entity {
	if len(ix.model.Entities) != 1 {
		return nil
	}
	if e := &ix.model.Entities[0]; !speaks(labelOf(e.Label, e.Name)) {
		return e
	}
	return nil
}

// isThing says whether a word is a noun in the plural for things that may be rows. What is won, scored or spent is a number in them.
func (ix *Index) isThing(t token) bool {
	return t.norm != t.lemma && len(ix.english.operators[t.norm]) == 0 && len(sensesOf(t.lemma)) > 0 && !slices.Contains(ix.english.tallied, t.lemma)
}

// unitBehind adds the name of a number, or a value, with a noun behind it that nothing is called: "gold medals" in a table of golds and silvers,
// "the Comet train" in one of trains.
func (ix *Index) unitBehind(tokens []token, i int, add func(*piece)) {
	if ix.nameless() == nil || tokens[i].kind != wordToken {
		return
	}
	key, said := "", ""
	for n := 1; n < longestName && i+n < len(tokens) && tokens[i+n-1].kind == wordToken; n++ {
		key += tokens[i+n-1].lemma
		said += valueKey(tokens[i+n-1].text)
		head := tokens[i+n]
		if !ix.open(head) || !ix.open(tokens[i+n-1]) && n == 1 && len(ix.names.terms[key]) == 0 || ix.names.known[head.lemma] || len(sensesOf(head.lemma)) == 0 || len(ix.values.exact(valueKey(head.text))) > 0 {
			continue
		}
		var names []target
		if !slices.Contains(ix.english.tallied, head.lemma) {
			for _, t := range ix.spelled(said, tokens[i:i+n]) { // "the Comet train" is what is called Comet
				t.score += scoreLoose
				names = append(names, t)
			}
		}
		for _, t := range ix.names.terms[key] {
			if (t.metric != nil || isMeasure(t)) && t.match != partialMatch {
				t.score += scoreLoose
				names = append(names, t)
			}
		}
		if len(names) > 0 {
			slices.SortStableFunc(names, func(a, b target) int { return compareScore(b.score, a.score) })
			add(&piece{kind: namePiece, to: i + n + 1, names: names, score: names[0].score})
		}
	}
}

// speaks says whether a name has a word in it, and not only numbers.
func speaks(name string) bool {
	return slices.ContainsFunc(strings.Fields(name), func(w string) bool {
		return strings.ContainsFunc(w, unicode.IsLetter) && !strings.ContainsFunc(w, unicode.IsDigit) && w != "table" && w != "sheet" && w != "data" && w != "export"
	})
}

// lastInTable says whether words mean the last year that the only table has and not the one before today: "the record of the last year", where years
// are a column of numbers.
func (ix *Index) lastInTable(tokens []token, i, to int) bool {
	if ix.rowPlace() == nil || ix.model.Entities[0].DefaultTime != "" || to-i < 2 {
		return false
	}
	definite := tokens[i].norm == "the" || i > 0 && tokens[i-1].norm == "the"
	if !definite || tokens[to-2].norm != "last" || tokens[to-1].norm != "year" {
		return false
	}
	_, year := ix.yearOf(&ix.model.Entities[0])
	return year != nil && year.Type.Numeric()
}
