package pii

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Learn tells the vault values of a kind that are to be masked wherever a text has them: those of a tagged column, before
// a question or an error that may name them goes out.
func (v *Vault) Learn(kind Kind, values ...string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, value := range values {
		v.learn(kind, strings.TrimSpace(value))
	}
}

// learn makes a value known. Short ones and words that are more often no name are not looked for in texts.
func (v *Vault) learn(kind Kind, value string) {
	if kind == Literal || len(value) > 200 || !tellsSomething(value) {
		return
	}
	if v.learned[value] {
		return
	}
	v.learned[value] = true
	if kind == PersonName {
		v.learnParts(value)
	}
	start, end := tellingWord(value)
	key := strings.ToLower(value[start:end])
	p := phrase{value: value, word: start, kind: kind, exact: len(value) < 6 && !strings.ContainsAny(value, " @0123456789")}
	// the longest first, so that the whole of a name goes before its beginning
	at, _ := slices.BinarySearchFunc(v.phrases[key], p, func(a, b phrase) int { return len(b.value) - len(a.value) })
	v.phrases[key] = slices.Insert(v.phrases[key], at, p)
}

// learnParts makes the words of a person's name known: who is called by the surname alone is still named. A word counts with its
// capital only, from four letters on, and when it is no common word.
func (v *Vault) learnParts(name string) {
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == ',' })
	if len(parts) < 2 || len(parts) > 5 {
		return
	}
	for _, part := range parts {
		first, _ := utf8.DecodeRuneInString(part)
		if unicode.IsUpper(first) && utf8.RuneCountInString(part) >= 4 && wordEnd(part, 0) == len(part) && tellsSomething(part) && !v.learned[part] {
			v.learned[part] = true
			key := strings.ToLower(part)
			v.phrases[key] = append(v.phrases[key], phrase{value: part, kind: PersonName, exact: true})
		}
	}
}

// tellingWord gives the word of a value that fewest others share: the last of those before an @, else the longest.
func tellingWord(value string) (start, end int) {
	upTo := len(value)
	if at := strings.IndexByte(value, '@'); at > 0 {
		upTo = at
	}
	for i := 0; i < upTo; {
		if !isWord(value[i]) {
			i++
			continue
		}
		j := i
		for j < upTo && isWord(value[j]) {
			j++
		}
		if j-i > end-start || upTo < len(value) {
			start, end = i, j
		}
		i = j
	}
	return start, end
}

// commonWords are names that are more often something else.
var commonWords = []string{
	"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "monday",
	"tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "will", "mark", "bill", "grace", "rose", "hope", "faith", "joy", "day", "price", "unknown",
	"none", "null", "other", "total", "yes", "true", "false", "order", "sales", "customer", "north", "south", "east", "west", "male", "female", "n/a",
}

// tellsSomething says whether a value names somebody by itself: three letters that are no common word, or six
// letters and digits.
func tellsSomething(value string) bool {
	letters, digits := 0, 0
	for _, r := range value {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		}
	}
	return (letters >= 3 || digits >= 6 || letters > 0 && letters+digits >= 6) && !slices.Contains(commonWords, strings.ToLower(value))
}

// known finds the values that the vault knows in a text.
func (v *Vault) known(s string) []Span {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.phrases) == 0 {
		return nil
	}
	var all []Span
	for i := 0; i < len(s); {
		if !isWord(s[i]) {
			i++
			continue
		}
		end := i
		for end < len(s) && isWord(s[end]) {
			end++
		}
		for _, p := range v.phrases[strings.ToLower(s[i:end])] {
			from := i - p.word
			to := from + len(p.value)
			if from < 0 || to > len(s) || !strings.EqualFold(s[from:to], p.value) || p.exact && s[from:to] != p.value {
				continue
			}
			if isWord(at(s, to)) && isWord(p.value[len(p.value)-1]) || !utf8.ValidString(s[from:to]) && utf8.ValidString(s) {
				continue
			}
			all = append(all, Span{from, to, p.kind})
			break
		}
		i = end
	}
	return all
}
