package interpret

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// fold gives the form in which words are compared: NFKC, case folded, without diacritics. It is applied word by word,
// so that tokens keep the byte offsets of the question as it was written.
func fold(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	s = cases.Fold().String(norm.NFKC.String(s))
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// words splits a name or a label into folded words: at everything that is neither letter nor digit, and where lower
// case turns into upper case ("CompanyName", "company_name" and "Company name" give the same words).
func words(s string) []string {
	var out []string
	start := -1
	var prev rune
	folded := ""
	if ascii(s) {
		folded = strings.ToLower(s) // at once: its words share the memory
	}
	flush := func(end int) {
		switch {
		case start < 0:
			return
		case folded != "":
			out = append(out, folded[start:end])
		default:
			out = append(out, fold(s[start:end]))
		}
		start = -1
	}
	for i, r := range s {
		switch {
		case !wordRune(r):
			flush(i)
		case start >= 0 && unicode.IsUpper(r) && unicode.IsLower(prev):
			flush(i)
			start = i
		case start < 0:
			start = i
		}
		prev = r
	}
	flush(len(s))
	return out
}

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// join makes the key under which words are looked up. Words stand together without spaces: "sub category",
// "sub-category" and "subcategory" are one key.
func join(ws []string) string { return strings.Join(ws, "") }

// singular gives the singular of a folded English word by spelling rules and the exceptions of the lexicon. It never
// needs to be right, only to be the same for a name and for the word in a question.
func (l *lexicon) singular(w string) string {
	if s, ok := l.irregular[w]; ok {
		return s
	}
	n := len(w)
	switch {
	case n < 4 || !strings.HasSuffix(w, "s"):
		return w
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies") && n > 4:
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "zzes"):
		return w[:n-2]
	default:
		return w[:n-1]
	}
}

func (l *lexicon) singulars(ws []string) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = l.singular(w)
	}
	return out
}
