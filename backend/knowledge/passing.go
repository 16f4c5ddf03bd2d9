package knowledge

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// passing is a definition inside of a question: "how many active customers, where active means an order in the last 90 days?", "revenue (by sales I mean net revenue)".
var passing = regexp.MustCompile(`(?i)(?:\b(?:where|given that|assuming that|assuming|provided that|whereby)\s+|[(,;:\x{2013}\x{2014}]\s*(?:and\s+|where\s+|with\s+)?)(?:by\s+)?` +
	`([\p{L}\p{N}"“”'‘’][\p{L}\p{N}"“”'‘’ &-]*?)\s+(?:means|refers to|is defined as|are defined as|stands for|is short for|(?:i|we) mean|:?=)\s+([^?!;()]+)`)

// endOf is where a definition ends that goes on: a sentence does, but not a decimal point.
var endOf = regexp.MustCompile(`[.](?:\s|$)|\s[\x{2013}\x{2014}]\s|,\s+(?:and|by|per|for|in)\b`)

// InPassing finds what a question says that its own words mean, each with its exact words, in their order: what stands in a clause, and whole sentences behind the first one. Of what people may see, and of how
// answers look, it finds nothing: that is no matter of a meaning. A definition that is said with other words is not found.
func InPassing(question string) []Correction {
	var all []Correction
	add := func(c Correction, quote string) {
		c.Quote = Quoted(quote)
		if (c.Sort == Factual || c.Sort == Gotcha) && c.Check() == nil && !slices.ContainsFunc(all, func(o Correction) bool { return Key(o.Term) == Key(c.Term) }) {
			all = append(all, c)
		}
	}
	for _, at := range passing.FindAllStringSubmatchIndex(question, -1) {
		end := at[5]
		if cut := endOf.FindStringIndex(question[at[4]:end]); cut != nil {
			end = at[4] + cut[0]
		}
		term, means := question[at[2]:at[3]], question[at[4]:end]
		if said := ReadWords(term+" means "+means, ""); said.Sort == Factual && !slices.Contains(asking, strings.ToLower(firstWord(term))) {
			said.Sort = SortOf(said.Means)
			add(said, question[at[2]:end])
		}
	}
	for i, s := range sentence.FindAllString(question, -1) {
		if i > 0 && !Asks(s) {
			add(ReadWords(s, ""), s)
		}
	}
	return all
}

// sentence is a text up to its end.
var sentence = regexp.MustCompile(`(?s).+?(?:[.!?]+(?:\s+|$)|$)`)

func firstWord(s string) string {
	if words := strings.Fields(Key(s)); len(words) > 0 {
		return words[0]
	}
	return ""
}

// Quoted is a text as evidence keeps it: one line, of MostMeansRunes at most.
func Quoted(s string) string {
	s = Line(s)
	if utf8.RuneCountInString(s) > MostMeansRunes {
		s = string([]rune(s)[:MostMeansRunes])
	}
	return s
}
