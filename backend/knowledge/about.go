package knowledge

import (
	"slices"
	"strings"
)

// What a sentence corrects is a part of an answer, and only sometimes a word. A word gets another meaning where the sentence says that it means that, or where what it asks for in its place is the word
// itself, said more exactly.

// Refines says whether a name is another one said more exactly: it has all the words of that, and is a kind of the same thing, which the last word names. Gross revenue refines revenue, and revenue per
// customer is something else.
func Refines(name, word string) bool {
	all, some := strings.Fields(Key(name)), strings.Fields(Key(word))
	if len(all) == 0 || len(some) == 0 || all[len(all)-1] != some[len(some)-1] {
		return false
	}
	for _, w := range some {
		if !slices.Contains(all, w) {
			return false
		}
	}
	return true
}

// Splits says whether a name that begins at a byte of a sentence is what the answer is to be split, ranked or ordered by, and not what is to be shown: "no, by units sold".
func Splits(sentence string, at int) bool {
	if at < 0 || at > len(sentence) {
		return false
	}
	before := strings.Fields(Key(sentence[:at]))
	if n := len(before); n > 0 && before[n-1] == "the" {
		before = before[:n-1]
	}
	return len(before) > 0 && slices.Contains(splitting, before[len(before)-1])
}

var splitting = strings.Fields("by per each every")

// pointing are words that stand for what was just said or shown. None of them is given a meaning.
var pointing = strings.Fields("it its this that these those they them one ones he she here there")

// partNames are what the parts of an answer are called. That one of them should be something corrects that answer; it gives the name no meaning.
var partNames = strings.Fields("answer result number figure value total period year quarter month week day date time range ranking rank order ordering sort sorting filter condition grouping group breakdown split chart graph plot table format unit metric measure dimension limit top bottom")

// pointsOnly says whether a term only points at something.
func pointsOnly(term string) bool { return slices.Contains(pointing, Key(term)) }

// namesPart says whether a term is what a part of an answer is called.
func namesPart(term string) bool {
	key := Key(term)
	return slices.Contains(partNames, key) || slices.Contains(partNames, strings.TrimSuffix(key, "s"))
}
