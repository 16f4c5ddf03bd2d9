package interpret

import (
	"slices"

	"assay/backend/semantic"
)

// quantifies says whether a word belongs to a phrase about all related rows, and so is not empty.
func (ix *Index) quantifies(tokens []token, i int) bool {
	about := func(from, n int, id string) bool {
		return from >= 0 && from+n <= len(tokens) && slices.Contains(ix.english.phrase(tokens, from, n), operator{"related", id})
	}
	whose := slices.ContainsFunc(tokens[:i], func(t token) bool { return t.norm == "whose" })
	return about(i, 2, "all") || about(i, 3, "all") || about(i, 4, "all") || whose && about(i-1, 2, "each")
}

// namesExactly says whether a word is just what an entity is called: "account" is no verb where there are accounts.
func (ix *Index) namesExactly(t token) bool {
	return slices.ContainsFunc(ix.names.terms[t.lemma], func(o target) bool { return isEntity(o) && o.score == 0 })
}

// namesAttribute says whether a word is the last one of an attribute's name: "ids and details" asks for the details where
// there are some.
func (ix *Index) namesAttribute(t token) bool {
	return slices.ContainsFunc(ix.names.terms[t.lemma], isDimension)
}

// asNoun says whether a word that is a verb elsewhere is the attribute that is called so: behind "and", between an article and a comma,
// and as the last one of a list ("the weight, make of each car").
func (ix *Index) asNoun(tokens []token, i int) bool {
	if i == 0 || !ix.namesAttribute(tokens[i]) {
		return false
	}
	before := tokens[i-1].norm
	listed := i+1 < len(tokens) && (tokens[i+1].text == "," || tokens[i+1].norm == "and")
	last := before == "," && (ix.ends(tokens, i+1) || slices.Contains([]string{"for", "of"}, tokens[i+1].norm))
	return before == "and" || last || listed && slices.Contains([]string{"the", "their", "its", ","}, before)
}

// actAtEnd says whether a word is the verb that "did" waits for at the end of a question, and no name: "how many offers did each make?".
func (ix *Index) actAtEnd(tokens []token, i int) bool {
	if i < 3 || !ix.ends(tokens, i+1) || !ix.emptyVerb(tokens[i]) || tokens[i].norm != tokens[i].lemma ||
		tokens[i-1].stands == nil && !oneOf("each", "one", "they", "he", "she", "it", "we")(tokens[i-1].norm) {
		return false
	}
	for k := i - 2; k > 0 && k >= i-4; k-- {
		if oneOf("do", "does", "did")(tokens[k].norm) {
			return true
		}
	}
	return false
}

// attributeOf says whether a word is just what an attribute is called of the entity that the word before it names.
func (ix *Index) attributeOf(owner, t token) bool {
	return slices.ContainsFunc(ix.names.terms[owner.lemma], func(e target) bool {
		return isEntity(e) && e.score > scoreFaint && slices.ContainsFunc(ix.names.terms[t.lemma], func(o target) bool {
			return isDimension(o) && o.entity == e.entity && o.match != partialMatch
		})
	})
}

// standsFull says whether a word that is empty elsewhere has content where it stands: a grade A is no article, and
// "drivers who have records" are not all drivers.
func (ix *Index) standsFull(tokens []token, i int) bool {
	return i > 0 && tokens[i].text == "A" || ix.standsForValue(tokens, i) || ix.isHad(tokens, i) || ix.verbOfData(tokens, i)
}

// verbOfData says whether a word that is a verb elsewhere is a value of the data where no verb can stand: "revenue of produce in 1997", "seafood and produce", "the category
// produce".
func (ix *Index) verbOfData(tokens []token, i int) bool {
	if i == 0 || !ix.emptyVerb(tokens[i]) {
		return false
	}
	values := ix.values.exact(valueKey(tokens[i].text))
	if len(values) == 0 {
		return false
	}
	before := tokens[i-1]
	switch {
	case oneOf("of", "in", "for", "and", "or", "not", "but", "excluding", "except", "without", ",")(before.norm):
	case oneOf("is", "are", "was", "were")(before.norm) && tokens[i].norm == tokens[i].lemma:
	case slices.ContainsFunc(tokens[:i], func(t token) bool { return oneOf("do", "does", "did")(t.norm) }):
		return false
	case !slices.ContainsFunc(values, func(e valueEntry) bool { return ix.isOf(ix.values.target(e, exactMatch, 0), before) }):
		return false
	}
	if ix.ends(tokens, i+1) {
		return true
	}
	next := tokens[i+1]
	return next.kind != wordToken || slices.ContainsFunc(ix.english.operators[next.norm], func(o operator) bool { return o.class == "glue" || o.class == "grouping" })
}

// standsForValue says whether an article has nothing behind it that it could belong to: "marks of a or b".
func (ix *Index) standsForValue(tokens []token, i int) bool {
	if tokens[i].norm != "a" && tokens[i].norm != "an" {
		return false
	}
	return i+1 == len(tokens) || tokens[i+1].kind == markToken || slices.Contains([]string{"or", "and"}, tokens[i+1].norm)
}

// isOf says whether a word names the kind of thing, or the attribute, that a value is of.
func (ix *Index) isOf(value target, word token) bool {
	return slices.ContainsFunc(ix.names.terms[word.lemma], func(t target) bool {
		return t.entity == value.entity && (isEntity(t) || t.dim == value.dim) && t.match != partialMatch
	})
}

// What something may have rows of; the written ones may also only be asked to be shown: "list the orders with details".
var (
	hadRows    = []string{"record", "entry", "result", "report", "figure"}
	hadWritten = []string{"detail", "details", "info", "information", "data"}
)

// isHad says whether a word is what members have or lack: "drivers who have records", "drivers without any record", "what
// records do drivers have".
func (ix *Index) isHad(tokens []token, i int) bool {
	written := slices.Contains(hadWritten, tokens[i].norm)
	if !written && !slices.Contains(hadRows, tokens[i].lemma) {
		return false
	}
	k := i - 1
	for k >= 0 && slices.Contains([]string{"a", "an", "the", "any", "some"}, tokens[k].norm) {
		k--
	}
	if k < 0 {
		return false
	}
	asking := func(w string) bool { return slices.Contains([]string{"we", "you", "i"}, w) }
	switch tokens[k].norm {
	case "without", "having":
		return k > 0
	case "with":
		shows := slices.ContainsFunc(ix.english.operators[tokens[0].norm], func(o operator) bool { return o.class == "listing" })
		return k > 0 && (!written || !shows)
	case "have", "has", "had":
		return k > 0 && !asking(tokens[k-1].norm)
	case "there", "are", "exist", "whose":
		return k > 0 && slices.ContainsFunc(tokens[:i], func(t token) bool { return t.norm == "whom" || t.norm == "whose" })
	case "their", "its", "his", "her":
		return !written && ix.endsEntity(tokens[i].lemma)
	case "what", "which":
		return i+2 < len(tokens) && slices.Contains([]string{"do", "does", "did"}, tokens[i+1].norm) && !asking(tokens[i+2].norm)
	}
	return false
}

// endsEntity says whether a word is the last one of what an entity is called.
func (ix *Index) endsEntity(word string) bool {
	return slices.ContainsFunc(ix.model.Entities, func(e semantic.Entity) bool {
		ws := ix.english.singulars(words(labelOf(e.Label, e.Name)))
		return len(ws) > 1 && ws[len(ws)-1] == word
	})
}
