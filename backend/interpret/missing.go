package interpret

import (
	"slices"

	"assay/backend/frameql"
	"assay/backend/text"
)

// The refusals of the reader itself; the resolver has its own.
const (
	outOfScope   = "OUT_OF_SCOPE"        // no question about data, or one that the author keeps out
	notInData    = "NOT_IN_DATA"         // it names something that the data does not have
	needsPerson  = "NEEDS_PERSON"        // an opinion, a decision or advice
	writeRequest = "WRITE_REQUEST"       // it asks to change data
	notYet       = "NOT_YET"             // it asks for what the reader cannot do
	incomplete   = "INCOMPLETE_QUESTION" // known words that do not make a question
)

// nothing refuses a question that names nothing of this workspace: one that has the form of a question about data asks for data that is not here,
// any other is no question about data.
func (ix *Index) nothing(t thought, env frameql.Env) *Declined {
	if t.best != nil && t.best.asksForData() {
		if names := t.best.missing(); len(names) > 0 {
			return ix.decline(notInData, text.Say("interpret.unknown", "words", quoteAll(names)), env)
		}
	}
	return ix.decline(outOfScope, text.Say("interpret.nothing"), env)
}

// unknown refuses a question whose words are mostly not known here.
// Only words that stand in no vocabulary are missing; known ones that no reading has a place for are said to be that.
func (ix *Index) unknown(t thought, from *draft, unread []string, env frameql.Env) *Declined {
	out := &Declined{Code: incomplete, Message: text.Say("interpret.unplaced", "words", quoteAll(unread)), Repairs: ix.nearest(t, env)}
	if names := from.missing(); len(names) > 0 {
		out.Code, out.Message = notInData, text.Say("interpret.unknown", "words", quoteAll(names))
	}
	return out
}

// asksForData says whether a question has the form of one about data: it counts, sums up, ranks or splits something.
func (d *draft) asksForData() bool {
	return slices.ContainsFunc(d.pieces, func(p *piece) bool {
		switch p.kind {
		case aggregatePiece:
			return p.id != "distinct" // "a very different movie"
		case groupPiece, rankPiece, grainPiece:
			return true
		}
		return false
	})
}

// missing gives what the question names and the data does not have, as it was written: unread words beside each other are one name. Numbers and words
// of the language are no names.
func (d *draft) missing() []string {
	var out []string
	last := -1
	for i, p := range d.pieces {
		t := d.tokens[p.from]
		if !d.unread(i) || p.kind != textPiece && (p.kind != unknownPiece || t.kind != wordToken || d.ix.functional(t)) {
			continue
		}
		if last >= 0 && last == i-1 {
			out[len(out)-1] += " " + d.written(i)
		} else {
			out = append(out, d.written(i))
		}
		last = i
	}
	return out
}

// functional says whether a word belongs to a closed class of the language.
func (ix *Index) functional(t token) bool {
	_, connects := ix.english.scope["function"][t.norm]
	return connects || len(ix.english.operators[t.norm]) > 0 || ix.english.numbers[t.norm] != ""
}

// Foreign says whether a refusal of this code was of something that had nothing to do with the data, so that the
// conversation goes on as if it had not been said.
func Foreign(code string) bool {
	switch code {
	case outOfScope, needsPerson, writeRequest, "NOTHING_TO_UNDO", "EMPTY_QUESTION", "LIMIT":
		return true
	}
	return false
}
