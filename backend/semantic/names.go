package semantic

import (
	"slices"
	"strings"
	"unicode"

	"github.com/jinzhu/inflection"
)

// IsName says whether s is a plain identifier: a letter or underscore, then letters, digits and underscores, all ASCII.
func IsName(s string) bool {
	for i, c := range []byte(s) {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// Words cuts a name of a table or column into lower-case words: "CustomerID_FK" gives customer, id; "order_dt" gives
// order, dt; "unitprice" gives unit, price. Marks of keys that data warehouses put at the end are left out. It expands
// nothing; see ExpandWords.
func Words(name string) []string {
	var words []string
	for _, w := range camelWords(name) {
		words = append(words, compound(w)...)
	}
	for len(words) > 1 && keyMarks[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	for i := 0; i+1 < len(words); i++ {
		if words[i] == "sub" { // sub category, sub total: one word
			words[i] += words[i+1]
			words = slices.Delete(words, i+1, i+2)
		}
	}
	return words
}

// keyMarks are suffixes that say "key" and nothing else.
var keyMarks = map[string]bool{"k": true, "fk": true, "pk": true, "sk": true, "bk": true}

// camelWords cuts at everything that is no letter or digit, where lower case turns to upper, before the last capital of
// a run ("HTTPServer") and around digits.
func camelWords(name string) []string {
	var words []string
	r := []rune(name)
	start := 0
	flush := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(string(r[start:end])))
		}
		start = end
	}
	for i, c := range r {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			flush(i)
			start = i + 1
		case i == start:
		case unicode.IsDigit(c) != unicode.IsDigit(r[i-1]):
			flush(i)
		case unicode.IsUpper(c) && unicode.IsLower(r[i-1]):
			flush(i)
		case unicode.IsUpper(c) && unicode.IsUpper(r[i-1]) && i+1 < len(r) && unicode.IsLower(r[i+1]):
			flush(i)
		}
	}
	flush(len(r))
	return words
}

// ExpandWords writes out abbreviations: cust nm gives customer name. changed says that it did.
func ExpandWords(words []string) (expanded []string, changed bool) {
	for i, w := range words {
		long, ok := abbreviations()[w]
		if i+1 < len(words) && words[i+1] == "name" && !ok {
			long, ok = nameParts[w]
		}
		switch {
		case w == "no" && i == len(words)-1 && i > 0, w == "no" && i+1 < len(words) && words[i+1] == "of":
			long, ok = "number", true // "order no", "no of seats", but not "no show"
		}
		if !ok {
			expanded = append(expanded, w)
			continue
		}
		expanded, changed = append(expanded, strings.Fields(long)...), true
	}
	return expanded, changed
}

// nameParts are letters before "name" that say which part of a person's name it is.
var nameParts = map[string]string{"f": "first", "l": "last"}

// Singular gives the singular of the last word of a phrase.
func Singular(phrase string) string {
	return inflectLast(phrase, func(w string) string {
		for singular, plural := range irregular {
			if w == plural || w == singular {
				return singular
			}
		}
		if strings.HasSuffix(w, "a") {
			return w // the rules would make quotum of quota
		}
		return inflection.Singular(w)
	})
}

// Plural gives the plural of the last word of a phrase.
func Plural(phrase string) string {
	return inflectLast(phrase, func(w string) string {
		if plural, ok := irregular[w]; ok {
			return plural
		}
		if strings.HasSuffix(w, "ium") || strings.HasSuffix(w, "a") {
			return w + "s" // stadiums, quotas
		}
		return inflection.Plural(w)
	})
}

func inflectLast(phrase string, inflect func(string) string) string {
	head, last := "", phrase
	if i := strings.LastIndexAny(phrase, " _"); i >= 0 {
		head, last = phrase[:i+1], phrase[i+1:]
	}
	if last == "" || unchanging[strings.ToLower(last)] || strings.IndexFunc(last, unicode.IsDigit) >= 0 {
		return phrase
	}
	return head + inflect(last)
}

// unchanging are words that the inflection rules get wrong: they end like a plural and are none, or have no plural.
var unchanging = map[string]bool{
	"data": true, "metadata": true, "media": true, "criteria": true, "series": true, "species": true, "news": true,
	"staff": true, "stock": true, "analytics": true, "logistics": true, "economics": true,
	"statistics": true, "physics": true, "mathematics": true, "aircraft": true, "spacecraft": true, "goods": true,
	"headquarters": true, "means": true, "premises": true, "earnings": true, "savings": true, "proceeds": true,
	"sms": true, "gps": true, "pos": true, "gas": true, "tennis": true, "weather": true, "traffic": true, "software": true,
	"hardware": true, "furniture": true, "luggage": true, "feedback": true, "research": true, "content": true,
	"education": true, "health": true, "personnel": true,
}

// irregular are words whose plural the inflection rules do not know, by their singular.
var irregular = map[string]string{
	"campus": "campuses", "bonus": "bonuses", "census": "censuses", "canvas": "canvases",
	"lens": "lenses", "atlas": "atlases", "corpus": "corpora", "focus": "focuses", "iris": "irises", "leave": "leaves",
	"pass": "passes", "virus": "viruses", "plus": "pluses", "lease": "leases", "release": "releases", "chassis": "chassis", "debris": "debris",
}

// labelOf makes a label of an identifier: order_lines gives "Order lines".
func labelOf(name string) string { return sentenceCase(camelWords(name)) }

// sentenceCase joins words with a capital in front; acronyms are written large.
func sentenceCase(words []string) string {
	out := slices.Clone(words)
	for i, w := range out {
		if acronyms[w] {
			out[i] = strings.ToUpper(w)
		} else if i == 0 {
			r := []rune(w)
			r[0] = unicode.ToUpper(r[0])
			out[i] = string(r)
		}
	}
	return strings.Join(out, " ")
}

var acronyms = map[string]bool{
	"id": true, "url": true, "sku": true, "vat": true, "gdp": true, "usd": true, "eur": true,
	"gbp": true, "ip": true, "iban": true, "isbn": true, "kpi": true, "gpa": true, "cpi": true, "ssn": true, "roi": true,
	"api": true, "ein": true, "upc": true, "ean": true, "cogs": true, "mpg": true, "rpm": true, "dna": true, "tv": true,
}

// snake joins words to an identifier. A name that would begin with a digit gets an underscore in front; one without any
// ASCII letter or digit becomes "unnamed".
func snake(words []string) string {
	var b strings.Builder
	for _, c := range strings.Join(words, "_") {
		switch {
		case c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z':
			b.WriteRune(c)
		case unicode.IsLetter(c):
			b.WriteString(asciiLetter(c))
		}
	}
	s := strings.Trim(b.String(), "_")
	switch {
	case s == "":
		return "unnamed"
	case s[0] <= '9':
		return "_" + s
	}
	return s
}

// asciiLetter writes a Latin letter with a mark as plain letters; other scripts give nothing.
func asciiLetter(c rune) string {
	for plain, marked := range map[string]string{
		"a": "àáâãå", "ae": "äæ", "c": "ç", "e": "èéêë", "i": "ìíîï", "n": "ñ",
		"o": "òóôõø", "oe": "öœ", "u": "ùúû", "ue": "ü", "y": "ýÿ", "ss": "ß",
	} {
		if strings.ContainsRune(marked, c) {
			return plain
		}
	}
	return ""
}
