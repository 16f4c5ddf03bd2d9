package interpret

import (
	"slices"
	"strings"

	"assay/backend/frameql"
	"assay/backend/semantic"
)

// attributeAt adds the attribute that words ask for without its name: "how old", "3 years old", "who weighs", "born", also
// with whose it is before it: "students aged above". A verb behind "how old" belongs to it. Words that are a name themselves keep
// their meaning.
func (ix *Index) attributeAt(tokens []token, i int, add func(*piece)) {
	owner, from := "", i
	if ix.namesExactly(tokens[i]) {
		owner, from = tokens[i].lemma, i+1
	}
	compared := func(at int) bool {
		return at < len(tokens) && slices.ContainsFunc(ix.english.operators[tokens[at].norm], func(o operator) bool { return o.class == "comparatives" })
	}
	for n := 1; n <= ix.english.longest && from+n <= len(tokens); n++ {
		hints := ix.english.attributes[asWritten(tokens[from:from+n])]
		if hints == "" || n == 1 && ix.namesExactly(tokens[from]) || owner != "" && !compared(from+n) {
			continue
		}
		names := ix.attributesCalled(owner, strings.Split(hints, "/"))
		if len(names) == 0 {
			continue
		}
		to := from + n
		if tokens[from].norm == "how" && to < len(tokens) && slices.Contains(copulas, tokens[to].norm) {
			to++
		}
		add(&piece{kind: namePiece, id: saidOtherwise, to: to, names: names, score: names[0].score})
	}
}

// saidOtherwise marks a piece that says an attribute without its name.
const saidOtherwise = "attribute"

// copulas stand between the question for an attribute and whose it is: "how old is the pilot".
var copulas = []string{"is", "are", "was", "were"}

// attributesCalled gives the numbers and years of the model that are called by one of the hints, the first hints best.
// An owner stands before the hint.
func (ix *Index) attributesCalled(owner string, hints []string) []target {
	var out []target
	for k, hint := range hints {
		for _, t := range ix.names.terms[owner+join(ix.english.singulars(strings.Fields(hint)))] {
			if !isNumeric(t) && !(isDimension(t) && isYear(t.dim)) || slices.ContainsFunc(out, func(o target) bool { return o.name() == t.name() }) {
				continue
			}
			t.score += scoreLoose + scoreSynonym*float64(k)
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b target) int { return compareScore(b.score, a.score) })
	return out
}

// readSaidNumbers reads numbers before an attribute that is said otherwise: "a cat that is 3 years old", "either 32 or 33
// years old", "not 20 years old".
func readSaidNumbers(d *draft) {
	for i := range d.pieces {
		if !d.is(i, namePiece, saidOtherwise) || !d.free(i) || !d.is(i-1, numberPiece) || !d.free(i-1) {
			continue
		}
		first := i - 1
		for d.is(first-1, gluePiece, "or") && d.is(first-2, numberPiece) && d.free(first-2) {
			first -= 2
		}
		op, before := "eq", d.back(first-1)
		if d.is(before, gluePiece, "or") { // either
			before = d.back(before - 1)
		}
		if d.is(before, notPiece) && d.free(before) {
			op, before = "ne", d.back(before-1)
		}
		if d.is(before, comparePiece) && d.free(before) {
			continue
		}
		owner := d.described(before, first)
		if owner == nil {
			continue
		}
		options := d.names(i, func(t target) bool { return isNumeric(t) && d.ix.paths.reaches(owner.Name, t.entity.Name) })
		if len(options) == 0 {
			continue
		}
		f := filter{slot: slot{piece: i, options: options, near: owner}, named: -1, op: op}
		for k := before + 1; k < i; k++ {
			if d.is(k, numberPiece) {
				f.texts = append(f.texts, frameql.Value{Kind: frameql.Number, Text: d.pieces[k].number})
				d.take(k, "value", d.pieces[k].number)
			} else {
				d.take(k, connects, "")
			}
		}
		d.take(i, "dimension", options[0].name())
		d.filters = append(d.filters, f)
	}
}

// described gives what the words behind a piece are about: the members that it names, or the thing that has the value that it
// is, when a pronoun says so ("a cat that is 3 years old").
func (d *draft) described(i, behind int) *semantic.Entity {
	if d.is(i, namePiece) && len(d.pieces[i].names) > 0 && !d.pieces[i].has(isMember) {
		t := d.pieces[i].names[0]
		pronoun := slices.ContainsFunc(d.tokens[d.pieces[i].to:d.pieces[behind].from], func(t token) bool { return slices.Contains(relative, t.norm) })
		if t.value != nil && pronoun && onlyOf(d.pieces[i].names, t.entity) {
			return t.entity
		}
	}
	if head := d.head(i + 1); head >= 0 {
		return d.beside(head)
	}
	return nil
}

// relative pronouns begin a clause about the word before them.
var relative = []string{"that", "which", "who", "whose"}
