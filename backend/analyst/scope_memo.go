package analyst

import (
	"slices"
	"strings"
	"unicode"

	"assay/backend/frameql"
	"assay/backend/semantic"
	"assay/backend/text"

	"github.com/jinzhu/inflection"
)

// outOfScope finds the memo line that refuses the words of a question. It stands before any mind, so it binds them all,
// and it binds a query that a person wrote as well. A memo that is nearer to the question speaks first.
func outOfScope(memos []semantic.Memo, question string) *Refused {
	asked := singulars(question)
	for _, memo := range slices.Backward(memos) {
		for _, line := range memo.RefusalScope {
			for _, words := range line.Words {
				if contains(asked, singulars(words)) {
					return &Refused{Code: "OUT_OF_SCOPE", Message: line.Reason, Repairs: []frameql.Repair{}}
				}
			}
		}
	}
	return nil
}

// singulars are the words of a text in lower case and in the singular: "Birth dates" and "birth_date" are the same.
func singulars(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	for i, word := range words {
		if len(word) < longestWord {
			words[i] = inflection.Singular(word)
		}
	}
	return words
}

// longestWord is where a word is no longer one of a language; to look for its singular would take seconds for a megabyte.
const longestWord = 200

func contains(all, part []string) bool {
	if len(part) == 0 {
		return false
	}
	for i := 0; i+len(part) <= len(all); i++ {
		if slices.Equal(all[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

func nothingRead() *Refused {
	return &Refused{Code: "NOT_UNDERSTOOD", Message: text.Say("analyst.not_understood"), Repairs: []frameql.Repair{}}
}
